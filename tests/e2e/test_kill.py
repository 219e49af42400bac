"""The kill test: SIGKILL at random instants, at once restarted, and in the end nothing is lost, doubled or
torn.

The promise: if you saw the echo, your move is on disk; if you did not, send it again, it is safe.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import pytest

from referee.service.core import tokens
from referee.store import Outbox, Tx
from tests.e2e import ledger
from tests.e2e.conftest import House, Leaving
from tests.e2e.installation import Installation
from tests.e2e.ledger import Arrival
from tests.e2e.mail_player import MailPlayer
from tests.e2e.matrix_player import MatrixPlayer
from tests.e2e.playing import Player, until
from tests.e2e.sight import Shown
from tests.e2e.socket_player import SocketPlayer
from tests.e2e.telegram_player import TelegramPlayer
from tests.e2e.traffic import Table
from tests.servers.botapi import BotApi
from tests.servers.mail import Mail
from tests.servers.synapse import Synapse

if TYPE_CHECKING:
    from tests.e2e.several import Several

#: what is ordered in a classic game
CLASSIC = frozenset(
    {
        "pick",
        "discard",
        "gold",
        "cards",
        "keep",
        "income",
        "build",
        "end",
        "kill",
        "rob",
        "swap",
        "redraw",
        "bonus",
        "destroy",
        "laboratory",
        "smithy",
        "buy",
        "pass",
    }
)


@pytest.mark.parametrize("kills", [5, pytest.param(1000, marks=pytest.mark.soak)])
async def test_several_games_at_a_terminal_and_in_telegram(
    house: House, telegram: BotApi, people: Leaving, kills: int
) -> None:
    referee = house(telegram=telegram, pictures=False)
    first = telegram.world.updates.next_id
    seats = [SocketPlayer(referee.socket, f"Seat {n}", kills) for n in range(5)]
    chats = [TelegramPlayer(telegram, f"Chat {n}") for n in range(4)]
    stir = asyncio.Event()
    sittings: list[tuple[list[Player], int]] = [
        ([seats[0], chats[0]], 1),
        ([seats[1], chats[1], chats[2]], 0),
        ([seats[2], seats[3]], 2),
        ([seats[4], chats[3]], 0),
    ]
    tables = [
        Table(group, bots=bots, seed=kills, stir=stir, first=place)
        for place, (group, bots) in enumerate(sittings)
    ]
    struck = await kill_and_play(
        referee,
        tables,
        people,
        kills,
        random.Random(kills),
        (0.005, 0.4),
        lambda: {"telegram": telegram.world.updates.meant(first)},
        warm=True,
    )
    assert struck.total() >= kills // 40, struck  # also in the middle of what cards do
    updates = telegram.world.updates.meant(first)
    assert len(updates) > 50
    assert sum(seat.repeated for seat in seats) > 10
    ways = sum((brain.ways for table in tables for brain in table.brains.values()), Counter[str]())
    # how many depends on where the kills fall: a push has a handful, and three of ten are a whole order
    assert ways["step"], ways
    assert ways["whole"] or kills < 100, ways
    reckon(referee, tables, telegram, seats, {"telegram": updates}, asking=40, regretted=10)


@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.soak)])
async def test_one_game_on_every_channel(
    house: House, telegram: BotApi, synapse: Synapse, mail: Mail, people: Leaving, kills: int
) -> None:
    referee = house(telegram=telegram, synapse=synapse, mail=mail)
    first = telegram.world.updates.next_id
    dan, ana = SocketPlayer(referee.socket, "Dan", kills), TelegramPlayer(telegram, "Ana")
    bea, cy = (
        MatrixPlayer(synapse, referee.address["matrix"], "Bea"),
        MailPlayer(mail, referee.address["mail"], "Cy"),
    )
    table = Table([dan, ana, bea, cy], bots=1, seed=kills, stir=asyncio.Event(), first=3)
    await kill_and_play(
        referee,
        [table],
        people,
        kills,
        random.Random(kills),
        (0.005, 1.5),
        lambda: {
            "telegram": telegram.world.updates.meant(first),
            "matrix": bea.sent,
            "mail": cy.pen.sent,
        },
        warm=False,
    )
    updates = telegram.world.updates.meant(first)
    assert len(updates) > 5
    assert len(bea.sent) > 5
    assert len(cy.pen.sent) > 5
    assert cy.pen.doubled
    arrived = referee.look(
        lambda tx: on_screen(tx, "matrix", bea.rooms[bea.room].values()) + on_screen(tx, "mail", cy.letters)
    )
    reckon(
        referee,
        [table],
        telegram,
        [dan],
        {"telegram": updates, "matrix": bea.sent, "mail": cy.pen.sent},
        arrived,
        asking=10,
        regretted=0,
    )


async def kill_and_play(
    referee: Installation | Several,
    tables: Sequence[Table],
    people: Leaving,
    kills: int,
    dice: random.Random,
    after: tuple[float, float],
    said: Callable[[], dict[str, list[str]]],
    *,
    warm: bool,
) -> Counter[str]:
    """Kill and restart so many times while the tables play; then let them finish.

    Returns what the kills struck, as `ledger.under_way` has it.

    Most kills come `after` so many seconds of serving, some while the referee is still starting, and some a
    moment after one of the answers, when the most is under way. On a crowded machine a start takes long, and
    lives last up to as long: in shorter ones no letter would ever be finished. `said` gives the keys of all
    that was handed to the transports. `warm`: the process is forked from a prepared one, else it is the real
    command each time.
    """
    stir, closing, struck = tables[0].stir, asyncio.Event(), Counter[str]()
    (least, usual), most = after, after[1]
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
                most = max(usual, time.time() - referee.begun[-1] / 1000)
            if kind < 0.3:
                for _ in range(dice.choice((1, 2, 4, 8, 16))):
                    stir.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(stir.wait(), 2)
                await asyncio.sleep(dice.uniform(0, 0.03))
            else:
                await asyncio.sleep(dice.uniform(least, most))
            referee.kill()
            struck += referee.look(ledger.under_way)
            ended = [task for task in playing if task.done()]
            assert not ended, [task.exception() for task in ended]
            referee.spawn()
        closing.set()
        await referee.serving()
        await asyncio.wait_for(asyncio.gather(*playing), 400)
        # the game may end while somebody's last words are still on their way: through a mail server, say
        await until(
            lambda: (
                not [
                    fault
                    for channel, keys in said().items()
                    for fault in referee.look(partial(ledger.everything_heard, channel=channel, keys=keys))
                ]
            ),
            "everything that was said has been heard",
        )
        await until(lambda: not referee.look(waiting), "every letter is out")
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    assert referee.stop() == 0
    assert referee.kills == kills
    return struck


def reckon(
    referee: Installation | Several,
    tables: Sequence[Table],
    telegram: BotApi,
    seats: Sequence[SocketPlayer],
    heard: dict[str, list[str]],
    arrived: Sequence[Arrival] = (),
    *,
    asking: int,
    regretted: int,
) -> None:
    """Nothing lost, nothing doubled, nothing torn."""
    said = [f"{seat.name}:{key}" for seat in seats for key in seat.said]
    assert len(said) > min(asking, 20)
    assert not referee.look(
        lambda tx: [
            fault
            for channel, keys in {**heard, "terminal": said}.items()
            for fault in ledger.everything_heard(tx, channel, keys)
        ]
    )
    assert not referee.look(ledger.left_behind)
    different = referee.look(ledger.differences)
    assert not different, "\n".join(different)
    undone, untold = referee.look(ledger.taken_back)
    assert not untold, untold
    assert undone > regretted
    over, broken = referee.look(ledger.unverified)
    assert not broken, broken
    assert over == sum(table.over for table in tables) >= len(tables)
    editions, verbs, unclear = referee.look(ledger.played)
    assert editions.total() == sum(len(table.games) for table in tables)
    assert editions.total() - editions["classic"] >= editions.total() / 2
    # a short game may be played without any of what richer editions have
    assert verbs.keys() - CLASSIC or verbs.total() < 100, verbs
    assert unclear < max(verbs.total(), 150) / 10  # in a short evening some more, by chance
    asked, idle = referee.look(
        lambda tx: ledger.for_nothing(
            tx, [*arrived, *at_terminals(tx, seats), *in_telegram(tx, telegram)], referee.begun
        )
    )
    assert asked > asking
    assert not idle, idle
    complaints = referee.complaints()
    assert not complaints, "\n".join(map(str, complaints))


def waiting(tx: Tx) -> int:
    """Letters that could go now."""
    now = time.time_ns() // 1_000_000
    return sum(row.not_before_ms < now for row in tx.all(Outbox, state=("queued", "sending")))


def at_terminals(tx: Tx, seats: Sequence[SocketPlayer]) -> list[Arrival]:
    """The letters that were shown at terminals."""
    key = tokens.secret(tx)
    found = [(tokens.wire_of(key, one.id), one.at_ms) for seat in seats for one in seat.deliveries.values()]
    assert all(number is not None for number, _ in found)
    return [Arrival(int(number or 0), at_ms) for number, at_ms in found]


def in_telegram(tx: Tx, api: BotApi) -> list[Arrival]:
    """The letters with buttons that arrived in Telegram, new messages and edits; a button's key names its
    letter.
    """
    to_wall, key = time.time() - time.monotonic(), tokens.secret(tx)
    found = []
    for call in api.calls:
        board = (
            json.loads(call.given.get("reply_markup") or "{}")
            if call.method in ("sendmessage", "editmessagetext")
            else {}
        )
        pressed = [
            tokens.button_of(key, one["callback_data"])
            for row in board.get("inline_keyboard", ())
            for one in row
            if "callback_data" in one
        ]
        found += [Arrival(button[0], round((call.at + to_wall) * 1000)) for button in pressed[:1] if button]
    assert found
    return found


def on_screen(tx: Tx, channel: str, letters: Iterable[Shown]) -> list[Arrival]:
    """Letters that arrived in Matrix or by mail, known by their wire ids."""
    rows = {row.wire_id: int(row.id or 0) for row in tx.all(Outbox, channel=channel, state="sent")}
    found = [Arrival(rows[one.id], one.at_ms) for one in letters if one.id in rows]
    assert found
    return found
