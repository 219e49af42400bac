"""Players made of code that learned, and that search.

    one = player("strong thrifty", effort=0.5)
    one.choose(Sight(state, seat), Random(5)) -> Move      for the seat that is asked

sight.py     what a seat may go by          features.py  a position and an answer in numbers
levels.py    gentle, steady, strong         policy.py    learned weights choose an answer at once
manners.py   bold, thrifty, vengeful        value.py     how probably each seat wins
search.py    deals, plays on, counts        weights.json what was learned (bench/train_bots.py)
thinking.py  the process in which players think that take long
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol, runtime_checkable

from ..bots import BOTS, Bot
from ..rules.facts import Move
from .levels import LEVELS
from .manners import MANNERS
from .sight import Sight


class Player(Protocol):
    """``choose(sight, rng)``: an order for the seat of that sight; the same for the same sight and rng."""

    def choose(self, sight: Sight, rng: Random, /) -> Move: ...


@runtime_checkable
class Adjustable(Protocol):
    """A player that thinks as long as it is told to, or plays in a manner."""

    def adjusted(self, effort: float | None, manner: str, /) -> Player:
        """One like it; `manner`: one of MANNERS, or "" for none."""


class _ByView:
    """One of the bots that go by the view alone."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def choose(self, sight: Sight, rng: Random, /) -> Move:
        return self._bot.choose(sight.view, rng)


#: level -> player
PLAYERS: Mapping[str, Player] = {**LEVELS, **{name: _ByView(bot) for name, bot in BOTS.items()}}


def player(name: str, effort: float | None = None) -> Player:
    """The player of that name: a level, `strong`, or one with a manner, `strong thrifty`.  `effort`: seconds
    of processor time that one which searches may think about an answer, None: as long as it does.

    Raises KeyError.
    """
    level, _, manner = name.partition(" ")
    if manner and manner not in MANNERS:
        raise KeyError(name)
    one = PLAYERS[level]
    return one.adjusted(effort, manner) if isinstance(one, Adjustable) else one


def thinks(name: str) -> bool:
    """Whether the player of that name takes long, and says so (`thinks = True`): it is let think in a process
    of its own.
    """
    return getattr(PLAYERS.get(name.partition(" ")[0]), "thinks", False)


__all__ = ["MANNERS", "PLAYERS", "Adjustable", "Player", "Sight", "player", "thinks"]
