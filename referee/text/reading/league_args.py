"""What follows the word of each act of the league office: one small function an act."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple

from ..folding import clean, fold, squash
from ..valuing import canonical
from .dates import LAST, MORNING, When, when_at
from .policy import policy_text, read_policy
from .policy_terms import time_at
from .terms import Reading, Trouble

Args = Mapping[str, Any]
NAME_LONGEST = 60
SAID_LONGEST = 1000
_NUMBER = re.compile(r"^#?(\d{1,4})[.,]?$")
_POINTS = re.compile("^([-\u2212+]?)([0-9]{1,4})(?:[.,]([0-9]{1,2}))?$")


class Token(NamedTuple):
    """A word, or what stood in quotes; `start` and `end` are its place in the line."""

    text: str
    quoted: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Asking:
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


Reader = Callable[[Sequence[Token], str, Asking], "Args | Trouble"]


def _nothing(act: str, words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    meant = [one for one in words if fold(one.text) not in asking.reading.lexicon.fillers]
    return _strange(act, meant[0].text, asking) if meant else {}


def _help(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    return {}


def _called(act: str, words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """A name, to the end of the line.  It is kept as it was typed, on one line."""
    if not words:
        return _missing(act, asking)
    return {"name": words[0].text if len(words) == 1 else line[words[0].start :].strip()}


def _counted(
    act: str, keys: Sequence[str], words: Sequence[Token], line: str, asking: Asking
) -> Args | Trouble:
    """`division 2 season 3`: numbers after their words; 0 where one is not said."""
    said = dict.fromkeys(keys, 0)
    place = 0
    while place < len(words):
        key = next((key for key in keys if asking.is_(words[place].text, key)), "")
        number = _NUMBER.match(words[place + 1].text) if place + 1 < len(words) else None
        if not key or number is None:
            return _strange(act, words[place].text, asking)
        said[key] = int(number[1])
        place += 2
    return said


def _table(act: str, words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`table 12` or `12`, and nothing else."""
    number, rest = _table_at(words, asking)
    if not number:
        return _missing(act, asking) if not words else _strange(act, words[0].text, asking)
    return _strange(act, rest[0].text, asking) if rest else {"table": number}


def _table_at(words: Sequence[Token], asking: Asking) -> tuple[int, Sequence[Token]]:
    skip = 1 if words and asking.is_(words[0].text, "table") else 0
    number = _NUMBER.match(words[skip].text) if len(words) > skip else None
    return (int(number[1]), words[skip + 1 :]) if number else (0, words)


def _void(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`season`, or `table 12`, and why."""
    words, why = _because(words, line, asking)
    if words and asking.is_(words[0].text, "season"):
        return (
            _strange("void", words[1].text, asking)
            if len(words) > 1
            else {"what": "season", "table": 0, "why": why}
        )
    found = _table("void", words, line, asking)
    return found if isinstance(found, Trouble) else {"what": "table", "why": why, **found}


def _rule(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`table 12 by scores`, `table 12 Ana, Bea, Cy`: the places from the first to the last."""
    words, why = _because(words, line, asking)
    number, rest = _table_at(words, asking)
    rest = rest[1:] if len(rest) > 1 and asking.is_(rest[0].text, "by") else rest
    if not number or not rest:
        return _missing("rule", asking)
    if len(rest) == 1 and asking.is_(rest[0].text, "scores"):
        return {"table": number, "order": [], "scores": True, "why": why}
    names = [clean(name, NAME_LONGEST) for name in " ".join(one.text for one in rest).split(",")]
    return {"table": number, "order": [name for name in names if name], "scores": False, "why": why}


def _substitute(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`table 12 Ana by Bea`."""
    number, rest = _table_at(words, asking)
    cut = next(
        (place for place, one in enumerate(rest) if place and not one.quoted and asking.is_(one.text, "by")),
        0,
    )
    if not number or not cut or cut + 1 >= len(rest):
        return _missing("substitute", asking)
    return {"table": number, "out": _name(rest[:cut]), "into": _name(rest[cut + 1 :])}


def _person(act: str, words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """Somebody's name, and perhaps why."""
    words, why = _because(words, line, asking)
    return {"name": _name(words), "why": why} if words and _name(words) else _missing(act, asking)


def _penalty(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`Ana 2 because …`, `Ana 0.5`, `Ana -1` to give one back. points: as text, with a point in it where one
    is needed.
    """
    words, why = _because(words, line, asking)
    words = words[:-1] if words and asking.is_(words[-1].text, "points") else words
    found = _POINTS.match(words[-1].text) if words else None
    if found is None or not _name(words[:-1]):
        return _missing("penalty", asking)
    back = "-" if found[1] in ("-", "\u2212") else ""
    return {
        "name": _name(words[:-1]),
        "points": f"{back}{found[2]}" + (f".{found[3]}" if found[3] else ""),
        "why": why,
    }


def _bye(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`Ana`, `Ana round 3`.  round 0: the next one."""
    cut = next((place for place, one in enumerate(words) if asking.is_(one.text, "round")), len(words))
    number = _NUMBER.match(words[cut + 1].text) if cut + 1 < len(words) else None
    if not _name(words[:cut]) or (cut < len(words) and number is None):
        return _missing("bye", asking)
    return {"name": _name(words[:cut]), "round": int(number[1]) if number else 0}


def _role(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`Ana director`, `director Ana`, `Ana none`.  role "": none any more."""
    words = [one for one in words if one.quoted or not asking.is_(one.text, "as")]
    if len(words) > 1 and _role_of(words[0], asking) and not _role_of(words[-1], asking):
        words = [*words[1:], words[0]]
    role = _role_of(words[-1], asking) if words else ""
    if not role or not _name(words[:-1]):
        expected = ("owner", "director", "moderator", "none")
        if len(words) > 1:
            return Trouble(
                "unknown-word",
                facts={"word": clean(words[-1].text, 40), "place": "role", "expected": expected},
            )
        return _missing("role", asking)
    last = (
        -2
        if len(words) > 2
        and not words[-2].quoted
        and fold(words[-2].text) in map(fold, asking.reading.lexicon.fillers)
        else -1
    )  # "Ana na direção"
    return {"name": _name(words[:last]), "role": "" if role == "none" else role}


def _role_of(word: Token, asking: Asking) -> str:
    return next((key for key in ("owner", "director", "moderator", "none") if asking.is_(word.text, key)), "")


def _room(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`here`, `off`."""
    if len(words) == 1 and asking.is_(words[0].text, "here"):
        return {"on": True}
    if len(words) == 1 and asking.is_(words[0].text, "off"):
        return {"on": False}
    return _strange("room", words[0].text, asking) if words else _missing("room", asking)


def _announce(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    said = clean(words[0].text if len(words) == 1 else _text(words, line)) if words else ""
    if not said.strip(' :,"“”'):
        return _missing("announce", asking)
    if len(said) > SAID_LONGEST:
        return Trouble("talk-long", facts={"count": len(said), "most": SAID_LONGEST})
    return {"text": said.lstrip(":, ")}


def _numbered(act: str, words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`12`, or nothing where it goes without saying: number 0."""
    number = _NUMBER.match(words[0].text) if words else None
    if len(words) > 1 or (words and number is None):
        return _strange(act, words[-1].text, asking)
    return {"number": int(number[1]) if number else 0}


#: what a CSV can hold
SHEETS = ("standings", "results", "schedule")


def _export(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`csv`, `json`, which sheet of a CSV, and perhaps `season 3`; in any order."""
    said = {"form": "csv", "sheet": "standings"}
    rest: list[Token] = []
    for one in words:
        word = fold(one.text)
        sheet = next((sheet for sheet in SHEETS if asking.is_(one.text, sheet)), "")
        if word in ("csv", "json"):
            said["form"] = word
        elif sheet:
            said["sheet"] = sheet
        else:
            rest.append(one)
    found = _counted("export", ("season",), rest, line, asking)
    if isinstance(found, Trouble):
        return Trouble(
            "unknown-word",
            facts={
                "word": found.facts["word"],
                "place": "export",
                "expected": ("csv", "json", *SHEETS, "season 3"),
            },
        )
    return {**said, **found}


def _set(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """One setting or several, each with its value; settings: key -> value."""
    said: dict[str, str] = {}
    place = 0
    while place < len(words):
        used = _setting(words[place:], line, asking, "set", said)
        if isinstance(used, Trouble):
            return used
        place += used
    return {"settings": said} if said else _missing("set", asking)


def _open(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`rounds 7 until 2026-12-01 start 2026-12-03`: settings one by one, when sign-up ends, and when the
    first round begins.
    """
    said: dict[str, Any] = {"closes_ms": 0, "starts_ms": 0, "settings": {}}
    place = 0
    while place < len(words):
        word = words[place]
        date = next(
            (
                (name, usual)
                for key, name, usual in (("until", "closes_ms", LAST), ("start", "starts_ms", MORNING))
                if asking.is_(word.text, key)
            ),
            None,
        )
        if date is not None and not word.quoted:
            found = _when(words[place + 1 :], asking, date[1])
            if isinstance(found, Trouble):
                return found
            said[date[0]] = found.at_ms
            place += 1 + found.used
            continue
        used = _setting(words[place:], line, asking, "open", said["settings"])
        if isinstance(used, Trouble):
            return used
        place += used
    return said


def _setting(
    words: Sequence[Token], line: str, asking: Asking, act: str, said: dict[str, str]
) -> int | Trouble:
    """Read the setting that stands here into `said`; how many words it takes.

    Its value ends where another setting (or a date, of `open`) begins; that of a policy, which has words like
    those, is in quotes or goes to the end.
    """
    key, used = setting_at(words, asking)
    if not key:
        return _no_setting(words[0].text, asking, act)
    value = [*words[used : used + 1]]
    while value and not value[0].quoted and used + len(value) < len(words):
        rest = words[used + len(value) :]
        if key != "policy" and setting_at(rest, asking)[0]:
            break
        if act == "open" and any(asking.is_(rest[0].text, one) for one in ("until", "start")):
            break
        value.append(rest[0])
    if not value:
        return _missing(act, asking)
    said[key] = _office(key, _value(value, line), asking.reading)
    return used + len(value)


def _office(key: str, value: str, reading: Reading) -> str:
    """A value in the words of the office; one that can't be read stays as it was typed, and the office says
    what is wrong with it.
    """
    if key != "policy" or reading.language == "en":
        return canonical(reading.lexicon, key, value)
    policy = read_policy(value, reading)
    return value if isinstance(policy, Trouble) else policy_text(policy)


def _postpone(words: Sequence[Token], line: str, asking: Asking) -> Args | Trouble:
    """`round 3 until 2026-12-20`, `by 3 days`. round 0: the one that is on, or the next; day: no hour was
    said, and it is the day's last minute.
    """
    said: dict[str, Any] = {"round": 0, "until_ms": 0, "hours": 0.0, "day": False}
    if len(words) > 1 and asking.is_(words[0].text, "round") and (number := _NUMBER.match(words[1].text)):
        said["round"], words = int(number[1]), words[2:]
    plain = [one.text for one in words]
    if not plain:
        return _missing("postpone", asking)
    if asking.is_(plain[0], "by"):
        hours, used = time_at(asking.reading, plain[1:])
        if not used or used + 1 != len(plain):
            return _strange("postpone", plain[-1], asking)
        return {**said, "hours": hours}
    rest = words[1:] if asking.is_(plain[0], "until") else words
    found = _when(rest, asking, LAST)
    if isinstance(found, Trouble):
        return found
    if found.used != len(rest):
        return _strange("postpone", rest[found.used].text, asking)
    return {**said, "until_ms": found.at_ms, "day": found.day}


def setting_at(words: Sequence[Token], asking: Asking) -> tuple[str, int]:
    """The setting whose name stands here, and how many words it takes."""
    settings = asking.reading.lexicon.table("league_settings")
    typed = {fold(word): key for key, others in settings.items() for word in (key.replace("_", " "), *others)}
    for used in (3, 2, 1):
        if len(words) >= used and not any(one.quoted for one in words[:used]):
            key = typed.get(fold(" ".join(one.text for one in words[:used]).replace("_", " ")), "")
            if key:
                return key, used
    return "", 0


def _when(words: Sequence[Token], asking: Asking, usual: int) -> When | Trouble:
    """A moment to come."""
    found = when_at([one.text for one in words], asking.reading, asking.now_ms, asking.zone, usual)
    said = clean(" ".join(one.text for one in words[: found.used or 2]), 40)
    if not found.used:
        return Trouble("league-date", facts={"word": said})
    if found.at_ms <= asking.now_ms:
        return Trouble("league-past", facts={"word": said, "at_ms": found.at_ms, "zone": asking.zone})
    return found


def _because(words: Sequence[Token], line: str, asking: Asking) -> tuple[Sequence[Token], str]:
    """What stands before "because", and what after it."""
    for place, one in enumerate(words):
        if place and not one.quoted and asking.is_(one.text, "because"):
            return words[:place], clean(_text(words[place + 1 :], line), 200)
    return words, ""


def _name(words: Sequence[Token]) -> str:
    said = clean(" ".join(one.text for one in words).strip(" ,:"), NAME_LONGEST)
    return said if squash(said) else ""


def _text(words: Sequence[Token], line: str) -> str:
    """These words as they were typed."""
    return line[words[0].start : words[-1].end].strip() if words else ""


def _value(words: Sequence[Token], line: str) -> str:
    return clean(words[0].text if len(words) == 1 else _text(words, line), 400)


def _strange(act: str, word: str, asking: Asking) -> Trouble:
    return Trouble(
        "unknown-word", facts={"word": clean(word, 40), "place": act, "expected": (asking.usage(act),)}
    )


def _no_setting(word: str, asking: Asking, act: str = "set") -> Trouble:
    from difflib import get_close_matches

    keys = [
        key.replace("_", " ") if asking.reading.language == "en" or not others else str(others[0])
        for key, others in asking.reading.lexicon.table("league_settings").items()
    ]
    near = get_close_matches(fold(word)[:60], keys, 3, 0.6) or keys
    return Trouble("unknown-word", facts={"word": clean(word, 40), "place": act, "expected": tuple(near)})


def _missing(act: str, asking: Asking) -> Trouble:
    return Trouble("missing", facts={"command": "league", "usage": asking.usage(act)})


#: act -> the reader of what follows its word
ARGS: Mapping[str, Reader] = {
    **{
        act: partial(_nothing, act)
        for act in (
            "list",
            "show",
            "settings",
            "join",
            "alternate",
            "leave",
            "people",
            "draw",
            "redraw",
            "start",
            "stats",
            "close",
            "roles",
            "proposals",
        )
    },
    "help": _help,
    "new": partial(_called, "new"),
    "rename": partial(_called, "rename"),
    "set": _set,
    "open": _open,
    "standings": partial(_counted, "standings", ("division", "season")),
    "schedule": partial(_counted, "schedule", ("division", "season", "round")),
    "tables": partial(_counted, "tables", ("round", "division", "season")),
    "table": partial(_table, "table"),
    "player": partial(_person, "player"),
    "export": _export,
    "admit": partial(_person, "admit"),
    "remove": partial(_person, "remove"),
    "penalty": _penalty,
    "bye": _bye,
    "void": _void,
    "replay": partial(_table, "replay"),
    "rule": _rule,
    "substitute": _substitute,
    "postpone": _postpone,
    "role": _role,
    "room": _room,
    "announce": _announce,
    "second": partial(_numbered, "second"),
    "refuse": partial(_numbered, "refuse"),
    "audit": partial(_numbered, "audit"),
}
