"""A round that was planned, for the people who are there: somebody left, somebody came.

As few change their table as possible.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from .shapes import NOTHING, EarlierRounds, Round, Table, pair


@dataclass(frozen=True, slots=True)
class Mended:
    """The round as it is now; `called`: those of the spare people who play in it."""

    round: Round
    called: tuple[int, ...] = ()


@dataclass(slots=True)
class _OpenTable:
    """A table while it is put together: None is an empty seat."""

    people: list[int | None]
    crown: int
    past: EarlierRounds = field(default_factory=EarlierRounds)

    def size(self) -> int:
        return sum(who is not None for who in self.people)

    def strangeness(self, who: int) -> int:
        """How often they met somebody who sits here."""
        return sum(self.past.met.get(pair(who, other), 0) for other in self.people if other is not None)

    def sit(self, who: int) -> None:
        if None in self.people:
            self.people[self.people.index(None)] = who
        else:
            self.people.append(who)

    def done(self) -> Table:
        """Without empty seats; where the person who had the crown is gone, the next in clockwise order has
        it."""
        order = [*self.people[self.crown :], *self.people[: self.crown]]
        crowned = next(who for who in order if who is not None)
        there = tuple(who for who in self.people if who is not None)
        return Table(there, there.index(crowned))


def mended(
    planned: Round,
    people: Collection[int],
    *,
    least: int,
    most: int,
    past: EarlierRounds = NOTHING,
    spare: Sequence[int] = (),
) -> Mended:
    """The round for exactly these people.

    Empty seats go to newcomers, then to those with a bye (who had most of them first), then to the `spare` in
    their order; a table that stays too small takes from the largest, or is given up for others with room.
    Anyone who finds no seat has a bye.
    """
    known = set(people)
    desks = [
        _OpenTable([who if who in known else None for who in table.people], table.crown, past)
        for table in planned.tables
    ]
    seated = {who for desk in desks for who in desk.people if who is not None}
    resting = {who for who in planned.byes if who in known}
    waiting = sorted(known - seated - resting) + sorted(
        resting, key=lambda who: (-past.byes.get(who, 0), who)
    )
    called: list[int] = []
    for desk in sorted(desks, key=_OpenTable.size):
        while None in desk.people and waiting:
            fresh = [who for who in waiting if who not in resting] or waiting[:1]
            who = min(fresh, key=desk.strangeness)
            waiting.remove(who)
            desk.sit(who)
    for desk in sorted(desks, key=_OpenTable.size):
        while None in desk.people and len(called) < len(spare):
            called.append(spare[len(called)])
            desk.sit(called[-1])
    while short := [desk for desk in desks if desk.size() < least]:
        desk = min(short, key=_OpenTable.size)
        richest = max(desks, key=_OpenTable.size)
        if richest.size() > least:
            _move(richest, desk)
            continue
        desks.remove(desk)
        waiting = [who for who in desk.people if who is not None] + waiting
    for who in waiting[:]:
        room = [desk for desk in desks if desk.size() < most]
        if room and (who not in resting or not planned.byes):
            min(room, key=lambda desk: (desk.size(), desk.strangeness(who))).sit(who)
            waiting.remove(who)
    if not desks:  # else nobody plays at all
        called += _lacking(waiting, spare[len(called) :], least)
        waiting += [who for who in called if who not in waiting]
    while len(waiting) >= least:  # enough without a table for one of their own
        size = min(most, len(waiting))
        desks.append(_OpenTable(list(waiting[:size]), 0, past))
        waiting = waiting[size:]
    # the spare whose table was given up after all, and who found no other, are spare again
    byes = sorted(who for who in waiting if who not in called)
    sit = tuple(who for who in called if who not in waiting)
    return Mended(Round(tuple(desk.done() for desk in desks), tuple(byes)), sit)


def _lacking(waiting: Sequence[int], spare: Sequence[int], least: int) -> Sequence[int]:
    """Those of the spare people who make a table of those who wait; nobody where they are too few for it."""
    lacking = least - len(waiting)
    return spare[:lacking] if waiting and 0 < lacking <= len(spare) else ()


def _move(rich: _OpenTable, poor: _OpenTable) -> None:
    """Somebody changes from the one to the other: anyone who knows the new table least; not the crown where
    that can be helped.
    """
    crowned = rich.done().people[rich.done().crown]
    movable = [who for who in rich.people if who is not None and who != crowned]
    who = min(movable, key=lambda one: (poor.strangeness(one), one))
    rich.people[rich.people.index(who)] = None
    poor.sit(who)
