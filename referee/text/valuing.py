"""What a league's settings may be set to, in the words of a language: "sim" is yes, "4-6 ideal 5" is `4-6
wanted 5`.

Values are kept and logged in the words of the office (referee/service/league/settings.py), as orders are in
English; the lexicon's table [league_values] says what else is read for them, and the first of those is what a
reader is shown.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from .folding import fold
from .lexicon import Lexicon
from .meter import unmetered
from .policy_words import policy_words

#: values in which cards, lists and editions are named, and where their names stand in the lexicon
_NAMING, _NAMES = ("cast", "edition"), ("editions", "lists", "characters", "districts")


def canonical(lex: Lexicon, key: str, text: str) -> str:
    """The value of the setting `key` as the office reads it; what is no word of the language stays as it
    is.
    """
    if lex.language == "en" or (key == "questions" and len(text.split()) > 1):  # people's own words
        return text
    known, pattern = _known(lex, key in _NAMING)
    return pattern.sub(lambda found: known[fold(found[0])], unicodedata.normalize("NFC", text))


def shown(lex: Lexicon, key: str, value: str) -> str:
    """The value of the setting `key` as a reader of the language would type it."""
    if lex.language == "en" or (key == "questions" and '"' in value):
        return value
    if key == "policy":
        return policy_words(lex, value)
    called, pattern = _called(lex, key in _NAMING)
    return pattern.sub(lambda found: called[found[0]], value)


def _words(lex: Lexicon, naming: bool) -> Iterator[tuple[str, str]]:
    """Words and what they mean; of several for the same, the one to show goes first."""
    for one, words in lex.table("league_values").items():
        yield from ((str(word), one) for word in words)
    if naming:
        yield from ((word, "with") for word in lex.table("words")["with"])
        for table in _NAMES:
            yield from (
                (word, one)
                for one in lex.keys(table)
                for word in (lex.name(table, one), *lex.spellings(table, one))
            )


@lru_cache(maxsize=16)
@unmetered
def _known(lex: Lexicon, naming: bool) -> tuple[Mapping[str, str], re.Pattern[str]]:
    known: dict[str, str] = {}
    for word, one in _words(lex, naming):
        known.setdefault(fold(word), one)
    return known, _either(
        (spelt for word, _ in _words(lex, naming) for spelt in (word, _plain(word)) if fold(spelt) in known),
        re.IGNORECASE,
    )


@lru_cache(maxsize=16)
def _called(lex: Lexicon, naming: bool) -> tuple[Mapping[str, str], re.Pattern[str]]:
    called: dict[str, str] = {}
    for word, one in _words(lex, naming):
        called.setdefault(one, word)
    return called, _either(called)


def _plain(word: str) -> str:
    """Without accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


def _either(words: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    """Any of these words, the longest first, with no letter beside it."""
    several = (
        "|".join(re.escape(word) for word in sorted(set(words), key=lambda word: (-len(word), word)))
        or r"(?!)"
    )
    return re.compile(rf"(?<!\w)(?:{several})(?!\w)", flags)
