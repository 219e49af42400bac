"""`referee bots ladder` as it is typed: the table, its file, and what is said to what can't be played."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.conftest import Run

TYPED = ("bots", "ladder", "--seed", "3")


def table(told: Result) -> str:
    """What does not depend on the machine."""
    assert told.exit_code == 0, told.output
    return told.stdout.partition("median")[0]


def test_the_same_table_whatever_the_number_of_workers(run: Run, tmp_path: Path) -> None:
    wanted = ("--games", 12, "--seats", "greedy,random", "--edition", "any", "--players", "2-4")
    one, two = (
        run(*TYPED, *wanted, "--workers", workers, "--csv", tmp_path / f"{workers}.csv") for workers in (1, 2)
    )
    assert table(one) == table(two)
    assert (tmp_path / "1.csv").read_text() == (tmp_path / "2.csv").read_text()
    assert table(one) != table(run("bots", "ladder", "--seed", 4, *wanted))
    head, _, columns, first, second = table(one).splitlines()[:5]
    assert "any cards" in head
    assert "rating" in columns
    assert first.split()[0] == "greedy"
    assert second.split()[0] == "random"
    assert one.stdout.count("greedy") == 2


def test_one_against_others(run: Run) -> None:
    told = run(*TYPED, "--games", 4, "--against", "random = greedy, greedy")
    lines = table(told).splitlines()
    assert lines[0].startswith("6 games of 3 players, classic, in 2 deals")
    assert [line.split()[0] for line in lines[3:6]] == ["random", "greedy", "greedy"]


def test_a_table_is_filled_with_the_others_again(run: Run) -> None:
    told = run(*TYPED, "--games", 1, "--against", "greedy=random", "--players", 4)
    rows = [line.split() for line in table(told).splitlines()[3:5]]
    assert [row[:2] for row in rows] == [["greedy", "4"], ["random", "12"]]
    assert " – " in told.stdout


def test_lost_answers_are_shown(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("class Mine:\n    def choose(self, sight, rng):\n        raise ValueError('what now?')\n")
    told = run(*TYPED, "--games", 1, "--seats", f"greedy,{file}:Mine", "--players", 2)
    assert "0 too slow, 0 ended the process. ValueError: what now?" in table(told)
    assert f"{file}:Mine: answers lost: 0 against the rules, " in table(told)


def test_a_file_that_can_not_be_written_costs_no_contest(run: Run, tmp_path: Path) -> None:
    told = run(*TYPED, "--games", 1, "--seats", "greedy,random", "--players", 2, "--csv", tmp_path)
    assert told.exit_code == 2
    assert f"{tmp_path} could not be written" in told.output
    assert "rating" in told.stdout


def test_all_of_it_in_portuguese(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "pt_BR.UTF-8")
    told = run(*TYPED, "--games", 1, "--seats", "greedy,random", "--players", 2)
    assert "2 partidas de 2 jogadores" in told.stdout
    assert "vitórias" in told.stdout
    assert "“clever”" in run(*TYPED, "--seats", "greedy,clever").output


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("--seats", "greedy"), "A contest needs 2 to 64 who play; here is 1."),
        (
            ("--seats", "greedy,clever"),
            "There is no bot “clever”. Known: gentle, steady, strong, random, greedy",
        ),
        (("--seats", "greedy,x.py:Mine"), "There is no file x.py."),
        (("--seats", "greedy,json:Mine"), "json has no class Mine, and none that has choose"),
        (("--seats", "greedy,json:JSONDecoder"), "has no method choose(sight, rng)"),
        (("--seats", "greedy,greedy"), "--against greedy=greedy"),
        (("--against", "greedy"), "“greedy” does not say who plays against whom"),
        (("--against", "=greedy"), "does not say who plays against whom"),
        (("--against", "greedy=random", "--seats", "greedy,random"), "don't go together"),
        (("--players", "12"), "“12” is no number of players here: 2 to 7 can sit"),
        (("--players", "4-2,3"), "“4-2,3” is no number of players here: 2 to 7 can sit"),
        (("--against", "greedy=random,random", "--players", "2"), "3 don't fit at a table of 2"),
        (("--edition", "third"), "There is no edition “third”. Known: classic, deluxe, original, any"),
        (("--cast", "third"), "Say usual or any."),
        (("--games", "0"), "0 games can't be played"),
        (("--effort", "0"), "0.0 can't be the seconds of --effort"),
        (("--csv", "/nowhere/x.csv"), "there is no folder /nowhere"),
    ],
)
def test_what_cannot_be_played(run: Run, words: tuple[str, ...], answer: str) -> None:
    told = run(*TYPED, *words)
    assert told.exit_code == 2
    assert answer in told.output
    assert "rating" not in told.output
