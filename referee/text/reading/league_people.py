"""What is said to the league office about people: joining with answers, a problem, an invitation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..folding import clean
from .league_line import (
    NUMBER,
    Args,
    LeagueReading,
    LineToken,
    as_typed,
    because,
    missing,
    name_of,
    strange,
    table_at,
)
from .terms import NotUnderstood

#: letters that a report may have, and an answer to a question of the sign-up
REPORT_LONGEST, ANSWER_LONGEST = 500, 200
#: problems that need no words of one's own: each is one of [league_words], and a button
PROBLEMS = ("silent", "rude", "broken")
_CODE = re.compile(r"^[A-Za-z2-7]{8,32}$")


def joining(act: str, words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """Nothing, or `code ABCDEFGH`, `team Red`, `answers "…" "…"`, as many of them as are said, in this order.

    code, team, answers: only what was said. Answers are what stands in quotes, else what stands between
    semicolons.
    """
    while words and not words[0].quoted and words[0].text.casefold() in asking.reading.lexicon.fillers:
        words = words[1:]
    said: dict[str, object] = {}
    if len(words) > 1 and not words[0].quoted and asking.is_(words[0].text, "code"):
        if not _CODE.match(words[1].text):
            return strange(act, words[1].text, asking)
        said["code"], words = words[1].text.upper(), words[2:]
    if act == "join" and words and not words[0].quoted and asking.is_(words[0].text, "team"):
        end = next((n for n, one in enumerate(words) if n and _begins_answers(one, asking)), len(words))
        if not name_of(words[1:end]):
            return missing("team", asking)
        said["team"], words = name_of(words[1:end]), words[end:]
    if not words:
        return said
    if not _begins_answers(words[0], asking):
        return strange(act, words[0].text, asking)
    rest = words[1:]
    quoted = [one.text for one in rest if one.quoted]
    found = quoted or as_typed(rest, line).split(";")
    answers = [kept for kept in (clean(one.strip(" :"), ANSWER_LONGEST) for one in found) if kept]
    return {**said, "answers": answers} if answers else missing(act, asking)


def _begins_answers(word: LineToken, asking: LeagueReading) -> bool:
    return not word.quoted and asking.is_(word.text.rstrip(":"), "answers")


def report(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`table 12 …`, `…`.  table 0: none was named; text "": what happened is still to be said; problem: the
    one of `PROBLEMS` that one word names, "" for words of one's own.
    """
    named = bool(words) and not words[0].quoted and asking.is_(words[0].text, "table")
    number, rest = table_at(words, asking) if named else (0, words)
    text = clean(line[rest[0].start :]).lstrip(":, ") if rest else ""
    if len(text) > REPORT_LONGEST:
        return NotUnderstood("talk-long", facts={"count": len(text), "most": REPORT_LONGEST})
    problem = next((one for one in PROBLEMS if len(rest) == 1 and asking.is_(rest[0].text, one)), "")
    return {"table": number, "text": text, "problem": problem}


def handled(words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`12 because …`, `12`: the number of a report, and what its reporter is told."""
    words, why = because(words, line, asking)
    number = NUMBER.match(words[0].text) if words else None
    if number is None:
        return missing("handled", asking)
    if len(words) > 1:
        return strange("handled", words[1].text, asking)
    return {"number": int(number[1]), "why": why}


def invite(act: str, words: Sequence[LineToken], line: str, asking: LeagueReading) -> Args | NotUnderstood:
    """`Ana`, or `link`.  name "": the link is meant."""
    if len(words) == 1 and not words[0].quoted and asking.is_(words[0].text, "link"):
        return {"name": ""}
    return {"name": name_of(words)} if words and name_of(words) else missing(act, asking)
