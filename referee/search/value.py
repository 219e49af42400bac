"""What a position is worth: how probably each seat wins, at the beginning of a round."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from operator import mul

from ..rules.facts import Seat
from ..rules.flow.completion import city_size
from ..rules.flow.scoring import points
from ..rules.model import State

#: numbers that describe one seat, before they are multiplied by how far the game has gone
PLAIN = 15
SIZE = 3 * PLAIN


def described(g: State) -> list[list[float]]:
    """A vector for each seat, hands included: for dealt tables, or for the referee's own."""
    sizes = [city_size(g, seat) for seat in range(len(g.players))]
    stage = max(sizes) / g.goal
    return [_seat(g, seat, sizes, min(stage, 1.2)) for seat in range(len(g.players))]


def _seat(g: State, seat: Seat, sizes: Sequence[int], stage: float) -> list[float]:
    me, cards, count = g.players[seat], g.cards, len(g.players)
    standing = {cards[n] for n in me.city}
    wanted = [cards[n].cost for n in me.hand if cards[n] not in standing]
    left = g.goal - sizes[seat]
    place = (seat - g.crown) % count
    types = len({district.type for district in standing})
    plain = [
        sum(points(g, seat).values()) / 10,
        sizes[seat] / g.goal,
        1.0 if left <= 1 else 0.0,
        1.0 if left <= 2 else 0.0,
        min(me.gold, 4) / 4,
        max(0, min(12, me.gold) - 4) / 8,
        min(len(me.hand), 3) / 3,
        max(0, min(9, len(me.hand)) - 3) / 6,
        min(len(wanted), 3) / 3,
        max(wanted, default=0) / 5,
        min(wanted, default=0) / 5,
        1.0 if place == 0 else 0.0,
        place / count,
        types / 5,
        1.0 if types >= 4 else 0.0,
    ]
    return [*plain, *[stage * one for one in plain], *[stage * stage * one for one in plain]]


def winning(weights: Sequence[float], seats: Sequence[Sequence[float]]) -> list[float]:
    """How probably each seat wins, together 1."""
    scores = [sum(map(mul, weights, one)) for one in seats]
    most = max(scores)
    found = [exp(score - most) for score in scores]
    total = sum(found)
    return [one / total for one in found]


def shares(g: State) -> list[float]:
    """What each seat has won of a game that is over."""
    assert g.result is not None
    winners = g.result["winners"]
    return [1 / len(winners) if seat in winners else 0.0 for seat in range(len(g.players))]
