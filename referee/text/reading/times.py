"""Commands about one's own time and a table's: `quiet 22-07 hold`, `vacation 3 days`, `extend 24h`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.policy import MODES

from ..folding import clean, fold
from .dates import when_at
from .policy_terms import hours_of, said, time_at, with_dashes, with_points
from .terms import NotUnderstood, Reading

Args = Mapping[str, Any]
EXTEND_MOST = 14 * 24
VACATION_MOST = 60 * 24


def read_quiet(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`22-07`, with what becomes of news, or `none`.  quiet: [from, to, mode], None for never."""
    words = rest.replace(",", " ").split()
    if not words:
        return _missing("quiet", reading)
    if len(words) == 1 and said(reading, words[0], "nobody", "no"):
        return {"quiet": None}
    words = with_dashes(reading, words)
    hours = hours_of(words[0])
    modes = [mode for word in words[1:] for mode in MODES if said(reading, word, mode)]
    if hours is None or len(modes) != len(words) - 1 or len(modes) > 1:
        wrong = words[0] if hours is None else words[-1]
        return NotUnderstood(
            "unknown-word",
            facts={"word": clean(wrong, 40), "place": "quiet", "expected": ("22-07", *MODES, "none")},
        )
    return {"quiet": [*hours, *(modes or ["hold"])]}


def read_vacation(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`3 days`.  hours: how long from now on.  `until 7 Jan`.  until: the words of that day (dates.py)."""
    if day := _until(rest, reading):
        readable = when_at(day.split(), reading, 0, "UTC").used == len(day.split())
        return (
            {"until": day.casefold()}
            if readable
            else NotUnderstood("vacation-until", facts={"word": clean(day, 40)})
        )
    found = _length(rest, reading, "vacation", VACATION_MOST)
    if isinstance(found, NotUnderstood) and found.code == "out-of-range":
        return NotUnderstood(
            "vacation-range", facts={"word": found.facts["word"], "days": round(VACATION_MOST / 24)}
        )
    return found


def _until(rest: str, reading: Reading) -> str:
    """What stands behind "until", "" where something else is said."""
    words = rest.replace(",", " ").split()
    said = (fold(one).split() for one in reading.lexicon.words("until", "dates"))
    used = max((len(one) for one in said if [fold(word) for word in words[: len(one)]] == one), default=0)
    return " ".join(words[used:]) if used else ""


def read_resume(rest: str, reading: Reading) -> Args | NotUnderstood:
    """The number of a game; `all`: the clocks of the whole installation, by an admin."""
    number = rest.strip().lstrip("#").strip()
    if said(reading, rest.strip(), "all"):
        return {"all": True}
    if not rest or (number.isdecimal() and len(number) < 10):
        return {"game": int(number)} if rest else {}
    return NotUnderstood(
        "unknown-word", facts={"word": clean(rest, 40), "place": "resume", "expected": ("#17", "all")}
    )


def read_extend(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`24h`, and the number of a game.  hours: how much more."""
    words = rest.split()
    game = next((int(word[1:]) for word in words if word[:1] == "#" and word[1:].isdecimal()), None)
    found = _length(" ".join(word for word in words if word[:1] != "#"), reading, "extend", EXTEND_MOST)
    return found if isinstance(found, NotUnderstood) or game is None else {**found, "game": game}


def _length(rest: str, reading: Reading, command: str, most: float) -> Args | NotUnderstood:
    words = _counted(with_points(reading, rest).replace(",", " ").split(), reading)
    if not words:
        return _missing(command, reading)
    hours, used = time_at(reading, words)
    if used != len(words):
        return NotUnderstood(
            "unknown-word",
            facts={"word": clean(words[used], 40), "place": command, "expected": ("24h", "3 days")},
        )
    if not 1 / 60 <= hours <= most:
        return NotUnderstood(
            "out-of-range", facts={"word": clean(rest, 40), "place": command, "least": 1, "most": most}
        )
    return {"hours": hours}


def _counted(words: list[str], reading: Reading) -> list[str]:
    """The words of a length without a little one before it, its number in digits: "for two weeks", "uma
    semana".
    """
    lex = reading.lexicon
    little = lex.fillers | {fold(word) for word in (*lex.words("in", "dates"), *lex.words("of", "dates"))}
    numbers = {**dict.fromkeys(lex.table("language").get("articles", ()), 1), **lex.table("setup")["numbers"]}
    while len(words) > 1 and fold(words[0]) in little and fold(words[0]) not in numbers:
        words = words[1:]
    number = numbers.get(fold(words[0])) if len(words) > 1 else None
    return words if number is None else [str(number), *words[1:]]


def _missing(command: str, reading: Reading) -> NotUnderstood:
    return NotUnderstood(
        "missing",
        facts={"command": command, "usage": reading.lexicon.entry("commands", command).get("usage", command)},
    )
