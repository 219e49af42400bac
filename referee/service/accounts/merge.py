"""What becomes of two persons' rows when their accounts are joined, and how it is given back.

Seats, sign-ups, results and the like go over to the person who stays; each row that did is written down, so
that all of it can be given back for a while. What there can be only one of, and both had, sleeps where it is.
Roles, tables that somebody opened and keys don't move at all (see `standing`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from referee.ids import PersonId, SeasonId, SeatId
from referee.states import GameStatus, OutboxState, ProposalState
from referee.store import (
    AccountJoin,
    Address,
    Alternate,
    CalendarEntry,
    CalendarLink,
    DailyLetter,
    Entry,
    Game,
    GameReview,
    LeagueReport,
    LeagueRole,
    LinkCode,
    Mute,
    Outbox,
    Person,
    SeasonTable,
    SeasonTime,
    Seat,
    SeatOffer,
    StepComment,
    TableResult,
    Tx,
    WebLink,
    WebSession,
)

from ..core.letters import traits
from ..core.unit_of_work import UnitOfWork, json_text
from ..notices import reachability
from ..people import officials, web_sessions
from ..play.hooks import seat_returned
from . import hooks

#: how long what came with a join can be given back
UNDO_MS = 14 * 86_400_000
#: rows that go over: name in the record -> (table, whose it is, what there can be only one of to a person;
#: None: any number)
_OVER: dict[str, tuple[type[Any], str, str | None]] = {
    "seat": (Seat, "person_id", None),
    "entry": (Entry, "person_id", None),
    "result": (TableResult, "person_id", None),
    "mute": (Mute, "person_id", None),
    "muted": (Mute, "other_id", None),
    "comment": (StepComment, "person_id", None),
    "review": (GameReview, "person_id", None),
    "report": (LeagueReport, "person_id", None),
    "session": (WebSession, "person_id", None),
    "alternate": (Alternate, "person_id", "game_id"),
    "offer": (SeatOffer, "person_id", "game_id"),
    "season": (SeasonTime, "person_id", "season"),
    "daily": (DailyLetter, "person_id", ""),
}
#: rows of which the joined person has none: name in the record -> table
_ASIDE: dict[str, type[Any]] = {"daily_aside": DailyLetter, "calendar_aside": CalendarLink}


def fold_person(uow: UnitOfWork, join: AccountJoin) -> None:
    """The person who is folded is the one who stays from now on."""
    tx, old, new = uow.tx, join.folded_id, join.kept_id
    moved: dict[str, Any] = {name: _moved(tx, name, old, new) for name in _OVER}
    hooks.renumbered(tx, _seasons(tx, moved["entry"], new), old, new)
    moved |= {name: _aside(tx, table, old) for name, table in _ASIDE.items()}
    tx.drop(CalendarEntry, person_id=old)
    tx.drop(WebLink, person_id=old)
    tx.drop(LinkCode, person_id=old)
    joined_ms = _later_than_all(tx, new, uow.now_ms)
    mine = tx.all(Address, person_id=old)
    moved["address"] = [[row.id, row.home_id, row.joined_ms] for row in mine]
    for row in mine:
        tx.set(Address, row.id, person_id=new, home_id=row.home_id or old, joined_ms=joined_ms)
    tx.change(Outbox, {"person_id": old}, person_id=new)
    moved["now"] = [row.id for row in tx.all(Person, now_id=old)]
    _change(tx, Person, [old, *moved["now"]], {}, {"now_id": new})
    moved["role"] = [[row.league_id, row.role, row.given_ms] for row in tx.all(LeagueRole, person_id=new)]
    tx.set(AccountJoin, join.id, state=ProposalState.DONE, done_ms=uow.now_ms, moved=json_text(moved))


def give_back(uow: UnitOfWork, join: AccountJoin) -> None:
    """Two persons again.

    What came since then stays where it is, but for a seat that is played by a channel of the other's alone.
    """
    tx, old, now = uow.tx, join.folded_id, officials.now(uow.tx, join.kept_id)
    moved, seats = json.loads(join.moved), {row.id for row in tx.all(Seat, person_id=now)}
    addresses = [tx.get(Address, number) for number, _, _ in moved["address"]]
    gone = [row for row in addresses if row is not None and row.person_id == now]
    ours = {row.channel for row in tx.all(Address, person_id=now) if row.id not in {one.id for one in gone}}
    for name, (table, column, _) in _OVER.items():
        _change(
            tx, table, moved.get(name, ()), {column: now}, {column: old}
        )  # of an older join: not all names
    seasons = _seasons(tx, moved["entry"], old)
    hooks.renumbered(tx, seasons, now, old)
    for season in seasons:
        for number in tx.column(SeasonTable, "id", season_id=season):
            tx.change(TableResult, {"table_id": number, "person_id": now}, person_id=old)
    theirs = {row.channel for row in gone} - ours
    for seat in tx.all(Seat, person_id=now):
        if seat.channel in theirs and tx.column(Game, "created_ms", id=seat.game_id)[0] >= join.done_ms:
            tx.set(Seat, seat.id, person_id=old)
    was = {number: (home, joined) for number, home, joined in moved["address"]}
    for row in gone:
        home, joined = was[row.id]
        tx.set(Address, row.id, person_id=old, home_id=home, joined_ms=joined)
    _change(tx, Person, [old], {"now_id": now}, {"now_id": 0})
    _change(tx, Person, moved["now"], {"now_id": now}, {"now_id": old})
    _roles_back(tx, now, join.done_ms, moved["role"])
    web_sessions.parted(tx, now, join.done_ms)
    tx.drop(LinkCode, person_id=now)
    for link in tx.all(CalendarLink, person_id=now):
        if link.made_ms >= join.done_ms:
            tx.drop(CalendarLink, id=link.id)
    for name, table in _ASIDE.items():
        for values in moved[name]:
            if tx.one(table, person_id=old) is None:
                tx.add(table, **values)
    tx.set(AccountJoin, join.id, state=ProposalState.UNDONE, undone_ms=uow.now_ms)
    uow.wakes |= {f"{web_sessions.SIGNED_OUT}{now}", f"{web_sessions.SIGNED_OUT}{old}"}
    told_anew(uow, now, old, gone)
    _sits_again(uow, old, seats)


def _sits_again(uow: UnitOfWork, person_id: PersonId, seats: set[SeatId]) -> None:
    """Which of these seats are that person's again is told to those who look after open votes."""
    for seat in uow.tx.all(Seat, person_id=person_id):
        game = uow.tx.get(Game, seat.game_id) if seat.id in seats else None
        if game is not None and game.status == GameStatus.RUNNING:
            seat_returned(uow, game, person_id)


def told_anew(uow: UnitOfWork, now: PersonId, old: PersonId, gone: Iterable[Address]) -> None:
    """Letters that wait go to the person whom they are for now, and nobody else; and both get what they
    should have.
    """
    tx = uow.tx
    waiting = tx.all(Outbox, person_id=now, state=OutboxState.QUEUED, order="id")
    for at in gone:
        tx.change(Outbox, {"person_id": now, "channel": at.channel, "address": at.address}, person_id=old)
    for row in waiting:
        seat = (
            None
            if row.game_id is None or row.seat is None
            else tx.one(Seat, game_id=row.game_id, no=row.seat)
        )
        mine = tx.get(Outbox, row.id)
        if mine is None or seat is None:
            if traits(row.kind).spans:
                tx.set(Outbox, row.id, state=OutboxState.DROPPED, error="the accounts are two again")
        elif mine.person_id != seat.person_id:
            if seat.person_id in (now, old):
                reachability.requeue_letter(uow, row, seat.person_id)
            tx.set(Outbox, row.id, state=OutboxState.DROPPED, error="the accounts are two again")
    for person_id in (now, old):
        reachability.asked_again(uow, person_id)


def parted(uow: UnitOfWork, person_id: PersonId, at: Address) -> PersonId:
    """An address becomes somebody of their own, without seats.

    Returns who that is: whose it was before it was joined, where none of theirs stays; what the address alone
    could do goes with it.
    """
    tx = uow.tx
    rest = [row for row in tx.all(Address, person_id=person_id) if row.id != at.id]
    if at.home_id and all(row.home_id != at.home_id for row in rest):
        alone = at.home_id
        tx.set(Person, alone, now_id=0)
    else:
        me = tx.get(Person, person_id)
        assert me is not None
        alone = tx.add(Person, name=me.name, language=me.language, zone=me.zone, created_ms=uow.now_ms)
    tx.set(Address, at.id, person_id=alone, home_id=0, joined_ms=0)
    if not at.home_id and rest and all(row.home_id for row in rest):
        since_ms = min(row.joined_ms for row in rest)
        for role in tx.all(LeagueRole, person_id=person_id):
            if role.given_ms < since_ms:
                tx.set(LeagueRole, role.id, person_id=alone)
        made = zip(
            tx.column(Game, "id", creator_id=person_id, order="id"),
            tx.column(Game, "created_ms", creator_id=person_id, order="id"),
            strict=True,
        )
        _change(
            tx,
            Game,
            [number for number, created_ms in made if created_ms < since_ms],
            {},
            {"creator_id": alone},
        )
    web_sessions.end(tx, person_id)
    tx.drop(CalendarLink, person_id=person_id)
    tx.drop(LinkCode, person_id=person_id)
    uow.wakes.add(f"{web_sessions.SIGNED_OUT}{person_id}")
    told_anew(uow, person_id, alone, [at])
    return alone


def _moved(tx: Tx, name: str, old: PersonId, new: PersonId) -> list[int]:
    table, column, single = _OVER[name]
    whose: dict[str, Any] = {column: old}
    rows: list[Any] = tx.all(table, **whose)
    if single is not None:
        taken = {getattr(row, single, None) for row in tx.all(table, **{**whose, column: new})}
        rows = [row for row in rows if getattr(row, single, None) not in taken]
    found = [row.id for row in rows]
    _change(tx, table, found, {}, {column: new})
    return found


def _change(
    tx: Tx, table: type[Any], numbers: Iterable[int], where: dict[str, Any], values: dict[str, Any]
) -> None:
    """Change these rows, as far as they are still so."""
    for number in numbers:
        tx.change(table, {"id": number, **where}, **values)


def _seasons(tx: Tx, entries: Iterable[int], person_id: PersonId) -> list[SeasonId]:
    """The seasons of somebody's sign-ups."""
    found = (tx.one(Entry, id=number, person_id=person_id) for number in entries)
    return sorted({row.season_id for row in found if row is not None})


def _aside(tx: Tx, table: type[Any], old: PersonId) -> list[dict[str, Any]]:
    """Take these away, and what they were."""
    names = [name for name in table.model_fields if name != "id"]
    found = [{name: getattr(row, name) for name in names} for row in tx.all(table, person_id=old)]
    tx.drop(table, person_id=old)
    return found


def _later_than_all(tx: Tx, person_id: PersonId, now_ms: int) -> int:
    """A moment after everything that was given to somebody, or opened by them, before now."""
    given = [row.given_ms for row in tx.all(LeagueRole, person_id=person_id)] + tx.column(
        Game, "created_ms", creator_id=person_id
    )
    return max(now_ms, *(int(one) + 1 for one in given), 0)


def _roles_back(tx: Tx, person_id: PersonId, since_ms: int, before: list[list[Any]]) -> None:
    """What was given to both together is nobody's; what the one had before, they have."""
    for row in tx.all(LeagueRole, person_id=person_id):
        if row.given_ms < since_ms:
            continue
        old = next((one for one in before if one[0] == row.league_id), None)
        if old is None:
            tx.drop(LeagueRole, id=row.id)
        else:
            tx.set(LeagueRole, row.id, role=old[1], given_ms=old[2])
