"""Two rulings that were never made, switched as real ones are: where the rules differ they ask
`g.holds(number)`. They come after all real ones.

946  new games only     the person who takes gold takes one more
947  running games too  cards can't be drawn instead of gold
"""

from __future__ import annotations

import pytest

from referee.rules import Move, State, rulings
from referee.rules.flow import turn
from referee.rules.model import Option
from referee.rules.rulings import Ruling

REAL = rulings.RULINGS
RICHER, POORER = Ruling(946, "2026-12-24", "0013"), Ruling(947, "2026-12-31", "0013", running=True)


def make(monkeypatch: pytest.MonkeyPatch, *made: Ruling) -> None:
    """A referee that has these rulings."""
    gathered, offered = turn.gold_gathered, turn.Turn.options

    def gold_gathered(g: State, seat: int) -> int:
        return gathered(g, seat) + g.holds(946)

    def options(self: turn.Turn, g: State) -> list[Option]:
        return [one for one in offered(self, g) if not (one == Move("cards") and g.holds(947))]

    monkeypatch.setattr(rulings, "RULINGS", (*REAL, *(made or (RICHER, POORER))))
    monkeypatch.setattr(turn, "gold_gathered", gold_gathered)
    monkeypatch.setattr(turn.Turn, "options", options)
