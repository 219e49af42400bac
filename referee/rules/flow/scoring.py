"""The end: points, and who has won."""

from __future__ import annotations

from itertools import product
from typing import Any

from ..facts import Seat
from ..model import State
from .standing import cost_of

ALL_TYPES, FIRST, OTHER = 3, 4, 2


def points(g: State, seat: Seat, *, public: bool = False) -> dict[str, int]:
    """The parts of a score: districts, all_types, first_complete, complete, unique.

    Where districts may count as one of several types, the best choice is made for all
    bonuses together.  `public`: without what only its owner sees (the hand, cards put away).
    """
    me = g.players[seat]
    city = [g.cards[n] for n in me.city]
    scoring = [d for d in city if d in g.rules.at["score"] and not (public and d.secret)]
    best = (-1, 0, 0)
    for kinds in product(*(d.poses(g, seat) if len(d.guises) > 1 else d.guises for d in city)):
        all_types = ALL_TYPES if len(set(kinds)) == 5 else 0
        seen = tuple([d.type if d.sincere else kind for d, kind in zip(city, kinds, strict=True)])
        unique = sum([d.score(g, seat, seen) for d in scoring])
        best = max(best, (all_types + unique, all_types, unique))
    _, all_types, unique = best
    if not public and g.rules.at["hand_score"]:
        unique += sum(g.cards[n].hand_score(g, seat) for n in me.hand)
    first = g.completed[:1] == (seat,)
    return {
        "districts": sum([cost_of(g, n) for n in me.city]),
        "all_types": all_types,
        "first_complete": FIRST if first else 0,
        "complete": OTHER if seat in g.completed and not first else 0,
        "unique": unique,
    }


def finish(g: State, reason: str) -> None:
    """Count, and end the game."""
    scores: list[dict[str, Any]] = []
    for seat in range(len(g.players)):
        parts = points(g, seat)
        scores.append({"seat": seat, "points": parts, "score": sum(parts.values())})
    edition = g.rules.edition
    places = [
        (row["score"], *edition.tie(g, seat, scores[seat]["points"])) for seat, row in enumerate(scores)
    ]
    best = max(places)
    winners = [seat for seat, place in enumerate(places) if place == best]
    g.result = {"reason": reason, "scores": scores, "winners": winners}
    g.phase, g.called = "over", None
    g.stack.clear()
    g.tell("game_over", reason=reason, scores=scores, winners=winners)
