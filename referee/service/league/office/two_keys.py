"""Acts in office that take two keys: proposed by one official, seconded by another within a day."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.ids import LeagueProposalId, PersonId
from referee.policy import skipping
from referee.rules import Refusal
from referee.states import ProposalState, ReportState
from referee.store import (
    League,
    LeagueProposal,
    LeagueReport,
    LeagueRole,
    Person,
    Season,
    SeasonRound,
    SeasonTable,
)

from ...core import outbox
from ...core.due import given_back
from ...core.unit_of_work import UnitOfWork, json_text
from ...people import officials
from ...people.letter_facts import notice
from .. import hooks, log, lookup
from ..roles import CLOCK, MAY, Official, reaches

#: how long a proposal waits
WAITS_MS = 24 * 3_600_000
#: how long a season goes on after its last table, for reports
REPORTS_MS = 24 * 3_600_000


def key_of(uow: UnitOfWork, row: LeagueProposal) -> str:
    """Whose key is in a proposal already (as `Official.key`)."""
    return "console" if row.person_id is None else f"person:{officials.key(uow, row.person_id)}"


def waiting(uow: UnitOfWork, league: League) -> list[LeagueProposal]:
    """The proposals of a league that wait for a key, oldest first; what waited too long lapses here."""
    found = []
    for row in uow.tx.all(LeagueProposal, league_id=league.id, state=ProposalState.OPEN, order="id"):
        if row.due_ms <= uow.now_ms:
            shut(uow, row, ProposalState.LAPSED)
            log.append_line(
                uow,
                league,
                CLOCK,
                "lapse",
                {"number": row.id, "what": row.act, "told": json.loads(row.args)["told"]},
            )
        else:
            found.append(row)
    return found


def holds_until(uow: UnitOfWork, season: Season, row: SeasonRound) -> int:
    """Until when the end of a season waits, since afterwards nothing of it can be changed; 0: it does not.

    It does for proposals about it as long as they wait for a key; a day after its last table was decided, so
    that somebody who was there can still report something; and for reports that nobody has handled a day
    more, and until its last round (`row`) was to end.
    """
    league = lookup.league_of(uow, season)
    until = [
        one.due_ms
        for one in uow.tx.all(LeagueProposal, league_id=league.id, state=ProposalState.OPEN)
        if json.loads(one.args)["told"].get("season") == season.no
    ]
    if row.no == lookup.rounds(uow, season)[-1].no:
        last_ms = max(uow.tx.column(SeasonTable, "ended_ms", season_id=season.id), default=0)
        reported = uow.tx.count(LeagueReport, season_id=season.id, state=ReportState.OPEN)
        away = given_back(uow.tx)  # nobody could report anything while we could not be heard
        until.append(skipping(away, last_ms, REPORTS_MS))
        until += [row.ends_ms, skipping(away, last_ms, 2 * REPORTS_MS)] if reported else []
    return max([at for at in until if at > uow.now_ms], default=0)


def wake_latest(uow: UnitOfWork, league: League) -> None:
    """The clock looks at a league's newest season, if it is not over: its end may have waited."""
    season = lookup.latest(uow, league)
    if season is not None and season.state in lookup.ALIVE:
        hooks.wake_season(uow, season.id)


def propose(
    uow: UnitOfWork,
    league: League,
    who: Official,
    act: str,
    args: Mapping[str, Any],
    told: Mapping[str, Any],
    asked: Sequence[PersonId],
) -> LeagueProposal:
    """Let an act wait for a second key; `asked` are those whose key would count, and they are told.

    `told` are the facts of the sentence that says what it is. Raises Refusal where the same waits already.
    """
    text = json_text({**args, "told": dict(told)})
    for row in waiting(uow, league):
        if row.act == act and row.args == text:
            raise Refusal(
                "league-proposed-already", number=row.id, by=row.by, own=key_of(uow, row) == who.key
            )
    number = uow.tx.add(
        LeagueProposal,
        league_id=league.id,
        act=act,
        args=text,
        person_id=who.person_id,
        by=who.by,
        at_ms=uow.now_ms,
        due_ms=uow.now_ms + WAITS_MS,
    )
    made = uow.tx.get(LeagueProposal, number)
    assert made is not None
    for person_id in asked:
        person = uow.tx.get(Person, person_id)
        outbox.to_person(
            uow,
            person_id,
            replace(
                notice(
                    "league-proposed-to-you",
                    league=league.name,
                    by=who.by,
                    number=number,
                    until=made.due_ms,
                    what=proposal_text(
                        uow, uow.settings.language if person is None else person.language, made
                    ),
                    zone="UTC" if person is None else person.zone,
                ),
                offers=[("second", f"league second {number}"), ("no", f"league refuse {number}")],
            ),
            collapse=f"league-proposal:{number}:{person_id}",
        )
    return made


def proposal_text(uow: UnitOfWork, language: str, row: LeagueProposal) -> str:
    """What a proposal is about, in a few words."""
    return log.act_text(uow.words, language, "UTC", row.act, json.loads(row.args)["told"])


def proposal(uow: UnitOfWork, number: LeagueProposalId, league: League | None) -> LeagueProposal:
    """An open proposal by its number, or (0) the only one of the league.  Raises Refusal."""
    if number:
        row = uow.tx.get(LeagueProposal, number)
        if row is None:
            raise Refusal("league-no-proposal", number=number)
        if row.state == ProposalState.OPEN and row.due_ms > uow.now_ms:
            return row
        raise Refusal(
            "league-proposal-shut",
            number=number,
            state=ProposalState.LAPSED if row.state == ProposalState.OPEN else row.state,
        )
    found = [] if league is None else waiting(uow, league)
    if len(found) != 1:
        raise (
            Refusal("league-no-proposal", number=0)
            if not found
            else Refusal("league-which-proposal", numbers=[row.id for row in found])
        )
    return found[0]


def turn_key(uow: UnitOfWork, row: LeagueProposal, who: Official) -> None:
    """Turn the second key: the proposal is done, its act is to follow in the same transaction.

    Raises Refusal for one's own proposal, whatever channel it comes by, and where the person who proposed it
    may not do that any more.
    """
    if key_of(uow, row) == who.key:
        raise Refusal("league-second-own", number=row.id)
    if row.person_id is not None and not may_still(uow, row, row.person_id):
        raise Refusal("league-proposer-gone", number=row.id, by=row.by)
    if (
        uow.tx.change(
            LeagueProposal,
            {"id": row.id, "state": ProposalState.OPEN},
            state=ProposalState.DONE,
            closed_ms=uow.now_ms,
        )
        == 0
    ):
        raise Refusal("league-proposal-shut", number=row.id, state=ProposalState.DONE)


def may_still(uow: UnitOfWork, row: LeagueProposal, person_id: PersonId) -> bool:
    """Whether the person who proposed something could propose it now."""
    me = officials.now(uow.tx, person_id)
    mine = uow.tx.all(LeagueRole, league_id=row.league_id, person_id=officials.family(uow.tx, me))
    return me in officials.house(uow) or any(reaches(one.role, MAY[row.act]) for one in mine)


def shut(uow: UnitOfWork, row: LeagueProposal, state: ProposalState) -> None:
    """It comes to nothing."""
    uow.tx.change(
        LeagueProposal, {"id": row.id, "state": ProposalState.OPEN}, state=state, closed_ms=uow.now_ms
    )


def carried(uow: UnitOfWork, row: LeagueProposal, league: League, who: Official) -> None:
    """Tell the person who proposed it that it is done."""
    if row.person_id is not None:
        outbox.to_person(
            uow,
            row.person_id,
            notice("league-carried", league=league.name, by=who.by, number=row.id),
        )
