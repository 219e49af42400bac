"""Reading one order.

The words are read against the shapes of all orders, in every way they can be.  What is legal now
decides between the ways; an exact name is never bent into another that would be legal.  What
still reads two ways, or none, is Trouble: nothing is ever guessed.
"""
from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from ...rules.facts import Family, Move
from ..folding import fold, squash
from .asking import Asked, asked
from .naming import SHORT, Register, cards_of, players, register
from .shapes import LOOSE, SHAPES, forms
from .suggesting import nearest, order
from .terms import Reading, Trouble
from .verbs import verbs_at

#: more readings of one line than this are not looked for
_ENOUGH = 64
_NUMBER = re.compile(r"^#?\s*(\d{1,4})\s*[.)]?$")
_LISTED = re.compile(r"^(\d{1,3})[.)]\s+(.+)$")
_BRACKETS = re.compile(r"\s*\([^()]*\)\s*$")


class _Way(NamedTuple):
    """One way to read the line: `args` by place, missing places left out; `tier` 0 canonical .. 2 shortened."""

    verb: str
    args: dict[int, Any]
    size: int
    tier: int


def read_order(chunk: str, reading: Reading) -> Move | Trouble:
    """The move that a line of text means, or why none was understood.

    The move need not be legal: the engine says why it is refused.  Never raises for
    anything that a person may type.
    """
    line = " ".join(chunk.split())[:200]
    now = asked(reading)
    number = _option_number(line, reading)
    if number is not None:
        return _option(number, line, reading, now)
    listed = _LISTED.match(line)
    if listed and reading.numbers and now.options:
        return _agreeing(line, listed, reading, now)
    found = _read(line, reading, now)
    if isinstance(found, Trouble) and _BRACKETS.search(line):
        plain = _read(_BRACKETS.sub("", line), reading, now)
        return plain if isinstance(plain, Move) else found
    return found


def _option_number(line: str, reading: Reading) -> int | None:
    plain = _NUMBER.match(line)
    if plain:
        return int(plain.group(1))
    words = fold(line).split()
    if len(words) == 2 and words[0] in map(fold, reading.lexicon.words("option", "language")) and words[1].isdecimal():
        return int(words[1][:4])
    return None


def _option(number: int, line: str, reading: Reading, now: Asked) -> Move | Trouble:
    if not now.options:
        return Trouble("no-options", line)
    if not reading.numbers:
        return Trouble("number-later", line, facts={"number": number})
    if not 1 <= number <= len(now.options):
        return Trouble("no-such-option", line, nearest("", reading, now), facts={"number": number, "last": len(now.options)})
    chosen = now.options[number - 1]
    if isinstance(chosen, Family):
        return Trouble("option-needs-cards", line, (f"{chosen.verb} {chosen.cards[0]}",), facts={"verb": chosen.verb})
    return chosen


def _agreeing(line: str, listed: re.Match[str], reading: Reading, now: Asked) -> Move | Trouble:
    """A copied line of the letter, "2. Build Market": number and words must say the same."""
    words = read_order(listed.group(2), reading)
    if isinstance(words, Trouble):
        return words
    number = _option(int(listed.group(1)), line, reading, now)
    if isinstance(number, Trouble) or number == words:
        return words
    both = (order(number, reading), order(words, reading))
    return Trouble("ambiguous", line, candidates=both, facts={"candidates": both})


def _read(line: str, reading: Reading, now: Asked) -> Move | Trouble:
    words = fold(line).split()
    if not words:
        return Trouble("unreadable", line, nearest(line, reading, now))
    ways = list(_ways(words, reading, now))
    if any(way.tier < SHORT and len(way.args) == way.size for way in ways):
        ways = [way for way in ways if way.tier < SHORT]  # what is written out is never bent into something legal
    legal: dict[Move, int] = {}
    for way in ways:
        for move in now.matching(way.verb, way.args, way.size):
            legal[move] = min(way.tier, legal.get(move, way.tier))
    decided = _decide(legal, line, reading)
    if decided is not None:
        return decided
    whole = {Move(w.verb, tuple(w.args[i] for i in range(w.size))): w.tier for w in reversed(ways) if len(w.args) == w.size}
    decided = _decide(whole, line, reading)
    if decided is not None:
        return decided
    return _unread(words, line, reading, now)


def _decide(found: dict[Move, int], line: str, reading: Reading) -> Move | Trouble | None:
    """The one best reading; Trouble if there are several; None if there is none."""
    if not found:
        return None
    best = min(found.values())
    moves = [move for move, tier in found.items() if tier == best]
    if len(moves) == 1:
        return moves[0]
    texts = tuple(dict.fromkeys(order(move, reading) for move in moves))[:6]
    return Trouble("ambiguous", line, texts[:3], texts, {"candidates": texts})


def _unread(words: Sequence[str], line: str, reading: Reading, now: Asked) -> Trouble:
    verbs = verbs_at(words, reading)
    if not verbs:
        return Trouble("unreadable", line, nearest(line, reading, now))
    verb, used, _ = max(verbs, key=lambda v: v[1])
    near = nearest(line, reading, now, verb)
    rest = " ".join(words[used:])
    facts = {"verb": verb, "forms": forms(verb)}
    if not rest:
        return Trouble("incomplete", line, near, facts=facts)
    return Trouble("unknown-name", line, near, facts={**facts, "word": rest.replace(" , ", ", ")})


def _ways(words: Sequence[str], reading: Reading, now: Asked) -> Iterator[_Way]:
    """Every way to read the words as an order, at most some dozens."""
    parser = _Parser(words, reading)
    count = 0
    for verb, used, tier in verbs_at(words, reading):
        size = len(SHAPES[verb][0])
        for parts in SHAPES[verb]:
            for values, worst in parser.fit(parts, used):
                yield _Way(verb, dict(enumerate(values)), len(parts), max(tier, worst))
                count += 1
        for parts, places in LOOSE.get(verb, ()):
            for values, worst in parser.fit(parts, used):
                slots = [v for part, v in zip(parts, values, strict=True) if part.startswith("<")]
                args: dict[int, Any] = dict(zip(places, slots, strict=True))
                if verb == "give" and len(args) == 2:
                    args[1], size = "to", 3
                yield _Way(verb, args, size, max(tier, worst, 1))
                count += 1
        if count > _ENOUGH:
            return
    if not count and now.bare_verb:  # "King", when the question is which character to pick
        for parts in SHAPES[now.bare_verb]:
            for values, worst in parser.fit(parts, 0):
                yield _Way(now.bare_verb, dict(enumerate(values)), len(parts), max(1, worst))


class _Parser:
    """Fits parts of a shape to the words from a place on."""

    def __init__(self, words: Sequence[str], reading: Reading) -> None:
        self.words = words
        self.lex = reading.lexicon
        self.registers = {
            "<C>": register(reading.language, "characters", cards_of(reading.cards, "characters"), reading.own),
            "<D>": register(reading.language, "districts", cards_of(reading.cards, "districts"), reading.own),
            "<T>": register(reading.language, "types", (), reading.own),
            "<P>": players(reading.language, tuple(reading.names), reading.own),
        }
        self.fillers = self.lex.fillers | {","}
        self._seen: dict[tuple[str, int], tuple[tuple[Any, int, int], ...]] = {}

    def fit(self, parts: Sequence[str], start: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """Each way in which `parts` take up all words from `start`: their values and the worst tier."""
        found = 0
        for values, end, tier in self._parts(parts, start):
            if all(w in self.fillers for w in self.words[end:]):
                yield values, tier
                found += 1
                if found > _ENOUGH:
                    return

    def _parts(self, parts: Sequence[str], start: int) -> Iterator[tuple[tuple[Any, ...], int, int]]:
        if not parts:
            yield (), start, 0
            return
        for value, end, tier in self.part(parts[0], start):
            for values, last, worst in self._parts(parts[1:], end):
                yield (value, *values), last, max(tier, worst)

    def part(self, part: str, start: int) -> Sequence[tuple[Any, int, int]]:
        """What `part` may be from a place on, (value, next place, tier) each.  Looked up once: many ways
        through a long line come by the same places."""
        found = self._seen.get((part, start))
        if found is None:
            found = self._seen[part, start] = tuple(islice(self._part(part, start), _ENOUGH))
        return found

    def _part(self, part: str, start: int) -> Iterator[tuple[Any, int, int]]:
        while start < len(self.words) and self.words[start] == ",":
            start += 1
        if part.endswith(">+"):
            yield from self._list(part[:-1], start)
        elif part == "<n>":
            if start < len(self.words) and self.words[start].isdecimal():
                yield int(self.words[start][:4]), start + 1, 0
        elif part == "<B>":
            yield from self._beautified(start)
        elif part in self.registers:
            yield from self._named(self.registers[part], start, commas=part == "<P>")
        else:
            yield from self._literal(part, start)

    def _named(self, names: Register, start: int, *, commas: bool = False) -> Iterator[tuple[Any, int, int]]:
        """Longest run first, so that "Trading Post" is not "Trading" and a rest."""
        for end in range(min(len(self.words), start + 12), start, -1):
            run = self.words[start:end]
            if "," in run:
                if not commas:
                    continue
                run = [w for w in run if w != ","]
            if (run and run[-1] not in self.lex.fillers) or len(run) == 1:
                for hit in names.look_up(run):
                    yield hit.value, end, hit.tier

    def _beautified(self, start: int) -> Iterator[tuple[Any, int, int]]:
        for value, end, tier in self.part("<D>", start):
            if end < len(self.words) and self.words[end] == "beautified":
                yield f"{value} beautified", end + 1, tier
            yield value, end, tier

    def _literal(self, part: str, start: int) -> Iterator[tuple[Any, int, int]]:
        if part == "Framework":
            for value, end, tier in self.part("<D>", start):
                if value == part:
                    yield part, end, tier
            return
        while start < len(self.words) and self.words[start] in self.lex.fillers:
            start += 1
        for spelling in self.lex.words(part):
            typed = fold(spelling).split()
            if list(self.words[start:start + len(typed)]) == typed:
                yield part, start + len(typed), 0 if squash(spelling) == part else 1

    def _list(self, part: str, start: int) -> Iterator[tuple[Any, int, int]]:
        """Items parted by commas, "and" or nothing; the longest list first, each place looked at once."""
        joins = {",", "&", fold(self.lex.words("and", "language")[-1]), "and"}
        ends: dict[tuple[tuple[Any, ...], int], int] = {}
        open_: list[tuple[tuple[Any, ...], int, int]] = [((), start, 0)]
        while open_ and len(ends) <= _ENOUGH:
            items, place, worst = open_.pop()
            while items and place < len(self.words) and self.words[place] in joins:
                place += 1
            for value, end, tier in self.part(part, place):
                grown = (*items, value)
                if len(grown) <= 20 and ends.get((grown, end), SHORT + 1) > max(worst, tier):
                    ends[grown, end] = max(worst, tier)
                    open_.append((grown, end, max(worst, tier)))
        for (items, end), worst in sorted(ends.items(), key=lambda e: -e[0][1]):
            yield items, end, worst
