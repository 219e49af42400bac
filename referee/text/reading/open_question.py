"""The open question as the reader sees it: its options and what they match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...rules.facts import NO_FIGURES, Family, Figures, Move
from ...rules.notation import order_text
from .sheet import DOTS, Entry, MenuStep, sheet
from .terms import Reading


class Option(NamedTuple):
    """One numbered entry.

    `move` is None for a `step` that leads to many orders, and for the way back (no step); `order_text` is
    what a person would type, for a step as far as it is known, with "…". `family`: the only choice of cards
    that the step leads to, if it does. `figures`: what the order would give and cost now.
    """

    n: int
    move: Move | None
    order_text: str
    family: Family | None = None
    step: MenuStep | None = None
    figures: Figures = NO_FIGURES


class OpenQuestion:
    """`options` in the order of their numbers; nothing where nobody is asked."""

    def __init__(self, ask: Mapping[str, Any] | None) -> None:
        self.moves = tuple(_move(m) for m in ask.get("moves", ())) if ask else ()
        self.families = tuple(_family(f) for f in ask.get("families", ())) if ask else ()
        told = ask.get("figures", ()) if ask else ()
        #: what each of the moves would give and cost, where the question tells it
        self.figures = dict(zip(self.moves, (Figures(*each) for each in told), strict=False))
        self.options: tuple[Move | Family, ...] = (*self.moves, *self.families)
        verbs = {o.verb for o in self.options}
        #: the verb that may be left out, since no other order would be an answer
        self.bare_verb = verbs.pop() if len(verbs) == 1 and self.options else ""
        if self.bare_verb and not any(o.args for o in self.moves) and not self.families:
            self.bare_verb = ""

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """What is offered under numbers, in their order."""
        return sheet(self.moves, self.families)

    def matching(self, verb: str, args: Mapping[int, Any], size: int) -> Iterator[Move]:
        """The legal moves with these arguments at these places, of `size` arguments in all."""
        for move in self.moves:
            if (
                move.verb == verb
                and len(move.args) == size
                and all(move.args[i] == v for i, v in args.items())
            ):
                yield move
        if size and isinstance(args.get(size - 1), tuple) and len(args) == size:
            move = Move(verb, tuple(args[place] for place in range(size)))
            if move not in self.moves and any(offers(f, move) for f in self.families):
                yield move

    def offers(self, move: Move) -> bool:
        """Whether it is legal now."""
        return move in self.moves or any(offers(family, move) for family in self.families)


def offers(family: Family, move: Move) -> bool:
    """Whether this move is one of those that the family stands for."""
    before = len(family.before)
    if move.verb != family.verb or len(move.args) != before + 1 or move.args[:before] != family.before:
        return False
    chosen = move.args[before]
    if not isinstance(chosen, tuple):
        return False
    return family.least <= len(chosen) <= family.most and not Counter(chosen) - Counter(family.cards)


def asked(reading: Reading) -> OpenQuestion:
    """The question of a reading."""
    return OpenQuestion(reading.ask)


def options(
    ask: Mapping[str, Any] | None, view: Mapping[str, Any], path: tuple[Any, ...] = ()
) -> list[Option]:
    """The numbered answers to a question, or what may follow a step of it, and then the way back.

    Letters, buttons and the reader all number by this list.
    """
    names = [player["name"] for player in view["players"]]
    asked = OpenQuestion(ask)
    entries = sheet(asked.moves, asked.families, path) if path else asked.entries
    out = [
        Option(n, None, entry.text(names), entry.family, entry)
        if isinstance(entry, MenuStep)
        else Option(n, entry, order_text(entry, names), figures=asked.figures.get(entry, NO_FIGURES))
        for n, entry in enumerate(entries, 1)
    ]
    return [*out, Option(len(out) + 1, None, DOTS)] if path else out


def each_order(ask: Mapping[str, Any] | None, view: Mapping[str, Any]) -> list[Option]:
    """Every single order of a question, also those that its list leads to by steps; no choice of several
    cards. They have no numbers.
    """
    names, asked = [player["name"] for player in view["players"]], OpenQuestion(ask)
    return [
        Option(0, move, order_text(move, names), figures=asked.figures.get(move, NO_FIGURES))
        for move in asked.moves
    ]


def _move(raw: Sequence[Any]) -> Move:
    verb, args = raw
    return Move(str(verb), tuple(_frozen(a) for a in args))


def _frozen(arg: Any) -> Any:
    return tuple(arg) if isinstance(arg, list) else arg


def _family(raw: Sequence[Any]) -> Family:
    if isinstance(raw, Family):
        return raw
    verb, cards, least, most, before, ordered = raw
    return Family(verb, tuple(cards), least, most, tuple(_frozen(a) for a in before), ordered)


def example(family: Family) -> Move:
    """The first of the moves that a choice of cards offers."""
    return family.move(family.cards[: family.least or 1])


def texts(found: Iterable[Move | Family], names: Sequence[str]) -> list[str]:
    """Canonical texts of what is offered; a choice of cards by an example."""
    return [order_text(example(o) if isinstance(o, Family) else o, names) for o in found]
