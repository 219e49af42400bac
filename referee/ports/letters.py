"""What goes out: a letter with all that it carries, and the receipt for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Button:
    """An answer offered in one tap.

    `key` is opaque, at most 40 characters of ``[A-Za-z0-9_-]``; `order` is what a person would type instead;
    `link` is a web or deep link that replaces the callback, `{bot}` in it stands for the bot's own name.
    `number` is the option's number in the letter's text (0: it has none there): a channel that can only offer
    numbers (Matrix's keycap reactions) must offer the same ones. `app`: the channel opens the link inside
    itself and vouches there for the reader (`AppVerifier`); only such channels are given one.
    """

    label: str
    key: str
    order: str = ""
    link: str = ""
    number: int = 0
    app: bool = False


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a letter, for channels that can carry one (mail, Telegram).

    `media_type` as MIME has it: "text/calendar; method=PUBLISH".
    """

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """What a letter shows beside its words, for channels that can.

    An adapter is handed PNG (`data`, `width` and `height` in pixels); `alt` says it to the person who can't
    see it. `caption` is a shorter text for where only so much fits beside a picture, `caption_markup` the
    same in the channel's own markup; "" where there is none: the letter's own text is what is complete.
    """

    name: str
    media_type: str
    data: bytes
    alt: str = ""
    width: int = 0
    height: int = 0
    caption: str = ""
    caption_markup: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """One thing to send, frozen: the same `id` always carries the same words.

    It may be shown to anybody: no order can be read from it.

    `address` is a person's private address, or None with `place` set: a room's message. `text` is complete by
    itself; `markup` says the same in the channel's own markup (Telegram's HTML subset, Matrix's
    org.matrix.custom.html, a mail's HTML body), safe to send as it is; "" means text only. `edits` is the
    wire id of an earlier message that this one replaces (the living table message): an adapter that can't
    edit sends a new one. `token` goes where an answer will bring it back (mail: plus-address and Message-ID).
    `buttons` come in rows. `ref` is a short public name of the conversation ("g17"), for threading and
    headers.
    """

    id: str
    channel: str
    text: str
    address: str | None = None
    place: str | None = None
    markup: str = ""
    subject: str = ""
    buttons: tuple[tuple[Button, ...], ...] = ()
    edits: str = ""
    answers: str = ""  # wire id of the message this one answers
    thread: tuple[str, ...] = ()  # wire ids of earlier letters of this conversation, oldest first
    token: str = ""
    ref: str = ""
    # the living message: pinned when it is sent, and whenever a new one stands for one that can't be edited
    pin: bool = False
    quiet: bool = False  # deliver without ringing
    callback: str = ""  # wire id of a pressed button that must be answered (Telegram); text is its toast
    facts: dict[str, Any] = field(default_factory=dict)
    attachments: tuple[
        Attachment, ...
    ] = ()  # left out where the channel carries none: the text is complete without
    picture: Picture | None = None  # the same


class Fate(StrEnum):
    """What became of a letter."""

    SENT = "sent"  # the wire took it
    LATER = "later"  # not now: try again in `retry_ms` (rate limit, server away); certainly not delivered
    UNKNOWN = "unknown"  # it may have arrived: no answer after it was handed over
    FAILED = "failed"  # never: `reason` says why
    MOVED = "moved"  # the room has another id now: `moved_to`


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to a letter.

    `wire_id` names the message for later edits and threads; `reason` is a stable word for FAILED: blocked,
    cannot-initiate, no-such-address, not-a-member, topic-closed, no-files, too-long, rejected, gone,
    unauthorised (our own credentials: all letters of the channel wait); `detail` is for the log. `whole` says
    what LATER is about: True, the wire itself takes nothing now (server away, login refused), so that the
    whole channel rests; False, only this letter or its address; None, the adapter can't tell, and the outbox
    worker judges by how many addresses it hears it from. `again` says of UNKNOWN that the same words sent
    once more make no second message, as where one was to be rewritten.
    """

    fate: Fate
    wire_id: str = ""
    retry_ms: int = 0
    reason: str = ""
    detail: str = ""
    moved_to: str = ""
    whole: bool | None = None
    again: bool = False
