"""Codes of invitations that are nobody's: anybody may guess, and nobody else waits for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.tables import lobby
from tests.service.rig import House

ANA, MAL = "telegram:ana", "telegram:mal"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "guessed.db").open()
    yield one
    await one.close()


async def test_a_wrong_code_opens_nothing_and_reads_no_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        await house.say(ANA, "new classic 3 invite")

    def reads(*_: object) -> None:
        raise AssertionError("a table was read for a code that is none's")

    monkeypatch.setattr(lobby, "reload", reads)
    monkeypatch.setattr(lobby, "settings_of", reads)
    for code in ("ABCDEFGH", "A1B8C9D0", "ABCDEFG2"):
        await house.say(MAL, f"join {code}")
        assert f"the invitation {code}." in house.last(MAL).text
