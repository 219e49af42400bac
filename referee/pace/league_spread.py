"""How even the tables of a season were, and how many people each one met, beside a random draw of the same
people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean
from typing import NamedTuple

from referee.ids import ALL_ROUNDS, PersonId
from referee.league import Rated, ratings
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league import lookup
from referee.service.league.season import draw
from referee.states import TableState
from referee.store import Season, SeasonTable

#: so often the same people are drawn at random
_DRAWS = 40
Round = Sequence[Sequence[PersonId]]


class Spread(NamedTuple):
    """`strength`: how far the mean ratings of a round's tables are apart, the largest less the smallest, in
    the mean of all rounds; people are worth some 25, give or take 8. `met`: how many different opponents
    somebody met in the mean, `least`: the one who met fewest.
    """

    strength: float
    met: float
    least: float


def spreads(uow: UnitOfWork, season: Season) -> tuple[Spread, Spread]:
    """The spread of a season that is over, as it was drawn, and the mean of random draws; divisions stay.

    Strength is what the season's own results say in the end.
    """
    strength = {who: one.mu for who, one in ratings(draw.rated_games(uow, season.league_id)).items()}
    by_round: dict[int, list[SeasonTable]] = {}
    for table in lookup.tables(uow, season, ALL_ROUNDS):
        if table.state not in (TableState.VOID, TableState.REPLAYED):
            by_round.setdefault(table.round, []).append(table)
    dice, rounds = Random("spread"), list(by_round.values())
    drawn = _spread([[lookup.people_of(one) for one in tables] for tables in rounds], strength)
    random = [_spread([_mixed(tables, dice) for tables in rounds], strength) for _ in range(_DRAWS)]
    return drawn, Spread(*(fmean(column) for column in zip(*random, strict=True)))


def _mixed(tables: Sequence[SeasonTable], dice: Random) -> Round:
    """The people of a round at tables of the same sizes, within their division, by lot."""
    pools: dict[int, list[PersonId]] = {}
    for one in tables:
        pools.setdefault(one.division, []).extend(lookup.people_of(one))
    for pool in pools.values():
        dice.shuffle(pool)
    return [[pools[one.division].pop() for _ in lookup.people_of(one)] for one in tables]


def _spread(rounds: Sequence[Round], strength: Mapping[int, float]) -> Spread:
    met: dict[PersonId, set[PersonId]] = {}
    apart = []
    for tables in rounds:
        means = [fmean(strength.get(who, Rated().mu) for who in people) for people in tables if people]
        apart.append(max(means, default=0.0) - min(means, default=0.0))
        for people in tables:
            for who in people:
                met.setdefault(who, set()).update(one for one in people if one != who)
    counts = [len(others) for others in met.values()]
    return Spread(fmean(apart or [0.0]), fmean(counts or [0]), float(min(counts, default=0)))
