"""Ratings: openskill's against our own twenty lines."""

from __future__ import annotations

from math import exp, sqrt
from random import Random

import pytest

from referee.league import Played, Rated, ladder, ratings
from tests.seeds import share

#: how much a game varies and how much certainty is lost between two games, as openskill has them
BETA, TAU, KAPPA = 25 / 6, 25 / 300, 0.0001


def weng_lin(games: list[Played]) -> dict[int, tuple[float, float]]:
    """Weng and Lin, A Bayesian Approximation Method for Online Ranking, algorithm 4 (Plackett-Luce), one
    person to a team.
    """
    now: dict[int, tuple[float, float]] = {}
    for game in games:
        had = [
            (mu, sigma * sigma + TAU * TAU)
            for mu, sigma in (now.get(who, (25.0, 25 / 3)) for who in game.people)
        ]
        c = sqrt(sum(var + BETA * BETA for _, var in had))
        worth = [exp(mu / c) for mu, _ in had]
        among = [
            sum(each for each, place in zip(worth, game.places, strict=True) if place >= own)
            for own in game.places
        ]
        ties = [game.places.count(place) for place in game.places]
        for i, (who, (mu, var)) in enumerate(zip(game.people, had, strict=True)):
            omega = delta = 0.0
            for q, place in enumerate(game.places):
                if place <= game.places[i]:
                    part = worth[i] / among[q]
                    delta += part * (1 - part) / ties[q]
                    omega += ((q == i) - part) / ties[q]
            gamma = sqrt(var) / c
            now[who] = mu + omega * var / c, sqrt(var * max(1 - gamma * delta * var / c**2, KAPPA))
    return now


def season(seed: int, ties: bool) -> list[Played]:
    dice = Random(seed)
    made = []
    for number in range(60):
        people = dice.sample(range(20), dice.randint(2, 7))
        order = sorted(people, key=lambda who: dice.gauss(who, 6))
        places = {who: place for place, who in enumerate(order, 1)}
        if ties and len(order) > 2:
            places[order[1]] = 1
        made.append(Played(people, [places[who] for who in people], number, number))
    return made


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", share(range(5)))
def test_the_same_numbers(seed: int, ties: bool) -> None:
    games = season(seed, ties)
    expected, got = weng_lin(games), ratings(games)
    assert set(expected) == set(got)
    for who, (mu, sigma) in expected.items():
        assert got[who].mu == pytest.approx(mu, abs=1e-9)
        assert got[who].sigma == pytest.approx(sigma, abs=1e-9)


def test_games_count_in_the_order_of_their_ends() -> None:
    games = season(7, False)
    assert ratings(games[::-1]) == ratings(games)
    later = [Played(each.people, each.places, -each.ended, each.number) for each in games]
    assert ratings(later) != ratings(games)


def test_the_stronger_rise() -> None:
    rated = ratings(season(3, False) + season(4, False))
    top, low = ladder(rated)[:5], ladder(rated)[-5:]
    assert sum(top) / 5 + 5 < sum(low) / 5
    assert all(each.sigma < 25 / 3 and each.games > 3 for each in rated.values())


def test_nothing_is_known_of_newcomers() -> None:
    assert Rated().ordinal == pytest.approx(0)
    assert ratings([]) == {}
    assert ratings([Played([1], [1])]) == {}
    assert ladder({3: Rated(), 2: Rated(), 9: Rated(30, 2)}) == [9, 2, 3]


@pytest.mark.parametrize(("people", "places"), [([1, 2], [1]), ([1, 1], [1, 2])])
def test_games_that_can_not_be(people: list[int], places: list[int]) -> None:
    with pytest.raises(ValueError, match="game 5"):
        ratings([Played(people, places, 0, 5)])
