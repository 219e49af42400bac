"""Acts in office that take two keys: proposed by one official, seconded by another within a day."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from referee.rules import Refusal
from referee.states import ProposalState
from referee.store import League, LeagueProposal, LeagueRole, Person

from ..core import outbox
from ..core.unit_of_work import Sitting, written
from ..people import officials
from ..people.replies import notices
from . import log
from .roles import CLOCK, DIRECTOR, MAY, OWNER, Official, reaches

#: how long a proposal waits
WAITS_MS = 24 * 3_600_000


def key_of(sitting: Sitting, row: LeagueProposal) -> str:
    """Whose key is in a proposal already (as `Official.key`)."""
    return "console" if row.person_id is None else f"person:{officials.key(sitting, row.person_id)}"


def waiting(sitting: Sitting, league: League) -> list[LeagueProposal]:
    """The proposals of a league that wait for a key, oldest first; what waited too long lapses here."""
    found = []
    for row in sitting.tx.all(LeagueProposal, league_id=league.id, state=ProposalState.OPEN, order="id"):
        if row.due_ms <= sitting.now_ms:
            shut(sitting, row, "lapsed")
            log.write(
                sitting,
                league,
                CLOCK,
                "lapse",
                {"number": row.id, "what": row.act, "told": json.loads(row.args)["told"]},
            )
        else:
            found.append(row)
    return found


def propose(
    sitting: Sitting,
    league: League,
    who: Official,
    act: str,
    args: Mapping[str, Any],
    told: Mapping[str, Any],
) -> LeagueProposal:
    """Let an act wait for a second key; those who have one are told.

    `told` are the facts of the sentence that says what it is. Raises Refusal where the same waits already.
    """
    text = written({**args, "told": dict(told)})
    for row in waiting(sitting, league):
        if row.act == act and row.args == text:
            raise Refusal(
                "league-proposed-already", number=row.id, by=row.by, own=key_of(sitting, row) == who.key
            )
    number = sitting.tx.add(
        LeagueProposal,
        league_id=league.id,
        act=act,
        args=text,
        person_id=who.person_id,
        by=who.by,
        at_ms=sitting.now_ms,
        due_ms=sitting.now_ms + WAITS_MS,
    )
    made = sitting.tx.get(LeagueProposal, number)
    assert made is not None
    for person_id in others(sitting, league, who):
        person = sitting.tx.get(Person, person_id)
        outbox.to_person(
            sitting,
            person_id,
            "notice",
            collapse=f"league-proposal:{number}:{person_id}",
            data={
                **notices(
                    "league-proposed-to-you",
                    league=league.name,
                    by=who.by,
                    number=number,
                    until=made.due_ms,
                    what=worded(
                        sitting, sitting.settings.language if person is None else person.language, made
                    ),
                    zone="UTC" if person is None else person.zone,
                ),
                "offers": [["second", f"league second {number}"], ["no", f"league refuse {number}"]],
            },
        )
    return made


def worded(sitting: Sitting, language: str, row: LeagueProposal) -> str:
    """What a proposal is about, in a few words."""
    return log.worded(sitting.words, language, "UTC", row.act, json.loads(row.args)["told"])


def keyholders(sitting: Sitting, league: League) -> set[int]:
    """The persons who have a key: owners, directors, admins of the house."""
    run = {
        officials.now(sitting.tx, row.person_id)
        for row in sitting.tx.all(LeagueRole, league_id=league.id, role=(OWNER, DIRECTOR))
    }
    return run | house(sitting)


def others(sitting: Sitting, league: League, who: Official) -> list[int]:
    """The persons who could turn the second key to what somebody proposes."""
    return [
        one
        for one in sorted(keyholders(sitting, league))
        if f"person:{officials.key(sitting, one)}" != who.key
    ]


def house(sitting: Sitting) -> set[int]:
    """The persons who look after the house."""
    found = {int(one.id or 0) for one in sitting.tx.all(Person, admin=1)}
    for channel, address in sitting.settings.admins:
        known = sitting.tx.whose(channel, address)
        found |= set() if known is None else {int(known[0].id or 0)}
    return found


def proposal(sitting: Sitting, number: int, league: League | None) -> LeagueProposal:
    """An open proposal by its number, or (0) the only one of the league.  Raises Refusal."""
    if number:
        row = sitting.tx.get(LeagueProposal, number)
        if row is None:
            raise Refusal("league-no-proposal", number=number)
        if row.state == ProposalState.OPEN and row.due_ms > sitting.now_ms:
            return row
        raise Refusal(
            "league-proposal-shut",
            number=number,
            state=ProposalState.LAPSED if row.state == ProposalState.OPEN else row.state,
        )
    found = [] if league is None else waiting(sitting, league)
    if len(found) != 1:
        raise (
            Refusal("league-no-proposal", number=0)
            if not found
            else Refusal("league-which-proposal", numbers=[row.id for row in found])
        )
    return found[0]


def turned(sitting: Sitting, row: LeagueProposal, who: Official) -> dict[str, Any]:
    """Turn the second key: the proposal is done, and its act's arguments come back, to be acted upon in the
    same transaction. Raises Refusal for one's own proposal, whatever channel it comes by, and where whoever
    proposed it may not do that any more.
    """
    if key_of(sitting, row) == who.key:
        raise Refusal("league-second-own", number=row.id)
    if row.person_id is not None and not may_still(sitting, row, row.person_id):
        raise Refusal("league-proposer-gone", number=row.id, by=row.by)
    if (
        sitting.tx.change(
            LeagueProposal,
            {"id": row.id, "state": "open"},
            state=ProposalState.DONE,
            closed_ms=sitting.now_ms,
        )
        == 0
    ):
        raise Refusal("league-proposal-shut", number=row.id, state=ProposalState.DONE)
    args: dict[str, Any] = json.loads(row.args)
    return args


def may_still(sitting: Sitting, row: LeagueProposal, person_id: int) -> bool:
    """Whether whoever proposed something could propose it now."""
    me = officials.now(sitting.tx, person_id)
    mine = sitting.tx.all(LeagueRole, league_id=row.league_id, person_id=officials.family(sitting.tx, me))
    return me in house(sitting) or any(reaches(one.role, MAY[row.act]) for one in mine)


def shut(sitting: Sitting, row: LeagueProposal, state: str) -> None:
    """It comes to nothing."""
    sitting.tx.change(LeagueProposal, {"id": row.id, "state": "open"}, state=state, closed_ms=sitting.now_ms)


def carried(sitting: Sitting, row: LeagueProposal, league: League, who: Official) -> None:
    """Tell whoever proposed it that it is done."""
    if row.person_id is not None:
        outbox.to_person(
            sitting,
            row.person_id,
            "notice",
            data=notices("league-carried", league=league.name, by=who.by, number=row.id),
        )
