"""Orders as text: the canonical English form, made and read by one table of shapes.

The table is gathered from the flow and from every card of every edition that is built, so
an order is declared where its card is (see shapes.py).  What people type more loosely is
not read here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from .editions import EDITIONS
from .facts import BEAUTIFIED, Move, Refusal
from .flow_verbs import FLOW
from .rulebook import Rulebook, spoken
from .seams import TYPES
from .shapes import LISTS, Shape, table


@cache
def shapes() -> Mapping[str, tuple[Shape, ...]]:
    """Every order of every edition, by verb."""
    cards = [
        card
        for edition in EDITIONS.values()
        for card in (*edition.characters, *(d for d, _ in edition.districts))
    ]
    return table([*FLOW, *(shape for card in cards for shape in spoken(card))])


def order_text(move: Move, names: Sequence[str]) -> str:
    """The canonical text of a move; `names` are the players' in seat order."""
    for shape in shapes().get(move.verb, ()):
        if shape.fits(move.args):
            words = [_text(p, a, names) for p, a in zip(shape.parts, move.args, strict=True)]
            return " ".join([move.verb, *words])
    raise ValueError(f"no order has the shape of {move!r}")


def _text(part: str, arg: Any, names: Sequence[str]) -> str:
    if part == "<P>":
        return str(names[arg])
    if part in LISTS:
        return ", ".join(map(str, arg))
    return str(arg)


def read_order(text: str, names: Sequence[str], rulebook: Rulebook) -> Move:
    """The move of a canonical text.  Raises Refusal: unknown-verb, malformed,
    unknown-card, unknown-player."""
    verb, space, rest = text.partition(" ")
    known = rulebook.shapes.get(verb)
    if not known:
        raise Refusal("unknown-verb", verb=verb)
    found: list[Move] = []
    for shape in known if rest or not space else ():
        for args in _readings(shape.parts, rest, names, rulebook):
            move = Move(verb, args)
            if move not in found:
                found.append(move)
    if len(found) == 1:
        return found[0]
    raise _failure(verb, known, rest, names, rulebook)


def _readings(
    parts: tuple[str, ...], text: str, names: Sequence[str], rulebook: Rulebook
) -> Iterator[tuple[Any, ...]]:
    """Every way to read `text` as these parts."""
    if not parts:
        if not text:
            yield ()
        return
    part, *later = parts
    for arg, size in _beginnings(part, text, names, rulebook):
        rest = text[size:]
        if later and not rest.startswith(" "):
            continue
        for args in _readings(tuple(later), rest[1:] if later else rest, names, rulebook):
            yield (arg, *args)


def _beginnings(part: str, text: str, names: Sequence[str], rulebook: Rulebook) -> Iterator[tuple[Any, int]]:
    """What this part may be at the beginning of the text, and how long that is."""
    if part == "<P>":
        yield from ((seat, len(name)) for seat, name in enumerate(names) if text.startswith(name))
    elif part == "<n>":
        digits = len(text) - len(text.lstrip("0123456789"))
        if 0 < digits < 4 and str(int(text[:digits])) == text[:digits]:
            yield int(text[:digits]), digits
    elif part in LISTS:
        yield from _lists(part[:-1], text, names, rulebook)
    elif part in _WORDS:
        for word in _WORDS[part](rulebook):
            if text.startswith(word):
                yield word, len(word)
    elif text.startswith(part):
        yield part, len(part)


def _lists(
    part: str, text: str, names: Sequence[str], rulebook: Rulebook
) -> Iterator[tuple[tuple[str, ...], int]]:
    for first, size in _beginnings(part, text, names, rulebook):
        yield (first,), size
        if text.startswith(", ", size):
            for more, length in _lists(part, text[size + 2 :], names, rulebook):
                yield (first, *more), size + 2 + length


def _characters(rulebook: Rulebook) -> Sequence[str]:
    return tuple(rulebook.characters)


def _districts(rulebook: Rulebook) -> Sequence[str]:
    return tuple(rulebook.districts)


def _beautified(rulebook: Rulebook) -> Sequence[str]:
    return tuple(n + end for n in rulebook.districts for end in ("", BEAUTIFIED))


def _types(rulebook: Rulebook) -> Sequence[str]:
    return TYPES


_WORDS = {"<C>": _characters, "<D>": _districts, "<B>": _beautified, "<T>": _types}


def _failure(
    verb: str, known: Sequence[Shape], rest: str, names: Sequence[str], rulebook: Rulebook
) -> Refusal:
    """The most helpful reason why nothing, or more than one thing, was read."""
    if len(known) == 1 and rest:
        part = known[0].parts[0] if known[0].parts else ""
        first = next(_beginnings(part, rest, names, rulebook), None) if part else None
        if part == "<P>":
            if first is None:
                return Refusal("unknown-player", name=rest.split(" ")[0])
            later = known[0].parts[1:]
            tails = [rest[size + 1 :] for _, size in _beginnings(part, rest, names, rulebook)]
            if len(later) == 1 and later[0] in ("<D>", "<B>", "<C>") and any(tails):
                return Refusal("unknown-card", name=max(tails, key=len))
            if not later:
                return Refusal("unknown-player", name=rest)
        elif part in ("<D>", "<B>", "<C>") and len(known[0].parts) == 1:
            return Refusal("unknown-card", name=rest)
        elif part in LISTS:
            for name in rest.split(", "):
                if name not in _WORDS[part[:-1]](rulebook):
                    return Refusal("unknown-card", name=name)
    return Refusal("malformed", verb=verb, expected=[shape.text for shape in known])
