"""Manners: what a player made of code likes, where two answers are worth about the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..rules.facts import NO_FIGURES, Move, Seat
from ..rules.model import State
from .features import named, values

#: from -1, disliked, to 1, liked
Taste = Callable[[State, Seat, Move], float]


def _bold(g: State, seat: Seat, move: Move) -> float:
    """Dear districts, and whatever is aimed at somebody."""
    what = named(g.rules, g.stack[-1].kind(g), move)
    if any(other != seat for other in what.seats):
        return 1.0
    if move.verb == "build":
        return max([g.rules.districts[name].cost for name in what.districts], default=0) / 6
    return 0.0


def _thrifty(g: State, seat: Seat, move: Move) -> float:
    """Gold comes in, and stays but for building."""
    if move.verb == "gold":
        return 1.0
    if move.verb in ("build", "cards", "end", "pick", "keep"):
        return 0.0
    figures = g.stack[-1].figures(g, move)
    if figures is NO_FIGURES:
        return 0.0
    return max(-1.0, min(1.0, ((figures.gold or 0) - (figures.price or 0)) / 2))


def _vengeful(g: State, seat: Seat, move: Move) -> float:
    """Something is done to those who are ahead, and not to others."""
    what = named(g.rules, g.stack[-1].kind(g), move)
    worth = values(g)
    aimed = [1.0 if worth[other] > worth[seat] else -1.0 for other in what.seats if other != seat]
    return max(aimed, default=0.0)


MANNERS: Mapping[str, Taste] = {"bold": _bold, "thrifty": _thrifty, "vengeful": _vengeful}
