"""What each command takes after its word.

One small function a command: the rest of the line in, the arguments of the Intent out, or NotUnderstood that
names the word and what would be right.  `new` and `bot` have a page of their own (tables.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from referee.policy import DAILY, scaled, to_json

from ..folding import clean, fold, squash
from ..lexicon import lexicon
from .accountwords import read_delete, read_link, read_unlink
from .acts import read_named, read_process, read_record, read_rewind, read_second, read_vote
from .administering import read_admin, read_stats
from .alternates import read_alternate
from .calendars import read_calendar
from .hints import read_hints, read_learn, read_skip
from .hours import read_hours
from .naming import named_cards, nearest_cards, register
from .notify import read_notify, read_whole
from .pagewords import read_page
from .picturing import read_pictures
from .policy import take_policy
from .policy_terms import with_points
from .tables import read_bot, read_new
from .talking import SPEECH, read_comment, read_hide, read_mute, read_talk, speech
from .terms import NotUnderstood, Reading, missing
from .times import read_extend, read_quiet, read_resume, read_vacation
from .tongues import read_language
from .webwords import read_web
from .zones import read_zone

Args = Mapping[str, Any]
Reader = Callable[[str, Reading], "Args | NotUnderstood"]

_NUMBER = re.compile(r"^#?\s*g?(\d{1,9})$", re.IGNORECASE)
_GAME_AFTER = re.compile(r"#\s?(\d{1,9})\s*$")
_CODE = re.compile(r"^[A-Za-z0-9_-]{4,64}$")
NAME_LONGEST = 32
WORD_LONGEST = 200
HISTORY_MOST = 200
#: an edition's name is looked for among this many words before or behind a card's
_EDITION_WORDS = 4


def _nothing(command: str) -> Reader:
    """A command that takes at most the number of a game."""

    def read(rest: str, reading: Reading) -> Args | NotUnderstood:
        if not rest:
            return {}
        number = _NUMBER.match(rest)
        if number:
            return {"game": int(number.group(1))}
        return NotUnderstood("takes-nothing", facts={"command": command, "word": clean(rest, 40)})

    return read


def _who(rest: str, reading: Reading) -> Args | NotUnderstood:
    """`who`; what asks about one of them, "who is Bea", is answered with all: it changes nothing."""
    about = reading.lexicon.entry("commands", "who").get("about", ())
    return {} if fold(rest).split(" ")[0] in map(fold, about) else _nothing("who")(rest, reading)


def _new(rest: str, reading: Reading) -> Args | NotUnderstood:
    """A table, and what is said of its time: `policy` (a row, as `referee.policy.to_json` makes it) where
    that is more than how long an answer may take, `hours` else.
    """
    rest = with_points(reading, rest)
    policy, left = take_policy(rest, reading)
    # where something is said of time, what the table alone has no place for is told by what is left below
    plain = read_new(rest, reading, explained=policy is None)
    if policy is None or (
        not isinstance(plain, NotUnderstood) and plain["hours"] and policy == scaled(DAILY, plain["hours"])
    ):
        return plain
    if isinstance(policy, NotUnderstood):
        return plain if isinstance(plain, NotUnderstood) and plain.facts.get("place") == "hours" else policy
    table = read_new(left, reading)
    if isinstance(table, NotUnderstood):
        return table
    return {
        **table,
        "hours": policy.move_hours,
        "policy": to_json(policy),
        "menu": table["menu"] and bool(left),
    }


def _join(rest: str, reading: Reading) -> Args | NotUnderstood:
    number = _NUMBER.match(rest)
    if number or not rest:
        return {"game": int(number.group(1))} if number else {}
    if _CODE.match(rest):
        return {"code": rest}
    return NotUnderstood(
        "unknown-word", facts={"word": clean(rest, 40), "place": "join", "expected": ("#17",)}
    )


def _word(rest: str, reading: Reading) -> Args | NotUnderstood:
    said = clean(rest, WORD_LONGEST)
    return {"text": said} if said else missing("word", reading)


def _name(rest: str, reading: Reading) -> Args | NotUnderstood:
    said = clean(rest, NAME_LONGEST)
    return {"text": said} if squash(said) or said else missing("name", reading)


def _start(rest: str, reading: Reading) -> Args | NotUnderstood:
    number = _NUMBER.match(rest)
    if number and rest.startswith("#"):
        return {"game": int(number.group(1)), "payload": ""}
    if rest and not _CODE.match(rest) and not number:
        return NotUnderstood(
            "unknown-word", facts={"word": clean(rest, 40), "place": "start", "expected": ("#17",)}
        )
    return {"payload": rest}


def _history(rest: str, reading: Reading) -> Args | NotUnderstood:
    if not rest:
        return {"count": 20}
    if rest.isdecimal() and 0 < int(rest[:6]) <= HISTORY_MOST:
        return {"count": int(rest[:6])}
    facts = {"word": clean(rest, 40), "place": "history", "least": 1, "most": HISTORY_MOST}
    return NotUnderstood(
        "out-of-range" if rest.isdecimal() else "unknown-word", facts=facts | {"expected": ("20",)}
    )


def _help(rest: str, reading: Reading) -> Args | NotUnderstood:
    topics = reading.lexicon.table("topics")
    typed = squash(rest)
    if not typed:
        return {"topic": ""}
    for topic, others in topics.items():
        if typed in {squash(topic), *map(squash, others)}:
            return {"topic": topic}
    commands = register(reading.language, "commands", (), reading.own).look_up(fold(rest).split())
    if len(commands) == 1:
        return {"topic": "", "command": commands[0].value}
    card = _rules(rest, reading)
    if not isinstance(card, NotUnderstood) and card["card"]:
        return card
    return NotUnderstood("no-such-topic", facts={"word": clean(rest, 40), "topics": tuple(topics)})


def _rules(rest: str, reading: Reading) -> Args | NotUnderstood:
    """A card ("": all of the game), and the number of a game; "deluxe keep" and "keep in deluxe" ask for an
    edition's own.
    """
    number = _GAME_AFTER.search(rest)
    game = {"game": int(number[1])} if number else {}
    rest = rest[: number.start()] if number else rest
    words = fold(rest.replace(",", " ")).split()
    if not words:
        return {"card": "", **game}
    if len(words) > 1 and words[-1] in reading.lexicon.table("language").get("question_ends", ()):
        words = words[:-1]
    found, edition = named_cards(words, reading), None
    editions = register(reading.language, "editions", (), reading.own)
    little = reading.lexicon.words("of")
    for cut in () if found else range(1, min(len(words), _EDITION_WORDS + 1)):
        for name, others in ((words[:cut], words[cut:]), (words[-cut:], words[:-cut])):
            hits = editions.look_up([w for w in name if w not in little])
            if (
                len(hits) == 1
                and not found
                and (found := named_cards([w for w in others if w not in little], reading))
            ):
                edition = str(hits[0].value)
    word = clean(rest, 40)
    if len(found) == 1:
        return (
            {"card": found[0], **game} if edition is None else {"card": found[0], "edition": edition, **game}
        )
    if found:
        return NotUnderstood("several-cards", facts={"word": word, "near": found[:6]}, candidates=found[:6])
    near = nearest_cards("".join(words), reading)
    return NotUnderstood("no-such-card", facts={"word": word, "near": near}, suggestions=near)


def _prefer(rest: str, reading: Reading) -> Args | NotUnderstood:
    names = register(reading.language, "channels", (), reading.own)
    and_ = fold(reading.lexicon.words("and", "language")[-1])
    chosen: list[str] = []
    for word in re.split(r"[,>;\s]+", rest):
        if not word or fold(word) in (and_, "then"):
            continue
        hits = names.look_up(fold(word).split())
        if len(hits) != 1:
            return NotUnderstood(
                "unknown-word",
                facts={
                    "word": clean(word, 40),
                    "place": "prefer",
                    "expected": reading.lexicon.keys("channels"),
                },
            )
        if hits[0].value not in chosen:
            chosen.append(hits[0].value)
    return {"channels": tuple(chosen), "channel": chosen[0]} if chosen else missing("prefer", reading)


#: command -> the reader of what follows it, where that is more than the number of a game
_READERS: Mapping[str, Reader] = {
    "new": _new,
    "bot": read_bot,
    "join": _join,
    "word": _word,
    "name": _name,
    "start": _start,
    "who": _who,
    "history": _history,
    "help": _help,
    "rules": _rules,
    "learn": read_learn,
    "hints": read_hints,
    "skip lessons": read_skip,
    "link": read_link,
    "unlink": read_unlink,
    "delete my account": read_delete,
    "zone": read_zone,
    "language": read_language,
    "prefer": _prefer,
    "pictures": read_pictures,
    "quiet": read_quiet,
    "alternate": read_alternate,
    "notify": read_notify,
    "unsubscribe": partial(read_whole, "unsubscribe"),
    "subscribe": partial(read_whole, "subscribe"),
    "vacation": read_vacation,
    "extend": read_extend,
    "resume": read_resume,
    **{c: speech(c) for c in sorted(SPEECH)},
    "comment": read_comment,
    "hide": read_hide,
    "talk": read_talk,
    "calendar": read_calendar,
    "hours": read_hours,
    "web": read_web,
    "league": lambda rest, reading: {
        "text": rest.strip(" ")
    },  # read by `leagues`, where it is known which there are
    "page": read_page,
    "mute": read_mute,
    "unmute": read_mute,
    "kick": lambda rest, reading: read_named("kick", rest, reading),
    "offer": lambda rest, reading: read_named("offer", rest, reading),
    "rewind": read_rewind,
    "process": read_process,
    "record": read_record,
    "vote": read_vote,
    "second": read_second,
    "admin": lambda rest, reading: read_admin(rest, reading, COMMANDS),
    "stats": read_stats,
}
#: every command of the lexicon -> the reader of what follows it
COMMANDS: Mapping[str, Reader] = {
    **{command: _nothing(command) for command in lexicon().keys("commands")},  # no dict
    **_READERS,
}
