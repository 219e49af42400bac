"""What comes in: one thing that arrived on a channel, read or unread."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class What(StrEnum):
    """What an `Inbound` reports."""

    MESSAGE = "message"  # words from a person
    BUTTON = "button"  # an offered answer was chosen: `payload` holds its key
    INVITED = "invited"  # the referee was brought into a room
    EXPELLED = "expelled"  # the referee can no longer write in that room
    MOVED = "moved"  # a room changed its id: facts["to"]
    REACHABLE = (
        # a person opened the private channel (pressed start, unblocked, opened a direct room);
        # facts["conversation"] where rooms come and go: "opened", a new one of theirs in which nothing stands
        # yet, or "accepted", ours, in which stands what was written to them
        "reachable"
    )
    BLOCKED = "blocked"  # a person closed it (blocked the bot, left the direct room)
    # a letter came back: facts["letter"] if known, facts["permanent"], facts["failed"], facts["unwanted"],
    # facts["reason"]
    BOUNCED = "bounced"
    AUTO_REPLY = "auto-reply"  # a machine answered (vacation …): recorded, never acted upon
    UNREAD = (
        "unread"  # something came that could not be read: it is parked, never acted upon; made by `unread`
    )


@dataclass(frozen=True, slots=True)
class Inbound:
    """One thing that arrived.

    `channel` is the adapter's name, `key` is unique in that channel for ever (update id,
    event id, Message-ID and body hash): the same key twice acts once.  `address` is the sender
    as that channel knows them.  `place` is the room or group it was said in, or None for a private
    conversation; a part of one (a topic) is called by its name, a slash and its own.  `thread` is the wire
    id of the message it answers; facts["anonymous"]: it was said in the room's own name.  `token` is the
    secret that came back with an answer (mail), unverified.  `vouched` says whether
    the transport vouches for `address` (chat servers do; mail only behind a trusted gateway).
    `at_ms` is UTC milliseconds as the wire tells them, else of arrival.
    """

    channel: str
    key: str
    address: str
    what: What = What.MESSAGE
    text: str = ""
    payload: str = ""
    place: str | None = None
    place_name: str = ""
    thread: str = ""
    message_id: str = ""  # wire id of this message itself, to answer in its thread or react to it
    token: str = ""
    name: str = ""
    language: str = ""
    vouched: bool = True
    at_ms: int = 0
    facts: dict[str, Any] = field(default_factory=dict)


#: so much of what could not be read is kept, bytes
HEAD_BYTES = 16_384


def unread(channel: str, raw: bytes, *, ref: str, reason: str, at_ms: int = 0, size: int = 0) -> Inbound:
    """What an adapter brings (see `bring`) instead of something that it can't read: it is parked, and the
    bookmark moves on.

    `raw`: its bytes, as many as there are at hand; `size`: how many it has (0: these). `ref`: where the wire
    may have it again ("uid 7:12", an update's id). `reason`: a stable word or two for the admin.
    """
    digest = hashlib.sha256(raw).hexdigest()
    size = size or len(raw)
    return Inbound(
        channel,
        f"unread:{hashlib.sha256(f'{ref} {digest}'.encode(errors='replace')).hexdigest()}",
        "",
        What.UNREAD,
        vouched=False,
        at_ms=at_ms,
        facts={
            "ref": ref,
            "reason": reason,
            "size": size,
            "sha256": digest,
            "whole": size == len(raw) <= HEAD_BYTES,
            "head": base64.b64encode(raw[:HEAD_BYTES]).decode(),
        },
    )
