"""Who runs a league, and what each may do.

An owner may do everything, a director everything but who runs the league and its end, a moderator what people at the tables need.  The
admins of the house, and whoever sits at its console, count as owners of every league.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.rules import Refusal
from referee.store import League, LeagueProposal, LeagueRole, Person, Tx

from ..sitting import Sitting

OWNER, DIRECTOR, MODERATOR = "owner", "director", "moderator"
ROLES = (MODERATOR, DIRECTOR, OWNER)

#: act -> the least role that may do it; "" where anybody may; "house": an admin of the house or its console
MAY: Mapping[str, str] = {
    **dict.fromkeys(("list", "help", "show", "people", "standings", "schedule", "tables", "table", "player", "settings", "roles",
                     "join", "alternate", "leave", "stats", "export"), ""),
    **dict.fromkeys(("admit", "penalty", "announce", "audit", "proposals"), MODERATOR),
    **dict.fromkeys(("set", "open", "draw", "redraw", "start", "postpone", "substitute", "bye", "remove", "void", "replay", "rule", "room",
                     "second", "refuse"), DIRECTOR),
    **dict.fromkeys(("role", "rename", "close"), OWNER),
    "new": "house",
}
#: the most points that a moderator takes from somebody at once
MODERATOR_PENALTY = 2


@dataclass(frozen=True, slots=True)
class Official:
    """Whoever speaks to the office: a person, or the console (None).  `by` is how the log calls them, `via` the channel, `house` whether
    they look after the whole house, `zone` and `language` how they read."""

    person: Person | None
    by: str
    via: str
    house: bool = False
    zone: str = "UTC"
    language: str = "en"

    @property
    def person_id(self) -> int | None:
        """The person's number, None for the console."""
        return None if self.person is None else self.person.id

    @property
    def key(self) -> str:
        """What makes two keys the same: one person has one, the console has one."""
        return "console" if self.person is None else f"person:{self.person.id}"


#: what nobody did
CLOCK = Official(None, "", "")


def role_of(tx: Tx, league: League, who: Official) -> str:
    """What somebody is in a league, "" for nothing."""
    if who.house:
        return OWNER
    row = tx.one(LeagueRole, league_id=league.id, person_id=who.person_id) if who.person_id is not None else None
    return "" if row is None else row.role


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
        raise Refusal(f"league-needs-{needed}", league=league.name, act=act, names=holders(tx, league, needed), mine=role_of(tx, league, who))


def holders(tx: Tx, league: League, needed: str) -> list[str]:
    """The names of those who have that role or a higher one, the highest first."""
    found = [(ROLES.index(row.role), int(row.id or 0), row.person_id) for row in tx.all(LeagueRole, league_id=league.id) if reaches(row.role, needed)]
    people = [tx.get(Person, person_id) for _, _, person_id in sorted(found, key=lambda one: (-one[0], one[1]))]
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


def give(sitting: Sitting, league: League, person: Person, role: str) -> dict[str, object]:
    """Make somebody owner, director or moderator ("": nothing any more).  Raises Refusal where nobody would own the league, or nothing changes."""
    tx = sitting.tx
    row = tx.one(LeagueRole, league_id=league.id, person_id=person.id)
    before = "" if row is None else row.role
    if before == role:
        raise Refusal("league-role-same", name=person.name, role=role, league=league.name)
    if before == OWNER and tx.count(LeagueRole, league_id=league.id, role=OWNER) < 2:
        raise Refusal("league-last-owner", name=person.name, league=league.name)
    if row is None:
        tx.add(LeagueRole, league_id=league.id, person_id=person.id, role=role)
    elif role:
        tx.set(LeagueRole, row.id, role=role)
    else:
        tx.drop(LeagueRole, id=row.id)
    return {"league": league.name, "name": person.name, "person": person.id, "role": role, "before": before}


def joined(tx: Tx, old: int, new: int) -> None:
    """Two persons turned out to be one: the higher role is theirs, and so are the keys of both."""
    tx.change(LeagueProposal, {"person_id": old}, person_id=new)
    for row in tx.all(LeagueRole, person_id=old):
        other = tx.one(LeagueRole, league_id=row.league_id, person_id=new)
        if other is None:
            tx.set(LeagueRole, row.id, person_id=new)
            continue
        if reaches(row.role, other.role):
            tx.set(LeagueRole, other.id, role=row.role)
        tx.drop(LeagueRole, id=row.id)
