"""Players made of code.  A bot sees what a seat may see, its view, and nothing else.

`BOTS` by name; each chooses one of the answers that the view's `ask` offers.  All chance
comes from the `rng` given, so the same view and rng give the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from ..rules.facts import Move
from . import greedy, random_legal


class Bot(Protocol):
    """``choose(view, rng)``: an order for the seat of that view, which is being asked."""

    def choose(self, view: Mapping[str, Any], rng: Random) -> Move: ...


BOTS: Mapping[str, Bot] = {"random": random_legal, "greedy": greedy}

__all__ = ["BOTS", "Bot"]
