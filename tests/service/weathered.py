"""A table through days of virtual time: players who answer, dawdle, vanish and come back, holidays, pauses,
outages, channels that close; everything by chance from a seed, and everything that happens is checked against
what the table's policy says.
"""

from __future__ import annotations

import heapq
import itertools
import json
import random
from pathlib import Path

from referee.policy import DAY_MS, HOUR_MS, bound_ms, ms, standing
from referee.policy import Clock as PolicyClock
from referee.ports import Inbound, What
from referee.service.deadlines import clock_state
from referee.store import (
    Address,
    Deadline,
    Game,
    GameEvent,
    Journal,
    Person,
    Seat,
    SeatOffer,
)
from referee.text import Reading
from referee.text.reading.policy import policy_text, read_policy
from tests.service.playing import legal, running
from tests.service.rig import Clock, House
from tests.service.weathered_players import NAMES, PLANS, ZONES, Player, some_policy

BOSS = "terminal:boss"
#: shortly before clocks change somewhere: October 2026, March 2027, April 2027
STARTS = (1_792_700_000_000, 1_804_900_000_000, 1_806_000_000_000, 1_790_000_000_000)


class Weather:
    """One game, from its first question to its end."""

    def __init__(self, path: Path, seed: int) -> None:
        self.seed = seed
        self.dice = random.Random(f"weather {seed}")
        self.policy = some_policy(self.dice)
        self.house = House(
            path,
            Clock(self.dice.choice(STARTS) + self.dice.randrange(24) * HOUR_MS),
            admins=(("terminal", "boss"),),
        )
        self.players: list[Player] = []
        self.game = 0
        self.keys = itertools.count(1)
        self.given = 0  # our outages, and what an admin gave on top
        self.shocks: list[tuple[int, int, str]] = []
        self.rows_missed: set[int] = set()
        self.spare: list[str] = []  # who would take over seats

    # -- the course of a game

    async def play(self) -> None:
        """From the lobby to the end.  Raises AssertionError for whatever is not as the policy says."""
        await self.house.open()
        try:
            await self.begin()
            begun = self.house.clock()
            for _ in range(20_000):
                row = running(self.house, self.game)
                if row.status != "running":
                    break
                await self.step(row)
            assert row.status == "over", row.status
            self.at_the_end(row, self.house.clock() - begun)
        finally:
            await self.house.close()

    async def begin(self) -> None:
        dice, count = self.dice, self.dice.choice((2, 2, 3))
        pace = ms(self.policy.move_hours)
        for who in NAMES[:count]:
            gone = None
            if dice.random() < 0.45:
                left = self.house.clock() + round(dice.random() * 12 * pace)
                gone = (left, left + (round(dice.random() * 20 * pace) if dice.random() < 0.5 else 10**15))
            self.players.append(
                Player(who, dice.choice((0.01, 0.2, 0.6)), dice.choice((0.0, 0.0, 0.1, 0.4)), gone)
            )
            await self.house.say(who, f"zone {dice.choice(ZONES)}")
            if dice.random() < 0.4:
                await self.house.say(who, f"quiet {dice.choice(('22-07', '0-8', '13-15', 'none'))}")
        await self.house.say(BOSS, "hello")
        if dice.random() < 0.4:
            self.spare = [
                one for one in ("matrix:@eve:hs", "terminal:fay", "telegram:gil") if dice.random() < 0.7
            ]
            for who in self.spare:
                await self.house.say(who, "alternate")
        first = self.players[0].who
        edition = dice.choice(("classic", "classic", "original", "deluxe random"))
        await self.house.say(first, f"new {edition} {count} seats policy {policy_text(self.policy)}")
        self.game = int(self.house.store.read_now(lambda tx: tx.all(Game, order="-id", limit=1))[0].id or 0)
        for one in self.players[1:]:
            await self.house.say(one.who, f"join #{self.game}")
        for one in self.players:
            await self.house.say(one.who, f"ready #{self.game}")
        row = running(self.house, self.game)
        assert row.status == "running"
        said = clock_state.policy_of(row)
        assert read_policy(policy_text(said), Reading()) == said
        assert (said.move_hours, said.days, said.probation_after, said.bot) == (
            self.policy.move_hours,
            self.policy.days,
            self.policy.probation_after,
            self.policy.bot,
        )
        self.policy = said
        span = 40 * pace
        for kind, likely in (
            ("outage", 0.5),
            ("vacation", 0.6),
            ("pause", 0.4),
            ("block", 0.5),
            ("zone", 0.4),
            ("plan", 0.6),
            ("here", 0.3),
            ("extend", 0.2),
            ("quiet", 0.3),
        ):
            for _ in range(2):
                if dice.random() < likely:
                    heapq.heappush(
                        self.shocks, (self.house.clock() + round(dice.random() * span), next(self.keys), kind)
                    )

    async def step(self, row: Game) -> None:
        """The next thing that happens."""
        now = self.house.clock()
        for no in map(int, row.asked.split(",")):
            self.meant(row, no, now)
        answers = [
            (at, no)
            for no in map(int, row.asked.split(","))
            if (at := self.players[no].due.get(row.question)) is not None
        ]
        rows = self.open_rows()
        self.rows_fit(row, rows)
        times = [
            *(one.due_ms for one in rows),
            *(at for at, _ in answers),
            *(at for at, _, _ in self.shocks[:1]),
        ]
        assert times, f"{self.seed}: nothing will ever happen"
        at = max(now, min(times))
        self.house.clock.at_ms = at
        if any(one.due_ms <= at for one in rows):
            await self.ring(row)
            await self.taken()
        elif self.shocks and self.shocks[0][0] <= at:
            await self.shock(heapq.heappop(self.shocks)[2], row)
        else:
            await self.answer(min(answers)[1], row)

    def meant(self, row: Game, no: int, now: int) -> None:
        """Somebody is asked: when they will answer, or that they won't."""
        one = self.players[no]
        if row.question in one.due or row.question in one.ignored:
            return
        if self.dice.random() < one.misses:
            one.ignored.add(row.question)
            return
        at = now + round(self.dice.random() ** 2 * one.slow * ms(self.policy.move_hours)) + 1000
        if one.gone is not None and one.gone[0] <= at < one.gone[1]:
            at = one.gone[1] + 60_000
        if at < 10**14:
            one.due[row.question] = at
        else:
            one.ignored.add(row.question)

    async def answer(self, no: int, row: Game) -> None:
        one = self.players[no]
        one.blocked = False
        orders = legal(self.house, self.game)
        intent = "end" if "end" in orders and self.dice.random() < 0.3 else self.dice.choice(orders)
        await self.house.say(one.who, f"#{self.game} {intent}")
        after = running(self.house, self.game)
        assert after.status != "running" or (after.question, after.move_no) != (row.question, row.move_no), (
            f"{self.seed}: {intent} of {orders} did nothing: {self.house.last(one.who).text[:600]}"
        )

    async def taken(self) -> None:
        """Somebody is asked to take a seat: they do, or they don't, or say nothing."""
        for offer in self.house.store.read_now(
            lambda tx: tx.all(SeatOffer, game_id=self.game, state="asked")
        ):
            chance = self.dice.random()
            person = offer.person_id
            where = self.house.store.read_now(lambda tx, person=person: tx.all(Address, person_id=person)[0])
            who = f"{where.channel}:{where.address}"
            if chance < 0.2:
                await self.house.say(who, f"join #{self.game}")
                assert self.seats()[offer.seat].person_id == offer.person_id
                self.players[offer.seat] = Player(who, 0.2, self.dice.choice((0.0, 0.5)), None)
            elif chance < 0.3:
                await self.house.say(who, f"alternate no #{self.game}")

    # -- what the weather brings

    async def shock(self, kind: str, row: Game) -> None:
        one = self.dice.choice(self.players)
        here = not one.away(self.house.clock())
        if kind == "outage":
            hours = self.dice.choice((0.5, 3, 30))
            await self.house.close()
            self.house.clock.pass_(hours=hours)
            self.given += round(hours * HOUR_MS)
            numbers = self.house._n  # no message ever has the key of an older one
            self.house = await House(self.house.path, self.house.clock, admins=(("terminal", "boss"),)).open()
            self.house._n = numbers
        elif kind == "pause":
            await self.house.say(BOSS, f"{'resume' if self.paused(row) else 'pause'} #{self.game}")
            if not self.paused(row) and self.dice.random() < 0.7:
                heapq.heappush(
                    self.shocks,
                    (self.house.clock() + round(self.dice.random() * 3 * DAY_MS), next(self.keys), "pause"),
                )
        elif kind == "extend":
            await self.house.say(BOSS, f"extend 5h #{self.game}")
            self.given += 5 * HOUR_MS
        elif kind == "block":
            channel, _, address = one.who.partition(":")
            await self.house.bring(
                Inbound(
                    channel=channel,
                    key=f"w{next(self.keys)}",
                    address=address,
                    what=What.BLOCKED,
                    at_ms=self.house.clock(),
                )
            )
            one.blocked = True
        elif here:
            words = {
                "vacation": f"#{self.game} vacation {self.dice.choice((1, 2, 5))} days",
                "zone": f"zone {self.dice.choice(ZONES)}",
                "here": "here",
                "plan": self.dice.choice(PLANS),
                "quiet": f"quiet {self.dice.choice(('22-07', '9-18', 'none'))}",
            }[kind]
            await self.house.say(one.who, words)

    @staticmethod
    def paused(row: Game) -> bool:
        return clock_state.paused(clock_state.read_clocks(row))

    # -- what must hold

    def open_rows(self) -> list[Deadline]:
        return self.house.store.read_now(
            lambda tx: tx.all(Deadline, game_id=self.game, done_ms=0, order="due_ms,id")
        )

    async def ring(self, row: Game) -> None:
        now = self.house.clock()
        before = {seat.no: seat for seat in self.seats()}
        clocks = clock_state.read_clocks(row)
        await self.house.referee.scheduler.ring()
        await self.house.settle()
        after = running(self.house, self.game)
        late = [one for one in self.open_rows() if one.due_ms <= now]
        assert not late, f"{self.seed}: forgotten {late}"
        news = [
            one
            for one in self.house.store.read_now(
                lambda tx: tx.all(Deadline, game_id=self.game, kind=("missed", "stood"))
            )
            if int(one.id or 0) not in self.rows_missed
        ]
        self.rows_missed |= {int(one.id or 0) for one in news}
        for one in news:
            assert one.done_ms == now, f"{self.seed}: a deadline fired at another time than it was done"
            mine = clocks.seat(one.seat)
            least = (
                0
                if mine.probation
                else ms(
                    min(self.policy.move_hours, self.policy.grace_hours)
                    if self.policy.bank_hours
                    else self.policy.move_hours
                )
            )
            assert now - mine.asked >= least, (
                f"{self.seed}: a miss of {one} after {(now - mine.asked) / HOUR_MS} hours, {mine}"
            )
            assert mine.probation or not self.still(one.seat, clocks, now), (
                f"{self.seed}: a miss while the clock stood still"
            )
        back = {
            json.loads(one.facts)["seat"]
            for one in self.house.store.read_now(
                lambda tx: tx.all(GameEvent, game_id=self.game, name="back", after={"no": row.event_no})
            )
        }
        for seat in self.seats():
            if seat.no in back:  # a plan answered: its player is there again
                continue
            fresh = sum(one.seat == seat.no for one in news)
            assert seat.misses == before[seat.no].misses + fresh, (
                f"{self.seed}: {fresh} misses of seat {seat.no}, counted {before[seat.no].misses} "
                f"-> {seat.misses}"
            )
        assert after.status == "running" or not self.open_rows(), (
            f"{self.seed}: deadlines of a game that is over"
        )

    def rows_fit(self, row: Game, rows: list[Deadline]) -> None:
        """Anyone who is asked has one deadline, unless the table pauses; none of them falls where nobody is
        to be disturbed.
        """
        asked = {int(no) for no in row.asked.split(",")}
        answers = [one for one in rows if one.kind == "answer"]
        assert len(answers) == len({one.seat for one in answers}), f"{self.seed}: two deadlines for one seat"
        clocks = clock_state.read_clocks(row)
        assert {one.seat for one in answers} == asked or (self.paused(row) and not answers), (
            f"{self.seed}: asked {asked}, due {answers}"
        )
        for one in rows:
            if one.kind in ("answer", "remind", "vacation"):
                assert 0 < one.question <= row.question, f"{self.seed}: {one} for question {row.question}"
                assert clocks.seat(one.seat).asked, f"{self.seed}: {one} of a seat whose clock does not run"
                assert clocks.seat(one.seat).probation or not self.still(one.seat, clocks, one.due_ms), (
                    f"{self.seed}: {one.kind} of {one.seat} at {one.due_ms} falls where the clock "
                    f"stands still, {clocks}"
                )

    def still(self, no: int, clocks: clock_state.TableTime, at: int) -> bool:
        """Whether this seat's clock stands still then: quiet hours, days off, vacation, a pause …"""
        clock: PolicyClock = self.house.store.read_now(
            lambda tx: clock_state.clock_of(
                self.policy,
                clocks,
                clocks.seat(no),
                tx.get(Person, tx.all(Seat, game_id=self.game, no=no)[0].person_id),
            )
        )
        return next(((one.start <= at < one.end) for one in standing(self.policy, clock, at)), False)

    def seats(self) -> list[Seat]:
        return self.house.store.read_now(lambda tx: tx.all(Seat, game_id=self.game, order="no"))

    def at_the_end(self, row: Game, took: int) -> None:
        newcomers = self.house.store.read_now(
            lambda tx: tx.count(GameEvent, game_id=self.game, name="taken_over")
        )
        most = bound_ms(self.policy, len(self.players), row.round, newcomers=newcomers) + self.given
        assert took <= most, f"{self.seed}: {took / DAY_MS} days, at most {most / DAY_MS}"
        assert not self.open_rows()
        store = self.house.store
        every = store.read_now(lambda tx: tx.all(Deadline, game_id=self.game))
        assert all(one.done_ms for one in every)
        moves = store.read_now(lambda tx: tx.all(Journal, game_id=self.game, order="no"))
        assert [one.no for one in moves] == list(range(1, len(moves) + 1))
        told = [one.name for one in store.read_now(lambda tx: tx.all(GameEvent, game_id=self.game))]
        clocked = {(one.seat, one.at_ms) for one in moves if one.by == "clock"}
        assert told.count("stand_in") == len(clocked), (
            f"{self.seed}: {len(clocked)} answers by the clock, {told.count('stand_in')} told"
        )
        stood = {(one.seat, one.at_ms) for one in moves if one.by in ("caretaker", "standin")}
        missed = [one for one in every if one.kind in ("missed", "stood")]
        answered = clocked | stood | {(one.seat, one.at_ms) for one in moves if one.by == "plan"}
        assert {(one.seat, one.done_ms) for one in missed} <= answered, (
            f"{self.seed}: a miss without an answer"
        )
        assert clocked | stood <= {(one.seat, one.done_ms) for one in missed}, (
            f"{self.seed}: an answer without a miss"
        )
        assert ("stood_in" in told) == bool(stood), f"{self.seed}: stand-ins are not told"
        assert not (self.policy.bot is False and any(one.by == "standin" for one in moves))
