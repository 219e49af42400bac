"""A full bot that stands in and thinks: its turn goes question by question through the queue of those that
think, nothing doubled and nothing lost, and who comes back plays on at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee import rules
from referee.rules import Move
from referee.search import PLAYERS
from referee.search.thinking import Thought, answered, read_answer
from referee.service.bots.thinker import NoThought
from referee.service.core import outbox
from referee.service.core.settings import BotSettings
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.deadlines import bot_questions, clock_state
from referee.store import Deadline, Journal
from tests.service import playing
from tests.service.bots import players
from tests.service.bots.tables import rung_where_shared
from tests.service.playing import running
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cid@x.example"]
WORDS = f"{playing.FLAT} standin bot"


@pytest.fixture(autouse=True)
def they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, player in players.ALL.items():
        monkeypatch.setitem(PLAYERS, name, player)


class Here:
    """Thinks without a process, or does not (`why`)."""

    process, rests = None, False

    def __init__(self, why: str = "") -> None:
        self.why, self.asked = why, list[Thought]()

    async def move(self, thought: Thought) -> Move:
        self.asked.append(thought)
        if self.why:
            raise NoThought(self.why)
        return read_answer(answered(msgspec.json.encode(thought)))

    def close(self) -> None: ...


class Idle:
    """Nobody works the queue off."""

    def wake(self) -> None: ...

    async def round(self) -> int:
        return 0

    def close(self) -> None: ...


def _same(size: int) -> bytes:
    return bytes([5]) * size


async def a_house(path: Path, level: str, why: str = "") -> tuple[House, Here]:
    house = await House(path, bots=BotSettings(stand_in=level), seeds=_same).open()
    thinker = Here(why)
    house.referee.bots.thinker = thinker
    return house, thinker


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one, _ = await a_house(tmp_path / "own.db", "slowly_steady")
    yield one
    await one.close()


def lines(house: House, game: int) -> list[Journal]:
    return house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no"))


def waiting(house: House, game: int) -> list[Deadline]:
    kinds = tuple(bot_questions.KINDS)
    return house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, kind=kinds, done_ms=0))


def clocks(house: House, game: int) -> list[Deadline]:
    return house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, kind="answer", done_ms=0))


async def abandoned(house: House, rings: int = 18, bots: int = 1) -> int:
    """A table that everybody has left, for a round and a half."""
    game = await playing.table(house, PEOPLE, bots=bots, hours=WORDS)
    for _ in range(rings):
        house.clock.pass_(hours=25)
        await playing.ring(house)
    return game


def kind(house: House, game: int) -> str:
    """Of the question that is open."""
    return rules.asks(playing.state(house, game))[0].kind


async def in_its_turn(house: House) -> tuple[int, int]:
    """A table where a stand-in is asked what to do in its turn, and nobody thinks as yet; the seat."""
    bots, house.referee.bots = house.referee.bots, Idle()
    game = await playing.table(house, PEOPLE, hours=WORDS)
    for _ in range(80):
        house.clock.pass_(hours=25)
        await playing.ring(house)
        if waiting(house, game) and kind(house, game) == "turn":
            break
        await bots.round()
    house.referee.bots = bots
    (row,) = waiting(house, game)
    assert row.kind == "think"
    assert not clocks(house, game), "nobody waits for a person"
    return game, row.seat


async def test_the_same_game_and_no_letter_more_than_of_one_that_answers_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, queue = [], outbox.queue
    for level in ("steady", "slowly_steady"):
        told = Counter[tuple[int, str]]()

        def counted(uow: UnitOfWork, what: Any, told: Counter[Any] = told, **where: Any) -> None:
            told[where.get("seat"), what.kind] += where.get("seat") is not None
            queue(uow, what, **where)

        house, thinker = await a_house(tmp_path / f"{level}.db", level)
        monkeypatch.setattr(outbox, "queue", counted)
        game = await abandoned(house)
        monkeypatch.setattr(outbox, "queue", queue)
        orders = [(one.seat, one.question, one.order, one.by) for one in lines(house, game)]
        found.append((orders, Counter(playing.happened(house, game)), told))
        by = Counter(one.by for one in lines(house, game))
        assert by["standin"] > 10
        assert len(thinker.asked) == (0 if level == "steady" else by["standin"])
        assert {one.player for one in thinker.asked} <= {level}
        assert not waiting(house, game)
        await house.close()
    assert found[0] == found[1]


@pytest.mark.parametrize("why", ["off", "slow", "died"])
async def test_where_nobody_can_think_a_steady_one_answers(tmp_path: Path, why: str) -> None:
    found = []
    for level in ("steady", "strong"):
        house, _ = await a_house(tmp_path / f"{level}.db", level, why)
        game = await abandoned(house, 12)
        found.append([(one.seat, one.question, one.order, one.by) for one in lines(house, game)])
        await house.close()
    assert found[0] == found[1]
    assert "standin" in {one[3] for one in found[0]}


async def test_what_waits_too_long_is_answered_once(house: House) -> None:
    game, seat = await in_its_turn(house)
    bots, house.referee.bots = house.referee.bots, Idle()
    number = running(house, game).question
    house.clock.pass_(seconds=bot_questions.PATIENCE_MS / 1000 + 1)
    await house.referee.scheduler.ring()
    assert [one.by for one in lines(house, game) if one.question == number] == ["standin"]
    assert bots is not house.referee.bots
    assert [one.seat for one in waiting(house, game)] == [seat], "the next question waits for its turn"


async def test_a_referee_that_stopped_in_its_midst_goes_on_with_it(tmp_path: Path) -> None:
    house, _ = await a_house(tmp_path / "a.db", "slowly_steady")
    game, seat = await in_its_turn(house)
    number = running(house, game).question
    assert await house.store.write(house.referee.bots._take) is not None
    assert [one.kind for one in waiting(house, game)] == ["thinking"]
    await house.close()
    again = House(tmp_path / "a.db", house.clock, bots=house.settings.bots, seeds=_same)
    await again.open()
    again.referee.bots.thinker = Here()
    await rung_where_shared(again)
    await again.settle()
    assert [one.by for one in lines(again, game) if one.question == number] == ["standin"]
    numbers = [one.question for one in lines(again, game)]
    assert sorted(set(numbers)) == sorted(numbers)
    assert not waiting(again, game), "its turn is over"
    assert playing.asked(again, game) != seat or len(clocks(again, game)) == 1
    await again.close()


@pytest.mark.parametrize("said", ["{order}", "here #{game}"])
async def test_who_comes_back_plays_on_at_once(house: House, said: str) -> None:
    game, seat = await in_its_turn(house)
    taken = await house.store.write(house.referee.bots._take)
    assert taken is not None
    bots, house.referee.bots = house.referee.bots, Idle()
    before = len(lines(house, game))
    await house.say(PEOPLE[seat], said.format(order=f"#{game} gold", game=game))
    assert len(lines(house, game)) == before + ("{order}" in said)
    assert playing.happened(house, game).count("back") == 1
    assert not waiting(house, game)
    assert [one.seat for one in clocks(house, game)] == [seat], "they are waited for"
    await bots._answered(taken)  # what was thought about meanwhile is nobody's
    house.clock.pass_(hours=1 / 60)
    await playing.ring(house)
    assert len(lines(house, game)) == before + ("{order}" in said)
    assert playing.asked(house, game) == seat


async def test_it_stands_still_in_a_pause(house: House) -> None:
    game, seat = await in_its_turn(house)
    before = len(lines(house, game))
    other = (seat + 1) % 3
    bots, house.referee.bots = house.referee.bots, Idle()
    await house.say(PEOPLE[other], f"pause #{game}")
    for one in PEOPLE:
        if one != PEOPLE[other]:
            await house.say(one, f"vote yes #{game}")
    assert clock_state.paused(clock_state.read_clocks(running(house, game)))
    assert not waiting(house, game)
    house.clock.pass_(hours=1)
    await playing.ring(house)
    assert len(lines(house, game)) == before
    house.referee.bots = bots
    await house.say(PEOPLE[other], f"resume #{game}")
    for one in PEOPLE:
        if one != PEOPLE[other]:
            await house.say(one, f"vote yes #{game}")
    assert len(lines(house, game)) > before, "it goes on with the table"
    assert {one.by for one in lines(house, game)[before:] if one.seat == seat} == {"standin"}


async def test_process_lets_nobody_think(house: House) -> None:
    game, seat = await in_its_turn(house)
    bots, house.referee.bots = house.referee.bots, Idle()
    await house.say(PEOPLE[0], f"process q{running(house, game).question} #{game}")
    house.referee.bots = bots
    assert lines(house, game)[-1].seat == seat
    assert lines(house, game)[-1].by == "standin"
    assert lines(house, game)[-1].order == "end"
