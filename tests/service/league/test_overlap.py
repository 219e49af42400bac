"""Rounds that overlap, and tables that somebody in charge lets run on into the next round."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.league import forecast
from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.deadlines import clock_state
from referee.service.decisions import unseat
from referee.service.league import lookup, pausing
from referee.service.league.scores import results
from referee.service.league.season import expectations, overlap, rounds, table_time
from referee.service.league.terms import read_terms
from referee.service.tables import lobby
from referee.store import Game, SeasonTable, Seat
from tests.service.league.seasons import (
    DAY,
    HOUR,
    QUICK,
    begun,
    do,
    opened,
    play,
    ready,
    rows,
    season,
    tables,
)
from tests.service.rig import House

#: nobody is ever missed: what is not played stays as it is
PATIENT = replace(QUICK, policy={"move_hours": 720.0})


@pytest.fixture
async def office(tmp_path: Path) -> AsyncIterator[House]:
    one = await opened(tmp_path / "r.db")
    yield one
    await one.close()


async def pass_(house: House, days: float) -> None:
    for _ in range(round(days * 4)):
        house.clock.pass_(hours=6)
        await house.referee.scheduler.ring()
        for table in tables(house, "gathering"):
            ready(house, table)
        await house.referee.scheduler.ring()
    await house.settle()


def states(house: House) -> list[str]:
    return [row.state for row in rows(house)]


def all_but(house: House, slow: int, round_no: int) -> None:
    for table in tables(house, "playing", round_no=round_no):
        if table.no != slow:
            play(house, table)


def table(house: House, no: int) -> SeasonTable:
    return next(one for one in tables(house) if one.no == no)


def extended(house: House, until_ms: int, by_ms: int) -> dict[str, Any]:
    now, slow = season(house), table(house, 1)
    return do(house, lambda one: overlap.extend(one, now, slow, until_ms, by_ms))


async def test_without_overlap_a_round_waits_for_the_slowest_table_of_the_one_before(office: House) -> None:
    await begun(office, 8, PATIENT)
    await pass_(office, 1)
    all_but(office, 1, 1)
    await pass_(office, 7)
    assert states(office) == ["open", "planned", "planned"]
    await pass_(office, 3)  # its overtime: the office rules it
    assert table(office, 1).state == "ruled"
    assert states(office)[:2] == ["closed", "open"]


async def test_rounds_that_overlap_begin_on_their_day(office: House) -> None:
    await begun(office, 8, replace(PATIENT, overlap=True, overtime_days=30))
    second = rows(office)[1].starts_ms
    await pass_(office, 1)
    all_but(office, 1, 1)
    await pass_(office, 7)
    assert states(office) == ["open", "open", "planned"]
    assert rows(office)[1].starts_ms == second
    slow, there = table(office, 1), lookup.people_of(table(office, 1))
    assert slow.state == "playing"
    # everybody of the slow table sits at two, and at no more: the third round waits for the first
    seated = [who for one in tables(office, "playing") for who in lookup.people_of(one)]
    assert {seated.count(who) for who in there} == {2}
    all_but(office, 1, 2)
    await pass_(office, 8)
    assert states(office) == ["open", "open", "planned"]
    play(office, slow)
    await pass_(office, 0.5)
    assert states(office) == ["closed", "closed", "open"]
    mine = do(office, lambda one: results.standings(one, season(office), 1))
    assert {row.played for row in mine} == {2}


async def test_with_overlap_and_early_a_late_end_pulls_no_round_forward(office: House) -> None:
    await begun(office, 8, replace(PATIENT, overlap=True, early=True, overtime_days=30))
    await pass_(office, 1)
    all_but(office, 1, 1)
    await pass_(office, 7)
    third = rows(office)[2].starts_ms
    play(office, table(office, 1))
    await pass_(office, 0.5)
    assert states(office) == ["closed", "open", "planned"]
    assert rows(office)[2].starts_ms == third


async def test_a_table_runs_on_into_the_next_round(office: House) -> None:
    await begun(office, 8, PATIENT)
    await pass_(office, 1)
    all_but(office, 1, 1)
    await pass_(office, 5)
    office.wires["terminal"].sent.clear()
    facts = extended(office, 0, 0)
    assert facts["until_ms"] == 0
    assert facts["left"] > 0
    await office.settle()
    told = {
        one.address for one in office.wires["terminal"].sent if "may be played on until it ends" in one.text
    }
    assert told == {f"p{who}" for who in lookup.people_of(table(office, 1))}
    await pass_(office, 3)
    assert states(office) == ["open", "open", "planned"]
    await pass_(office, 3)  # nobody rules it
    assert table(office, 1).state == "playing"
    play(office, table(office, 1))
    await pass_(office, 0.5)
    assert table(office, 1).state == "over"
    assert table(office, 1).round == 1
    assert states(office) == ["closed", "open", "planned"]


async def test_a_table_runs_on_until_a_day(office: House) -> None:
    await begun(office, 8, PATIENT)
    await pass_(office, 1)
    all_but(office, 1, 1)
    ruled = table_time.ruled_ms(read_terms(season(office)), rows(office)[0], table(office, 1))
    assert ruled == rows(office)[0].ends_ms + 3 * DAY
    with pytest.raises(Refusal, match="league-table-not-later"):
        extended(office, ruled - HOUR, 0)
    facts = extended(office, 0, 5 * DAY)
    assert facts["until_ms"] == ruled + 5 * DAY
    await pass_(office, 7)
    assert states(office) == ["open", "open", "planned"]
    await pass_(office, 6.5)
    assert table(office, 1).state == "playing"
    await pass_(office, 1)
    assert table(office, 1).state == "ruled"
    assert states(office)[0] == "closed"
    with pytest.raises(Refusal, match="league-table-state"):
        extended(office, 0, 0)


async def test_a_round_ends_later_while_the_next_one_is_on(office: House) -> None:
    await begun(office, 8, replace(PATIENT, overlap=True))
    await pass_(office, 8)
    assert states(office)[:2] == ["open", "open"]
    before = rows(office)
    do(office, lambda one: rounds.postpone(one, season(office), 1, before[0].ends_ms + 5 * DAY))
    after = rows(office)
    assert after[0].ends_ms == before[0].ends_ms + 5 * DAY
    assert [row.starts_ms for row in after[1:]] == [row.starts_ms for row in before[1:]]


async def test_tables_in_danger_are_those_that_need_longer_than_they_have(office: House) -> None:
    await begun(office, 8, replace(PATIENT, round_days=28))
    await pass_(office, 1)
    assert do(office, lambda one: table_time.in_danger(one, season(office))) == []
    await pass_(office, 24)  # nobody has done anything
    found = do(office, lambda one: table_time.in_danger(one, season(office)))
    assert {one.table.no for one in found} == {1, 2}
    assert all(one.until_ms == rows(office)[0].ends_ms + 3 * DAY for one in found)
    assert all(one.left > (one.until_ms - office.clock()) / DAY for one in found)
    play(office, table(office, 1))
    await office.referee.scheduler.ring()
    left = do(office, lambda one: table_time.in_danger(one, season(office)))
    assert [one.table.no for one in left] == [2]


async def test_a_pause_brings_no_table_into_danger(office: House) -> None:
    """Neither is it played slower by it, nor has it the days of the pause to be played in."""
    await begun(office, 8, replace(PATIENT, round_days=28))
    await pass_(office, 1)
    playing = tables(office, "playing")

    def needs() -> list[float | None]:
        the = season(office)
        return do(office, lambda one: [table_time.days_left(one, the, row) for row in playing])

    before = needs()
    assert do(office, lambda one: table_time.in_danger(one, season(office))) == []
    do(office, lambda one: pausing.pause(one, season(office), 0, office.clock() + 40 * DAY, ""))
    await pass_(office, 39)
    assert needs() == before
    assert do(office, lambda one: table_time.in_danger(one, season(office))) == []
    await pass_(office, 1)
    assert needs() == before
    assert do(office, lambda one: table_time.in_danger(one, season(office))) == []


async def test_of_a_policy_of_its_own_a_table_needs_what_was_measured(office: House) -> None:
    await begun(office, 8, replace(PATIENT, round_days=28))
    await pass_(office, 1)
    the = season(office)
    plans = dict.fromkeys(forecast.PLANS, (90.0, 0.2, 9.0, 2))
    measured = {"kind": expectations.kind_of(read_terms(the)), "plans": plans}
    do(office, lambda one: expectations.remember(one, the, measured=measured))
    the = season(office)
    first = tables(office, "playing")[0]
    assert do(office, lambda one: table_time.days_left(one, season(office), first)) == pytest.approx(
        90, abs=5
    )


async def test_who_is_struck_out_is_waited_for_at_no_other_table(office: House) -> None:
    await begun(office, 8, replace(PATIENT, overlap=True), spare=2)
    await pass_(office, 8)
    assert states(office)[:2] == ["open", "open"]
    first = tables(office, "playing", round_no=1)[0]
    who = lookup.people_of(first)[0]
    second = next(one for one in tables(office, "playing", round_no=2) if who in lookup.people_of(one))

    def seat_of(uow: UnitOfWork, table: SeasonTable) -> tuple[Game, Seat]:
        return lobby.reload(uow, table.game_id), next(
            seat for seat in uow.seats(table.game_id) if seat.person_id == who
        )

    def kick(uow: UnitOfWork) -> None:
        game, seat = seat_of(uow, first)
        unseat.kick(uow, game, {"player": seat.no}, {"seat": None, "by": "x"})

    do(office, kick)
    await office.referee.scheduler.ring()
    assert do(office, lambda uow: lookup.entry_of(uow, season(office), who)).state == "withdrawn"
    game, seat = do(office, lambda uow: seat_of(uow, second))
    assert clock_state.read_clocks(game).seat(seat.no).offered
    assert not lookup.mind(season(office)).get("struck")
