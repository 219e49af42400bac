"""The words in which plans are written: of `plans.toml` and of cards; the English ones hold everywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from ... import kept
from ...rules.editions import EDITIONS
from ..folders import language_folders
from ..folding import clean, fold
from ..lexicon import lexicon
from ..meter import spend, unmetered
from .limits import too_long
from .naming import cards_of, named_cards, nearest_cards, players, register, rival
from .terms import NotUnderstood, Reading

#: signs that compare are words of their own
_SIGNS = re.compile(r"<=|>=|=<|=>|==|<|>|=|≥|≤")
#: and those that deny would be lost when folded
_DENIED = re.compile(r"[≠≯≮≱≰]|!=")


class PlanMistake(Exception):
    """Something in a plan that can't be taken as it stands."""

    def __init__(self, code: str, *, suggestions: Sequence[str] = (), **facts: Any) -> None:
        super().__init__(code)
        self.trouble = NotUnderstood(code, suggestions=tuple(suggestions), facts=facts)


class PlanWords:
    """Every spelling of every word, folded."""

    def __init__(self, table: Mapping[str, Sequence[str]]) -> None:
        self._first: dict[Sequence[str], frozenset[str]] = {}
        self._said = {
            key: sorted({tuple(fold(w).split()) for w in words} - {()}, key=lambda w: (-len(w), w))
            for key, words in table.items()
        }

    def may_begin(self, words: Sequence[str], keys: Sequence[str]) -> bool:
        """Whether any of those words may stand in there: a quick look that says no to most that is no
        plan.
        """
        if keys not in self._first:
            self._first[keys] = frozenset(said[0] for key in keys for said in self._said.get(key, ()))
        return not self._first[keys].isdisjoint(words)

    def begins(self, words: Sequence[str], key: str, at: int = 0) -> int:
        """How many words from a place on are a spelling of that word, the longest; 0 for none."""
        return next(
            (len(said) for said in self._said.get(key, ()) if tuple(words[at : at + len(said)]) == said), 0
        )

    def ends(self, words: Sequence[str], key: str) -> int:
        """How many words at the end are."""
        return next(
            (
                len(said)
                for said in self._said.get(key, ())
                if tuple(words[len(words) - len(said) :]) == said and len(said) <= len(words)
            ),
            0,
        )

    def whole(self, words: Sequence[str], key: str) -> bool:
        """Whether they are that word and nothing else."""
        return tuple(words) in self._said.get(key, ())

    def find(self, words: Sequence[str], key: str) -> tuple[int, int]:
        """Where that word first stands and how long it is; (-1, 0) for nowhere."""
        for at in range(len(words)):
            used = self.begins(words, key, at)
            if used:
                return at, used
        return -1, 0


@lru_cache(maxsize=16)
@unmetered
def plan_words(language: str, own: tuple[Path, ...] = ()) -> PlanWords:
    """The words of a language, an admin's and the English ones among them."""
    said: dict[str, list[str]] = {}
    for name in dict.fromkeys(("en", language)):
        for folder in language_folders(name, own):
            path = folder / "plans.toml"
            if path.is_file():
                for key, words in kept.toml(path).get("plan_words", {}).items():
                    said.setdefault(key, []).extend(words)
        for table, entries in lexicon(name, own).says():
            for key, words in entries.items() if table == "plan_words" else ():
                said.setdefault(key, []).extend(words)
    return PlanWords(said)


def spelled(reading: Reading) -> PlanWords:
    """The words of this reader."""
    return plan_words(reading.language, tuple(reading.own))


def folded(text: str) -> list[str]:
    """The words of a line, comparing signs apart from others.

    Raises PlanMistake for one that would read as its opposite.
    """
    spend()
    if long := too_long(text):
        raise PlanMistake(long.code, **long.facts)
    if _DENIED.search(text):
        raise PlanMistake("plan-condition", word=clean(text, 80))
    plain = text.replace("≥", ">=").replace("≤", "<=")
    return fold(_SIGNS.sub(lambda sign: f" {sign.group()} ", plain)).split()


def without_fillers(words: Sequence[str], reading: Reading) -> list[str]:
    """The same without "the" and its like, unless nothing would be left."""
    return [word for word in words if word not in reading.lexicon.fillers] or list(words)


def card_named(words: Sequence[str], kind: str, reading: Reading) -> str:
    """The one character or district of this game ("characters", "districts") that these words name.

    Raises PlanMistake.
    """
    found = register(reading.language, kind, cards_of(reading.cards, kind), reading.own).look_up(words)
    if len(found) == 1:
        return str(found[0].value)
    word = clean(" ".join(words), 40)
    if found:
        raise PlanMistake("several-cards", word=word, near=tuple(str(hit.value) for hit in found[:6]))
    elsewhere = [
        name
        for name in named_cards(words, reading)
        if any(c.name == name for e in EDITIONS.values() for c in e.characters)
    ]
    if kind == "characters" and len(elsewhere) == 1:
        raise PlanMistake("absent", name=elsewhere[0], instead=rival(elsewhere[0], reading.cards))
    here = cards_of(reading.cards, kind)
    near = tuple(name for name in nearest_cards("".join(words), reading) if name in here or not here)
    raise PlanMistake("no-such-card", word=word, near=near, suggestions=near)


def seat_named(words: Sequence[str], reading: Reading) -> int:
    """The one player that these words name.  Raises PlanMistake."""
    found = players(reading.language, tuple(reading.names), reading.own).look_up(
        [w for w in words if w != ","]
    )
    if len(found) != 1:
        raise PlanMistake("unknown-player", name=clean(" ".join(words), 40))
    return int(found[0].value)


def parted(words: Sequence[str], reading: Reading, *keys: str) -> list[list[str]]:
    """The words cut at commas and at words such as "or" and "and"; empty parts left out."""
    said, place = spelled(reading), 0
    out: list[list[str]] = [[]]
    while place < len(words):
        used = (
            1
            if words[place] in (",", "/")
            else max((said.begins(words, key, place) for key in keys), default=0)
        )
        if used:
            out.append([])
        else:
            out[-1].append(words[place])
        place += used or 1
    return [part for part in out if part]
