"""A small season played ahead: every table is decided without anybody in office, and what is typed to have
it.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from referee.cli.app import app
from referee.pace import (
    LeagueRow,
    TrialError,
    league_csv,
    league_trial,
    play_league,
)
from referee.pace.league import _name
from tests.seeds import ALL
from tests.short import shorten

SMALL: dict[str, Any] = {
    "players": 20,
    "division": 10,
    "rounds": 2,
    "plans": "full",
    "dropouts": 0.1,
    "alternates": 2,
    "seed": 3,
}


@pytest.fixture(scope="module")
def small() -> LeagueRow:
    """In games of few districts: what is looked at is what the office does around them."""
    closed: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        shorten(patch.setattr)
        row = play_league(league_trial(**SMALL), closed.append)
    assert closed == [1, 2]
    return row


def test_every_table_is_decided_and_nobody_did_anything_in_office(small: LeagueRow) -> None:
    assert set(small.counted()) <= {"over", "ruled"}
    assert small.acts == 0
    assert Counter((row.round, row.division) for row in small.tables) == {
        (round_no, division): 2 for round_no in (1, 2) for division in (1, 2)
    }
    assert small.gone <= 2
    assert small.refused == 0
    # two divisions, two rounds of two tables of five: eight pairs of each meet again, before anybody is gone
    assert small.repeats == small.bound == 16
    assert small.again <= 20
    assert all(0 < row.days < 18 for row in small.tables)


def test_the_standings_add_up(small: LeagueRow) -> None:
    assert {line.division for line in small.standings} == {1, 2}
    assert len(small.standings) >= 20
    for division in (1, 2):
        lines = [line for line in small.standings if line.division == division]
        assert [line.rank for line in lines] == sorted(line.rank for line in lines)
        assert [line.points for line in lines] == sorted((line.points for line in lines), reverse=True)
    assert sum(line.taken for line in small.standings) == small.penalties


def test_a_row_for_each_table(small: LeagueRow) -> None:
    lines = league_csv(league_trial(**SMALL), small).splitlines()
    assert lines[0] == "round,table,division,state,people,days,took_over,left,empty,seed"
    assert len(lines) == 1 + len(small.tables)


def test_a_season_that_nobody_finishes_is_ruled() -> None:
    quick = {"players": 9, "rounds": 2, "days": 3, "dropouts": 1.0, "plans": "none", "people": "once-a-day"}
    row = play_league(league_trial(**quick))
    assert set(row.counted()) <= {"ruled", "void"}
    assert row.acts == 0
    assert row == play_league(league_trial(**quick))
    assert row != play_league(league_trial(**quick, seed=2))


@pytest.fixture(scope="module")
def usual() -> LeagueRow:
    """People who look twice a day, file no plan, and nobody in office who says anything."""
    return play_league(league_trial(players=24 if ALL else 16, rounds=2))


def test_with_what_is_usual_tables_are_played_to_the_end(usual: LeagueRow) -> None:
    assert usual.round_days >= 28
    assert usual.counted()["over"] >= 0.97 * len(usual.tables)
    assert usual.acts == 0


def test_with_people_who_vanish_too() -> None:
    row = play_league(league_trial(players=24 if ALL else 10, rounds=2, dropouts=0.1))
    assert 1 <= row.gone <= 2  # the season may be over before the second one is
    assert row.counted()["over"] >= 0.9 * len(row.tables)
    assert row.acts == 0


def test_fourteen_days_need_a_yes_and_most_tables_are_ruled() -> None:
    row = play_league(league_trial(players=8, rounds=1, days=14))
    assert row.round_days == 14
    assert set(row.counted()) == {"ruled"}
    assert row.acts == 0  # the yes belongs to the opening


def test_how_even_tables_are_beside_a_random_draw(usual: LeagueRow) -> None:
    assert 0 < usual.spread.strength < 15
    assert usual.spread.met > usual.random.met
    assert usual.spread.least >= usual.random.least
    # a table of five or four each round: nobody meets anyone twice
    assert 6 <= usual.spread.least <= usual.spread.met <= 8


def typed(*words: str) -> Result:
    return CliRunner().invoke(app, ["league", "simulate", *words])


def test_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "tables.csv"
    told = typed("-n", "4", "--rounds", "1", "--plans", "full", "--csv", str(file), "--standings")
    assert told.exit_code == 0, told.output
    for part in (
        "1 of 1 rounds are over",
        "1: 1 played to the end (100.0%), 0 ruled by the office",
        "0 acts in office",
        "division 1,   1. ",
        "0 repeats",
    ):
        assert part in told.output
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2
    told = typed("-n", "4", "--rounds", "1", "--plans", "full", "--csv", str(tmp_path))
    assert told.exit_code == 2
    assert "could not be written" in told.output
    assert "1: 1 played to the end (100.0%)" in told.output  # which may have taken hours


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("-n", "3", "--rounds", "1"), "3 people are too few: a table needs 4."),
        (("-n", "20", "--rounds", "0"), "“rounds” can't be 0; 1 to 60 is possible."),
        (("-n", "20", "--division", "2"), "A division of 2 is too small for one table of 4."),
        (("-n", "20", "--wanted", "8"), "8 people can't play the classic edition"),
        (
            (
                "-n",
                "5000",
            ),
            "--players can't be 5000; up to 2000 is possible.",
        ),
        (("--alternates", "-1"), "--alternates can't be -1"),
        (("--plans", "some"), "There are no plans “some”"),
        (("--dropouts", "150%"), "“150%” is no share for --dropouts"),
        (("--policy", "gibberish"), "“gibberish” is no policy to play by"),
        (("--csv", "no/such/folder/x.csv"), "there is no folder"),
    ],
)
def test_what_can_not_be_tried(words: tuple[str, ...], answer: str) -> None:
    told = typed(*words)
    assert told.exit_code == 2, told.output
    assert answer in told.output


def test_a_trial_by_name() -> None:
    assert league_trial(policy="daily").policy == "daily"
    with pytest.raises(TrialError):
        league_trial(edition="third")


def test_names_are_different() -> None:
    names = [_name(number) for number in range(2100)]
    assert len(set(names)) == 2100
    assert all(name.isalpha() for name in names)


@pytest.mark.soak
def test_a_season_of_240_needs_nobody_in_office() -> None:
    row = play_league(league_trial(players=240, rounds=7, plans="full", dropouts=0.1, alternates=12))
    assert len(row.tables) >= 7 * 48 - 7 * 5
    assert set(row.counted()) <= {"over", "ruled"}
    assert row.acts == row.refused == row.repeats == 0
    assert 20 <= row.gone <= 24
    assert row.again <= 40
