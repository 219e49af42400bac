"""Players made of code that learned, and that search.

    player = PLAYERS["steady"]
    player.choose(Sight(state, seat), Random(5)) -> Move      for the seat that is asked

sight.py      what a seat may go by
thinking.py   the process in which players think that take long
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Protocol

from ..bots import BOTS, Bot
from ..rules.facts import Move
from .sight import Sight


class Player(Protocol):
    """``choose(sight, rng)``: an order for the seat of that sight; the same for the same sight and rng."""

    def choose(self, sight: Sight, rng: Random, /) -> Move: ...


class Thinker(Protocol):
    """A player that takes long, and says so by `thinks`: it answers in a process of its own.

    ``choose(sight, rng, effort)``: an order, the same for the same three; `effort` is about how many seconds
    of processor time it may take, counted in what it tries, not by a clock.
    """

    thinks: bool

    def choose(self, sight: Sight, rng: Random, effort: float = 1.0, /) -> Move: ...


class _ByView:
    """One of the bots that go by the view alone."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot

    def choose(self, sight: Sight, rng: Random, /) -> Move:
        return self._bot.choose(sight.view, rng)


PLAYERS: Mapping[str, Player | Thinker] = {name: _ByView(bot) for name, bot in BOTS.items()}


def thinks(name: str) -> bool:
    """Whether the player of that name takes long."""
    return getattr(PLAYERS.get(name), "thinks", False)


__all__ = ["PLAYERS", "Player", "Sight", "Thinker", "thinks"]
