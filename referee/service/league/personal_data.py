"""What leagues keep of somebody: told when they ask for all their data, ended when they delete their
account.
"""

from __future__ import annotations

import json
from typing import Any

from referee.ids import PersonId
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import Entry, League, LeagueReport, LeagueRole, Person, Season, TableResult, Tx

from ..accounts.hooks import deleting, exported, may_delete
from ..core.unit_of_work import UnitOfWork
from ..people import officials
from . import log, lookup, roles
from .entry import entry_questions, sign_up
from .scores import penalties


@may_delete.on
def not_the_last_owner(uow: UnitOfWork, person: Person) -> None:
    """Raises Refusal where a league would be nobody's."""
    mine = officials.family(uow.tx, person.id)
    alone = [
        league.name
        for row in uow.tx.all(LeagueRole, person_id=mine, role=roles.OWNER)
        if (league := uow.tx.get(League, row.league_id)) is not None
        and not league.closed_ms
        and all(
            one.person_id in mine for one in uow.tx.all(LeagueRole, league_id=league.id, role=roles.OWNER)
        )
    ]
    if alone:
        raise Refusal("delete-league-owner", leagues=sorted(set(alone)))


@deleting.on
def out(uow: UnitOfWork, person: Person) -> None:
    """Results stay; whatever is still to be played is offered to alternates.  What they answered when they
    signed up is gone.
    """
    here = (EntryState.SIGNED, EntryState.WAITING, EntryState.PLAYING)
    for entry in uow.tx.all(Entry, person_id=person.id, state=here):
        season = uow.tx.get(Season, entry.season_id)
        if season is not None and season.state in lookup.ALIVE:
            facts = sign_up.leave_season(uow, season, person)
            log.append_line(uow, lookup.league_of(uow, season), roles.CLOCK, "leave", facts)
    for entry in uow.tx.all(Entry, person_id=person.id):
        entry_questions.keep_answers(uow, entry, ())
    for one in officials.family(uow.tx, person.id):
        uow.tx.drop(LeagueRole, person_id=one)


@exported.on
def of_leagues(tx: Tx, person_id: PersonId) -> dict[str, Any]:
    """Seasons, results and offices, for the file of all their data."""
    return {
        "seasons": [
            {
                "season": one.season_id,
                "state": one.state,
                "division": one.division,
                "penalty_points": one.penalty / 100,
                "corrections": [
                    {"points": each.points / 100, "kind": each.kind, "why": each.why}
                    for each in penalties.corrections(one)
                ],
                "note": one.note,
                "answers": [{"question": q, "answer": a} for q, a in entry_questions.answers_of(one)],
            }
            for one in tx.all(Entry, person_id=person_id, order="id")
        ],
        "results": [
            {"table": one.table_id, "place": one.place, "score": one.score, "notes": json.loads(one.flags)}
            for one in tx.all(TableResult, person_id=person_id, order="id")
        ],
        "reports": [
            {
                "league": one.league_id,
                "table": one.table_id,
                "text": one.text,
                "at_ms": one.at_ms,
                "state": one.state,
                "answer": one.answer,
            }
            for one in tx.all(LeagueReport, person_id=person_id, order="id")
        ],
        "offices": [
            {"league": one.league_id, "role": one.role}
            for one in tx.all(LeagueRole, person_id=officials.family(tx, person_id), order="id")
        ],
    }
