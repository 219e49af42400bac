"""The contract between the referee and its adapters: what comes in, what goes out.

An adapter is a thin pipe.  It knows a wire protocol and no game.  Whatever arrives it
hands over as `Inbound`, and acknowledges to the wire only after `Reception.receive`
has returned, because then it is on disk.  Whatever must go out reaches it as a
`Letter`, already worded and escaped for this channel, and is answered by a
`Receipt`.  Adapters import this module and nothing else of the referee.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable


class What(StrEnum):
    """What an `Inbound` reports."""

    MESSAGE = "message"  # words from a person
    BUTTON = "button"  # an offered answer was chosen: `payload` holds its key
    INVITED = "invited"  # the referee was brought into a room
    EXPELLED = "expelled"  # the referee can no longer write in that room
    MOVED = "moved"  # a room changed its id: facts["to"]
    REACHABLE = (
        "reachable"  # a person opened the private channel (pressed start, unblocked, opened a direct room)
    )
    BLOCKED = "blocked"  # a person closed it (blocked the bot, left the direct room)
    # a letter came back: facts["letter"] if known, facts["permanent"], facts["failed"], facts["reason"]
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
    conversation.  `thread` is the wire id of the message it answers.  `token` is
    the secret that came back with an answer (mail), unverified.  `vouched` says whether
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


@dataclass(frozen=True, slots=True)
class Button:
    """An answer offered in one tap.

    `key` is opaque, at most 40 characters of ``[A-Za-z0-9_-]``; `order` is what a person would type instead;
    `link` is a web or deep link that replaces the callback, `{bot}` in it stands for the bot's own name.
    `number` is the option's number in the letter's text (0: it has none there): a channel that can only offer
    numbers (Matrix's keycap reactions) must offer the same ones.
    """

    label: str
    key: str
    order: str = ""
    link: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that goes with a letter, for channels that can carry one (mail).

    `media_type` as MIME has it: "text/calendar; method=PUBLISH".
    """

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Picture:
    """What a letter shows beside its words, for channels that can.

    An adapter is handed PNG (`data`, `width` and `height` in pixels); `alt` says it to whoever can't see it.
    `caption` is a shorter text for where only so much fits beside a picture, `caption_markup` the same in the
    channel's own markup; "" where there is none: the letter's own text is what is complete.
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
    cannot-initiate, no-such-address, not-a-member, too-long, rejected, gone, unauthorised; `detail` is for
    the log. `whole` says what LATER is about: True, the wire itself takes nothing now (server away, login
    refused), so that the whole channel rests; False, only this letter or its address; None, the adapter can't
    tell, and the post judges by how many addresses it hears it from.
    """

    fate: Fate
    wire_id: str = ""
    retry_ms: int = 0
    reason: str = ""
    detail: str = ""
    moved_to: str = ""
    whole: bool | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found (`referee doctor`): `level` is ok, warn or bad; `code` names the
    finding for the sentence in templates/, `facts` are what that sentence needs."""

    level: str
    code: str
    facts: dict[str, Any] = field(default_factory=dict)


class Reception(Protocol):
    """Where adapters bring what arrived."""

    async def receive(
        self, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
    ) -> None:
        """Write the batch and the adapter's own bookmarks (offset, sync token, UID …) in one transaction.

        Returning means: on disk. A key seen before is dropped silently; what can't be written down is parked.
        Raises OSError when nothing could be written (full disk): don't acknowledge, try again later.
        """

    async def park(self, one: Inbound) -> None:
        """Put aside what could not be read (see `unread`), for an admin to look at; what was put aside before
        is known again. Never fails for what it holds.
        """

    def reading(self, channel: str, ref: str) -> AbstractContextManager[bool]:
        """Around the reading of one thing (`ref`: as in its key) by code that a stranger's bytes could kill:
        False where processes died over it again and again. Then bring it as `unread`.
        """

    async def bookmark(self, channel: str, name: str) -> str | None:
        """A bookmark stored by an earlier `receive`, or None."""

    async def contested(self, channel: str, *, rivalled: bool) -> None:
        """Somebody else receives with the channel's account, and the adapter has stood down; or (not
        `rivalled`) it is alone with it again. Raises OSError when nothing could be written.
        """


def reading(reception: Reception, channel: str, ref: str) -> AbstractContextManager[bool]:
    """`Reception.reading`, or nothing around it where a reception keeps no account of it (tests of one
    adapter alone).
    """
    noted = getattr(reception, "reading", None)
    return nullcontext(True) if noted is None else noted(channel, ref)


async def bring(
    reception: Reception, batch: Sequence[Inbound], *, channel: str, cursor: dict[str, str] | None = None
) -> None:
    """Park what is UNREAD, and hand over the rest with the bookmarks, which move on either way.

    Raises OSError as `Reception.receive` does.
    """
    park = getattr(reception, "park", None)  # as above
    for one in batch:
        if one.what is What.UNREAD and park is not None:
            await park(one)
    rest = [one for one in batch if one.what is not What.UNREAD]
    if rest or cursor:
        await reception.receive(rest, channel=channel, cursor=cursor)


class Limits(Protocol):
    """How fast a channel may be written to; asked by the post before each letter."""

    def delay_ms(self, letter: Letter, now_ms: int) -> int:
        """0 if it may go now (and is counted), else how long to wait."""


@runtime_checkable
class Paced(Limits, Protocol):
    """Limits that know for how long the channel takes nothing at all, so that the post need not ask letter by
    letter.
    """

    def rest_ms(self, now_ms: int) -> int:
        """How long every letter would have to wait, whoever it is for; 0 where some may go.

        Counts nothing.
        """


class Adapter(Protocol):
    """One channel.  Made by `adapters.<name>.build(settings, clock_ms)`; each has its own settings class."""

    name: str
    #: the kind of markup this channel wants: "telegram", "matrix", "mail" or "text"
    markup: str
    #: whether a sent message can be edited
    can_edit: bool
    #: whether the same letter sent twice shows once on this wire
    idempotent: bool
    #: whether the answer to a pressed button is best shown in the message that bore it
    rewrites: bool
    limits: Limits

    async def start(self, reception: Reception) -> None:
        """Connect and begin to receive in the background.  A server that is away is no
        error here: keep trying with back-off."""

    async def send(self, letter: Letter) -> Receipt:
        """Hand one letter to the wire.  Never raises for what the wire may do; the same letter
        twice must not appear twice where the wire has an idempotency key (Matrix txn id, mail Message-ID)."""

    async def stop(self) -> None:
        """Stop receiving, close what is open, within two seconds."""

    async def check(self) -> list[Finding]:
        """For `referee doctor`: a real call to the wire, nothing written to any person."""

    def healthy(self) -> bool:
        """Whether the wire answered lately."""


@dataclass(frozen=True, slots=True)
class Served:
    """What a browser gets.

    `tag` changes whenever `body` does, "" where nobody may keep it; `name`: a file to be saved under it;
    `moved`: there is nothing here, but at that address.
    """

    body: bytes
    media_type: str = "text/html"
    tag: str = ""
    name: str = ""
    moved: str = ""


class Pages(Protocol):
    """What the web's pages are made of; given to `adapters.web` by whoever puts the house together.

    Tokens are secrets out of an address.
    """

    async def sound(self) -> bool:
        """Whether the referee runs and its store answers."""

    async def calendar(self, token: str) -> bytes | None:
        """The calendar (RFC 5545, UTF-8) that this token opens; None for a token that opens none."""

    async def subscription(self, token: str) -> dict[str, Any] | None:
        """What this link of a letter would end: {what: game, digest or all; game: its number or None;
        language: the person's}. None for a link that is none of ours.
        """

    async def unsubscribe(self, token: str) -> dict[str, Any] | None:
        """End it, and say what that was; the second time changes nothing."""

    def page(self, name: str, language: str = "en", **facts: Any) -> str:
        """The whole HTML of a page of templates/<language>/pages; raises LookupError for one that is not
        there.
        """

    async def shown(self, name: str, language: str, wanted: Mapping[str, str]) -> Served | None:
        """A page that anybody may see, as it is now; `wanted` is what its address and its query say.

        None where there is none.
        """

    def asset(self, kept: str) -> Served | None:
        """A file that pages are dressed with, by the last part of its address."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who is signed in in a browser: the person, the browser's session, what its forms are signed
    with, their name and language.
    """

    person: int
    session: int
    key: str
    name: str
    language: str


class OwnPages(Protocol):
    """Somebody's own pages.

    `cookie` is the secret that a browser keeps; a `Visitor` stands for one that was looked at in this
    request. `root` is what our addresses begin with ("" or a path), `origin` the origin of our own pages as a
    browser names it, "" where they have none.
    """

    root: str
    origin: str

    async def link(self, token: str) -> dict[str, Any] | None:
        """Whom this link of a letter would sign in: {person, language}.

        None for one that is used up, or none of ours.
        """

    async def sign_in(self, token: str, cookie: str) -> tuple[str, int] | None:
        """Use it: the browser's new secret, and the number of the table that it leads to (0: all of them).

        `cookie` ends.
        """

    async def visitor(self, cookie: str) -> Visitor | None:
        """Whose browser that is; None where nobody is signed in."""

    async def tables(self, visitor: Visitor, since: str) -> dict[str, Any]:
        """What the page of all their tables is filled with, and what was answered to what they sent (`since`:
        its name, as `say` gave it).
        """

    async def seat(
        self, visitor: Visitor, game_id: int, since: str, question: int, way: Sequence[int]
    ) -> dict[str, Any] | None:
        """The same of one table where they sit; None where they don't.

        `way`: the entries of this question that were followed.
        """

    async def picture(
        self, visitor: Visitor, game_id: int, since: str, question: int, way: Sequence[int], theme: str
    ) -> str | None:
        """The same as a picture, SVG, for a "light" or a "dark" ground; None where there is none, or they
        want none.
        """

    async def say(
        self, visitor: Visitor, form: str, text: str, *, button: str = "", game_id: int = 0, question: int = 0
    ) -> str | None:
        """What they wrote, or the key of a button, into the inbox; the same form with the same words acts
        once. Its name; None, and nothing is done, for a form that was not made for this browser. Raises
        OSError when nothing can be written.
        """

    async def sign_out(self, visitor: Visitor, form: str) -> bool:
        """End all of this person's browsers; False, and nothing is done, for a form that was not made for
        this one.
        """


class Watch(Protocol):
    """For whoever watches the machine."""

    async def wrong(self) -> list[str]:
        """What is not as it should be, in stable words; [] when all is well."""

    def open(self) -> list[str]:
        """The channels that this process has open, where it shares them with others."""

    async def figures(self) -> str:
        """All figures in Prometheus' text format.  Raises TimeoutError when the store does not answer."""

    def took(self, address: str, seconds: float) -> None:
        """A page of that address (its pattern) took so long."""


class Stream(Protocol):
    """One page that is open.  `mark` stands for what it shows: another one whenever that is another."""

    mark: str

    async def changed(self) -> str | None:
        """Wait until its table has changed: the new mark; None when there is nothing more to be told."""

    def close(self) -> None:
        """The page was closed."""


class Live(Protocol):
    """Telling open pages that what they show has changed."""

    async def table(self, wanted: Mapping[str, str]) -> Stream | None:
        """Watch a table as everybody sees it (`wanted` as for `Pages.shown`); None where there is none."""

    async def seat(self, visitor: Visitor, game_id: int) -> Stream | None:
        """Watch it as somebody's seat sees it; None where they have none there."""
