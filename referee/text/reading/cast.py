"""Which cards a new table is played with: a list's name, chance, or the names of cards.

`cast` begins the names of all characters and `uniques` those of all unique districts; a card named
elsewhere ("cunning agents with Patrician") is one that must be in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..folding import fold
from .naming import SHORT, register
from .terms import Reading

#: no card's or list's name has more words
_LONGEST = 4
#: a list's name may be cut down to its first this many letters
_SHORTEST = 4


class Cast:
    """Filled in word by word.  `section`: the list of names that is being read, "" outside of one."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.named = ""
        self.gentle = False
        self.nine: bool | None = None
        self.section = ""
        self.twice = False
        self.cards: dict[str, list[str]] = {"cast": [], "uniques": [], "also": []}

    def facts(self) -> dict[str, Any]:
        """What was said, as `referee.rules.lists.choice_of` takes it; {} for nothing."""
        said: dict[str, Any] = {"named": self.named, "gentle": self.gentle, **self.cards}
        out = {key: value for key, value in said.items() if value}
        return out if self.nine is None else out | {"nine": self.nine}

    def take(self, words: Sequence[str], *, guess: bool = False) -> int:
        """Read what stands at the front; how many words that was, 0 where it is none of ours.

        `guess`: also cut-down names.
        """
        word = words[0]
        if self._said(word, "random") or self._said(word, "gentle"):
            self.gentle = self.gentle or self._said(word, "gentle")
            self._name("random")
            return 1
        if self._said(word, "nine"):
            self.nine = True
            return 1
        for section in ("cast", "uniques"):
            if self._said(word, section):
                self.section = section
                return 1
        run = words[: words.index(",")] if "," in words else words
        for used in range(min(_LONGEST, len(run)), 0, -1):
            if self._list(run[:used], guess) or self._card(run[:used], guess):
                return used
        return 0

    def _said(self, word: str, key: str) -> bool:
        return any(word in map(fold, [one]) for one in self.reading.lexicon.words(key, "setup"))

    def _name(self, found: str) -> None:
        self.twice = self.named not in ("", found)
        self.named = found

    def _list(self, words: Sequence[str], guess: bool) -> bool:
        hits = register(self.reading.language, "lists", (), self.reading.own).look_up(words)
        fits = len(hits) == 1 and (hits[0].tier < SHORT or (guess and len(words[0]) >= _SHORTEST))
        if fits:
            self._name(str(hits[0].value))
        return fits

    def _card(self, words: Sequence[str], guess: bool) -> bool:
        """A card by its name; within a section also by a shortened one, of the kind that belongs there."""
        found: dict[str, tuple[int, str]] = {}
        for kind, section in (("characters", "cast"), ("districts", "uniques")):
            for hit in register(self.reading.language, kind, (), self.reading.own).look_up(words):
                if hit.tier < SHORT or (guess and self.section == section and len(words[0]) > 1):
                    found[str(hit.value)] = (hit.tier, section)
        best = [card for card, (tier, _) in found.items() if tier == min(t for t, _ in found.values())]
        if len(best) != 1:
            return False
        section = found[best[0]][1]
        self.cards[section if section == self.section else "also"].append(best[0])
        return True
