"""A league's room that has another id from now on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.ports import Inbound, What
from referee.store import LeagueRoom, Room
from tests.service.league.talking import BEA, BOSS, ROOM, founded, house_of
from tests.service.rig import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


@pytest.mark.parametrize("greeted", [False, True])
async def test_a_group_that_becomes_a_supergroup_keeps_its_league_and_its_language(
    house: House, greeted: bool
) -> None:
    def report(what: What, place: str, **facts: str) -> Inbound:
        key = f"{what}{place}{greeted}"
        return Inbound("telegram", key, "boss", what, place=place, facts=facts)

    await founded(house, BEA)
    await house.say("telegram:boss", "hello")
    await house.say(BOSS, "league role telegram:boss director")
    await house.say("telegram:boss", "/language pt-br", place=ROOM)
    await house.say("telegram:boss", "/league room here", place=ROOM)
    if greeted:  # Telegram may tell of the bot in the new one first
        await house.bring(report(What.INVITED, "-1007"))
    await house.bring(report(What.MOVED, ROOM, to="-1007"))
    await house.say("telegram:boss", "/league announce Welcome!", place="-1007")
    assert "Welcome!" in house.last("telegram:-1007").text
    there = house.store.read_now(lambda tx: tx.one(Room, channel="telegram", place="-1007"))
    assert there is not None
    assert there.language == "pt_BR"
    watched = house.store.read_now(lambda tx: [row.room_id for row in tx.all(LeagueRoom)])
    assert watched == [there.id]
