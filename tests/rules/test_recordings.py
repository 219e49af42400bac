"""Recorded games show every card in every use: they play back to the letter, and together they
show all that the cards of the editions can do (see coverage.py; `record_games.py` makes them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rules.record import verify
from tests.rules.coverage import demanded, shown

RECORDS = sorted((Path(__file__).parent / "recordings").glob("*.txt"))


def test_there_are_recordings() -> None:
    assert len(RECORDS) >= 5


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.stem)
def test_a_record_plays_back(path: Path) -> None:
    found = verify(path.read_text())
    assert (found.finished, found.replayed) == (True, True)


def test_everything_has_been_played() -> None:
    wanted = demanded()
    assert len(wanted) > 100
    missing = wanted - set().union(*(shown(path.read_text()) for path in RECORDS))
    assert not missing, sorted(missing)
