"""What games say about who played: shares and how sure they are, ratings, the rows of a file."""

from __future__ import annotations

import csv
import io
import math
from array import array
from random import Random

import pytest

from referee.ladder import Contest, Result, csv_text, standings
from referee.ladder.figures import COLUMNS, ratio
from referee.ladder.table import Loss

CONTEST = Contest(("a", "b"), 8, players=(2,))


def game(deal: int, turn: int, won: float, order: tuple[int, ...] = (0, 1)) -> Result:
    """Seat 0 won so much of it."""
    places = (1, 2) if won == 1 else (2, 1) if won == 0 else (1, 1)
    times = [array("d", range(1, 101)), array("d", [2.0])]
    return Result(deal, turn, "classic", order, (20, 10), places, (won, 1 - won), 9, times)


def test_a_share_and_its_interval_over_deals() -> None:
    """By hand: deals of 2, 1, 1, 0 wins out of 2; mean 0.5, deviation of the four shares 0.408, t 3.182."""
    share, half = ratio([(2, 2), (1, 2), (1, 2), (0, 2)])
    assert share == 0.5
    assert half == pytest.approx(3.182 * 0.408248 / 2, rel=1e-3)


@pytest.mark.parametrize(
    ("count", "known"), [(2, 12.706), (5, 2.776), (10, 2.262), (30, 2.045), (500, 1.965)]
)
def test_few_deals_say_less(count: int, known: float) -> None:
    """Student's distribution, as every table of it has it."""
    half = ratio([(n % 2, 1) for n in range(count)])[1]
    share = (count // 2) / count
    spread = (share * (1 - share) * count / (count - 1)) ** 0.5
    assert half == pytest.approx(known * spread / count**0.5, rel=0.01)


def test_deals_that_bring_more_seats_weigh_more() -> None:
    assert ratio([(4, 8), (0, 2)])[0] == 0.4


def test_from_one_deal_there_is_no_interval() -> None:
    assert ratio([(1, 4)]) == (0.25, None)
    assert ratio([]) == (0.0, None)


@pytest.mark.parametrize("count", [3, 12, 100])
def test_nineteen_of_twenty_intervals_hold_what_is_true(count: int) -> None:
    """Deals of four games whose luck is shared: games as trials of their own would be held by far fewer."""
    rng, held = Random(count), 0
    for _ in range(2000):
        trials = []
        for _ in range(count):
            luck = min(1.0, max(0.0, rng.gauss(0.4, 0.15)))
            trials.append((sum(rng.random() < luck for _ in range(4)), 4))
        share, half = ratio(trials)
        assert half is not None
        held += abs(share - 0.4) <= half
    assert 0.93 < held / 2000 < 0.975


def test_wins_shared_and_lost_points_and_times() -> None:
    results = [game(0, 0, 1.0), game(0, 1, 0.0, (1, 0)), game(1, 0, 0.5), game(1, 1, 1.0, (1, 0))]
    results[0].lost += [Loss(1, "slow", ""), Loss(1, "failed", "KeyError: 3"), Loss(1, "slow", "")]
    first, second = standings(CONTEST, results)
    assert (first.who, first.seats, first.wins, first.share, first.even) == ("a", 4, 2.5, 0.625, 0.5)
    assert (second.who, second.wins, second.lost, second.why) == (
        "b",
        1.5,
        {"slow": 2, "failed": 1},
        "KeyError: 3",
    )
    assert (first.points, first.answers, first.middle, first.p99, first.longest) == (15, 202, 50.0, 99, 100)
    assert first.mu > second.mu
    assert first.low is not None
    assert first.high is not None
    assert 0 <= first.low < first.share < first.high <= 1


def test_a_rating_knows_who_is_better_and_grows_sure() -> None:
    few, many = (
        standings(CONTEST, [game(n // 2, n % 2, float(n % 4 != 3)) for n in range(count)])
        for count in (4, 400)
    )
    assert many[0].who == "a"
    assert many[0].sigma < few[0].sigma / 4
    # 3 of 4 games: at a difference of 1.1 in units of the model's noise
    assert many[0].mu - many[1].mu == pytest.approx(math.log(3) * 25 / 6 * math.sqrt(2), rel=0.3)


def test_who_sits_at_a_table_twice_is_rated_once() -> None:
    contest = Contest(("a", "b"), 4, players=(4,))
    level = [
        Result(n, t, "classic", (0, 0, 1, 1), (9,) * 4, (1,) * 4, (0.25,) * 4, 9, [array("d")] * 4)
        for n in range(20)
        for t in range(4)
    ]
    first, second = standings(contest, level)
    assert first.mu == pytest.approx(second.mu)
    assert first.share == second.share == first.even == 0.25
    assert (first.low, first.high) == (0.25, 0.25)


def test_a_row_for_each_seat_of_each_game() -> None:
    results = [game(0, 0, 1.0), game(0, 1, 0.5, (1, 0))]
    results[1].lost.append(Loss(0, "refused", ""))
    rows = list(csv.reader(io.StringIO(csv_text(CONTEST, results))))
    assert tuple(rows[0]) == COLUMNS
    assert rows[1] == ["0", "0", "classic", "2", "0", "a", "20", "1", "1.0", "9", "0"]
    assert rows[3] == ["0", "1", "classic", "2", "0", "b", "20", "1", "0.5", "9", "1"]
    assert len(rows) == 5
