"""Who is not answered any more: a program that writes back whatever it is written, with no header that says
so.

Answering it is a circle without an end. What it sends is told by what comes of it, not by its words: nothing
that can be read here, time and again, or the same time and again. After a few such messages running their
sender is told so, once, and the admin; then there is silence until something comes that is understood, and
new. Letters that games owe (questions, reminders, news) go on. A move, a plan, a pressed button begin anew.

What came is remembered with the address, in the row that every message reads in any case: anyone who plays
pays no statement for it.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import msgspec

from referee.ports import Inbound, What
from referee.states import GameStatus
from referee.store import Address

from ..core.alerts import alert_daily
from ..core.commands import Command
from ..core.outbox import UNCOUNTED
from ..core.unit_of_work import UnitOfWork, json_text
from .identity import Speaker
from .replies import answer

MAIL = "mail"
#: with this many points nobody is answered any more
FULL = 20
#: what a message counts that means nothing, or the same again: by mail, where it is said as a program does,
#: and where somebody may be trying things
_MUCH, _LITTLE = 5, 1
#: people who try things write short messages; a program, a text
_LONG = 100
#: for so long a message is followed by the next: of those that are understood by mail; elsewhere of what a
#: program says, and of what somebody tries
_HOUR_MS, _MINUTE_MS = 3_600_000, 60_000
#: this many such messages by mail are answered in an hour, however different they are
MOST_AN_HOUR = 30
#: this many messages are told apart, by this many of their first signs
_SEEN, _SIGNS = 8, 2000


class AutoreplyScore(NamedTuple):
    """How it stands with an address: points; when the last such message came; since when, and how many such
    messages were answered in the last hour; marks of the last.
    """

    points: int = 0
    at_ms: int = 0
    hour_ms: int = 0
    answered: int = 0
    seen: tuple[str, ...] = ()


def note_unreadable(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> bool:
    """Something came that means nothing here: whether it is to be left without an answer."""
    if not _counted(speaker.address, came):
        return False
    then, mark, now = _read(speaker.address), _mark(came.text), uow.now_ms
    by_mail = speaker.address.channel == MAIL
    as_programs_do = mark in then.seen or len(came.text) >= _LONG
    weight = _MUCH if by_mail or as_programs_do else _LITTLE
    follows = by_mail or now - then.at_ms <= (_HOUR_MS if as_programs_do else _MINUTE_MS)
    return _silent(uow, speaker, came, then, (then.points if follows else 0) + weight, mark)


def is_repeat(uow: UnitOfWork, speaker: Speaker, came: Inbound, said: Command | None = None) -> bool:
    """Something came that was understood, as a command (None: a plan, or what is refused): whether it is to
    be left alone, as the same again and again.
    """
    if not _counted(speaker.address, came):
        return False
    by_mail = speaker.address.channel == MAIL
    then, now = _read(speaker.address), uow.now_ms
    mark = _mark(came.text, numbers=not by_mail or not (said is None or said.numberless))
    weight = _MUCH if by_mail else _LITTLE
    if said is not None and not by_mail and then.points >= FULL - _LITTLE and _awaited(uow, speaker):
        return (
            False  # a question may have got lost on its way: anyone who holds up a table always learns of it
        )
    same = mark in (
        then.seen if said is None else then.seen[-1:]
    )  # anyone who asks now this and now that, and is understood, is somebody
    if not same or now - then.at_ms > (_HOUR_MS if by_mail else _MINUTE_MS):
        return _silent(uow, speaker, came, then, 0, mark)
    return _silent(uow, speaker, came, then, max(then.points, weight) + weight, mark)


def reset_score(uow: UnitOfWork, speaker: Speaker) -> None:
    """Something was done that only somebody does who knows what they do: what was counted is forgotten."""
    if speaker.address.channel not in UNCOUNTED:
        uow.tx.set(Address, speaker.address.id, dialogue="")


def _silent(
    uow: UnitOfWork, speaker: Speaker, came: Inbound, then: AutoreplyScore, points: int, mark: str
) -> bool:
    """Remember the message, and say whether nothing is answered; where that begins, its sender and the admin
    are told.
    """
    now, at = uow.now_ms, speaker.address
    within = 0 <= now - then.hour_ms < _HOUR_MS
    answered = (then.answered if within else 0) + (points <= FULL)
    full = at.channel == MAIL and answered > MOST_AN_HOUR
    seen = (*(one for one in then.seen if one != mark), mark)[-_SEEN:]
    fresh = AutoreplyScore(
        min(points, FULL + _MUCH), now, then.hour_ms if within else now, min(answered, MOST_AN_HOUR + 1), seen
    )
    uow.tx.set(Address, at.id, dialogue=json_text(fresh))
    begins = then.points < FULL <= points or (full and then.answered <= MOST_AN_HOUR)
    if begins:
        alert_daily(uow, "machine", channel=at.channel, address=at.address[:80])
        if not full:
            answer(uow, speaker, came, "going-quiet")
    return full or points >= FULL


def _awaited(uow: UnitOfWork, speaker: Speaker) -> bool:
    """Whether a table waits for them."""
    return any(
        str(seat.no) in game.asked.split(",")
        for seat, game in uow.tx.seats_of(speaker.person.id, (GameStatus.RUNNING,))
    )


def _counted(at: Address, came: Inbound) -> bool:
    """Whether a message is looked at: not what is typed on one's own machine or page, and no pressed
    button.
    """
    return at.channel not in UNCOUNTED and came.what is What.MESSAGE


def _read(at: Address) -> AutoreplyScore:
    try:
        return (
            AutoreplyScore(*msgspec.json.decode(at.dialogue, type=tuple[int, int, int, int, tuple[str, ...]]))
            if at.dialogue
            else AutoreplyScore()
        )
    except msgspec.DecodeError:  # of another version
        return AutoreplyScore()


def _mark(text: str, *, numbers: bool = False) -> str:
    """The same for messages that differ in dates, numbers and the like: words with a digit in them don't
    count (unless `numbers`), nor do capitals.
    """
    words = text[:_SIGNS].casefold().split()
    plain = [word for word in words if numbers or not any(sign.isdigit() for sign in word)] or words
    return hashlib.blake2s(" ".join(plain).encode("utf-8", "backslashreplace"), digest_size=4).hexdigest()
