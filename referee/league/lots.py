"""A season drawn: who plays in which division, and the rounds of each: all of them, or the next one.

Seconds of arithmetic for a large league, so it takes nothing but plain values and can be worked out in a
process of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import Protocol

from .faults import LeagueFault
from .moving import moved
from .ratings import Played, Rated, ladder, ratings
from .seating import STEPS, plan, plan_round
from .shapes import NOTHING, EarlierRounds, Plan

#: where few play, a search finds what there is to be found in this many steps for each person and round
_STEPS_EACH = 1500


@dataclass(frozen=True, slots=True)
class Lots:
    """What is drawn.

    people    everybody who plays, in the order in which they signed up
    groups    the divisions, where they are known already and only rounds are wanted; () draws them, too
    before    the final order of each division of the season before, the top one first
    idle      those of them (0 is the first) in which nothing was decided
    games     every game that counts for strength
    size      the most people in a division, 0: all in one
    up, down  that many rise and fall
    rounds    how many; least, most, wanted: people at a table
    past      for each of `groups`: what they played before
    like      tables of like strength (then `rounds` is 1): by `points`, where there are none by rating
    points    what everybody has so far
    teams     the people of each team, who meet at a table only where nothing else is found
    mark      what the answer must fit: anyone who asked compares it with how things are then
    """

    people: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...] = ()
    before: tuple[tuple[int, ...], ...] = ()
    idle: tuple[int, ...] = ()
    games: tuple[Played, ...] = ()
    size: int = 0
    up: int = 0
    down: int = 0
    rounds: int = 1
    least: int = 4
    most: int = 7
    wanted: int = 5
    seed: str = ""
    past: tuple[EarlierRounds, ...] = ()
    like: bool = False
    points: Mapping[int, float] = field(default_factory=dict)
    teams: tuple[tuple[int, ...], ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """The divisions, the top one first, the strongest first, and the plan of each; `strength` in
    thousandths.
    """

    divisions: tuple[tuple[int, ...], ...]
    plans: tuple[Plan, ...]
    strength: Mapping[int, int] = field(default_factory=dict)
    mark: str = ""


def drawn(lots: Lots) -> Drawn:
    """Draw.  Raises `Unseatable` where the people can't be seated as the league wants it."""
    rated = ratings(lots.games)
    strength = {who: rated.get(who, Rated()) for who in lots.people}
    divisions = lots.groups or divided(lots, ladder(strength))
    past = lots.past or (NOTHING,) * len(divisions)
    plans = tuple(
        _planned(lots, number, people, past[number], {who: strength[who].ordinal for who in people})
        for number, people in enumerate(divisions)
    )
    return Drawn(
        divisions, plans, {who: round(one.ordinal * 1000) for who, one in strength.items()}, lots.mark
    )


def _planned(
    lots: Lots, number: int, people: Sequence[int], past: EarlierRounds, rating: Mapping[int, float]
) -> Plan:
    """The rounds of one division."""
    mates = [each for team in lots.teams for each in combinations([who for who in people if who in team], 2)]
    seed = f"{lots.seed} {number}"
    if lots.like:
        return plan_round(
            people,
            least=lots.least,
            most=lots.most,
            wanted=lots.wanted,
            seed=seed,
            past=past,
            mates=mates,
            strength=lots.points or rating,
        )
    return plan(
        people,
        lots.rounds,
        least=lots.least,
        most=lots.most,
        wanted=lots.wanted,
        seed=seed,
        past=past,
        mates=mates,
        steps=min(STEPS, _STEPS_EACH * len(people) * lots.rounds),
    )


class Pipe(Protocol):
    """Where an answer goes: one end of a pipe to another process."""

    def send(self, answer: object) -> None: ...


def tried(lots: Lots) -> Drawn | LeagueFault:
    """What comes of a draw, or why there is none."""
    try:
        return drawn(lots)
    except LeagueFault as no:
        return no


def sent(pipe: Pipe, lots: Lots) -> None:
    """Draw, and tell the process that waits at the other end."""
    pipe.send(tried(lots))


def divided(lots: Lots, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The divisions: by the season before and its rise and fall, newcomers (the strongest first) below; where
    there was none, or the number of people wants another number of divisions, everybody in that order is cut
    anew into equal parts.
    """
    count = max(1, -(-len(lots.people) // lots.size)) if lots.size else 1
    line: list[int] = list(order)
    before = [tuple(group) for group in lots.before if group]
    if before:
        known = {who for group in before for who in group}
        now = moved(
            before,
            up=lots.up,
            down=lots.down,
            withdrawn=known - set(lots.people),
            newcomers=[who for who in order if who not in known],
            idle=lots.idle,
        )
        groups = [group for group in now.divisions if group]
        if len(groups) == count and all(
            lots.least <= len(group) <= (lots.size or len(group)) for group in groups
        ):
            return tuple(groups)
        line = [who for group in groups for who in group]
    small, larger = divmod(len(line), count)
    cuts = [0]
    for number in range(count):
        cuts.append(cuts[-1] + small + (number < larger))
    return tuple(tuple(line[start:end]) for start, end in pairwise(cuts))
