"""The state of rooms, put so that nio overlooks nothing of it.

Who is in a room and who else may read there decides what is whispered in it, and nio's picture of that is
not the homeserver's. It passes over an event that was redacted, though what counts is left in it, and one
with a word that is no string; and it takes a room's rule also from an event that is none. A room whose
name was taken away it calls by the old one.
"""

from __future__ import annotations

from typing import Any

from .reading import section

#: no room may have more people. Each is read at every start: 20,000 take three seconds, in which no channel
#: does anything else
MOST_PEOPLE = 5_000
#: what a room has one of, under the empty key: under any other it means nothing
_ONE = ("canonical_alias", "create", "encryption", "history_visibility", "join_rules", "name", "tombstone")
#: what a redaction leaves as it was
_LASTING = ("history_visibility", "join_rules", "member")
#: a member's, who is there whatever stands in them
_WORDS = ("avatar_url", "displayname", "reason")


def drop_crowded(told: dict[str, Any], known: set[str]) -> set[str]:
    """Take the rooms of too many people out of a sync, and those `known` to be such; which they are.

    Of what is told later of such a room nio would make one with nobody in it but who speaks there.
    """
    joined = section(told, "rooms", "join")
    found = {room for room, info in joined.items() if room in known or _people(info) > MOST_PEOPLE}
    for room in found:
        del joined[room]
    return found


def grown(told: dict[str, Any], seen: dict[str, Any]) -> set[str]:
    """Of the rooms that a sync tells of, those into which too many people have come one by one."""
    rooms = section(told, "rooms", "join")
    return {room for room in rooms if room in seen and len(seen[room].users) > MOST_PEOPLE}


def _people(info: Any) -> int:
    events = [section(info, place).get("events") for place in ("state", "timeline")]
    return sum(_kind(section(one)) == "member" for some in events if isinstance(some, list) for one in some)


def plain(told: dict[str, Any]) -> None:
    """Change a sync's events of joined rooms, in place."""
    for info in section(told, "rooms", "join").values():
        for place in ("state", "timeline"):
            events = section(info, place).get("events")
            if isinstance(events, list):
                events[:] = [one for one in events if not _means_nothing(one)]
                for one in events:
                    _unveil(section(one))


def _kind(event: dict[str, Any]) -> str:
    found = event.get("type")
    return found.removeprefix("m.room.") if isinstance(found, str) else ""


def _means_nothing(event: Any) -> bool:
    return _kind(section(event)) in _ONE and event.get("state_key") != ""


def _unveil(event: dict[str, Any]) -> None:
    if _kind(event) in _LASTING:
        section(event, "unsigned").pop("redacted_because", None)
    if _kind(event) == "name" and not isinstance(section(event, "content").get("name"), str):
        event["content"] = {"name": ""}  # nio's own picture would keep the old name
    if _kind(event) == "member":
        event.pop("prev_content", None)  # at this place of no use to nio, which stumbles over it
        content = section(event, "content")
        for name in _WORDS:
            if not isinstance(content.get(name, ""), str):
                del content[name]
