"""The log of a league's office: who did what, when, from which channel.  It only grows (see `logbook`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.store import League, OfficeLog, Tx
from referee.text import Words

from ..core.audit_log import HOUSE, broken, note
from ..core.unit_of_work import UnitOfWork
from .roles import CLOCK, Official

#: what is announced when nobody has said anything (codes of `announcing`)
BY_ITSELF = frozenset(
    {
        "league-drawn",
        "league-unseatable",
        "league-forecast-taken",
        "league-begun",
        "league-round",
        "league-round-over",
        "league-pause-begins",
        "league-resumed",
        "league-ruled",
        "league-void",
        "league-replaced",
        "league-penalty",
        "league-removed",
        "league-over",
    }
)


class LogLine(NamedTuple):
    """One act as it is told: its number, when (UTC ms), by whom, from which channel, the act and what it came
    to.
    """

    no: int
    at_ms: int
    by: str
    via: str
    act: str
    facts: dict[str, Any]


def scope_of(league: League) -> str:
    """The scope of a league's lines."""
    return f"league:{league.id}"


def append_line(uow: UnitOfWork, league: League, who: Official, act: str, facts: Mapping[str, Any]) -> int:
    """One more line; returns its number."""
    return note(uow, scope_of(league), who.person_id, who.by, act, {**facts, "via": who.via})


def automatic(uow: UnitOfWork, league: League, code: str, facts: Mapping[str, Any]) -> None:
    """What the office did by its own clock, as it is announced, or because of what somebody said (`cause`);
    what was said itself is written down by the person who heard it.
    """
    if code in BY_ITSELF and ("act" not in uow.about or facts.get("cause")):
        append_line(uow, league, CLOCK, code, facts)


def lines(tx: Tx, scope: str, most: int) -> list[LogLine]:
    """The last lines of a scope, oldest first."""
    found = []
    for row in tx.all(OfficeLog, scope=scope, order="-no", limit=most):
        try:
            facts = dict(json.loads(row.facts))
        except (ValueError, TypeError):  # somebody has changed the file from outside
            found.append(LogLine(row.no, row.at_ms, row.by, "", "unreadable", {}))
            continue
        found.append(LogLine(row.no, row.at_ms, row.by, str(facts.pop("via", "")), row.act, facts))
    return found[::-1]


def act_text(words: Words, language: str, zone: str, act: str, facts: Mapping[str, Any]) -> str:
    """An act in a few words, as the log tells it: what was proposed, and what was seconded, with it."""
    if "told" in facts:
        facts = {**facts, "said": act_text(words, language, zone, str(facts["what"]), facts["told"])}
    said = words.phrase(
        f"league_acts.{act}",
        language,
        zone=zone,
        **{name: value for name, value in facts.items() if name != "zone"},
    )
    if facts.get("proposed_by"):
        return words.phrase(
            "league_acts.seconded", language, said=said, by=facts["proposed_by"], number=facts["number"]
        )
    return said


def verify(tx: Tx, scope: str) -> int:
    """The number of the first line that does not hold, 0 where the log is whole."""
    return broken(tx, scope)


def scopes(tx: Tx) -> list[str]:
    """Every scope that has lines."""
    return sorted(set(tx.column(OfficeLog, "scope")))


class LogCheck(NamedTuple):
    """Whether a log is whole: its scope, the league's name ("" for the installation), how many lines, the
    first that does not hold (0: none), the hash of the last.
    """

    scope: str
    name: str
    lines: int
    broken: int
    last: str


def verdicts(tx: Tx) -> list[LogCheck]:
    """Every log of the installation, looked through."""
    names = {scope_of(one): one.name for one in tx.all(League)}
    found = []
    for scope in scopes(tx) or [HOUSE]:
        last = tx.all(OfficeLog, scope=scope, order="-no", limit=1)
        found.append(
            LogCheck(
                scope,
                names.get(scope, ""),
                tx.count(OfficeLog, scope=scope),
                verify(tx, scope),
                last[0].hash if last else "",
            )
        )
    return found
