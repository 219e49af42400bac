"""A policy as it is typed, in a reader's own words: "daily days Mo-Fr no quiet" is "diário dias seg-sex sem
silêncio"; and so the line of a new table, "classic 5 players 24h".

Both are kept and logged in English (reading/policy.py prints policies); a policy that comes out here is read
as the same in that language.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .lexicon import Lexicon

#: what is followed by a time zone, which is no word of ours: after an hour of the day, or at once
_ZONED = re.compile(r"(\bsnap \d\d:\d\d|\bzone) \S+")


def policy_words(lex: Lexicon, text: str) -> str:
    """The words of `policy_text` in the language of a lexicon: the first word that it has for each."""
    if lex.language == "en":
        return text
    return _worded(text, *_known(lex))


def setup_words(lex: Lexicon, line: str) -> str:
    """What was said of a new table so far, to be looked at: in the words of the language, with its names of
    cards and lists.
    """
    return line if lex.language == "en" else _worded(line, *_opening(lex))


def _worded(text: str, words: dict[str, str], pattern: re.Pattern[str]) -> str:
    out, place = [], 0
    for zoned in _ZONED.finditer(text):
        out += [
            pattern.sub(lambda found: words[found[0]], text[place : zoned.end(1)]),
            text[zoned.end(1) : zoned.end()],
        ]
        place = zoned.end()
    return "".join((*out, pattern.sub(lambda found: words[found[0]], text[place:])))


@lru_cache(maxsize=8)
def _known(lex: Lexicon) -> tuple[dict[str, str], re.Pattern[str]]:
    table = lex.table("policy")
    words = {
        key: str(said[0])
        for each in (table, table.get("weekday", {}))
        for key, said in each.items()
        if isinstance(said, list | tuple) and said
    }
    return words, _finding(words)


@lru_cache(maxsize=8)
def _opening(lex: Lexicon) -> tuple[dict[str, str], re.Pattern[str]]:
    words = dict(_known(lex)[0])
    for table in ("talk", "setup"):
        words.update(
            {
                key: str(said[0])
                for key, said in lex.table(table).items()
                if isinstance(said, list | tuple) and said and key != "ignored"
            }
        )
    for kind in ("editions", "lists", "characters", "districts"):
        words.update({spelt: lex.name(kind, key) for key in lex.keys(kind) for spelt in (key, key.lower())})
    for key in lex.keys("bots"):  # with their noun: a list of cards may be gentle, too
        many = lex.entry("bots", key).get("many") or f"{lex.name('bots', key)} {words['bots']}"
        words[f"{key} bots"] = str(many)
    words["with"] = str(next(iter(lex.table("words").get("with", ())), "with"))
    return words, _finding(words)


def _finding(words: dict[str, str]) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w/])(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True)) or '(?!)'})(?![\w/])"
    )
