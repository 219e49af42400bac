"""Who runs a league, and what each may do.

An owner may do everything, a director everything but who runs the league and its end, a moderator what people
at the tables need. The admins of the installation, and the person who sits at its console, count as owners of
every league.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.ids import NOBODY, PersonId
from referee.rules import Refusal
from referee.store import League, LeagueRole, Person, Tx

from ..core.unit_of_work import UnitOfWork
from ..people import officials as people_officials

OWNER, DIRECTOR, MODERATOR = "owner", "director", "moderator"
ROLES = (MODERATOR, DIRECTOR, OWNER)

#: acts that tell of a league's people and of their games (see onlookers.py)
INSIDE = frozenset(
    {
        "people",
        "standings",
        "schedule",
        "tables",
        "table",
        "player",
        "stats",
        "seasons",
        "hall",
        "export",
    }
)
#: act -> the least role that may do it; "" where anybody may; "house": an admin of the installation or its
#: console
MAY: Mapping[str, str] = {
    **dict.fromkeys(INSIDE, ""),
    **dict.fromkeys(("list", "help", "show", "settings", "roles", "join", "team"), ""),
    **dict.fromkeys(("alternate", "leave", "report"), ""),
    **dict.fromkeys(("admit", "penalty", "announce", "audit", "proposals"), MODERATOR),
    **dict.fromkeys(("reports", "handled", "waiting", "remind"), MODERATOR),
    **dict.fromkeys(("invite", "revoke", "invitations", "answers"), MODERATOR),
    **dict.fromkeys(
        (
            "set",
            "open",
            "yes",
            "draw",
            "redraw",
            "start",
            "postpone",
            "extend",
            "pause",
            "resume",
            "substitute",
            "bonus",
            "bye",
            "remove",
            "void",
            "replay",
            "rule",
            "room",
            "second",
            "refuse",
        ),
        DIRECTOR,
    ),
    **dict.fromkeys(("role", "rename", "close"), OWNER),
    "new": "house",
}
#: the most points that a moderator takes from somebody at once
MODERATOR_PENALTY = 2


@dataclass(frozen=True, slots=True)
class Official:
    """The one who speaks to the office: a person, or the console (None).

    `by` is how the log calls them, `via` the channel, `house` whether they look after the whole installation,
    `zone` and `language` how they read, `ranks` as whom they act, `number` under which number their key is
    counted (see `service.standing`).
    """

    person: Person | None
    by: str
    via: str
    house: bool = False
    zone: str = "UTC"
    language: str = "en"
    ranks: tuple[people_officials.OfficialRights, ...] = ()
    number: PersonId = NOBODY

    @property
    def person_id(self) -> PersonId | None:
        """The person's number, None for the console."""
        return None if self.person is None else self.person.id

    @property
    def key(self) -> str:
        """What makes two keys the same: one person has one, the console has one."""
        return "console" if self.person is None else f"person:{self.number}"


#: what nobody did
CLOCK = Official(None, "", "")


def role_of(tx: Tx, league: League, who: Official) -> str:
    """What somebody is in a league, "" for nothing."""
    if who.house:
        return OWNER
    found = [
        row.role
        for row in tx.all(LeagueRole, league_id=league.id)
        if people_officials.holds(who.ranks, row.person_id, row.given_ms)
    ]
    return max(found, key=ROLES.index, default="")


def reaches(role: str, needed: str) -> bool:
    """Whether a role is enough."""
    return not needed or (role in ROLES and needed in ROLES and ROLES.index(role) >= ROLES.index(needed))


def must(tx: Tx, league: League | None, who: Official, act: str, needed: str = "") -> None:
    """Raises Refusal, which says who may, for somebody who may not."""
    needed = needed or MAY[act]
    if needed == "house":
        if not who.house:
            raise Refusal("league-needs-house")
    elif league is not None and not reaches(role_of(tx, league, who), needed):
        raise Refusal(
            f"league-needs-{needed}",
            league=league.name,
            act=act,
            names=holders(tx, league, needed),
            mine=role_of(tx, league, who),
        )


def holders(tx: Tx, league: League, needed: str) -> list[str]:
    """The names of those who have that role or a higher one, the highest first."""
    found = [
        (ROLES.index(row.role), row.id, row.person_id)
        for row in tx.all(LeagueRole, league_id=league.id)
        if reaches(row.role, needed)
    ]
    people = [
        tx.get(Person, person_id) for _, _, person_id in sorted(found, key=lambda one: (-one[0], one[1]))
    ]
    return [person.name for person in people if person is not None]


def officials(tx: Tx, league: League) -> list[tuple[str, str]]:
    """Everybody who runs a league: (role, name), the highest first."""
    found = []
    for role in reversed(ROLES):
        for row in tx.all(LeagueRole, league_id=league.id, role=role, order="id"):
            person = tx.get(Person, row.person_id)
            if person is not None:
                found.append((role, person.name))
    return found


def give(uow: UnitOfWork, league: League, person: Person, role: str) -> dict[str, object]:
    """Make somebody owner, director or moderator ("": nothing any more), from all of their addresses.

    Raises Refusal where nobody would own the league, or nothing changes.
    """
    tx = uow.tx
    me = people_officials.now(tx, person.id)
    mine = tx.all(LeagueRole, league_id=league.id, person_id=people_officials.family(tx, me))
    before = max((row.role for row in mine), key=ROLES.index, default="")
    own = next((row for row in mine if row.person_id == me), None)
    since_ms = people_officials.since_ms(tx, me)
    if before == role and (not role or (own is not None and own.role == role and own.given_ms >= since_ms)):
        raise Refusal("league-role-same", name=person.name, role=role, league=league.name)
    others = [row for row in tx.all(LeagueRole, league_id=league.id, role=OWNER) if row not in mine]
    if before == OWNER != role and not others:
        raise Refusal("league-last-owner", name=person.name, league=league.name)
    for row in mine:  # what a joined address may do by itself is never more than what is given now
        if not role or (row.person_id != me and not reaches(role, row.role)):
            tx.drop(LeagueRole, id=row.id)
    if role and own is None:
        tx.add(LeagueRole, league_id=league.id, person_id=me, role=role, given_ms=max(uow.now_ms, since_ms))
    elif role and own is not None:
        tx.set(LeagueRole, own.id, role=role, given_ms=max(uow.now_ms, since_ms))
    return {"league": league.name, "name": person.name, "person": me, "role": role, "before": before}
