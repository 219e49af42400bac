"""The kill test for several processes: three real `referee serve` and one `referee work` at one PostgreSQL,
one of those that serve killed again and again while people play; in the end nothing is lost, doubled or torn.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Journal
from tests.e2e import traffic
from tests.e2e.conftest import Leaving
from tests.e2e.playing import Player
from tests.e2e.socket_player import SocketPlayer
from tests.e2e.telegram_player import TelegramPlayer
from tests.e2e.test_kill import kill_and_play, reckon
from tests.e2e.traffic import Table
from tests.servers.botapi import BotApi

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

from tests.e2e.several import Several  # noqa: E402 - only where psycopg is installed


@pytest.fixture
def three(url: str, home: Path, telegram: BotApi) -> Iterator[Several]:
    one = Several(home, url, serve=3, work=1, telegram=telegram, pictures=False)
    yield one
    one.close()


@pytest.mark.parametrize(("kills", "orders"), [(2, 50), pytest.param(400, 10_000, marks=pytest.mark.soak)])
async def test_one_of_three_is_killed_every_few_seconds(
    three: Several,
    telegram: BotApi,
    people: Leaving,
    kills: int,
    orders: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(traffic, "PATIENCE", 7.0)  # a channel changes hands within five or six
    first = telegram.world.updates.next_id
    tables = max(2, orders // 700)
    seats = [SocketPlayer(three.socket, f"Seat {n}", kills) for n in range(tables)]
    chats = [TelegramPlayer(telegram, f"Chat {n}") for n in range(2 * tables)]
    stir = asyncio.Event()
    sittings: list[list[Player]] = [[seats[n], chats[2 * n], chats[2 * n + 1]] for n in range(tables)]
    played = [Table(group, bots=n % 3, seed=kills, stir=stir, first=n) for n, group in enumerate(sittings)]
    await kill_and_play(
        three,
        played,
        people,
        kills,
        random.Random(kills),
        (1.0, 5.0),
        lambda: {"telegram": telegram.world.updates.meant(first)},
        warm=True,
    )
    updates = telegram.world.updates.meant(first)
    told = three.look(lambda tx: tx.count(Journal, by="person"))
    print(f"{told} orders, {three.kills} kills")
    reckon(three, played, telegram, seats, {"telegram": updates}, asking=orders // 4, regretted=0)
    assert told >= orders
