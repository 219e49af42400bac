"""Seasons in which anything happens: people who never come, who leave, who are kicked, who join late; tables
that nobody finishes. Each ends by its own clock, with every table decided and everybody accounted for.
"""

from __future__ import annotations

import json
import random
from contextlib import suppress
from fractions import Fraction

import pytest

from referee import league as sums
from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.decisions import unseat
from referee.service.league import lookup
from referee.service.league.entry import sign_up
from referee.service.league.office import rulings
from referee.service.league.scores import results
from referee.service.league.terms import Terms
from referee.service.tables import lobby, takeover
from referee.store import Address, Alert, Entry, Game, SeasonTable, SeatOffer, TableResult
from tests.seeds import share
from tests.service.league.conserved import conserved
from tests.service.league.seasons import (
    begun,
    do,
    game,
    people,
    person,
    play,
    ready,
    season,
    tables,
)
from tests.service.rig import House

TERMS = Terms(least=3, most=5, wanted=4, rounds=3, round_days=5, overtime_days=2)
DECIDED = {"over", "ruled", "void", "replayed"}


class Crowd:
    """Who does what, by dice."""

    def __init__(self, house: House, seed: int, everybody: list[int]) -> None:
        self.house, self.dice = house, random.Random(seed)
        self.everybody = everybody
        self.ghosts = {one for one in everybody if self.dice.random() < 0.15}
        self.slow: set[int] = set()

    def tick(self) -> None:
        """Half a day."""
        for table in tables(self.house, "gathering"):
            ready(
                self.house,
                table,
                but=[one for one in self.everybody if one in self.ghosts or self.dice.random() < 0.3],
            )
        for table in tables(self.house, "playing"):
            if table.no not in self.slow and self.dice.random() < 0.15:
                self.slow.add(table.no)  # nobody finishes it
            now = game(self.house, table)
            if now.status == "running" and table.no not in self.slow and self.dice.random() < 0.5:
                play(self.house, table)
            elif now.status == "running" and self.dice.random() < 0.15:
                do(self.house, lambda one, now=now: self.kicked(one, now))
        for offer in self.house.store.read_now(lambda tx: tx.all(SeatOffer, state="asked")):
            if self.dice.random() < 0.5:
                do(self.house, lambda one, offer=offer: self.accepted(one, offer))
        self.signs()

    def kicked(self, one: UnitOfWork, now: Game) -> None:
        seats = [seat for seat in one.seats(int(now.id or 0)) if seat.person_id is not None]
        if len(seats) > 1:
            unseat.kick(
                one,
                lobby.reload(one, now.id),
                {"player": self.dice.choice(seats).no},
                {"seat": None, "by": "an admin"},
            )

    def accepted(self, one: UnitOfWork, offer: SeatOffer) -> None:
        now = lobby.reload(one, offer.game_id)
        if now.status == "running":
            at = one.tx.one(Address, person_id=offer.person_id)
            takeover.take_over(one, now, person(one, offer.person_id), at)

    def signs(self) -> None:
        who = self.dice.choice(self.everybody)
        what = self.dice.choices((sign_up.leave_season, sign_up.join, sign_up.alternate, None), (1, 2, 2, 6))[
            0
        ]
        if what is not None:
            with suppress(Refusal):  # as it would be to anybody who says so at the wrong time
                do(self.house, lambda one: what(one, season(self.house), person(one, who)))


@pytest.mark.parametrize("seed", share([1, 2, 3, 4]))
async def test_every_season_ends_and_everybody_is_accounted_for(office: House, seed: int) -> None:
    everybody = await begun(office, 11, TERMS, spare=2)
    everybody += people(office, 3, first=100)
    crowd = Crowd(office, seed, everybody)
    for _ in range(200):
        crowd.tick()
        await office.referee.scheduler.ring()
        if season(office).state == "over":
            break
        office.clock.pass_(hours=12)
    assert season(office).state == "over"
    assert office.store.read_now(lambda tx: tx.all(Alert)) == []
    every = tables(office)
    assert {one.state for one in every} <= DECIDED
    assert {row.state for row in do(office, lambda one: lookup.rounds(one, season(office)))} == {"closed"}
    assert not office.store.read_now(lambda tx: tx.count(Game, status=("running", "mustering", "lobby")))
    for table in every:
        decided(office, table)
    accounted(office, every)
    conserved(office)


def decided(office: House, table: SeasonTable) -> None:
    """Anyone who sat there at the end has a place, anyone who left has a row that says so, and nobody has
    anything from a table that does not count.
    """
    rows = office.store.read_now(lambda tx: tx.all(TableResult, table_id=table.id))
    if table.state in ("void", "replayed"):
        assert rows == []
        return
    seats = do(office, lambda one: one.seats(int(table.game_id or 0)))
    stayed = {row.person_id for row in rows if not json.loads(row.flags).get("left")}
    assert stayed == {seat.person_id for seat in seats if seat.person_id is not None}
    assert {row.person_id for row in rows} >= set(lookup.people_of(table)) | stayed
    assert all(1 <= row.place <= len(seats) for row in rows)


def accounted(office: House, every: list[SeasonTable]) -> None:
    """In each round everybody who played had one table or a bye, and points are those of places, byes and
    penalties.
    """
    for row in do(office, lambda one: lookup.rounds(one, season(office))):
        sat = [
            who
            for table in every
            if table.round == row.no and table.state != "replayed"
            for who in lookup.people_of(table)
        ]
        byes = lookup.facts_of(row).get("byes", [])
        assert len(set(sat)) == len(sat)
        assert not set(sat) & set(byes)
    table = Terms.table(TERMS)
    found = do(office, lambda one: results.results(one, season(office)))
    rows = do(office, lambda one: results.standings(one, season(office), 1))
    worth: dict[int, Fraction] = dict.fromkeys((row.person for row in rows), Fraction(0))
    for number in {one.table for one in found}:
        at = [one for one in found if one.table == number]
        given = sums.awarded([each.place for each in at], table, at[0].size)
        for one, points in zip(at, given, strict=True):
            if one.person in worth:
                worth[one.person] += 0 if one.abandoned else points
    penalties = {
        one.person_id: Fraction(one.penalty, 100) for one in office.store.read_now(lambda tx: tx.all(Entry))
    }
    for row in rows:
        mean = worth[row.person] / row.played if row.played else Fraction(0)
        assert row.points == worth[row.person] + row.byes * mean - penalties[row.person]
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))


async def test_a_season_called_off_ends_its_games_and_counts_for_nothing(office: House) -> None:
    await begun(office, 8)
    first = tables(office, "gathering")
    ready(office, first[0])
    do(office, lambda one: rulings.void_season(one, season(office)))
    await office.referee.scheduler.ring()
    assert season(office).state == "void"
    assert {game(office, one).status for one in first} == {"abandoned"}
    assert {one.state for one in tables(office, round_no=1)} == {"void"}
    await office.settle()
    assert office.store.read_now(lambda tx: tx.all(Alert)) == []
