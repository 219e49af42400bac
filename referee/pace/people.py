"""Who sits at simulated tables: where they live, when they look, how long they take, and who vanishes.

Anyone who looks that many times a day does it at hours of their own, a little earlier or later each day.
Anyone who answers at leisure is called by the letter and comes after a while drawn from a log-normal
distribution, by day.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import NamedTuple
from zoneinfo import ZoneInfo

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS
#: where they live, and how many of a hundred; a table draws from these
ZONES: Mapping[str, int] = {
    "Europe/Lisbon": 10,
    "Europe/London": 15,
    "Europe/Berlin": 30,
    "Europe/Helsinki": 8,
    "America/New_York": 15,
    "America/Chicago": 6,
    "America/Los_Angeles": 8,
    "America/Sao_Paulo": 3,
    "Asia/Tokyo": 3,
    "Australia/Sydney": 2,
}
#: a look comes so much earlier or later than usual (standard deviation)
_JITTER_MS = 40 * MINUTE_MS
#: how long somebody takes to write what they have to say: median and spread of the logarithm
_WRITING_MS, _SPREAD = 2 * MINUTE_MS, 0.7
#: how long after a letter somebody at leisure comes: likewise
_LEISURE_MS, _LEISURE_SPREAD = 2 * HOUR_MS, 1.3
#: nobody at leisure comes between these hours
_ASLEEP = (23, 7)
#: those who vanish do so within this many days, any of which is as likely
_GONE_DAYS = 8.0


class PlayerType(NamedTuple):
    """`hours`: for each usual look of a day, between which local hours it is; () who comes when called; None
    a mixture.
    """

    hours: tuple[tuple[float, float], ...] | None


KINDS: Mapping[str, PlayerType] = {
    "once-a-day": PlayerType(((17.0, 22.0),)),
    "twice-a-day": PlayerType(((7.0, 9.5), (18.0, 22.0))),
    "four-times-a-day": PlayerType(((7.0, 9.0), (12.0, 13.5), (17.0, 19.0), (20.5, 22.5))),
    "at-leisure": PlayerType(()),
    "mixed": PlayerType(None),
}
#: of whom a mixture is made, and how many of a hundred
_MIXTURE: Mapping[str, int] = {"once-a-day": 20, "twice-a-day": 45, "four-times-a-day": 20, "at-leisure": 15}


@dataclass(slots=True)
class Person:
    """One player.

    `hours`: when they usually look, as local hours, () who comes when called; `gone_ms`: from when on they
    are never seen again, 0 for never.
    """

    name: str
    address: str
    zone: ZoneInfo
    hours: tuple[float, ...]
    rng: Random
    gone_ms: int = 0
    forgets: dict[str, bool] = field(default_factory=dict)

    def looks(self, from_ms: int) -> Iterator[int]:
        """When they look, one instant after the other, for ever; never for somebody who comes when called."""
        day = datetime.fromtimestamp(from_ms / 1000, self.zone).date()
        while self.hours:
            for hour in sorted(self.hours):
                at = self._at(day, hour) + round(self.rng.gauss(0, 1) * _JITTER_MS)
                if at > from_ms:
                    yield at
            day += timedelta(days=1)

    def called(self, now_ms: int) -> int:
        """When somebody at leisure comes after a letter."""
        at = now_ms + round(self.rng.lognormvariate(math.log(_LEISURE_MS), _LEISURE_SPREAD))
        local = datetime.fromtimestamp(at / 1000, self.zone)
        if _ASLEEP[1] <= local.hour < _ASLEEP[0]:
            return at
        morning = local.date() + timedelta(days=1 if local.hour >= _ASLEEP[0] else 0)
        return self._at(morning, _ASLEEP[1] + 2 * self.rng.random())

    def writing_ms(self) -> int:
        """How long they take for one message."""
        return round(self.rng.lognormvariate(math.log(_WRITING_MS), _SPREAD))

    def lets_pass(self, turn: str, share: float) -> bool:
        """Whether they let this question pass, decided once."""
        if turn not in self.forgets:
            self.forgets[turn] = self.rng.random() < share
        return self.forgets[turn]

    def asleep(self, at_ms: int) -> bool:
        """Whether it is night where they live: between 22 and 7 o'clock."""
        return not 7 <= datetime.fromtimestamp(at_ms / 1000, self.zone).hour < 22

    def here(self, now_ms: int) -> bool:
        """Whether they are still there."""
        return not self.gone_ms or now_ms < self.gone_ms

    def _at(self, day: date, hour: float) -> int:
        midnight = datetime.combine(day, time(), self.zone)
        local = midnight + timedelta(hours=hour)
        return round(local.astimezone(UTC).timestamp() * 1000)


def gathered(
    kind: str, names: list[str], dropouts: float, rng: Random, *, from_ms: int, place: str
) -> list[Person]:
    """The people of one table.  Anyone who vanishes does so some time after `from_ms`."""
    found = []
    for seat, name in enumerate(names):
        mine = Random(rng.getrandbits(64))
        which = KINDS[kind] if KINDS[kind].hours is not None else KINDS[_one_of(_MIXTURE, mine)]
        hours = tuple(mine.uniform(*between) for between in which.hours or ())
        zone = ZoneInfo(_one_of(ZONES, mine))
        vanishes, after = mine.random() < dropouts, mine.random()
        found.append(
            Person(
                name,
                f"{place}-{seat}",
                zone,
                hours,
                mine,
                from_ms + 1 + round(after * _GONE_DAYS * DAY_MS) if vanishes else 0,
            )
        )
    return found


def _one_of(shares: Mapping[str, int], rng: Random) -> str:
    return rng.choices(list(shares), list(shares.values()))[0]
