"""The words of a line for the league office, and what several acts find in them: names, reasons, moments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..folding import clean, fold, squash
from .dates import ParsedMoment, when_at
from .terms import NotUnderstood, Reading

Args = Mapping[str, Any]
NAME_LONGEST = 60
NUMBER = re.compile(r"^#?(\d{1,4})[.,]?$")


class LineToken(NamedTuple):
    """A word, or what stood in quotes; `start` and `end` are its place in the line."""

    text: str
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class LeagueReading:
    """In whose words, when and where something is said, and which leagues there are (number -> name)."""

    reading: Reading
    now_ms: int
    zone: str = "UTC"
    leagues: Mapping[int, str] = field(default_factory=dict)
    by_name: dict[str, list[int]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )  # filled by `leagues.by_name`

    def is_(self, word: str, key: str) -> bool:
        """Whether a word is one of [league_words] for that key."""
        return fold(word).strip(" ,") in map(fold, self.reading.lexicon.words(key, "league_words"))

    def usage(self, act: str) -> str:
        """How an act is typed."""
        return str(self.reading.lexicon.entry("leagues", act).get("usage", f"league {act}"))


#: reads what follows the word of an act
Reader = Callable[[Sequence[LineToken], str, LeagueReading], "Args | NotUnderstood"]


def because(words: Sequence[LineToken], line: str, asking: LeagueReading) -> tuple[Sequence[LineToken], str]:
    """What stands before "because", and what after it."""
    for place, one in enumerate(words):
        if place and not one.quoted and asking.is_(one.text, "because"):
            return words[:place], clean(as_typed(words[place + 1 :], line), 200)
    return words, ""


def name_of(words: Sequence[LineToken]) -> str:
    """The name that these words are; "" for none."""
    said = clean(" ".join(one.text for one in words).strip(" ,:"), NAME_LONGEST)
    return said if squash(said) else ""


def as_typed(words: Sequence[LineToken], line: str) -> str:
    """These words as they were typed."""
    return line[words[0].start : words[-1].end].strip() if words else ""


def value_of(words: Sequence[LineToken], line: str) -> str:
    """The value that these words are, on one line."""
    return clean(words[0].text if len(words) == 1 else as_typed(words, line), 400)


def table_at(words: Sequence[LineToken], asking: LeagueReading) -> tuple[int, Sequence[LineToken]]:
    """The number of a table that stands in front (0: none does), and the words after it."""
    skip = 1 if words and asking.is_(words[0].text, "table") else 0
    number = NUMBER.match(words[skip].text) if len(words) > skip else None
    return (int(number[1]), words[skip + 1 :]) if number else (0, words)


def moment(words: Sequence[LineToken], asking: LeagueReading, usual: int) -> ParsedMoment | NotUnderstood:
    """The moment to come that stands in front; `usual`: the minute of the day where none is said.  It may
    stand in quotes, as the shell is given what has blanks.
    """
    quoted = words[0].text.split() if words and words[0].quoted else []
    plain = quoted or [one.text for one in words]
    found = when_at(plain, asking.reading, asking.now_ms, asking.zone, usual)
    said = clean(" ".join(plain[: found.used or 2]), 40)
    if quoted:
        found = found._replace(used=1) if found.used == len(quoted) else ParsedMoment()
    if not found.used:
        return NotUnderstood("league-date", facts={"word": said})
    if found.at_ms <= asking.now_ms:
        return NotUnderstood("league-past", facts={"word": said, "at_ms": found.at_ms, "zone": asking.zone})
    return found


def unquoted(words: Sequence[LineToken]) -> list[LineToken]:
    """The same with what stands in quotes as words of their own."""
    return [one._replace(text=text, quoted=False) for one in words for text in one.text.split()]


def strange(act: str, word: str, asking: LeagueReading) -> NotUnderstood:
    """A word that does not belong there, with how the act is typed."""
    return NotUnderstood(
        "unknown-word", facts={"word": clean(word, 40), "place": act, "expected": (asking.usage(act),)}
    )


def missing(act: str, asking: LeagueReading) -> NotUnderstood:
    """Something that the act needs was not said."""
    return NotUnderstood("missing", facts={"command": "league", "usage": asking.usage(act)})
