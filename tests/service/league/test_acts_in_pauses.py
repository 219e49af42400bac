"""Acts and outages in the midst of a season's pause: nothing is moved twice, and nothing begins in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.ids import RoundNo
from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.deadlines.open_proposals import extend_proposals
from referee.service.league import hooks, pausing
from referee.service.league.office import rulings
from referee.service.league.season import outages, rounds
from referee.store import Deadline, Proposal
from tests.service.league.seasons import (
    DAY,
    HOUR,
    QUICK,
    begun,
    do,
    game,
    play_round,
    ready,
    rows,
    season,
    tables,
)
from tests.service.league.talking import BOSS, house_of, running, told
from tests.service.rig import House


async def paused(office: House, days: int) -> int:
    """From now on, for so long; when that was, ms."""
    now = office.clock()
    do(office, lambda uow: pausing.pause(uow, season(office), 0, now + days * DAY, ""))
    await office.referee.scheduler.ring()
    return now


async def test_an_outage_in_a_pause_moves_no_date_once_more(office: House) -> None:
    await begun(office, 8)
    for table in tables(office, "gathering"):
        ready(office, table)
    was = rows(office)[0].ends_ms
    await paused(office, 10)
    office.clock.pass_(hours=9 * 24)
    since = office.clock()
    office.clock.pass_(hours=3 * 24)  # a day of it in the pause
    do(office, lambda uow: outages.extend_seasons(uow, since))
    await office.referee.scheduler.ring()
    assert rows(office)[0].ends_ms - was == 12 * DAY


async def test_an_outage_in_a_pause_moves_no_vote_once_more(office: House) -> None:
    await begun(office, 8)
    first = tables(office, "gathering")[0]
    ready(office, first)
    due_ms = office.clock() + DAY

    def vote(uow: UnitOfWork) -> int:
        number = uow.tx.add(
            Proposal,
            game_id=first.game_id,
            act="pause",
            facts="{}",
            person_id=1,
            at_ms=uow.now_ms,
            seat=0,
            held="[]",
            answers="{}",
            due_ms=due_ms,
        )
        uow.tx.add(Deadline, game_id=first.game_id, seat=-1, question=number, kind="vote", due_ms=due_ms)
        return int(number)

    number = do(office, vote)
    await paused(office, 10)
    office.clock.pass_(hours=72)
    since = office.clock()
    office.clock.pass_(hours=48)
    do(office, lambda uow: extend_proposals(uow, since))
    found = do(office, lambda uow: uow.tx.get(Proposal, number))
    assert found is not None
    assert found.due_ms == due_ms + 10 * DAY


async def test_a_table_that_is_played_again_has_its_days_after_the_pause(office: House) -> None:
    await begun(office, 8, replace(QUICK, overtime="rule", overtime_days=2, early=True))
    play_round(office)
    await office.referee.scheduler.ring()
    row = rows(office)[0]
    assert row.state == "closed"
    began, first = await paused(office, 30), tables(office, round_no=1)[0]
    do(office, lambda uow: rulings.replay(uow, season(office), first))
    assert rows(office)[0].ends_ms == began + 30 * DAY + row.ends_ms - row.starts_ms
    await office.referee.scheduler.ring()
    ready(office, tables(office, "gathering", round_no=1)[0])
    for _ in range(20):
        office.clock.pass_(hours=24)
        await office.referee.scheduler.ring()
    assert tables(office, round_no=1)[-1].state == "playing"
    office.clock.pass_(hours=-24)
    do(office, lambda uow: pausing.resume(uow, season(office)))  # earlier than was said
    assert rows(office)[0].ends_ms == office.clock() + row.ends_ms - row.starts_ms


@pytest.mark.parametrize("number", [1, 2])
async def test_no_round_is_put_off_while_dates_wait_for_the_end_of_a_pause(
    office: House, number: int
) -> None:
    """It would open in the midst of it, or come earlier than was said where the pause ends early."""
    await begun(office, 8)
    now = await paused(office, 30)
    before = rows(office)
    with pytest.raises(Refusal) as refused:
        do(office, lambda uow: rounds.postpone(uow, season(office), RoundNo(number), now + 40 * DAY))
    assert refused.value.code == "league-pauses"
    assert rows(office) == before


async def test_the_letter_of_a_round_that_is_put_off_reckons_with_a_pause_to_come(office: House) -> None:
    await begun(office, 8)
    now, until = office.clock(), rows(office)[1].starts_ms + DAY
    do(office, lambda uow: pausing.pause(uow, season(office), now + DAY, now + 11 * DAY, ""))
    facts = do(office, lambda uow: rounds.postpone(uow, season(office), RoundNo(2), until))
    assert facts["until_ms"] == until + 10 * DAY
    office.clock.pass_(hours=25)
    await office.referee.scheduler.ring()
    assert rows(office)[1].starts_ms == facts["until_ms"]
    assert rows(office)[1].ends_ms == facts["ends_ms"]


async def test_nobody_is_reminded_of_a_table_that_gathers_in_a_pause(office: House) -> None:
    await begun(office, 8, replace(QUICK, late_hours=48))
    now = office.clock()
    do(office, lambda uow: pausing.pause(uow, season(office), now + 30 * HOUR, now + 270 * HOUR, ""))

    def reminded() -> list[bool]:
        rows = [hooks.read_league(game(office, one)) for one in tables(office, "gathering")]
        return [bool(told and told.get("reminded")) for told in rows]

    office.clock.pass_(hours=23.5)
    await office.referee.scheduler.ring()
    assert reminded() == [False, False]
    office.clock.pass_(hours=1)
    await office.referee.scheduler.ring()
    assert reminded() == [True, True]
    assert season(office).due_ms == now + 30 * HOUR


async def test_a_reminder_in_a_pause_comes_behind_it(office: House) -> None:
    await begun(office, 8, replace(QUICK, late_hours=48))
    now = office.clock()
    do(office, lambda uow: pausing.pause(uow, season(office), now + 10 * HOUR, now + 250 * HOUR, ""))
    for _ in range(10):
        office.clock.pass_(hours=24)
        await office.referee.scheduler.ring()
    told = hooks.read_league(game(office, tables(office, "gathering")[0]))
    assert told is not None
    assert not told.get("reminded")
    assert season(office).due_ms == now + 250 * HOUR
    office.clock.pass_(hours=11)
    await office.referee.scheduler.ring()
    assert season(office).due_ms == now + 264 * HOUR


async def test_a_refusal_says_a_day_in_the_zone_of_the_person_who_said_it(tmp_path: Path) -> None:
    house = await house_of(tmp_path / "league.db")
    await running(house)
    await house.say(BOSS, "zone America/Sao_Paulo")
    await told(house, BOSS, "league pause until 30 Sep")
    said = await told(house, BOSS, "league postpone round 1 until 20 Oct")
    assert "pauses until Wed 30 Sep 23:59 (Sao Paulo)" in said
    await house.close()
