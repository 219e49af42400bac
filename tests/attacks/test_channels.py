"""Attack D5 and its kin: what waits on one channel costs the others nothing.

Counted, not timed: rows written, rows read, letters that went.  On both databases.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.ports import Fate, Letter, Receipt
from referee.service.outbound import channel_queue
from referee.store import Meta, Outbox
from referee.store.connection import SqliteTx
from referee.store.postgres.transaction import PostgresTx
from tests.service.playing import table
from tests.service.rig import Clock, House

BACKLOG = 3_000
NOTICE = '{"notices": [{"code": "empty", "facts": {}}]}'


class Count:
    """What was asked of the store: rows that came back, and changes."""

    def __init__(self) -> None:
        self.read = self.changed = self.asked = 0


@contextmanager
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[Count]:
    """Everything that goes through the verbs, of either database."""
    count = Count()
    with monkeypatch.context() as patch:
        for kind in (SqliteTx, PostgresTx):
            ask, tell, many = kind._ask, kind._tell, kind._many

            def asked(self: Any, *given: Any, _ask: Any = ask) -> list[Any]:
                rows: list[Any] = _ask(self, *given)
                count.asked += 1
                count.read += len(rows)
                return rows

            def told(self: Any, *given: Any, _tell: Any = tell) -> int:
                count.changed += 1
                return int(_tell(self, *given))

            def several(self: Any, prepared: Any, rows: Any, _many: Any = many) -> int:
                count.changed += len(rows)
                return int(_many(self, prepared, rows))

            patch.setattr(kind, "_ask", asked)
            patch.setattr(kind, "_tell", told)
            patch.setattr(kind, "_many", several)
        yield count


async def pile(
    house: House, channel: str, *, addresses: int = BACKLOG, letters: int = BACKLOG, **values: Any
) -> None:
    """So many letters for people of a channel, long due."""
    rows = [
        {
            "channel": channel,
            "address": f"nobody{n % addresses}@x.test",
            "kind": "notice",
            "data": NOTICE,
            "not_before_ms": n,
            "created_ms": n,
            "expires_ms": house.clock() + 7 * 86_400_000,
            **values,
        }
        for n in range(letters)
    ]
    await house.store.write(lambda tx: tx.add_all(Outbox, rows))


def outbox(house: House, **equals: Any) -> dict[int, tuple[Any, ...]]:
    return {
        int(row.id or 0): tuple(row)
        for row in house.store.read_now(lambda tx: tx.all(Outbox, order="id", **equals))
    }


def away(letter: Letter) -> Receipt:
    return Receipt(Fate.LATER, retry_ms=30_000, detail="connect: ConnectionRefusedError", whole=True)


def no_idea(letter: Letter) -> Receipt:
    """As an adapter says it that can't tell whether it is the letter or the wire."""
    return Receipt(Fate.LATER, retry_ms=30_000)


def silent(letter: Letter) -> Receipt:
    return Receipt(Fate.UNKNOWN, detail="no answer")


@pytest.mark.parametrize("fate", [away, no_idea, silent])
async def test_a_server_that_is_away_is_one_row(
    house: House, monkeypatch: pytest.MonkeyPatch, fate: Any
) -> None:
    house.wires["mail"].fate = fate
    await pile(house, "mail")
    before = outbox(house, channel="mail")
    await house.settle()
    after = outbox(house, channel="mail")
    touched = sum(1 for number, row in before.items() if after[number] != row)
    assert touched <= 2 * channel_queue.FIRST, "whoever was under way when it was found out, and nobody else"
    with counting(monkeypatch) as count:
        for _ in range(20):
            await house.referee.outbox_worker.round()
            assert not house.referee.outbox_worker._running
    assert outbox(house, channel="mail") == after
    assert count.changed == 0
    assert count.read <= 20 * 10, "nothing of that channel is looked at while it rests"
    assert house.store.read_now(lambda tx: tx.count(Meta, name="rest mail")) == 1


async def test_after_a_rest_one_letter_tries_and_each_time_another(house: House) -> None:
    tried: list[str] = []
    house.wires["mail"].fate = lambda letter: (tried.append(str(letter.address)), away(letter))[1]
    await pile(house, "mail", letters=300)
    await house.settle()
    first = len(tried)
    for _ in range(8):
        house.clock.pass_(seconds=61)
        await house.settle()
    assert len(tried) == first + 8
    assert len(set(tried[first:])) >= 7, "a letter that is itself the trouble must not be the only one to try"
    house.wires["mail"].fate = None
    house.clock.pass_(seconds=61)
    for _ in range(200):
        await house.settle()
        if not house.store.read_now(lambda tx: tx.count(Outbox, channel="mail", state="queued")):
            break
    assert house.store.read_now(lambda tx: tx.count(Outbox, channel="mail", state="sent")) == 300
    assert house.store.read_now(lambda tx: tx.count(Meta, name="rest mail")) == 0


async def test_a_letter_that_brings_the_line_down_stops_nobody(house: House) -> None:
    """Each time that it is sent the server hangs up, which looks like a server that is away."""
    house.wires["mail"].fate = lambda letter: (
        away(letter) if letter.address == "nobody0@x.test" else Receipt(Fate.SENT, wire_id=letter.id)
    )
    await pile(house, "mail", letters=100, addresses=100)
    for _ in range(20):
        await house.settle()
        house.clock.pass_(seconds=31)
    assert house.store.read_now(lambda tx: tx.count(Outbox, channel="mail", state="sent")) == 99


async def test_answers_elsewhere_cost_the_same(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await table(house, ["terminal:ana", "matrix:@bea:hs"])
    house.wires["mail"].fate = away

    async def answered() -> Count:
        with counting(monkeypatch) as count:
            sent = len(house.wires["terminal"].sent)
            await house.say("terminal:ana", f"status #{game}")
            assert len(house.wires["terminal"].sent) > sent
        return count

    await answered()
    without = await answered()
    await pile(house, "mail")
    await house.settle()
    with_it = await answered()
    assert with_it.changed == without.changed
    assert with_it.read <= without.read * 1.1
    assert with_it.asked <= without.asked * 1.1


async def test_who_can_not_be_written_to_now_holds_up_nobody_and_nothing_is_rewritten(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three thousand letters to terminals at which nobody sits; one where somebody does."""
    house.wires["terminal"].delay_ms = lambda letter, now_ms: 0 if letter.address == "ana" else 2_000  # type: ignore[method-assign]  # who sits there, in the test's words
    await pile(house, "terminal")
    await house.settle()
    before = outbox(house, channel="terminal")
    with counting(monkeypatch) as count:
        for _ in range(20):
            await house.referee.outbox_worker.round()
    assert (count.changed, outbox(house, channel="terminal")) == (0, before)
    assert count.read <= 20 * (channel_queue.HEAD + 2 * channel_queue.NEWEST + 10), (
        "so many rows a look, however many wait"
    )
    await house.say("terminal:ana", "rules thief")
    assert "Thief" in house.last("terminal:ana").text


async def test_a_letter_in_the_middle_of_such_a_crowd_is_found(house: House) -> None:
    house.wires["terminal"].delay_ms = lambda letter, now_ms: 0 if letter.address == "ana" else 2_000  # type: ignore[method-assign]  # who sits there, in the test's words
    await pile(house, "terminal", letters=500)
    await pile(house, "terminal", letters=3, address="ana", not_before_ms=250)
    for _ in range(40):
        await house.settle()
    assert [letter.address for letter in house.wires["terminal"].sent] == ["ana"] * 3


async def test_one_chat_that_is_slow_holds_up_itself(house: House) -> None:
    """Three hundred letters for one group that may have none for a minute: others get theirs, and the group
    its own in their order.
    """
    slow = Receipt(Fate.LATER, retry_ms=60_000, detail="429 for this chat", whole=False)
    house.wires["telegram"].fate = lambda letter: (
        slow if letter.place == "-5" else Receipt(Fate.SENT, wire_id=letter.id)
    )
    await pile(house, "telegram", letters=300, address="", place="-5")
    await pile(house, "telegram", letters=50, addresses=50)
    before = outbox(house, channel="telegram", place="-5")
    for _ in range(5):
        await house.settle()
    assert house.store.read_now(lambda tx: tx.count(Outbox, channel="telegram", state="sent")) == 50
    after = outbox(house, channel="telegram", place="-5")
    assert sum(1 for number, row in before.items() if after[number] != row) == 1, "the one that was told"
    order: list[str] = []
    house.wires["telegram"].fate = lambda letter: (
        order.append(letter.id),
        Receipt(Fate.SENT, wire_id=letter.id),
    )[1]
    house.clock.pass_(seconds=61)
    await house.settle()
    names = {
        row.wire_id: int(row.id or 0)
        for row in house.store.read_now(
            lambda tx: tx.all(Outbox, channel="telegram", place="-5", state="sent")
        )
    }
    told = [names[one] for one in order]
    assert len(told) > 20
    assert sorted(told) == told


def unsure(letter: Letter) -> Receipt:
    """It did not go, and nobody says why, nor for how long."""
    return Receipt(Fate.LATER, detail="connection reset")


async def test_who_shared_the_trouble_of_a_channel_is_tried_again_with_the_first_that_arrives(
    house: House,
) -> None:
    """Too few people for a pause of the channel, and an hour without its server (simulated world 605)."""
    house.wires["telegram"].fate = unsure
    await pile(house, "telegram", letters=3, addresses=3)
    for _ in range(60):
        await house.settle()
        house.clock.pass_(seconds=60)
    assert house.store.read_now(lambda tx: tx.count(Outbox, channel="telegram", state="sent")) == 0
    house.wires["telegram"].fate = lambda letter: Receipt(Fate.SENT, wire_id=letter.id)
    await pile(house, "telegram", letters=1, addresses=1, address="somebody@x.test")
    for _ in range(3):
        await house.settle()
    assert house.store.read_now(lambda tx: tx.count(Outbox, channel="telegram", state="sent")) == 4


@pytest.mark.parametrize(("whole", "most"), [(None, 14), (False, 11)])
async def test_who_can_not_be_written_to_is_not_tried_with_each_that_arrives(
    house: House, whole: bool | None, most: int
) -> None:
    """Where the wire says that it is about this address alone, what arrives elsewhere frees it never."""
    tried = 0

    def fate(letter: Letter) -> Receipt:
        nonlocal tried
        if letter.address != "nobody0@x.test":
            return Receipt(Fate.SENT, wire_id=letter.id)
        tried += 1
        return replace(unsure(letter), whole=whole)

    house.wires["telegram"].fate = fate
    await pile(house, "telegram", letters=1, addresses=1)
    for n in range(600):
        await pile(house, "telegram", letters=1, addresses=1, address=f"{n}@x.test")
        await house.settle()
        house.clock.pass_(seconds=1)
    assert house.store.read_now(lambda tx: tx.count(Outbox, channel="telegram", state="sent")) == 600
    assert 8 <= tried <= most, "ten minutes of waiting twice as long each time, and three that were free"


async def test_a_channel_that_is_off_costs_nothing(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    await pile(house, "pigeon")
    for _ in range(BACKLOG // 100 + 5):
        await house.referee.outbox_worker.round()  # looked through once, whether anything has expired
    before = outbox(house, channel="pigeon")
    with counting(monkeypatch) as count:
        for _ in range(20):
            await house.referee.outbox_worker.round()
    assert count.changed == 0
    assert count.read <= 20 * 10
    assert outbox(house, channel="pigeon") == before


async def test_a_rest_is_known_after_a_restart_and_tried_at_once(tmp_path: Path) -> None:
    clock = Clock()
    house = await House(tmp_path / "r.db", clock).open()
    house.wires["mail"].fate = lambda letter: replace(away(letter), retry_ms=3_000_000)
    await pile(house, "mail", letters=200)
    await house.settle()
    await house.close()
    again = await House(tmp_path / "r.db", clock).open()
    tried: list[str] = []
    again.wires["mail"].fate = lambda letter: (
        tried.append(letter.id),
        replace(away(letter), retry_ms=3_000_000),
    )[1]
    await again.settle()
    assert len(tried) == 1
    await again.close()


@pytest.mark.parametrize("fate", [away, lambda letter: replace(away(letter), whole=False)])
async def test_no_rest_is_longer_because_the_clock_was_set_back(house: House, fate: Any) -> None:
    house.wires["mail"].fate = fate
    await pile(house, "mail", letters=5)
    await house.settle()
    house.wires["mail"].fate = None
    house.clock.pass_(hours=-24)
    await house.store.write(  # they are due by the new hour, too
        lambda tx: [tx.set(Outbox, row.id, not_before_ms=0) for row in tx.all(Outbox, channel="mail")]
    )
    for _ in range(3):
        await house.settle()
    assert {row.state for row in house.store.read_now(lambda tx: tx.all(Outbox, channel="mail"))} == {"sent"}


async def test_what_expired_meanwhile_is_not_sent(house: House) -> None:
    house.wires["mail"].fate = away
    await pile(house, "mail", letters=250, expires_ms=house.clock() + 3_600_000)
    await house.settle()
    house.clock.pass_(hours=2)
    house.wires["mail"].fate = None
    for _ in range(10):
        await house.settle()
    states = house.store.read_now(
        lambda tx: {
            state: tx.count(Outbox, channel="mail", state=state) for state in ("queued", "sent", "dropped")
        }
    )
    assert states == {"queued": 0, "sent": 0, "dropped": 250}


async def test_a_channel_that_rests_is_seen(house: House) -> None:
    house.wires["mail"].fate = away
    await pile(house, "mail", letters=5)
    await house.settle()
    watch = house.referee.monitor
    assert not [one for one in await watch.wrong() if one.startswith("paused")]
    house.clock.pass_(seconds=900)
    assert "paused mail" in await watch.wrong()
    text = await watch.figures()
    assert 'citadels_channel_paused_seconds{channel="mail"} 900.0' in text
    assert 'citadels_channel_paused_seconds{channel="matrix"} 0.0' in text


async def test_an_admin_hears_once_of_a_channel_that_rests_for_long(tmp_path: Path) -> None:
    house = await House(tmp_path / "r.db", admins=(("telegram", "boss"),)).open()
    house.wires["mail"].fate = away
    await pile(house, "mail", letters=5)
    for _ in range(40):
        await house.settle()
        house.clock.pass_(seconds=61)
    told = [letter.text for letter in house.letters("telegram:boss")]
    assert len(told) == 1
    assert "mail server has taken no letter for 15 minutes" in told[0]
    assert "connect: ConnectionRefusedError" in told[0]
    await house.close()
