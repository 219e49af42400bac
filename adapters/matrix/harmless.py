"""A sync that nio can read, whatever strangers wrote: nio looks into every event, and one that it trips over would hide the whole sync, for ever.

Such an event keeps who sent it, when, and its name; of what it says nothing is left.
"""
from __future__ import annotations

import logging
from typing import Any

import nio

log = logging.getLogger(__name__)
#: the type of an event of which nothing is left
EMPTIED = "org.citadels.unreadable"
_KEPT = ("event_id", "sender", "origin_server_ts", "room_id")
#: where an answer holds lists of events, and what reads those
_LISTS = ("events", "chunk")
_PARSERS = {"invite_state": nio.InviteEvent.parse_event, "ephemeral": nio.EphemeralEvent.parse_event, "to_device": nio.ToDeviceEvent.parse_event,
            "account_data": nio.AccountDataEvent.parse_event}
_DEEPEST = 6


def harmless(body: Any) -> Any:
    """The answer of a homeserver with every event emptied that nio breaks on; changed in place."""
    _walk(body, nio.Event.parse_event, 0)
    return body


def _walk(value: Any, parse: Any, deep: int) -> None:
    if not isinstance(value, dict) or deep > _DEEPEST:
        return
    for key, one in value.items():
        if key in _LISTS and isinstance(one, list):
            one[:] = [event if readable(event, parse) else emptied(event) for event in one if isinstance(event, dict)]
        else:
            _walk(one, _PARSERS.get(key, parse), deep + 1)


def readable(event: dict[str, Any], parse: Any = nio.Event.parse_event) -> bool:
    """Whether nio reads it without an exception."""
    try:
        parse(event)
    except Exception:                                 # whatever a stranger's event makes nio do
        log.warning("an event that can't be read is passed over")
        return False
    return True


def emptied(event: dict[str, Any]) -> dict[str, Any]:
    """What is left of an event that nothing can be done with."""
    said = {key: event[key] for key in _KEPT if isinstance(event.get(key), str)}
    return {"event_id": "$", "sender": "@", **said, "origin_server_ts": 0, "type": EMPTIED, "content": {}}
