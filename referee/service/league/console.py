"""The office from the command line: the same words, the same answers, as plain text.

Its speaker is the console, which owns every league and has one key, no matter who sits at it; `by` is how the
log calls them.
"""

from __future__ import annotations

from typing import Any

import msgspec

from referee.rules import Refusal
from referee.store import League, Tx
from referee.text import Intent, Reading, Words
from referee.text.reading.league_args import LeagueReading
from referee.text.reading.leagues import read_league

from ..core.composing import ComposeContext
from ..core.letters import Facts
from ..core.unit_of_work import Shell, StateCache, UnitOfWork
from ..people.letter_facts import HelpFacts
from . import letters
from .letter_facts import ExportFacts
from .office import dispatch, questions
from .public import exports
from .roles import Official
from .scores import views
from .scores.season_book import load_season

#: where the console's lines say that they come from
VIA = "console"


def carry_out(tx: Tx, shell: Shell, text: str, by: str, zone: str = "UTC") -> str:
    """Do what was said; what is answered.  Raises Refusal: then nothing of it may stay."""
    uow = shell.uow(tx)
    answer = dispatch.said(uow, Official(None, by, VIA, True, zone, shell.language), text)
    if isinstance(answer.what, ExportFacts):
        return file_of(uow, answer.what)
    return letter_text(tx, shell, answer.what, zone)


def help_text(text: str, language: str) -> str | None:
    """The answer to `help`, which needs nothing that is stored; None for all other words, and where the name
    of a league stands with it.
    """
    found = read_league(text, LeagueReading(Reading(language), 0))
    if not isinstance(found, Intent) or found.args["act"] != "help":
        return None
    words = Words()
    what = (
        questions.help_on(words.lexicon(language), str(found.args["word"])).what
        if "word" in found.args
        else HelpFacts(topic=found.args.get("topic", "league"))
    )
    return words.letter(what.kind, language, "text", _context(language, "UTC", 0, what)).text


def file_of(uow: UnitOfWork, facts: ExportFacts) -> str:
    """A file's text, to be sent on into a file.  Raises Refusal where there is no season yet."""
    league = uow.tx.get(League, facts.of)
    season = None if league is None else views.season_of(uow.tx, league.id, facts.season)
    if league is None or season is None:
        raise Refusal("league-no-season", league="" if league is None else league.name)
    return exports.export_file(
        uow, load_season(uow.tx, league, season), facts.form or "csv", facts.sheet or ""
    ).data.decode("utf-8-sig")


def letter_text(tx: Tx, shell: Shell, what: Facts, zone: str) -> str:
    """A letter as plain text."""
    context = _context(shell.language, zone, shell.now_ms, what)
    composing = ComposeContext(
        tx,
        shell.now_ms,
        shell.words,
        shell.settings,
        StateCache(),
        "text",
        False,
        b"",
        language=shell.language,
    )
    context |= letters.letter_contents(composing, what, letters.Reader()) or {}
    return shell.words.letter(what.kind, shell.language, "text", context).text


def _context(language: str, zone: str, now_ms: int, what: Facts) -> dict[str, Any]:
    """What every letter says, and the facts of this one."""
    return {
        "language": language,
        "zone": zone,
        "now_ms": now_ms,
        "game": None,
        "me": None,
        "bot_link": "",
        "channel": "terminal",
        "room": False,
        **msgspec.to_builtins(what),
    }
