"""What a process had in hand when its channel, its wire or its book went away: it is ended by that process,
or by another, and by one of them alone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from referee.ports import Inbound, Letter, Receipt
from referee.service.outbound import channel_leases, receipts
from referee.store import Outbox, StoreFull, Tx
from tests.service.outbound.processes import Process, needs_postgres, now_ms
from tests.service.rig import until

pytestmark = needs_postgres


async def helped(process: Process, channel: str) -> None:
    """Somebody asks there for help: one letter."""
    asked = Inbound(channel, "k1", "ana", text="help", name="Ana")
    await process.referee.reception.receive([asked], channel=channel)


async def test_a_channel_whose_lease_flickers_while_it_closes_is_opened_again(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The book answers late, once: the lease is over by the own clock, then ours again while the channel is
    still closing, then over again.
    """
    monkeypatch.setattr(channel_leases, "LEASE_MS", 1500)
    monkeypatch.setattr(channel_leases, "LOOK_S", 0.5)
    first, _ = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    wire, write, late, closed = first.wires["telegram"], first.store.write, [1.0], []
    stop = wire.stop

    async def slow_stop() -> None:
        await asyncio.sleep(1)
        await stop()
        closed.append(1)

    async def late_claim(job: Callable[[Tx], Any]) -> Any:
        done = await write(job)
        if getattr(getattr(job, "func", None), "__name__", "") == "_claim" and late:
            await asyncio.sleep(late.pop())
        return done

    monkeypatch.setattr(wire, "stop", slow_stop)
    monkeypatch.setattr(first.store, "write", late_claim)
    await until(lambda: not late and "telegram" not in first.referee.channels.open)
    await until(lambda: first.referee.channels.open == {"telegram", "terminal"})
    assert closed, "nothing cut its closing short"
    assert wire.open == 1


async def test_a_letter_for_pages_is_settled_by_who_serves_next(url: str) -> None:
    """A process was killed between the claim of a letter for its own pages and its fate; nobody leases that
    channel.
    """
    one = Process(url, "telegram", served=True)
    await one.referee.start()
    row = {
        "kind": "notice",
        "channel": "web",
        "address": "1",
        "data": "{}",
        "letter": "",
        "created_ms": now_ms(),
    }
    number = await one.store.write(lambda tx: tx.add(Outbox, state="sending", **row))
    await one.die()
    two = Process(url, "telegram", served=True)
    await two.referee.start()
    settled = await two.store.read(lambda tx: tx.get(Outbox, number))
    await two.end()
    assert settled is not None
    assert settled.state != "sending"


async def test_a_letter_that_breaks_while_the_book_is_away_is_set_aside(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    broken, away = receipts.broken, [StoreFull(5, "away", "there")]

    async def breaks(letter: Letter) -> Receipt:
        raise RuntimeError("a bug of the adapter's")

    def away_once(*given: Any) -> None:
        if away:
            raise away.pop()
        broken(*given)

    monkeypatch.setattr(first.wires["telegram"], "send", breaks)
    monkeypatch.setattr(receipts, "broken", away_once)
    await helped(first, "telegram")
    await until(lambda: first.store.read_now(lambda tx: tx.column(Outbox, "state")) == ["failed"])
    assert not away


@pytest.mark.parametrize("theirs", ["sending", "queued"])
async def test_what_breaks_here_does_not_end_a_letter_that_another_has_by_now(
    two: tuple[Process, Process], monkeypatch: pytest.MonkeyPatch, theirs: str
) -> None:
    first, second = two
    await first.referee.start()
    await until(lambda: len(first.open()) == 2)
    await second.referee.start()
    wire, on_the_wire = second.wires["terminal"], asyncio.Event()
    arrived = wire.send
    if theirs == "queued":
        wire.wait_ms = 60_000

    async def breaks(letter: Letter) -> Receipt:
        await first.give_up()
        await until(lambda: len(second.open()) == 2)
        if theirs == "sending":
            await on_the_wire.wait()
        raise RuntimeError("the wire was closed")

    async def takes_its_time(letter: Letter) -> Receipt:
        on_the_wire.set()
        await until(lambda: not first.referee.outbox_worker.in_hand)
        return await arrived(letter)

    monkeypatch.setattr(first.wires["terminal"], "send", breaks)
    monkeypatch.setattr(wire, "send", takes_its_time)
    await helped(first, "terminal")
    await until(lambda: not first.open() and not first.referee.outbox_worker.in_hand)
    expected = ["sent"] if theirs == "sending" else ["queued"]
    await until(
        lambda: second.store.read_now(lambda tx: tx.column(Outbox, "state", channel="terminal")) == expected
    )
