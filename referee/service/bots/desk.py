"""The queue of questions about which bots think, worked off one after the other.

It is in the store (`deadlines.bot_questions`): hints first, for which people wait, then bots, then reviews of
finished games; of each the oldest. A table has one question open at a time, and what it asks next comes
behind those of all others: so tables take turns, however many bots sit at one of them. Whatever goes wrong
with a question, a player that needs no time answers it. Of a review one decision is judged at a time, and the
rest waits again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import msgspec

from referee.ids import DeadlineId, GameId
from referee.rules import Move
from referee.search.search import Compared, Judged
from referee.search.thinking import Thought
from referee.states import DeadlineKind
from referee.store import Deadline, Game, StoreFull, Tx

from ..core.unit_of_work import Context, StateCache, UnitOfWork
from ..deadlines import bot_questions
from ..play import bot_turns, freeze
from . import answering, hooks
from .thinker import BEGIN, NoThought, Thinker

log = logging.getLogger(__name__)
#: what waits, the most urgent first, and as what it is in hand
IN_HAND = {
    DeadlineKind.HINT: DeadlineKind.HINTING,
    DeadlineKind.THINK: DeadlineKind.THINKING,
    DeadlineKind.REVIEW: DeadlineKind.REVIEWING,
}
#: who thinks about a hint
ADVISER = "strong"
#: this many rows are looked at together
_BATCH = 16
#: how often it is looked into the queue also when nobody rings, seconds
_LOOK_S = 3.0


class _InHand(NamedTuple):
    """A question that was taken from the queue.  `thought` None: of a review, which says later."""

    row: DeadlineId
    game_id: GameId
    thought: Thought | None


class BotDesk:
    """`run` works the queue off for ever, `round` once.  `begin`: what the process runs that thinks."""

    def __init__(self, context: Context, begin: str = BEGIN) -> None:
        self._context, self._bell = context, asyncio.Event()
        self._bell.set()
        self.thinker = Thinker(context.settings.bots, context.alarm.tally, context.clock_ms, begin)
        self._sure = False  # whether nothing is in hand that somebody forgot
        self._states = StateCache()  # of what is read for reviews

    async def run(self) -> None:
        """Work the queue off whenever something comes into it.

        It is looked into now and then also when nobody rings: a command of the admin's lets a table go on,
        or the process died that should have rung.
        """
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_LOOK_S):
                    await self._bell.wait()
            self._bell.clear()
            try:
                await self.round()
            except StoreFull as full:
                self._context.alarm.disk_full(full)
                await asyncio.sleep(1)
                self._bell.set()  # what waits, or was in hand, is nobody else's to see to

    def wake(self) -> None:
        """There may be something in the queue."""
        self._bell.set()

    async def round(self) -> int:
        """All that is in the queue, and what comes into it meanwhile; how many questions.  Raises
        StoreFull.
        """
        store, done = self._context.store, 0
        if not self._sure and not store.shared:  # else it may be in another's hand, and rings when it is not
            await store.write(_put_back)
        self._sure = False
        # it is looked, mostly for nothing, by a reader: the writer has orders to do
        while await store.read(_waiting) and (taken := await store.write(self._take)) is not None:
            await self._answered(taken)
            done += 1
        self._sure = True
        return done

    def close(self) -> None:
        """End the process."""
        self.thinker.close()

    def _take(self, tx: Tx) -> _InHand | None:
        """The next question, in hand from now on. While nobody is let think, hints and bots get theirs
        answered without, and reviews wait.
        """
        for kind in IN_HAND:
            if kind == DeadlineKind.REVIEW and self.thinker.rests:
                break  # its row rings, and is put into the queue once more
            while rows := tx.all(Deadline, kind=kind, done_ms=0, order="id", limit=_BATCH):
                for row in rows:
                    taken = self._taken(tx, row)
                    if taken is not None:
                        return taken
        return None

    def _taken(self, tx: Tx, row: Deadline) -> _InHand | None:
        """None for one that is open no more, or in another's hand."""
        open_still = {"id": row.id, "kind": row.kind, "done_ms": 0}
        if not tx.change(Deadline, open_still, kind=IN_HAND[DeadlineKind(row.kind)]):
            return None
        if row.kind == DeadlineKind.REVIEW:
            return _InHand(row.id, row.game_id, None)
        game, uow = tx.get(Game, row.game_id), self._context.uow(tx)
        if game is None or not answering.still_asked(game, row):
            tx.set(Deadline, row.id, done_ms=uow.now_ms)
            return None
        seat = uow.seats(game.id)[row.seat]
        position, bots = msgspec.Raw(game.snapshot), self._context.settings.bots
        judged = row.kind == DeadlineKind.HINT
        who = ADVISER if judged else seat.bot or bot_turns.full(uow)
        thought = Thought(position, row.seat, who, bots.effort, bot_turns.seed(seat, row.question), judged)
        return _InHand(row.id, game.id, thought)

    async def _answered(self, taken: _InHand) -> None:
        """Let the bot think, and write down what came of it; where that breaks, the table stands still."""
        if taken.thought is None:
            await self._reviewed(taken)
            return
        if taken.thought.judged:
            await self._advised(taken, taken.thought)
            return
        move: Move | None = None
        try:
            move = await self.thinker.move(taken.thought)
        except NoThought as nothing:
            log.warning("a bot of game %s did not think: %s", taken.game_id, nothing.why)
        try:
            uow = await self._written(partial(self._play, taken=taken, move=move))
        except Exception:  # whatever broke it, the other tables are not to wait for this one
            log.exception("a bot's answer broke game %s", taken.game_id)
            uow = await self._written(partial(self._freeze, number=taken.game_id))
        self._context.woke(uow)

    async def _reviewed(self, taken: _InHand) -> None:
        """Let a decision of a finished game be judged, and write down what came of it; one that can't be
        judged is left out.
        """
        store, decision, found, broke = self._context.store, None, None, None
        look = partial(store.read, partial(self._decision, number=taken.row), visitor=True)
        try:
            # while the database is away nobody can tell whether that was the last decision
            decision = await self._context.alarm.until_written(look)
            found = None if decision is None else await self.thinker.compared(decision.thought)
        except NoThought as nothing:
            log.warning("nobody judged a decision of game %s: %s", taken.game_id, nothing.why)
        except Exception as error:  # whatever is wrong with that game, the others are not to wait for it
            log.exception("a review of game %s broke", taken.game_id)
            broke = error
        write = partial(self._review, taken=taken, decision=decision, found=found, broke=broke)
        try:
            self._context.woke(await self._written(write))
        except Exception:  # likewise; its row rings after a while
            log.exception("what a review of game %s found could not be written", taken.game_id)

    def _decision(self, tx: Tx, number: DeadlineId) -> hooks.Decision | None:
        row = tx.get(Deadline, number)
        effort, now_ms = self._context.settings.bots.effort, self._context.clock_ms()
        return None if row is None else hooks.to_judge(tx, self._states, now_ms, row, effort)

    def _review(
        self,
        tx: Tx,
        taken: _InHand,
        decision: hooks.Decision | None,
        found: Compared | None,
        broke: Exception | None,
    ) -> UnitOfWork:
        """The row waits again while there is more to judge."""
        uow, row = self._context.uow(tx), tx.get(Deadline, taken.row)
        if row is not None and not row.done_ms:
            if broke is not None:
                hooks.broke(uow, row, broke)
                tx.set(Deadline, row.id, done_ms=uow.now_ms)
            elif hooks.compared(uow, row, decision, found):
                due_ms = uow.now_ms + bot_questions.PATIENCE_MS
                tx.set(Deadline, row.id, kind=DeadlineKind.REVIEW, due_ms=due_ms)
            else:
                tx.set(Deadline, row.id, done_ms=uow.now_ms)
        return uow

    async def _advised(self, taken: _InHand, thought: Thought) -> None:
        """Let it think for a person; where that comes to nothing, nothing happens at the table."""
        try:
            judged = await self.thinker.judged(thought)
        except NoThought as nothing:
            log.warning("nobody thought about a hint in game %s: %s", taken.game_id, nothing.why)
            judged = []
        try:
            uow = await self._written(partial(self._advise, taken=taken, judged=judged))
        except Exception:  # whatever broke it, neither this bot nor the other tables are to wait for it
            log.exception("a hint in game %s broke", taken.game_id)
            uow = await self._written(partial(self._given_up, number=taken.row))
        self._context.woke(uow)

    async def _written(self, job: Callable[[Tx], UnitOfWork]) -> UnitOfWork:
        """Write down what was thought, however long that takes: nobody else asks for what is in our hand."""
        return await self._context.alarm.until_written(partial(self._context.store.write, job))

    def _advise(self, tx: Tx, taken: _InHand, judged: list[Judged]) -> UnitOfWork:
        """Tell who asked what was thought, if the question is open still."""
        uow, row = self._context.uow(tx), tx.get(Deadline, taken.row)
        game = tx.get(Game, taken.game_id)
        if row is None or game is None or row.done_ms:
            return uow
        tx.set(Deadline, row.id, done_ms=uow.now_ms)
        if answering.still_asked(game, row):
            hooks.judged(uow, game, row, judged)
        return uow

    def _given_up(self, tx: Tx, number: DeadlineId) -> UnitOfWork:
        uow = self._context.uow(tx)
        tx.set(Deadline, number, done_ms=uow.now_ms)
        return uow

    def _play(self, tx: Tx, taken: _InHand, move: Move | None) -> UnitOfWork:
        """The answer, if its question is open still."""
        uow, row = self._context.uow(tx), tx.get(Deadline, taken.row)
        game = tx.get(Game, taken.game_id)
        if row is None or game is None or row.done_ms or not answering.still_asked(game, row):
            uow.about["bot"] = "late"
            return uow
        uow.about |= {"game": game.id, "seat": row.seat}
        own = answering.answer(uow, game, row.seat, move)
        if move is not None and not own:
            uow.about["bot"] = "refused"
        return uow

    def _freeze(self, tx: Tx, number: GameId) -> UnitOfWork:
        uow = self._context.uow(tx)
        freeze.freeze(uow, number)
        return uow


def _waiting(tx: Tx) -> bool:
    """Whether something is in the queue."""
    return bool(tx.column(Deadline, "id", kind=tuple(IN_HAND), done_ms=0, limit=1))


def _put_back(tx: Tx) -> None:
    """What was in hand when a process ended waits again."""
    for waits, held in IN_HAND.items():
        tx.change(Deadline, {"kind": held, "done_ms": 0}, kind=waits)
