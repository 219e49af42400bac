"""The pages of a turn: the character, the steps of its script, what is built, the parts of an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...rules.seams import TYPES
from ...rules.shapes import LISTS, Shape
from ..cards import musts, powers_of, rank
from ..model import Order, value, worded
from ..notation import words_of
from .lines import built, head
from .model import Entry, Ground, Walk
from .taps import at, back, noted, step

#: how many characters an order names; other lists end when their writer says so
_COUNTS = {"threaten": 2, "warrant": 3}
_MOST_STEPS = 12
_VALUES = {"dearest": ("menu-dearest", "menu-dearest-of"), "cheapest": ("menu-cheapest", "menu-cheapest-of")}


def who(walk: Walk, table: Ground) -> Iterator[Entry]:
    """The character whose turn it is."""
    for name in sorted(table.cast, key=lambda name: (name not in table.mine, name in table.faceup)):
        yield Entry(
            name, at(walk, "script")._replace(who=name), label="" if name not in table.mine else f"{name} *"
        )
    yield Entry("others", at(walk, "script"), "menu-others")
    yield back(walk)


def script(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    """The next step of the turn, or its end."""
    given = {one.removeprefix("try ").split(" ")[0] for one in walk.listed}
    sure = {one.split(" ")[0] for one in walk.listed}
    gathered = bool(given & {"gold", "cards"})
    room = len(walk.listed) < _MOST_STEPS
    first = room and not gathered
    yield Entry("gold", step(walk, "gold"), "menu-gold") if first else None
    yield Entry("cards", step(walk, "cards", "keep dearest"), "menu-cards") if first else None
    for shape in _orders(walk.who, table.edition):
        chosen = _further(walk._replace(page="power", verb=shape.text), (), table)
        yield Entry(shape.text, chosen, label=_named(shape)) if room and shape.verb not in given else None
    yield back(walk)
    yield Entry("build", walk._replace(page="build"), "menu-build") if room and gathered else None
    left = [verb for verb in musts(table.edition, walk.who) if verb not in sure] if walk.who else []
    key = head(walk.who)
    ended = noted(walk, key, f"{key}: {'; '.join((*walk.listed, 'end'))}")
    yield Entry("end", ended, "menu-end") if gathered and not left else None
    stopped = noted(walk, key, f"{key}: {'; '.join(walk.listed)}")
    yield Entry("stop", stopped, "menu-stop") if walk.listed else None


def build(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    """What is built: one district, or others in its place."""
    line = built(walk.args)
    for word, (code, _) in _VALUES.items():
        yield Entry(
            word, step(walk, f"try {line} or build {word}" if walk.args else f"try build {word}"), code
        )
    for name in table.hand:
        further = name not in walk.args and len(walk.args) < 5
        yield Entry(name, walk._replace(args=(*walk.args, name))) if further else None
    yield back(walk)
    if walk.args:
        yield Entry("else nothing", step(walk, f"try {line}"), "menu-else-nothing")
        yield Entry("else ask", step(walk, line), "menu-else-ask")


def power(walk: Walk, table: Ground) -> Iterator[Entry | None]:
    """The next part of the order that is being chosen."""
    shape = Shape(walk.verb)
    part = shape.parts[min(len(walk.args), len(shape.parts) - 1)]
    chosen: tuple[Any, ...] = ()
    before = walk.args
    if walk.args and part in LISTS and isinstance(walk.args[-1], tuple):
        before, chosen = walk.args[:-1], walk.args[-1]
        part = shape.parts[len(before)]
    if part == "<P>":
        for seat, name in enumerate(table.names):
            if seat != table.me:
                yield Entry(f"player {seat + 1}", _further(walk, (*walk.args, seat), table), label=name)
        yield back(walk)
        return
    if part in ("<D>", "<B>") and not any(map(value, walk.args)):
        for word, (_, code) in _VALUES.items():
            yield Entry(word, _further(walk, (*walk.args, worded(word)), table), code)
    for name in _choice(walk, part, table):
        if part in LISTS:
            listed = (*chosen, name)
            full = len(listed) == _COUNTS.get(shape.verb, 0)
            to = _given(walk, (*before, listed), table) if full else walk._replace(args=(*before, listed))
            yield Entry(name, to) if name not in chosen else None
        else:
            yield Entry(name, _further(walk, (*walk.args, name), table))
    yield back(walk)
    yield Entry("done", _given(walk, walk.args, table), "menu-done") if chosen else None


def _further(walk: Walk, args: tuple[Any, ...], table: Ground) -> Walk:
    """So much of an order is chosen: the words of its pattern go by themselves, and at its end it is a
    step.
    """
    parts = Shape(walk.verb).parts
    while len(args) < len(parts) and not parts[len(args)].startswith("<"):
        args = (*args, parts[len(args)])
    return walk._replace(args=args) if len(args) < len(parts) else _given(walk, args, table)


def _given(walk: Walk, args: tuple[Any, ...], table: Ground) -> Walk:
    """The order as a step: left out where it is not possible, unless the turn can't be ended without it."""
    verb = Shape(walk.verb).verb
    text = words_of(Order(verb, args), table.names)
    return step(walk, text if verb in musts(table.edition, walk.who) else f"try {text}")


def _orders(character: str, edition: str) -> list[Shape]:
    """The orders of a character's own that can be tapped together; where something must be taken with one,
    not the one that takes nothing.
    """
    shapes = powers_of(character, edition)
    bare = {
        one.text
        for one in shapes
        for other in shapes
        if one.verb in musts(edition, character) and other.text.startswith(f"{one.text} ")
    }
    return [one for one in shapes if "<n>" not in one.parts and one.text not in bare]


def _choice(walk: Walk, part: str, table: Ground) -> Sequence[str]:
    """The cards that may stand there."""
    if part in ("<C>", "<C>+"):
        mine = rank(table.edition, walk.who)
        return [name for name in table.cast if rank(table.edition, name) > mine]
    if part == "<T>":
        return TYPES
    if part in ("<B>", "<B>+"):
        whose = next((arg for arg in reversed(walk.args) if isinstance(arg, int)), table.me)
        return table.cities[whose]
    return table.hand


def _named(shape: Shape) -> str:
    """An order on a button: its verb with what follows it, "…" for what is to be chosen."""
    parts = ["…" if part.startswith("<") else part for part in shape.parts]
    return " ".join([shape.verb, *parts])
