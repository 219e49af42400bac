"""Swiss and knock-out seasons in which anything happens: each ends by its own clock, nobody sits at two
tables of a round, tables keep their sizes, and a knock-out comes down to one table.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league import lookup
from referee.service.league.office import rulings
from referee.service.league.scores import results
from referee.service.league.terms import Terms
from referee.store import Alert, Game, TableResult
from tests.seeds import share
from tests.service.league.seasons import begun, do, people, season, tables
from tests.service.league.test_random_seasons import DECIDED, TERMS, Crowd, decided
from tests.service.rig import House

SWISS = replace(TERMS, format="swiss", rounds=3)
CUP = replace(TERMS, format="knockout", advance=2)


class Office:
    """An official who now and then rules, voids or replays a table."""

    def __init__(self, house: House, seed: int) -> None:
        self.house, self.dice = house, random.Random(f"office {seed}")

    def tick(self) -> None:
        every = tables(self.house)
        what: Callable[[UnitOfWork, Any, Any], Any] | None = self.dice.choices(
            (rulings.rule, rulings.void, rulings.replay, None), (2, 1, 1, 20)
        )[0]
        if every and what is not None:
            table, now = self.dice.choice(every), season(self.house)
            with suppress(Refusal):
                do(self.house, lambda one: what(one, now, table))


async def played(office: House, seed: int, terms: Terms, many: int) -> None:
    """A season by dice, to its end."""
    everybody = await begun(office, many, terms, spare=2)
    everybody += people(office, 3, first=100)
    crowd, official = Crowd(office, seed, everybody), Office(office, seed)
    for _ in range(260):
        crowd.tick()
        official.tick()
        await office.referee.scheduler.ring()
        if season(office).state == "over":
            break
        office.clock.pass_(hours=12)
    assert season(office).state == "over"
    assert office.store.read_now(lambda tx: tx.all(Alert)) == []
    assert not office.store.read_now(lambda tx: tx.count(Game, status=("running", "mustering", "lobby")))


def seated_once(office: House, terms: Terms) -> None:
    every = tables(office)
    assert {one.state for one in every} <= DECIDED
    now = season(office)
    for row in do(office, lambda one: lookup.rounds(one, now)):
        here = [one for one in every if one.round == row.no and one.state != "replayed"]
        sat = [who for one in here for who in lookup.people_of(one)]
        assert len(set(sat)) == len(sat)
        assert not set(sat) & set(lookup.facts_of(row)["byes"])
        assert all(len(lookup.people_of(one)) <= terms.most for one in here)
        assert all(len(lookup.people_of(one)) >= terms.least for one in here if one.replays is None)
    for table in every:
        decided(office, table)


@pytest.mark.parametrize("seed", share([1, 2, 3, 4]))
async def test_every_swiss_season_ends_and_seats_nobody_twice(office: House, seed: int) -> None:
    await played(office, seed, SWISS, 13)
    seated_once(office, SWISS)
    now = season(office)
    assert len(do(office, lambda one: lookup.rounds(one, now))) == 3


@pytest.mark.parametrize("seed", share([1, 2, 3, 4, 5, 6, 7, 8]))
async def test_every_knock_out_comes_down_to_one_table(office: House, seed: int) -> None:
    await played(office, seed, CUP, 17)
    seated_once(office, CUP)
    every = [one for one in tables(office) if one.state != "replayed"]
    last = max(one.round for one in every)
    final = [one for one in every if one.round == last]
    now = season(office)
    going = [
        {who for one in every if one.round == no for who in lookup.people_of(one)}
        | set(lookup.facts_of(row)["byes"])
        for no, row in enumerate(do(office, lambda one: lookup.rounds(one, now)), 1)
    ]
    assert all(len(after) < len(before) for before, after in pairwise(going))
    rows = do(office, lambda one: results.standings(one, now, 1))
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))
    if len(final) == 1 and final[0].state in ("over", "ruled"):
        won = office.store.read_now(lambda tx: tx.all(TableResult, table_id=final[0].id, place=1))
        assert rows[0].person in {row.person_id for row in won} or not won
    else:  # too few were left to go on, or the final did not count
        assert len(final) > 1 or final[0].state == "void"
