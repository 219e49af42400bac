"""A channel whose process died, hung or was stopped: another one has it within seconds, and the old one never
touches it again.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Inbox, Outbox
from tests.e2e.playing import reads, until
from tests.e2e.telegram_player import TelegramPlayer
from tests.servers.botapi import BotApi

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

from tests.e2e.several import Several, signalled  # noqa: E402 - only where psycopg is installed

GOAL_S = 10.0


@pytest.fixture
def three(url: str, home: Path, telegram: BotApi) -> Iterator[Several]:
    """Two that serve, one that works."""
    one = Several(home, url, serve=2, work=1, telegram=telegram)
    yield one
    one.close()


async def test_a_dead_processs_channels_are_open_elsewhere_within_seconds(
    three: Several, telegram: BotApi
) -> None:
    three.warm()
    await three.start()
    await three.held("telegram", "terminal")
    ana = TelegramPlayer(telegram, "Ana")
    await ana.start()
    await reads(ana, r"\S")
    first = three.holder("telegram")
    assert first is not None
    first.kill()
    killed = time.monotonic()
    await ana.say("new classic 4 players")
    await reads(ana, r"Table #1", seconds=20)
    took = time.monotonic() - killed
    second = three.holder("telegram")
    assert second not in (first, None)
    assert took < GOAL_S, took
    print(f"take-over after SIGKILL: {took:.1f} s")

    assert second.stop() == 0  # a clean end gives it back at once
    stopped = time.monotonic()
    first.spawn()
    await first.serving()
    await ana.say("status")
    await until(lambda: three.look(lambda tx: tx.count(Inbox, state="done")) >= 3, "somebody heard it")
    print(f"from a clean stop, with a start: {time.monotonic() - stopped:.1f} s")


async def test_who_hung_and_wakes_up_touches_nothing(three: Several, telegram: BotApi) -> None:
    three.warm()
    await three.start()
    await three.held("telegram", "terminal")
    ana = TelegramPlayer(telegram, "Ana")
    await ana.start()
    await reads(ana, r"\S")
    await until(
        lambda: three.look(lambda tx: tx.count(Outbox, state="sent")), "what has arrived is written down, too"
    )
    hung = three.holder("telegram")
    assert hung is not None
    signalled(hung, signal.SIGSTOP)
    at = time.monotonic()
    await ana.say("new classic 4 players")
    await reads(ana, r"Table #1", seconds=20)
    assert time.monotonic() - at < GOAL_S
    other = three.holder("telegram")
    assert other not in (hung, None)
    signalled(hung, signal.SIGCONT)
    await until(
        lambda: [
            line
            for line in hung.told()
            if line.get("what") == "channel closed" and line.get("channel") == "telegram"
        ],
        "it knows",
    )
    await asyncio.sleep(2)
    assert three.holder("telegram") is other
    assert not three.look(lambda tx: tx.count(Outbox, state=("sending", "unknown", "failed")))
    assert not [
        line for line in other.told() if "somebody else receives" in line.get("what", "")
    ]  # it has not asked any more
    words = [
        post.text
        for post in telegram.world.chats[ana.user.id].posts.values()
        if post.sender is telegram.world.me
    ]
    assert len(words) == len(set(words))
