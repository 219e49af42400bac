"""What a position and an answer look like in numbers: no card is named, only
what the rules say of every card is used.

An answer is a list of parts, each a vector under a key: the situation under the answer's verb; each district,
seat and character that it names; each card by its name, so that what a card is worth can be learned.
All of it is known to the seat that answers: it may be asked of a real table and of a dealt one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..rules.facts import BEAUTIFIED, NO_FIGURES, Move, Seat
from ..rules.flow.completion import city_size
from ..rules.flow.turn import Turn
from ..rules.model import State
from ..rules.rulebook import Rulebook
from ..rules.seams import District

Vector = list[float]
#: a key is "what|verb" or "what|verb|card"
Part = tuple[str, Vector]
#: seat and character -> how probable it is, as the asked seat sees it, that the one holds the other
Belief = Callable[[], "list[dict[str, float]]"]
#: whose figures say nothing that the situation does not say
_PLAIN = frozenset({"gold", "cards", "end", "build", "pick", "keep", "discard"})


class Named(NamedTuple):
    """What an order names: `verb` with the question and the words of the order; the rest by kind."""

    verb: str
    seats: tuple[Seat, ...]
    characters: tuple[str, ...]
    districts: tuple[str, ...]
    numbers: tuple[int, ...]
    #: whether one of the districts stands in a city
    stands: bool


_named: dict[tuple[Rulebook, str, Move], Named] = {}
_MOST_NAMED = 1 << 16


def named(rules: Rulebook, kind: str, move: Move) -> Named:
    """The parts of an order, read by its shape."""
    key = (rules, kind, move)
    found = _named.get(key)
    if found is None:
        if len(_named) > _MOST_NAMED:
            _named.clear()
        found = _named[key] = _read(rules, kind, move)
    return found


def _read(rules: Rulebook, kind: str, move: Move) -> Named:
    words, seats, numbers = [kind, move.verb], list[Seat](), list[int]()
    characters, districts = list[str](), list[str]()
    shape = next((one for one in rules.shapes.get(move.verb, ()) if one.fits(move.args)), None)
    for part, arg in zip(shape.parts if shape else (), move.args, strict=False):
        several = arg if type(arg) is tuple else (arg,)
        if part == "<P>":
            seats.append(arg)
        elif part == "<n>":
            numbers.append(arg)
        elif part[:2] == "<C":
            characters += several
        elif part[:2] in ("<D", "<B"):
            districts += [name.removesuffix(BEAUTIFIED) for name in several]
        else:
            words.append(str(arg))
    stands = shape is not None and any(part[:2] == "<B" for part in shape.parts)
    return Named(" ".join(words), tuple(seats), tuple(characters), tuple(districts), tuple(numbers), stands)


class Situation:
    """A position as `seat` sees it. `vector`: the situation in numbers about 0 to 1."""

    __slots__ = ("g", "kind", "powers", "seat", "sizes", "standing", "types", "values", "vector")

    def __init__(self, g: State, seat: Seat, kind: str) -> None:
        self.g, self.seat, self.kind = g, seat, kind
        me, cards, goal = g.players[seat], g.cards, g.goal
        top = g.stack[-1]
        self.powers = top.powers if isinstance(top, Turn) else ""
        self.standing = {cards[n] for n in me.city}
        self.types = {district.type for district in self.standing}
        self.sizes = [city_size(g, other) for other in range(len(g.players))]
        self.values = values(g)
        wanted = [cards[n].cost for n in me.hand if cards[n] not in self.standing]
        others = [n for n in range(len(g.players)) if n != seat]
        self.vector = [
            1.0,
            min(me.gold, 10) / 5,
            min(len(me.hand), 8) / 4,
            min(len(wanted), 4) / 3,
            self.sizes[seat] / goal,
            max([self.sizes[n] for n in others]) / goal,
            max(-2.0, min(2.0, (self.values[seat] - max([self.values[n] for n in others])) / 10)),
            min(2, sum([cost <= me.gold for cost in wanted])) / 2,
            max(0, min(5, max(wanted, default=0) - me.gold)) / 4,
            1.0 if g.crown == seat else 0.0,
            (len(g.players) - 4) / 4,
            1.0 if g.completed else 0.0,
        ]


def values(g: State) -> list[int]:
    """What the cities cost, seat by seat, by their cards."""
    cards = g.cards
    return [sum([cards[n].cost for n in player.city]) for player in g.players]


def parts(at: Situation, move: Move, belief: Belief) -> list[Part]:
    """What that answer looks like from there."""
    g = at.g
    what = named(g.rules, at.kind, move)
    verb = what.verb
    out: list[Part] = [("s|" + verb, at.vector)]
    if move.verb not in _PLAIN:
        figures = g.stack[-1].figures(g, move)
        if figures is not NO_FIGURES:
            gold, cards, kept, price = figures
            vector = [(gold or 0) / 3, (cards or 0) / 2, (kept or 0) / 2, (price or 0) / 4]
            out.append(("f|" + verb, vector))
    for number in what.numbers:
        out.append(("n|" + verb, [number / 2]))
    for name in what.districts:
        out.append(("d|" + verb, district(at, g.rules.districts[name])))
        if g.rules.districts[name].type == "unique":
            out.append((f"d|{verb}|{name}", [1.0, at.vector[4]]))
    for seat in what.seats:
        out.append(("p|" + verb, player(at, seat)))
    for place, name in enumerate(what.characters):
        key = verb if place == 0 else verb + " then"
        if move.verb in ("pick", "discard"):
            out.append((f"c|{verb}|{name}", [*at.vector, owned(g, at.seat, g.rules.characters[name].type)]))
        else:
            out.append(("c|" + key, character(at, name, belief)))
            out.append((f"c|{key}|{name}", [1.0, at.vector[5]]))
    return out


def owned(g: State, seat: Seat, kind: str | None) -> float:
    """How many districts of that seat's city count as that type, in thirds."""
    if kind is None:
        return 0.0
    cards = g.cards
    return sum([kind in cards[n].pays for n in g.players[seat].city]) / 3


def district(at: Situation, one: District) -> Vector:
    g, seat = at.g, at.seat
    me, cost = g.players[seat], one.cost
    powers = g.rules.characters.get(at.powers)
    double = one in at.standing
    return [
        1.0,
        cost / 4,
        1.0 if one.type == "unique" else 0.0,
        1.0 if powers is not None and powers.type in one.pays else 0.0,
        0.0 if one.type in at.types else 1.0,
        1.0 if double else 0.0,
        1.0 if [g.cards[n] for n in me.hand].count(one) > 1 else 0.0,
        1.0 if cost <= me.gold else 0.0,
        max(0, min(5, cost - me.gold)) / 4,
        1.0 if at.sizes[seat] + one.spaces >= g.goal else 0.0,
        cost / 4 * at.vector[4],
        cost / 4 * at.vector[5],
        min(6, max(0, me.gold - cost)) / 4,
        (0.0 if one.type in at.types else 1.0) * at.vector[4],
    ]


def player(at: Situation, other: Seat) -> Vector:
    g = at.g
    theirs, mine = g.players[other], g.players[at.seat]
    others = [size for n, size in enumerate(at.sizes) if n != at.seat]
    return [
        1.0,
        1.0 if other == at.seat else 0.0,
        (at.values[other] - at.values[at.seat]) / 10,
        1.0 if at.sizes[other] == max(others) else 0.0,
        at.sizes[other] / g.goal,
        1.0 if at.sizes[other] >= g.goal - 1 else 0.0,
        min(theirs.gold, 10) / 5,
        min(len(theirs.hand), 8) / 4,
        (len(theirs.hand) - len(mine.hand)) / 4,
        1.0 if other == g.crown else 0.0,
    ]


def character(at: Situation, name: str, belief: Belief) -> Vector:
    """A character that is aimed at: who may hold it, and what they own."""
    g, seat = at.g, at.seat
    card = g.rules.characters[name]
    chance, rich, near, ahead, full = 0.0, 0.0, 0.0, 0.0, 0.0
    for other, by in enumerate(belief()):
        p = by.get(name, 0.0)
        if p:
            theirs = g.players[other]
            chance += p
            rich += p * min(theirs.gold, 10) / 5
            full += p * min(len(theirs.hand), 8) / 4
            near += p * at.sizes[other] / g.goal
            ahead += p * (at.values[other] - at.values[seat]) / 10
    mine = name in g.players[seat].characters
    return [
        1.0,
        card.rank / 9,
        1.0 if mine else 0.0,
        chance,
        rich,
        full,
        near,
        ahead,
        chance * chance,
        near * near,
    ]


def public_vector(g: State, seat: Seat, sizes: list[int], values: list[int]) -> Vector:
    """`Situation.vector` of another seat, by what everybody sees of it: of its hand the size."""
    me, goal = g.players[seat], g.goal
    others = [n for n in range(len(g.players)) if n != seat]
    hand = len(me.hand)
    return [
        1.0,
        min(me.gold, 10) / 5,
        min(hand, 8) / 4,
        min(hand, 4) / 3,
        sizes[seat] / goal,
        max([sizes[n] for n in others]) / goal,
        max(-2.0, min(2.0, (values[seat] - max([values[n] for n in others])) / 10)),
        min(2, hand, me.gold // 2) / 2,
        max(0, min(5, 4 - me.gold)) / 4 if hand else 0.0,
        1.0 if g.crown == seat else 0.0,
        (len(g.players) - 4) / 4,
        1.0 if g.completed else 0.0,
    ]
