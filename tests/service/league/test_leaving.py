"""Leaving a season: what is said to the person who does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.service.league.talking import BEA, BOSS, CY, DAN, EVE, founded, house_of, told
from tests.service.rig import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


@pytest.mark.parametrize(
    ("cost", "said", "dito"),
    [
        ("1", "that costs 1 point.", "isso custa 1 ponto."),
        ("1.5", "that costs 1.5 points.", "isso custa 1,5 pontos."),
        ("2", "that costs 2 points.", "isso custa 2 pontos."),
    ],
)
async def test_what_leaving_costs(house: House, cost: str, said: str, dito: str) -> None:
    await founded(house, BEA, CY, DAN, EVE)
    await house.say(BOSS, f"league set withdrawal {cost}")
    await house.say(BOSS, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    assert said in await told(house, CY, "league leave")
    await house.say(DAN, "language pt-br")
    assert dito in await told(house, DAN, "liga sair")
