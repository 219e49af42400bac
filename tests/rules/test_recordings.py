"""Recorded games show every card in every use: they play back to the letter, and together they
show all that the cards of the editions can do (see coverage.py; `record_games.py` makes them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rules import chance, legal, new_game, play
from referee.rules.record import read, verify
from tests.rules.coverage import demanded, shown_after, shown_by, shown_in_the_end

RECORDS = sorted((Path(__file__).parent / "recordings").glob("*.txt"))


def shown(text: str) -> set[str]:
    """What a record shows when it is played again."""
    record = read(text)
    assert record.seed is not None
    outcome = new_game(record.setup, chance.mix(record.seed, record.words))
    out = shown_after(record.setup.edition, outcome.events)
    entries = list(record.entries)
    while outcome.asks:
        state, seat = outcome.state, outcome.asks[0].seat
        only = (*outcome.asks[0].moves, None)[0]
        if (entries and (entries[0].seat, entries[0].move) == (seat, only)) or len(legal(state, seat)) > 1:
            move = entries.pop(0).move
        else:
            move = only  # the one answer, which is not written
        out |= shown_by(state, move)
        outcome = play(state, seat, move)
        out |= shown_after(record.setup.edition, outcome.events)
    return out | shown_in_the_end(outcome.state)


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
