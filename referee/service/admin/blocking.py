"""Addresses that are not listened to.

What comes from there is written down and nothing else: no answer, no letter to prove who it was. A seat of
theirs has the table's usual mercy. Whoever looks after the house can't be shut out.
"""

from __future__ import annotations

from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Address, Blocked, Person

from ..core.unit_of_work import Sitting
from ..people import web_sessions
from . import speaker
from .speaker import Asked

#: stands for everybody at a mail domain
EVERYBODY = "*@"


def block(sitting: Sitting, asked: Asked) -> None:
    """`admin block telegram:123456 because …`, `admin block mail:*@example.org`."""
    channel, address = asked.args["channel"], asked.args["address"]
    _sound(channel, address)
    if (asked.speaker.address.channel, asked.speaker.address.address.casefold()) == (
        channel,
        address.casefold(),
    ):
        raise Refusal("block-self")
    if any(covers(channel, address, *one) for one in admins(sitting)):
        raise Refusal("block-admin", address=f"{channel}:{address}")
    if _row(sitting, channel, address) is not None:
        raise Refusal("blocked-already", address=f"{channel}:{address}")
    sitting.tx.add(
        Blocked,
        channel=channel,
        address=address,
        reason=asked.args["because"],
        by=asked.name,
        at_ms=sitting.now_ms,
    )
    sitting.wakes.add("gate")
    for person in _people(sitting, channel, address):
        web_sessions.end(sitting.tx, person)  # nor by a browser in which they are signed in
        sitting.wakes.add(f"{web_sessions.SIGNED_OUT}{person}")
    speaker.note(sitting, asked, "block", address=f"{channel}:{address}", because=asked.args["because"])
    speaker.answer(
        sitting, asked, "block-noted", address=f"{channel}:{address}", games=_games(sitting, channel, address)
    )


def unblock(sitting: Sitting, asked: Asked) -> None:
    """`admin unblock telegram:123456`."""
    channel, address = asked.args["channel"], asked.args["address"]
    row = _row(sitting, channel, address)
    if row is None:
        raise Refusal("not-blocked", address=f"{channel}:{address}")
    sitting.tx.drop(Blocked, id=row.id)
    sitting.wakes.add("gate")
    speaker.note(sitting, asked, "unblock", address=f"{channel}:{address}")
    speaker.answer(sitting, asked, "unblock-noted", address=f"{channel}:{address}")


def covers(channel: str, pattern: str, other: str, address: str) -> bool:
    """Whether blocking `pattern` on a channel shuts that address out."""
    if channel != other:
        return False
    if channel == "mail" and pattern.startswith(EVERYBODY):
        return address.casefold().rpartition("@")[2] == pattern.removeprefix(EVERYBODY).casefold()
    return pattern.casefold() == address.casefold()


def admins(sitting: Sitting) -> list[tuple[str, str]]:
    """Every address of those who look after the house."""
    found = list(sitting.settings.admins)
    people = {int(one.id or 0) for one in sitting.tx.all(Person, admin=1)}
    people |= {
        int(known[0].id or 0)
        for known in (sitting.tx.whose(*one) for one in sitting.settings.admins)
        if known is not None
    }
    for person in sorted(people):
        found += [(one.channel, one.address) for one in sitting.tx.all(Address, person_id=person)]
    return found


def _sound(channel: str, address: str) -> None:
    """Raises Refusal for what can be nobody's address."""
    domain = address.rpartition("@")[2]
    if channel == "mail" and (
        address.count("@") != 1
        or not domain
        or "*" in address.removeprefix(EVERYBODY)
        or address.startswith("@")
    ):
        raise Refusal("block-what", address=f"{channel}:{address}")
    if channel != "mail" and "*" in address:
        raise Refusal("block-what", address=f"{channel}:{address}")


def _row(sitting: Sitting, channel: str, address: str) -> Blocked | None:
    return next(
        (
            row
            for row in sitting.tx.all(Blocked, channel=channel)
            if row.address.casefold() == address.casefold()
        ),
        None,
    )


def _games(sitting: Sitting, channel: str, address: str) -> list[int]:
    """The running tables at which those sit who are shut out, by this address."""
    return sorted(
        {
            int(game.id or 0)
            for person in _people(sitting, channel, address)
            for _, game in sitting.tx.seats_of(person, (GameStatus.RUNNING,))
        }
    )


def _people(sitting: Sitting, channel: str, address: str) -> list[int]:
    """Whose addresses those are."""
    return sorted(
        {
            one.person_id
            for one in sitting.tx.all(Address, channel=channel)
            if covers(channel, address, channel, one.address)
        }
    )
