"""Joining two accounts: a code, a question to either side that names both, and a yes from both.

    link               a code: single-use, for a few minutes
    link CODE          from the other address: both addresses are asked
    link yes WORD      an answer from an address that was asked; by mail only in reply to that very letter

A code joins nothing, it only lets the referee ask. What is asked names addresses, not names: those can be
anything. Wrong codes are counted in the database, by address.
"""

from __future__ import annotations

import base64
import secrets
from typing import Any, NamedTuple

from referee.ids import AddressId, JoinId, PersonId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE, AddressState, ProposalState
from referee.store import (
    AccountJoin,
    Address,
    LinkCode,
    Outbox,
    Person,
    Seat,
    Tx,
    WrongCode,
)

from ..core import outbox, tokens
from ..core.letter_rows import read
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork
from ..people import recusal
from ..people.identity import Speaker, mailed
from ..people.letter_facts import notice
from ..people.replies import answer
from ..play import seat_offers
from . import hooks, merge

#: for how long a code is good
LINK_MINUTES = 10
#: how long the question waits
OPEN_MS = 30 * 60_000
#: this many wrong codes in so long a time, then no more are looked at
WRONG, WRONG_MS = 5, 3_600_000
#: states of an address that can be asked: somebody was heard from there


class JoinParty(NamedTuple):
    """One of the two: the address that is asked, what it is called in an answer, whether it said yes, and the
    other's address.
    """

    at: AddressId
    word: str
    yes: bool
    other: AddressId


def sides(join: AccountJoin) -> tuple[JoinParty, JoinParty]:
    """Who stays, and who is folded into them."""
    return (
        JoinParty(join.kept_at, join.kept_word, bool(join.kept_yes), join.folded_at),
        JoinParty(join.folded_at, join.folded_word, bool(join.folded_yes), join.kept_at),
    )


class LinkCodeFacts(Facts):
    """A code, and for how long it is good."""

    kind = "link_code"
    code: str
    minutes: int


class LinkAskFacts(Facts):
    """Which join is asked about, at which address (both by their row)."""

    kind = "link_ask"
    join: JoinId
    address: AddressId


def asked_at(uow: UnitOfWork, speaker: Speaker) -> Address | None:
    """The address by which the person who speaks can be asked: theirs, or for a browser the one that letters
    to them go to. None where there is none.
    """
    if speaker.address.channel != outbox.WEB:
        return speaker.address
    best = outbox.best(uow, speaker.person.id)
    return best if best is not None and best.state == AddressState.GREEN else None


def new_code(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> None:
    """`link`: a code, told where it was asked for; older ones are no good any more."""
    at = asked_at(uow, speaker)
    if at is None:
        raise Refusal("link-no-address")
    code, digest = tokens.link_code()
    uow.tx.drop(LinkCode, person_id=speaker.person.id, used_ms=0)
    uow.tx.add(
        LinkCode,
        code_hash=digest,
        person_id=speaker.person.id,
        address_id=at.id,
        expires_ms=uow.now_ms + LINK_MINUTES * 60_000,
    )
    outbox.to_person(
        uow,
        speaker.person.id,
        LinkCodeFacts(code=code, minutes=LINK_MINUTES),
        at=speaker.address,
    )


def claim(uow: UnitOfWork, speaker: Speaker, came: Inbound, code: str) -> None:
    """`link CODE`: nothing is joined, both sides are asked."""
    tx, at = uow.tx, asked_at(uow, speaker)
    if at is None:
        raise Refusal("link-no-address")
    minutes = shut_out(uow, speaker.person.id)
    if minutes:
        raise Refusal("link-too-many", minutes=minutes)
    row = tx.one(LinkCode, code_hash=tokens.code_hash(code))
    if row is not None and row.person_id == speaker.person.id and not row.used_ms:
        answer(uow, speaker, came, "link-own")
        return
    if (
        row is None
        or row.expires_ms < uow.now_ms
        or not tx.change(LinkCode, {"id": row.id, "used_ms": 0}, used_ms=uow.now_ms)
    ):
        wrong(uow, at)
        answer(uow, speaker, came, "link-bad" if row is None or row.used_ms else "link-expired")
        return
    asker = tx.get(Address, row.address_id)
    if asker is None or asker.person_id != row.person_id or asker.state != AddressState.GREEN:
        answer(uow, speaker, came, "link-bad")
        return
    no = hindrance(uow, row.person_id, speaker.person.id)
    if no:
        answer(uow, speaker, came, no)
        return
    number = tx.add(
        AccountJoin,
        kept_id=row.person_id,
        folded_id=speaker.person.id,
        kept_at=asker.id,
        folded_at=at.id,
        kept_word=_word(),
        folded_word=_word(),
        asked_ms=uow.now_ms,
        due_ms=uow.now_ms + OPEN_MS,
    )
    for one in (asker, at):
        outbox.to_person(uow, one.person_id, LinkAskFacts(join=number, address=one.id), at=one)
    if speaker.address.channel == outbox.WEB:
        answer(uow, speaker, came, "link-asked-there", channel=at.channel)


def hindrance(uow: UnitOfWork, kept: PersonId, folded: PersonId) -> str:
    """Why two persons can't be joined now, as a phrase; "" where nothing stands against it."""
    tx = uow.tx
    both = (kept, folded)
    if any(
        row.due_ms > uow.now_ms
        for row in tx.all(AccountJoin, state=ProposalState.OPEN, kept_id=both)
        + tx.all(AccountJoin, state=ProposalState.OPEN, folded_id=both)
    ):
        return "link-open"
    return barrier(uow, kept, folded)


def barrier(uow: UnitOfWork, kept: PersonId, folded: PersonId) -> str:
    """The same, of what the two are, no matter who else asks for what."""
    tx = uow.tx
    if {row.game_id for row in tx.all(Seat, person_id=kept)} & {
        row.game_id for row in tx.all(Seat, person_id=folded)
    }:
        return "link-same-table"
    if recusal.barred(tx, folded, kept):
        return "link-looked"
    return hooks.barred(tx, folded, kept)


def reply(uow: UnitOfWork, speaker: Speaker, came: Inbound, yes: bool, word: str) -> None:
    """`link yes WORD`, `link no`: what an address that was asked says."""
    found = find_join(uow, speaker, word)
    if found is None:
        answer(uow, speaker, came, "link-no-question")
        return
    join, side = found
    if mailed(came) and not answers(speaker.letter, join, speaker.address):
        answer(uow, speaker, came, "link-answer-there")
        return
    tx = uow.tx
    if join.due_ms < uow.now_ms:
        tx.set(AccountJoin, join.id, state=ProposalState.LAPSED)
        answer(uow, speaker, came, "link-lapsed")
        return
    other = tx.get(Address, side.other)
    if not yes or other is None:
        tx.set(AccountJoin, join.id, state=ProposalState.REFUSED)
        answer(uow, speaker, came, "link-refused")
        if other is not None:
            outbox.to_person(uow, other.person_id, notice("link-came-to-nothing"), at=other)
        return
    tx.set(AccountJoin, join.id, **{"kept_yes" if side.at == join.kept_at else "folded_yes": 1})
    join = tx.get(AccountJoin, join.id) or join
    if join.kept_yes and join.folded_yes:
        done(uow, speaker, came, join)
    else:
        answer(
            uow,
            speaker,
            came,
            "link-yes-noted",
            partner=address_facts(other, theirs=True),
            until=join.due_ms,
            zone=speaker.person.zone,
        )


def done(uow: UnitOfWork, speaker: Speaker, came: Inbound, join: AccountJoin) -> None:
    """Both said yes: they are one from now on, unless something has come between."""
    tx = uow.tx
    asked = [
        one for one in (tx.get(Address, join.kept_at), tx.get(Address, join.folded_at)) if one is not None
    ]
    for person_id in (join.kept_id, join.folded_id):
        # who sits down at such a table in another process is seen here, or sees that the two are one
        for _, game in tx.seats_of(person_id, ALIVE):
            tx.hold(game)
    no = barrier(uow, join.kept_id, join.folded_id)
    if no or [one.person_id for one in asked] != [join.kept_id, join.folded_id]:
        tx.set(AccountJoin, join.id, state=ProposalState.REFUSED)
        for one in asked:
            outbox.to_person(uow, one.person_id, notice(no or "link-came-to-nothing"), at=one)
        return
    merge.fold_person(uow, join)
    seat_offers.joined(uow, join.kept_id, join.folded_id)
    rest = [
        one for one in tx.all(Address, person_id=join.kept_id, order="id") if one.state == AddressState.GREEN
    ]
    for one in rest:
        others = [address_facts(each) for each in rest if each.id != one.id]
        outbox.to_person(
            uow,
            join.kept_id,
            notice("link-done", others=others, days=merge.UNDO_MS // 86_400_000),
            at=one,
        )


def find_join(uow: UnitOfWork, speaker: Speaker, word: str) -> tuple[AccountJoin, JoinParty] | None:
    """The open question that an answer from this address is for: by its word, or of the letter that it
    answers.
    """
    tx, at = uow.tx, speaker.address.id
    if not at:
        return None
    number = 0 if word else question_of(speaker.letter)
    rows = tx.all(AccountJoin, state=ProposalState.OPEN, kept_id=speaker.person.id) + tx.all(
        AccountJoin, state=ProposalState.OPEN, folded_id=speaker.person.id
    )
    for row in rows:
        for side in sides(row):
            if side.at == at and (
                row.id == number
                if not word
                else secrets.compare_digest(side.word.encode(), word.upper().encode())
            ):
                return row, side
    return None


def question_of(letter: Outbox | None) -> JoinId:
    """The number of the join that a letter asks about, 0 for none."""
    if letter is None or letter.kind != LinkAskFacts.kind:
        return JoinId(0)
    return read(letter, LinkAskFacts).join


def answers(letter: Outbox | None, join: AccountJoin, at: Address) -> bool:
    """Whether a letter is the one that asks this address about this join."""
    return (
        question_of(letter) == join.id
        and letter is not None
        and (letter.channel, letter.address) == (at.channel, at.address)
    )


def question_facts(tx: Tx, row: Outbox, number: JoinId, at: AddressId) -> dict[str, Any] | None:
    """What the question says to one side; None where nothing is asked any more."""
    join = tx.get(AccountJoin, number)
    side = (
        None
        if join is None or join.state != ProposalState.OPEN
        else next((one for one in sides(join) if one.at == at), None)
    )
    mine, other = tx.get(Address, at), None if side is None else tx.get(Address, side.other)
    if join is None or side is None or mine is None or other is None:
        return None
    person = tx.get(Person, other.person_id)
    seats = sum(len(tx.seats_of(one, ALIVE)) for one in (join.kept_id, join.folded_id))
    return {
        "mine": address_facts(mine),
        "other": address_facts(other, theirs=True),
        "called": "" if person is None else person.name,
        "seats": seats,
        # of the other side only that there are more: nobody has said yes yet
        "more": [
            address_facts(one) if one.person_id == mine.person_id else {"channel": one.channel, "address": ""}
            for each in (join.kept_id, join.folded_id)
            for one in tx.all(Address, person_id=each, order="id")
            if one.id not in (mine.id, other.id)
        ],
        "word": side.word,
        "due_ms": join.due_ms,
        "answered": side.yes,
    }


def address_facts(at: Address, *, theirs: bool = False) -> dict[str, str]:
    """An address as letters name it: {channel, address}, as people know it; somebody else's mail address not
    in full.
    """
    address = at.handle or at.address
    if theirs and at.channel == "mail":
        local, _, domain = address.rpartition("@")
        address = f"{local[:1]}…@{domain}"
    return {"channel": at.channel, "address": address}


def shut_out(uow: UnitOfWork, person_id: PersonId) -> int:
    """For how many minutes no code of somebody's is looked at; 0: they may try."""
    rows = [
        row
        for at in uow.tx.all(Address, person_id=person_id)
        for row in uow.tx.all(WrongCode, channel=at.channel, address=at.address)
    ]
    rows = [row for row in rows if uow.now_ms - row.since_ms < WRONG_MS]
    if sum(row.count for row in rows) < WRONG:
        return 0
    return max(1, -(-max(row.since_ms + WRONG_MS - uow.now_ms for row in rows) // 60_000))


def wrong(uow: UnitOfWork, at: Address) -> None:
    """A code that is none."""
    tx = uow.tx
    row = tx.one(WrongCode, channel=at.channel, address=at.address)
    if row is None:
        tx.add(WrongCode, channel=at.channel, address=at.address, since_ms=uow.now_ms, count=1)
    elif uow.now_ms - row.since_ms >= WRONG_MS:
        tx.set(WrongCode, row.id, since_ms=uow.now_ms, count=1)
    else:
        tx.set(WrongCode, row.id, count=row.count + 1)


def _word() -> str:
    return base64.b32encode(secrets.token_bytes(5)).decode()[:6]
