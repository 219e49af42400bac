"""What a line may have been meant as whose first word is spelled wrongly: "biuld palace", "helpp", "strat".

Commands count as much as orders. It is only ever suggested: nothing is played or done for a word that is not
there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from ...rules.facts import Move
from ..folding import fold
from ..lexicon import lexicon
from ..meter import spend, unmetered
from .commands import COMMANDS
from .open_question import OpenQuestion
from .suggesting import MOST, nearest, order
from .terms import NotUnderstood, Reading
from .verbs import spoken

#: how alike two words are of which one is the other misspelled, and how much longer one may be
_LIKE, _LONGER = 0.74, 2
_SWAPPED = 0.95
_SHORTEST = 3
#: a longer word is none of ours, and a longer line no misspelled one
_LONGEST, _WORDS = 24, 12


def meant(
    line: str, reading: Reading, now: OpenQuestion, read: Callable[[str], Move | NotUnderstood]
) -> tuple[str, ...]:
    """At most three orders or commands that the line may have been, the likeliest first; where none of them
    is whole, also what is legal now and looks like the whole line. `read`: an order, whatever is asked.
    """
    whole: list[str] = []
    begun: list[str] = []
    for said, verb in respelled(line, reading) if now.options else ():
        move = read(said) if verb else said
        if isinstance(move, NotUnderstood):
            begun += nearest(said, reading, now, verb)
        else:
            whole.append(move if isinstance(move, str) else order(move, reading))
    rest = () if whole else nearest(line, reading, now)
    return tuple(dict.fromkeys((*whole, *begun, *rest)))[:MOST]


def commands_meant(line: str, reading: Reading) -> tuple[str, ...]:
    """The same for somebody who is asked nothing: commands only."""
    return tuple(dict.fromkeys(said for said, verb in respelled(line, reading) if not verb))[:MOST]


def respelled(line: str, reading: Reading) -> Iterator[tuple[str, str]]:
    """The line with its first word as it may have been meant, the likeliest first, and the verb that it is
    then, "" for a command. Nothing for a word that is known, and for commands that would not be understood.
    """
    words = line.strip().lstrip("/!").split()
    first = fold(words[0]) if 0 < len(words) <= _WORDS else ""
    known = _first_words(reading.language, reading.own)
    if not _SHORTEST <= len(first) <= _LONGEST or " " in first or first in known:
        return
    rest = " ".join(words[1:])
    told: set[str] = set()
    for word in _nearest_words(first, known):
        written, verbs, commands = known[word]
        said = f"{written} {rest}".strip()
        yield from ((said, verb) for verb in verbs)
        understood = {one for one in commands if not isinstance(COMMANDS[one](rest, reading), NotUnderstood)}
        if understood - told:
            yield said, ""
        told |= understood


def _nearest_words(typed: str, known: Mapping[str, Any]) -> list[str]:
    scored = []
    for word in known:
        if abs(len(word) - len(typed)) > _LONGER or word[0] not in typed[:2]:
            continue
        spend()
        score = SequenceMatcher(None, typed, word).ratio()
        if sorted(typed) == sorted(word):  # letters that changed places
            score = max(score, _SWAPPED)
        if score >= _LIKE:
            scored.append((-score, word))
    return [word for _, word in sorted(scored)[:MOST]]


@lru_cache(maxsize=16)
@unmetered
def _first_words(
    language: str, own: tuple[Any, ...]
) -> Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Every word that an order or a command may begin with, folded: how it is written, the verbs and the
    commands that it is alone.
    """
    lex = lexicon(language, own)
    found: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {}
    for words, verb, _ in spoken(language, own):
        if words:
            written, verbs, commands = found.get(words[0], (words[0], (), ()))
            found[words[0]] = (written, (*verbs, verb) if len(words) == 1 else verbs, commands)
    for command in COMMANDS:
        for said in lex.spellings("commands", command):
            folded = fold(said).split()
            if folded:
                written, verbs, commands = found.get(folded[0], (folded[0], (), ()))
                alone = len(folded) == 1
                found[folded[0]] = (
                    said if alone else written,
                    verbs,
                    (*commands, command) if alone else commands,
                )
    return found
