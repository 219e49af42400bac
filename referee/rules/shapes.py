"""The shape of an order: a pattern declared beside the card whose order it is.

A pattern is words and slots, for instance ``destroy <P> <D>``:

    <C> a character      <P> a player      <n> a number
    <D> a district       <B> a district, perhaps followed by the word "beautified"
    <T> a type           <D>+ <C>+ a list, separated by commas

The arguments of a move are what stands after the verb, in order: seats for <P>, numbers
for <n>, names for the others, a tuple of names for a list, and the words themselves
(``crown Bea gold`` is ``Move("crown", (1, "gold"))``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SLOTS = frozenset({"<C>", "<D>", "<B>", "<P>", "<T>", "<n>", "<D>+", "<B>+", "<C>+"})
LISTS = frozenset({"<D>+", "<B>+", "<C>+"})


#: a looser way to type a pattern: what stands after the verb, and for each slot the place of its argument
#: in the pattern. A place that is left out is filled in only where exactly one legal order fits.
Loose = tuple[str, tuple[int, ...]]
#: of "<P> <B>": "Market of Bea", "Market Bea", "Market"
AIMED: tuple[Loose, ...] = (("<B> of <P>", (1, 0)), ("<B> <P>", (1, 0)), ("<B>", (1,)))


class Shape:
    """One pattern: its `verb`, the `parts` after it, and looser ways to type it."""

    __slots__ = ("loose", "parts", "text", "verb")

    def __init__(self, text: str, *loose: Loose) -> None:
        self.text = text
        self.loose: tuple[Loose, ...] = loose
        words = text.split(" ")
        self.verb: str = words[0]
        self.parts: tuple[str, ...] = tuple(words[1:])

    def fits(self, args: tuple[Any, ...]) -> bool:
        """Whether these arguments are of that shape (whatever their worth)."""
        return len(args) == len(self.parts) and all(map(_fits, self.parts, args))


def _fits(part: str, arg: Any) -> bool:
    if part in ("<P>", "<n>"):
        return type(arg) is int and arg >= 0
    if part in LISTS:
        return type(arg) is tuple and len(arg) > 0 and all(type(a) is str for a in arg)
    if part in SLOTS:
        return type(arg) is str
    return bool(arg == part)


def table(shapes: Iterable[Shape]) -> Mapping[str, tuple[Shape, ...]]:
    """Shapes by verb, each once."""
    out: dict[str, dict[str, Shape]] = {}
    for shape in shapes:
        out.setdefault(shape.verb, {})[shape.text] = shape
    return {verb: tuple(found.values()) for verb, found in out.items()}
