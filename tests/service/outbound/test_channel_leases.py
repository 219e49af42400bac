"""Several referees at one book: each channel is open at one of them, and the one whose time is over
touches nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from referee.ports import Adapter, Fate, Inbound, Letter, Receipt
from referee.service.outbound import channel_leases
from referee.service.outbound.outbox_rows import take
from referee.service.outbound.wording import Wording
from referee.service.pictures.png import PictureRenderer
from referee.store import Alert, Deadline, Heartbeat, Inbox, Outbox, Store, StoreFull, Tx, leases
from tests.service.outbound.processes import Process, needs_postgres
from tests.service.rig import until

pytestmark = needs_postgres

HOUR_MS = 3_600_000


async def test_each_channel_is_open_once_and_they_are_spread(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channel_leases, "SPREAD_S", 2.0)
    first, second = two
    await asyncio.gather(first.referee.start(), second.referee.start())
    await until(lambda: len(first.open() + second.open()) == 2)
    assert sorted(first.open() + second.open()) == ["telegram", "terminal"]
    assert len(first.open()) == 1
    held = await first.store.read(leases.holders)
    assert sorted(held) == ["channel telegram", "channel terminal"]
    assert len(set(held.values())) == 2
    assert await first.referee.monitor.wrong() == []
    assert first.referee.monitor.open() == first.open()


async def test_what_is_given_back_is_open_elsewhere_at_once(two: tuple[Process, Process]) -> None:
    first, second = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    await second.referee.start()
    assert second.open() == []
    assert await second.referee.monitor.wrong() == []  # a standby is ready, too
    await first.end()
    begun = time.monotonic()
    await until(lambda: len(second.open()) == 2)
    assert time.monotonic() - begun < 1.0  # without waiting for a lease to be over
    await second.end()
    store = Store.open(second.store.url, read_only=True)
    assert store.read_now(leases.holders) == {}
    store.close_now()


async def test_who_died_loses_its_channels_and_its_letters_under_way_are_settled(
    two: tuple[Process, Process],
) -> None:
    first, second = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    await second.referee.start()
    rows = await first.store.write(
        lambda tx: [
            tx.add(
                Outbox,
                kind="notice",
                channel=channel,
                address="ana",
                data="{}",
                state="sending",
                letter="",
                created_ms=1,
            )
            for channel in ("telegram", "terminal", "mail")
        ]
    )
    await first.die()
    await until(lambda: len(second.open()) == 2)
    states = dict(
        zip(
            ("telegram", "terminal", "mail"),
            [(await second.store.read(lambda tx, n=n: tx.get(Outbox, n))).state for n in rows],
            strict=True,
        )
    )  # type: ignore[misc]  # bound
    assert states["telegram"] == "unknown"  # that wire can't tell
    assert states["terminal"] != "sending"  # sent again
    assert states["mail"] == "sending"  # nobody's business who does not have that channel
    await second.end()


async def test_whose_time_is_over_sends_and_takes_in_nothing(two: tuple[Process, Process]) -> None:
    first, _ = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    reception = first.wires["telegram"].reception
    assert reception is not None
    first.ahead_ms = 5_000  # it hung for so long
    assert first.referee.channels.channels() == ()
    with pytest.raises(OSError, match="another process"):
        await reception.receive([Inbound("telegram", "k1", "ana", text="help")], channel="telegram")
    assert not await first.store.read(lambda tx: tx.count(Inbox))
    await until(lambda: first.wires["telegram"].open == 0)  # closed by its own clock, whatever the book says
    await until(lambda: len(first.open()) == 2)  # nobody else was there: it has them again


@pytest.mark.parametrize("late", ["words", "claim", "claimed", "looked for"])
async def test_a_letter_whose_claim_comes_late_is_sent_by_who_has_the_channel_by_now(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """A database that is away keeps words, claim or answer waiting for longer than a lease lasts. The other
    may have looked for the letter before it was claimed and put back.
    """
    first, second = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    await second.referee.start()
    drawn, write, worded = PictureRenderer.drawn, first.store.write, Wording.letter

    async def given_up() -> None:
        await first.give_up()
        await until(lambda: len(second.open()) == 2)  # who has settled what was under way by now

    async def words_late(renderer: PictureRenderer, letter: Letter) -> Letter:
        if renderer is not first.referee.outbox_worker._renderer:  # the second words it only now
            await until(lambda: not first.referee.outbox_worker.in_hand)
        elif late == "words":
            await given_up()
        return await drawn(renderer, letter)

    async def claim_late(job: Callable[[Tx], Any]) -> Any:
        if not isinstance(job, partial) or job.func is not take:
            return await write(job)
        if late in ("claim", "looked for"):
            await given_up()
            await until(lambda: late == "claim" or second.referee.outbox_worker.in_hand)
            return await write(job)
        done = await write(job)
        await given_up()
        return done

    async def looked_for(wording: Wording, adapter: Adapter, row: Outbox) -> Any:
        if late == "looked for" and wording.store is second.store:
            await until(lambda: not first.referee.outbox_worker.in_hand)
        return await worded(wording, adapter, row)

    monkeypatch.setattr(PictureRenderer, "drawn", words_late)
    monkeypatch.setattr(Wording, "letter", looked_for)
    if late != "words":
        monkeypatch.setattr(first.store, "write", claim_late)
    await first.referee.reception.receive(
        [Inbound("telegram", "k1", "ana", text="help", name="Ana")], channel="telegram"
    )
    await until(lambda: second.wires["telegram"].sent)
    await until(lambda: second.store.read_now(lambda tx: tx.column(Outbox, "state")) == ["sent"])
    assert not first.wires["telegram"].sent
    assert len(second.wires["telegram"].sent) == 1


@pytest.mark.parametrize("fate", [Fate.SENT, Fate.LATER, Fate.UNKNOWN])
async def test_a_fate_that_is_written_late_is_still_known(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, fate: Fate
) -> None:
    """Who has the channel by now had to guess; as long as nothing came of that, what is known holds."""
    first, second = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    await second.referee.start()
    wire = first.wires["telegram"]
    sent = wire.send

    async def send(letter: Letter) -> Receipt:
        receipt = await sent(letter) if fate is Fate.SENT else Receipt(fate)
        await first.give_up()
        await until(lambda: len(second.open()) == 2)
        assert (await states())[0] == "unknown"
        return receipt

    async def states() -> list[str]:
        return await second.store.read(lambda tx: tx.column(Outbox, "state"))

    monkeypatch.setattr(wire, "send", send)
    await first.referee.reception.receive(
        [Inbound("telegram", "k1", "ana", text="new classic 2 players 1 bot", name="Ana")], channel="telegram"
    )
    await until(lambda: wire.open == 0 and not first.referee.outbox_worker.in_hand)
    match fate:
        case Fate.SENT:
            assert await states() == ["sent", "dropped"]
            assert not second.wires["telegram"].sent
        case Fate.LATER:  # it has certainly not arrived: at once, and not in a minute
            await until(lambda: second.wires["telegram"].sent)
            assert (await states())[1] == "dropped"
        case _:
            assert await states() == ["unknown", "queued"]


async def test_a_channel_that_cannot_be_opened_here_is_left_to_others(two: tuple[Process, Process]) -> None:
    first, second = two
    first.wires["telegram"].broken = True
    await first.referee.start()
    await until(lambda: first.open() == ["terminal"])
    await second.referee.start()
    await until(lambda: second.open() == ["telegram"])
    await asyncio.sleep(0.3)
    assert first.open() == ["terminal"]


async def test_letters_go_out_where_their_channel_is_open_whoever_handled_the_message(
    two: tuple[Process, Process],
) -> None:
    first, second = two
    await asyncio.gather(first.referee.start(), second.referee.start())
    await until(lambda: len(first.open() + second.open()) == 2)
    here, there = (first, second) if "telegram" in first.open() else (second, first)
    for n in range(20):
        await there.referee.reception.receive(
            [Inbound("telegram", f"k{n}", f"ana{n}", text="help", name="Ana")], channel="telegram"
        )
    await until(lambda: len(here.wires["telegram"].sent) >= 20)
    assert not there.wires["telegram"].sent
    assert len({(one.address, one.text) for one in here.wires["telegram"].sent}) == len(
        here.wires["telegram"].sent
    )


async def test_nothing_is_rung_while_nobody_can_be_heard_and_the_time_is_given_back_once(url: str) -> None:
    worker = Process(url)  # `referee work`: no channels
    await worker.referee.start()
    now = await worker.store.write(lambda tx: tx.clock_ms())
    for n, (who, text) in enumerate(
        [("ana", "new classic 2 players"), ("bob", "join #1"), ("ana", "ready #1"), ("bob", "ready #1")]
    ):
        await worker.referee.reception.receive(
            [Inbound("telegram", f"k{n}", who, text=text, name=who)], channel="telegram"
        )
    # it hears nobody: that is no life
    assert await worker.store.read(lambda tx: tx.get(Heartbeat, "referee")) is None

    def a_day_later(tx: Tx) -> None:
        """As if all of it had been so long ago that the deadline is over for an hour, and the last sign of
        life two.
        """
        tx.change(Deadline, {"kind": "answer", "done_ms": 0}, due_ms=now - HOUR_MS)
        tx.change(Deadline, {"kind": "remind", "done_ms": 0}, done_ms=now)
        tx.put(Heartbeat, name="referee", at_ms=now - 2 * HOUR_MS)

    await worker.store.write(a_day_later)
    assert await worker.referee.scheduler.ring() == 0
    others = [Process(url, "telegram", "terminal") for _ in range(2)]
    await asyncio.gather(*(one.referee.start() for one in others))
    await until(lambda: sum(len(one.open()) for one in others) == 2)
    await until(lambda: worker.referee.channels.served())
    assert await worker.store.read(lambda tx: tx.column(Alert, "code")) == ["outage"]
    assert await worker.referee.scheduler.ring() == 0  # two hours later than it was
    for one in (*others, worker):
        await one.end()


async def test_a_book_that_is_away_is_waited_for(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    write = first.store.write

    async def away(job: Callable[[Tx], Any]) -> Any:
        raise StoreFull("away", "there")

    monkeypatch.setattr(first.store, "write", away)
    await until(lambda: first.open() == [])
    monkeypatch.setattr(first.store, "write", write)
    await until(lambda: len(first.open()) == 2)
