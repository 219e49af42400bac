"""In which order a season's alternates are asked to take a seat.

first come: as they signed up. by rating: the nearest in strength to the person who left first (Plackett-Luce
over the league's games, the strength that its statistics show; newcomers have 0), those equally near as they
signed up.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee import league as sums
from referee.ids import PersonId, RoundNo, SeatNo, TableNo
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import Entry, Game, Person, Season, SeasonTable

from ...core import outbox
from ...core.unit_of_work import UnitOfWork
from ...play.hooks import asked_in_turn, may_sit, standby
from .. import hooks, lookup
from ..scores import statistics
from ..terms import read_terms


def free_alternates(uow: UnitOfWork, season: Season, round_no: RoundNo, table_no: TableNo) -> list[Entry]:
    """The alternates who may take a seat at a table, in the order in which they signed up: who played before
    they stood by may have another seat of that round, which counts.
    """
    waiting = lookup.entries(uow, season, EntryState.WAITING)
    played = any(one.division for one in waiting)
    busy = lookup.seated(uow, season, round_no, table_no) if played else ()
    return [one for one in waiting if one.person_id not in busy]


def reachable(uow: UnitOfWork, season: Season, table: SeasonTable) -> list[Entry]:
    """The alternates for a table who can be written to, in the order in which they signed up."""
    return [
        one
        for one in free_alternates(uow, season, table.round, table.no)
        if outbox.best(uow, one.person_id) is not None
    ]


def in_order(
    uow: UnitOfWork, season: Season, people: Sequence[PersonId], gone: PersonId | None
) -> list[PersonId]:
    """These alternates (in the order in which they signed up) in the order in which they are asked; `gone`
    is the person whose seat it was, None where that is not known any more.
    """
    if read_terms(season).substitutes != "by rating" or gone is None or len(people) < 2:
        return list(people)
    rated = sums.ratings(statistics.league_games(uow.tx, season.league_id))
    strength = {int(who): one.ordinal for who, one in rated.items()}
    theirs = strength.get(gone, 0.0)
    return sorted(people, key=lambda one: abs(strength.get(one, 0.0) - theirs))


@asked_in_turn.on
def seat_order(uow: UnitOfWork, game: Game, no: SeatNo, people: Sequence[PersonId]) -> list[PersonId] | None:
    """The alternates of a league's table, in the order in which that seat is offered to them."""
    told = hooks.read_league(game)
    season = None if told is None else uow.tx.get(Season, told["season"])
    if told is None or season is None:
        return None
    seats = uow.seats(game.id)
    there = {one.person_id for one in seats}
    left = [PersonId(int(who)) for who, _ in told.get("left", ()) if who not in there]
    gone = next((one.person_id for one in seats if one.no == no), None) or (left[-1] if left else None)
    return in_order(uow, season, people, gone)


@standby.on
def alternates(uow: UnitOfWork, game: Game) -> list[PersonId] | None:
    """The alternates of this table's league, the first to sign up first."""
    told = hooks.read_league(game)
    season = None if told is None else uow.tx.get(Season, told["season"])
    if told is None or season is None:
        return None
    free = free_alternates(uow, season, RoundNo(told["round"]), TableNo(told["table"]))
    return [one.person_id for one in free]


@may_sit.on
def alternates_only(uow: UnitOfWork, game: Game, person: Person) -> None:
    """Raises Refusal unless somebody may take over a seat of this table: one of its league's alternates."""
    told = hooks.read_league(game)
    if told is not None and person.id not in (alternates(uow, game) or ()):
        raise Refusal("league-alternates-only", game=game.id, league=told["name"])
