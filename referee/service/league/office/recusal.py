"""Nobody acts on himself, at a table where he plays, or where an act may lift him in his own division.

    touched = ACTS["rule"].touches(matter)                  whom and what an act concerns
    Keys(uow, league, "rule", role, touched).must(who)       raises Refusal for a key that does not count

A key is *free* where its person has nothing to do with the matter. While enough keys are free, only they
count: one for an act of one key, both for an act of two. Where none is left, an admin of the installation may
turn one all the same; where one of two is missing, so may somebody who merely plays in the division. Then
everybody in the season is told. The console is nobody, so it is always free.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple

from referee.ids import NOBODY, DivisionNo, PersonId
from referee.policy import DAY_MS
from referee.rules import Refusal
from referee.states import EntryState
from referee.store import (
    Entry,
    League,
    LeagueProposal,
    LeagueRole,
    OfficeLog,
    Person,
    Season,
    SeasonTable,
    Seat,
    TableResult,
)

from ...core.unit_of_work import UnitOfWork
from ...people import officials
from .. import log, lookup
from ..announcements import announce
from ..roles import Official, reaches
from ..scores import teams

#: for so long a role that somebody involved gave or took makes no difference to what they are involved in
COOLS_MS = DAY_MS


class Involved(StrEnum):
    """Why a key does not count; the worst first."""

    SELF = "self"
    TABLE = "table"
    DIVISION = "division"
    APPOINTED = "appointed"
    NOT = ""


class Touched(NamedTuple):
    """What an act is about.

    `season` None: nobody in particular, so anybody's key counts. `people` are the persons whom it names,
    `table` the table it decides on; `division`: where places may change by it, 0 for all of the season, None
    for nowhere; `frees`: it may free a seat, which an alternate gains by.
    """

    season: Season | None = None
    people: frozenset[PersonId] = frozenset()
    table: SeasonTable | None = None
    division: DivisionNo | None = None
    frees: bool = False


#: an act that is for all, or concerns nobody's points
NOBODY_IN_PARTICULAR = Touched()


class Key(NamedTuple):
    """A person's key in a matter: why it does not count by itself, and whether they look after the house."""

    number: PersonId
    why: Involved
    house: bool


#: nobody's: it is always free
CONSOLE = Key(NOBODY, Involved.NOT, True)


@dataclass
class Keys:
    """Who holds a key to one act, and whose counts. `needed`: the role; `two`: whether two must be turned."""

    uow: UnitOfWork
    league: League
    act: str
    needed: str
    touched: Touched
    two: bool = False
    _seats: dict[PersonId, Involved] = field(default_factory=dict)

    def of(self, person_id: PersonId, *, house: bool) -> Key:
        """The key of a person; `house`: they speak as an admin of the installation."""
        mine = officials.circle(self.uow, person_id)
        number = min(mine)
        if number not in self._seats:
            self._seats[number] = involved(self.uow, self.touched, mine)
        why = self._seats[number]
        if why == Involved.NOT and not house and self._appointed(mine):
            why = Involved.APPOINTED
        return Key(number, why, house)

    @cached_property
    def free(self) -> dict[PersonId, PersonId]:
        """The keys that count by themselves: number -> a person who holds it."""
        house = officials.house(self.uow)
        found: dict[PersonId, PersonId] = {}
        for one in sorted(holders(self.uow, self.league, self.needed) | house):
            key = self.of(one, house=one in house)
            if key.why == Involved.NOT:
                found.setdefault(key.number, one)
        return found

    def must(self, who: Official, other: Key | None = None) -> Key:
        """Somebody turns a key, `other` is in already; returns theirs.

        Raises Refusal, which says why it does not count and who may instead.
        """
        if who.person is None:
            return CONSOLE
        key = self.of(who.person.id, house=who.house)
        if not self.counts(key, other):
            raise self._refused(key, other)
        return key

    def counts(self, key: Key, other: Key | None = None) -> bool:
        """Whether a key may be turned, beside the one that is in already: it, or too few others, are free."""
        return self.touched.season is None or key.why == Involved.NOT or self._as_last(key, other)

    def _as_last(self, key: Key, other: Key | None) -> bool:
        """Whether a key that is not free counts, as too few others are left."""
        left = set(self.free) - ({other.number} if other is not None else set())
        may = key.house or (self.two and key.why == Involved.DIVISION)
        if not may or self.taken_away:
            return False
        if not self.two:
            return not left
        if other is None:
            return len(left) < 2
        return not left and (key.house or other.house or other.why == Involved.NOT)

    def of_proposer(self, row: LeagueProposal) -> Key:
        """The key that is in a proposal."""
        if row.person_id is None:
            return CONSOLE
        house = officials.now(self.uow.tx, row.person_id) in officials.house(self.uow)
        return self.of(row.person_id, house=house)

    def still(self, row: LeagueProposal) -> Key:
        """The key of the person who proposed something, if it counts by now.  Raises Refusal."""
        key = self.of_proposer(row)
        if not self.counts(key):
            raise Refusal("league-proposer-involved", league=self.league.name, number=row.id, by=row.by)
        return key

    def may_turn(self, first: Key) -> list[PersonId]:
        """The persons whose key would count beside the first one, in order."""
        house = officials.house(self.uow)
        found = []
        for one in sorted(holders(self.uow, self.league, self.needed) | house):
            key = self.of(one, house=one in house)
            if key.number != first.number and self.counts(key, first):
                found.append(one)
        return found

    def _refused(self, key: Key, other: Key | None) -> Refusal:
        tx = self.uow.tx
        names = [
            person.name
            for number, one in self.free.items()
            if (other is None or number != other.number) and (person := tx.get(Person, one)) is not None
        ]
        admins = [
            person.name
            for one in sorted(officials.house(self.uow))
            if (person := tx.get(Person, one)) is not None
            and officials.key(self.uow, one) not in {key.number, *([other.number] if other else [])}
        ]
        return Refusal(
            "league-involved",
            league=self.league.name,
            act=self.act,
            why=str(key.why),
            names=names[:6],
            admins=[] if names else admins[:6],
            taken=[] if names else self.taken_away[:6],
        )

    @cached_property
    def _roles_of_late(self) -> Sequence[tuple[PersonId, PersonId, str, str]]:
        """Who gave roles in the last day, to whom, what they were before and after; the newest first."""
        rows = self.uow.tx.all(OfficeLog, scope=log.scope_of(self.league), act="role", order="-no", limit=50)
        found = []
        for row in rows:
            if row.person_id is not None and row.at_ms > self.uow.now_ms - COOLS_MS:
                facts = json.loads(row.facts)
                found.append(
                    (row.person_id, PersonId(int(facts["person"])), facts.get("before", ""), facts["role"])
                )
        return found

    def _appointed(self, mine: set[PersonId]) -> bool:
        """Whether somebody has their role since less than a day, from one who is involved himself."""
        return any(
            officials.now(self.uow.tx, whom) in mine
            and reaches(role, self.needed)
            and not reaches(before, self.needed)
            and self._by_involved(giver)
            for giver, whom, before, role in self._roles_of_late
        )

    @cached_property
    def taken_away(self) -> list[str]:
        """The names of those who could have acted, but for a role that one who is involved himself took."""
        found = []
        for giver, whom, before, role in self._roles_of_late:
            gone = reaches(before, self.needed) and not reaches(role, self.needed)
            person = self.uow.tx.get(Person, officials.now(self.uow.tx, whom))
            if (
                gone
                and person is not None
                and officials.key(self.uow, person.id) not in self.free
                and self._by_involved(giver)
                and involved(self.uow, self.touched, officials.circle(self.uow, person.id)) == Involved.NOT
            ):
                found.append(person.name)
        return found

    def _by_involved(self, giver: PersonId) -> bool:
        return involved(self.uow, self.touched, officials.circle(self.uow, giver)) != Involved.NOT


def involved(uow: UnitOfWork, touched: Touched, mine: Iterable[PersonId]) -> Involved:
    """What one human being, by all of their numbers, has to do with what an act touches."""
    if touched.season is None:
        return Involved.NOT
    numbers = tuple(mine)
    if touched.people.intersection(numbers):
        return Involved.SELF
    if touched.table is not None and at_table(uow, touched.table).intersection(numbers):
        return Involved.TABLE
    if touched.division is None:
        return Involved.NOT
    for entry in uow.tx.all(Entry, season_id=touched.season.id, person_id=numbers):
        if entry.state == EntryState.WAITING and not entry.division:
            plays = touched.frees
        elif not entry.division:
            plays = entry.state == EntryState.SIGNED
        else:  # a team stands by what its people have in all divisions
            near = bool(teams.team_of(entry)) or touched.division in (0, entry.division)
            plays = near and entry.state != EntryState.REFUSED
        if plays:
            return Involved.DIVISION
    return Involved.DIVISION if _took_over(uow, touched.season, touched.division, numbers) else Involved.NOT


def _took_over(uow: UnitOfWork, season: Season, division: DivisionNo, numbers: tuple[PersonId, ...]) -> bool:
    """Whether somebody of another division has a seat or a result at a table here: they stand in both."""
    tables = uow.tx.all(SeasonTable, season_id=season.id, division=division)
    games = tuple(one.game_id for one in tables if one.game_id is not None)
    results = uow.tx.count(TableResult, table_id=tuple(one.id for one in tables), person_id=numbers)
    return results > 0 or uow.tx.count(Seat, game_id=games, person_id=numbers) > 0


def at_table(uow: UnitOfWork, table: SeasonTable) -> set[PersonId]:
    """Everybody who was drawn for a table, sits there, or has a result from it."""
    found = set(lookup.people_of(table))
    if table.game_id is not None:
        seats = uow.tx.all(Seat, game_id=table.game_id)
        found |= {one.person_id for one in seats if one.person_id is not None}
    return found | {one.person_id for one in uow.tx.all(TableResult, table_id=table.id)}


def holders(uow: UnitOfWork, league: League, needed: str) -> set[PersonId]:
    """The persons with that role, or a higher one."""
    return {
        officials.now(uow.tx, row.person_id)
        for row in uow.tx.all(LeagueRole, league_id=league.id)
        if reaches(row.role, needed)
    }


def tell_last_resort(
    uow: UnitOfWork, league: League, act: str, facts: Mapping[str, Any], keys: Sequence[tuple[Key, str]]
) -> None:
    """Tell everybody in the season what was done, where one of these keys (with the names of who turned them)
    was not free, as nobody else was left.
    """
    names = [by for key, by in keys if key.why != Involved.NOT]
    if names:
        because = {"code": f"league_acts.{act}", "facts": dict(facts)}
        announce(uow, league, "league-last-resort", {"names": names, "because": because})
