"""A player that chooses at once: each answer is weighed by learned numbers, the heavier the more probable."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from operator import mul
from random import Random

from ..rules.facts import Family, Move, Seat
from ..rules.flow.table import answers
from ..rules.model import Option, State
from ..rules.seams import Character
from .features import Part, Situation, district, owned, parts, public_vector

#: key -> weights, one for each number of the part
Weights = dict[str, list[float]]
#: how many orders of a choice of several cards are weighed
_ORDERED = 6


class Policy:
    """Weights, and how they choose. `warmth`: 1 as learned; less: more surely the heaviest."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights

    def candidates(self, at: Situation, options: Sequence[Option], rng: Random) -> list[Move]:
        """Single answers; of a choice of cards some that make sense."""
        out: list[Move] = []
        for option in options:
            if isinstance(option, Family):
                out += self._chosen(at, option, rng)
            else:
                out.append(option)
        return out

    def _chosen(self, at: Situation, family: Family, rng: Random) -> list[Move]:
        if family.ordered:
            found = [family.move(tuple(rng.sample(family.cards, family.least))) for _ in range(_ORDERED)]
            return list(dict.fromkeys(found))
        known = at.g.rules.districts
        keeping = self.weights.get("d|keep keep", _COST)
        worth = {
            name: sum(map(mul, keeping, district(at, known[name])))
            for name in {*family.cards}
            if name in known
        }
        cards = sorted(family.cards, key=lambda name: worth.get(name, 0.0))
        sizes = {
            family.least,
            family.most,
            (family.least + family.most) // 2,
            min(family.most, family.least + 1),
        }
        found = []
        for size in sorted(sizes):
            found += [family.move(tuple(cards[:size])), family.move(tuple(cards[::-1][:size]))]
        return list(dict.fromkeys(found))

    def scores(self, described: Sequence[Sequence[Part]]) -> list[float]:
        weights, out = self.weights, []
        for one in described:
            total = 0.0
            for key, vector in one:
                found = weights.get(key)
                if found is not None:
                    total += sum(map(mul, found, vector))
            out.append(total)
        return out

    def weighed(self, g: State, seat: Seat, rng: Random) -> tuple[list[Move], list[list[Part]], list[float]]:
        """The answers that are weighed, their parts, and their scores."""
        at = Situation(g, seat, g.stack[-1].kind(g))
        moves = self.candidates(at, answers(g), rng)
        if len(moves) == 1:
            return moves, [[]], [0.0]
        held: list[list[dict[str, float]]] = []

        def belief() -> list[dict[str, float]]:
            if not held:
                held.append(self.beliefs(at))
            return held[0]

        described = [parts(at, move, belief) for move in moves]
        return moves, described, self.scores(described)

    def beliefs(self, at: Situation) -> list[dict[str, float]]:
        """For each seat, what it probably holds by what it would have picked: character -> chance."""
        g = at.g
        mine = g.players[at.seat].characters
        gone = {*g.faceup, *mine}
        for player in g.players:
            gone.update(player.revealed)
        able = [card for name, card in g.rules.characters.items() if name not in gone]
        each = len(mine) or 1
        out: list[dict[str, float]] = []
        for seat, player in enumerate(g.players):
            if seat == at.seat:
                out.append({})
                continue
            liking = self.likings(g, seat, able, at.sizes, at.values)
            hidden = each - len(player.revealed)
            total = sum(liking.values())
            out.append(
                {name: hidden * value / total for name, value in liking.items()}
                if hidden > 0 and total
                else {}
            )
        return out

    def likings(
        self, g: State, seat: Seat, able: Sequence[Character], sizes: list[int], values: list[int]
    ) -> dict[str, float]:
        """Character -> how much that seat would like it, above 0, by what everybody sees."""
        vector = public_vector(g, seat, sizes, values)
        out = {}
        for card in able:
            found = self.weights.get("c|pick pick|" + card.name)
            score = 0.0 if found is None else sum(map(mul, found, [*vector, owned(g, seat, card.type)]))
            out[card.name] = exp(max(-6.0, min(6.0, score)))
        return out

    def choose(self, g: State, seat: Seat, rng: Random, warmth: float = 1.0) -> Move:
        """An answer by chance, the heavier the likelier."""
        moves, _, scores = self.weighed(g, seat, rng)
        return moves[drawn(scores, rng, warmth)]


#: how much a card is worth keeping before anything was learned: its first numbers in `features.district`
_COST = [0.0, 1.0, 0.5, 0.0, 0.2, -2.0, -1.0]


def chances(scores: Sequence[float], warmth: float = 1.0) -> list[float]:
    most = max(scores)
    found = [exp((score - most) / warmth) for score in scores]
    total = sum(found)
    return [one / total for one in found]


def drawn(scores: Sequence[float], rng: Random, warmth: float = 1.0) -> int:
    if len(scores) == 1:
        return 0
    if warmth <= 0:
        return max(range(len(scores)), key=scores.__getitem__)
    at = rng.random()
    found = chances(scores, warmth)
    for place, chance in enumerate(found):
        at -= chance
        if at < 0:
            return place
    return len(found) - 1
