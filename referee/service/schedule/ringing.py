"""What is due is acted upon, each row in a transaction of its own that takes it in hand: on a database that
several processes share, and on a file alike.

What is to be done for a row is declared by its room (`core.due`). A deadline is claimed by setting `done_ms`
where it is still 0, in the transaction that acts on it: it fires once, however many bells ring for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from referee.ids import GameId
from referee.states import GameStatus
from referee.store import Deadline, Game, Store, StoreFull, Tx
from referee.store.claim_queries import FIRST

from ..core.due import KINDS, TIMERS, BackgroundJob, DeadlineSpec, Timer
from ..core.unit_of_work import Context, UnitOfWork
from ..deadlines import hold
from .presence import Presence

log = logging.getLogger(__name__)
R = TypeVar("R")
T = TypeVar("T")
#: this many deadlines are acted upon before timers and clocks are looked at again; as many are taken in hand
#: at once on a file, where jobs that wait together are committed together
_BATCH = 64


def _unknown(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """Of another version of the referee: no reason to do anything."""
    log.warning("a deadline of kind %r is not known here", row.kind)


def _asked(game: Game, row: Deadline) -> bool:
    return game.status == GameStatus.RUNNING and str(row.seat) in game.asked.split(",")


_UNKNOWN = DeadlineSpec(_unknown, while_asked=True, logged=True)


class _ClaimProgress:
    """How far those who take rows in hand together have come.  Only the store's writer looks at it."""

    def __init__(self) -> None:
        self._at = FIRST

    def taker(self, now_ms: int, kinds: tuple[str, ...]) -> Callable[[Tx], Deadline | None]:
        """Takes the next row; the same one when its job is run again."""
        began: list[tuple[int, int]] = []

        def take(tx: Tx) -> Deadline | None:
            began[:] = began or [self._at]
            row = tx.next_due(now_ms, kinds, began[0])
            if row is not None:
                self._at = (row.due_ms, row.id)
            return row

        return take


async def _acted(
    store: Store,
    find: Callable[[Tx], R | None],
    act: Callable[[Tx, R], T],
    broke: Callable[[Tx, R], T] | None,
    called: Callable[[R], str],
) -> tuple[R, T] | None:
    """Let `act` do what is to be done with the row that `find` takes in hand: the row, and what came of it;
    None where there was none.

    Where it breaks, what it wrote is undone, the log hears of it (`called`: how it names the row), and
    `broke` is done instead in a transaction of its own (None: what broke it is passed on). Raises StoreFull.
    """
    taken: list[R] = []  # of the job's last run: it may be run several times

    def job(tx: Tx) -> Any:
        row = find(tx)
        taken[:] = [] if row is None else [row]
        return None if row is None else act(tx, row)

    try:
        found: T = await store.write(job)
    except StoreFull:
        raise
    except Exception:  # whatever broke it, the next row is not to wait for it
        if not taken or broke is None:
            raise
        log.exception("%s broke", called(taken[0]))
        found = await store.write(lambda tx: broke(tx, taken[0]))
    return (taken[0], found) if taken else None


class DeadlineRunner:
    """`freeze` lets a game stand still for whose deadline the referee broke; `backlog` is told whether a
    backlog is being worked off; `wake` is called when something that was done aside may have made more due.
    """

    def __init__(
        self,
        context: Context,
        presence: Presence,
        *,
        freeze: Callable[[UnitOfWork, GameId], None],
        backlog: Callable[[bool], None],
        wake: Callable[[], None],
    ) -> None:
        self._context, self._presence = context, presence
        self._freeze_game, self._backlog, self._wake = freeze, backlog, wake
        self._beside: dict[tuple[str, int], asyncio.Task[None]] = {}

    async def ring(self) -> int:
        """Act upon everything that is due now; on how many deadlines.  Raises StoreFull."""
        fired = 0
        try:
            while True:
                # a clock that was put forward is no outage: it holds all, and is given back when they go on
                going = await self._presence.going()
                await self._presence.doubt()
                await self._timers(always=True)
                now = self._context.clock_ms()
                stepped = await self._timers(always=False) if going else 0
                rung = await self._deadlines(going, now, fired)
                fired += rung
                if not rung and not stepped:
                    return fired
        finally:
            self._backlog(False)

    async def upcoming_ms(self) -> int | None:
        """When the first of all falls due; None: nothing waits."""
        return await self._context.store.read(_first)

    async def late(self, before_ms: int) -> int:
        """How many deadlines (64 at most) should have rung before that moment, unless they are held."""
        if not await self._presence.going():
            return 0
        return len(await self._context.store.read(lambda tx: tx.due(before_ms, _BATCH)))

    async def stop(self) -> None:
        """Let go of what is done aside: it is begun anew when we are back."""
        for task in self._beside.values():
            task.cancel()
        await asyncio.gather(*self._beside.values(), return_exceptions=True)

    async def _deadlines(self, going: bool, now_ms: int, before: int) -> int:
        """On how many was acted; `before`: on that many already, so that a backlog is taken in larger
        pieces.
        """
        store = self._context.store
        first = await store.read(lambda tx: tx.next_due_ms())
        if first is None or first > now_ms:
            return 0
        place, fired = _ClaimProgress(), 0
        while fired < _BATCH:
            width = 1 if store.shared else max(1, min(_BATCH, before + fired))
            kinds = () if going else tuple(name for name, kind in KINDS.items() if kind.always)
            found = await asyncio.gather(
                *(self._one(place.taker(now_ms, kinds)) for _ in range(width)), return_exceptions=True
            )
            left = 0
            for one in found:
                if isinstance(one, BaseException):
                    raise one
                if one is not None:
                    uow, done = one
                    self._rang(uow)  # here, on the loop: its bells are not for the store's thread
                    fired, left = fired + done, left + (not done)
            if fired >= _BATCH:
                self._backlog(True)  # as after an outage: letters can wait
            if found[-1] is None:
                break
            if left:  # perhaps all are held by now
                going = going and await self._presence.going()
        return fired

    async def _one(self, take: Callable[[Tx], Deadline | None]) -> tuple[UnitOfWork, bool] | None:
        found = await _acted(
            self._context.store,
            take,
            self._act,
            lambda tx, row: (self._freeze(tx, row), True),
            lambda row: f"deadline {row.id} of game {row.game_id}",
        )
        return None if found is None else found[1]

    def _act(self, tx: Tx, row: Deadline) -> tuple[UnitOfWork, bool]:
        """What its kind does.  False: it was left as it is."""
        uow, game = self._context.uow(tx), tx.get(Game, row.game_id)
        kind = KINDS.get(row.kind) or _UNKNOWN
        if not kind.always and hold.held_since(tx):
            return uow, False
        if game is not None and kind.believed is not None and not kind.believed(uow, game, row):
            return uow, False
        claimed = tx.change(Deadline, {"id": row.id, "done_ms": 0}, done_ms=uow.now_ms) == 1
        if claimed and game is not None and (not kind.while_asked or _asked(game, row)):
            kind.ring(uow, game, row)
            if kind.logged:
                uow.about |= {"game": row.game_id, "seat": row.seat, "kind": row.kind}
        return uow, True

    def _freeze(self, tx: Tx, row: Deadline) -> UnitOfWork:
        """A clock that breaks a game stops that game, not the others."""
        uow = self._context.uow(tx)
        self._freeze_game(uow, row.game_id)
        return uow

    def _rang(self, uow: UnitOfWork) -> None:
        if "kind" in uow.about:
            log.info("deadline", extra=dict(uow.about))
        self._context.woke(uow)

    async def _timers(self, *, always: bool) -> int:
        """Let those timers ring that do so while deadlines are held, or the others; how many rows did."""
        now, done = self._context.clock_ms(), 0
        for name, timer in TIMERS.items():
            if timer.always is always:
                first = await self._context.store.read(timer.next_ms)
                if first is not None and first <= now:
                    done += await self._timer(name, timer, now)
        return done

    async def _timer(self, name: str, timer: Timer, now_ms: int) -> int:
        """Each row that is due once; how many."""
        done: list[int] = []
        while True:
            busy = [number for of, number in self._beside if of == name]
            but = (*done, *busy)
            found = await self._taken(name, timer, partial(_taken, timer=timer, now_ms=now_ms, but=but))
            if found is None:
                return len(done)
            row, (uow, aside) = found
            done.append(row.id)
            self._context.woke(uow)
            if aside is not None:
                await self._begin(name, timer, row, aside)

    async def _taken(
        self, name: str, timer: Timer, take: Callable[[Tx], Any]
    ) -> tuple[Any, tuple[UnitOfWork, BackgroundJob | None]] | None:
        def ring(tx: Tx, row: Any) -> tuple[UnitOfWork, BackgroundJob | None]:
            uow = self._context.uow(tx)
            return uow, timer.ring(uow, row)

        def broke(tx: Tx, row: Any) -> tuple[UnitOfWork, BackgroundJob | None]:
            return self._broke(tx, timer, row), None

        return await _acted(
            self._context.store, take, ring, broke if timer.broke else None, lambda row: f"{name} {row.id}"
        )

    def _broke(self, tx: Tx, timer: Timer, row: Any) -> UnitOfWork:
        uow = self._context.uow(tx)
        if timer.broke is not None:
            timer.broke(uow, row)
        return uow

    async def _begin(self, name: str, timer: Timer, row: Any, aside: BackgroundJob) -> None:
        key = (name, row.id)
        self._beside[key] = asyncio.create_task(self._aside(key, timer, row, aside), name=aside.name)
        if not self._context.settings.testing.bell:  # anyone who rings waits for what follows from it
            await asyncio.gather(*self._beside.values())

    async def _aside(self, key: tuple[str, int], timer: Timer, row: Any, aside: BackgroundJob) -> None:
        """Work beside everything else, and write down what came of it."""
        context = self._context

        def written(tx: Tx, what: Any) -> UnitOfWork:
            uow = context.uow(tx)
            aside.done(uow, what)
            return uow

        try:
            context.woke(await context.store.write(partial(written, what=await aside.work())))
        except StoreFull as full:
            context.alarm.disk_full(full)
        except Exception:  # whatever broke it, an admin hears of it, and it is tried again later
            log.exception("%s broke", aside.name)
            context.woke(await context.store.write(lambda tx: self._broke(tx, timer, row)))
        finally:
            self._beside.pop(key, None)
            self._wake()


def _taken(tx: Tx, timer: Timer, now_ms: int, but: tuple[int, ...]) -> Any:
    return timer.take(tx, now_ms, but)


def _first(tx: Tx) -> int | None:
    moments = [tx.next_due_ms(), *(timer.next_ms(tx) for _, timer in TIMERS.items())]
    return min((at for at in moments if at is not None), default=None)
