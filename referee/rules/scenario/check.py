"""Playing the scenarios of a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..codec import dump
from ..facts import Refusal, Seat, SetupError
from ..game import asks, play
from ..model import State
from ..notation import order_text, read_order
from .expect import Comparison, comparisons, may
from .fields import ScenarioError, mapping, only, text
from .position import lay, seat_of

FIELDS = (
    "name",
    "rule",
    "rulings",
    "edition",
    "options",
    "players",
    "cast",
    "uniques",
    "given",
    "play",
    "expect",
)
NEEDED = ("players", "given", "expect")


class Result(NamedTuple):
    """One scenario played: `ok`, or `why` what differs."""

    name: str
    ok: bool
    why: str


class Entry(NamedTuple):
    """A line of `play`: an order of a seat (refused or not), or comparisons."""

    seat: Seat
    order: str
    refused: bool
    compare: list[tuple[str, Comparison]]


class Scenario(NamedTuple):
    name: str
    state: State
    entries: list[Entry]


def check(data: object, source: str) -> list[Result]:
    """Play every scenario of a file (`data`: what the YAML reader gave).  Raises
    ScenarioError before any is played where the file does not fit."""
    if not isinstance(data, list) or not data:
        raise ScenarioError("a file is a list of scenarios, and not empty", source=source)
    scenarios = []
    for number, entry in enumerate(data, 1):
        name = entry.get("name") if isinstance(entry, dict) else None
        label = name if isinstance(name, str) and name else f"number {number}"
        try:
            scenarios.append(_prepared(entry))
        except ScenarioError as error:
            raise error.at(source, label) from None
        except SetupError as error:
            facts = ", ".join(f"{key}: {value}" for key, value in error.facts.items())
            code = error.code if error.code == "unknown-edition" else "format"
            raise ScenarioError(f"{error.code} ({facts})", code, source, label) from error
    return [Result(s.name, not why, why) for s in scenarios for why in [_difference(s)]]


def _prepared(data: object) -> Scenario:
    fields = mapping(data, "a scenario")
    only(fields, FIELDS, "a scenario")
    name = text(fields.get("name"), "name")
    if "\n" in name:
        raise ScenarioError("name: one line")
    for needed in NEEDED:
        if needed not in fields:
            raise ScenarioError(f"{needed} is missing")
    state = lay(fields)
    play_list = fields.get("play", [])
    if not isinstance(play_list, list):
        raise ScenarioError("play: a list")
    entries = [_entry(state, item, f"play, entry {n}") for n, item in enumerate(play_list, 1)]
    last = Entry(-1, "", False, comparisons(fields["expect"], state.setup, state.rules))
    return Scenario(name, state, [*entries, last])


def _entry(state: State, item: object, where: str) -> Entry:
    fields = mapping(item, where)
    if len(fields) != 1:
        raise ScenarioError(f"{where}: one player with one order, or expect")
    ((who, what),) = fields.items()
    if who == "expect" and who not in state.setup.players:
        return Entry(-1, "", False, comparisons(what, state.setup, state.rules))
    refused = isinstance(what, dict)
    if refused:
        only(mapping(what, where), ("refused",), where)
        what = what.get("refused")
    return Entry(seat_of(state.setup, who, where), text(what, where), refused, [])


def _difference(scenario: Scenario) -> str:
    """The first thing that is not as the scenario says; empty for none."""
    state = scenario.state
    count = len(scenario.entries)
    for number, entry in enumerate(scenario.entries, 1):
        where = "at the end" if number == count else f"entry {number}"
        state = answered(state, entry)
        if entry.seat < 0:
            for field, compare in entry.compare:
                if why := compare(state):
                    return f"{where}: {field}: {why}"
            continue
        who = state.setup.players[entry.seat]
        before = dump(state) if entry.refused else None
        try:
            state = play(state, entry.seat, read_order(entry.order, state.setup.players, state.rules)).state
        except Refusal as refusal:
            if entry.refused and dump(state) == before:
                continue
            return f"{where}: {who}: {entry.order!r} is refused: {_told(refusal)}"
        if entry.refused:
            return f"{where}: {who}: {entry.order!r} is accepted"
    return ""


def _told(refusal: Refusal) -> str:
    facts: Mapping[str, Any] = refusal.facts
    return f"{refusal.code} ({', '.join(f'{k}: {v}' for k, v in facts.items())})"


def answered(state: State, entry: Entry) -> State:
    """Give the answers that are not written: those to questions asked only for secrecy's
    sake, with one answer.  (Written all the same, it is left to the entry; and what is
    refused may be refused before.)"""
    while state.stack and state.stack[-1].hushed:
        ask = asks(state)[0]
        if len(ask.moves) != 1 or ask.families or ask.moves[0].verb == "end":
            return state
        if not entry.refused and (ask.seat, order_text(ask.moves[0], state.setup.players)) == (
            entry.seat,
            entry.order,
        ):
            return state
        if entry.refused and not may(state, entry.seat, entry.order):
            return state
        state = play(state, ask.seat, ask.moves[0]).state
    return state
