"""A fresh installation for each test, and the same games each time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.text.reading.limits import READING_MS
from tests.service.conftest import books_of_its_own, the_same_games_each_time
from tests.service.rig import House

__all__ = ["books_of_its_own", "house", "the_same_games_each_time"]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """As it stands on the internet: reading a message may cost what it may there."""
    one = await House(tmp_path / "referee.db", reading_ms=READING_MS).open()
    yield one
    await one.close()
