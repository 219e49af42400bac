"""Up and down between the divisions at the end of a season."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TypeVar

from .faults import Unseatable

Whom = TypeVar("Whom")


class MoveReason(StrEnum):
    """Why somebody is where they are."""

    STAYS = "stays"
    PROMOTED = "promoted"
    RELEGATED = "relegated"
    FILLS = "fills a gap"
    NEWCOMER = "newcomer"
    WITHDREW = "withdrew"


@dataclass(frozen=True, slots=True)
class Move:
    """One person from one division (0 is the top; None: was in none) to another (None: is in none)."""

    person: int
    before: int | None
    after: int | None
    why: MoveReason


@dataclass(frozen=True, slots=True)
class Movement:
    """The new divisions, each with the strongest first, and a move for everybody."""

    divisions: tuple[tuple[int, ...], ...]
    moves: tuple[Move, ...]


def moved(
    divisions: Sequence[Sequence[int]],
    *,
    up: int,
    down: int,
    withdrawn: Collection[int] = (),
    newcomers: Sequence[int] = (),
    idle: Collection[int] = (),
) -> Movement:
    """The divisions of the next season.

    divisions   final standings, the top division first, the best first
    up, down    that many of each division rise (not of the top one) and fall (not of the lowest)
    withdrawn   do not go on; nobody rises or falls in their place, but gaps are filled
    newcomers   the strongest first; they enter the lowest division
    idle        nothing was decided in these (0 is the top one): nobody moves out of them or into them

    A division that ends up smaller than it was takes the best who were not promoted from the one below (they
    fill a gap), the top division first, as long as that one keeps somebody. Where several arrive in a
    division, those from above stand first, then those who stay in the order of their standings, then those
    from below.

    Raises `Unseatable` "moves-twice" (person) when somebody is named twice.
    """
    named = [who for division in divisions for who in division] + list(newcomers)
    for who in named:
        if named.count(who) > 1:
            raise Unseatable("moves-twice", person=who)
    last = len(divisions) - 1
    gone = set(withdrawn)
    rises, stays, falls = _parted(divisions, up, down, gone, idle)
    why = {who: MoveReason.PROMOTED for group in rises for who in group} | {
        who: MoveReason.RELEGATED for group in falls for who in group
    }
    now = [
        (falls[number - 1] if number else []) + stays[number] + (rises[number + 1] if number < last else [])
        for number in range(last + 1)
    ]
    if not now and newcomers:
        now = [[]]
    if now:
        now[-1] += newcomers
        why |= dict.fromkeys(newcomers, MoveReason.NEWCOMER)
    _fill(now, [len(division) for division in divisions], why)
    was = {who: number for number, division in enumerate(divisions) for who in division}
    moves = [
        Move(who, was.get(who), number, why.get(who, MoveReason.STAYS))
        for number, division in enumerate(now)
        for who in division
    ]
    moves += [
        Move(who, was[who], None, MoveReason.WITHDREW)
        for division in divisions
        for who in division
        if who in gone
    ]
    return Movement(tuple(map(tuple, now)), tuple(moves))


def crossed(divisions: Sequence[int], decided: Collection[int]) -> tuple[set[int], set[int]]:
    """The divisions (by number, the top one first) out of which people rise, and those out of which they
    fall: on both sides of the border something must be decided, else one side would give and not take.
    """
    borders = [(above, below) for above, below in pairwise(divisions) if {above, below} <= set(decided)]
    return {below for _, below in borders}, {above for above, _ in borders}


def movers(division: Sequence[Whom], up: int, down: int) -> tuple[list[Whom], list[Whom]]:
    """Who rises out of a division (the best first), and who falls: where fewer are there than would move,
    nobody does both, and those who rise go first.
    """
    rises = list(division[: max(0, up)])
    return rises, list(division[max(len(rises), len(division) - max(0, down)) :])


def _parted(
    divisions: Sequence[Sequence[int]], up: int, down: int, gone: Collection[int], idle: Collection[int]
) -> tuple[list[list[int]], list[list[int]], list[list[int]]]:
    """Who rises out of each division, who stays and who falls, without those who are gone."""
    decided = [number for number in range(len(divisions)) if number not in idle]
    rise, fall = crossed(range(len(divisions)), decided)
    rises: list[list[int]] = []
    stays: list[list[int]] = []
    falls: list[list[int]] = []
    for number, division in enumerate(divisions):
        rising, falling = movers(division, up if number in rise else 0, down if number in fall else 0)
        rises.append([who for who in rising if who not in gone])
        stays.append([who for who in division if who not in gone and who not in {*rising, *falling}])
        falls.append([who for who in falling if who not in gone])
    return rises, stays, falls


def _fill(now: list[list[int]], sizes: Sequence[int], why: dict[int, MoveReason]) -> None:
    """Bring divisions that became smaller back to their size, with the best from below."""
    for number in range(len(sizes) - 1):
        while len(now[number]) < sizes[number] and len(now[number + 1]) > 1:
            # never somebody who just fell from here: they would not have moved at all
            best = next((who for who in now[number + 1] if why.get(who) is not MoveReason.RELEGATED), None)
            if best is None:
                break
            now[number + 1].remove(best)
            now[number].append(best)
            why[best] = MoveReason.FILLS
