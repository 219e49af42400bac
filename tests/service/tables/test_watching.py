"""Rooms that follow a table: who may have it shown there, and in how many."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.tables import commands
from referee.store import Deadline, GameRoom
from tests.service.playing import FLAT, table
from tests.service.rig import House

ANA, BEA, MAL = "telegram:ana", "telegram:bea", "telegram:mal"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "watched.db", base_url="https://x.test").open()
    yield one
    await one.close()


def rooms(house: House) -> int:
    return house.store.read_now(lambda tx: tx.count(GameRoom, game_id=1))


async def test_a_stranger_makes_no_table_by_invitation_everybodys(house: House) -> None:
    await house.say(ANA, "new classic 4 invite")
    await house.say(MAL, "/watch #1", place="den")
    assert rooms(house) == 0
    assert "not for everybody" in house.last("telegram:den").text
    assert await house.referee.pages.shown("table", "en", {"game": "1"}) is None
    await house.say(ANA, "/watch #1", place="club")
    assert rooms(house) == 1
    await house.say(MAL, "/watch #1", place="den")
    assert rooms(house) == 2, "where a group watches it is for everybody"


async def test_nor_one_that_its_players_have_closed(house: House) -> None:
    await table(house, [ANA, BEA])
    await house.say(BEA, "page private #1")
    await house.say(MAL, "/watch #1", place="den")
    assert rooms(house) == 0
    await house.say(BEA, "/watch #1", place="club")
    assert rooms(house) == 1


async def test_strangers_can_have_a_table_shown_in_some_rooms_and_leave_places_to_its_players(
    house: House,
) -> None:
    await table(house, [ANA, BEA])
    for n in range(30):
        house.clock.pass_(seconds=90)  # else they would be left alone as a program
        await house.say(MAL, "/watch #1", place=f"den/{n}")
    assert rooms(house) == commands._OTHERS_ROOMS
    assert "in 5 rooms already" in house.last("telegram:den/29").text
    house.clock.pass_(seconds=90)
    await house.say(MAL, "/watch #1", place="den/0")
    assert "now follows" in "".join(one.text for one in house.letters("telegram:den/0")[-3:])
    for n in range(30):
        house.clock.pass_(seconds=90)
        await house.say(ANA, "/watch #1", place=f"club/{n}")
    assert rooms(house) == commands._ROOMS


@pytest.mark.parametrize("language", ["en", "pt_BR"])
async def test_a_message_that_stays_says_the_hour_and_not_how_far_off_it_was(
    house: House, language: str
) -> None:
    game = await table(house, [ANA, BEA], hours=FLAT.replace("24h", "5 days"))
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    words = house.referee.outbox_worker._words
    far = words.phrase("lines.due", language, due_ms=due.due_ms, zone="UTC", left_ms=5 * 86_400_000)
    until = far.rpartition(", ")[0]
    await house.say(ANA, f"/language {language}", place="club")
    await house.say(ANA, "/watch #1", place="club")
    stays = [letter.text for letter in house.letters("telegram:club") if letter.pin][-1]
    assert f"{until}." in stays
    assert far not in stays
    await house.say(ANA, "/status #1", place="club")
    assert f"{far}." in house.last("telegram:club").text
