"""A review waits in the queue of those who think: behind all else, for as long as it takes, once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Raw

from referee.isolated.worker import WorkerDied
from referee.search.search import Compared
from referee.search.thinking import Thought
from referee.service.bots import desk
from referee.service.bots.desk import BotDesk
from referee.service.bots.thinker import NoThought
from referee.service.core.settings import BotSettings
from referee.store import Deadline, GameReview, PackedGame, StoreFull, Tx
from tests.service.playing import ring
from tests.service.reviews.conftest import Opened
from tests.service.reviews.judges import ANA, BEA, GAME, Judge, instead, own, row, said
from tests.service.rig import House
from tests.service.upkeep.packed_games import packed


async def test_a_restart_goes_on_where_it_was(house: House) -> None:
    made = own(house)
    judge = Judge(house, {0: (55, 35), 5: (60, 20)})
    whole, reached = judge.compared, asyncio.Event()

    async def stuck(thought: Thought) -> Compared:
        if len(judge.asked) == 4:
            reached.set()
            await asyncio.Event().wait()
        return await whole(thought)

    instead(house.referee.bots.thinker, "compared", stuck)
    saying = asyncio.create_task(house.say(ANA, f"review #{GAME}"))
    await asyncio.wait_for(reached.wait(), 20)
    saying.cancel()
    review = row(house)
    assert review is not None
    assert review.upto == made[3].no
    [held] = house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))
    assert held.kind == "reviewing"
    house.referee.bots = BotDesk(house.referee.context)
    instead(house.referee.bots.thinker, "compared", whole)
    if house.store.shared:  # it might be in another process's hand, until it rings
        house.clock.pass_(hours=0.2)
        assert await ring(house) == 1
    await house.settle()
    assert [one.seed for one in judge.asked] == [f"review:{GAME}:{one.question}:0" for one in made]
    told = [one for one in house.letters(ANA) if "decisions were judged" in one.text]
    assert len(told) == 1
    assert f"{len(made)} decisions were judged" in told[0].text
    await house.settle()
    assert len([one for one in house.letters(ANA) if "were judged" in one.text]) == 1


async def test_what_nobody_can_judge_is_left_out_and_too_much_of_that_ends_it(house: House) -> None:
    judge = Judge(house, {3: (60, 30)})
    judge.tired = {0, 1}
    text = await said(house, ANA, f"review #{GAME}")
    assert f"{len(own(house)) - 2} decisions were judged" in text
    assert "from 60 % to 30 %" in text
    judge = Judge(house, {})
    judge.tired = {4, 5, 6}
    assert "Nobody had time to look through your turns" in await said(house, BEA, f"review #{GAME}")
    assert len(judge.asked) == 7
    assert "decisions were judged" in await said(house, BEA, f"review #{GAME}"), "asked for once more"


async def test_what_waits_is_not_forgotten_and_ends_after_a_day(house: House) -> None:
    instead(house.referee.bots, "round", _nothing)
    assert "I am looking" in await said(house, ANA, f"review #{GAME}")
    for _ in range(3):
        house.clock.pass_(hours=0.2)
        assert await ring(house) == 1
        [waits] = house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))
        assert waits.kind == "review"
    house.clock.pass_(hours=24)
    before = len(house.letters(ANA))
    await ring(house)
    assert "Nobody had time" in house.letters(ANA)[before].text
    assert row(house) is None
    assert not house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))


async def _nothing() -> int:
    return 0


async def test_one_whose_row_was_lost_is_asked_for_again(house: House) -> None:
    Judge(house, {})
    whole = house.referee.bots.round
    instead(house.referee.bots, "round", _nothing)
    for _ in range(2):
        assert "I am looking" in await said(house, ANA, f"review #{GAME}")
        assert house.store.read_now(lambda tx: tx.count(Deadline, game_id=GAME, done_ms=0)) == 1
    house.store.write_now(lambda tx: tx.change(Deadline, {"game_id": GAME, "done_ms": 0}, done_ms=1))
    instead(house.referee.bots, "round", whole)
    assert "were judged" in await said(house, ANA, f"review #{GAME}")


async def test_hints_come_first_then_bots_then_reviews(house: House) -> None:
    def wait(tx: Tx) -> None:
        for kind in ("review", "think", "review", "hint", "think"):
            tx.add(Deadline, game_id=GAME, seat=0, question=1, kind=kind, due_ms=house.clock())

    house.store.write_now(wait)
    desk, taken = house.referee.bots, list[str]()

    def note(tx: Tx, waiting: Deadline) -> None:
        taken.append(waiting.kind)
        tx.set(Deadline, waiting.id, done_ms=1)

    instead(desk, "_taken", note)
    await desk.round()
    assert taken == ["hint", "think", "think", "review", "review"]


async def test_what_is_more_urgent_comes_between_two_decisions(house: House) -> None:
    judge, desk, taken = Judge(house, {}), house.referee.bots, list[str]()
    whole, take = judge.compared, desk._taken

    async def disturbed(thought: Thought) -> Compared:
        if len(judge.asked) == 2:
            hint = {"game_id": GAME, "seat": 0, "question": 1, "kind": "hint", "due_ms": house.clock() + 9}
            await house.store.write(lambda tx: tx.add(Deadline, **hint))
        return await whole(thought)

    def noted(tx: Tx, waiting: Deadline) -> object:
        taken.append(waiting.kind)
        return take(tx, waiting)

    instead(desk.thinker, "compared", disturbed)
    instead(desk, "_taken", noted)
    assert "were judged" in await said(house, ANA, f"review #{GAME}")
    assert taken[:5] == ["review", "review", "review", "hint", "review"]


async def test_the_search_judges_in_its_own_process(opened: Opened) -> None:
    house = await opened(bots=BotSettings(effort=0.001))
    text = await said(house, ANA, f"review #{GAME}")
    made = own(house)
    assert f"{len(made)} decisions were judged" in text
    assert dict(house.referee.context.alarm.tally.thoughts) == {"own": len(made)}


async def test_whose_account_is_gone_is_told_nothing(house: House) -> None:
    judge = Judge(house, {})
    whole = judge.compared

    async def gone(thought: Thought) -> Compared:
        await house.store.write(lambda tx: tx.drop(GameReview))
        return await whole(thought)

    instead(house.referee.bots.thinker, "compared", gone)
    assert "were judged" not in await said(house, ANA, f"review #{GAME}")
    assert len(judge.asked) == 1
    assert not house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))


async def test_a_database_that_is_away_for_a_moment_does_not_end_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge, read, away = Judge(house, {5: (60, 20)}), house.store.read, [1]

    async def unsteady(job: Callable[[Tx], Any], **more: Any) -> Any:
        if len(judge.asked) == 3 and away and "_decision" in repr(job):
            away.pop()
            raise StoreFull(5, "the server is away")
        return await read(job, **more)

    monkeypatch.setattr(house.store, "read", unsteady)
    text = await said(house, ANA, f"review #{GAME}")
    assert not away
    assert f"{len(own(house))} decisions were judged" in text


async def test_one_that_breaks_is_not_told_as_done_and_may_be_asked_for_again(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("review")

    judge = Judge(house, {5: (60, 20)})
    with monkeypatch.context() as once:
        once.setattr(desk.hooks, "to_judge", broken)
        text = await said(house, ANA, f"review #{GAME}")
    assert "a review of game 1 broke" in caplog.text
    assert "Nobody had time to look through your turns" in text
    assert not house.store.read_now(lambda tx: tx.all(Deadline, game_id=GAME, done_ms=0))
    assert "from 60 % to 20 %" in await said(house, ANA, f"review #{GAME}")
    assert len(judge.asked) == len(own(house))


async def test_a_damaged_pack_is_told_and_once_it_is_restored_there_is_a_review(house: House) -> None:
    Judge(house, {5: (60, 20)})
    await packed(house)
    whole = house.store.read_now(lambda tx: tx.one(PackedGame, game_id=GAME))
    assert whole is not None
    await house.store.write(lambda tx: tx.put(PackedGame, game_id=GAME, data=whole.data[:-1] + b"?"))
    assert "damaged" in await said(house, ANA, f"review #{GAME}")
    await house.store.write(lambda tx: tx.put(PackedGame, game_id=GAME, data=whole.data))
    assert "from 60 % to 20 %" in await said(house, ANA, f"review #{GAME}")


async def test_reviews_wait_while_nobody_is_let_think(house: House) -> None:
    """The process failed time and again just now: that is no fault of those who wait behind it."""
    thinker = house.referee.bots.thinker

    async def dies(question: bytes, patience: float) -> bytes:
        raise WorkerDied("memory")

    instead(thinker._worker, "ask", dies)
    position = Thought(Raw(b"{}"), 0, "strong", 0.1, "1")
    for _ in range(3):
        with pytest.raises(NoThought):
            await thinker.move(position)
    with pytest.raises(NoThought, match="rest"):
        await thinker.move(position)
    text = await said(house, ANA, f"review #{GAME}")
    assert "Nobody had time" not in text
    Judge(house, {5: (60, 20)})
    house.clock.pass_(hours=0.2)
    before = len(house.letters(ANA))
    assert await ring(house) == 1
    assert "from 60 % to 20 %" in house.letters(ANA)[before].text
