"""A house in which a game is over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests import books
from tests.service.playing import table, to_the_end
from tests.service.reviews.judges import PEOPLE
from tests.service.rig import Clock, House
from tests.service.upkeep.packed_games import DAYS

Opened = Callable[..., Awaitable[House]]
#: the book of a finished game, and its hour: it is played once
_KEPT: list[tuple[bytes, int]] = []


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    """Opens a house in which Ana and Bea have played game #1 to its end."""
    houses: list[House] = []
    path = tmp_path / "book.db"

    async def open_(**settings: Any) -> House:
        usual: dict[str, Any] = {"pack_days": DAYS, "base_url": "https://x.test", **settings}
        if not houses and _KEPT and not books.ON_POSTGRES:
            path.write_bytes(_KEPT[0][0])
        elif not houses:
            houses.append(await House(path, **usual).open())
            await to_the_end(houses[0], await table(houses[0], PEOPLE), PEOPLE)
            await houses[0].close()
            if not books.ON_POSTGRES:
                _KEPT.append((path.read_bytes(), houses[0].clock()))
        clock = houses[-1].clock if houses else Clock(_KEPT[0][1])
        houses.append(await House(path, clock, **usual).open())
        houses[-1]._n = count(1000)  # its messages are others than those of the house before
        return houses[-1]

    yield open_
    await houses[-1].close()


@pytest.fixture
async def house(opened: Opened) -> House:
    return await opened()
