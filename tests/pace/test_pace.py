"""A few simulated games of each kind: figures, the same each time, letters counted as the post sends them."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from referee.pace import GameRow, csv_text, run, shares, summary, trial_of
from referee.pace.trial import PLANS
from tests.seeds import ALL

SMALL: dict[str, Any] = {"games": 3, "seed": 7}
#: of those games, what is played again: the first one, or all
ONE: dict[str, Any] = {**SMALL, "games": 3 if ALL else 1}


@pytest.fixture(scope="module")
def by_plans() -> dict[str, list[GameRow]]:
    return {plans: run(trial_of(plans=plans, **SMALL)) for plans in PLANS}


def test_plans_make_games_shorter(by_plans: dict[str, list[GameRow]]) -> None:
    days = {plans: summary(rows).days for plans, rows in by_plans.items()}
    assert days["full"] < days["draft"] < days["none"]
    assert days["full"] <= 7
    assert 12 <= days["none"] <= 32
    assert all(
        0 < row.last_days <= row.days and row.days < row.bound_days
        for rows in by_plans.values()
        for row in rows
    )


def test_people_say_what_the_referee_understands(by_plans: dict[str, list[GameRow]]) -> None:
    for plans, rows in by_plans.items():
        assert all(row.finished and row.refused == 0 and row.rounds >= 5 for row in rows)
        assert all((row.planned > 0) == (plans != "none") for row in rows)
        assert all(0 < row.visits <= row.looks and row.visits <= row.typed < row.orders for row in rows)
        assert all(row.misses == row.stood == row.gone == 0 and row.deals == 1 for row in rows)


def test_nobody_is_woken_and_nobody_is_flooded(by_plans: dict[str, list[GameRow]]) -> None:
    for rows in by_plans.values():
        assert sum(row.night for row in rows) == 0
        assert 0.5 < summary(rows).daily <= 5


@pytest.mark.parametrize("edition", ["deluxe", "original"])
def test_plans_are_understood_in_every_edition(edition: str) -> None:
    rows = run(trial_of(edition=edition, plans="full", games=2 if ALL else 1))
    assert all(row.finished and row.refused == 0 and row.planned > row.orders / 3 for row in rows)


def test_the_same_trial_gives_the_same_games(by_plans: dict[str, list[GameRow]]) -> None:
    first = by_plans["full"][: ONE["games"]]
    assert run(trial_of(plans="full", **ONE)) == first
    assert run(trial_of(plans="full", **{**ONE, "seed": 8})) != first


def test_a_table_goes_the_same_way_whichever_others_share_its_book(
    by_plans: dict[str, list[GameRow]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "TABLES", 1)
    seen: list[int] = []
    few: dict[str, Any] = {**SMALL, "games": 3 if ALL else 2}
    assert run(trial_of(plans="full", **few), workers=2, done=seen.append) == by_plans["full"][: few["games"]]
    assert seen == [1, 2, 3][: few["games"]]


def test_letters_that_nobody_reads_are_counted_as_the_post_sends_them(
    by_plans: dict[str, list[GameRow]],
) -> None:
    for plans in ("none", "full") if ALL else ("full",):
        assert run(trial_of(plans=plans, words=True, **ONE)) == by_plans[plans][: ONE["games"]]
    rough = {"plans": "full", "missed": 0.2, "dropouts": 0.4, **ONE}
    assert run(trial_of(words=True, **rough)) == run(trial_of(**rough))


def test_misses_and_dropouts_end_no_game() -> None:
    rows = run(trial_of(plans="draft", missed=0.1, dropouts=0.5, games=4, seed=3))
    assert all(row.finished and row.last_days <= row.bound_days for row in rows)
    assert sum(row.gone for row in rows) >= 3
    assert sum(row.misses for row in rows) >= 4
    assert sum(row.stood for row in rows) >= 4


def test_everybody_vanishes_and_the_game_ends() -> None:
    rows = run(trial_of(players=4, dropouts=1.0, games=2, policy="daily no restart"))
    assert all(row.finished and row.gone == 4 and row.stood > row.rounds for row in rows)


@pytest.mark.parametrize("people", ["once-a-day", "four-times-a-day", "at-leisure", "mixed"])
def test_other_people(people: str) -> None:
    (row,) = run(trial_of(people=people, plans="full", games=1))
    assert row.finished
    assert row.refused == 0


def test_other_tables_and_policies() -> None:
    for said in (
        {"players": 2, "policy": "gentle"},
        {"players": 7, "policy": "brisk days Mo-Fr"},
        {"players": 3, "policy": "24h no bank snap 19:00 Lisbon"},
    ):
        (row,) = run(trial_of(plans="full", games=1, missed=0.1, **said))
        assert row.finished
        assert row.players == said["players"]


def test_a_row_for_each_game(by_plans: dict[str, list[GameRow]], tmp_path: Path) -> None:
    trial = trial_of(plans="full", **SMALL)
    lines = list(csv.DictReader(io.StringIO(csv_text(trial, by_plans["full"]))))
    assert [int(line["game"]) for line in lines] == [0, 1, 2]
    assert {line["policy"] for line in lines} == {"daily"}
    assert {line["plans"] for line in lines} == {"full"}
    assert [float(line["days"]) for line in lines] == pytest.approx(
        [row.days for row in by_plans["full"]], abs=1e-3
    )
    assert set(GameRow._fields) < set(lines[0])
    names = csv_text(trial, by_plans["full"]).splitlines()[0].split(",")
    assert len(names) == len(set(names))
    assert {"people", "missed", "dropouts", "seed"} < set(names)


@pytest.mark.soak
def test_a_thousand_games_end_within_their_bound() -> None:
    trial = trial_of(games=1000, plans="full", missed=0.1, dropouts=0.2)
    rows = run(trial, workers=2)
    found = summary(rows)
    assert found.finished >= 0.99
    assert found.refused == 0
    assert all(row.last_days <= row.bound_days for row in rows if row.finished)


@pytest.mark.soak
@pytest.mark.parametrize(("plans", "days"), [("full", 6), ("draft", 12), ("none", 30)])
def test_the_figures(plans: str, days: float) -> None:
    found = summary(run(trial_of(games=300, plans=plans), workers=2))
    assert found.days <= days
    assert found.finished == 1
    assert found.daily <= 4
    assert found.visits <= (12 if plans == "full" else 30)
