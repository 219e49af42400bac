"""Who may look at a league: everybody where it is public, else those who run it and those who are or were in
it, on their pages and by words; and rooms with its news.
"""

from __future__ import annotations

from referee.rules import Refusal
from referee.store import League, LeagueRoom, Room, Season

from ..core.unit_of_work import UnitOfWork
from ..people import officials
from . import lookup, roles
from .roles import Official
from .terms import read_terms


def must_look_on(uow: UnitOfWork, who: Official, league: League, act: str, room: Room | None) -> None:
    """Raise Refusal unless somebody may be told that where they spoke; None: in private."""
    shown_here = room is not None and uow.tx.one(LeagueRoom, league_id=league.id, room_id=room.id) is not None
    if act in roles.INSIDE and not shown_here and not concerns(uow, league, who):
        raise Refusal(
            "league-private", league=league.name, names=roles.holders(uow.tx, league, roles.MODERATOR)
        )


def concerns(uow: UnitOfWork, league: League, who: Official) -> bool:
    """Whether somebody may see a league: all may see a public one."""
    people = () if who.person_id is None else officials.family(uow.tx, who.person_id)
    return (
        read_terms(league).visible
        or bool(roles.role_of(uow.tx, league, who))
        or any(
            lookup.entry_of(uow, season, one) is not None
            for season in uow.tx.all(Season, league_id=league.id)
            for one in people
        )
    )
