"""`admin …`: what those may say who look after the installation.

`do` names it; its handler asks whether they may.

admin games [running] [2] admin look #17 [hidden [Ana] because …] admin pause|resume|extend|… #17 admin move
#17 here|to ROOM admin archive|unarchive|thaw|abandon #17 admin letters|inbox|blocked|log [2] admin retry|drop
letter|message 12 admin block telegram:123 [reason] admin unblock telegram:123 · admin stats
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ..folding import clean, fold
from .acts import shared
from .terms import NotUnderstood, Reading

Args = Mapping[str, Any]
Reader = Callable[[str, Reading], "Args | NotUnderstood"]
#: what a table decides, as its own commands say it
ACTS = ("pause", "resume", "extend", "offer", "kick", "rewind", "process", "second")
#: what lists of games can be narrowed to
STATES = ("lobby", "mustering", "running", "over", "abandoned", "frozen", "archived", "all")
#: what is asked about one table
_TABLES = ("thaw", "archive", "unarchive", "abandon")
#: lists with pages
_LISTS = ("letters", "inbox", "blocked", "log")
#: the longest reason, room and address
REASON_LONGEST, ROOM_LONGEST, ADDRESS_LONGEST = 200, 100, 254
_GAME = re.compile(r"#\s?(\d{1,9})\b")


def read_admin(rest: str, reading: Reading, others: Mapping[str, Reader]) -> Args | NotUnderstood:
    """do, and what goes with it; `others` read the commands that a table has, too."""
    word, after = _first(rest)
    if not word:
        return {"do": "help"}
    for act in ACTS:
        spoken = {fold(one) for one in reading.lexicon.spellings("commands", act)}
        known = fold(word) in spoken or (shared(f"{word} x", reading) or ("",))[0] == act
        if known:
            found = others[act](after, reading)
            if isinstance(found, NotUnderstood):
                return found
            args = dict(found)
            game = args.pop("game", None)
            return {"do": "act", "act": act, "args": args, **({} if game is None else {"game": game})}
    for key, read in _READERS.items():
        if said(word, key, reading):
            return read(key, after, reading)
    return _unknown(word, "admin", ("games", "look #17", "letters", "inbox", "stats", "help"))


def read_stats(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`stats`, nothing else."""
    return {"do": "stats"} if not rest else _unknown(rest, "stats", ("stats",))


def said(word: str, key: str, reading: Reading) -> bool:
    """Whether a word is one of those that mean `key` here."""
    return fold(word) in {fold(one) for one in reading.lexicon.words(key, "admin")}


def _plain(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    return {"do": key} if not rest else _unknown(rest, f"admin {key}", (f"admin {key}",))


def _games(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    """state: one of `STATES`, "" for those that are alive; page."""
    state, page = "", 1
    for word in rest.split():
        found = next((one for one in STATES if said(word, one, reading)), "")
        if found:
            state = found
        elif _number(word):
            page = int(word)
        else:
            return _unknown(word, "admin games", (*STATES, "2"))
    return {"do": key, "state": state, "page": page}


def _paged(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    if rest and not _number(rest):
        return _unknown(rest, f"admin {key}", ("2",))
    return {"do": key, "page": int(rest or 1)}


def _look(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    """hidden; player: whose cards, "" for everybody's; because: "" where no reason is given yet."""
    game, words, reason = _apart(rest, reading)
    first, name = _first(words)
    if not game and _number(first):
        game, (first, name) = {"game": int(first)}, _first(name)
    if first and not said(first, "hidden", reading):
        return _unknown(first, "admin look", ("hidden",))
    return {"do": key, "hidden": bool(first), "player": clean(name, 40), "because": reason, **game}


def _table(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    game, words, reason = _apart(rest, reading)
    if words and not game and _number(words):
        return {"do": key, "game": int(words), "because": reason}
    return (
        {"do": key, "because": reason, **game}
        if not words
        else _unknown(words, f"admin {key}", (f"admin {key} #17",))
    )


def _move(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    """room: its name or channel:place; "" for the one in which it is said."""
    game = _GAME.search(rest)
    words = rest if game is None else f"{rest[: game.start()]} {rest[game.end() :]}"
    first, room = _first(words)
    number = {} if game is None else {"game": int(game[1])}
    if said(first, "here", reading) and not room:
        return {"do": key, "room": "", **number}
    if fold(first) in {fold(one) for one in reading.lexicon.words("to")} and room:
        return {"do": key, "room": clean(room, ROOM_LONGEST), **number}
    return _missing("admin move #17 here")


def _one(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    """what: letter or message; number."""
    first, number = _first(rest)
    number = number.strip().lstrip("#")
    what = next((one for one in ("letter", "message") if said(first, one, reading)), "")
    if not what or not _number(number):
        return _missing(f"admin {key} letter 12")
    return {"do": key, "what": what, "number": int(number)}


def _address(key: str, rest: str, reading: Reading) -> Args | NotUnderstood:
    """channel, address; reason."""
    first, reason = _first(rest)
    channel, colon, address = first.partition(":")
    if not (channel and colon and address):
        return _missing(f"admin {key} telegram:123456")
    names = [
        one
        for one in reading.lexicon.keys("channels")
        if fold(channel) in map(fold, reading.lexicon.spellings("channels", one))
    ]
    if not names:
        return _unknown(channel, f"admin {key}", reading.lexicon.keys("channels"))
    if len(address) > ADDRESS_LONGEST:
        return NotUnderstood(
            "out-of-range",
            facts={"word": clean(address, 40), "place": "address", "least": 1, "most": ADDRESS_LONGEST},
        )
    word, plain = _first(reason)
    return {
        "do": key,
        "channel": names[0],
        "address": clean(address),
        "because": clean(plain if said(word, "because", reading) else reason, REASON_LONGEST),
    }


_READERS: Mapping[str, Callable[[str, str, Reading], Args | NotUnderstood]] = {
    "help": _plain,
    "stats": _plain,
    "games": _games,
    "look": _look,
    "move": _move,
    "retry": _one,
    "drop": _one,
    "block": _address,
    "unblock": _address,
    **dict.fromkeys(_TABLES, _table),
    **dict.fromkeys(_LISTS, _paged),
}


def _apart(rest: str, reading: Reading) -> tuple[dict[str, int], str, str]:
    """The number of a game, the words around it, and the reason behind them, which may itself name games."""
    words = rest.split()
    cut = next((n for n, word in enumerate(words) if said(word.rstrip(":,"), "because", reading)), len(words))
    before, reason = " ".join(words[:cut]), clean(" ".join(words[cut + 1 :]), REASON_LONGEST)
    found = _GAME.search(before)
    if found is None:
        return {}, before, reason
    return (
        {"game": int(found[1])},
        " ".join(f"{before[: found.start()]} {before[found.end() :]}".split()),
        reason,
    )


def _first(rest: str) -> tuple[str, str]:
    word, _, after = rest.strip().partition(" ")
    return word, after.strip()


def _number(word: str) -> bool:
    return word.isdecimal() and word.isascii() and 0 < int(word[:10]) < 10**9


def _missing(usage: str) -> NotUnderstood:
    return NotUnderstood("missing", facts={"command": "admin", "usage": usage})


def _unknown(word: str, place: str, expected: tuple[str, ...]) -> NotUnderstood:
    return NotUnderstood(
        "unknown-word", facts={"word": clean(word, 40), "place": place, "expected": expected}
    )
