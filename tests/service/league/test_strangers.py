"""What a league tells to people who have no part in it: all of it where it is public, else only what they
need to sign up; and never whose address it is that they know.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.league.office import rulings
from referee.states import TablePage
from referee.store import Game, Season
from tests.service.league.seasons import do, season, tables
from tests.service.league.talking import BEA, BOSS, CY, FLO, ROOM, house_of, running, told
from tests.service.rig import House

#: what tells of the people and their games
INSIDE = (
    "people",
    "standings",
    "schedule",
    "tables",
    "table 1",
    "player Cy",
    "stats",
    "seasons",
    "hall",
    "export standings",
)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


async def test_an_address_names_nobody_to_people_who_run_nothing(house: House) -> None:
    """Else anybody who knows an address learns how its person is called, and the other way round."""
    await running(house)
    assert "Cy" in await told(house, BOSS, "league player terminal:cy")
    assert "Cy" in await told(house, FLO, "league player Cy")
    for who in (FLO, CY):
        known = await told(house, who, "league player terminal:bea")
        assert "Bea" not in known
        assert known.replace("terminal:bea", "") == (
            await told(house, who, "league player terminal:zoe")
        ).replace("terminal:zoe", "")


async def test_two_of_a_name_are_told_apart_by_what_the_asker_may_know(house: House) -> None:
    await running(house)
    for who in ("telegram:8", "telegram:9"):
        await house.say(who, "hello")
        await house.say(who, "name Gil")
    assert "telegram:123456" in await told(house, BOSS, "league player Gil")
    assert "league people" in (asked := await told(house, FLO, "league player Gil"))
    assert "telegram:123456" not in asked
    assert "telegram:123456" not in await told(house, FLO, "league player Nobody")


async def test_who_is_known_to_the_house_is_told_to_those_who_run_the_league(house: House) -> None:
    """Who never was in it is nobody to anybody else: there else all names could be tried."""
    await running(house)
    await house.say("telegram:9", "hello")
    await house.say("telegram:9", "name Zoe")
    assert "Zoe has played in no league yet" in await told(house, BOSS, "league player Zoe")
    for who in (FLO, CY, "telegram:9"):
        known = await told(house, who, "league player Zoe")
        assert known.replace("Zoe", "Abe") == await told(house, who, "league player Abe")


async def test_who_was_in_an_earlier_season_is_somebody_to_all(house: House) -> None:
    await running(house)
    await house.say(BOSS, "league void season because nobody came")
    await house.say(BEA, "league second")
    house.store.write_now(lambda tx: tx.change(Season, {"no": 1}, state="over"))
    assert "open for sign-up" in await told(house, BOSS, "league open")
    assert "I know nobody" not in (said := await told(house, FLO, "league player Cy"))
    assert "season 1" in said


@pytest.mark.parametrize("act", INSIDE)
async def test_a_league_that_is_not_public_is_told_of_to_its_people(house: House, act: str) -> None:
    """As on its pages: to who plays there, who runs it, and in rooms with its news."""
    await running(house)
    assert "is not for everybody" not in await told(house, FLO, f"league {act}")
    await house.say(BOSS, "league set public no")
    refused = await told(house, FLO, f"league {act}")
    assert "is not for everybody" in refused
    assert "Boss" in refused
    assert "is not for everybody" in await told(house, "telegram:flo", f"/league {act}", place=ROOM)
    for who in (BOSS, CY):
        assert (said := await told(house, who, f"league {act}"))
        assert "is not for everybody" not in said
    await house.say("telegram:boss", "hello")
    await house.say(BOSS, "league role telegram:boss director")
    await house.say("telegram:boss", "/league room here", place=ROOM)
    shown = await told(house, "telegram:flo", f"/league {act}", place=ROOM)
    assert shown
    assert "is not for everybody" not in shown


@pytest.mark.parametrize("act", ["", "list", "settings", "roles", "help", "join"])
async def test_what_one_must_know_to_sign_up_is_told_to_all(house: House, act: str) -> None:
    await running(house)
    await house.say(BOSS, "league set public no")
    assert (said := await told(house, FLO, f"league {act}".strip()))
    assert "is not for everybody" not in said


async def test_a_league_that_is_closed_to_strangers_closes_its_tables_too(house: House) -> None:
    """At once, those that are on and those of later rounds: each names who plays in it."""
    await running(house)
    assert "Cy" in await told(house, FLO, "who #1")
    said = await told(house, BOSS, "league set public no")
    assert "holds at once" in said
    assert "next season" not in said
    for asked in ("who #1", "status #1", "history #1"):
        assert "Cy" not in await told(house, FLO, asked), asked
        assert "Bea" in await told(house, CY, asked) or asked == "history #1"
    now, first = season(house), tables(house)[0]
    do(house, lambda one: rulings.void(one, now, first))
    for _ in range(30):
        house.clock.pass_(hours=48)
        await house.referee.scheduler.ring()
        await house.settle()
    assert len(pages := house.store.read_now(lambda tx: tx.column(Game, "page", order="id"))) > 1
    assert set(pages) == {TablePage.PRIVATE}
