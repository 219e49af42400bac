"""A Telegram group becomes a supergroup in the middle of a game: everything goes on there, with one living
message.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest

from adapters.telegram import Settings, build
from referee.main import clock_ms
from referee.service import Referee, ServiceSettings
from referee.store import Game, GameRoom, Outbox, Room, Store
from referee.text import Words
from tests.adapters.conformance import until
from tests.servers.botapi import BotApi, User


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    book = Store.open(f"sqlite:///{tmp_path / 'referee.db'}")
    yield book
    await book.close()


async def eventually(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not what():
            await asyncio.sleep(0.05)


def offered(user: User, word: str) -> bool:
    """Whether a button with this word is on the person's screen."""
    return any(word in label for post in user.sees() for label in post.labels())


def asked(store: Store, game: Game) -> bool:
    """Whether what is asked has reached its player: a number answers what was read."""
    found = store.read_now(lambda tx: tx.all(Outbox, game_id=game.id, question=game.question, state="sent"))
    return any(one.seat is not None for one in found)


def gone_on(store: Store, game: Game) -> bool:
    """Whether somebody has moved since."""
    now = store.read_now(lambda tx: tx.get(Game, game.id or 0))
    return now is not None and now.move_no > game.move_no


async def test_a_group_moves_during_a_game(store: Store) -> None:
    api = await BotApi(flood=False).start()
    adapter = build(Settings.model_validate({"token": api.token, "base_url": api.url}), clock_ms)
    referee = Referee(store, Words(()), [adapter], clock_ms=clock_ms, settings=ServiceSettings())
    await referee.start()
    try:
        await until(adapter.healthy)
        ann, bob = api.user("Ann", "ann", started=True), api.user("Bob", "bob", started=True)
        group = api.group("Table", [ann, bob])
        for one in (ann, bob):
            one.start()
        ann.say("/new 2", group)
        await eventually(lambda: any("Join" in label for post in group.sees() for label in post.labels()))
        bob.press(None, "Join", group)
        for one in (ann, bob):
            await eventually(partial(offered, one, "ready"))
            one.press(None, "ready")
        await eventually(lambda: store.read_now(lambda tx: tx.one(Game, status="running")) is not None)
        await eventually(lambda: any("picks" in post.text for post in group.sees()))

        group.migrate(ann)
        await eventually(lambda: any("picks" in post.text for post in group.sees()))  # shown there by itself
        for _ in range(6):
            game = store.read_now(lambda tx: tx.one(Game, status="running"))
            assert game is not None
            await eventually(partial(asked, store, game))
            (ann, bob)[int(game.asked)].say("1")
            await eventually(partial(gone_on, store, game))
        living = store.read_now(lambda tx: tx.all(GameRoom))
        rooms = store.read_now(lambda tx: [room.place for room in tx.all(Room, state="open")])
        await eventually(lambda: not referee.outbox_worker._running)
        assert rooms == [str(group.id)]
        assert len(living) == 1
        # one message, edited ever since
        assert len([post for post in group.sees() if "Game #1" in post.text]) == 1
        assert not [post for post in group.sees() if "Game #1" not in post.text]  # and no word of greeting
    finally:
        await referee.stop()
        await api.stop()
