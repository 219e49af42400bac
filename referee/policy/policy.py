"""The policy of a table: one row that says how long an answer may take and what becomes of one that does not
come.

Three things stand side by side in it: the clock (how much time there is and when it runs), mercy (what a
missed answer costs the player), and the stand-in (who answers instead). Times are hours, kept to the minute.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import NamedTuple

#: the number of this shape; a stored row says which one it was written in
SCHEMA = 1
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS
#: what becomes of news in somebody's quiet hours: only urgent ones ring, all wait, or they come as one letter
#: afterwards
MODES = ("urgent", "hold", "digest")
ALL_DAYS = (0, 1, 2, 3, 4, 5, 6)


def whole(hours: float) -> float:
    """Hours to the nearest minute."""
    return round(hours * 60) / 60 if math.isfinite(hours) else hours


def ms(hours: float) -> int:
    """Hours as milliseconds, exact to the minute."""
    return round(hours * 60) * 60_000


class Quiet(NamedTuple):
    """Hours of the day in which a player is left in peace, in the player's own zone: from 22 to 7.

    They may go over midnight. `mode` is one of `MODES`.
    """

    start: float
    end: float
    mode: str = "hold"

    @property
    def hours(self) -> float:
        """How long it is, 24 where it begins when it ends."""
        return (self.end - self.start) % 24 or 24


@dataclass(frozen=True, slots=True)
class Policy:
    """One row of rules about time.  The defaults are those of the preset `daily`.

    Clock: `move_hours` for one answer; the first `grace_hours` of it are free, the rest is taken from the
    player's bank of `bank_hours` (0: there is no bank, all of it is free), which gets back
    `bank_credit_hours` with each answer. It runs on `days` (0 is Monday) of the table's `zone`. `snap_hour`:
    deadlines wait for this hour of the day in that zone. `quiet` are the quiet hours of players who set none
    of their own; no more than `quiet_most_hours` a day count. `remind_at`: shares of the time that are left
    at a reminder. `vacation_days` a player has in a season (in a game by itself: in the game); it begins by
    itself when only `vacation_reserve_hours` of the bank are left. A player whom no letter reaches is waited
    for up to `unreachable_hours` more, once a game. All pauses together last `pause_days` at most. A plan
    answers within `plan_delay_hours` of the question.

    Mercy: `misses_excused` cost nothing; after `probation_after` nobody waits for the player, after
    `replace_after` the seat is offered, to one alternate after the other for `alternate_hours` each.
    `first_round_miss`: anyone who misses in the first round was never there, and the table gathers anew.

    Stand-in: `caretaker` may gather, take income and build for anyone who is on probation; `bot`: it may do
    everything.
    """

    move_hours: float = 24
    grace_hours: float = 12
    bank_hours: float = 72
    bank_credit_hours: float = 6
    days: tuple[int, ...] = ALL_DAYS
    zone: str = "UTC"
    snap_hour: float | None = None
    quiet: Quiet | None = field(default=Quiet(22, 7, "hold"))
    quiet_most_hours: float = 12
    remind_at: tuple[float, ...] = (0.5, 0.15)
    vacation_days: int = 10
    vacation_reserve_hours: float = 6
    misses_excused: int = 1
    probation_after: int = 2
    replace_after: int = 3
    first_round_miss: bool = True
    alternate_hours: float = 24
    unreachable_hours: float = 24
    pause_days: int = 14
    plan_delay_hours: float = 1 / 12
    caretaker: bool = True
    bot: bool = False

    def __post_init__(self) -> None:
        """One spelling for one policy: hours to the minute, days and reminders in order."""
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name.endswith(("_hours", "_hour")) and value is not None:
                object.__setattr__(self, one.name, whole(value))
        if self.quiet is not None:
            object.__setattr__(
                self, "quiet", Quiet(whole(self.quiet[0]), whole(self.quiet[1]), self.quiet[2])
            )
        object.__setattr__(self, "days", tuple(sorted(set(self.days))))
        object.__setattr__(
            self, "remind_at", tuple(sorted({round(share, 2) for share in self.remind_at}, reverse=True))
        )
