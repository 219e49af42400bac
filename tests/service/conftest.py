"""A fresh installation for each test."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Iterator
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from referee.service.pictures import letter_pictures
from referee.service.tables import lobby
from tests import books
from tests.service.rig import House


@pytest.fixture(autouse=True)
def the_same_games_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seeds of a test's tables are its first, second, third …: a test that passes passes always."""
    numbers = count(1)
    monkeypatch.setattr(
        lobby,
        "secrets",
        SimpleNamespace(
            token_bytes=lambda size: hashlib.sha256(f"table {next(numbers)}".encode()).digest()[:size]
        ),
    )


@pytest.fixture(autouse=True)
def books_of_its_own() -> Iterator[None]:
    yield
    books.forget()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db").open()
    yield one
    await one.close()


@pytest.fixture
async def pictured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """One whose letters have pictures, whatever is installed."""
    monkeypatch.setattr(letter_pictures, "there", lambda: True)
    one = await House(tmp_path / "pictured.db", pictures=True).open()
    yield one
    await one.close()
