"""Leaving a season: what is said to the person who does, and to those who run it where too few are left."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.service.league.entry import sign_up
from referee.service.league.office import rulings
from referee.store import Entry, LeagueRole
from tests.service.league.seasons import QUICK, begun, do, people, person, play_round, rows, season, tables
from tests.service.league.talking import BEA, BOSS, CY, DAN, EVE, founded, house_of, told
from tests.service.rig import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


@pytest.mark.parametrize(
    ("cost", "said", "dito"),
    [
        ("1", "that costs 1 point.", "isso custa 1 ponto."),
        ("1.5", "that costs 1.5 points.", "isso custa 1,5 pontos."),
        ("2", "that costs 2 points.", "isso custa 2 pontos."),
    ],
)
async def test_what_leaving_costs(house: House, cost: str, said: str, dito: str) -> None:
    await founded(house, BEA, CY, DAN, EVE)
    await house.say(BOSS, f"league set withdrawal {cost}")
    await house.say(BOSS, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    assert said in await told(house, CY, "league leave")
    await house.say(DAN, "language pt-br")
    assert dito in await told(house, DAN, "liga sair")


async def small(office: House, division: int, *, left: int = 2) -> list[int]:
    """A season of two divisions, from one of which nearly all go before its second round; who is left."""
    await begun(office, 16, replace(QUICK, division=8))
    (boss,) = people(office, 1, first=80)
    office.store.write_now(lambda tx: tx.add(LeagueRole, league_id=1, person_id=boss, role="director"))
    play_round(office)
    await office.referee.scheduler.ring()
    there = office.store.read_now(lambda tx: tx.column(Entry, "person_id", division=division))
    now = season(office)
    for who in there[left:]:
        do(office, lambda one, who=who: sign_up.leave_season(one, now, person(one, who)))
    return there[:left]


async def opened_next(office: House) -> list[str]:
    """The next round opens; what the director heard of divisions without a table."""
    await office.settle()
    before = len(office.letters("terminal:p80"))
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    await office.settle()
    return [one.text for one in office.letters("terminal:p80")[before:] if "has a table" in one.text]


@pytest.mark.parametrize(("division", "last"), [(1, False), (2, True)])
async def test_who_runs_it_hears_that_a_division_is_too_small_for_a_table(
    office: House, division: int, last: bool
) -> None:
    """Its people had byes to the end of the season, and only they were told."""
    rest = await small(office, division)
    (told_,) = await opened_next(office)
    assert f"nobody of division {division} has a table in round 2" in told_
    assert "2 people are left there, and a table has 3 to 5" in told_
    # who comes late plays in the last division
    assert ("league admit" in told_) is last
    assert not any("has a table in round 2" in one.text for one in office.letters(f"terminal:p{rest[0]}"))
    play_round(office)
    (told_,) = await opened_next(office)
    assert "in round 3" in told_
    assert "league admit" not in told_  # no round is left to play in


async def test_byes_that_an_official_gave_and_divisions_that_are_empty_are_no_news_to_them(
    office: House,
) -> None:
    one, other, third = await small(office, 2, left=3)
    now, no = season(office), rows(office)[1].no
    for who in (one, other, third):
        do(office, lambda uow, who=who: rulings.bye(uow, now, person(uow, who), no))
    assert await opened_next(office) == []
    assert {table.division for table in tables(office, round_no=2)} == {1}
    for who in (one, other, third):
        do(office, lambda uow, who=who: sign_up.leave_season(uow, now, person(uow, who)))
    play_round(office)
    assert await opened_next(office) == []
