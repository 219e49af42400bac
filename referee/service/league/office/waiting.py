"""For whom a season's tables wait: a board for those who run it, and one word that reminds all of them.

At a table that gathers these are the people who have not said that they are ready; it says how they can be
reached. At a table that is played it says what anybody at it may know: who is asked, and since when.
"""

from __future__ import annotations

import msgspec

from referee import rules
from referee.ids import DivisionNo, GameId, PersonId, RoundNo, TableNo
from referee.policy import HOUR_MS
from referee.states import GameStatus, TableState
from referee.store import Address, Game, Person, Season, SeasonTable, Seat

from ...core import outbox
from ...core.unit_of_work import UnitOfWork
from ...deadlines import clock_state
from ...people.letter_facts import MusterFacts
from ...tables.public_view import usable
from ...time import reminders
from .. import hooks, lookup
from ..terms import read_terms

#: nobody is reminded by an official more than once in this time
REMINDED_MS = 24 * HOUR_MS
#: at a table that is played nobody is reminded who was asked less than this ago
ASKED_MS = 6 * HOUR_MS


class AwaitedPerson(msgspec.Struct, frozen=True):
    """Somebody for whom a table waits, since when (UTC ms).

    At a table that gathers also whether a letter can reach them, and when they were last heard anywhere (UTC
    ms, 0: never). At one that is played these say nothing.
    """

    person: PersonId
    name: str
    since_ms: int
    reachable: bool = True
    seen_ms: int = 0


class AwaitingTable(msgspec.Struct, frozen=True):
    """A table that waits; `until_ms`: when it begins without those who are not ready (0: it is played)."""

    no: TableNo
    round: RoundNo
    division: DivisionNo
    state: str
    game: GameId
    until_ms: int
    people: list[AwaitedPerson]


class Reminded(msgspec.Struct, frozen=True):
    """How many people were reminded, how many were not since they were lately (or have just been asked or
    heard), and how many no letter reaches.
    """

    people: int = 0
    lately: int = 0
    unreachable: int = 0


def board(uow: UnitOfWork, season: Season) -> list[AwaitingTable]:
    """Every table of a season that waits for somebody: those that gather first, then by number.

    It writes nothing; the page of the office and `league waiting` show it.
    """
    states = (TableState.GATHERING, TableState.PLAYING)
    found = []
    for row in uow.tx.all(SeasonTable, season_id=season.id, state=states, order="no"):
        game = lookup.game_of(uow, row)
        people = [] if game is None else awaited(uow, game)
        if game is not None and people:
            until_ms = _until_ms(game) if row.state == TableState.GATHERING else 0
            found.append(AwaitingTable(row.no, row.round, row.division, row.state, game.id, until_ms, people))
    return sorted(found, key=lambda one: (one.state != TableState.GATHERING, one.no))


def awaited(uow: UnitOfWork, game: Game) -> list[AwaitedPerson]:
    """Who is awaited at one table of a league, in seat order; nobody while it pauses or stands still."""
    if game.status == GameStatus.MUSTERING:
        return _not_ready(uow, game)
    clocks = clock_state.read_clocks(game)
    if game.status != GameStatus.RUNNING or clock_state.paused(clocks) or not lookup.readable(uow, game):
        return []
    asked = {one["seat"] for one in rules.view(uow.states.of(game), None)["waiting"]}
    return [
        AwaitedPerson(seat.person_id, seat.name, clocks.seat(seat.no).asked)
        for seat in uow.seats(game.id)
        if seat.no in asked and seat.person_id is not None
    ]


def _not_ready(uow: UnitOfWork, game: Game) -> list[AwaitedPerson]:
    since_ms = _since_ms(uow, game)
    people = [seat.person_id for seat in uow.seats(game.id) if not seat.ready and seat.person_id]
    names = {one.id: one.name for one in uow.tx.all(Person, id=tuple(people))}
    addresses = uow.tx.all(Address, person_id=tuple(people))
    return [
        AwaitedPerson(
            who,
            names.get(who, ""),
            since_ms,
            any(usable(uow.settings, one) for one in addresses if one.person_id == who),
            max((one.seen_ms for one in addresses if one.person_id == who), default=0),
        )
        for who in people
    ]


def _until_ms(game: Game) -> int:
    told = hooks.read_league(game)
    return 0 if told is None else told["until"]


def _since_ms(uow: UnitOfWork, game: Game) -> int:
    """Since when those who are missing have been asked: from its end the time that they have."""
    told = hooks.read_league(game)
    season = None if told is None else uow.tx.get(Season, told["season"])
    if told is None or season is None:
        return game.created_ms
    return max(game.created_ms, told["until"] - read_terms(season).late_hours * HOUR_MS)


def remind(uow: UnitOfWork, season: Season) -> Reminded:
    """Remind everybody on the board, each at most once a day, however many tables wait for them.

    The letters wait in quiet hours as any reminder does.
    """
    told = {int(who): int(at_ms) for who, at_ms in lookup.mind(season).get("reminded", {}).items()}
    told = {who: at_ms for who, at_ms in told.items() if at_ms + REMINDED_MS > uow.now_ms}
    fresh: set[PersonId] = set()
    lately: set[PersonId] = set()
    unreachable: set[PersonId] = set()
    for table in board(uow, season):
        game = uow.tx.get(Game, table.game)
        seats = {seat.person_id: seat for seat in uow.seats(table.game)}
        for one in table.people:
            seat = seats.get(one.person)
            if game is None or seat is None:
                continue
            if outbox.best(uow, one.person) is None or not one.reachable:
                unreachable.add(one.person)
            elif one.person in told or not _due(uow, game, seat, one):
                lately.add(one.person)
            else:
                fresh.add(one.person)
                _ask(uow, game, seat)
    lookup.keep(uow, season, reminded={**told, **dict.fromkeys(fresh, uow.now_ms)})
    return Reminded(len(fresh), len(lately - fresh), len(unreachable - fresh - lately))


def _due(uow: UnitOfWork, game: Game, seat: Seat, one: AwaitedPerson) -> bool:
    """Whether somebody needs a reminder: the question has reached them a while ago, and they are not just
    here, nor on vacation.
    """
    if game.status == GameStatus.MUSTERING:
        return True
    vacations = clock_state.read_clocks(game).seat(seat.no).vacations
    return (
        one.since_ms + ASKED_MS <= uow.now_ms
        and not any(start <= uow.now_ms < end for start, end in vacations)
        and not reminders.coming(uow, game, seat)
        and not reminders.looked(uow, game, seat, game.question)
    )


def _ask(uow: UnitOfWork, game: Game, seat: Seat) -> None:
    if game.status == GameStatus.MUSTERING:
        outbox.to_seat(uow, game, seat, MusterFacts(again=True))
    else:
        outbox.to_seat(uow, game, seat, reminders.ReminderFacts(last=False), question=game.question)
