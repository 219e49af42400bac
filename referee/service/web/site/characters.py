"""The row of characters above the cities: who is in the game, what lies open, who has been called, and what
was put on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.text.rendering.cards import card

#: marks that lie on one character, and those that lie on several
_ONE, _SEVERAL = ("killed", "robbed", "bewitched"), ("warrants", "threats")


def character_row(view: Mapping[str, Any], cast: Sequence[str]) -> list[dict[str, Any]]:
    """By rank {name, rank, state ("out": lies open, "now": called at this moment, "past", "next"), mine,
    marks [codes], seats [who has revealed it]}; [] where the cast is not known.
    """
    called = view["called"] or (99 if view["phase"] == "turns" else 0)
    return [_character(view, name, int(card(name, view["edition"]).get("rank", 0)), called) for name in cast]


def _character(view: Mapping[str, Any], name: str, rank: int, called: int) -> dict[str, Any]:
    state = "now" if rank == called else "past" if rank < called else "next"
    return {
        "name": name,
        "rank": rank,
        "state": "out" if name in view["faceup"] else state,
        "mine": name in view["characters"],
        "marks": [code for code in _ONE if view.get(code) == name]
        + [code for code in _SEVERAL if name in (view.get(code) or ())],
        "seats": [player["seat"] for player in view["players"] if name in player["revealed"]],
    }
