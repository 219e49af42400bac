"""What follows the word of each act of the league office: one small function an act."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ..folding import clean, fold, squash
from .dates import LAST
from .league_line import (
    NAME_LONGEST,
    NUMBER,
    Args,
    LeagueReading,
    LineToken,
    Reader,
    as_typed,
    because,
    missing,
    moment,
    name_of,
    strange,
    table_at,
    unquoted,
)
from .league_pauses import pause
from .league_people import handled, invite, joining, report
from .league_settings import opening, settings
from .policy_terms import time_at
from .terms import NotUnderstood

__all__ = ["ARGS", "LeagueReading"]
SAID_LONGEST = 1000
#: what `league help` may be about: what everybody may say, or a topic of the people who run one
_TOPICS = ("league", "season", "office", "archive", "moderation")
_POINTS = re.compile("^([-\u2212+]?)([0-9]{1,4})(?:[.,]([0-9]{1,2}))?$")


def _nothing(act: str, words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    meant = [one for one in words if fold(one.text) not in asking.reading.lexicon.fillers]
    return strange(act, meant[0].text, asking) if meant else {}


def act_called(words: Sequence[LineToken], asking: LeagueReading) -> str:
    """The act of which these words are the whole name, "" for none."""
    said, lex = fold(" ".join(one.text for one in words)), asking.reading.lexicon
    return next((act for act in ARGS if said in map(fold, (act, *lex.spellings("leagues", act)))), "")


def _help(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """About what there is for everybody, a topic of the people who run it, or one word."""
    if not words:
        return {}
    named = squash(" ".join(one.text for one in words))
    known = asking.reading.lexicon.table("topics")
    found = next((one for one in _TOPICS if named in {one, *map(squash, known.get(one, ()))}), None)
    act = "" if found else act_called(words, asking)
    if act:
        return {"word": act}
    return {"topic": found} if found else strange("help", words[0].text, asking)


def _called(act: str, words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """A name, to the end of the line.  It is kept as it was typed, on one line."""
    if not words:
        return missing(act, asking)
    return {"name": words[0].text if len(words) == 1 else line[words[0].start :].strip()}


def _counted(
    act: str, keys: Sequence[str], words: Sequence[LineToken], line: str, asking: LeagueReading
) -> Args | NotUnderstood:
    """`division 2 season 3`: numbers after their words; 0 where one is not said."""
    said = dict.fromkeys(keys, 0)
    place = 0
    while place < len(words):
        key = next((key for key in keys if asking.is_(words[place].text, key)), "")
        number = NUMBER.match(words[place + 1].text) if place + 1 < len(words) else None
        if not key or number is None:
            return strange(act, words[place].text, asking)
        said[key] = int(number[1])
        place += 2
    return said


def _table(act: str, words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`table 12` or `12`, and nothing else."""
    number, rest = table_at(words, asking)
    if not number:
        return missing(act, asking) if not words else strange(act, words[0].text, asking)
    return strange(act, rest[0].text, asking) if rest else {"table": number}


def _void(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`season`, or `table 12`, and why."""
    words, why = because(words, line, asking)
    if words and asking.is_(words[0].text, "season"):
        return (
            strange("void", words[1].text, asking)
            if len(words) > 1
            else {"what": "season", "table": 0, "why": why}
        )
    found = _table("void", words, line, asking)
    return found if isinstance(found, NotUnderstood) else {"what": "table", "why": why, **found}


def _rule(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`table 12 by scores`, `table 12 Ana, Bea, Cy`: the places from the first to the last; `table 12 forfeit
    Ana`: who has lost it.
    """
    words, why = because(words, line, asking)
    number, rest = table_at(words, asking)
    rest = rest[1:] if len(rest) > 1 and asking.is_(rest[0].text, "by") else rest
    if not number or not rest:
        return missing("rule", asking)
    if len(rest) == 1 and asking.is_(rest[0].text, "scores"):
        return {"table": number, "order": [], "scores": True, "forfeit": False, "why": why}
    forfeit = len(rest) > 1 and not rest[0].quoted and asking.is_(rest[0].text, "forfeit")
    rest = rest[1:] if forfeit else rest
    names = [clean(name, NAME_LONGEST) for name in " ".join(one.text for one in rest).split(",")]
    order = [name for name in names if name]
    return {"table": number, "order": order, "scores": False, "forfeit": forfeit, "why": why}


def _substitute(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`table 12 Ana by Bea`."""
    number, rest = table_at(words, asking)
    cut = next(
        (place for place, one in enumerate(rest) if place and not one.quoted and asking.is_(one.text, "by")),
        0,
    )
    if not number or not cut or cut + 1 >= len(rest):
        return missing("substitute", asking)
    return {"table": number, "out": name_of(rest[:cut]), "into": name_of(rest[cut + 1 :])}


def _person(act: str, words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """Somebody's name, and perhaps why."""
    words, why = because(words, line, asking)
    return {"name": name_of(words), "why": why} if words and name_of(words) else missing(act, asking)


def _team(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`Red`, `none`, `drop Ana`.  team "": none any more; drop: whom the captain takes out, "" for nobody."""
    if not name_of(words):
        return missing("team", asking)
    if len(words) > 1 and not words[0].quoted and asking.is_(words[0].text, "drop"):
        return {"team": "", "drop": name_of(words[1:])}
    none = len(words) == 1 and not words[0].quoted and asking.is_(words[0].text, "none")
    return {"team": "" if none else name_of(words), "drop": ""}


def _penalty(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`Ana 2 because …`, `Ana 0.5`, `Ana -1` to give one back. points: as text, with a point in it where one
    is needed.
    """
    words, why = because(words, line, asking)
    words = words[:-1] if words and asking.is_(words[-1].text, "points") else words
    found = _POINTS.match(words[-1].text) if words else None
    if found is None or not name_of(words[:-1]):
        return missing("penalty", asking)
    back = "-" if found[1] in ("-", "\u2212") else ""
    return {
        "name": name_of(words[:-1]),
        "points": f"{back}{found[2]}" + (f".{found[3]}" if found[3] else ""),
        "why": why,
    }


def _bonus(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`Ana 3 because …`: never without a reason."""
    found = _penalty(words, line, asking)
    if isinstance(found, NotUnderstood) or not found["why"] or found["points"].startswith("-"):
        return missing("bonus", asking)
    return found


def _bye(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`Ana`, `Ana round 3`.  round 0: the next one."""
    cut = next((place for place, one in enumerate(words) if asking.is_(one.text, "round")), len(words))
    number = NUMBER.match(words[cut + 1].text) if cut + 1 < len(words) else None
    if not name_of(words[:cut]) or (cut < len(words) and number is None):
        return missing("bye", asking)
    return {"name": name_of(words[:cut]), "round": int(number[1]) if number else 0}


def _role(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`Ana director`, `director Ana`, `Ana none`.  role "": none any more."""
    words = [one for one in words if one.quoted or not asking.is_(one.text, "as")]
    if len(words) > 1 and _role_of(words[0], asking) and not _role_of(words[-1], asking):
        words = [*words[1:], words[0]]
    role = _role_of(words[-1], asking) if words else ""
    if not role or not name_of(words[:-1]):
        expected = ("owner", "director", "moderator", "none")
        if len(words) > 1:
            return NotUnderstood(
                "unknown-word",
                facts={"word": clean(words[-1].text, 40), "place": "role", "expected": expected},
            )
        return missing("role", asking)
    # "Ana na direção"
    last = (
        -2
        if len(words) > 2
        and not words[-2].quoted
        and fold(words[-2].text) in map(fold, asking.reading.lexicon.fillers)
        else -1
    )
    return {"name": name_of(words[:last]), "role": "" if role == "none" else role}


def _role_of(word: LineToken, asking: LeagueReading) -> str:
    return next((key for key in ("owner", "director", "moderator", "none") if asking.is_(word.text, key)), "")


def _room(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`here`, `off`."""
    if len(words) == 1 and asking.is_(words[0].text, "here"):
        return {"on": True}
    if len(words) == 1 and asking.is_(words[0].text, "off"):
        return {"on": False}
    return strange("room", words[0].text, asking) if words else missing("room", asking)


def _announce(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    # to the end of the line: of long ones not all words are looked at, and all of them are said
    said = clean(words[0].text if len(words) == 1 else line[words[0].start :]) if words else ""
    if not said.strip(' :,"“”'):
        return missing("announce", asking)
    if len(said) > SAID_LONGEST:
        return NotUnderstood("talk-long", facts={"count": len(said), "most": SAID_LONGEST})
    return {"text": said.lstrip(":, ")}


def _numbered(act: str, words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`12`, or nothing where it goes without saying: number 0."""
    number = NUMBER.match(words[0].text) if words else None
    if len(words) > 1 or (words and number is None):
        return strange(act, words[-1].text, asking)
    return {"number": int(number[1]) if number else 0}


#: what a CSV can hold
SHEETS = ("standings", "results", "schedule")


def _export(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`csv`, `json`, which sheet of a CSV, and perhaps `season 3`; in any order."""
    said = {"form": "csv", "sheet": "standings"}
    rest: list[LineToken] = []
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
    if isinstance(found, NotUnderstood):
        return NotUnderstood(
            "unknown-word",
            facts={
                "word": found.facts["word"],
                "place": "export",
                "expected": ("csv", "json", *SHEETS, "season 3"),
            },
        )
    return {**said, **found}


def _postpone(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`round 3 until 2026-12-20`, `by 3 days`. round 0: the one that is on, or the next; day: no hour was
    said, and it is the day's last minute.
    """
    words = unquoted(words)
    said: dict[str, Any] = {"round": 0, "until_ms": 0, "hours": 0.0, "day": False}
    if len(words) > 1 and asking.is_(words[0].text, "round") and (number := NUMBER.match(words[1].text)):
        said["round"], words = int(number[1]), words[2:]
    if not words:
        return missing("postpone", asking)
    later = _later("postpone", words, asking)
    return later if isinstance(later, NotUnderstood) else {**said, **later}


def _extend(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`table 12`, `table 12 by 5 days`, `table 12 until 20 Dec`; until_ms and hours 0: until it ends."""
    table, rest = table_at(words, asking)
    if not table:
        if not words or isinstance(_postpone(words, line, asking), NotUnderstood):
            return strange("extend", words[0].text, asking) if words else missing("extend", asking)
        near = f"{asking.usage('postpone').split('[')[0].strip()} {as_typed(words, line)}"  # of a round
        return NotUnderstood("league-turned", facts={"near": [clean(near, 160)]})
    said: dict[str, Any] = {"table": table, "until_ms": 0, "hours": 0.0}
    later = _later("extend", rest, asking) if rest else {}
    if isinstance(later, NotUnderstood):
        return later
    return {**said, **{name: later[name] for name in later if name in said}}


def _later(act: str, words: Sequence[LineToken], asking: LeagueReading) -> Args | NotUnderstood:
    """`by 3 days`: hours; `until 20 Dec`: until_ms, and `day`: no hour was said."""
    plain = [one.text for one in words]
    if asking.is_(plain[0], "by"):
        hours, used = time_at(asking.reading, plain[1:])
        return {"hours": hours} if used and used + 1 == len(plain) else strange(act, plain[-1], asking)
    rest = words[1:] if asking.is_(plain[0], "until") else words
    found = moment(rest, asking, LAST)
    if isinstance(found, NotUnderstood):
        return found
    if found.used != len(rest):
        return strange(act, rest[found.used].text, asking)
    return {"until_ms": found.at_ms, "day": found.day}


#: act -> the reader of what follows its word
ARGS: Mapping[str, Reader] = {
    **{
        act: partial(_nothing, act)
        for act in (
            "list",
            "show",
            "settings",
            "seasons",
            "hall",
            "leave",
            "people",
            "yes",
            "draw",
            "redraw",
            "start",
            "stats",
            "close",
            "roles",
            "proposals",
            "reports",
            "waiting",
            "remind",
            "invitations",
            "answers",
        )
    },
    "join": partial(joining, "join"),
    "alternate": partial(joining, "alternate"),
    "report": report,
    "handled": handled,
    "invite": partial(invite, "invite"),
    "revoke": partial(invite, "revoke"),
    "team": _team,
    "help": _help,
    "new": partial(_called, "new"),
    "rename": partial(_called, "rename"),
    "set": settings,
    "open": opening,
    "standings": partial(_counted, "standings", ("division", "season")),
    "schedule": partial(_counted, "schedule", ("division", "season", "round")),
    "tables": partial(_counted, "tables", ("round", "division", "season")),
    "table": partial(_table, "table"),
    "player": partial(_person, "player"),
    "export": _export,
    "admit": partial(_person, "admit"),
    "remove": partial(_person, "remove"),
    "penalty": _penalty,
    "bonus": _bonus,
    "bye": _bye,
    "void": _void,
    "replay": partial(_table, "replay"),
    "rule": _rule,
    "substitute": _substitute,
    "postpone": _postpone,
    "extend": _extend,
    "pause": pause,
    "resume": partial(_nothing, "resume"),
    "role": _role,
    "room": _room,
    "announce": _announce,
    "second": partial(_numbered, "second"),
    "refuse": partial(_numbered, "refuse"),
    "audit": partial(_numbered, "audit"),
}
