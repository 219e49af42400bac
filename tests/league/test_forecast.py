"""How long tables take: shares that are late, the length that is enough, what a running table still needs."""

from __future__ import annotations

import math
import random

import pytest

from referee.league.forecast import PLANS, WEEK, Lengths, Progress, enough, fitted, late, left, lengths
from referee.league.game_lengths import LENGTHS
from referee.pace.lengths import POLICIES, kinds
from referee.rules import EDITIONS

SLOW = Lengths(25.0, 0.22, 9.0, 100)


def test_every_kind_of_table_was_measured() -> None:
    assert set(LENGTHS) == set(kinds(list(EDITIONS), POLICIES))
    assert all(
        one.median > 0 and one.spread > 0 and one.rounds >= 1 for one in map(Lengths._make, LENGTHS.values())
    )


def test_what_is_fitted_is_what_the_games_were_drawn_from() -> None:
    dice = random.Random("games")
    days = [dice.lognormvariate(math.log(25), 0.22) for _ in range(2000)]
    found = fitted(days, [9] * 2000)
    assert found.median == pytest.approx(25, rel=0.03)
    assert found.spread == pytest.approx(0.22, rel=0.06)
    for after in (15, 20, 28, 40):
        share = sum(one + 1 > after for one in days) / 2000
        assert late([(1, found)], after) == pytest.approx(share, abs=0.02)
    with pytest.raises(ValueError, match="two games"):
        fitted([1.0], [3])


def test_the_share_that_is_late_falls_with_the_days_and_counts_tables() -> None:
    quick = Lengths(5.0, 0.2, 8.0)
    shares = [late([(3, SLOW), (1, quick)], days) for days in range(60)]
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == 1
    assert shares[14] == pytest.approx(0.75, abs=0.01)  # the three slow ones
    assert shares[59] < 0.001
    assert late([], 14) == 0


def test_enough_is_the_fewest_whole_weeks() -> None:
    days = enough([(1, SLOW)], 3, most=180)
    assert days % WEEK == 0
    assert late([(1, SLOW)], days + 3) <= 0.03 < late([(1, SLOW)], days + 3 - WEEK)
    assert enough([(1, SLOW)], 10, most=180) < days
    assert enough([(1, Lengths(900.0, 0.2, 9.0))], 3, most=180) == 180


@pytest.mark.parametrize("edition", EDITIONS)
def test_plans_make_tables_faster_and_people_make_them_slower(edition: str) -> None:
    for size in range(EDITIONS[edition].least, EDITIONS[edition].most + 1):
        by_plans = [lengths(edition, size, "daily", plans).median for plans in PLANS]
        assert by_plans == sorted(by_plans, reverse=True)
    assert lengths(edition, 3, "daily", "none").median < lengths(edition, 7, "daily", "none").median


def test_what_a_table_still_needs() -> None:
    begun = left(SLOW, Progress(0, 0, 0, 7))
    assert begun == pytest.approx(25, rel=0.01)
    usual = left(SLOW, Progress(14, 5, 4, 7))
    assert 8 < usual < 14  # four or five of nine rounds are left
    assert left(SLOW, Progress(28, 5, 4, 7)) > 1.5 * usual  # it is slow
    assert left(SLOW, Progress(14, 5, 2, 7)) > usual  # nobody builds
    assert left(SLOW, Progress(14, 5, 6, 7)) < usual
    assert left(SLOW, Progress(30, 14, 6, 7)) > 0  # more rounds than usual, and not over yet
    assert left(SLOW, Progress(25, 9, 7, 7)) == 0
