"""An installation with chance of its own for each test of the league office."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.league.seasons import opened
from tests.service.rig import House


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[House]:
    one = await opened(tmp_path / "referee.db")
    yield one
    await one.close()
