"""Which verbs a line may begin with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ..folding import fold
from ..lexicon import lexicon
from ..meter import unmetered
from .naming import ALIAS, FULL, SHORT
from .shapes import SHAPES
from .terms import Reading

#: a verb may be cut down to this many letters, no further ("dest Bea Market"); another word for it to one
#: more
_SHORTEST = 3


@lru_cache(maxsize=16)
@unmetered
def spoken(language: str, own: tuple[Any, ...] = ()) -> tuple[tuple[tuple[str, ...], str, int], ...]:
    """Every way to say every verb: (its folded words, the verb, the tier of that spelling), in the order
    of the lexicon.
    """
    lex = lexicon(language, own)
    out: dict[tuple[tuple[str, ...], str], int] = {}
    for verb in dict.fromkeys((*filter(SHAPES.__contains__, lex.keys("verbs")), *SHAPES)):
        for spelling in lex.spellings("verbs", verb):
            key = (tuple(fold(spelling).split()), verb)
            out[key] = min(
                out.get(key, ALIAS), FULL if spelling in (verb, lex.name("verbs", verb)) else ALIAS
            )
    return tuple((words, verb, tier) for (words, verb), tier in out.items())


@lru_cache(maxsize=16)
@unmetered
def _spoken_by_first(
    language: str, own: tuple[Any, ...]
) -> Mapping[str, Sequence[tuple[tuple[str, ...], str, int]]]:
    """`spoken`, by the first word."""
    out: dict[str, list[tuple[tuple[str, ...], str, int]]] = {}
    for said in filter(lambda said: said[0], spoken(language, own)):
        out.setdefault(said[0][0], []).append(said)
    return out


@lru_cache(maxsize=16)
@unmetered
def joining(language: str, own: tuple[Any, ...]) -> frozenset[str]:
    """Single words that stand in orders beside districts ("for", "with"), or are a whole order ("gold");
    not those of one letter, which may as well be a card's first.
    """
    lex = lexicon(language, own)
    little = {fold(word) for key in lex.table("words") for word in lex.words(key)}
    whole = {words[0] for words, verb, _ in spoken(language, own) if len(words) == 1 and () in SHAPES[verb]}
    return frozenset(word for word in little | whole if len(word) > 1)


def verbs_at(words: Sequence[str], reading: Reading) -> list[tuple[str, int, int]]:
    """(verb, words used, tier) for each verb the line may begin with; cut-down
    verbs only if no whole one stands there."""
    fillers = reading.lexicon.fillers
    start = 0
    while start < len(words) - 1 and words[start] in fillers:
        start += 1
    found: dict[tuple[str, int], int] = {}
    first = words[start] if words else ""
    for typed, verb, tier in _spoken_by_first(reading.language, reading.own).get(first, ()):
        used = _begins(words, start, typed, fillers)
        if used:
            found[verb, used] = min(tier, found.get((verb, used), tier))
    if not found and start < len(words) and len(words[start]) >= _SHORTEST:
        for typed, verb, tier in spoken(reading.language, reading.own):
            if (
                len(typed) == 1
                and typed[0].startswith(words[start])
                and len(words[start]) >= _SHORTEST + (tier != FULL)
            ):
                found[verb, start + 1] = SHORT
    return [(verb, used, tier) for (verb, used), tier in found.items()]


def _begins(words: Sequence[str], start: int, typed: Sequence[str], fillers: frozenset[str]) -> int:
    """How many words are used up if the line begins with `typed`, fillers skipped; 0 if it doesn't."""
    place = start
    for word in typed:
        while place < len(words) and words[place] in fillers and words[place] != word:
            place += 1
        if place >= len(words) or words[place] != word:
            return 0
        place += 1
    return place
