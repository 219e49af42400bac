"""A season's vacation is one account for all of its tables; a table outside of seasons has its own."""

from __future__ import annotations

import json

import pytest

from referee.service.deadlines import clock_state
from referee.store import Deadline, Game, GameEvent, SeasonTime, Tx
from tests.service.playing import asked, running, table
from tests.service.rig import House

ANA, BEA, CY = "telegram:ana", "matrix:@bea:hs", "terminal:cy"
HOUR = 3_600_000
FOUR_DAYS = "24h no bank no quiet no nights vacation 4d"


async def tables(house: House, season: str, *crowds: list[str], hours: str = FOUR_DAYS) -> list[int]:
    """Running tables of these people, all of one season."""
    found = [await table(house, people, hours=hours) for people in crowds]

    def of_the_season(tx: Tx) -> None:
        for number in found:
            settings = json.loads(tx.get(Game, number).settings)
            tx.set(Game, number, settings=json.dumps({**settings, "season": season}))

    house.store.write_now(of_the_season)
    return found


def spans(house: House, game: int, no: int = 0) -> list[tuple[int, int]]:
    return clock_state.read_clocks(running(house, game)).seat(no).vacations


def told(house: House, game: int) -> list[str]:
    return [
        one.name
        for one in house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, order="no"))
        if one.name.startswith("vacation")
    ]


async def test_days_are_counted_once_for_all_tables_and_begin_together(house: House) -> None:
    one, two = await tables(house, "spring", [ANA, BEA], [ANA, CY])
    (own,) = [await table(house, [ANA, BEA], hours=FOUR_DAYS)]
    await house.say(ANA, f"#{one} vacation 3 days")
    assert f"#{two}" in house.last(ANA).text
    until = [(house.clock(), house.clock() + 72 * HOUR)]
    assert spans(house, one) == spans(house, two) == until
    assert spans(house, own) == []
    assert told(house, one) == told(house, two) == ["vacation_began"]
    house.clock.pass_(hours=80)
    await house.say(ANA, f"#{two} vacation 2 days")
    assert "you have 1 left" in house.last(ANA).text
    await house.say(ANA, f"#{own} vacation 4 days")
    assert len(spans(house, own)) == 1
    await house.say(ANA, f"#{two} vacation 1 day")
    assert spans(house, one) == spans(house, two)
    assert len(spans(house, one)) == 2
    assert house.store.read_now(lambda tx: tx.count(SeasonTime)) == 1


async def test_said_for_all_games_it_is_one_vacation(house: House) -> None:
    one, two = await tables(house, "spring", [ANA, BEA], [ANA, CY])
    await house.say(ANA, "vacation 3 days")
    assert spans(house, one) == spans(house, two) == [(house.clock(), house.clock() + 72 * HOUR)]
    house.clock.pass_(hours=24)
    await house.say(ANA, "here")
    assert spans(house, one) == spans(house, two) == [(house.clock() - 24 * HOUR, house.clock())]
    assert told(house, one) == told(house, two) == ["vacation_began", "vacation_ended"]
    assert "3 days of vacation left" in house.last(ANA).text


async def test_one_that_begins_by_itself_begins_everywhere_and_ends_everywhere(house: House) -> None:
    hours = "24h free 2h bank 10h credit 0h reserve 4h no quiet no nights vacation 3d"
    one, two = await tables(house, "spring", [ANA, BEA], [BEA, ANA], hours=hours)
    who = [ANA, BEA][asked(house, one)]
    house.clock.pass_(hours=8)
    await house.referee.scheduler.ring()
    await house.settle()
    mine = [asked(house, one), 1 - asked(house, one)]
    assert spans(house, one, mine[0]) == spans(house, two, mine[1]) != []
    house.clock.pass_(hours=10)
    await house.say(who, f"#{two} here")
    assert spans(house, one, mine[0])[0][1] == house.clock()
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=one, kind="answer", done_ms=0))
    assert due is not None
    assert due.due_ms == house.clock() + 4 * HOUR


async def test_a_later_table_and_a_new_player_know_of_it(house: House) -> None:
    from referee.service.core.unit_of_work import StateCache, UnitOfWork
    from referee.service.tables import lobby
    from referee.store import Person
    from referee.text import Words

    (one,) = await tables(house, "spring", [ANA, BEA])
    await house.say(ANA, "vacation 4 days")

    def made(tx: Tx) -> int:
        uow = UnitOfWork(tx, house.clock(), Words(()), house.settings, StateCache())
        ana = tx.get(Person, 1)
        assert ana is not None
        return int(lobby.create(uow, ana, None, None, {"seats": 2, "season": "spring"}).id or 0)

    later = house.store.write_now(made)
    await house.say(CY, f"join #{later}")
    for who in (ANA, CY):
        await house.say(who, f"ready #{later}")
    assert running(house, later).status == "running"
    assert spans(house, later) == spans(house, one)
    house.clock.pass_(hours=100)
    await house.say(ANA, f"#{later} vacation 7 days")
    assert "left" in house.last(ANA).text
    assert len(spans(house, later)) == 1


@pytest.mark.parametrize("season", ["", "spring"])
async def test_an_outage_uses_up_no_vacation(house: House, season: str) -> None:
    """Of three days one was used when the machine went away: two are left when it is back."""
    crowds = [[ANA, BEA], [ANA, CY]] if season else [[ANA, BEA]]
    games, presence = await tables(house, season, *crowds), house.referee.scheduler.presence
    began = house.clock()
    await house.say(ANA, "vacation 3 days")
    house.clock.pass_(hours=24)
    await presence.report(0)
    house.clock.pass_(hours=36)
    await presence.credit()
    back = house.clock()
    assert [spans(house, one) for one in games] == len(games) * [
        [(began, began + 24 * HOUR), (back, back + 48 * HOUR)]
    ]
    for row in house.store.read_now(lambda tx: tx.all(SeasonTime)):
        assert [tuple(one) for one in json.loads(row.vacations)] == spans(house, games[0])
    await house.say(ANA, "here")
    assert "3 days" in house.last(ANA).text, house.last(ANA).text
