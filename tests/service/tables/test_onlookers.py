"""Who is told of a table that is not for everybody, whatever they ask about it by its number."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.core.commands import COMMANDS
from referee.states import GameStatus
from referee.store import Game, Mute
from tests.service.playing import table
from tests.service.rig import House

ANA, BEA, CY, MAL = "telegram:ana", "telegram:bea", "telegram:cy", "telegram:mal"
#: questions about a table, and what tells of it beside what it was said for
ASKED = ["status", "history", "who", "policy", "record", "talk", "rules", "rules Thief", "hand", "hours"]
ASKED += ["kick Zed", "offer Zed", "mute Zed", "comment 1: hm", "process", "page", "plan", "unwatch"]
NOT = "Game #1 is not for everybody"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "looked.db", base_url="https://x.test").open()
    yield one
    await one.close()


async def private(house: House) -> None:
    await table(house, [ANA, BEA])
    await house.say(BEA, "page private #1")


async def heard(house: House, who: str, said: str, **at: str) -> str:
    house.clock.pass_(seconds=90)  # else they would be left alone as a program
    before = sum(len(wire.sent) for wire in house.wires.values())
    await house.say(who, said, **at)
    assert sum(len(wire.sent) for wire in house.wires.values()) == before + 1, "nobody else gets a letter"
    where = at.get("place")
    return house.last(who if where is None else f"telegram:{where}").text


@pytest.mark.parametrize("said", ASKED)
@pytest.mark.parametrize("place", [None, "den"])
async def test_strangers_learn_that_a_private_table_is_not_for_everybody(
    house: House, said: str, place: str | None
) -> None:
    await private(house)
    words = f"{said} #1" if "comment" not in said else "comment #1 1: hm"
    told = await heard(house, MAL, f"/{words}" if place else words, **({"place": place} if place else {}))
    assert not any(name in told for name in ("Ana", "Bea")), told
    if COMMANDS[said.split()[0]].about == "read" and said not in ("hand", "page"):
        assert NOT in told


async def test_a_record_of_a_private_table_is_not_for_strangers(house: House) -> None:
    await private(house)
    await house.store.write(lambda tx: tx.set(Game, 1, status=GameStatus.OVER))
    assert NOT in await heard(house, MAL, "record #1")


async def test_nor_can_they_find_out_by_muting_who_sits_there(house: House) -> None:
    await private(house)
    assert NOT in await heard(house, MAL, "mute Ana #1")
    assert not house.store.read_now(lambda tx: tx.all(Mute))


async def test_players_rooms_that_follow_it_and_who_had_a_seat_there_are_told(house: House) -> None:
    await private(house)
    assert NOT not in await heard(house, ANA, "history #1")
    await house.say(ANA, "/watch #1", place="club")
    assert NOT not in await heard(house, MAL, "/status #1", place="club")
    assert NOT in await heard(house, MAL, "status #1")
    await house.say(BEA, "page private #1")
    assert NOT not in await heard(house, MAL, "/who #1", place="club")


async def test_who_lost_a_seat_reads_how_it_came(house: House) -> None:
    await table(house, [ANA, BEA, CY])
    await house.say(BEA, "page private #1")
    await house.say(ANA, "kick Cy #1")
    await house.say(BEA, "vote yes #1")
    assert "history #1" in house.letters(CY)[-1].text
    assert NOT not in await heard(house, CY, "history #1")


async def test_a_table_for_everybody_is_told_of_to_everybody(house: House) -> None:
    await table(house, [ANA, BEA])
    for said in ("status", "history", "who", "policy", "rules"):
        assert NOT not in await heard(house, MAL, f"{said} #1")


async def test_its_code_lets_somebody_in_who_was_told_nothing(house: House) -> None:
    await house.say(ANA, "new classic 3 invite")
    code = house.store.read_now(lambda tx: tx.all(Game))[0].settings.split('"code": "')[1][:8]
    assert NOT in await heard(house, MAL, "status #1")
    await house.say(MAL, f"join {code}")
    assert NOT not in await heard(house, MAL, "who #1")


async def test_a_table_is_closed_and_opened_where_there_are_no_pages(tmp_path: Path) -> None:
    """What is asked by its number goes by the same rule there."""
    one = await House(tmp_path / "bare.db").open()
    try:
        await table(one, [ANA, BEA])
        assert "Ana" in await heard(one, MAL, "who #1")
        assert "no web pages" in await heard(one, BEA, "page #1")
        assert "not seated" in await heard(one, MAL, "page private #1") or "no seat" in one.last(MAL).text
        assert "only to those who play there" in await heard(one, BEA, "page private #1")
        assert NOT in (said := await heard(one, MAL, "who #1"))
        assert "page" not in said, "there is none whose address they could ask for"
        assert NOT in await heard(one, MAL, "page public #1") or "in charge" in one.last(MAL).text
        assert "everybody who asks" in await heard(one, ANA, "page public #1")
        assert "Ana" in await heard(one, MAL, "who #1")
    finally:
        await one.close()
