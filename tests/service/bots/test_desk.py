"""Bots that think: whatever becomes of the process in which they do, every question is answered, once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from referee.doctor import bots as doctor
from referee.search import PLAYERS
from referee.search.thinking import Thought, answered, read_answer
from referee.service.admin import console
from referee.service.bots import desk, thinker
from referee.service.bots.desk import BotDesk
from referee.service.bots.thinker import Thinker
from referee.service.core.counters import Tally
from referee.service.core.settings import BotSettings
from referee.service.deadlines import bot_questions
from referee.service.play import freeze
from referee.store import Deadline, Journal, StoreFull, Tx
from tests.service import playing
from tests.service.bots import players
from tests.service.bots.tables import rung_where_shared, table
from tests.service.rig import House, until

#: other processes think, and know no shorter games
pytestmark = pytest.mark.whole_games
BEGIN = "from tests.service.bots.players import serve; serve({cpu_s})"
EFFORT = 0.2


@pytest.fixture(autouse=True)
def they_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, player in players.ALL.items():
        monkeypatch.setitem(PLAYERS, name, player)
    # they get what nobody else wants of the processor: beside other tests that may be nothing for a minute
    monkeypatch.setattr(thinker, "_BEGINS_S", 300.0)


Opened = Callable[..., Awaitable[House]]


@pytest.fixture
async def opened(tmp_path: Path) -> AsyncIterator[Opened]:
    """Opens the house in the same place, again and again."""
    houses: list[House] = []

    async def open_(**settings: Any) -> House:
        bots = BotSettings(**{"effort": EFFORT, **settings})
        house = await House(tmp_path / "book.db", houses[-1].clock if houses else None, bots=bots).open()
        house.referee.bots = BotDesk(house.referee.context, BEGIN)
        houses.append(house)
        return house

    yield open_
    await houses[-1].close()


def lines(house: House, game: int) -> list[tuple[int, int, str, str]]:
    found = house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no"))
    return [(one.seat, one.question, one.order, one.by) for one in found]


def waiting(house: House) -> list[Deadline]:
    kinds = tuple(bot_questions.KINDS)
    return house.store.read_now(lambda tx: tx.all(Deadline, kind=kinds, done_ms=0))


def outcomes(house: House) -> dict[str, int]:
    return dict(house.referee.context.alarm.tally.thoughts)


async def some_turns(house: House, game: int, orders: int = 6) -> None:
    """Ana's orders, and what the bots do between them."""
    for _ in range(orders):
        if playing.running(house, game).status == "running":
            assert playing.asked(house, game) == 0, "the bots have not answered"
            await house.say("telegram:ana", playing.greedy(house, game, 0))


async def test_a_bot_thinks_in_a_process_of_its_own(opened: Opened) -> None:
    house = await opened()
    game = await table(house, "sound", "sound")
    await some_turns(house, game)
    process = house.referee.bots.thinker.process
    assert process is not None
    assert process.pid != os.getpid()
    answers = [one for one in lines(house, game) if one[3] == "bot"]
    assert len(answers) == outcomes(house)["own"] > 4
    assert set(outcomes(house)) == {"own"}
    assert not waiting(house), "what is answered waits no longer"
    assert [one.question for one in house.store.read_now(lambda tx: tx.all(Deadline, kind="thinking"))] == [
        question for _, question, _, by in lines(house, game) if by == "bot"
    ], "each question was taken in hand once"


async def test_an_answer_depends_on_the_question_alone(opened: Opened) -> None:
    """Not on the process, on what it was asked before, or on the hour."""
    house = await opened()
    game = await table(house, "sound", people=("telegram:ana", "telegram:ben"))
    position = playing.running(house, game).snapshot
    seat = playing.asked(house, game)
    questions = [
        Thought(msgspec.Raw(position), seat, "sound", EFFORT, f"{game}:{number}:{seat}")
        for number in (1, 2, 3, 2, 1)
    ]
    found = []
    for _ in range(2):
        thinker = Thinker(BotSettings(effort=EFFORT), Tally(), house.clock, BEGIN)
        found.append([await thinker.move(one) for one in questions])
        thinker.close()
        house.clock.pass_(hours=7)
    assert found[0] == found[1] == [read_answer(answered(msgspec.json.encode(one))) for one in questions]
    assert found[0][:2] == found[0][:2:-1]
    assert len(set(found[0])) > 1


async def test_strong_answers_within_its_limits(opened: Opened) -> None:
    """What it reads is loaded before the process is sealed, and 150 MB are enough for it."""
    house = await opened(effort=1.0)
    game = await table(house, "strong", "strong thrifty")
    await some_turns(house, game, 4)
    assert set(outcomes(house)) == {"own"}
    process = house.referee.bots.thinker.process
    assert process is not None
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    assert os.sched_getscheduler(process.pid) == os.SCHED_IDLE, "it gets what nobody else wants"
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    assert peak < 150 * 1024, f"{peak} kB"


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("endless", "cpu"),
        ("greedy_for_memory", "memory"),
        ("dying", "died"),
        ("raising", "died"),
        ("unreadable", "answer"),
        ("opening", "died"),
        ("illegal", "refused"),
    ],
)
async def test_whatever_goes_wrong_is_answered_by_another(opened: Opened, kind: str, why: str) -> None:
    house = await opened(effort=0.01)
    game = await table(house, kind)
    while "bot" not in {one[3] for one in lines(house, game)}:
        await some_turns(house, game, 1)
    assert outcomes(house)[why] >= 1
    assert "own" not in outcomes(house) or why == "refused"
    assert not waiting(house)
    await house.say("telegram:ana", playing.greedy(house, game, 0))  # the game goes on
    assert playing.running(house, game).status == "running"


@pytest.fixture
def at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """While this file is there, whoever is `waiting` thinks."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    found = tmp_path / players.AT_WORK
    found.touch()
    return found


async def thinks_now(house: House) -> asyncio.Task[int]:
    """The desk is at work on a question, in a process that is there."""
    task = asyncio.create_task(house.referee.bots.round())
    await until(lambda: [one.kind for one in waiting(house)] == ["thinking"])
    await until(lambda: house.referee.bots.thinker.process is not None)
    return task


async def asked_now(house: House, *kinds: str) -> int:
    """A table where a bot that thinks has just been asked."""
    bots, house.referee.bots = house.referee.bots, _Idle()
    game = await table(house, *kinds)
    for _ in range(20):
        if playing.asked(house, game):
            break
        await house.say("telegram:ana", playing.greedy(house, game, 0))
    house.referee.bots = bots
    assert playing.asked(house, game)
    assert waiting(house)
    return game


class _Idle:
    """Nobody works the queue off."""

    def wake(self) -> None: ...

    async def round(self) -> int:
        return 0


async def test_what_another_process_asks_is_answered_soon(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command of the admin's lets a table go on, and rings no bell of ours."""
    monkeypatch.setattr(desk, "_LOOK_S", 0.05)
    house = await opened()
    game = await asked_now(house, "sound")
    await house.store.write(lambda tx: freeze.freeze(house.referee.context.uow(tx), game))
    at_work = asyncio.create_task(house.referee.bots.run())
    await until(lambda: house.referee.bots._sure)
    assert not waiting(house)
    assert await house.store.write(lambda tx: console.mend(tx, "thaw", game, house.shell()))
    await until(lambda: "bot" in {one[3] for one in lines(house, game)}, 60)
    at_work.cancel()
    assert outcomes(house)["own"]


async def test_a_process_that_is_killed_in_the_midst_is_begun_anew(opened: Opened, at_work: Path) -> None:
    house = await opened()
    game = await asked_now(house, "waiting")
    before = lines(house, game)
    task = await thinks_now(house)
    first = house.referee.bots.thinker.process
    assert first is not None
    os.kill(first.pid, signal.SIGKILL)
    await until(lambda: (now := house.referee.bots.thinker.process) is not None and now.pid != first.pid)
    at_work.unlink()
    await task
    assert outcomes(house).get("own", 0) >= 1
    assert len(lines(house, game)) > len(before)
    assert not waiting(house)


async def test_a_question_that_kills_every_process_is_answered_by_another(
    opened: Opened, at_work: Path
) -> None:
    house = await opened()
    game = await asked_now(house, "waiting")
    task = await thinks_now(house)
    killed = set()
    while not task.done():
        process = house.referee.bots.thinker.process
        if process is not None and process.pid not in killed:
            killed.add(process.pid)
            os.kill(process.pid, signal.SIGKILL)
        await asyncio.sleep(0.01)
    await task
    assert set(outcomes(house)) == {"died"} or set(outcomes(house)) == {"died", "rest"}
    assert not waiting(house)
    assert playing.asked(house, game) == 0


async def test_a_referee_that_starts_again_asks_again(opened: Opened, at_work: Path) -> None:
    house = await opened()
    game = await asked_now(house, "waiting")
    number = playing.running(house, game).question
    task = await thinks_now(house)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await house.close()
    again = await opened()
    assert [one.kind for one in waiting(again)] == ["thinking"], "it was in hand"
    at_work.unlink()
    await rung_where_shared(again)
    await again.settle()
    assert [one[1] for one in lines(again, game)].count(number) == 1, "answered, and once"
    assert not waiting(again)


@pytest.mark.parametrize("what", ["_take", "_play"])
async def test_a_book_that_is_away_for_a_moment_costs_no_answer(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Nobody rings again for a question that was about to be taken, or for one that is in hand."""
    house = await opened()
    game = await asked_now(house, "waiting")
    number = playing.running(house, game).question
    desk, write, away = house.referee.bots, house.store.write, [StoreFull(5, "away", "there")]

    async def away_once(job: Callable[[Tx], Any]) -> Any:
        if away and getattr(job, "func", job).__name__ == what:
            raise away.pop()
        return await write(job)

    monkeypatch.setattr(house.store, "write", away_once)
    loop = asyncio.create_task(desk.run())
    await until(lambda: [one[1] for one in lines(house, game)].count(number) == 1)
    loop.cancel()
    await asyncio.gather(loop, return_exceptions=True)
    assert not away


async def test_a_look_into_an_empty_queue_holds_up_nobody_who_writes(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked every few seconds, for as long as the house is open."""
    house = await opened()
    await house.referee.bots.round()  # nothing is in hand that somebody forgot
    with monkeypatch.context() as patch:
        patch.setattr(house.store, "write", None)
        assert await house.referee.bots.round() == 0


async def test_an_answer_that_comes_too_late_is_nobodys(opened: Opened, at_work: Path) -> None:
    """Its patience was at an end meanwhile, and the substitute has answered."""
    house = await opened()
    game = await asked_now(house, "waiting")
    number = playing.running(house, game).question
    task = await thinks_now(house)
    house.clock.pass_(seconds=bot_questions.PATIENCE_MS / 1000 + 1)
    await house.referee.scheduler.ring()
    answers = [one for one in lines(house, game) if one[1] == number]
    assert len(answers) == 1
    at_work.unlink()
    await task
    assert [one for one in lines(house, game) if one[1] == number] == answers
    assert outcomes(house)["late"] == 1


async def test_tables_take_turns(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of seven bots has one answer between two of another table's."""
    house = await opened()
    order: list[tuple[int, set[int]]] = []
    answer = BotDesk._answered

    async def noted(desk: BotDesk, taken: Any) -> None:
        order.append((taken.game_id, {row.game_id for row in waiting(house)}))
        await answer(desk, taken)

    monkeypatch.setattr(BotDesk, "_answered", noted)
    idle, bots = _Idle(), house.referee.bots
    large = await table(house, *["sound"] * 6)
    games = (large, await table(house, "sound"), await table(house, "sound", "sound"))
    for _ in range(3):
        house.referee.bots = idle
        for game in games:
            while not playing.asked(house, game):
                await house.say("telegram:ana", f"#{game} {playing.greedy(house, game, 0)}")
        house.referee.bots = bots
        await bots.round()
    served = [game for game, _ in order]
    assert served.count(large) > 6
    for place, (game, others) in enumerate(order):
        onward = served[place + 1 :]
        until_again = onward[: onward.index(game)] if game in onward else onward
        assert others - {game} <= set(until_again), "whoever waits comes before a table is answered again"


async def test_a_house_may_do_without_the_process(opened: Opened) -> None:
    house = await opened(process=False)
    game = await table(house, "sound")
    await some_turns(house, game)
    assert house.referee.bots.thinker.process is None
    assert set(outcomes(house)) == {"off"}


async def test_no_process_where_nobody_thinks(opened: Opened) -> None:
    house = await opened()
    game = await table(house, "greedy", "random")
    await some_turns(house, game)
    assert house.referee.bots.thinker.process is None
    assert not outcomes(house)
    assert not house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, seat=1))


async def test_figures_and_the_doctor_tell_what_waits(opened: Opened) -> None:
    house = await opened()
    await asked_now(house, "sound")
    assert "citadels_bots_waiting 1.0" in await house.referee.monitor.figures()
    (found,) = house.store.read_now(doctor.bots)
    assert (found.code, found.facts["count"]) == ("bots", 1)
    await house.settle()
    figures = await house.referee.monitor.figures()
    assert "citadels_bots_waiting 0.0" in figures
    own = outcomes(house)["own"]
    assert f'citadels_bot_answers_total{{outcome="own"}} {own}.0' in figures
    assert f"citadels_bot_seconds_count {own}.0" in figures
    assert not house.store.read_now(doctor.bots)
