"""docs/engineers/writing-a-bot.md: its file is a bot, its commands run, its words are true."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.app import app
from referee.ladder import contest_of, run, standings

PAGE = (Path(__file__).parents[2] / "docs/engineers/writing-a-bot.md").read_text(encoding="utf-8")
(SHOWN,) = re.findall(r"^```python\n(.+?)^```$", PAGE, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^    (referee .+?)(?:  .*)?$", PAGE, re.MULTILINE)


@pytest.fixture
def _there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "builder.py").write_text(SHOWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_there")
def test_the_file_of_the_page_plays_at_every_table() -> None:
    contest = contest_of(
        ("random", "builder.py:Builder"), 35, edition="any", players="any", effort=0.01, seed=7
    )
    results = run(contest, 2)
    rows = standings(contest, results)
    assert {len(one.order) for one in results} == {*range(2, 9)}
    assert [row.lost for row in rows] == [{}, {}]
    assert rows[0].who == "builder.py:Builder"
    assert rows[0].share > rows[1].share * 1.5


@pytest.mark.usefixtures("_there")
@pytest.mark.parametrize("line", COMMANDS)
def test_each_command_of_the_page_runs(line: str) -> None:
    words = line.split()[1:]
    words[words.index("--games") + 1] = "1"
    told = CliRunner().invoke(app, [*words, "--effort", "0.001"])
    assert told.exit_code == 0, told.output
    assert "rating" in told.stdout
    assert "lost" not in told.stdout


def test_the_page_shows_commands() -> None:
    assert len(COMMANDS) == 4
    assert "builder.py:Builder" in COMMANDS[0]
