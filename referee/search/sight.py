"""What a seat may go by when it decides: its view, and tables that look the same from there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from random import Random
from typing import Any

from ..rules import view
from ..rules.dealing import Known
from ..rules.facts import Seat
from ..rules.model import State


class Sight:
    """A table seen from `seat`, which is asked. Each of the two is made when somebody looks.

    A player made of code is handed a sight and nothing else: both forms leave out what the seat can't see.
    """

    def __init__(self, state: State, seat: Seat) -> None:
        self._state, self.seat = state, seat

    def dice(self, question: str) -> Random:
        """Dice for a question. The game's secret seed is in them: anyone who could throw them, too,
        would learn from our own players what this one will answer.
        """
        return Random(f"{question}:{self._state.seed.hex()}")

    @cached_property
    def view(self) -> Mapping[str, Any]:
        """What a person of that seat sees, with the open question under "ask"."""
        return view(self._state, self.seat)

    @cached_property
    def known(self) -> Known:
        """`known.deal(rng)` gives a whole table with fresh cards in every place that the seat can't see."""
        return Known(self._state, self.seat)
