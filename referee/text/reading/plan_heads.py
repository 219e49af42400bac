"""What kind of line of a plan it is, if any, and the lines of a message.

Every line begins in its own way (prefer, when, otherwise, ask me, cancel, free benefits) or ends in one (`buy
never`), so that talk, orders and commands are told from it before it is read (`plan_head`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...ids import GameId
from ...plans.cards import rank
from ...plans.questions import HEADED, QUESTIONS
from ...plans.running import turn_begun, turn_of
from ..folding import clean, fold, squash
from ..meter import spend
from .courtesy import without_courtesies
from .naming import SHORT as CUT
from .naming import register
from .plan_answers import read_answer, read_cancel
from .plan_words import PlanMistake, folded, parted, spelled
from .splitting import split
from .terms import NotUnderstood, Reading
from .verbs import verbs_at

#: lines and steps that a message may have, and letters
MOST, LONGEST = 160, 12_000
#: the words, one of which stands in every line that is no step of a script
HEADS = ("always", "this_round", "ask_me", "cancel", "prefer", "otherwise", "when", "free", "never", "if")
#: what may still come up in a round when one's own turns are over
ANY_TIME = ("ask", "off-turn")
#: what was found out about messages no longer than this is remembered: they come again and again
SHORT = 60
#: the orders that answer a question once for all, and those that refuse it ("pass" refuses many)
_ANSWERS = frozenset(
    verb for one in QUESTIONS.values() for verb in (*one.yes, one.no) if verb and verb != "pass"
)
#: what an entry of the menu of plans is called where it is typed: so it can be told from orders
MENU = "plan menu"
#: no word for an entry is longer
_WORD = 20
_COMMENT = re.compile(r"(^|\s)#(?!\s?\d).*$")
COLON = re.compile(r"(?<!\s)\s*+[:：]\s*+")
_PREFIX = re.compile(r"^\s*[/!]?(?:#\s?(?P<no>\d{1,9})\b[:,]?\s*)?[/!]?")
_SUFFIX = re.compile(r"\s#(?P<no>\d{1,9})\s*$")
_MENU = re.compile(rf"^\s*[/!]?{MENU}\b\s*", re.IGNORECASE)


class PlanHead(NamedTuple):
    """Whether a message is a plan or about one (`begins`); whether it asks for it; what it chooses in its
    menu (None: nothing); the game's number, and the words without it.
    """

    begins: bool
    asks: bool
    chosen: str | None
    number: GameId | None
    body: str


@lru_cache(maxsize=4096)
def plan_head(text: str, private: bool, language: str, own: tuple[Any, ...]) -> PlanHead:
    """What a message has to do with plans."""
    bare = Reading(language=language, own=own)
    number, body = addressed(without_courtesies(text, bare.lexicon) if private else text)
    asks, menu = plan_asked(body, bare), _MENU.match(body)
    chosen = None if menu is None else body[menu.end() :].strip()
    return PlanHead(asks or menu is not None or plan_begins(body, bare), asks, chosen, number, body)


def is_tap(text: str, reading: Reading) -> bool:
    """Whether a message may choose an entry of a menu: its number, or “back”."""
    plain = text.strip().rstrip(".)")
    if plain.isdecimal():
        return True
    return len(plain) <= _WORD and squash(plain) in map(squash, reading.lexicon.words("back", "menus"))


def addressed(text: str) -> tuple[GameId | None, str]:
    """The number of a game before the words or behind them, and the words."""
    found = _PREFIX.match(text)
    number, body = (found["no"], text[found.end() :].strip()) if found else (None, text.strip())
    if number is None and "\n" not in body and (late := _SUFFIX.search(body)):
        number, body = late["no"], body[: late.start()]
    return (None if number is None else GameId(int(number))), body


def plan_begins(text: str, reading: Reading) -> bool:
    """Whether a message is a plan, or means to be one: its first line begins like a line of a plan.

    "prefer mail" does not.
    """
    line = next((line for line in map(_bare, text[:LONGEST].splitlines()) if line), "")
    if not spelled(reading).may_begin(fold(line[:200]).split(), HEADS):
        return False
    chunks = split(line[:200], reading.names)
    if not chunks or isinstance(chunks, NotUnderstood):
        return False
    kind = head_of(chunks[0], reading)
    if kind == "cancel":  # "cancel game" is somebody else's
        try:
            read_cancel(folded(COLON.sub(" ", chunks[0])), reading)
        except PlanMistake:
            return False
    return kind not in ("", "step")


def plan_asked(text: str, reading: Reading) -> bool:
    """Whether somebody wants to be shown their plan."""
    return spelled(reading).whole(fold(text[:80]).split(), "show")


def _bare(line: str) -> str:
    return _COMMENT.sub("", line).strip()


def chunks_of(text: str, reading: Reading) -> list[str] | NotUnderstood:
    """The message cut at line ends and semicolons, remarks left out."""
    if len(text) > LONGEST:
        return NotUnderstood("plan-too-long", clean(text[:200], 80), facts={"most": MOST})
    chunks: list[str] = []
    for line in text.splitlines():
        spend()
        found = split(_bare(line), reading.names)
        if isinstance(found, NotUnderstood):
            return found
        chunks += [chunk for chunk in found if fold(chunk)]
    return (
        NotUnderstood("plan-too-long", clean(text[:200], 80), facts={"most": MOST})
        if len(chunks) > MOST
        else chunks
    )


def head_of(chunk: str, reading: Reading) -> str:
    """What kind of line it is; "step" for one that may be a step of a script, "" for nothing that is
    known.
    """
    said = spelled(reading)
    try:
        words = folded(COLON.split(chunk, maxsplit=1)[0])
    except PlanMistake:
        words = fold(chunk).split()
    at = said.begins(words, "always") or said.begins(words, "this_round")
    if said.begins(words, "ask_me", at):
        return "ask"
    if said.begins(words, "cancel", at):
        return "cancel"
    if said.begins(words, "prefer", at):
        return "" if _channels(words[at + said.begins(words, "prefer", at) :], reading) else "prefer"
    if said.begins(words, "otherwise", at):
        return "script"
    if said.begins(words, "when", at) and (
        COLON.search(chunk) or _somebody(words[at + said.begins(words, "when", at) :], reading)
    ):
        return "script"
    if COLON.search(chunk):
        words = words + fold(COLON.split(chunk, maxsplit=1)[1]).split()
    if said.whole(words, "free") or said.whole(words[:-1], "free"):
        return "free"
    if never_first(words[at:], reading):
        return "answer"
    if (
        at
        or said.ends(words, "always")
        or said.ends(words, "never")
        or said.ends(words, "ask_me")
        or said.find(words, "if")[1]
    ) and (verbs_at(words[at:], reading) or any(said.begins(words, name, at) for name in HEADED)):
        return "answer"
    return "step" if words else ""


def never_first(words: Sequence[str], reading: Reading) -> int:
    """How many words say "never" before the answer that is never given: "never bribe"; 0 where that is none,
    as in "never mind".
    """
    said = spelled(reading)
    used = said.begins(words, "never")
    rest = words[used:] if used else ()
    headed = any(said.begins(rest, name) for name in HEADED)
    answers = (verb for verb, _, tier in verbs_at(rest, reading) if rest and tier < CUT)
    return used if headed or not _ANSWERS.isdisjoint(answers) else 0


def _somebody(words: Sequence[str], reading: Reading) -> bool:
    """Whether a character is named first."""
    names = register(reading.language, "characters", (), reading.own)
    return any(len(words) >= used and names.look_up(words[:used]) for used in (1, 2)) and len(words[0]) > 2


def _channels(words: Sequence[str], reading: Reading) -> bool:
    """Whether it is the command that orders one's channels."""
    names = register(reading.language, "channels", (), reading.own)
    parts = parted(words, reading, "and", "or")
    return (
        bool(parts)
        and all(names.look_up(part) for part in parts)
        and not any(register(reading.language, "characters", (), reading.own).look_up(part) for part in parts)
    )


def is_answer(chunk: str, reading: Reading) -> bool:
    """Whether a line in the midst of a script is an answer given once for all, if a wrong one, and no step
    with a condition.
    """
    try:
        read_answer(folded(COLON.sub(" ", chunk)), reading, None)
    except PlanMistake as mistake:
        return (
            mistake.trouble.code not in ("plan-answer", "plan-unread")
            or not spelled(reading).find(folded(chunk), "if")[1]
        )
    return True


def round_of(kind: str, view: Mapping[str, Any] | None, named: Sequence[str] = ()) -> int:
    """The round that a line speaks of which is for one round: this one, or the next where its chance has
    passed.

    `named`: the characters that a script is for, () for all.
    """
    if view is None:
        return 1
    mine, now = view.get("characters") or (), int(view["round"])
    if kind == "prefer":
        wanted = 2 if len(view["players"]) < 4 else 1
        return now if view["phase"] == "draft" and len(mine) < wanted else now + 1
    if kind == "discard":
        return (
            now
            if view["phase"] == "draft" and (len(mine) < 2 or (view.get("ask") or {}).get("kind") == kind)
            else now + 1
        )
    if kind in ANY_TIME or view["phase"] != "turns" or not mine:
        return now
    coming = {one for one in mine if rank(view["edition"], one) >= (view["called"] or 0)}
    if turn_begun(view):
        coming.discard(turn_of(view))
    return now if (coming & set(named) if named else coming) else now + 1
