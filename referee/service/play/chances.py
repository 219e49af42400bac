"""The course of a finished game as chances to win: what the players that search think of each position."""

from __future__ import annotations

from referee.search.levels import learned
from referee.search.value import described, winning

from .replay import GameHistory


def course_of_chances(past: GameHistory) -> list[list[int]]:
    """At the beginning of each round, every seat's chance to win in per cent.  It looks at all hands: nothing
    of it may be told before the game is over.
    """
    weights = learned().value
    return [[round(100 * one) for one in winning(weights, described(state))] for state in past.beginnings]
