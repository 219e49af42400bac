"""A house with admins who don't play."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.admins import ADMINS
from tests.service.rig import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", admins=ADMINS).open()
    yield one
    await one.close()
