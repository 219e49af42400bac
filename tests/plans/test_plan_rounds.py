"""Of which round a line speaks that is for one round: of the present one as long as it can do anything there,
else of the next.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.plans.notation import plan_text
from tests.plans.asked import NAMES, outside, picking, plan, seen, then

BEFORE = seen("gold", called=4)
BEGINS = seen("gold", "cards")
GATHERED = seen("build Docks", "end")
KEEPING = seen("keep Docks", "keep Manor", kind="keep")
OVER = outside("buy", "pass", kind="graveyard")
#: Where three play, each has two characters.
SECOND = seen("build Docks", "end", characters=["Merchant", "Warlord"])
SECOND["players"] = SECOND["players"][:3]


def waiting(kind: str) -> dict[str, Any]:
    view = seen(waiting=[{"seat": 1, "kind": kind, "number": 8}])
    del view["ask"]
    return view


@pytest.mark.parametrize(
    ("line", "view", "later"),
    [
        ("when Merchant: gold", picking("King"), False),
        ("when Merchant: gold", BEFORE, False),
        ("when Merchant: gold", BEGINS, False),
        ("when Merchant: gold", GATHERED, True),
        ("when Merchant: gold", KEEPING, True),
        ("when Merchant: gold", OVER, True),
        ("when Merchant: gold", waiting("graveyard"), True),
        ("when Merchant: gold", waiting("reveal"), False),
        ("when Merchant: gold", SECOND, True),
        ("when Warlord: gold", SECOND, False),
        ("otherwise: gold", SECOND, False),
        ("otherwise: gold", BEGINS, False),
        ("otherwise: gold", GATHERED, True),
        ("when King: gold", picking("King"), False),
        ("when King: gold", BEFORE, True),
        ("when King or Merchant: gold", BEFORE, False),
        ("this round bribe always", BEFORE, False),
        ("this round bribe always", OVER, True),
        ("this round buy always", OVER, False),
        ("this round confiscate never", OVER, False),
        ("this round ask me if gold >= 4", OVER, False),
    ],
)
def test_this_round_or_the_next(line: str, view: dict[str, Any], later: bool) -> None:
    filing = plan(line, view=view)
    (found,) = (*filing.scripts, *filing.standing, *filing.asks)
    assert found.round == view["round"] + later
    assert plan_text(filing, NAMES) == (line,)


def test_what_is_written_in_ones_turn_is_played_in_the_next() -> None:
    filing = plan("otherwise: gold; end", view=GATHERED)
    following = seen("gold", "cards", round=4)
    assert then(filing, GATHERED, following, seen("end", round=4)) == [None, ("gold",), ("end",)]
