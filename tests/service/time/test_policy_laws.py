"""Whatever the policy and whatever the people do: every game ends within its bound, no deadline rings twice
or is forgotten, nobody is asked for an answer while their clock stands still, and what is said of it is what
happens.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.seeds import share
from tests.service.weathered import Weather


@pytest.mark.parametrize("seed", share(range(24)))
async def test_whatever_the_weather(tmp_path: Path, seed: int) -> None:
    await Weather(tmp_path / "referee.db", seed).play()


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(10))
async def test_whatever_the_weather_for_long(tmp_path: Path, hundred: int) -> None:
    for seed in range(1_000 + hundred * 100, 1_100 + hundred * 100):
        await Weather(tmp_path / f"{seed}.db", seed).play()
