"""Addresses that are not listened to.

What comes from there is written down and nothing else: no answer, no letter to prove who it was. A seat of
theirs has the table's usual mercy. Anyone who looks after the installation can't be shut out.
"""

from __future__ import annotations

from referee.ids import GameId, PersonId
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Address, Blocked, Person

from ..core.unit_of_work import UnitOfWork
from ..people import web_sessions
from . import speaker
from .speaker import AdminRequest

#: stands for everybody at a mail domain
EVERYBODY = "*@"


def block(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin block telegram:123456 because …`, `admin block mail:*@example.org`."""
    channel, address = asked.args["channel"], asked.args["address"]
    _sound(channel, address)
    if (asked.speaker.address.channel, asked.speaker.address.address.casefold()) == (
        channel,
        address.casefold(),
    ):
        raise Refusal("block-self")
    if any(covers(channel, address, *one) for one in admins(uow)):
        raise Refusal("block-admin", address=f"{channel}:{address}")
    if _row(uow, channel, address) is not None:
        raise Refusal("blocked-already", address=f"{channel}:{address}")
    uow.tx.add(
        Blocked,
        channel=channel,
        address=address,
        reason=asked.args["because"],
        by=asked.name,
        at_ms=uow.now_ms,
    )
    uow.wakes.add("gate")
    for person in _people(uow, channel, address):
        web_sessions.end(uow.tx, person)  # nor by a browser in which they are signed in
        uow.wakes.add(f"{web_sessions.SIGNED_OUT}{person}")
    speaker.log_admin_act(uow, asked, "block", address=f"{channel}:{address}", because=asked.args["because"])
    speaker.answer_admin(
        uow, asked, "block-noted", address=f"{channel}:{address}", games=_games(uow, channel, address)
    )


def unblock(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin unblock telegram:123456`."""
    channel, address = asked.args["channel"], asked.args["address"]
    row = _row(uow, channel, address)
    if row is None:
        raise Refusal("not-blocked", address=f"{channel}:{address}")
    uow.tx.drop(Blocked, id=row.id)
    uow.wakes.add("gate")
    speaker.log_admin_act(uow, asked, "unblock", address=f"{channel}:{address}")
    speaker.answer_admin(uow, asked, "unblock-noted", address=f"{channel}:{address}")


def covers(channel: str, pattern: str, other: str, address: str) -> bool:
    """Whether blocking `pattern` on a channel shuts that address out."""
    if channel != other:
        return False
    if channel == "mail" and pattern.startswith(EVERYBODY):
        return address.casefold().rpartition("@")[2] == pattern.removeprefix(EVERYBODY).casefold()
    return pattern.casefold() == address.casefold()


def admins(uow: UnitOfWork) -> list[tuple[str, str]]:
    """Every address of those who look after the installation."""
    found = list(uow.settings.admins)
    people = {one.id for one in uow.tx.all(Person, admin=1)}
    people |= {
        known[0].id for known in (uow.tx.whose(*one) for one in uow.settings.admins) if known is not None
    }
    for person in sorted(people):
        found += [(one.channel, one.address) for one in uow.tx.all(Address, person_id=person)]
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


def _row(uow: UnitOfWork, channel: str, address: str) -> Blocked | None:
    return next(
        (row for row in uow.tx.all(Blocked, channel=channel) if row.address.casefold() == address.casefold()),
        None,
    )


def _games(uow: UnitOfWork, channel: str, address: str) -> list[GameId]:
    """The running tables at which those sit who are shut out, by this address."""
    return sorted(
        {
            game.id
            for person in _people(uow, channel, address)
            for _, game in uow.tx.seats_of(person, (GameStatus.RUNNING,))
        }
    )


def _people(uow: UnitOfWork, channel: str, address: str) -> list[PersonId]:
    """Whose addresses those are."""
    return sorted(
        {
            one.person_id
            for one in uow.tx.all(Address, channel=channel)
            if covers(channel, address, channel, one.address)
        }
    )
