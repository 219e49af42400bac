"""A process that is killed after every single step of a season: what the season comes to, and what is told of
it, is what it would have been.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel

from referee.service.league import due, lookup
from referee.service.league.entry import sign_up
from referee.service.league.season import draw, draw_worker
from referee.service.league.terms import Terms
from referee.store import Alert, Entry, Game, LeagueRole, OfficeLog, Outbox, TableResult
from tests.service.league.seasons import (
    DAY,
    QUICK,
    begun,
    do,
    joined,
    league,
    opened,
    people,
    person,
    play,
    ready,
    rows,
    season,
    tables,
)
from tests.service.rig import House

#: two rounds; who is late is replaced after a day, and what is not finished is ruled a day after its round
TERMS = replace(QUICK, rounds=2, overtime_days=1, late_hours=24, strikes=2)
FORMATS = {
    "balanced": TERMS,
    "swiss": replace(TERMS, format="swiss"),
    "knockout": replace(TERMS, format="knockout"),
}


class Desk:
    """The office of a house; `kills`: each step is the last one of its process, and a draw is lost with it at
    first.
    """

    def __init__(self, house: House, kills: bool) -> None:
        self.house, self.kills = house, kills
        self.killed = 0

    async def kill(self) -> None:
        if self.kills:
            path, clock = self.house.path, self.house.clock
            self.beat()
            await self.house.store.close()
            self.house = await opened(path, clock=clock)
            self.killed += 1

    def beat(self) -> None:
        """We were here until now: no time is given back for an outage."""
        self.house.store.write_now(self.house.referee.scheduler.presence.beat)

    async def due(self) -> None:
        """Everything that is due by now, step by step."""
        lost = False
        while 0 < season(self.house).due_ms <= self.house.clock():
            lots = do(self.house, lambda one: due.advance(one, season(self.house)))
            await self.kill()
            if lots is not None and self.kills and not lost:
                lost = True
                self.house.clock.pass_(hours=1 / 6)
                self.beat()
            elif lots is not None:
                what = await draw_worker.worked(lots)
                number = season(self.house).id
                do(self.house, partial(due.save_drawn, season_id=number, lots=lots, what=what))
                await self.kill()

    async def days(self, days: float) -> None:
        """Days pass, by quarters of one."""
        until = self.house.clock() + round(days * DAY)
        while self.house.clock() < until:
            self.house.clock.pass_(hours=6)
            await self.due()


async def played(desk: Desk, terms: Terms) -> None:
    """A whole season: somebody never comes and is replaced, somebody leaves, it is drawn anew, a table is not
    finished in time.
    """
    house, at = desk.house, desk.house.clock()
    the = league(house, terms)
    do(house, lambda one: sign_up.open_season(one, the, at + DAY, at + 2 * DAY))
    (boss,) = people(house, 1, first=80)
    house.store.write_now(lambda tx: tx.add(LeagueRole, league_id=the.id, person_id=boss, role="owner"))
    everybody = people(house, 14)
    joined(house, everybody[:12])
    for who in everybody[12:]:
        do(house, lambda one, who=who: sign_up.alternate(one, season(house), person(one, who)))
    await desk.days(1.5)
    do(desk.house, lambda one: draw.redraw(one, season(desk.house)))
    await desk.days(1)
    for round_no in (1, 2):
        first, *others = tables(desk.house, "gathering")
        ready(desk.house, first, but=lookup.people_of(first)[:1])
        for table in others:
            ready(desk.house, table)
        await desk.days(1.25)
        for table in tables(desk.house, "gathering"):
            ready(desk.house, table)
        for table in tables(desk.house, "playing")[1:]:
            play(desk.house, table)
        await desk.due()
        if round_no == 1:
            gone = lookup.people_of(others[0])[0]
            do(
                desk.house,
                lambda one, gone=gone: sign_up.leave_season(one, season(desk.house), person(one, gone)),
            )
            if terms.format == "balanced":
                do(desk.house, lambda one: draw.redraw(one, season(desk.house)))
        await desk.days(6.5)
    await desk.days(12)


def came_to(house: House) -> dict[str, object]:
    """What the season came to, in numbers, as a draw may have another seed: lines of the log, sentences that
    were told, by what they tell.
    """

    def column(table: type[SQLModel], name: str, **equals: object) -> list[Any]:
        return house.store.read_now(lambda tx: tx.column(table, name, **equals))

    told = [json.loads(text)["notices"] for text in column(Outbox, "data", kind="league_news")]
    return {
        "told": Counter(one["code"] for notices in told for one in notices),
        "letters": Counter(column(Outbox, "kind")),
        "log": Counter(column(OfficeLog, "act")),
        "tables": Counter((one.round, one.state) for one in tables(house)),
        "games": Counter(column(Game, "status")),
        "results": len(column(TableResult, "id")),
        "entries": Counter(column(Entry, "state")),
        "penalties": Counter(column(Entry, "penalty")),
        "rounds": [(row.no, row.state) for row in rows(house)],
        "alerts": column(Alert, "code"),
    }


@pytest.mark.parametrize("form", FORMATS)
async def test_a_process_killed_after_every_step_of_a_season_does_nothing_twice_and_loses_nothing(
    tmp_path: Path, form: str
) -> None:
    found = []
    for kills in (False, True):
        desk = Desk(await opened(tmp_path / f"{kills}.db"), kills)
        await played(desk, FORMATS[form])
        assert season(desk.house).state == "over"
        found.append(came_to(desk.house))
        assert (desk.killed > 30) is kills
        await desk.house.close()
    assert found[0] == found[1]


async def test_an_outage_does_not_take_the_day_in_which_a_last_table_can_be_reported(tmp_path: Path) -> None:
    """The season was over in the moment in which the referee was back."""
    house = await opened(tmp_path / "r.db")
    await begun(house, 4, replace(QUICK, rounds=1))
    (table,) = tables(house)
    ready(house, table)
    play(house, table)
    await house.referee.scheduler.ring()
    house.clock.pass_(hours=10)
    await house.referee.scheduler.stop()
    await house.store.close()
    house.clock.pass_(hours=48)
    house = await opened(house.path, clock=house.clock)
    for hours, state in ((0, "running"), (13, "running"), (1, "over")):
        house.clock.pass_(hours=hours)
        await house.referee.scheduler.ring()
        assert season(house).state == state, hours
    await house.close()
