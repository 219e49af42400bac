"""What one sender may send, beside how often: bytes, and the processor's time.

Of what is refused only the head stays (D3).
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.ports import Inbound
from referee.service.admin import console
from referee.service.core import message_heads
from referee.service.core.settings import ServiceSettings
from referee.service.inbound import rate_limiter
from referee.service.inbound.inbox_row import decode
from referee.store import Inbox
from tests.service.playing import greet
from tests.service.rig import House

ANA, BEA = "telegram:ana", "telegram:bea"
LIMITS: dict[str, Any] = {
    "messages_per_minute": 60,
    "messages_per_hour": 1200,
    "newcomers_per_hour": 100,
    "kilobytes_per_minute": 100,
    "kilobytes_per_hour": 1000,
}


@pytest.fixture
async def counted(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "counted.db", **LIMITS).open()
    yield one
    await one.close()


def rows(house: House) -> list[Inbox]:
    return house.store.read_now(lambda tx: tx.all(Inbox, order="id"))


async def known(house: House, *people: str) -> None:
    """Somebody who wrote a while ago."""
    for who in people:
        await greet(house, who)
        await house.say(who, "help")
    house.clock.pass_(hours=1)
    await house.settle()


async def test_bytes_are_counted_and_over_them_one_is_told_so_and_left_alone(counted: House) -> None:
    await known(counted, ANA, BEA)
    before, letters = len(rows(counted)), len(counted.letters(ANA))
    for _ in range(20):
        await counted.say(ANA, "x" * 40_000)
    told = [row.state for row in rows(counted)[before:]]
    assert told == ["done"] * 3 + ["refused"] * 17  # 100 kB a minute, and the last may go over it
    assert "can't keep up" in counted.letters(ANA)[-1].text
    assert len(counted.letters(ANA)) - letters <= 4
    await counted.say(BEA, "help")
    assert rows(counted)[-1].state == "done"  # somebody else's share is theirs
    counted.clock.pass_(hours=1)
    await counted.settle()
    await counted.say(ANA, "help")
    assert rows(counted)[-1].state == "done"


async def test_the_processors_time_is_counted_when_it_was_spent() -> None:
    settings = ServiceSettings(
        messages_per_minute=60,
        messages_per_hour=1200,
        processor_ms_per_minute=1000,
        processor_ms_per_hour=10_000,
    )
    door, one = rate_limiter.RateLimiter(settings), Inbound("telegram", "1", "ana", text="rules")
    door.learn(
        rate_limiter.LimiterLookup(frozenset(), {("telegram", "ana"): 7, ("telegram", "bea"): 8}, {}), 0
    )
    assert door.weigh(one, 0) is None
    door.spent(one, 900, 0)
    assert door.weigh(replace(one, key="2"), 0) is None
    door.spent(one, 900, 0)
    verdict = door.weigh(replace(one, key="3"), 0)
    assert verdict is not None
    assert (verdict.why, verdict.tell) == (rate_limiter.TOO_MANY, True)
    assert door.weigh(replace(one, address="bea"), 0) is None
    assert door.weigh(replace(one, key="4"), 90_000) is None  # it is given back as time passes


async def test_what_handling_cost_is_reported_to_the_gate(
    counted: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await known(counted, ANA)
    seen: list[float] = []
    monkeypatch.setattr(
        counted.referee.reception.admission.gate, "spent", lambda one, ms, now: seen.append(ms)
    )
    await counted.say(ANA, "help")
    assert len(seen) == 1
    assert 0 < seen[0] < 5_000


async def test_of_refused_messages_only_head_and_hash_are_kept(counted: House) -> None:
    await known(counted, ANA)
    before = len(rows(counted))
    for n in range(40):
        await counted.say(ANA, f"{n} " + "y" * 100_000)
    refused = [row for row in rows(counted)[before:] if row.state == "refused"]
    assert len(refused) > 30
    assert sum(len(row.body) for row in refused) < 1024 * len(refused)
    kept = decode(refused[-1].body)
    assert kept.text.startswith("39 yyy")
    assert kept.facts[message_heads.CUT] > 100_000
    assert len(kept.facts[message_heads.HASH]) == 64
    number = int(refused[-1].id or 0)
    assert not counted.store.write_now(
        lambda tx: console.mend(tx, "retry-message", number, counted.shell())
    )  # there is nothing to be handled


async def test_a_short_one_that_was_refused_can_be_put_back(counted: House) -> None:
    await known(counted, ANA)
    for _ in range(20):
        await counted.say(ANA, "x" * 40_000)
    await counted.say(ANA, "help")
    row = rows(counted)[-1]
    assert row.state == "refused"
    assert decode(row.body).text == "help"
    counted.clock.pass_(hours=1)
    assert counted.store.write_now(
        lambda tx: console.mend(tx, "retry-message", int(row.id or 0), counted.shell())
    )
    await counted.settle()
    assert rows(counted)[-1].state == "done"


async def test_what_was_set_aside_is_whole_until_it_is_dropped(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a bug of ours")

    await greet(house, ANA)
    with monkeypatch.context() as patch:
        patch.setattr("referee.service.inbound.dispatch.spoken", broken)
        await house.say(ANA, "z" * 50_000)
    row = rows(house)[-1]
    assert row.state == "shunted"
    assert len(row.body) > 50_000
    whole = row.body
    assert house.store.write_now(lambda tx: console.mend(tx, "drop-message", int(row.id or 0), house.shell()))
    row = rows(house)[-1]
    assert row.state == "dropped"
    assert len(row.body) <= 1024
    assert decode(row.body).facts[message_heads.HASH] == hashlib.sha256(whole).hexdigest()


@pytest.mark.parametrize(
    "body",
    [
        msgspec.json.encode(
            Inbound(
                "mail", "k" * 5000, "a" * 5000, text="t" * 5000, place="p" * 5000, facts={"x": "y" * 5000}
            )
        ),
        b"{" * 5000,
        b"\xff" * 5000,
        msgspec.json.encode(
            Inbound(
                "mail", "\u2603" * 5000, "\U0001f600" * 5000, text="\U0001f600" * 5000, place="\u2603" * 5000
            )
        ),
        msgspec.json.encode(
            Inbound("mail", "\x01" * 5000, "\x01" * 5000, text="\x01" * 5000, place="\x01" * 5000)
        ),
    ],
)
def test_a_head_is_small_whatever_it_is_the_head_of(body: bytes) -> None:
    kept = message_heads.kept(body)
    assert len(kept) <= message_heads.WHOLE
    assert message_heads.is_cut(kept)
    assert message_heads.kept(kept) == kept


def test_what_the_gate_keeps_of_somebody_shut_out_is_small() -> None:
    door = rate_limiter.RateLimiter(ServiceSettings(messages_per_minute=5))
    door.learn(rate_limiter.LimiterLookup(frozenset(), {("telegram", "ana"): 7}, {}), 0)
    for n in range(20):
        door.weigh(Inbound("telegram", str(n), "ana", text="q" * 100_000, facts={"junk": "j" * 100_000}), 0)
    left = door.reopened(10_000_000)[0]
    assert len(msgspec.json.encode(left.last)) < 1000
    assert all(len(one) <= 40 for one in left.quotes)
    assert left.missed == 15


async def test_nobody_is_left_alone_for_longer_because_the_clock_was_set_back(counted: House) -> None:
    await known(counted, ANA)
    for _ in range(20):
        await counted.say(ANA, "x" * 40_000)
    assert rows(counted)[-1].state == "refused"
    counted.clock.pass_(hours=-24)
    await counted.say(ANA, "help")  # from here on their bucket fills by the new hour
    counted.clock.pass_(hours=2)
    await counted.settle()
    await counted.say(ANA, "help")
    assert rows(counted)[-1].state == "done"


@pytest.mark.parametrize("tokens", [False, True])
async def test_what_is_forgotten_of_a_crowd_costs_no_player_a_message(
    counted: House, monkeypatch: pytest.MonkeyPatch, tokens: bool
) -> None:
    monkeypatch.setattr(rate_limiter, "_ROOM", 8)
    channel = "mail" if tokens else "telegram"
    for n in range(8 if tokens else 7):
        who = "eve" if tokens else f"crowd{n}"
        one = Inbound(channel=channel, key=f"c{n}", address=who, text="x", token=f"t{n}" if tokens else "")
        await counted.referee.reception.receive([one], channel=channel)
    await counted.say(ANA, "help")  # known from now on, and looked up the last
    batch = [
        Inbound(channel="telegram", key="a", address="ana", text="help", name="ana"),
        Inbound(channel=channel, key="e", address="eva", text="x", token="other" if tokens else ""),
    ]
    await counted.referee.reception.receive(batch, channel="telegram")
    await counted.settle()
    assert next(row.state for row in rows(counted) if row.key == "a") == "done"
