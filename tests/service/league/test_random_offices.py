"""Seasons whose officials play, and try whatever might lift them: acts on themselves, on rivals, on their own
tables, with accomplices for the second key, with roles given and taken on the way. No act lifts anybody who
turned a key to it, nobody rules on his own table, the log gives the points and rulings of the book, and every
season ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.ids import PersonId
from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league import log, lookup
from referee.service.league.announcements import TOLD
from referee.service.league.office import dispatch, log_replay
from referee.service.league.office.recusal import at_table
from referee.service.league.roles import Official
from referee.service.league.scores import results
from referee.service.league.terms import Terms
from referee.service.people import officials
from referee.store import (
    Address,
    Alert,
    Entry,
    League,
    LeagueProposal,
    LeagueRole,
    OfficeLog,
    Outbox,
    Season,
    SeasonTable,
    SeatOffer,
    TableResult,
    Tx,
)
from tests.seeds import share
from tests.service.league.seasons import do, league, opened, people, person, season, tables
from tests.service.league.test_random_seasons import DECIDED, Crowd
from tests.service.rig import House

TERMS = Terms(
    least=3,
    most=5,
    wanted=4,
    points="6/4/3/2/1",
    rounds=3,
    round_days=5,
    overtime_days=2,
    division=7,
    up=1,
    down=1,
    withdrawal="1",
)
CONSOLE = Official(None, "zoe", "console", house=True)
#: what is decided on a table
ON_TABLES = frozenset({"rule", "void", "replay"})
#: the most tables that are played again: each makes its round longer
REPLAYS = 4


class Standing(NamedTuple):
    """Where somebody stands in a division."""

    points: Fraction
    place: int


class Schemers(Crowd):
    """A crowd whose officials act, by dice and in their own interest; `runs`: their numbers."""

    def __init__(self, house: House, seed: int, everybody: list[int], runs: list[int]) -> None:
        super().__init__(house, seed, everybody)
        self.runs = runs
        self.done = self.refused = self.last_resorts = 0

    def tick(self) -> None:
        """Half a day: what the others do, and some acts."""
        super().tick()
        for _ in range(6):
            self.act(self.dice.choice([*self.runs, self.dice.choice(self.everybody)]))

    def accepted(self, one: UnitOfWork, offer: SeatOffer) -> None:
        """Nothing comes of it for those whom an official took out meanwhile."""
        with suppress(Refusal):
            super().accepted(one, offer)

    def signs(self) -> None:
        """In words, so that it stands in the log."""
        who = self.dice.choice(self.everybody)
        what = self.dice.choices(("leave", "join", "alternate", ""), (1, 2, 2, 6))[0]
        if what:
            self.says(who, what)

    def act(self, who: int) -> None:
        """Somebody turns a key to what waits, or tries something new."""
        waiting = self.house.store.read_now(lambda tx: tx.all(LeagueProposal, state="open"))
        if waiting and self.dice.random() < 0.5:
            word = "second" if self.dice.random() < 0.8 else "refuse"
            self.says(who, f"{word} {self.dice.choice(waiting).id}")
        else:
            self.says(who, self.something(who))

    def something(self, who: int) -> str:
        """An act as it is typed: a third of them about oneself."""
        dice = self.dice
        whom = f"terminal:p{who if dice.random() < 0.3 else dice.choice(self.everybody)}"
        table = self.a_table(who)
        replays = len(tables(self.house, "replayed"))
        acts = [
            f"penalty {whom} {dice.choice(('1', '2', '5', '-1', '-2', '-50'))} because so",
            f"bonus {whom} {dice.choice(('1', '3', '50'))} because so",
            f"bye {whom}",
            f"remove {whom} because so",
            f"admit {whom}",
            f"substitute table {table.no} {self.at(table)} by {whom}",
            f"rule table {table.no} by scores",
            f"rule table {table.no} {', '.join(self.order(table, who))}",
            f"void table {table.no}",
            f"replay table {table.no}" if replays < REPLAYS else "redraw",
            "redraw",
            "postpone by 2 hours",
            f"role {whom} {dice.choice(('director', 'moderator', 'none'))}",
        ]
        return dice.choice(acts)

    def a_table(self, who: int) -> SeasonTable:
        """Any; half of the time one's own."""
        every = tables(self.house)
        mine = [one for one in every if who in lookup.people_of(one)]
        return self.dice.choice(mine if mine and self.dice.random() < 0.5 else every)

    def at(self, table: SeasonTable) -> str:
        return f"terminal:p{self.dice.choice(lookup.people_of(table))}"

    def order(self, table: SeasonTable, who: int) -> list[str]:
        """The names of a table, those whom one likes first."""
        names = sorted(lookup.people_of(table), key=lambda one: (one != who, self.dice.random()))
        return [f"Player {one}x" for one in names]

    def says(self, who: int, text: str) -> None:
        """Say it to the office.  What is done is held against the laws in the same transaction."""

        def said(one: UnitOfWork) -> None:
            me = speaks(one, who)
            one.tx.change(Outbox, {"state": "queued"}, state="dropped", collapse="")
            before, free = standings(one), outsiders(one)
            lines = one.tx.count(OfficeLog)
            sat = {table.no: at_table(one, table) for table in lookup.tables(one, season(self.house))}
            dispatch.said(one, me, f'"Winter Cup" {text}')
            for line in one.tx.all(OfficeLog, order="id")[lines:]:
                if line.person_id is not None and line.act not in ("propose", "refuse", "role"):
                    self.holds(one, line, before, sat, free)

        try:
            do(self.house, said)
        except Refusal:
            self.refused += 1
        else:
            self.done += 1

    def holds(
        self,
        one: UnitOfWork,
        line: OfficeLog,
        before: dict[int, dict[int, Standing]],
        sat: dict[int, set[PersonId]],
        free: set[int],
    ) -> None:
        """What was just done lifted nobody who turned a key to it, and decided no table of theirs; but where
        everybody was told that nobody else was left.
        """
        facts = json.loads(line.facts)
        proposals = [one.tx.get(LeagueProposal, facts["number"])] if facts.get("proposed_by") else []
        keys = [line.person_id, *(row.person_id for row in proposals if row is not None)]
        turned = [int(key) for key in keys if key is not None]
        two = bool(facts.get("proposed_by"))
        if told_to_all(one, self.house):
            self.last_resorts += 1
            assert len(free) < (2 if two else 1), (line.act, turned, free)
            return
        now = standings(one)
        for key in turned:
            for division, then in before.get(key, {}).items():
                after = now.get(key, {}).get(division, then)
                said = (line.act, line.facts, turned, then, after)
                assert (after.points <= then.points, after.place >= then.place) == (True, True), said
            if line.act in ON_TABLES and facts.get("table"):
                assert key not in sat[facts["table"]], (line.act, line.facts, turned)


def told_to_all(one: UnitOfWork, house: House) -> bool:
    """Whether it was just told that nobody else was left: then to everybody in the season."""
    told = {
        row.person_id
        for row in one.tx.all(Outbox, state="queued")
        if "league-last-resort" in row.data and row.person_id is not None
    }
    assert not told or told >= {row.person_id for row in lookup.entries(one, season(house), *TOLD)}
    return bool(told)


def standings(one: UnitOfWork) -> dict[int, dict[int, Standing]]:
    """Where everybody stands: person -> division -> Standing."""
    (now,) = one.tx.all(Season)
    found: dict[int, dict[int, Standing]] = {}
    for division in {row.division for row in lookup.entries(one, now)} - {0}:
        for place, row in enumerate(results.standings(one, now, division), 1):
            found.setdefault(row.person, {})[division] = Standing(row.points, place)
    return found


def outsiders(one: UnitOfWork) -> set[int]:
    """Who holds a key to everything and was never in the season; for a day not whom an official made so."""
    late = {
        int(json.loads(line.facts)["person"])
        for line in one.tx.all(OfficeLog, act="role")
        if line.person_id is not None and line.at_ms > one.now_ms - 86_400_000
    }
    runs = {row.person_id for row in one.tx.all(LeagueRole, role=("owner", "director"))}
    house = {1} if one.settings.admins else set()
    entered = {row.person_id for row in one.tx.all(Entry)}
    return (runs - late | house) - entered


def speaks(one: UnitOfWork, who: int) -> Official:
    """Somebody as the office sees them, from their own address."""
    at = one.tx.one(Address, person_id=who)
    assert at is not None
    return Official(
        person(one, who),
        f"Player {who}x",
        "terminal",
        ("terminal", at.address) in one.settings.admins,
        ranks=officials.ranks(one.tx, PersonId(who), at),
        number=officials.key(one, PersonId(who)),
    )


async def laid(house: House, seed: int) -> Schemers:
    """A season of two divisions that has begun, opened in words; who runs it is drawn."""
    league(house, TERMS)
    everybody = people(house, 18)
    crowd = Schemers(house, seed, everybody, [])
    dice = crowd.dice
    do(house, lambda one: dispatch.said(one, CONSOLE, '"Winter Cup" open'))
    do(
        house, lambda one: dispatch.said(one, CONSOLE, '"Winter Cup" yes')
    )  # rounds this short are no accident
    playing = everybody[:14]
    for who in playing:
        crowd.says(who, "join")
    for who in everybody[14:16]:
        crowd.says(who, "alternate")
    crowd.runs = [*dice.sample(playing, 3), *dice.sample(everybody[16:], dice.randint(0, 2))]
    for who, role in zip(
        crowd.runs, ("owner", "director", "moderator", "director", "director"), strict=False
    ):
        text = f'"Winter Cup" role terminal:p{who} {role}'
        do(house, lambda one, text=text: dispatch.said(one, CONSOLE, text))
    if 1 not in crowd.runs:
        crowd.runs.append(1)  # who looks after the house, in half of the seasons
    do(house, lambda one: dispatch.said(one, CONSOLE, '"Winter Cup" start'))
    for _ in range(3):
        await house.referee.scheduler.ring()
    assert season(house).state == "running"
    return crowd


@pytest.mark.parametrize("seed", share(range(1, 13)))
async def test_no_act_lifts_its_own_actor(tmp_path: Path, seed: int) -> None:
    admins = (("terminal", "p1"),) if seed % 2 else ()
    office = await opened(tmp_path / "referee.db", admins=admins)
    try:
        crowd = await laid(office, seed)
        for _ in range(260):
            crowd.tick()
            await office.referee.scheduler.ring()
            if season(office).state == "over":
                break
            office.clock.pass_(hours=12)
        assert season(office).state == "over"
        assert office.store.read_now(lambda tx: tx.all(Alert)) == []
        assert {one.state for one in tables(office)} <= DECIDED
        assert crowd.refused > 50
        assert crowd.done > 20
        do(office, replayed)
    finally:
        await office.close()


def replayed(one: UnitOfWork) -> None:
    """The log is whole, and all points and rulings of the book follow from it."""
    (the,) = one.tx.all(League)
    now = lookup.latest(one, the)
    assert now is not None
    assert log.verify(one.tx, log.scope_of(the)) == 0
    assert log_replay.flaws(one.tx, the) == []
    ledger = log_replay.ledgers(one.tx, the)[now.no]
    here = {row.person_id: row.division for row in lookup.entries(one, now)}
    for division in set(here.values()) - {0}:
        for row in results.standings(one, now, division):
            # who has changed divisions stands in both, and is charged once
            taken = ledger.taken.get(row.person, 0) if here[row.person] == division else 0
            assert row.penalty == Fraction(taken, 100)


async def test_a_book_that_was_changed_from_outside_is_found_out(tmp_path: Path) -> None:
    office = await opened(tmp_path / "referee.db", admins=(("terminal", "p1"),))
    try:
        crowd = await laid(office, 1)
        for _ in range(20):
            crowd.tick()
            await office.referee.scheduler.ring()
            office.clock.pass_(hours=12)
        do(office, replayed)
        ruled = next(iter(tables(office, "ruled")), None) or tables(office, "over")[0]
        for change in (
            lambda tx: tx.change(Entry, {"person_id": 2}, penalty=-900),
            lambda tx: tx.change(SeasonTable, {"no": ruled.no}, state="void"),
            lambda tx: tx.change(TableResult, {"table_id": ruled.id}, flags='{"ruled": true}', place=9),
        ):
            with suppress(Undone):
                office.store.write_now(lambda tx, change=change: undone(tx, change))
    finally:
        await office.close()


class Undone(Exception):
    """Nothing of this is to stay."""


def undone(tx: Tx, change: Callable[[Tx], object]) -> None:
    """Change the book and look; then take it back."""
    change(tx)
    (the,) = tx.all(League)
    assert len(log_replay.flaws(tx, the)) == 1
    raise Undone
