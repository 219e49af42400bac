"""A game that something broke in stands still, and goes on when the admin says so: no clock runs meanwhile,
nobody loses time.
"""

from __future__ import annotations

import asyncio

import pytest

from referee import rules
from referee.service.admin import console
from referee.service.deadlines import clock_state
from referee.store import Alert, Deadline, Inbox, Journal
from tests.service.playing import asked, legal, running, table, to_the_end, told
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("a bug of ours")


def clocks(house: House, game: int) -> list[Deadline]:
    return house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, done_ms=0, kind="answer"))


async def shunted(house: House, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    """A frozen game, and the message that froze it."""
    game = await table(house, PEOPLE)
    with monkeypatch.context() as patch:
        patch.setattr(rules, "play", broken)
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    row = house.store.read_now(lambda tx: tx.one(Inbox, state="shunted"))
    assert row is not None
    assert row.id is not None
    assert running(house, game).status == "frozen"
    return game, row.id


async def test_no_clock_runs_while_a_game_stands_still(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game, inbox_id = await shunted(house, monkeypatch)
    assert clocks(house, game) == []
    house.clock.pass_(hours=100)
    await house.referee.scheduler.ring()
    assert house.store.write_now(lambda tx: console.mend(tx, "retry-message", inbox_id, house.shell()))
    await house.settle()
    assert [row.question for row in clocks(house, game)] == [running(house, game).question]
    assert clocks(house, game)[0].due_ms == house.clock() + 24 * 3_600_000
    await to_the_end(house, game, PEOPLE)
    assert not house.store.read_now(lambda tx: tx.all(Journal, game_id=game, by="clock"))


async def test_a_clock_that_breaks_a_game_is_mended_by_the_admin(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await table(house, PEOPLE)
    late, due = asked(house, game), clocks(house, game)[0].due_ms
    house.clock.pass_(hours=19)
    await house.referee.scheduler.ring()
    await house.settle()
    house.clock.pass_(hours=6)
    with monkeypatch.context() as patch:
        patch.setattr(rules, "dull", broken)
        await house.referee.scheduler.ring()
    assert running(house, game).status == "frozen"
    assert house.store.read_now(lambda tx: tx.one(Alert, code="frozen")) is not None
    house.clock.pass_(hours=50)
    await house.settle()
    letters = len(house.letters(PEOPLE[late]))
    assert house.store.write_now(lambda tx: console.mend(tx, "thaw", game, house.shell()))
    assert not house.store.write_now(lambda tx: console.mend(tx, "thaw", game, house.shell()))
    await house.settle()
    assert len(house.letters(PEOPLE[late])) == letters + 1  # asked again
    assert [row.due_ms for row in clocks(house, game)] == [
        due
    ]  # it had passed when the game froze, and that wins nobody another day
    await to_the_end(house, game, PEOPLE)


async def test_a_vote_and_a_pause_outlast_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    game = await table(house, PEOPLE, hours="24h no bank no quiet no nights pause 5d")

    async def stands_still(hours: float) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(rules, "play", broken)
            await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        assert running(house, game).status == "frozen"
        house.clock.pass_(hours=hours)
        assert await house.referee.scheduler.ring() == 0
        assert house.store.write_now(lambda tx: console.mend(tx, "thaw", game, house.shell()))
        await house.settle()

    def pauses() -> bool:
        return clock_state.paused(clock_state.read_clocks(running(house, game)))

    await house.say(PEOPLE[0], f"pause #{game}")
    await stands_still(30)
    await house.referee.scheduler.ring()
    assert not pauses(), "nobody could say no meanwhile"
    house.clock.pass_(hours=12.1)
    await house.referee.scheduler.ring()
    assert pauses()
    await stands_still(24)
    house.clock.pass_(hours=72)
    await house.referee.scheduler.ring()
    assert pauses()
    house.clock.pass_(hours=24.1)
    await house.referee.scheduler.ring()
    assert not pauses(), "it lasts no longer than the policy says"


async def test_a_message_put_back_beside_a_running_referee_is_found(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, inbox_id = await shunted(house, monkeypatch)
    monkeypatch.setattr("referee.service.inbound.inbox_worker._LOOK_S", 0.05)
    running_desk = asyncio.create_task(house.referee.reception.worker.run())
    await asyncio.sleep(0.1)
    assert house.store.write_now(
        lambda tx: console.mend(tx, "retry-message", inbox_id, house.shell())
    )  # as `referee inbox retry` does, unheard
    async with asyncio.timeout(5):
        while not house.store.read_now(lambda tx: tx.all(Journal, game_id=game, inbox_id=inbox_id)):
            await asyncio.sleep(0.02)
    running_desk.cancel()
    await asyncio.gather(running_desk, return_exceptions=True)


async def test_a_miss_that_was_our_fault_is_taken_back_after_it(
    watched: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [[f"telegram:a{n}", f"terminal:b{n}"] for n in range(6)]
    first = await table(watched, people[0])
    watched.clock.pass_(hours=3)
    for pair in people[1:]:
        await table(watched, pair)
    late = asked(watched, first)
    watched.clock.pass_(hours=21.5)
    await watched.referee.scheduler.ring()
    assert clock_state.read_clocks(running(watched, first)).seat(late).misses == 1
    with monkeypatch.context() as patch:
        patch.setattr(rules, "play", broken)
        await watched.say(people[0][asked(watched, first)], legal(watched, first)[0])
    assert running(watched, first).status == "frozen"
    watched.clock.pass_(hours=3)
    await watched.referee.scheduler.ring()
    assert watched.store.read_now(lambda tx: tx.count(Deadline, kind="amends")) == 1
    assert watched.store.write_now(lambda tx: console.mend(tx, "thaw", first, watched.shell()))
    for _ in range(2):
        await watched.referee.scheduler.ring()
        await watched.settle()
    assert clock_state.read_clocks(running(watched, first)).seat(late).misses == 0
    assert asked(watched, first) == late
    assert told(watched, first).count("miss_forgiven") == 1
