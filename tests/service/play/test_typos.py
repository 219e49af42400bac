"""A misspelled command is answered with the command, at a table that plays, at one that gathers, and in a
group; nothing is done for it.
"""

from __future__ import annotations

import pytest

from tests.service.playing import running, table
from tests.service.rig import House

GROUP = "-5"


@pytest.mark.parametrize(("typed", "near"), [("helpp", "help"), ("statsu", "status"), ("udno", "undo")])
async def test_in_a_game(house: House, typed: str, near: str) -> None:
    game = await table(house, ["telegram:ana", "terminal:cy"])
    before = running(house, game).snapshot
    for who in ("telegram:ana", "terminal:cy"):
        await house.say(who, typed)
        if "Not done:" in house.last(who).text:
            assert f"Did you mean: “{near}”" in house.last(who).text
        else:
            assert f"Did you mean “{near}”" in house.last(who).text
    assert running(house, game).snapshot == before


async def test_at_a_table_that_gathers(house: House) -> None:
    await house.say("terminal:ana", "new classic 4 seats")
    await house.say("terminal:ana", "strat")
    assert "Did you mean “start”" in house.last("terminal:ana").text


async def test_without_a_table(house: House) -> None:
    await house.say("terminal:ana", "laern")
    assert "Did you mean “learn”" in house.last("terminal:ana").text


async def test_in_a_group(house: House) -> None:
    await house.say("telegram:ana", "/new classic", place=GROUP)
    count = len(house.letters(f"telegram:{GROUP}"))
    await house.say("telegram:ana", "strat", place=GROUP)
    await house.say("telegram:ana", "/strat", place=GROUP)
    assert len(house.letters(f"telegram:{GROUP}")) == count, "that may be meant for another program"
    await house.say("telegram:ana", "/strat", place=GROUP, mentioned=True)
    assert "Did you mean “start”" in house.last(f"telegram:{GROUP}").text
