"""The caretaker of a seat that nobody waits for: gathers, takes income, builds, and does nothing to anybody.

It answers in a turn and when it may keep cards; everything else it leaves to the dullest answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from ..rules.editions import EDITIONS
from ..rules.facts import Move
from . import greedy
from .answers import moves

#: all that it ever does in a turn
LEASH = frozenset({"gold", "cards", "income", "build", "end"})


def choose(view: Mapping[str, Any]) -> Move | None:
    """An answer to the view's open question, None where it has none of its own."""
    if view["ask"]["kind"] == "keep":
        return greedy.choose(view, Random(0))
    if view["ask"]["kind"] != "turn":
        return None
    offered: dict[str, list[Move]] = {}
    for move in moves(view):
        if move.verb in LEASH and (move.verb != "build" or len(move.args) == 1):
            offered.setdefault(move.verb, []).append(move)
    if "income" in offered:
        return offered["income"][0]
    if "gold" in offered:
        return _gathered(view, offered)
    if "build" in offered:
        return max(offered["build"], key=lambda move: (_cost(view, str(move.args[0])), str(move.args[0])))
    return offered.get("end", [None])[0]


def _gathered(view: Mapping[str, Any], offered: Mapping[str, list[Move]]) -> Move:
    """Gold, or cards where there is nothing in hand that could be built."""
    standing = {d["name"] for d in view["players"][view["you"]]["city"]}
    wanted = [name for name in view["hand"] if name not in standing]
    return offered["gold"][0] if wanted or "cards" not in offered else offered["cards"][0]


def _cost(view: Mapping[str, Any], name: str) -> int:
    return next((d.cost for d, _ in EDITIONS[view["edition"]].districts if d.name == name), 0)
