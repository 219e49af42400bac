"""`league Winter Cup open rounds 7`, `league join "Winter Cup"`, `league standings`: what is said to the
league office.

    read_league(text, asking)    Intent("league", {act, league, …}) or Trouble

The name may stand before the word of the act or after it, in quotes or without, cut short while one league
begins so, or be left out: which league that means is then known elsewhere. All words are those of the
lexicon's tables [leagues] and [league_words].
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from ..folding import clean, fold, squash
from ..lexicon import lexicon
from ..meter import spend, unmetered
from .league_args import ARGS
from .league_line import LeagueReading, LineToken
from .league_settings import setting_at
from .terms import Intent, NotUnderstood

_TOKEN = re.compile(r"[\"“”„«»](?P<quoted>[^\"“”„«»\n]*)[\"“”«»]|(?P<plain>[^\s\"“”„«»]+)|(?P<odd>[\"“”„«»])")
_NUMBER = re.compile(r"^#(\d{1,9})$")
#: this many words of a line are looked at, and so long a name is shown
_MOST, _NAME_MOST = 80, 60
#: acts that are about no league that there is
NAMELESS = frozenset({"list", "new", "help"})


def tokens_of(text: str) -> list[LineToken]:
    """A line in words; what stands in quotes is one."""
    found = [
        LineToken(
            m["quoted"] if m["quoted"] is not None else m["plain"] or m["odd"],
            m["quoted"] is not None,
            m.start(),
            m.end(),
        )
        for m in _TOKEN.finditer(text[:4000])
    ]
    return found[:_MOST]


def read_league(text: str, asking: LeagueReading) -> Intent | NotUnderstood:
    """What is wanted of the office.  `league` in the arguments is its number, None where none was named."""
    first, _, more = text.partition("\n")
    first = first.strip()
    found = _read(tokens_of(first), first, asking)
    quote = " ".join(f"{asking.reading.lexicon.name('commands', 'league')} {text[:200]}".split())
    if isinstance(found, NotUnderstood):
        return NotUnderstood(found.code, quote, found.suggestions, found.candidates, found.facts)
    act, league, args = found
    if more.strip() and act in ("announce", "report"):
        args = {**args, "text": clean(f"{args['text']} {more}")}
    elif more.strip():
        return NotUnderstood("command-alone", quote, facts={"command": "league"})
    return Intent("league", {"act": act, "league": league, **args}, None, quote)


#: troubles that may come from reading the words in the wrong order
_SOFT = frozenset({"unknown-word", "league-unknown"})
Found = tuple[str, int | None, Mapping[str, Any]]


def _read(words: list[LineToken], line: str, asking: LeagueReading) -> Found | NotUnderstood:
    if not words:
        return "list", None, {}
    if not words[0].text.strip("?") and not words[0].quoted:
        return "help", None, {}
    trouble: NotUnderstood | None = None
    for way in (_name_first, _act_first, _short_name_first):
        found = way(words, line, asking)
        if isinstance(found, NotUnderstood) and found.code in _SOFT:
            trouble = trouble or found
        elif found is not None:
            return found
    turned = _turned_round(words, line, asking)
    if turned is not None:
        return turned
    unknown = _unknown(words, asking)
    return unknown if trouble is None or unknown.code == "league-turned" else trouble


def _name_first(words: list[LineToken], line: str, asking: LeagueReading) -> Found | NotUnderstood | None:
    """`Winter Cup standings`: a whole name, then the act."""
    named, used = named_at(words, asking)
    return None if not used else _after_name(named, used, words, line, asking)


def _short_name_first(
    words: list[LineToken], line: str, asking: LeagueReading
) -> Found | NotUnderstood | None:
    """`winter standings`."""
    named, used = begun_at(words, asking)
    return None if not used else _after_name(named, used, words, line, asking)


def _after_name(
    named: Sequence[int], used: int, words: list[LineToken], line: str, asking: LeagueReading
) -> Found | NotUnderstood | None:
    if used == len(words):
        return _which(named, "", asking) or ("show", named[0], {})
    act, size = act_at(words[used:], asking)
    if not act or (act in NAMELESS and act != "help"):
        return None
    args = ARGS[act](words[used + size :], line, asking)
    return args if isinstance(args, NotUnderstood) else _which(named, act, asking) or (act, named[0], args)


def _act_first(words: list[LineToken], line: str, asking: LeagueReading) -> Found | NotUnderstood | None:
    """`standings Winter Cup division 2`, `standings`."""
    act, size = act_at(words, asking)
    if not act:
        return None
    rest = words[size:]
    if act in NAMELESS:
        args = ARGS[act](rest, line, asking)
        if isinstance(args, NotUnderstood) and act == "help":
            named, used = named_at(rest, asking)
            named, used = (named, used) if used else begun_at(rest, asking)
            args = ARGS[act](rest[used:], line, asking) if used else args
        return args if isinstance(args, NotUnderstood) else (act, None, args)
    bare = ARGS[act](rest, line, asking)
    named, used = named_at(rest, asking)
    if not used and isinstance(bare, NotUnderstood):
        named, used = begun_at(rest, asking)
    if (
        not used
        and isinstance(bare, NotUnderstood)
        and rest
        and not rest[0].quoted
        and fold(rest[0].text) in map(fold, asking.reading.lexicon.fillers)
    ):
        named, used = named_at(rest[1:], asking)  # "participar da Copa de Inverno"
        used += bool(used)
    if used:
        args = ARGS[act](rest[used:], line, asking)
        if not isinstance(args, NotUnderstood):
            return _which(named, act, asking) or (act, named[0], args)
        if isinstance(bare, NotUnderstood):
            return args
    if (
        isinstance(bare, NotUnderstood)
        and bare.code == "unknown-word"
        and not used
        and rest
        and act in _NAME_LAST
    ):
        no_league = _no_league(" ".join(one.text for one in rest), asking)
        return no_league if no_league.facts["near"] or act not in _COUNTED else bare
    return bare if isinstance(bare, NotUnderstood) else (act, None, bare)


#: acts after which nothing but a league's name would make sense
_COUNTED = frozenset({"standings", "schedule", "tables"})
_NAME_LAST = _COUNTED | {
    "show",
    "seasons",
    "hall",
    "join",
    "alternate",
    "leave",
    "draw",
    "redraw",
    "start",
    "close",
    "people",
    "settings",
    "stats",
    "roles",
    "proposals",
    "reports",
    "waiting",
    "remind",
    "invitations",
    "answers",
}


def by_name(asking: LeagueReading) -> Mapping[str, list[int]]:
    """The leagues by their names squashed; looked up once, and only where a name may have been said."""
    if not asking.by_name:
        for league, name in asking.leagues.items():
            asking.by_name.setdefault(squash(name), []).append(league)
    return asking.by_name


def named_at(words: Sequence[LineToken], asking: LeagueReading) -> tuple[list[int], int]:
    """The leagues whose whole name stands here, and how many words it takes; the longest."""
    number = _NUMBER.match(words[0].text) if words else None
    if number and int(number[1]) in asking.leagues:
        return [int(number[1])], 1
    known = by_name(asking)
    longest = max(map(len, known), default=0)
    found: tuple[list[int], int] = [], 0
    typed = ""
    for used, one in enumerate(words[:40], 1):
        typed += squash(one.text)
        if len(typed) > longest:
            break
        found = (known[typed], used) if typed in known else found
    return found


def begun_at(words: Sequence[LineToken], asking: LeagueReading) -> tuple[list[int], int]:
    """The leagues whose names begin with the words here; as many words as fit."""
    typed, found, used = "", list[int](), 0
    for so_far, one in enumerate(words[:12], 1):
        typed += squash(one.text)
        if len(typed) > 1:
            begun = [
                league
                for name, leagues in by_name(asking).items()
                if name.startswith(typed)
                for league in leagues
            ]
            if not begun:
                break
            found, used = begun, so_far
    return found, used


@lru_cache(maxsize=16)
@unmetered
def _spellings(language: str, own: tuple[Any, ...]) -> Mapping[str, str]:
    """What is typed for an act, folded -> the act."""
    lex = lexicon(language, own)
    return {fold(word): act for act in ARGS for word in lex.spellings("leagues", act) if fold(word)}


def act_at(words: Sequence[LineToken], asking: LeagueReading) -> tuple[str, int]:
    """The act whose word stands here, and how many words it takes; "" for none.

    What stands in quotes is a name.
    """
    known = _spellings(asking.reading.language, tuple(asking.reading.own))
    for used in (3, 2, 1):
        if len(words) >= used and not any(one.quoted for one in words[:used]):
            act = known.get(fold(" ".join(one.text for one in words[:used])), "")
            if act:
                return act, used
    return "", 0


def _which(named: Sequence[int], act: str, asking: LeagueReading) -> NotUnderstood | None:
    """More than one league begins so."""
    if len(named) < 2:
        return None
    return NotUnderstood(
        "league-which",
        facts={"names": [clean(asking.leagues[one], _NAME_MOST) for one in named[:6]], "act": act or "show"},
    )


def _turned_round(words: list[LineToken], line: str, asking: LeagueReading) -> NotUnderstood | None:
    """The words are there, but in no order that is read: what they would be in order."""
    named = next(
        (
            (start, found, used)
            for start in range(len(words))
            for found, used in (named_at(words[start:], asking),)
            if used
        ),
        None,
    )
    start, league, used = named or (0, [], 0)
    others = words[:start] + words[start + used :]
    name = f'"{clean(asking.leagues[league[0]], _NAME_MOST)}" ' if league else ""
    for place in range(0 if league else 1, len(others)):
        spend()
        act, size = act_at(others[place:], asking)
        rest = " ".join(
            f'"{one.text}"' if one.quoted else one.text for one in others[:place] + others[place + size :]
        )
        if (
            act
            and act not in NAMELESS
            and not isinstance(ARGS[act](tokens_of(rest), rest, asking), NotUnderstood)
        ):
            return NotUnderstood(
                "league-turned", facts={"near": [clean(f"league {name}{act} {rest}".strip(), 160)]}
            )
    return None


def _unknown(words: list[LineToken], asking: LeagueReading) -> NotUnderstood:
    """Neither a league nor an act: the nearest of either."""
    named, used = named_at(words, asking)
    act, size = act_at(words[used:], asking)
    skip = used + (size if act == "settings" else 0)
    if 0 < setting_at(words[skip:], asking)[1] < len(words) - skip:  # "points 5/3/1", "settings points 5/3/1"
        name = f'"{clean(asking.leagues[named[0]], _NAME_MOST)}" ' if used else ""
        rest = " ".join(f'"{one.text}"' if one.quoted else one.text for one in words[skip:])
        return NotUnderstood("league-turned", facts={"near": [clean(f"league {name}set {rest}", 160)]})
    if used:
        return _no_act(words[used].text, asking)
    place = next((place for place in range(1, len(words)) if act_at(words[place:], asking)[0]), 0)
    if place or words[0].quoted:
        return _no_league(" ".join(one.text for one in words[: place or 1]), asking)
    no_act = _no_act(words[0].text, asking)
    no_league = _no_league(" ".join(one.text for one in words), asking)
    return no_act if no_act.facts["near"] and not no_league.facts["near"] else no_league


def _no_act(word: str, asking: LeagueReading) -> NotUnderstood:
    """No act is called so; the nearest, or where they are all told."""
    acts = _spellings(asking.reading.language, tuple(asking.reading.own))
    near = [acts[one] for one in get_close_matches(fold(word)[:60], acts, 3, 0.7)]
    return NotUnderstood(
        "league-word",
        facts={"word": clean(word, 40), "near": [f"league {act}" for act in dict.fromkeys(near)]},
    )


def _no_league(name: str, asking: LeagueReading) -> NotUnderstood:
    """There is no league of that name; the nearest, or what there are."""
    by_name = {squash(said): clean(said, _NAME_MOST) for said in asking.leagues.values()}
    near = [by_name[key] for key in get_close_matches(squash(name)[:60], by_name, 3, 0.6)]
    return NotUnderstood(
        "league-unknown",
        facts={"name": clean(name, _NAME_MOST), "near": near, "names": sorted(by_name.values())[:6]},
    )
