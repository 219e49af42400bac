"""How long tables take, and how many of them a round of some days leaves unfinished.

Days of a game are taken as log-normal: two figures for each kind of table, measured by simulation
(`game_lengths`, or beside everything else for a policy of a league's own).

    tables = [(12, lengths("classic", 5, "daily", "none"))]
    late(tables, 14 + 3)   -> 0.93, the share of tables that are not over then
    enough(tables, 3)      -> 42, the days a round should have
    left(kind, Progress(...)) -> 6.5, the days that a running table still needs
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, pstdev
from typing import NamedTuple

from .game_lengths import LENGTHS

#: what people file ahead, the least first: those who change nothing come first
PLANS = ("none", "draft", "full")
#: a proposed length leaves no more than this share of tables unfinished; a forecast of more than `BAD` is bad
AIM, BAD = 0.03, 0.1
#: days until everybody at a table has said that they are there
GATHERING_DAYS = 1.0
#: a round's length is proposed in whole weeks, so that rounds begin on the same day of the week
WEEK = 7
#: a table's own pace counts as much as that of its kind after this many of its rounds
_TRUST = 2.0
#: games are never so much alike that this would be too much
_LEAST_SPREAD = 0.05
_NORMAL = NormalDist()


class Lengths(NamedTuple):
    """How long games of one kind take.

    `median`: days from the first question to the last score; `spread`: standard deviation of their natural
    logarithm; `rounds` of a game in the mean; `games`: at how many it was measured.
    """

    median: float
    spread: float
    rounds: float
    games: int = 0


#: how many tables of each kind
Tables = Sequence[tuple[int, Lengths]]


class Progress(NamedTuple):
    """How far a table is: `days` since its first question, `rounds` that are over, districts of the largest
    city (`built`) and of a complete one (`complete`)."""

    days: float
    rounds: int
    built: int
    complete: int


def lengths(edition: str, size: int, policy: str, plans: str) -> Lengths:
    """What was measured for that edition, people at a table, policy by name and plans.  Raises KeyError."""
    return Lengths(*LENGTHS[edition, size, policy, plans])


def fitted(days: Sequence[float], rounds: Sequence[int]) -> Lengths:
    """The lengths of games that took so long.  Raises ValueError for fewer than two games."""
    if len(days) < 2:
        raise ValueError("two games at least say how long games take")
    logs = [math.log(max(one, 1e-3)) for one in days]
    return Lengths(
        round(math.exp(fmean(logs)), 2),
        round(max(pstdev(logs), _LEAST_SPREAD), 3),
        round(fmean(rounds), 1),
        len(days),
    )


def late(tables: Tables, days: float) -> float:
    """The share of tables that are not over that many days after their round's beginning, 0 to 1; 0 of no
    tables."""
    every = sum(count for count, _ in tables)
    return sum(count * _late(kind, days) for count, kind in tables) / every if every else 0.0


def _late(kind: Lengths, days: float) -> float:
    played = days - GATHERING_DAYS
    return 1.0 if played <= 0 else 1 - _NORMAL.cdf(math.log(played / kind.median) / kind.spread)


def enough(tables: Tables, overtime_days: float, *, most: int, aim: float = AIM) -> int:
    """The fewest whole weeks, in days and at most `most`, after which with the overtime no more than the
    share `aim` of the tables is unfinished."""
    return next(
        (days for days in range(WEEK, most, WEEK) if late(tables, days + overtime_days) <= aim),
        most,
    )


def left(kind: Lengths, at: Progress) -> float:
    """Days that a running table probably still needs.

    How many rounds are left follows from those that tables of its kind have and from how fast its largest
    city grows; how long one takes from the usual pace and, the longer it is played, from its own. Compare it
    with the days until the round and its overtime end: a table that needs more is in danger. 0 where a city
    is complete (the round is played out).
    """
    if at.built >= at.complete:
        return 0.0
    usual = kind.median / kind.rounds
    pace = (usual * _TRUST + at.days) / (_TRUST + at.rounds)
    by_city = (at.complete - at.built) * kind.rounds / at.complete
    by_rounds = max(kind.rounds - at.rounds, 1.0)
    trust = at.rounds / (at.rounds + _TRUST)
    return pace * max(trust * by_city + (1 - trust) * by_rounds, 0.5)
