"""A book of its own for every test."""
from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Game, Person, Store, Tx
from tests.store.fresh import fresh


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An open, empty store, as `serve` has it."""
    opened = Store.open(fresh(tmp_path / "book.db"))
    yield opened
    opened.close_now()


@pytest.fixture
def game(store: Store) -> int:
    """The number of a running game, created by person 1."""

    def job(tx: Tx) -> int:
        return tx.add(Game, creator_id=tx.add(Person, name="Ann"), status="running")

    return store.write_now(job)
