"""A sync answer as nio takes it in: whole where that is possible, else by rooms, else by events; what can't
be taken in is set apart.

Strangers write what stands in it, and nio reads it all at once: one event that it stumbles over would keep
every other one out, for ever.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from referee.ports import Inbound, unread

from .connection import MatrixConnection
from .reading import section, word
from .room_state import plain

log = logging.getLogger(__name__)
_PLACES = ("state", "timeline", "ephemeral", "account_data", "invite_state")
#: an event is no larger on any server
_EVENT = 100_000


@dataclass
class SyncDigest:
    """`answers` as nio made them, the whole or its pieces in order; `left`: what is to be parked."""

    answers: list[Any] = field(default_factory=list)
    left: list[Inbound] = field(default_factory=list)


async def digested(line: MatrixConnection, told: dict[str, Any], channel: str, now_ms: int) -> SyncDigest:
    """Never raises for what `told` holds."""
    found = SyncDigest()
    plain(told)
    try:
        found.answers.append(await line.digest(told))
        return found
    except Exception as broken:  # nio meets a stranger's event: which one it is will be seen
        log.warning("matrix: a sync can't be read as a whole: %s", type(broken).__name__)
    token = word(told, "next_batch")
    for name, piece in _apart(told, token):
        await _taken(line, piece, name, channel, now_ms, found)
    return found


async def _taken(
    line: MatrixConnection, piece: dict[str, Any], name: str, channel: str, now_ms: int, found: SyncDigest
) -> None:
    try:
        found.answers.append(await line.digest(piece))
    except Exception as broken:  # as above
        smaller = list(_events(piece))
        if len(smaller) > 1:
            for named, one in smaller:
                await _taken(line, one, named, channel, now_ms, found)
            return
        raw = json.dumps(piece, default=repr)[:_EVENT].encode(errors="replace")
        found.left.append(
            unread(channel, raw, ref=name, reason=f"event {type(broken).__name__}", at_ms=now_ms)
        )


def _apart(told: dict[str, Any], token: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """What is about no room, then each room alone."""
    rest = {
        name: value
        for name, value in told.items()
        if name in ("account_data", "to_device", "device_lists", "device_one_time_keys_count")
    }
    for name, value in rest.items():
        yield name, {"next_batch": token, name: value}
    for kind in ("join", "invite", "leave", "knock"):
        for room, info in section(told, "rooms", kind).items():
            yield str(room), _room(token, kind, str(room), info)


def _room(token: str, kind: str, room: str, info: Any) -> dict[str, Any]:
    return {"next_batch": token, "rooms": {kind: {room: info}}}


def _events(piece: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """One room's events, each alone, in their order; only the first says that others were left out."""
    for kind, rooms in section(piece, "rooms").items():
        for room, info in section(rooms).items():
            limits = {
                name: value
                for name, value in section(info, "timeline").items()
                if name in ("limited", "prev_batch")
            }
            for place in _PLACES:
                events = section(info, place).get("events")
                for event in events if isinstance(events, list) else []:
                    timeline = limits if place == "timeline" else {}
                    yield (
                        word(event, "event_id") or str(room),
                        _room(str(piece.get("next_batch")), kind, room, _with(info, place, event, timeline)),
                    )
                    if timeline:
                        limits = {"limited": False, "prev_batch": limits.get("prev_batch", "")}


def _with(info: Any, place: str, event: Any, timeline: dict[str, Any]) -> dict[str, Any]:
    """A room's section that holds one event."""
    made: dict[str, Any] = {name: {"events": []} for name in _PLACES if name in section(info)}
    if "timeline" in made:
        made["timeline"] |= {"limited": False, "prev_batch": ""}
    made[place] = {**made.get(place, {}), **timeline, "events": [event]}
    return made
