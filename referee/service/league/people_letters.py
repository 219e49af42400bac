"""What those who run a league read about its people, looked up when the letter's channel is ready: reported
problems, for whom tables wait, invitations, answers of those who joined.
"""

from __future__ import annotations

from typing import Any

import msgspec

from referee.ids import LeagueId
from referee.store import League, Season

from ..core.composing import ComposeContext
from ..core.unit_of_work import UnitOfWork
from . import lookup
from .entry import entry_questions, invitations
from .letter_facts import AnswersFacts, InvitationsFacts, ReportsFacts, WaitingFacts
from .office import reports, waiting

#: the most tables or people that a letter shows
SHOWN = 40

Filled = dict[str, Any]


def uow_of(composing: ComposeContext) -> UnitOfWork:
    """A unit of work that writes nothing."""
    return UnitOfWork(composing.tx, composing.now_ms, composing.words, composing.settings, composing.states)


def _season(composing: ComposeContext, of: LeagueId) -> tuple[Filled, Season | None]:
    """league {id, name}, season (its number, 0: there is none), and the newest season."""
    league = composing.tx.get(League, of)
    season = None if league is None else lookup.latest(uow_of(composing), league)
    found = {"id": of, "name": "" if league is None else league.name}
    return {"league": found, "season": 0 if season is None else season.no}, season


def of_reports(composing: ComposeContext, facts: ReportsFacts, reader: object) -> Filled:
    """reports: see reports.ReportView."""
    found = reports.views(uow_of(composing), facts.reports)
    return {**_season(composing, facts.of)[0], "reports": [msgspec.to_builtins(one) for one in found]}


def of_waiting(composing: ComposeContext, facts: WaitingFacts, reader: object) -> Filled:
    """tables: see waiting.AwaitingTable; hidden: how many more."""
    said, season = _season(composing, facts.of)
    found = [] if season is None else waiting.board(uow_of(composing), season)
    return {
        **said,
        "tables": [msgspec.to_builtins(one) for one in found[:SHOWN]],
        "hidden": len(found[SHOWN:]),
    }


def of_invitations(composing: ComposeContext, facts: InvitationsFacts, reader: object) -> Filled:
    """waiting, joined (names), code; payload: of a button that opens the bot with it."""
    said, season = _season(composing, facts.of)
    found = invitations.Invitations([], [], "")
    if season is not None:
        found = invitations.listing(uow_of(composing), season)
    code = {"payload": invitations.payload(facts.of, found.code) if found.code else ""}
    return {**said, **msgspec.to_builtins(found), **code}


def of_answers(composing: ComposeContext, facts: AnswersFacts, reader: object) -> Filled:
    """people: see entry_questions.PersonAnswers; hidden: how many more."""
    said, season = _season(composing, facts.of)
    found = [] if season is None else entry_questions.listing(uow_of(composing), season)
    return {
        **said,
        "people": [msgspec.to_builtins(one) for one in found[:SHOWN]],
        "hidden": len(found[SHOWN:]),
    }
