"""What a table knows of its clocks, as the game's row keeps it: one JSON column."""

from __future__ import annotations

import msgspec

from referee.ids import PersonId, SeatNo
from referee.policy import OPEN, Do, Event, Policy, Standing, step
from referee.store import Game

__all__ = ["OPEN", "SeatTime", "TableTime", "encode_clocks", "paused", "read_clocks"]


class SeatTime(msgspec.Struct, omit_defaults=True):
    """One seat.

    `asked`: when the question of this turn was put (0: it is not asked), `delivered`: when it reached the
    player, where that was later. `turn`: which turn that is. `bank`: what is left (-1: all of it), `extra`:
    what was given on top for this turn; `hours`: the zone and the quiet hours (as `Person` has them) that
    hold for it, where its player's are others by now. `missed`: when it missed lately, and what its bank was
    before. `stands`: a bot that thinks plays this turn for it, one question after the other. Spans are pairs
    of moments. The rest is its standing (`referee.policy.Standing`).
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
    stands: bool = False

    def step(self, policy: Policy, event: Event, *, first_round: bool = False) -> tuple[Do, ...]:
        """It stands as an event leaves it; what is to be done then."""
        was = Standing(self.misses, self.probation, self.offered, self.replaced)
        now, do = step(policy, was, event, first_round=first_round)
        self.misses, self.probation, self.offered, self.replaced = (
            now.misses,
            now.probation,
            now.offered,
            now.replaced,
        )
        self.stands = self.stands and now.probation
        return do


class TableTime(msgspec.Struct, omit_defaults=True):
    """A whole table.

    `frozen`: our outages; `paused`: its pauses; `held`: those of its whole season, some of which may lie
    ahead, and `off`: holidays, which somebody else has laid down; `stood`: seats for which a caretaker played
    in this round;
    `kicked`: persons who can't come back; `still`: when it was frozen (0: it is not, or nobody noted it).
    """

    seats: dict[SeatNo, SeatTime] = {}
    frozen: list[tuple[int, int]] = []
    paused: list[tuple[int, int]] = []
    held: list[tuple[int, int]] = []
    off: list[tuple[int, int]] = []
    stood: list[SeatNo] = []
    kicked: list[PersonId] = []
    still: int = 0

    def seat(self, no: SeatNo) -> SeatTime:
        """What is known of a seat."""
        return self.seats.setdefault(no, SeatTime())

    def held_until(self, now_ms: int) -> int:
        """When the pause of the season ends that the table is in, 0 where it is in none."""
        return max((end for start, end in self.held if start <= now_ms < end), default=0)

    def stood_in(self, no: SeatNo, now_ms: int) -> bool:
        """Whether a bot that thinks plays the open turn of a seat; in a pause nobody does."""
        return self.seat(no).stands and not paused(self) and not self.held_until(now_ms)


_READ = msgspec.json.Decoder(TableTime)


def read_clocks(game: Game) -> TableTime:
    """What the row says; changes to it are nobody's until they are `encode_clocks`."""
    return _READ.decode(game.clocks)


def paused(table: TableTime) -> bool:
    """Whether a pause lasts."""
    return bool(table.paused) and table.paused[-1][1] == OPEN


def encode_clocks(table: TableTime) -> str:
    """The column's text."""
    return msgspec.json.encode(table).decode()
