"""Who may join a season that takes invited people only: those whom an official invited by name, and the
holder of its code.

Both are of one season and stand in what it keeps in mind: `invited` (persons), `code` ("" or missing: there
is none). A code lets its holder in for as long as it stands; revoking it leaves those in who used it.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.ids import LeagueId, PersonId
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import League, Person, Season

from ...core import outbox
from ...core.unit_of_work import UnitOfWork
from ...people import officials
from ...people.letter_facts import notice
from .. import lookup
from ..terms import Terms

#: the most people who are invited to a season by name
MOST = 500
#: bytes of chance in a code: nobody guesses one, so wrong ones are not counted
_CODE_BYTES = 10


class Invitations(msgspec.Struct, frozen=True):
    """Who is invited by name and has not joined, who has, and the code ("": there is none)."""

    waiting: list[str]
    joined: list[str]
    code: str


def listing(uow: UnitOfWork, season: Season) -> Invitations:
    """The invitations of a season, for those who run it; nothing is written."""
    kept = lookup.mind(season)
    waiting: list[str] = []
    joined: list[str] = []
    for one in kept.get("invited", ()):
        who = officials.now(uow.tx, PersonId(int(one)))
        entry = lookup.entry_of(uow, season, who)
        here = entry is not None and entry.state in (
            EntryState.SIGNED,
            EntryState.PLAYING,
            EntryState.WAITING,
        )
        (joined if here else waiting).append(lookup.name_of(uow, who))
    return Invitations(waiting, joined, str(kept.get("code", "")))


def payload(league_id: LeagueId, code: str) -> str:
    """What stands behind a bot's address in a link that signs its visitor up with a code."""
    return f"league_{league_id}_{code}"


def invite(uow: UnitOfWork, league: League, season: Season, person: Person, by: str) -> dict[str, Any]:
    """Invite somebody by name, once; they hear of it.  Raises Refusal."""
    invited = _invited(uow, season)
    if any(officials.same(uow.tx, one, person.id) for one in invited):
        raise Refusal("league-invited-already", league=league.name, name=person.name)
    if len(invited) >= MOST:
        raise Refusal("league-invited-many", most=MOST)
    lookup.keep(uow, season, invited=[*invited, person.id])
    told = notice("league-invited-you", league=league.name, season=season.no, by=by)
    outbox.to_person(
        uow,
        person.id,
        replace(told, offers=[("league-join", f"league #{league.id} join")]),
        collapse=f"league-invite:{season.id}:{person.id}",
    )
    return {"league": league.name, "season": season.no, "name": person.name, "person": person.id}


def open_link(uow: UnitOfWork, league: League, season: Season) -> dict[str, Any]:
    """The season's code, made when it is first asked for."""
    code = str(lookup.mind(season).get("code", ""))
    if not code:
        chance = (uow.settings.testing.seeds or secrets.token_bytes)(_CODE_BYTES)
        code = base64.b32encode(chance).decode()
        lookup.keep(uow, season, code=code)
    return {"league": league.name, "season": season.no, "name": "", "invitation": code}


def revoke(uow: UnitOfWork, league: League, season: Season, person: Person | None) -> dict[str, Any]:
    """Take an invitation back (None: the code).  Who has joined stays in.  Raises Refusal."""
    if person is None:
        if not lookup.mind(season).get("code"):
            raise Refusal("league-no-link", league=league.name)
        lookup.keep(uow, season, code=None)
        return {"league": league.name, "season": season.no, "name": ""}
    invited = _invited(uow, season)
    left = [one for one in invited if not officials.same(uow.tx, one, person.id)]
    if len(left) == len(invited):
        raise Refusal("league-not-invited", league=league.name, name=person.name)
    lookup.keep(uow, season, invited=left)
    return {"league": league.name, "season": season.no, "name": person.name, "person": person.id}


def let_in(uow: UnitOfWork, season: Season, terms: Terms, person: Person, code: str) -> None:
    """Raises Refusal for somebody who may not join since nobody invited them, and for a code that opens
    nothing; the holder of the season's code needs no other invitation.
    """
    kept = lookup.mind(lookup.fresh(uow, season))
    league = lookup.league_of(uow, season)
    right = str(kept.get("code", ""))
    if code and not (right and hmac.compare_digest(code.upper().encode(), right.encode())):
        raise Refusal("league-wrong-code", league=league.name)
    known = any(officials.same(uow.tx, one, person.id) for one in _invited(uow, season))
    if terms.entry == "invited" and not code and not known:
        raise Refusal("league-invited-only", league=league.name)


def _invited(uow: UnitOfWork, season: Season) -> list[PersonId]:
    return [PersonId(int(one)) for one in lookup.mind(lookup.fresh(uow, season)).get("invited", ())]
