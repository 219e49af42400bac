"""What an event says.  Pure; events are written by strangers, so nothing in them is believed to be there."""

from __future__ import annotations

import re
from typing import Any

from .writing import KEYCAPS, KEYS

_CHOICES = {cap.replace("\ufe0f", ""): number for number, cap in enumerate(KEYCAPS)}
#: as clients write it in plain words what is struck out
_STRUCK = re.compile(r"~~[^~\n]{1,400}~~")
_KEY = re.compile(r"[A-Za-z0-9_-]{1,40}")


def section(value: Any, *names: str) -> dict[str, Any]:
    """The object found by going down `names`, or an empty one."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def word(value: Any, *names: str) -> str:
    """The string found by going down `names`, made clean, or ""."""
    return clean(section(value, *names[:-1]).get(names[-1]))


def clean(value: Any) -> str:
    """A string with its half characters and NULs, which no database takes, replaced; "" for anything else."""
    return value.encode(errors="replace").decode().replace("\0", "\ufffd") if isinstance(value, str) else ""


def moment(event: dict[str, Any]) -> int:
    """When the event was sent, UTC milliseconds, 0 if it does not tell."""
    found = event.get("origin_server_ts")
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 < found < 2**53 else 0


def is_edit(event: dict[str, Any]) -> bool:
    return word(event, "content", "m.relates_to", "rel_type") == "m.replace"


def answered(event: dict[str, Any]) -> str:
    """The message this one answers: the one replied to, else the root of its thread, else ""."""
    relation = section(event, "content", "m.relates_to")
    replied = word(relation, "m.in_reply_to", "event_id")
    if word(relation, "rel_type") == "m.thread" and (not replied or relation.get("is_falling_back") is True):
        return word(relation, "event_id")
    return replied


def text(event: dict[str, Any]) -> str:
    """The words, without the quotation that older clients put before a reply, and without what is struck
    out.
    """
    body = word(event, "content", "body")
    if "<del>" in word(event, "content", "formatted_body"):
        body = _STRUCK.sub("", body)
    quoted = body.startswith(("> <@", "> * <@"))  # the second of what somebody does (an emote)
    if not section(event, "content", "m.relates_to", "m.in_reply_to") or not quoted:
        return body
    lines = body.split("\n")
    while lines and lines[0].startswith(">"):
        lines.pop(0)
    if lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)


def spoken_to(said: str, event: dict[str, Any], me: str, name: str) -> tuple[str, bool]:
    """The words without our name before them, and whether they are meant for us: "Referee: status"."""
    called = section(event, "content", "m.mentions").get("user_ids")
    if not isinstance(called, list) or me not in called:
        return said, False
    for form in sorted({me, name, me[1:].partition(":")[0]} - {""}, key=len, reverse=True):
        for start in (form, f"@{form}"):
            rest = said[len(start) :]
            if said.lower().startswith(start.lower()) and not rest[:1].isalnum():
                return rest.lstrip(" :,\n"), True
    return said, True


def choice(event: dict[str, Any]) -> tuple[str, int] | None:
    """The message reacted to and the number (from 0) of the keycap, or None for any other reaction."""
    relation = section(event, "content", "m.relates_to")
    number = _CHOICES.get(word(relation, "key").replace("\ufe0f", ""))
    target = word(relation, "event_id")
    if number is None or not target or word(relation, "rel_type") != "m.annotation":
        return None
    return target, number


def offered(event: dict[str, Any], author: str) -> list[str]:
    """The keys a message of `author` offers, after its newest edit; none if somebody else wrote it."""
    if word(event, "sender") != author:
        return []
    content = section(event, "content")
    edit = section(event, "unsigned", "m.relations", "m.replace")
    if word(edit, "sender") == author and section(edit, "content", "m.new_content"):
        content = section(edit, "content", "m.new_content")
    found = content.get(KEYS)
    if not isinstance(found, list):
        return []
    return [key if isinstance(key, str) and _KEY.fullmatch(key) else "" for key in found[: len(KEYCAPS)]]


def membership(event: dict[str, Any]) -> tuple[str, str, str] | None:
    """(who, before, now) of a change of membership; None for a new name or picture and for other events."""
    who = event.get("state_key")
    if event.get("type") != "m.room.member" or not isinstance(who, str):
        return None
    before = word(event, "unsigned", "prev_content", "membership") or "leave"
    now = word(event, "content", "membership")
    return None if before == now else (who, before, now)


def since_we_came(events: list[dict[str, Any]], me: str, *, private: bool) -> list[dict[str, Any]]:
    """Of a room's events, oldest first, those that are meant for us: all, if we were there before them;
    else from our joining on.  In a private room from our invitation on: clients say the
    first words of a conversation before the invited side can possibly have come."""
    changes = [
        (number, change)
        for number, event in enumerate(events)
        if (change := membership(event)) and change[0] == me
    ]
    joined = [number for number, change in changes if change[2] == "join"]
    if not joined:
        return events
    invited = [number for number, change in changes if change[2] == "invite" and number < joined[-1]]
    return events[invited[-1] if private and invited else joined[-1] :]
