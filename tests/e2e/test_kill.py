"""The kill test: SIGKILL at random instants, at once restarted, and in the end nothing is lost, doubled or torn.

The promise: if you saw the echo, your move is on disk; if you did not, send it again, it is safe.
"""
from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable

import pytest

from referee.store import Outbox, Tx
from tests.e2e import ledger
from tests.e2e.conftest import House, Leaving
from tests.e2e.installation import Installation
from tests.e2e.ledger import Arrival
from tests.e2e.playing import Player, until
from tests.e2e.socket_player import SocketPlayer
from tests.e2e.telegram_player import TelegramPlayer
from tests.e2e.traffic import Table
from tests.servers.botapi import BotApi


@pytest.mark.parametrize("kills", [40, pytest.param(1000, marks=pytest.mark.soak)])
async def test_several_games_at_a_terminal_and_in_telegram(house: House, telegram: BotApi, people: Leaving, kills: int) -> None:
    referee = house(telegram=telegram)
    referee.warm()
    first = telegram.world.updates.next_id
    seats = [SocketPlayer(referee.socket, f"Seat {n}", kills) for n in range(4)]
    chats = [TelegramPlayer(telegram, f"Chat {n}") for n in range(3)]
    tables = [Table([seats[0], chats[0]], bots=1, seed=1), Table([seats[1], chats[1], chats[2]], bots=0, seed=2), Table([seats[2], seats[3]], bots=2, seed=3)]
    everybody: tuple[Player, ...] = (*seats, *chats)
    for one in everybody:
        people.push_async_callback(one.stop)
    await kill_and_play(referee, tables, kills, random.Random(kills))
    await until(lambda: not referee.look(lambda tx: sum(row.not_before_ms < now_ms() for row in tx.all(Outbox, state=("queued", "sending")))), "letters are out")
    assert referee.stop() == 0

    said = {seat.name: [f"{seat.name}:{key}" for key in seat.said] for seat in seats}
    assert all(len(keys) > 10 for keys in said.values())
    assert sum(seat.repeated for seat in seats) > 10
    updates = [str(number) for number in range(first, telegram.world.updates.next_id)]
    assert len(updates) > 50
    faults = referee.look(lambda tx: [
        *ledger.everything_heard(tx, "terminal", (key for keys in said.values() for key in keys)),
        *ledger.everything_heard(tx, "telegram", updates), *ledger.left_behind(tx), *ledger.differences(tx)])
    assert not faults
    over, broken = referee.look(ledger.unverified)
    assert not broken
    assert over == sum(table.over for table in tables) >= 3
    arrivals = [Arrival(one.id, one.at_ms) for seat in seats for one in seat.deliveries.values()]
    asking, idle = referee.look(lambda tx: ledger.for_nothing(tx, [*arrivals, *in_telegram(tx, telegram, (chat.user.id for chat in chats))], referee.begun))
    assert asking > 50
    assert not idle
    assert not [line for line in referee.told(whole=True) if line["level"] in ("error", "critical") or "Traceback" in line.get("raw", "")]


async def kill_and_play(referee: Installation, tables: list[Table], kills: int, dice: random.Random) -> None:
    """Kill and restart so many times while the tables play, one time in five while it is still starting; then let them finish."""
    closing = asyncio.Event()
    referee.spawn()
    playing = [asyncio.create_task(table.run(closing)) for table in tables]
    try:
        await referee.serving()
        for _ in range(kills):
            if dice.random() < 0.8:
                await referee.serving()
            await asyncio.sleep(dice.uniform(0.005, 0.4))
            referee.kill()
            ended = [task for task in playing if task.done()]
            assert not ended, [task.exception() for task in ended]
            referee.spawn()
        closing.set()
        await referee.serving()
        await asyncio.wait_for(asyncio.gather(*playing), 120)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)


def in_telegram(tx: Tx, api: BotApi, chats: Iterable[int]) -> list[Arrival]:
    """The letters that arrived in private chats; a message of the bot's stands for each call, in their order."""
    found = []
    to_wall = time.time() - time.monotonic()
    by_wire = {row.wire_id: int(row.id or 0) for row in tx.all(Outbox, channel="telegram", state="sent") if row.wire_id}
    for chat in chats:
        calls = [call.at for call in api.called("sendMessage") if int(call.given["chat_id"]) == chat]
        posts = [post for post in api.world.chats[chat].posts.values() if post.sender is api.world.me and not post.service]
        assert len(calls) == len(posts)
        found += [Arrival(by_wire[str(post.id)], round((at + to_wall) * 1000)) for at, post in zip(calls, posts, strict=True) if str(post.id) in by_wire]
    assert found
    return found


def now_ms() -> int:
    return time.time_ns() // 1_000_000
