"""How tables are decided: played, ruled, forfeit, adjudicated, void; and that it is told so, with its reason,
wherever somebody looks.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from referee.rules import Refusal
from referee.service.deadlines import clock_state
from referee.service.league import lookup
from referee.service.league.office import rulings
from referee.service.league.scores import outcome, results, table_places
from referee.service.league.terms import text_of
from referee.service.play.table_league import told_status
from referee.store import Deadline, Game, OfficeLog, Season, SeasonTable, TableResult
from tests.service.league.seasons import QUICK, begun, do, game, play, ready, season, tables
from tests.service.rig import House


def now(office: House, table: SeasonTable) -> SeasonTable:
    return next(one for one in tables(office) if one.no == table.no)


def how(office: House, table: SeasonTable) -> tuple[str, str, str]:
    return tuple(outcome.of_table(now(office, table)))  # type: ignore[return-value]  # three texts


def gone(office: House, table: SeasonTable, seats: tuple[int, ...]) -> None:
    """Nobody waits for the people of these seats any more."""

    def left(one) -> None:  # type: ignore[no-untyped-def]  # a unit of work
        playing = one.tx.get(Game, table.game_id)
        clocks = clock_state.read_clocks(playing)
        for no in seats:
            clocks.seat(no).probation = clocks.seat(no).offered = True
        one.tx.set(Game, playing.id, clocks=clock_state.encode_clocks(clocks))

    do(office, left)


def rows(office: House, table: SeasonTable) -> dict[int, TableResult]:
    found = office.store.read_now(lambda tx: tx.all(TableResult, table_id=table.id))
    return {row.person_id: row for row in found}


def points(office: House) -> dict[int, Fraction]:
    return {
        row.person: row.points for row in do(office, lambda one: results.standings(one, season(office), 1))
    }


async def test_the_only_one_who_stayed_has_won_whatever_the_stand_ins_came_to(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    people = lookup.people_of(table)
    ready(office, table)
    gone(office, table, (0, 1, 3))
    play(office, table)
    gone(office, table, (0, 1, 3))  # whoever was played for in the test is back by that
    await office.referee.scheduler.ring()
    assert how(office, table) == ("forfeit", "alone", "")
    assert now(office, table).state == "over"
    found = rows(office, table)
    assert [found[who].place for who in people] == [2, 2, 1, 2]
    worth = points(office)
    assert worth[people[2]] == 6
    assert all(worth[who] == -2 for who in people if who != people[2])  # nothing, less the penalty
    row = next(
        one
        for one in do(office, lambda one: results.standings(one, season(office), 1))
        if one.person == people[2]
    )
    assert (row.wins, row.share) == (1, None)


async def test_in_a_season_of_the_first_form_it_is_the_game_that_counts(office: House) -> None:
    await begun(office, 8)
    office.store.write_now(lambda tx: tx.change(Season, {"no": 1}, settings=text_of(replace(QUICK, form=1))))
    table = tables(office, "gathering")[0]
    ready(office, table)
    play(office, table)
    gone(office, table, (0, 1, 3))
    await office.referee.scheduler.ring()
    assert how(office, table)[0] == "played"


async def test_time_is_up_and_one_person_is_still_there(office: House) -> None:
    await begun(office, 8)
    first, second = tables(office, "gathering")
    for table in (first, second):
        ready(office, table)
    office.store.write_now(lambda tx: tx.change(Deadline, {"done_ms": 0}, done_ms=1))
    office.clock.pass_(hours=24 * 10)
    gone(office, first, (1, 2, 3))
    await office.referee.scheduler.ring()
    assert how(office, first) == ("forfeit", "alone", "")
    assert how(office, second) == ("ruled", "time", "")
    assert {told_status(game(office, one)) for one in (first, second)} == {"ruled"}
    assert rows(office, first)[lookup.people_of(first)[0]].place == 1
    log = [row for row in office.store.read_now(lambda tx: tx.all(OfficeLog)) if row.act == "league-ruled"]
    assert [json.loads(row.facts)["result"] for row in log] == ["forfeit", "ruled"]


async def test_an_official_says_who_forfeits(office: House) -> None:
    """They share the last places, all others stand as the scores do."""
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    people = lookup.people_of(table)
    names = do(office, lambda one: lookup.names_of(one, people))
    the = season(office)

    def tried(*lost: str) -> str:
        with pytest.raises(Refusal) as no:
            do(office, lambda one: rulings.rule(one, the, table, lost, forfeit=True))
        return no.value.code

    assert tried(*names) == tried() == "league-forfeit-all"
    assert tried("Zorro") == "league-order"
    assert tried(names[0]) == "league-no-scores"  # nobody knows how the other three stand
    ready(office, table)
    before = do(office, lambda one: table_places.by_scores(one, table, lookup.game_of(one, table)))
    why, playing = "both asked for it", now(office, table)
    facts = do(office, lambda one: rulings.rule(one, the, playing, names[:2], forfeit=True, why=why))
    assert facts["by"] == "forfeit"
    assert how(office, table) == ("forfeit", "", "both asked for it")
    found = rows(office, table)
    assert [found[who].place for who in people[:2]] == [3, 3]
    others = sorted(people[2:], key=lambda who: before[people.index(who)][0])
    assert [found[who].place for who in others] in ([1, 2], [1, 1])
    assert [json.loads(found[who].flags).get("forfeit", False) for who in people] == [
        True,
        True,
        False,
        False,
    ]
    worth = points(office)
    assert sum(worth[who] for who in people) == 6 + 4 + 3 + 2


async def test_before_anything_is_dealt_only_one_can_be_left(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    people = lookup.people_of(table)
    names = do(office, lambda one: lookup.names_of(one, people))
    do(office, lambda one: rulings.rule(one, season(office), table, names[1:], forfeit=True))
    assert [rows(office, table)[who].place for who in people] == [1, 2, 2, 2]
    assert [points(office)[who] for who in people] == [6, 3, 3, 3]


async def test_a_table_to_which_nobody_came_says_so(office: House) -> None:
    await begun(office, 8)
    first, second = tables(office, "gathering")
    ready(office, second)
    office.clock.pass_(hours=QUICK.late_hours)
    await office.referee.scheduler.ring()
    assert how(office, first) == ("void", "absent", "")
    await office.settle()
    assert any(
        "does not count (nobody came)" in one.text
        for one in office.letters(f"terminal:p{lookup.people_of(first)[0]}")
    )
    assert [row.act for row in office.store.read_now(lambda tx: tx.all(OfficeLog))].count("league-void") == 1


async def test_a_ruled_table_is_not_told_as_given_up(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    ready(office, table)
    who = f"terminal:p{lookup.people_of(table)[0]}"
    do(office, lambda one: rulings.rule(one, season(office), table, why="both asked for it"))
    await office.settle()
    for said in (
        f"status #{table.game_id}",
        f"record #{table.game_id}",
        f"who #{table.game_id}",
        "league tables",
    ):
        await office.say(who, said)
        await office.settle()
        assert "given up" not in office.last(who).text.casefold(), said
    await office.say(who, f"status #{table.game_id}")
    assert "has ruled" in office.last(who).text or "ruled by the office" in office.last(who).text
    await office.say(who, f"record #{table.game_id}")
    assert "The office of its league ended game" in office.last(who).text
    await office.say(who, f"league table {table.no}")
    assert "adjudicated by the office (both asked for it)" in office.last(who).text
    assert "for the standings" in office.last(who).text
