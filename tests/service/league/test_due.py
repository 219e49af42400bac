"""The office's clock: restarts in the midst of things, draws that were lost, outages, held clocks, a season
that breaks.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from referee.league import Unseatable
from referee.league.lots import Lots, sent
from referee.service.deadlines import hold
from referee.service.league import due, lookup
from referee.service.league.entry import sign_up
from referee.service.league.season import draw, draw_worker, rounds
from referee.store import Address, Alert, Game, LeagueRole, Outbox, Season
from tests.service.league.seasons import (
    DAY,
    HOUR,
    QUICK,
    begun,
    do,
    ended,
    game,
    joined,
    league,
    opened,
    people,
    person,
    play_round,
    ready,
    rows,
    season,
    tables,
)
from tests.service.league.talking import BOSS, told
from tests.service.rig import House


def step(house: House) -> object:
    """One step of the office, in a transaction of its own."""
    return do(house, lambda one: due.advance(one, season(house)))


async def again(house: House, hours: float = 0) -> House:
    """The process is killed, and another one begins so much later."""
    path, clock = house.path, house.clock
    await house.store.close()
    clock.pass_(hours=hours)
    return await opened(path, clock=clock)


async def signed(house: House, many: int, closes: int = 0, starts: int = 0) -> list[int]:
    the = league(house)
    do(house, lambda one: sign_up.open_season(one, the, closes, starts))
    found = people(house, many)
    joined(house, found)
    return found


async def test_killed_while_a_round_opens_no_table_is_laid_twice_or_forgotten(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db")
    await signed(house, 32)
    do(house, lambda one: draw.draw(one, season(house)))
    await house.referee.scheduler.ring()
    do(house, lambda one: rounds.start(one, season(house)))
    for _ in range(3):  # it begins, the round is open, the first few tables are laid
        step(house)
    laid = len(tables(house, "gathering"))
    assert 0 < laid < 8
    house = await again(house)
    await house.referee.scheduler.ring()
    first = tables(house, round_no=1)
    assert [one.state for one in first] == ["gathering"] * 8
    assert len({one.game_id for one in first}) == 8
    assert house.store.read_now(lambda tx: tx.count(Game)) == 8
    await house.close()


async def test_a_draw_that_was_lost_with_its_process_is_drawn_again(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db")
    await signed(house, 8)
    do(house, lambda one: draw.draw(one, season(house)))
    assert step(house) is not None
    house = await again(house, hours=0.2)
    await house.referee.scheduler.ring()
    assert season(house).state == "drawn"
    await house.close()


async def test_who_signs_up_while_the_draw_is_worked_out_is_drawn_too(office: House) -> None:
    await signed(office, 8)
    do(office, lambda one: draw.draw(one, season(office)))
    lots = do(office, lambda one: due.advance(one, season(office)))
    assert lots is not None
    late = people(office, 1, first=60)[0]
    joined(office, [late])
    what = await draw_worker.worked(lots)
    do(office, lambda one: due.save_drawn(one, int(season(office).id or 0), lots, what))
    assert season(office).state == "signup"
    await office.referee.scheduler.ring()
    assert season(office).state == "drawn"
    assert (
        late
        in [who for one in tables(office, round_no=1) for who in lookup.people_of(one)]
        + lookup.facts_of(rows(office)[0])["byes"]
    )


@pytest.mark.parametrize("running", [False, True])
async def test_a_draw_that_two_processes_worked_out_is_told_once(office: House, running: bool) -> None:
    """One hung, or was so slow that another began anew."""
    await signed(office, 8)
    do(office, lambda one: draw.draw(one, season(office)))
    await office.referee.scheduler.ring()
    if running:
        do(office, lambda one: rounds.start(one, season(office)))
        await office.referee.scheduler.ring()
    do(office, lambda one: draw.redraw(one, season(office)))
    lots = do(office, lambda one: due.advance(one, season(office)))
    assert lots is not None
    what = await draw_worker.worked(lots)
    told = []
    for _ in range(2):
        do(office, lambda one: due.save_drawn(one, season(office).id, lots, what))
        await office.settle()
        told.append((office.store.read_now(lambda tx: tx.count(Outbox)), [one.id for one in tables(office)]))
    assert told[0] == told[1]


async def test_a_large_draw_is_worked_out_in_a_process_of_its_own(office: House) -> None:
    await signed(office, 80)
    do(office, lambda one: rounds.start(one, season(office)))
    await office.referee.scheduler.ring()
    assert len(tables(office, "gathering")) == 20


async def test_nobody_waits_for_a_draw_when_we_stop() -> None:
    lots = Lots(tuple(range(61)), rounds=11, seed="long")
    before = set(multiprocessing.active_children())
    task = asyncio.create_task(draw_worker.worked(lots))
    while not set(multiprocessing.active_children()) - before:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert set(multiprocessing.active_children()) <= before


def test_why_there_is_no_draw_is_told_from_process_to_process() -> None:
    class End:
        told: object = None

        def send(self, answer: object) -> None:
            self.told = pickle.loads(pickle.dumps(answer))

    end = End()
    sent(end, Lots((1, 2), rounds=2))
    assert isinstance(end.told, Unseatable)
    assert (end.told.code, end.told.facts) == ("too-few-to-seat", {"people": 2, "least": 4})


async def test_an_outage_of_days_costs_a_season_nothing(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db")
    await begun(house, 8)
    before = [(row.starts_ms, row.ends_ms) for row in rows(house)]
    house.clock.pass_(hours=24)
    await house.referee.scheduler.stop()
    table = tables(house, "gathering")[0]
    house = await again(house, hours=6 * 24)
    after = [(row.starts_ms, row.ends_ms) for row in rows(house)]
    assert after[0] == (before[0][0], before[0][1] + 6 * DAY)
    assert after[1:] == [(start + 6 * DAY, end + 6 * DAY) for start, end in before[1:]]
    await house.referee.scheduler.ring()
    assert game(house, table).status == "mustering"  # its 48 hours were not over when we went away
    house.clock.pass_(hours=24)
    await house.referee.scheduler.ring()
    assert game(house, table).status != "mustering"
    await house.close()


async def test_a_start_with_a_clock_a_year_ahead_puts_no_season_off(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db")
    await begun(house, 8)
    await house.referee.scheduler.stop()
    before = [(row.starts_ms, row.ends_ms) for row in rows(house)]
    gathers = game(house, tables(house, "gathering")[0]).settings
    for days in (365, -365):
        house = await again(house, hours=24 * days)
        await house.referee.scheduler.ring()
    assert [(row.starts_ms, row.ends_ms) for row in rows(house)] == before
    assert game(house, tables(house, "gathering")[0]).settings == gathers
    await house.close()


async def test_sign_up_stays_open_longer_by_our_outage(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db")
    at = house.clock()
    await signed(house, 8, at + 3 * DAY, at + 5 * DAY)
    await house.referee.scheduler.stop()
    house = await again(house, hours=2 * 24)
    assert (season(house).closes_ms, season(house).starts_ms) == (at + 5 * DAY, at + 7 * DAY)
    await house.close()


async def test_while_clocks_are_held_no_season_moves(office: House) -> None:
    at = office.clock()
    await signed(office, 8, at + DAY, at + 2 * DAY)
    do(office, lambda one: hold.hold(one, one.now_ms, "clock-jumped", seconds=1))
    office.clock.pass_(hours=60)
    await office.referee.scheduler.ring()
    assert season(office).state == "signup"
    do(office, hold.release)
    assert season(office).closes_ms == at + DAY + 60 * HOUR
    await office.referee.scheduler.ring()
    assert season(office).state == "signup"
    office.clock.pass_(hours=24)
    await office.referee.scheduler.ring()
    assert season(office).state == "drawn"


async def test_a_season_that_breaks_leaves_the_others_alone_and_is_tried_again(
    office: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begun(office, 8)
    broken = int(season(office).id or 0)
    the = league(office, name="Other Cup")
    do(office, lambda one: sign_up.open_season(one, the, office.clock() + DAY, 0))
    joined(office, people(office, 8, first=30))
    real = due.STEPS["running"]

    def fails(*_: object) -> bool:
        raise RuntimeError("on purpose")

    monkeypatch.setattr(due, "STEPS", {**due.STEPS, "running": fails})
    for one in tables(office, "gathering"):
        if one.season_id == broken:
            ready(office, one)
    office.clock.pass_(hours=24)
    await office.referee.scheduler.ring()
    assert season(office).state == "drawn"
    assert [one.code for one in office.store.read_now(lambda tx: tx.all(Alert))] == ["season-broke"]
    monkeypatch.setattr(due, "STEPS", {**due.STEPS, "running": real})
    office.clock.pass_(hours=8 * 24)
    await office.referee.scheduler.ring()
    row = office.store.read_now(lambda tx: tx.get(Season, broken))
    assert row is not None
    assert row.due_ms > office.clock()


async def test_people_hear_of_the_end_of_sign_up_a_day_before_once(office: House) -> None:
    at = office.clock()
    the = league(office)
    do(office, lambda one: sign_up.open_season(one, the, at + 7 * DAY, 0))
    joined(office, people(office, 8))
    for _ in range(5):
        office.clock.pass_(hours=36)
        await office.referee.scheduler.ring()
        await office.settle()
    assert sum("sign-up ends" in one.text for one in office.letters("terminal:p1")) == 1


async def test_a_round_waits_for_its_day_unless_the_league_goes_on_early(office: House) -> None:
    await begun(office, 8, replace(QUICK, early=True))
    before = [row.starts_ms for row in rows(office)]
    office.clock.pass_(hours=10)
    play_round(office)
    await office.referee.scheduler.ring()
    assert [row.state for row in rows(office)] == ["closed", "open", "planned"]
    assert rows(office)[1].starts_ms == office.clock()
    assert rows(office)[2].starts_ms - rows(office)[1].starts_ms == before[2] - before[1]


async def test_a_round_without_a_table_lasts_its_time_also_where_the_league_goes_on_early(
    office: House,
) -> None:
    """Rounds and the season went by in a moment when a few had left who might have come back."""
    everybody = await begun(office, 4, replace(QUICK, early=True, rounds=4))
    play_round(office)
    the = season(office)
    for who in everybody[:2]:
        do(office, lambda one, who=who: sign_up.leave_season(one, the, person(one, who)))
    await office.referee.scheduler.ring()
    assert [row.state for row in rows(office)] == ["closed", "open", "planned", "planned"]
    for who in everybody[:2]:
        do(office, lambda one, who=who: sign_up.join(one, the, person(one, who)))
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    assert [row.state for row in rows(office)] == ["closed", "closed", "open", "planned"]
    assert len(tables(office, "gathering", round_no=3)) == 1


async def test_a_season_does_not_end_over_what_is_before_its_office(tmp_path: Path) -> None:
    """Afterwards nothing of it can be changed: who had reported in time, or proposed, came too late."""
    house = await opened(tmp_path / "r.db", admins=(("terminal", "boss"),))
    await begun(house, 8, replace(QUICK, rounds=1))
    await house.say(BOSS, "hello")
    boss = house.store.read_now(lambda tx: tx.one(Address, address="boss")).person_id
    people(house, 1, first=80)
    other = house.store.read_now(lambda tx: tx.one(Address, address="p80")).person_id
    for who in (boss, other):
        house.store.write_now(
            lambda tx, who=who: tx.add(LeagueRole, league_id=1, person_id=who, role="director")
        )
    assert "takes two keys" in await told(house, BOSS, "league bonus Player 1x 3 because of a prize")
    await house.say("terminal:p2", "league report table 1 was not fair")
    play_round(house)
    await house.referee.scheduler.ring()
    assert [row.state for row in rows(house)] == ["open"]
    await house.say("terminal:p80", "league second 1")
    await house.referee.scheduler.ring()
    assert [row.state for row in rows(house)] == ["open"]
    await house.say(BOSS, "league handled 1 because it was")
    await ended(house)
    assert season(house).state == "over"
    await house.close()


@pytest.mark.parametrize(("what", "hours"), [("bonus Player 1x 3 because so", 24), ("report bad", 24 * 7)])
async def test_what_nobody_decides_holds_a_season_for_its_time_only(
    tmp_path: Path, what: str, hours: int
) -> None:
    house = await opened(tmp_path / "r.db", admins=(("terminal", "boss"),))
    await begun(house, 8, replace(QUICK, rounds=1))
    await house.say(BOSS, "hello")
    await told(house, "terminal:p2" if what.startswith("report") else BOSS, f"league {what}")
    play_round(house)
    await house.referee.scheduler.ring()
    assert season(house).state == "running"
    house.clock.pass_(hours=hours - 1)
    await house.referee.scheduler.ring()
    assert season(house).state == "running"
    house.clock.pass_(hours=1)
    await house.referee.scheduler.ring()
    assert season(house).state == "over"
    await house.close()


async def test_who_was_at_the_last_table_has_a_day_to_report_what_was_wrong_there(tmp_path: Path) -> None:
    """It was closed in the moment in which its last game ended: nobody could rule on that table any more."""
    house = await opened(tmp_path / "r.db", admins=(("terminal", "boss"),))
    await begun(house, 4, replace(QUICK, rounds=1, round_days=1))
    await house.say(BOSS, "hello")
    house.clock.pass_(hours=40)  # later than its round was to end
    play_round(house)
    await house.referee.scheduler.ring()
    house.clock.pass_(hours=23)
    await house.referee.scheduler.ring()
    assert season(house).state == "running"
    await house.say("terminal:p2", "league report table 1 was not fair")
    house.clock.pass_(hours=20)  # time for those who read it
    await house.referee.scheduler.ring()
    assert season(house).state == "running"
    await told(house, BOSS, "league handled 1 because it was")
    await house.referee.scheduler.ring()
    assert season(house).state == "over"
    await house.close()


async def test_the_bell_itself_draws_and_opens_a_season(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db", bell=True)
    running = asyncio.create_task(house.referee.scheduler.run())
    await signed(house, 8)
    do(house, lambda one: rounds.start(one, season(house)))
    house.referee.scheduler.wake()
    async with asyncio.timeout(30):
        while len(tables(house, "gathering")) < 2:
            await asyncio.sleep(0.02)
    assert season(house).state == "running"
    assert len(tables(house, "gathering")) == 2
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await house.close()


async def test_nothing_is_due_twice(office: House) -> None:
    await begun(office, 8)
    late = do(office, lambda one: lookup.fresh(one, season(office)))
    do(office, lambda one: one.tx.set(Season, late.id, due_ms=office.clock()))
    stale = season(office)
    assert do(office, lambda one: due.advance(one, stale)) is None
    moved = season(office).due_ms
    assert do(office, lambda one: due.advance(one, stale)) is None
    assert season(office).due_ms == moved
