"""`review`: the turns of a finished game that cost somebody most."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.core.settings import BotSettings
from tests.service.bots.tables import table
from tests.service.finishing import finish
from tests.service.rig import House

ANA = "telegram:ana"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "book.db", bots=BotSettings(effort=0.02)).open()
    yield one
    await one.close()


async def test_trial(house: House) -> None:
    game = await table(house, "steady", "steady", "steady")
    await finish(house, game)
    print(house.last(ANA).text, house.last(ANA).buttons)
    await house.say(ANA, f"review #{game}")
    for one in house.wires["telegram"].sent[-3:]:
        print(one)
    assert 0
