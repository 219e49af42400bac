"""An answer that nio can read, whatever strangers wrote: nio looks into every event, and one that it stumbles over would hide the whole sync, for ever.

Such an event keeps its name, who sent it and where; of what it says nothing is left.
"""
from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

import nio

log = logging.getLogger(__name__)
#: the type of an event of which nothing is left
EMPTIED = "org.citadels.unreadable"
#: so many levels deep an event may be; those that clients write have about seven
DEEPEST = 24
_KEPT = ("event_id", "sender", "room_id")
#: where an answer holds lists of events, and what nio reads those with
_LISTS = ("events", "chunk")
_PARSERS: dict[str, Callable[[Any], Any]] = {
    "invite_state": nio.InviteEvent.parse_event, "ephemeral": nio.EphemeralEvent.parse_event, "to_device": nio.ToDeviceEvent.parse_event,
    "account_data": nio.AccountDataEvent.parse_event}
#: a string of JSON, or what opens and closes a level
_LEVEL = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def harmless(body: Any, *, thoroughly: bool) -> Any:
    """The answer of a homeserver with events emptied that are too deep, and (`thoroughly`) those that nio breaks on; changed in place."""
    parts: list[tuple[Any, Callable[[Any], Any], int]] = [(body, nio.Event.parse_event, 0)]
    while parts:
        value, parse, deep = parts.pop()
        for key, one in value.items() if isinstance(value, dict) and deep < 6 else ():
            if key in _LISTS and isinstance(one, list):
                one[:] = [event if _harmless(event, parse if thoroughly else None) else emptied(event) for event in one if isinstance(event, dict)]
            else:
                parts.append((one, _PARSERS.get(key, parse), deep + 1))
    return body


def _harmless(event: dict[str, Any], parse: Callable[[Any], Any] | None) -> bool:
    """Whether it is not too deep, and read by `parse` without an exception."""
    level: list[Any] = [event]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one) if isinstance(inner, dict | list)]
    if level:
        log.warning("an event that is too deep is passed over")
        return False
    if parse is not None:
        try:
            parse(event)
        except Exception:                             # whatever a stranger's event makes nio do
            log.warning("an event that can't be read is passed over")
            return False
    return True


def emptied(event: dict[str, Any]) -> dict[str, Any]:
    """What is left of an event with which nothing can be done."""
    said = {key: event[key] for key in _KEPT if isinstance(event.get(key), str)}
    return {"event_id": "$", "sender": "@", **said, "origin_server_ts": 0, "type": EMPTIED, "content": {}}


def shallow(text: str, deepest: int = 60) -> str:
    """JSON with `null` for whatever lies deeper than so many levels: for a text that no reader takes."""
    out: list[str] = []
    level, place = 0, 0
    for found in _LEVEL.finditer(text):
        sign = found[0]
        if sign in "[{":
            level += 1
            if level == deepest + 1:
                out.append(text[place:found.start()] + "null")
        elif sign in "]}":
            level -= 1
            if level == deepest:
                place = found.end()
    return "".join(out) + (text[place:] if level <= deepest else "")
