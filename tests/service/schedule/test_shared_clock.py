"""Clocks that are wrong: nobody loses a move, the admin hears of it once, and once that it is right again."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.ports import Inbound
from referee.service import ForTesting, Referee, ServiceSettings, SharedClock
from referee.service.core.unit_of_work import StateCache, UnitOfWork
from referee.service.schedule.shared_clock import OFF_MS, ClockDriftAlert
from referee.store import Alert, Deadline, Store, Tx
from referee.text import Words
from tests import books
from tests.service.playing import asked, running, table
from tests.service.rig import Clock, House, Wire

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]
DAY_MS = 86_400_000


def test_the_databases_hour_is_gone_by_however_the_machine_is_set() -> None:
    machine, steady = Clock(1_000_000), Clock(5_000)
    hour = SharedClock(machine, steady)
    assert hour() == 1_000_000  # nothing better is known yet
    hour.heard(5_000, 90_000_000, 5_000)
    assert hour() == 90_000_000
    assert hour.off_ms == 1_000_000 - 90_000_000
    steady.at_ms += 700
    machine.at_ms += DAY_MS  # somebody sets the machine's clock: nothing happens
    assert hour() == 90_000_700
    hour.heard(5_700, 90_000_900, 5_900)  # a little off, and unsure by as much: left as it is
    assert hour() == 90_000_700
    hour.heard(5_700, 90_060_700, 5_700)  # the database's clock was set: that is the hour now
    assert hour() == 90_060_700
    machine.at_ms = hour() + OFF_MS
    hour.heard(5_700, 90_060_700, 5_700)
    assert hour.off_ms  # not quite right yet
    machine.at_ms = hour() + 500
    hour.heard(5_700, 90_060_700, 5_700)
    assert hour.off_ms == 0


async def test_the_admin_hears_of_it_once(house: House) -> None:
    hour = SharedClock(house.clock, Clock(0))

    def uow(tx: Tx) -> UnitOfWork:
        return UnitOfWork(tx, house.clock(), Words(()), house.settings, StateCache())

    machines = [
        ClockDriftAlert(house.store, hour, uow, lambda one: None, name) for name in ("here", "here", "there")
    ]

    async def looked() -> list[str]:
        for one in machines:
            await one.look()
        return [
            f"{row.code} {row.facts}" for row in house.store.read_now(lambda tx: tx.all(Alert, order="id"))
        ]

    hour.heard(0, house.clock(), 0)
    assert await looked() == []
    hour.heard(0, house.clock() - DAY_MS, 0)
    off = [
        'clock-off {"machine": "here", "seconds": 86400}',
        'clock-off {"machine": "there", "seconds": 86400}',
    ]
    assert await looked() == off
    assert await looked() == off
    hour.heard(0, house.clock(), 0)
    assert await looked() == [*off, 'clock-right {"machine": "here"}', 'clock-right {"machine": "there"}']


async def test_a_clock_a_day_ahead_at_the_start_and_put_right_later_costs_nobody_a_move(
    tmp_path: Path,
) -> None:
    """A file: there is no other clock.

    The day that seems to have passed is an outage, and when the clock is put right it has jumped.
    """
    clock, steady = Clock(), Clock(0)
    house = await House(tmp_path / "r.db", clock).open()
    game = await table(house, PEOPLE)
    before = running(house, game)
    await house.close()
    clock.pass_(hours=24)  # the machine comes up with a wrong clock
    house = await House(tmp_path / "r.db", clock).open()
    house.referee.scheduler.presence._steady_ms = steady
    for _ in range(2):
        await house.referee.scheduler.ring()
    assert running(house, game).move_no == before.move_no
    clock.pass_(hours=-24)  # and is put right
    await house.referee.scheduler.ring()
    clock.pass_(hours=23.9)
    steady.at_ms += round(23.9 * 3_600_000)
    await house.referee.scheduler.ring()
    assert running(house, game).move_no == before.move_no
    assert [row.code for row in house.store.read_now(lambda tx: tx.all(Alert, order="id"))] == [
        "outage",
        "clock-jumped",
    ]
    await house.say(PEOPLE[asked(house, game)], "1")
    assert running(house, game).move_no > before.move_no
    await house.close()


servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)


@pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")
@pytest.mark.parametrize("ahead_days", [1, -1])
async def test_a_process_whose_clock_is_a_day_off_beside_a_shared_book(
    tmp_path: Path, ahead_days: int
) -> None:
    """Its deadlines are those of all others, and it rings none before its time."""
    store = Store.open(books.address(tmp_path / "shared", postgres=True))
    real = await store.write(lambda tx: tx.clock_ms())
    machine, steady = Clock(real + ahead_days * DAY_MS), Clock(1_000)
    hour, wire = SharedClock(machine, steady), Wire("telegram")
    referee = Referee(
        store,
        Words(()),
        [wire],
        clock_ms=hour,
        steady_ms=steady,  # type: ignore[list-item]  # mypy sees the limits of a Wire as a Wire
        settings=ServiceSettings(shy=(), testing=ForTesting(bell=False)),
    )
    await referee.start()
    assert abs(hour() - real) < 60_000
    for n, (who, text) in enumerate(
        [("ana", "new classic 2 players"), ("bob", "join #1"), ("ana", "ready #1"), ("bob", "ready #1")]
    ):
        await referee.reception.receive(
            [Inbound("telegram", f"k{n}", who, text=text, name=who, at_ms=real)], channel="telegram"
        )
    assert await referee.scheduler.ring() == 0
    (due,) = await store.read(lambda tx: tx.column(Deadline, "due_ms", kind="answer", done_ms=0))
    # a day from now and perhaps a night, as everybody else reckons
    assert DAY_MS * 0.9 < due - real < DAY_MS * 1.9
    await referee.scheduler._sweep()
    assert await store.read(lambda tx: tx.column(Alert, "code")) == ["clock-off"]
    await referee.stop()
    await store.close()
