"""What a table knows of its clocks: since when each seat is asked, what is left of its bank, how often it
missed.

All of it is one JSON column of the game's row, so that it changes with the moves in the same statement and is
gone with them if they are undone. The arithmetic is in `referee.policy`; here rows become its clocks and
back.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import msgspec

from referee.policy import (
    DAILY,
    OPEN,
    Clock,
    Policy,
    Quiet,
    Span,
    Standing,
    from_json,
    ms,
    scaled,
    to_json,
)
from referee.store import Game, Person

__all__ = [
    "OPEN",
    "SeatTime",
    "TableTime",
    "chosen",
    "clock_of",
    "freeze",
    "in_zone",
    "keep",
    "own_quiet",
    "paused",
    "policy_of",
    "read",
    "row_of",
    "written",
]

#: what a table made before there were policies never reaches
_NEVER = 1_000_000
#: the longest that a policy lets an answer take
_LONGEST = 30 * 24


class SeatTime(msgspec.Struct, omit_defaults=True):
    """One seat.

    `asked`: when the question of this turn was put (0: it is not asked), `delivered`: when it reached the
    player, where that was later. `turn`: which turn that is. `bank`: what is left (-1: all of it), `extra`:
    what was given on top for this turn; `hours`: the zone and the quiet hours (as `Person` has them) that
    hold for it, where its player's are others by now. `missed`: when it missed lately, and what its bank was
    before. Spans are pairs of moments. The rest is its standing (`referee.policy.Standing`).
    """

    asked: int = 0
    delivered: int = 0
    turn: str = ""
    bank: int = -1
    extra: int = 0
    vacations: list[tuple[int, int]] = []
    unreachable: list[tuple[int, int]] = []
    hours: tuple[str, str] | None = None
    misses: int = 0
    probation: bool = False
    offered: bool = False
    replaced: int = 0
    missed: list[tuple[int, int]] = []

    def standing(self) -> Standing:
        """How the seat stands."""
        return Standing(self.misses, self.probation, self.offered, self.replaced)

    def stand(self, now: Standing) -> None:
        """It stands like this from now on."""
        self.misses, self.probation, self.offered, self.replaced = (
            now.misses,
            now.probation,
            now.offered,
            now.replaced,
        )


class TableTime(msgspec.Struct, omit_defaults=True):
    """A whole table.

    `frozen`: our outages; `paused`: its pauses; `stood`: seats for which a caretaker played in this round;
    `kicked`: persons who can't come back; `still`: when it was frozen (0: it is not, or nobody noted it).
    """

    seats: dict[int, SeatTime] = {}
    frozen: list[tuple[int, int]] = []
    paused: list[tuple[int, int]] = []
    stood: list[int] = []
    kicked: list[int] = []
    still: int = 0

    def seat(self, no: int) -> SeatTime:
        """What is known of a seat."""
        return self.seats.setdefault(no, SeatTime())


_READ = msgspec.json.Decoder(TableTime)


def read(game: Game) -> TableTime:
    """What the row says; changes to it are nobody's until they are `written`."""
    return _READ.decode(game.clocks)


def paused(table: TableTime) -> bool:
    """Whether a pause lasts."""
    return bool(table.paused) and table.paused[-1][1] == OPEN


def written(table: TableTime) -> str:
    """The column's text."""
    return msgspec.json.encode(table).decode()


def chosen(said: Any, hours: float) -> Policy:
    """The policy of a new table: as it was said (a row), else `daily` with so much time for an answer."""
    return from_json(said) if said else scaled(DAILY, min(hours, _LONGEST))


def row_of(policy: Policy) -> dict[str, Any]:
    """A policy as it stands in a table's settings."""
    return to_json(policy)


def policy_of(game: Game) -> Policy:
    """By which policy a table is played."""
    return _policy(game.settings)


@lru_cache(maxsize=2048)
def _policy(settings: str) -> Policy:
    table = msgspec.json.decode(settings)
    if "policy" in table:
        return from_json(table["policy"])
    hours = float(table["hours"])  # made before there were policies: it keeps its hours
    share = float(table.get("reminder_hours", 0)) / hours
    return Policy(
        move_hours=hours,
        grace_hours=hours,
        bank_hours=0,
        bank_credit_hours=0,
        quiet=None,
        quiet_most_hours=0,
        remind_at=(share,) if 0 < share < 1 else (),
        vacation_days=0,
        vacation_reserve_hours=0,
        misses_excused=0,
        probation_after=_NEVER,
        replace_after=_NEVER,
        first_round_miss=False,
        unreachable_hours=0,
        plan_delay_hours=0,
    )


def clock_of(policy: Policy, table: TableTime, seat: SeatTime, person: Person | None) -> Clock:
    """The clock of a seat that is asked."""
    quiet = policy.quiet
    zone = "UTC"
    if person is not None:
        zone, own = seat.hours or (person.zone, person.quiet)
        quiet = quiet_hours(own, quiet)
    return Clock(
        seat.delivered or seat.asked,
        ms(policy.bank_hours) if seat.bank < 0 else seat.bank,
        zone,
        quiet,
        _spans(seat.vacations),
        _spans(seat.unreachable),
        _spans(table.paused),
        _spans(table.frozen),
        extra_ms=seat.extra,
    )


def own_quiet(person: Person, usual: Quiet | None) -> Quiet | None:
    """A person's own quiet hours, else the usual ones."""
    return quiet_hours(person.quiet, usual)


def quiet_hours(own: str, usual: Quiet | None) -> Quiet | None:
    """The same from what is kept of a person's (`Person.quiet`)."""
    if not own:
        return usual
    said = msgspec.json.decode(own)
    return None if said is None else Quiet(*said)


def keep(seat: SeatTime, clock: Clock) -> None:
    """Write a clock's vacations back into its seat."""
    seat.vacations = [(one.start, one.end) for one in clock.vacations]


def heard(seat: SeatTime, now_ms: int) -> bool:
    """The player of a seat is in reach: it is not waited for as one whom nothing reaches.

    Whether that changes anything.
    """
    before = seat.unreachable
    seat.unreachable = [(start, min(end, now_ms)) for start, end in before]
    return seat.unreachable != before


def freeze(table: TableTime, start_ms: int, end_ms: int) -> None:
    """Time in which we could not be reached.

    Outages before everything that is still open can't matter any more.
    """
    since = min((one.delivered or one.asked for one in table.seats.values() if one.asked), default=end_ms)
    table.frozen = sorted({*(one for one in table.frozen if one[1] > since), (start_ms, end_ms)})


def _spans(pairs: list[tuple[int, int]]) -> tuple[Span, ...]:
    return tuple(Span(*pair) for pair in pairs)


def in_zone(policy: Policy, zone: str) -> Policy:
    """A policy with days or a snap hour in no zone of its own is meant in its author's."""
    return (
        replace(policy, zone=zone)
        if policy.zone == "UTC" and (len(policy.days) < 7 or policy.snap_hour is not None)
        else policy
    )
