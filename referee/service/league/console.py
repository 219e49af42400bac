"""The office from the command line: the same words, the same answers, as plain text.

Its speaker is the console, which owns every league and has one key, whoever sits at it; `by` is how the log
calls them.
"""

from __future__ import annotations

from typing import Any

from referee.rules import Refusal
from referee.store import League, Tx

from ..core.composing import Composing
from ..core.context import Shell
from ..core.unit_of_work import Sitting, States
from . import deeds, exports, letters, views
from .roles import Official
from .season_book import opened

#: where the console's lines say that they come from
VIA = "console"


def carry_out(tx: Tx, shell: Shell, text: str, by: str, zone: str = "UTC") -> str:
    """Do what was said; what is answered.  Raises Refusal: then nothing of it may stay."""
    sitting = shell.sitting(tx)
    answer = deeds.said(sitting, Official(None, by, VIA, True, zone, shell.language), text)
    if answer.kind == "league_export":
        return file_of(sitting, answer.data)
    return worded(tx, shell, answer.kind, answer.data, zone)


def file_of(sitting: Sitting, data: dict[str, Any]) -> str:
    """A file's text, to be sent on into a file.  Raises Refusal where there is no season yet."""
    league = sitting.tx.get(League, int(data["of"]))
    season = None if league is None else views.season_of(sitting.tx, league.id, int(data["season"]))
    if league is None or season is None:
        raise Refusal("league-no-season", league="" if league is None else league.name)
    return exports.written(
        sitting, opened(sitting.tx, league, season), str(data["form"]), str(data["sheet"])
    ).data.decode("utf-8-sig")


def worded(tx: Tx, shell: Shell, kind: str, data: dict[str, Any], zone: str) -> str:
    """A letter as plain text."""
    context: dict[str, Any] = {
        "language": shell.language,
        "zone": zone,
        "now_ms": shell.now_ms,
        "game": None,
        "me": None,
        "bot_link": "",
        "channel": "terminal",
        "room": False,
        **data,
    }
    composing = Composing(
        tx, shell.now_ms, shell.words, shell.settings, States(), "text", False, b"", language=shell.language
    )
    context |= letters.filled(composing, kind, data) or {}
    return shell.words.letter(kind, shell.language, "text", context).text
