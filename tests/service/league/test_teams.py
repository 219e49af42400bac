"""Teams: who is in which, who may say so, how they stand, and that their people are kept apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league import lookup
from referee.service.league.entry import sign_up
from referee.service.league.scores import results, season_book, standings, teams
from referee.service.league.season import rounds
from referee.store import League
from tests.service.league.seasons import (
    QUICK,
    do,
    joined,
    league,
    people,
    person,
    play_round,
    season,
    tables,
)
from tests.service.league.talking import BEA, BOSS, CY, DAN, EVE, founded, house_of, log, told
from tests.service.rig import House

TEAMS = replace(QUICK, team=2, rounds=2)


def refused(office: House, job: Callable[[UnitOfWork], Any]) -> Refusal:
    with pytest.raises(Refusal) as no:
        do(office, job)
    return no.value


def choose(office: House, who: int, name: str) -> dict[str, Any]:
    return do(office, lambda one: teams.choose(one, season(office), person(one, who), name))


def opened(office: House, many: int) -> list[int]:
    the = league(office, TEAMS)
    do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    who = people(office, many)
    joined(office, who)
    return who


async def test_a_team_has_the_points_of_its_people_who_never_meet(office: House) -> None:
    who = opened(office, 8)
    for place, one in enumerate(who[:6]):
        choose(office, one, ("Red", "Blue", "Green")[place // 2])
    do(office, lambda one: rounds.start(one, season(office)))
    await office.referee.scheduler.ring()
    for no in (1, 2):
        play_round(office, seed=no)
        await office.referee.scheduler.ring()
        office.clock.pass_(hours=24 * 7)
        await office.referee.scheduler.ring()
    together = {frozenset(each) for one in tables(office) for each in combinations(lookup.people_of(one), 2)}
    assert not together & {frozenset(who[at : at + 2]) for at in (0, 2, 4)}

    def shown(one: UnitOfWork) -> dict[str, Any]:
        the = one.tx.all(League)[0]
        return standings.standings(one, season_book.load_season(one.tx, the, season(office)))

    rows = {row.person: row for row in do(office, lambda one: results.standings(one, season(office), 1))}
    found = do(office, shown)["teams"]
    assert {one["team"] for one in found} == {"Red", "Blue", "Green"}
    for one in found:
        mine = [each["person"] for each in one["people"]]
        assert len(mine) == 2
        assert float(one["points"]) == pytest.approx(float(sum(rows[who].points for who in mine)), abs=0.01)
    assert [one["rank"] for one in found] == sorted(one["rank"] for one in found)


def test_a_team_is_found_by_its_name_however_it_is_spelt_and_has_room_for_so_many(office: House) -> None:
    who = opened(office, 4)
    assert choose(office, who[0], "Red  Dragons")["names"] == []
    assert choose(office, who[1], "red dragons")["team"] == "Red Dragons"
    no = refused(office, lambda one: teams.choose(one, season(office), person(one, who[2]), "RED DRAGONS"))
    assert (no.code, no.facts["size"]) == ("league-team-full", 2)
    assert len(no.facts["names"]) == 2
    choose(office, who[0], "")
    assert do(office, lambda one: teams.captain(one, season(office), "Red Dragons")) == who[1]
    choose(office, who[2], "Red Dragons")
    for name in ("...", "x" * 41):
        no = refused(
            office, lambda one, name=name: teams.choose(one, season(office), person(one, who[3]), name)
        )
        assert no.code == "league-team-name"


def test_who_signs_off_has_given_up_the_place_in_the_team(office: House) -> None:
    who = opened(office, 4)
    choose(office, who[0], "Red")
    choose(office, who[1], "Red")
    do(office, lambda one: sign_up.leave_season(one, season(office), person(one, who[0])))
    choose(office, who[2], "Red")
    joined(office, who[:1])
    known = do(office, lambda one: teams.members(one, season(office)))["Red"]
    assert [one.person_id for one in known] == [who[1], who[2]]


def test_only_a_captain_takes_somebody_out_and_only_until_the_draw(office: House) -> None:
    who = opened(office, 4)
    choose(office, who[0], "Red")
    choose(office, who[1], "Red")
    choose(office, who[2], "Blue")
    for captain, other in ((who[1], who[0]), (who[0], who[0]), (who[0], who[2]), (who[3], who[1])):
        no = refused(
            office,
            lambda one, captain=captain, other=other: teams.dismiss(
                one, season(office), person(one, captain), person(one, other)
            ),
        )
        assert no.code == "league-not-captain"
    do(office, lambda one: teams.dismiss(one, season(office), person(one, who[0]), person(one, who[1])))
    assert [one.person_id for one in do(office, lambda one: teams.members(one, season(office)))["Red"]] == [
        who[0]
    ]


async def test_teams_are_settled_when_the_season_is_drawn(office: House) -> None:
    who = opened(office, 8)
    do(office, lambda one: rounds.start(one, season(office)))
    await office.referee.scheduler.ring()
    no = refused(office, lambda one: teams.choose(one, season(office), person(one, who[0]), "Red"))
    assert no.code == "league-teams-settled"


async def test_teams_by_words(tmp_path: Path) -> None:
    house = await house_of(tmp_path / "referee.db")
    await founded(house, BEA)
    assert "played without teams" in await told(house, BEA, "league team Red")
    await told(house, BOSS, "league set teams 2")
    assert "as its captain" in await told(house, BEA, "league team Red")
    await house.say(CY, "hello")
    assert "in the team Red" in await told(house, CY, "league join team red")
    await house.settle()
    assert "has come into your team Red" in house.last(BEA).text
    await house.say(DAN, "hello")
    assert "Red has 2 people already" in await told(house, DAN, "league join team Red")
    assert "(Red)" in await told(house, DAN, "league people")
    assert "is not somebody" in await told(house, CY, "league team drop Bea")
    assert "out of the team Red" in await told(house, BEA, "league team drop Cy")
    assert "in the team Red" in await told(house, DAN, 'league "Winter Cup" join team Red')
    assert "You play for no team" in await told(house, DAN, "league team none")
    await house.say(EVE, "hello")
    assert "league team Red" in await told(house, EVE, "league join")
    assert [line.act for line in log(house) if line.act == "team"] == ["team"] * 3
    await house.close()
