"""The clock: one bell for the earliest deadline, and a sweep that finds what the bell missed.

Truth is the deadline rows.  APScheduler rings; it remembers nothing that matters.  Time during which the
referee itself was down is given back to whoever was asked.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from referee.league.lots import Lots
from referee.policy import DAY_MS, jumped
from referee.store import (
    DailyLetter,
    Deadline,
    Game,
    Heartbeat,
    Season,
    Store,
    StoreFull,
    Tx,
    WrongDatabase,
)
from referee.store.claiming import FIRST
from referee.text import Words

from ..core.alarms import Alarm
from ..core.claim_one import acted
from ..core.unit_of_work import ServiceSettings, Sitting, States
from ..deadlines import open_proposals, rows
from ..decisions import due as decisions_due
from ..league import draw_worker, outages
from ..league import due as seasons
from ..notices import digest
from ..outbound.channel_leases import Doors
from ..people.replies import alert
from ..play import freeze
from ..time import forgive, misses
from ..time import hold as time_hold
from ..upkeep import retention
from .shared_clock import Machine

log = logging.getLogger(__name__)
_BATCH = 64
_LATE_MS = 5_000
_PIECES = 5  # of old words that are forgotten at one sweep
_HEARD_S = 1.0
#: kinds of rows that are acted upon also while deadlines are held: what players filed, and what makes good a
#: fault of ours
_ALWAYS = ("plan", "amends")


class Clocks:
    """Rings deadlines.

    `wake` must be called when the earliest one may have changed. `hold` is told whether a backlog of them is
    being worked off. `steady_ms`: a clock that nobody sets, to find out when the other one jumps.
    """

    def __init__(
        self,
        store: Store,
        words: Words,
        settings: ServiceSettings,
        clock_ms: Callable[[], int],
        states: States,
        woke: Callable[[Sitting], None],
        alarm: Alarm,
        doors: Doors,
        hold: Callable[[bool], None] = lambda urgent: None,
        steady_ms: Callable[[], int] | None = None,
    ) -> None:
        self._store, self._words, self._settings, self._clock_ms, self._states, self._doors = (
            store,
            words,
            settings,
            clock_ms,
            states,
            doors,
        )
        self._woke, self._alarm, self._hold = woke, alarm, hold
        self._steady_ms = steady_ms
        self._seen: tuple[int, int] | None = None
        self._bell = asyncio.Event()
        self._armed_ms = 0
        self._failed = self._beat_ms = 0
        self._machine = Machine(store, clock_ms, self._sitting, woke)
        self._away_ms = round(max(settings.outage_seconds, 3 * settings.sweep_seconds) * 1000)
        self._hearing: asyncio.TimerHandle | None = None
        self._scheduler: AsyncIOScheduler | None = None
        self._draws: dict[int, asyncio.Task[None]] = {}  # seasons whose draw is being worked out

    async def start(self) -> None:
        """Give back the time we were away, then start the bell and the sweep."""
        if not self._doors.shared:  # else whoever opens the first channel does
            await self.credit()
        if not self._settings.bell:
            return
        self._scheduler = AsyncIOScheduler(
            timezone=UTC, job_defaults={"misfire_grace_time": None, "coalesce": True}
        )
        self._scheduler.add_job(self._sweep, "interval", seconds=self._settings.sweep_seconds, id="sweep")
        self._scheduler.start()
        self._bell.set()

    async def credit(self) -> None:
        """Give back the time since the last sign of life, where that was too long ago."""
        failed, now = self._alarm.tally.full, self._clock_ms()
        await self._store.write(self._credit)
        self._failed, self._beat_ms = failed, now

    def _doubtful(self, now_ms: int) -> bool:
        """Whether nobody may have been heard for a while: something could not be written down, or we were
        asleep.
        """
        return self._failed != self._alarm.tally.full or (
            self._scheduler is not None and self._doors.alive and now_ms - self._beat_ms > self._away_ms
        )

    async def run(self) -> None:
        """Handle what is due whenever the bell rings, and set it for the next."""
        while True:
            await self._bell.wait()
            self._bell.clear()
            try:
                await self.ring()
                await self._arm()
            except StoreFull as full:
                self._alarm.disk_full(full)

    def wake(self) -> None:
        """A deadline was set, moved or stopped."""
        self._bell.set()

    def heard(self) -> None:
        """Another process has set, moved or stopped one: it rings by itself, but it may die before.

        Looked at once in a while.
        """
        if self._hearing is None:
            self._hearing = asyncio.get_running_loop().call_later(_HEARD_S, self._look_again)

    def _look_again(self) -> None:
        self._hearing = None
        self._bell.set()

    async def stop(self) -> None:
        """Stop ringing, and leave a last sign of life so that the pause is counted from now."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
        if self._hearing is not None:
            self._hearing.cancel()
        for task in self._draws.values():
            task.cancel()  # it is drawn anew when we are back
        await asyncio.gather(*self._draws.values(), return_exceptions=True)
        try:
            await self._store.write(self._beat)
        # the book is away, or a newer version's by now: the last sign of life stands
        except (
            StoreFull,
            WrongDatabase,
        ) as error:
            log.warning("no last sign of life: %s", error)

    async def ring(self) -> int:
        """Handle everything that is due now, each in a transaction of its own.

        Returns how many rows fired.
        """
        fired = 0
        try:
            while True:
                if self._doubtful(self._clock_ms()):
                    await self.credit()
                await self._dailies()
                going = await self._look()
                now = self._clock_ms()
                if self._store.shared:
                    rung = await self._ring_shared(going, now)
                    if not rung:
                        return fired
                    fired += rung
                    continue
                due, seasons = await self._store.read(partial(_due, now_ms=now))
                due = [row for row in due if going or row.kind in _ALWAYS]
                seasons = [row for row in seasons if going and row.id not in self._draws]
                if not due and not seasons:
                    return fired
                await self._seasons(seasons)
                self._hold(len(due) == _BATCH)  # a backlog, as after an outage: letters can wait
                done = await asyncio.gather(
                    *(self._store.write(partial(self._fire, row=row)) for row in due), return_exceptions=True
                )
                for row, outcome in zip(due, done, strict=True):
                    if isinstance(outcome, StoreFull):
                        raise outcome
                    if isinstance(outcome, BaseException):
                        log.error("deadline %s of game %s broke", row.id, row.game_id, exc_info=outcome)
                        outcome = await self._store.write(partial(self._freeze, row=row)), True
                    self._rang(outcome[0])  # here, on the loop: its bells are not for the store's thread
                fired += len(due)
        finally:
            self._hold(False)

    async def _ring_shared(self, going: bool, now: int) -> int:
        """The same where other processes ring, too: each row is taken in hand by the transaction that handles
        it, or passed over where another one has it. Returns how many rows were acted upon.
        """
        fired, after = await self._seasons_shared(now) if going else 0, FIRST
        while True:
            find = partial(_next_due, now_ms=now, kinds=() if going else _ALWAYS, after=after)
            found = await acted(
                self._store,
                find,
                self._fire,
                lambda tx, row: (self._freeze(tx, row), True),
                lambda row: f"deadline {row.id} of game {row.game_id}",
            )
            if found is None:
                return fired
            row, (sitting, done) = found
            self._rang(sitting)
            fired, after = fired + done, (row.due_ms, int(row.id or 0))
            if fired >= _BATCH:
                self._hold(True)  # as above: letters can wait
            if not done:  # left as it is: perhaps all are held by now
                going = going and await self._look()

    async def _seasons_shared(self, now: int) -> int:
        """Let the office do what is due in seasons that nobody else has in hand; how often it did
        something.
        """
        done = 0
        while found := await acted(
            self._store,
            partial(_next_season, now_ms=now, not_in=tuple(self._draws)),
            self._season,
            lambda tx, row: (self._broke(tx, row), None),
            lambda row: f"season {row.id}",
        ):
            done += 1
            await self._did(found[0], *found[1])
        return done

    def _rang(self, sitting: Sitting) -> None:
        if "kind" in sitting.about:
            log.info("deadline", extra=dict(sitting.about))
        self._woke(sitting)

    async def _did(self, row: Season, sitting: Sitting, lots: Lots | None) -> None:
        self._woke(sitting)
        if lots is not None:
            self._draws[int(row.id or 0)] = asyncio.create_task(
                self._draw(int(row.id or 0), lots), name=f"draw of season {row.id}"
            )
            if not self._settings.bell:  # whoever rings waits for what follows from it
                await asyncio.gather(*self._draws.values())

    async def _dailies(self) -> None:
        """Queue the daily letters whose hour has come."""
        now = self._clock_ms()
        while self._store.shared:
            sitting = await self._store.write(partial(self._next_daily, now_ms=now))
            if sitting is None:
                return
            self._woke(sitting)
        for row in await self._store.read(lambda tx: tx.daily_due(now, _BATCH)):
            self._woke(await self._store.write(partial(self._daily, row=row)))

    async def _seasons(self, due: list[Season]) -> None:
        """Let the office do one thing in each of these seasons."""
        for row in due:
            try:
                sitting, lots = await self._store.write(partial(self._season, row=row))
            except StoreFull:
                raise
            except Exception:  # whatever broke it, the other seasons go on
                log.exception("season %s broke", row.id)
                self._woke(await self._store.write(partial(self._broke, row=row)))
                continue
            await self._did(row, sitting, lots)

    async def _draw(self, season_id: int, lots: Lots) -> None:
        """Draw a season beside everything else, and write it down."""
        try:
            what = await draw_worker.worked(lots)
            self._woke(
                await self._store.write(partial(self._drew, season_id=season_id, lots=lots, what=what))
            )
        except StoreFull as full:
            self._alarm.disk_full(full)
        except Exception:  # whatever broke it, an admin hears of it, and it is tried again later
            log.exception("the draw of season %s broke", season_id)
            self._woke(await self._store.write(partial(self._broke, row=season_id)))
        finally:
            self._draws.pop(season_id, None)
            self._bell.set()

    async def _arm(self) -> None:
        """Set the one bell to the earliest open deadline, daily letter or season."""
        if self._scheduler is None:
            return
        upcoming = await self._store.read(_next)
        if upcoming is None or upcoming == self._armed_ms:
            return
        self._armed_ms = upcoming
        ahead = max(0, upcoming - self._clock_ms()) / 1000
        when = datetime.fromtimestamp(datetime.now(UTC).timestamp() + ahead, UTC)
        self._scheduler.add_job(self._due_now, "date", run_date=when, id="bell", replace_existing=True)

    async def _due_now(self) -> None:
        """A coroutine, because the scheduler runs anything else in a thread, and an event may be set on its
        own loop only.
        """
        self._bell.set()

    async def _sweep(self) -> None:
        """The safety net: a sign of life, and an alarm when something is overdue that the bell should have
        rung for.
        """
        now = self._clock_ms()
        try:
            await self._machine.look()
            going = await self._look()
            late = (
                (await self._store.read(partial(_due, now_ms=now - _LATE_MS)))[0]
                if going and not self._bell.is_set()
                else []
            )
            if late or self._doors.alive:
                await self._store.write(partial(self._beat, missed=len(late)))
                self._beat_ms = now
            if late:
                log.warning("the bell missed %s deadlines", len(late))
            await self.tidy()
        except StoreFull as full:
            self._alarm.disk_full(full)
            return
        if late:
            self._armed_ms = 0
        self._bell.set()

    async def tidy(self) -> None:
        """Forget some of what was said longer ago than words are kept."""
        before_ms = self._clock_ms() - self._settings.words_days * DAY_MS
        for _ in range(_PIECES if self._settings.words_days else 0):
            if not await self._store.write(partial(retention.tidy, before_ms=before_ms)):
                return

    def _sitting(self, tx: Tx) -> Sitting:
        return Sitting(tx, self._clock_ms(), self._words, self._settings, self._states)

    def _beat(self, tx: Tx, missed: int = 0) -> None:
        sitting = self._sitting(tx)
        if self._doors.alive:
            if self._scheduler is not None:
                self._given_back(sitting, self._away_ms)
            tx.put(Heartbeat, name="referee", at_ms=sitting.now_ms)
        if missed:
            alert(sitting, "bell-missed", count=missed)

    def _credit(self, tx: Tx) -> None:
        sitting = self._sitting(tx)
        self._given_back(sitting, round(self._settings.outage_seconds * 1000))
        tx.put(Heartbeat, name="referee", at_ms=sitting.now_ms)

    def _given_back(self, sitting: Sitting, most_ms: int) -> None:
        """Our outage costs nobody anything: what was to fall due after the last sign of life falls due that
        much later.
        """
        last = sitting.tx.get(Heartbeat, "referee")
        away = 0 if last is None else sitting.now_ms - last.at_ms
        if last is None or away <= most_ms:
            return
        moved = (
            rows.all_given_back(sitting, last.at_ms)
            + open_proposals.given_back(sitting, last.at_ms)
            + outages.given_back(sitting, last.at_ms)
        )
        if moved:
            alert(sitting, "outage", seconds=away // 1000, deadlines=moved)
            log.warning("away for %s s: %s deadlines moved by as much", away // 1000, moved)

    def _believed(self, sitting: Sitting, game: Game | None, row: Deadline) -> bool:
        """Whether a miss may be acted upon: not where nearly everybody seems to miss."""
        if (
            row.kind != "answer"
            or not self._settings.breaker
            or game is None
            or not time_hold.counts(game, row.seat)
        ):
            return True
        many = time_hold.too_many(sitting)
        if many is not None and time_hold.hold(
            sitting, sitting.now_ms - DAY_MS, "many-misses", missed=many[0], due=many[1]
        ):
            forgive.recall(sitting)
        return many is None

    async def _look(self) -> bool:
        """Whether deadlines may be acted upon: not where nobody can be heard.

        All are held when the clock has jumped.
        """
        if self._steady_ms is not None:
            wall, steady = self._clock_ms(), self._steady_ms()
            was, self._seen = self._seen, (wall, steady)
            if was is not None and jumped(wall - was[0], steady - was[1]):
                since = min(was[0], wall)
                away = (wall - was[0] - steady + was[1]) // 1000
                log.error("the clock jumped by %s s", away)
                await self._store.write(
                    lambda tx: time_hold.hold(self._sitting(tx), since, "clock-jumped", seconds=away)
                )
        return self._doors.served() and not await self._store.read(time_hold.held)

    def _fire(self, tx: Tx, row: Deadline) -> tuple[Sitting, bool]:
        """One deadline: remind, or answer in the player's place.  False: it was left as it is."""
        sitting = self._sitting(tx)
        game = tx.get(Game, row.game_id)
        if (row.kind not in _ALWAYS and time_hold.held(tx)) or not self._believed(sitting, game, row):
            return sitting, False
        if not rows.claim(sitting, row) or game is None:
            return sitting, True
        if row.kind in decisions_due.RINGS:
            decisions_due.RINGS[row.kind](sitting, game, row)
            return sitting, True
        if game.status != "running":
            return sitting, True
        if str(row.seat) not in game.asked.split(",") or (
            row.kind == "plan" and row.question != game.question
        ):
            return sitting, True
        misses.rung(sitting, game, row)
        if row.kind != "plan":  # whoever reads the log may play, too
            sitting.about |= {"game": row.game_id, "seat": row.seat, "kind": row.kind}
        return sitting, True

    def _next_daily(self, tx: Tx, now_ms: int) -> Sitting | None:
        row = tx.next_daily(now_ms)
        return None if row is None else self._daily(tx, row)

    def _daily(self, tx: Tx, row: DailyLetter) -> Sitting:
        sitting = self._sitting(tx)
        digest.rung(sitting, row)
        return sitting

    def _season(self, tx: Tx, row: Season) -> tuple[Sitting, Lots | None]:
        sitting = self._sitting(tx)
        return sitting, seasons.rung(sitting, row)

    def _drew(self, tx: Tx, season_id: int, lots: Lots, what: Any) -> Sitting:
        sitting = self._sitting(tx)
        seasons.drawn(sitting, season_id, lots, what)
        return sitting

    def _broke(self, tx: Tx, row: Season | int) -> Sitting:
        sitting = self._sitting(tx)
        seasons.broke(sitting, row if isinstance(row, int) else int(row.id or 0))
        return sitting

    def _freeze(self, tx: Tx, row: Deadline) -> Sitting:
        """A clock that breaks a game stops that game, not the others."""
        sitting = self._sitting(tx)
        freeze.freeze(sitting, row.game_id)
        return sitting


def _next(tx: Tx) -> int | None:
    return min(
        (at for at in (tx.next_due_ms(), tx.next_daily_ms(), tx.next_season_ms()) if at is not None),
        default=None,
    )


def _due(tx: Tx, now_ms: int) -> tuple[list[Deadline], list[Season]]:
    return tx.due(now_ms, _BATCH), tx.seasons_due(now_ms, _BATCH)


def _next_due(tx: Tx, now_ms: int, kinds: tuple[str, ...], after: tuple[int, int]) -> Deadline | None:
    return tx.next_due(now_ms, kinds, after)


def _next_season(tx: Tx, now_ms: int, not_in: tuple[int, ...]) -> Season | None:
    return tx.next_season(now_ms, not_in)
