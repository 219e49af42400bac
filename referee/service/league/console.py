"""The office from the command line: the same words, the same answers, as plain text.

Its speaker is the console, which owns every league and has one key, whoever sits at it; `by` is how the log
calls them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.rules import Refusal
from referee.store import League, OfficeLog, Tx
from referee.text import Words

from ..core.audit_log import HOUSE
from ..core.composing import Composing
from ..core.unit_of_work import ServiceSettings, Sitting, States
from . import deeds, exports, letters, log, views
from .roles import Official
from .season_book import opened

#: where the console's lines say that they come from
VIA = "console"


class House(NamedTuple):
    """What the console needs to know of the installation."""

    words: Words
    settings: ServiceSettings
    now_ms: int
    language: str = "en"


def said(tx: Tx, house: House, text: str, by: str, zone: str = "UTC") -> str:
    """Do what was said; what is answered.  Raises Refusal: then nothing of it may stay."""
    sitting = Sitting(tx, house.now_ms, house.words, house.settings, States())
    answer = deeds.said(sitting, Official(None, by, VIA, True, zone, house.language), text)
    if answer.kind == "league_export":
        return file_of(sitting, answer.data)
    return worded(tx, house, answer.kind, answer.data, zone)


def file_of(sitting: Sitting, data: dict[str, Any]) -> str:
    """A file's text, to be sent on into a file.  Raises Refusal where there is no season yet."""
    league = sitting.tx.get(League, int(data["of"]))
    season = None if league is None else views.season_of(sitting.tx, league.id, int(data["season"]))
    if league is None or season is None:
        raise Refusal("league-no-season", league="" if league is None else league.name)
    return exports.written(
        sitting, opened(sitting.tx, league, season), str(data["form"]), str(data["sheet"])
    ).data.decode("utf-8-sig")


def worded(tx: Tx, house: House, kind: str, data: dict[str, Any], zone: str) -> str:
    """A letter as plain text."""
    context: dict[str, Any] = {
        "language": house.language,
        "zone": zone,
        "now_ms": house.now_ms,
        "game": None,
        "me": None,
        "bot_link": "",
        "channel": "terminal",
        "room": False,
        **data,
    }
    composing = Composing(
        tx, house.now_ms, house.words, house.settings, States(), "text", False, b"", language=house.language
    )
    context |= letters.filled(composing, kind, data) or {}
    return house.words.letter(kind, house.language, "text", context).text


def line_of(words: Sequence[str]) -> str:
    """A command line's words as one line: those with a blank in them stood in quotes, unless that is all
    there is.
    """
    if len(words) == 1:
        return words[0]
    return " ".join(f'"{one}"' if " " in one.strip() and '"' not in one else one for one in words)


class Verdict(NamedTuple):
    """Whether a log is whole: its scope, the league's name ("" for the house), how many lines, the first that
    does not hold (0: none), the hash of the last.
    """

    scope: str
    name: str
    lines: int
    broken: int
    last: str


def verdicts(tx: Tx) -> list[Verdict]:
    """Every log of the house, looked through."""
    names = {log.scope_of(one): one.name for one in tx.all(League)}
    found = []
    for scope in log.scopes(tx) or [HOUSE]:
        last = tx.all(OfficeLog, scope=scope, order="-no", limit=1)
        found.append(
            Verdict(
                scope,
                names.get(scope, ""),
                tx.count(OfficeLog, scope=scope),
                log.verify(tx, scope),
                last[0].hash if last else "",
            )
        )
    return found
