"""`zone Lisbon`: which time zone somebody means, by its name in the tz database or by its city."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from referee.policy import known_zone

from ..folding import clean, squash
from ..meter import unmetered
from .terms import NotUnderstood, Reading, missing


@cache
@unmetered
def _zones() -> Mapping[str, str]:
    """Every zone by its squashed name, and by its city where only one zone has that city."""
    every = sorted(z for z in available_timezones() if z not in ("localtime", "posixrules", "Factory"))
    cities: dict[str, list[str]] = {}
    for zone in every:
        cities.setdefault(squash(zone.rsplit("/", 1)[-1].replace("_", " ")), []).append(zone)
    out = {city: zones[0] for city, zones in cities.items() if len(zones) == 1}
    return out | {squash(zone.replace("_", " ")): zone for zone in every}


def read_zone(rest: str, reading: Reading) -> Mapping[str, Any] | NotUnderstood:
    """{"zone": its name in the tz database, "text": the same}."""
    if not rest:
        return missing("zone", reading)
    key = squash(rest.replace("_", " "))
    zones = _zones()
    if key in zones:
        return {"zone": zones[key], "text": zones[key]}
    near = tuple(dict.fromkeys(zones[k] for k in get_close_matches(key[:60], zones, 3, 0.6)))
    return NotUnderstood("no-such-zone", facts={"word": clean(rest, 40), "near": near}, suggestions=near)


def zone_at(reading: Reading, words: Sequence[str]) -> tuple[str | NotUnderstood, int]:
    """The time zone that stands here, in one to three words, and how many they are; else what is wrong."""
    if known_zone(words[0]):  # to the letter: some differ in a sign only
        return words[0], 1
    first: NotUnderstood | None = None
    for used in range(1, min(3, len(words)) + 1):
        found = read_zone(" ".join(words[:used]), reading)
        if not isinstance(found, NotUnderstood):
            return str(found["zone"]), used
        first = first or found
    assert first is not None
    return first, 0
