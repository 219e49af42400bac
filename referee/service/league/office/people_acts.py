"""What officials do about people who are not at a table yet, or missing there: invitations, reminders, and
problems that were reported.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from referee.ids import LeagueReportId, PersonId

from ..entry import invitations
from . import reports, waiting
from .acts import Facts, LeagueRequest, OfficeAct, for_all
from .recusal import Touched


def _invite(matter: LeagueRequest) -> Facts:
    if not matter.args["name"]:
        return invitations.open_link(matter.uow, matter.league, matter.season)
    person = matter.person()
    return invitations.invite(matter.uow, matter.league, matter.season, person, matter.who.by)


def _invite_touches(matter: LeagueRequest) -> Touched:
    """Nobody invites himself; a code lets in whom it is passed on to, by the league's own conditions."""
    person = frozenset({matter.person().id}) if matter.args["name"] else frozenset[PersonId]()
    return Touched(matter.season, person)


def _revoke(matter: LeagueRequest) -> Facts:
    person = matter.person() if matter.args["name"] else None
    return invitations.revoke(matter.uow, matter.league, matter.season, person)


def _remind(matter: LeagueRequest) -> Facts:
    told = waiting.remind(matter.uow, matter.season)
    return {"league": matter.league.name, **msgspec.to_builtins(told)}


def _handled(matter: LeagueRequest) -> Facts:
    number, why = LeagueReportId(int(matter.args["number"])), str(matter.args["why"])
    return reports.handled(matter.uow, matter.league, matter.who, number, why)


ACTS: Mapping[str, OfficeAct] = {
    "invite": OfficeAct(_invite, touches=_invite_touches),
    "revoke": OfficeAct(_revoke, touches=for_all),
    "remind": OfficeAct(_remind, touches=for_all),
    "handled": OfficeAct(_handled, touches=for_all),
}
