"""docs/players/clocks.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.policy import PRESETS, Policy
from referee.text import Reading
from referee.text.reading.policy import read_policy, time_text

PAGE = (Path(__file__).parents[2] / "docs" / "players" / "clocks.md").read_text(encoding="utf-8")


def test_the_table_of_paces() -> None:
    rows = {
        cells[1].strip(" `"): [cell.strip() for cell in cells[2:-1]]
        for line in PAGE.splitlines()
        if line.startswith("| `") and len(cells := line.split("|")) == 12
    }
    assert set(rows) == set(PRESETS)
    for name, policy in PRESETS.items():
        hours = (
            policy.move_hours,
            policy.grace_hours,
            policy.bank_hours,
            policy.bank_credit_hours,
            policy.quiet_most_hours,
        )
        counts = (policy.vacation_days, policy.misses_excused, policy.probation_after, policy.replace_after)
        assert rows[name] == [*map(time_text, hours), *map(str, counts)]


def examples() -> list[str]:
    block = PAGE.partition("in any order:")[2].partition("Another time")[0]
    return [line.strip() for line in block.splitlines() if line.strip()]


def test_there_are_examples() -> None:
    assert len(examples()) > 5


@pytest.mark.parametrize("line", examples())
def test_an_example_is_read(line: str) -> None:
    assert isinstance(read_policy(line, Reading()), Policy)


def words_of_the_table() -> list[str]:
    rows = re.findall(r"^\| (`.*?) \|", PAGE.partition("| words |")[2], re.MULTILINE)
    typed = [one for row in rows for one in re.findall(r"`([^`]+)`", row)]
    return [f"standin {one}" if one in ("bot", "either") else one for one in typed]


def test_the_table_of_words_is_read() -> None:
    typed = words_of_the_table()
    assert len(typed) > 25
    assert [
        one
        for one in typed
        if one not in ("an answer", "probation", "replace")
        and not isinstance(read_policy(one, Reading()), Policy)
    ] == []
