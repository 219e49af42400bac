"""A full disk, through the whole service: nothing is acknowledged, the admin is told once, and all goes on
when there is room.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from referee.ports import Fate, Inbound, Letter, Receipt
from referee.store import Alert, Deadline, Inbox, Outbox, StoreFull
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House, until

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]
BOSS = "terminal:boss"


class Disk:
    """Between the service and its store: full when told so.

    (What SQLite really says then is the store's own tests' matter.)
    """

    def __init__(self, house: House) -> None:
        self.full = False
        self.refused = 0
        self._write = house.store.write
        house.store.write = self.write  # type: ignore[method-assign]  # that is the point of it

    async def write(self, job: Callable[[Any], Any]) -> Any:
        if self.full:
            self.refused += 1
            raise StoreFull("full", "there")
        return await self._write(job)


@pytest.fixture
async def living(tmp_path: Path) -> AsyncIterator[House]:
    """A referee whose loops run by themselves."""
    one = await House(tmp_path / "referee.db", admins=(("terminal", "boss"),)).open()
    await one.referee.start()
    yield one
    await one.referee.stop()
    await one.store.close()


def said(key: str, who: str, text: str) -> Inbound:
    channel, _, address = who.partition(":")
    return Inbound(channel=channel, key=key, address=address, text=text, name=address, at_ms=1)


async def test_what_cannot_be_written_down_is_not_taken_and_the_admin_is_told_once(living: House) -> None:
    house = living
    game = await table(house, PEOPLE)
    disk = Disk(house)
    who = PEOPLE[asked(house, game)]
    order = legal(house, game)[0]
    before = running(house, game)
    disk.full = True
    for n in range(3):
        with pytest.raises(OSError, match="full"):
            await house.referee.reception.receive([said(f"d{n}", who, order)], channel=who.partition(":")[0])
    await until(lambda: house.letters(BOSS))
    assert "disk is full" in house.last(BOSS).text
    assert running(house, game).snapshot == before.snapshot
    assert not house.store.read_now(lambda tx: tx.count(Inbox, key="d0"))
    disk.full = False
    await house.referee.reception.receive([said("d0", who, order)], channel=who.partition(":")[0])
    await until(lambda: running(house, game).move_no > before.move_no)
    assert len(house.letters(BOSS)) == 1
    house.clock.pass_(hours=2)
    disk.full = True
    with pytest.raises(OSError, match="full"):
        await house.referee.reception.receive([said("d9", who, order)], channel=who.partition(":")[0])
    await until(lambda: len(house.letters(BOSS)) == 2)
    disk.full = False


async def test_what_was_written_down_is_done_when_there_is_room_again(living: House) -> None:
    house = living
    game = await table(house, PEOPLE)
    disk = Disk(house)
    who = PEOPLE[asked(house, game)]
    before = running(house, game)
    order = legal(house, game)[0]
    took = disk._write

    async def then_full(job: Callable[[Any], Any]) -> Any:
        disk.full, disk._write = True, took  # this one still fits; their handling, right behind it, does not
        return await took(job)

    disk._write = then_full
    # a message that comes alone is handled in the very job that writes it down: two of them are written down
    # first
    await house.referee.reception.receive(
        [said("w1", who, order), said("w2", who, "status")], channel=who.partition(":")[0]
    )
    await until(lambda: disk.refused)
    assert running(house, game).snapshot == before.snapshot
    disk.full = False
    await until(lambda: running(house, game).move_no > before.move_no)
    row = house.store.read_now(lambda tx: tx.one(Inbox, key="w1"))
    assert row is not None
    assert (row.state, row.tries) == ("done", 0)
    assert running(house, game).status == "running"


async def test_a_letter_that_went_out_while_the_disk_was_full_goes_out_once(living: House) -> None:
    house = living
    game = await table(house, PEOPLE)
    await until(
        lambda: (
            not house.store.read_now(
                lambda tx: tx.count(Outbox, state="queued") + tx.count(Outbox, state="sending")
            )
        )
    )
    disk = Disk(house)
    who = PEOPLE[asked(house, game)]
    channel = who.partition(":")[0]
    letters = len(house.letters(who))

    def fate(letter: Letter) -> Receipt:
        disk.full = True
        return Receipt(Fate.SENT, wire_id="once")

    house.wires[channel].fate = fate
    await house.referee.reception.receive([said("s1", who, "hand")], channel=channel)
    await until(lambda: disk.refused > 1)
    house.wires[channel].fate = None
    disk.full = False
    await until(lambda: house.store.read_now(lambda tx: tx.one(Outbox, wire_id="once")))
    await until(
        lambda: (
            not house.store.read_now(
                lambda tx: tx.count(Outbox, state="queued") + tx.count(Outbox, state="sending")
            )
        )
    )
    assert len(house.letters(who)) == letters + 1


async def test_clocks_wait_for_room(living: House) -> None:
    house = living
    game = await table(house, PEOPLE)
    disk = Disk(house)
    before = running(house, game)
    house.clock.pass_(hours=30)
    await house.store.write(house.referee.scheduler.presence.beat)  # all was well so far
    disk.full = True
    house.referee.scheduler.wake()
    await until(lambda: disk.refused)
    assert running(house, game).snapshot == before.snapshot
    disk.full = False
    house.referee.scheduler.wake()
    await until(lambda: running(house, game).move_no > before.move_no)


async def test_who_could_not_answer_because_the_disk_was_full_gets_the_time_back(living: House) -> None:
    house = living
    game = await table(house, PEOPLE)
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    assert due is not None
    disk = Disk(house)
    before = running(house, game)
    house.clock.pass_(hours=20)
    await house.store.write(house.referee.scheduler.presence.beat)
    disk.full = True
    with pytest.raises(StoreFull):  # somebody answers in time, in vain
        await house.referee.reception.receive(
            [said("late", PEOPLE[asked(house, game)], "gold")], channel="telegram"
        )
    house.clock.pass_(hours=10)
    disk.full = False
    house.referee.scheduler.wake()
    await until(lambda: house.store.read_now(lambda tx: tx.count(Alert, code="outage")))
    now = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    assert now is not None
    assert now.due_ms == due.due_ms + 10 * 3_600_000
    assert running(house, game).move_no == before.move_no  # nobody missed anything
