"""Vacations of one season in random sequences of bookings, returns, outages and pauses, hour by hour beside a
model that counts hours.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from referee.service.deadlines import clock_state
from referee.service.decisions import standstill
from referee.store import Game, SeasonTime, Tx
from tests.seeds import share
from tests.service.playing import running, table
from tests.service.rig import House

ANA, BEA = "telegram:ana", "terminal:bea"
HOUR, DAYS = 3_600_000, 9


class Season:
    """One table of a season, and what its Ana should have.

    `left`: hours of the vacation that she is on; `spent`: hours used; `held`: the pauses, the last of which
    may lie ahead.
    """

    def __init__(self, house: House, game: int) -> None:
        self.house, self.game, self.left, self.spent = house, game, 0, 0
        self.held: list[tuple[int, int]] = []

    def pauses(self) -> bool:
        return any(start <= self.house.clock() < end for start, end in self.held)

    def hold(self, *held: tuple[int, int]) -> None:
        """These are its pauses now, as the office spreads them."""
        uow, was = self.house.referee.context.uow, self.held
        self.held = list(held)

        def spread(tx: Tx) -> None:
            standstill.vacations(uow(tx), "spring", was, held)
            standstill.stand_still(uow(tx), running(self.house, self.game), held)

        self.house.store.write_now(spread)

    async def act(self, dice: random.Random) -> None:
        now = self.house.clock()
        last = self.held[-1] if self.held else (0, 0)
        match dice.choice(["book", "here", "outage", "pause", "pause", "other end", "", ""]):
            case "book" if not self.left and not self.pauses():
                days = dice.randint(1, 4)
                await self.house.say(ANA, f"vacation {days} days")
                self.left = 24 * days if self.spent + 24 * days <= 24 * DAYS else 0
            case "here" if not self.pauses():
                await self.house.say(ANA, "here")
                self.left = 0
            case "outage":
                await self.away(dice.choice([3, 30, 60]))
            case "pause" if now >= last[1]:
                start = now + HOUR * dice.choice([0, 10, 50])
                self.hold(*self.held, (start, start + HOUR * dice.randint(5, 100)))
            case "other end" if now < last[1]:
                self.hold(*self.held[:-1], (last[0], max(now, last[0]) + HOUR * dice.choice([0, 20, 90])))

    async def away(self, hours: int) -> None:
        """Nobody can be heard, in or out of a pause; a vacation that this outlasts is over."""
        now, presence = self.house.clock(), self.house.referee.scheduler.presence
        if any(now < edge <= now + hours * HOUR for pause in self.held for edge in pause):
            return
        if self.left <= hours and not self.pauses():
            self.left = 0
        await presence.report(0)
        self.house.clock.pass_(hours=hours)
        await presence.credit()

    def hour(self) -> None:
        """An hour goes by."""
        if not self.pauses() and self.left:
            self.left, self.spent = self.left - 1, self.spent + 1
        self.house.clock.pass_(hours=1)

    def agrees(self) -> None:
        now, clocks = self.house.clock(), clock_state.read_clocks(running(self.house, self.game))
        spans = clocks.seat(0).vacations
        if not self.pauses():
            assert any(start <= now < end for start, end in spans) == bool(self.left)
        assert sum(end - start for start, end in spans) == HOUR * (self.spent + self.left)
        kept = self.house.store.read_now(lambda tx: tx.column(SeasonTime, "vacations"))
        assert [[tuple(one) for one in json.loads(text)] for text in kept] == ([spans] if kept else [])


@pytest.mark.parametrize("seed", share(range(32)))
async def test_no_hour_of_a_vacation_is_lost_or_won(tmp_path: Path, seed: int) -> None:
    dice, house = random.Random(seed), await House(tmp_path / "referee.db").open()
    game = await table(
        house, [ANA, BEA], hours=f"30 days no bank no quiet no nights vacation {DAYS}d no pause"
    )
    settings = json.loads(running(house, game).settings)
    house.store.write_now(
        lambda tx: tx.set(Game, game, settings=json.dumps({**settings, "season": "spring"}))
    )
    season = Season(house, game)
    for hour in range(24 * 20):
        if hour % 7 == 0:
            await season.act(dice)
        season.agrees()
        season.hour()
    await house.close()
