"""Teams: people who play on their own, and whose points are counted together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from .shapes import EarlierRounds, pair
from .standings import Standing


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A row of the standings of teams.

    rank      1 is the best; teams with the same points and wins share it
    team      its name
    points    of those who count; `wins`: theirs, too
    people    everybody in it, who has most points first; the first of them count
    """

    rank: int
    team: str
    points: Fraction
    wins: int
    people: tuple[int, ...]


#: to sit with somebody of the own team is as strange as to have met so often
MATES = 1000


def kept_apart(past: EarlierRounds, teams: Iterable[Sequence[int]]) -> EarlierRounds:
    """The same, as if those of a team had met so often that they meet again only where nothing else is
    possible: for putting people into seats of tables that are drawn already.
    """
    met = dict(past.met)
    for team in teams:
        for one, other in combinations(team, 2):
            met[pair(one, other)] = met.get(pair(one, other), 0) + MATES
    return replace(past, met=met)


def team_standings(
    teams: Mapping[str, Sequence[int]], rows: Sequence[Standing], best: int = 0
) -> tuple[TeamStanding, ...]:
    """Teams in order, from the standings of their people (of all divisions).

    `best`: that many of each team count, those with most points; 0: all.
    """
    known: dict[int, Standing] = {}
    for row in rows:  # somebody who has changed divisions has a row in each
        also = known.get(row.person)
        known[row.person] = (
            row if also is None else replace(row, points=row.points + also.points, wins=row.wins + also.wins)
        )
    found: list[tuple[Fraction, int, str, tuple[int, ...]]] = []
    for team, people in teams.items():
        mine = sorted(
            (known[who] for who in people if who in known),
            key=lambda row: (-row.points, -row.wins, row.person),
        )
        count = mine[: best or len(mine)]
        points = sum((row.points for row in count), Fraction())
        found.append((points, sum(row.wins for row in count), team, tuple(row.person for row in mine)))
    found.sort(key=lambda one: (-one[0], -one[1], one[2].casefold(), one[2]))
    return tuple(
        TeamStanding(
            1 + sum((points, wins) < (other[0], other[1]) for other in found), team, points, wins, people
        )
        for points, wins, team, people in found
    )
