"""Ratings by Plackett-Luce, rebuilt from the list of games whenever they are wanted.

They seed divisions and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from openskill.models import PlackettLuce, PlackettLuceRating

#: where everybody begins
MU = 25.0
SIGMA = MU / 3


P = TypeVar("P", bound=int)


@dataclass(frozen=True, slots=True)
class Rated:
    """What is thought of somebody's strength: about `mu`, give or take `sigma`; `games` so far."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0

    @property
    def ordinal(self) -> float:
        """What is nearly certain: three sigmas below mu; 0 for a newcomer."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Played:
    """A game that counts: `people` and their `places` (1 is the best; those who tie have the same). `ended`
    (epoch milliseconds) and `number` put the games in order.
    """

    people: Sequence[int]
    places: Sequence[int]
    ended: int = 0
    number: int = 0


def ratings(games: Iterable[Played], begin: Mapping[int, Rated] | None = None) -> dict[int, Rated]:
    """Everybody's rating after those games, in the order of their ends.

    A game of fewer than two people says nothing.

    Raises `ValueError` if somebody at a table has no place or sits there twice.
    """
    model = PlackettLuce(mu=MU, sigma=SIGMA)
    now = dict(begin or {})
    for game in sorted(games, key=lambda each: (each.ended, each.number)):
        if len(game.people) != len(game.places) or len(set(game.people)) != len(game.people):
            raise ValueError(f"people and places of game {game.number}")
        if len(game.people) < 2:
            continue
        before = [now.get(who, Rated()) for who in game.people]
        teams = [[PlackettLuceRating(mu=each.mu, sigma=each.sigma)] for each in before]
        after = model.rate(teams, ranks=[float(place) for place in game.places])
        for who, had, (got,) in zip(game.people, before, after, strict=True):
            now[who] = Rated(got.mu, got.sigma, had.games + 1)
    return now


def ladder(rated: Mapping[P, Rated]) -> list[P]:
    """People, the strongest first as far as it is nearly certain; among equals the lower number."""
    return sorted(rated, key=lambda who: (-rated[who].ordinal, who))
