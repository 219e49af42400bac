"""Fitting the parts of an order's shape to the words of a line, in every way they fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from ..folding import fold, squash
from .naming import SHORT, NameIndex, cards_of, players, register
from .shapes import CARD_WORDS
from .terms import Reading
from .verbs import joining

#: more ways through one line than this are not looked for
ENOUGH = 64
#: and no more attempts than this are made to find them
TRIES = 2_000


class Parser:
    """Fits parts of a shape to the words from a place on."""

    def __init__(self, words: Sequence[str], reading: Reading) -> None:
        self.words = words
        self.lex = reading.lexicon
        self.registers = {
            "<C>": register(
                reading.language, "characters", cards_of(reading.cards, "characters"), reading.own
            ),
            "<D>": register(reading.language, "districts", cards_of(reading.cards, "districts"), reading.own),
            "<T>": register(reading.language, "types", (), reading.own),
            "<P>": players(reading.language, tuple(reading.names), reading.own),
        }
        self.fillers = self.lex.fillers | {","}
        self.articles = frozenset(self.lex.table("language").get("articles", ()))
        self.pronouns = frozenset(map(fold, self.lex.table("language").get("pronouns", ())))
        self.joining = joining(reading.language, reading.own)
        self._tries = 0
        self._seen: dict[tuple[str, int], tuple[tuple[Any, int, int], ...]] = {}

    def fit(self, parts: Sequence[str], start: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        """Each way in which `parts` take up all words from `start`: their values and the worst tier."""
        found = 0
        for values, end, tier in self._parts(parts, start):
            if all(w in self.fillers for w in self.words[end:]):
                yield values, tier
                found += 1
                if found > ENOUGH:
                    return

    def _parts(self, parts: Sequence[str], start: int) -> Iterator[tuple[tuple[Any, ...], int, int]]:
        if not parts:
            yield (), start, 0
            return
        for value, end, tier in self.part(parts[0], start):
            self._tries += 1
            if self._tries > TRIES:
                return
            for values, last, worst in self._parts(parts[1:], end):
                yield (value, *values), last, max(tier, worst)

    def part(self, part: str, start: int) -> Sequence[tuple[Any, int, int]]:
        """What `part` may be from a place on, (value, next place, tier) each.  Looked up once: many ways
        through a long line come by the same places."""
        found = self._seen.get((part, start))
        if found is None:
            found = self._seen[part, start] = tuple(islice(self._part(part, start), ENOUGH))
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
        elif part == "<P>":
            for value, end, tier in self._named(self.registers[part], start, commas=True):
                # "destroy a Temple" is anybody's, not Ana's
                if tier < SHORT or end == len(self.words) or self.words[end - 1] not in self.articles:
                    yield value, end, tier
        elif part in self.registers:
            yield from self._named(self.registers[part], start)
            if start < len(self.words) and self.words[start] in self.articles:
                yield from self._named(self.registers[part], start + 1)
        else:
            yield from self._literal(part, start)

    def _named(self, names: NameIndex, start: int, *, commas: bool = False) -> Iterator[tuple[Any, int, int]]:
        """Longest run first, so that "Trading Post" is not "Trading" and a rest."""
        # "keep it" is no Ivory Tower, "build a" no Armory; but "swap a" is Ana, and "a" alone an Assassin
        lone = start == 0 or names is self.registers["<P>"]
        refused = self.pronouns if lone else self.pronouns | self.articles
        for end in range(min(len(self.words), start + 12), start, -1):
            run = self.words[start:end]
            if "," in run:
                if not commas:
                    continue
                run = [w for w in run if w != ","]
            little = len(run) > 1 and run[-1] in self.lex.fillers
            for hit in names.spelled(run) if little else names.look_up(run) if run else ():
                if hit.tier < SHORT or run[-1] not in refused:
                    yield hit.value, end, hit.tier

    def _beautified(self, start: int) -> Iterator[tuple[Any, int, int]]:
        for value, end, tier in self.part("<D>", start):
            for _, after, worse in self._literal("beautified", end):
                yield f"{value} beautified", after, max(tier, worse)
            yield value, end, tier

    def _literal(self, part: str, start: int) -> Iterator[tuple[Any, int, int]]:
        if part in CARD_WORDS:
            for value, end, tier in self.part("<D>", start):
                if value == part:
                    yield part, end, tier
            return
        spellings = [
            (fold(spelling).split(), 0 if squash(spelling) == part else 1)
            for spelling in self.lex.words(part)
        ]
        while start < len(self.words):
            for typed, tier in spellings:
                if list(self.words[start : start + len(typed)]) == typed:
                    yield part, start + len(typed), tier
            # a filler may be the word itself: "dar Templo a Bea"
            if self.words[start] not in self.lex.fillers:
                return
            start += 1

    def _list(self, part: str, start: int) -> Iterator[tuple[Any, int, int]]:
        """Items parted by commas, "and" or nothing; the longest list first, each place looked at once."""
        joins = {",", "&", fold(self.lex.words("and", "language")[-1]), "and"}
        ends: dict[tuple[tuple[Any, ...], int], int] = {}
        open_: list[tuple[tuple[Any, ...], int, int]] = [((), start, 0)]
        while open_ and len(ends) <= ENOUGH:
            items, place, worst = open_.pop()
            while items and place < len(self.words) and self.words[place] in joins:
                place += 1
            for value, end, tier in self.part(part, place):
                # "redraw Temple, gold" takes gold: it is not the Gold Mine, cut short
                alone = part == "<D>" and items and end == place + 1 and tier == SHORT
                if alone and self.words[place] in self.joining:
                    continue
                grown = (*items, value)
                if len(grown) <= 20 and ends.get((grown, end), SHORT + 1) > max(worst, tier):
                    ends[grown, end] = max(worst, tier)
                    open_.append((grown, end, max(worst, tier)))
        for (items, end), worst in sorted(ends.items(), key=lambda e: -e[0][1]):
            yield items, end, worst
