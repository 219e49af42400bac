"""In which order a season's alternates are asked to take a seat.

first come: as they signed up. by rating: the nearest in strength to the person who left first (Plackett-Luce
over the league's games, the strength that its statistics show; newcomers have 0), those equally near as they
signed up.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee import league as sums
from referee.ids import PersonId, SeatNo
from referee.store import Entry, Game, Season, SeasonTable

from ...core import outbox
from ...core.unit_of_work import UnitOfWork
from ...play.hooks import asked_in_turn
from .. import hooks, lookup
from ..scores import statistics
from ..terms import read_terms


def reachable(uow: UnitOfWork, season: Season, table: SeasonTable) -> list[Entry]:
    """The alternates for a table who can be written to, in the order in which they signed up."""
    return [
        one
        for one in lookup.free_alternates(uow, season, table.round, table.no)
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
