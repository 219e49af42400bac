"""The kill test: SIGKILL at random instants, at once restarted, and in the end nothing is lost, doubled or torn.

The promise: if you saw the echo, your move is on disk; if you did not, send it again, it is safe.
"""
from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterable, Sequence

import pytest

from referee.store import Outbox, Tx
from tests.e2e import ledger
from tests.e2e.conftest import House, Leaving
from tests.e2e.installation import Installation
from tests.e2e.ledger import Arrival
from tests.e2e.mail_player import MailPlayer
from tests.e2e.matrix_player import MatrixPlayer
from tests.e2e.playing import Player, until
from tests.e2e.socket_player import SocketPlayer
from tests.e2e.telegram_player import TelegramPlayer
from tests.e2e.traffic import Table
from tests.servers.botapi import BotApi
from tests.servers.mail import Mail
from tests.servers.synapse import Synapse


@pytest.mark.parametrize("kills", [40, pytest.param(1000, marks=pytest.mark.soak)])
async def test_several_games_at_a_terminal_and_in_telegram(house: House, telegram: BotApi, people: Leaving, kills: int) -> None:
    referee = house(telegram=telegram)
    first = telegram.world.updates.next_id
    seats = [SocketPlayer(referee.socket, f"Seat {n}", kills) for n in range(5)]
    chats = [TelegramPlayer(telegram, f"Chat {n}") for n in range(4)]
    stir = asyncio.Event()
    sittings: list[tuple[list[Player], int]] = [
        ([seats[0], chats[0]], 1), ([seats[1], chats[1], chats[2]], 0), ([seats[2], seats[3]], 2), ([seats[4], chats[3]], 0)]
    tables = [Table(sitting, bots=bots, seed=kills, stir=stir) for sitting, bots in sittings]
    await kill_and_play(referee, tables, people, kills, random.Random(kills), (0.005, 0.4), warm=True)
    updates = [str(number) for number in range(first, telegram.world.updates.next_id)]
    assert len(updates) > 50
    assert sum(seat.repeated for seat in seats) > 10
    reckon(referee, tables, telegram, seats, chats, {"telegram": updates}, asking=100)


@pytest.mark.parametrize("kills", [12, pytest.param(60, marks=pytest.mark.soak)])
async def test_one_game_on_every_channel(house: House, telegram: BotApi, synapse: Synapse, mail: Mail, people: Leaving, kills: int) -> None:
    referee = house(telegram=telegram, synapse=synapse, mail=mail)
    first = telegram.world.updates.next_id
    dan, ana = SocketPlayer(referee.socket, "Dan", kills), TelegramPlayer(telegram, "Ana")
    bea, cy = MatrixPlayer(synapse, referee.address["matrix"], "Bea"), MailPlayer(mail, referee.address["mail"], "Cy")
    table = Table([dan, ana, bea, cy], bots=1, seed=kills, stir=asyncio.Event())
    await kill_and_play(referee, [table], people, kills, random.Random(kills), (0.005, 1.5), warm=False)
    updates = [str(number) for number in range(first, telegram.world.updates.next_id)]
    assert len(updates) > 5
    assert len(bea.sent) > 5
    assert len(cy.pen.sent) > 5
    assert cy.pen.doubled
    reckon(referee, [table], telegram, [dan], [ana], {"telegram": updates, "matrix": bea.sent, "mail": cy.pen.sent}, asking=10)


async def kill_and_play(referee: Installation, tables: Sequence[Table], people: Leaving, kills: int, dice: random.Random,
                        after: tuple[float, float], *, warm: bool) -> None:
    """Kill and restart so many times while the tables play; then let them finish.

    Most kills come `after` so many seconds of serving, some while the referee is still starting, and some a moment after
    somebody's answer, when the most is under way.  `warm`: the process is forked from a prepared one, else it is the
    real command each time."""
    stir, closing = tables[0].stir, asyncio.Event()
    for one in (player for table in tables for player in table.people):
        people.push_async_callback(one.stop)
    if warm:
        referee.warm()
    await referee.start()
    playing = [asyncio.create_task(table.run(closing)) for table in tables]
    try:
        for _ in range(kills):
            kind = dice.random()
            if kind < 0.85:
                await referee.serving()
            if kind < 0.3:
                stir.clear()
                await asyncio.wait([asyncio.create_task(stir.wait())], timeout=2)
                await asyncio.sleep(dice.uniform(0, 0.03))
            else:
                await asyncio.sleep(dice.uniform(*after))
            referee.kill()
            ended = [task for task in playing if task.done()]
            assert not ended, [task.exception() for task in ended]
            referee.spawn()
        closing.set()
        await referee.serving()
        await asyncio.wait_for(asyncio.gather(*playing), 120)
        await until(lambda: not referee.look(waiting), "every letter is out")
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    assert referee.stop() == 0
    assert referee.kills == kills


def reckon(referee: Installation, tables: Sequence[Table], telegram: BotApi, seats: Sequence[SocketPlayer], chats: Sequence[TelegramPlayer],
           heard: dict[str, list[str]], *, asking: int) -> None:
    """Nothing lost, nothing doubled, nothing torn."""
    said = [f"{seat.name}:{key}" for seat in seats for key in seat.said]
    assert len(said) > 20
    assert not referee.look(lambda tx: [fault for channel, keys in {**heard, "terminal": said}.items()
                                        for fault in ledger.everything_heard(tx, channel, keys)])
    assert not referee.look(ledger.left_behind)
    assert not referee.look(ledger.differences)
    over, broken = referee.look(ledger.unverified)
    assert not broken, broken
    assert over == sum(table.over for table in tables) >= len(tables)
    arrivals = [Arrival(one.id, one.at_ms) for seat in seats for one in seat.deliveries.values()]
    asked, idle = referee.look(lambda tx: ledger.for_nothing(tx, [*arrivals, *in_telegram(tx, telegram, chats)], referee.begun))
    assert asked > asking
    assert not idle, idle
    assert not [line for line in referee.told(whole=True) if line["level"] in ("error", "critical") or "Traceback" in line.get("raw", "")]


def waiting(tx: Tx) -> int:
    """Letters that could go now."""
    now = time.time_ns() // 1_000_000
    return sum(row.not_before_ms < now for row in tx.all(Outbox, state=("queued", "sending")))


def in_telegram(tx: Tx, api: BotApi, chats: Iterable[TelegramPlayer]) -> list[Arrival]:
    """The letters that arrived in private chats; a message of the bot's stands for each call, in their order."""
    found = []
    to_wall = time.time() - time.monotonic()
    by_wire = {row.wire_id: int(row.id or 0) for row in tx.all(Outbox, channel="telegram", state="sent") if row.wire_id}
    for chat in (one.user.id for one in chats):
        calls = [call.at for call in api.called("sendMessage") if int(call.given["chat_id"]) == chat]
        posts = [post for post in api.world.chats[chat].posts.values() if post.sender is api.world.me and not post.service]
        assert len(calls) == len(posts)
        found += [Arrival(by_wire[str(post.id)], round((at + to_wall) * 1000)) for at, post in zip(calls, posts, strict=True) if str(post.id) in by_wire]
    assert found
    return found
