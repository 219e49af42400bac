"""What officials decide: places, tables that don't count or are played again, byes, substitutes, points,
dates.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from referee import rules
from referee.bots import BOTS
from referee.ids import SeatNo
from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.deadlines import clock_state
from referee.service.league import lookup
from referee.service.league.entry import sign_up
from referee.service.league.office import rulings
from referee.service.league.scores import penalties, results
from referee.service.league.season import draw, rounds
from referee.service.play import enacting, moves
from referee.store import Deadline, Entry, Game, SeasonTable, TableResult
from tests.service.league.seasons import (
    DAY,
    QUICK,
    begun,
    do,
    entry,
    game,
    person,
    play,
    play_round,
    ready,
    rows,
    season,
    tables,
)
from tests.service.league.seasons import people as more
from tests.service.rig import House


def points(office: House) -> dict[int, Fraction]:
    return {
        row.person: row.points for row in do(office, lambda one: results.standings(one, season(office), 1))
    }


def refused(office: House, job: Callable[[UnitOfWork], Any]) -> str:
    """The code with which it is refused; nothing may stay of it."""
    before = office.store.read_now(
        lambda tx: (tx.all(SeasonTable), tx.all(Entry), tx.all(Game), tx.all(TableResult))
    )
    with pytest.raises(Refusal) as no:
        do(office, job)
    assert (
        office.store.read_now(
            lambda tx: (tx.all(SeasonTable), tx.all(Entry), tx.all(Game), tx.all(TableResult))
        )
        == before
    )
    return no.value.code


async def test_a_second_ruling_does_not_charge_for_leaving_once_more(office: House) -> None:
    await begun(office, 4, replace(QUICK, strikes=3))
    (table,) = tables(office, "gathering")
    ready(office, table)
    (table,) = tables(office, "playing")
    gone = lookup.people_of(table)[0]

    def absent(one: UnitOfWork) -> None:
        now = lookup.game_of(one, table)
        assert now is not None
        clocks = clock_state.read_clocks(now)
        clocks.seat(SeatNo(0)).probation = clocks.seat(SeatNo(0)).offered = True
        one.tx.set(Game, now.id, clocks=clock_state.encode_clocks(clocks))

    do(office, absent)
    people = lookup.people_of(table)
    names = do(office, lambda one: [person(one, who).name for who in people])
    now = season(office)
    for order in ("scores", names, names[::-1]):
        row = tables(office)[0]
        do(office, lambda one, order=order, row=row: rulings.rule(one, now, row, order))
        assert entry(office, gone).penalty == 200


async def test_what_is_not_finished_in_overtime_is_ruled_by_what_everybody_sees(office: House) -> None:
    await begun(office, 8)
    first, second = tables(office, "gathering")
    ready(office, first)
    ready(office, second)
    play(office, second)
    half(office, first, 60)
    seen = do(office, lambda one: rules.places(one.states.of(game(office, first)), public=True))
    view = do(office, lambda one: rules.view(one.states.of(game(office, first)), None))
    assert len({score for _, score in seen}) > 1
    office.clock.pass_(hours=24 * 7)
    # anyone who did not answer all the while would be out of the seat: only time is of interest here
    office.store.write_now(lambda tx: tx.change(Deadline, {"game_id": first.game_id}, done_ms=1))
    await office.referee.scheduler.ring()
    assert rows(office)[0].state == "open"
    office.clock.pass_(hours=24 * 3)
    await office.referee.scheduler.ring()
    now = next(one for one in tables(office) if one.no == first.no)
    assert now.state == "ruled"
    assert game(office, first).status == "abandoned"
    found = office.store.read_now(lambda tx: tx.all(TableResult, table_id=first.id, order="id"))
    assert [(row.place, row.score) for row in found] == list(seen)
    assert all(json.loads(row.flags)["ruled"] for row in found)
    assert view["players"][0]["name"]
    assert rows(office)[0].state == "closed"
    assert rows(office)[1].state == "open"
    await office.settle()
    assert "the office has ruled" in " ".join(
        one.text for one in office.letters(f"terminal:p{lookup.people_of(first)[0]}")
    )


def half(office: House, table: SeasonTable, orders: int) -> None:
    """So many orders are given there."""

    def played(one: UnitOfWork) -> None:
        now = one.tx.get(Game, table.game_id)
        assert now is not None
        seats = one.seats(int(now.id or 0))
        done = moves.OrderAttempt(one.states.of(now))
        for number in range(orders):
            ask = done.waiting[0]
            done.play(
                seats,
                ask.seat,
                BOTS["greedy"].choose(rules.view(done.state, ask.seat), random.Random(number)),
                "person",
            )
        enacting.enact(one, now, seats, done)

    do(office, played)


async def test_a_league_that_waits_rules_nothing(office: House) -> None:
    await begun(office, 8, replace(QUICK, overtime="wait"))
    for table in tables(office, "gathering"):
        ready(office, table)
    office.store.write_now(lambda tx: tx.change(Deadline, {"done_ms": 0}, done_ms=1))
    office.clock.pass_(hours=24 * 60)
    await office.referee.scheduler.ring()
    assert {one.state for one in tables(office, round_no=1)} == {"playing"}


async def test_places_are_ruled_by_names_and_nonsense_is_refused(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    names = do(office, lambda one: lookup.names_of(one, lookup.people_of(table)))
    the = season(office)
    assert refused(office, lambda one: rulings.rule(one, the, table)) == "league-no-scores"
    assert refused(office, lambda one: rulings.rule(one, the, table, names[:-1])) == "league-order"
    assert (
        refused(office, lambda one: rulings.rule(one, the, table, [*names[:-1], names[0]])) == "league-order"
    )
    assert (
        refused(
            office,
            lambda one: rulings.rule(one, the, table, [*names[:-1], "<b>Nobody</b>'; DROP TABLE game"]),
        )
        == "league-order"
    )
    planned = tables(office, "planned")[0]
    assert refused(office, lambda one: rulings.rule(one, the, planned, names)) == "league-table-state"
    facts = do(office, lambda one: rulings.rule(one, the, table, names[::-1], why="a fight"))
    assert facts["names"] == names[::-1]
    assert game(office, table).status == "abandoned"
    people = lookup.people_of(table)
    assert [points(office)[who] for who in people[::-1]] == [6, 4, 3, 2]
    # and again, otherwise
    now = tables(office, "ruled")[0]
    do(office, lambda one: rulings.rule(one, the, now, names))
    assert [points(office)[who] for who in people] == [6, 4, 3, 2]


async def test_a_void_table_is_a_bye_and_a_replay_counts_instead(office: House) -> None:
    await begun(office, 8)
    play_round(office)
    await office.referee.scheduler.ring()
    first, second = tables(office, "over")
    before = points(office)
    facts = do(office, lambda one: rulings.void(one, season(office), first))
    assert facts["was"] == "over"
    assert all(points(office)[who] == 0 for who in lookup.people_of(first))  # the mean of nothing
    assert all(points(office)[who] == before[who] for who in lookup.people_of(second))
    the, gone = season(office), tables(office, "void")[0]
    assert refused(office, lambda one: rulings.void(one, the, gone)) == "league-table-state"
    facts = do(office, lambda one: rulings.replay(one, the, gone))
    await office.referee.scheduler.ring()
    again = next(one for one in tables(office) if one.no == facts["new_table"])
    assert (again.state, again.round, lookup.people_of(again)) == ("gathering", 1, lookup.people_of(first))
    play_round(office, seed=9)
    await office.referee.scheduler.ring()
    assert sum(points(office).values()) == 30
    gone = tables(office, "replayed")[0]
    assert refused(office, lambda one: rulings.replay(one, the, gone)) == "league-table-state"


async def test_an_hour_at_a_table_that_the_office_ends_is_off_in_the_calendars(office: House) -> None:
    await begun(office, 4)
    table = tables(office, "gathering")[0]
    ready(office, table)
    number, hour = table.game_id, office.clock() + DAY
    kept = {**json.loads(game(office, table).settings), "live": {"meet": hour}}
    office.store.write_now(lambda tx: tx.set(Game, number, settings=json.dumps(kept)))
    do(office, lambda one: rulings.void(one, season(office), table))
    assert json.loads(game(office, table).settings)["live"].get("off")


async def test_a_round_that_was_closed_waits_for_the_replay_of_one_of_its_tables(office: House) -> None:
    await begun(office, 8)
    play_round(office)
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    assert [row.state for row in rows(office)] == ["closed", "open", "planned"]
    table = tables(office, "over")[0]
    do(office, lambda one: rulings.replay(one, season(office), table))
    await office.referee.scheduler.ring()
    assert [row.state for row in rows(office)] == ["open", "open", "planned"]
    for _ in range(12):
        play_round(office)
        office.clock.pass_(hours=24 * 7)
        await office.referee.scheduler.ring()
    assert season(office).state == "over"
    assert {one.state for one in tables(office)} == {"over", "replayed"}


async def test_somebody_is_granted_a_bye_before_the_round(office: House) -> None:
    await begun(office, 8)
    who = lookup.people_of(tables(office, "planned", round_no=2)[0])[0]
    do(office, lambda one: rulings.bye(one, season(office), person(one, who), 2))
    assert (
        refused(office, lambda one: rulings.bye(one, season(office), person(one, who), 2))
        == "league-bye-already"
    )
    assert (
        refused(office, lambda one: rulings.bye(one, season(office), person(one, who), 1))
        == "league-round-begun"
    )
    assert (
        refused(office, lambda one: rulings.bye(one, season(office), person(one, who), 9))
        == "league-no-round"
    )
    play_round(office)
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    sat = [one for table in tables(office, round_no=2) for one in lookup.people_of(table)]
    assert who not in sat
    assert len(sat) == 7
    assert lookup.facts_of(rows(office)[1])["byes"] == [who]
    own = next(
        row for row in do(office, lambda one: results.standings(one, season(office), 1)) if row.person == who
    )
    assert (own.byes, own.played) == (1, 1)


async def test_a_substitute_sits_down_wherever_the_table_is_at(office: House) -> None:
    people = await begun(office, 8, spare=3)
    gathers, plays = tables(office, "gathering")
    ready(office, plays)
    planned = tables(office, "planned", round_no=3)[0]
    the = season(office)
    for table, into in zip((gathers, plays, planned), people[8:], strict=True):
        out = lookup.people_of(table)[2]
        facts = do(
            office,
            lambda one, table=table, out=out, into=into: rulings.substitute(
                one, the, lookup.table_of(one, the, table.no), person(one, out), person(one, into)
            ),
        )
        assert facts["table"] == table.no
        entry = office.store.read_now(lambda tx, into=into: tx.one(Entry, person_id=into))
        assert entry is not None
        assert entry.state == "playing"
    assert people[8] in [
        seat.person_id for seat in do(office, lambda one: one.seats(int(gathers.game_id or 0)))
    ]
    assert people[9] in [
        seat.person_id for seat in do(office, lambda one: one.seats(int(plays.game_id or 0)))
    ]
    assert people[10] in lookup.people_of(next(one for one in tables(office) if one.no == planned.no))
    out, sits = person_of(office, plays, 0), person_of(office, plays, 1)
    now = next(one for one in tables(office) if one.no == plays.no)
    assert (
        refused(office, lambda one: rulings.substitute(one, the, now, person(one, out), person(one, sits)))
        == "league-there-already"
    )
    assert (
        refused(
            office, lambda one: rulings.substitute(one, the, now, person(one, people[8]), person(one, sits))
        )
        == "league-not-there"
    )
    assert (
        refused(
            office, lambda one: rulings.substitute(one, the, now, person(one, out), person(one, people[8]))
        )
        == "league-plays-elsewhere"
    )
    stranger = more(office, 1, first=90)[0]
    assert (
        refused(
            office, lambda one: rulings.substitute(one, the, now, person(one, out), person(one, stranger))
        )
        == "league-not-in"
    )


def person_of(office: House, table: SeasonTable, no: int) -> int:
    return int(do(office, lambda one: one.seats(int(table.game_id or 0)))[no].person_id or 0)


async def test_points_are_taken_and_given_back(office: House) -> None:
    people = await begun(office, 8)
    the = season(office)
    assert (
        do(office, lambda one: penalties.penalty(one, the, person(one, people[0]), "1.5", "late"))["total"]
        == "1.5"
    )
    assert points(office)[people[0]] == Fraction(-3, 2)
    assert do(office, lambda one: penalties.penalty(one, the, person(one, people[0]), "-0,5"))["total"] == "1"
    for nonsense in ("", "x", "0", "1e9", "9999999"):
        assert (
            refused(
                office, lambda one, said=nonsense: penalties.penalty(one, the, person(one, people[0]), said)
            )
            == "league-points"
        )
    stranger = more(office, 1, first=90)[0]
    assert (
        refused(office, lambda one: penalties.penalty(one, the, person(one, stranger), "1"))
        == "league-not-in"
    )


async def test_rounds_are_put_off_and_those_behind_them_move_along(office: House) -> None:
    await begun(office, 8)
    the, before = season(office), [(row.starts_ms, row.ends_ms) for row in rows(office)]
    do(office, lambda one: rounds.postpone(one, the, 1, before[0][1] + 2 * DAY))
    assert [(row.starts_ms, row.ends_ms) for row in rows(office)] == [
        (before[0][0], before[0][1] + 2 * DAY),
        *((start + 2 * DAY, end + 2 * DAY) for start, end in before[1:]),
    ]
    do(office, lambda one: rounds.postpone(one, the, 3, before[2][0] + 3 * DAY))
    assert rows(office)[2].ends_ms == before[2][1] + 3 * DAY
    assert refused(office, lambda one: rounds.postpone(one, the, 1, office.clock() - 1)) == "league-past"
    assert refused(office, lambda one: rounds.postpone(one, the, 1, before[0][1])) == "league-not-later"
    begins = rows(office)[2].starts_ms
    for early in (begins, begins - DAY):
        assert (
            refused(office, lambda one, at=early: rounds.postpone(one, the, 3, at))
            == "league-begin-not-later"
        )
    assert rows(office)[2].starts_ms == begins
    assert refused(office, lambda one: rounds.postpone(one, the, 7, before[0][1])) == "league-no-round"
    assert refused(office, lambda one: rounds.open_round(one, the)) == "league-round-open"
    assert refused(office, lambda one: rounds.start(one, the)) == "league-begun-already"
    play_round(office)
    office.clock.pass_(hours=24 * 9)
    await office.referee.scheduler.ring()
    assert (
        refused(office, lambda one: rounds.postpone(one, the, 1, office.clock() + DAY))
        == "league-round-closed"
    )


async def test_what_is_not_open_yet_can_be_drawn_anew(office: House) -> None:
    await begun(office, 8)
    the, first = season(office), tables(office, round_no=1)
    late = more(office, 1, first=70)[0]
    do(office, lambda one: sign_up.join(one, the, person(one, late)))
    assert do(office, lambda one: draw.redraw(one, the))["from_round"] == 2
    await office.referee.scheduler.ring()
    assert [lookup.people_of(one) for one in tables(office, round_no=1)] == [
        lookup.people_of(one) for one in first
    ]
    for no in (2, 3):
        sat = [who for one in tables(office, round_no=no) for who in lookup.people_of(one)]
        assert late in sat
        assert len(set(sat)) == len(sat) == 9
    assert season(office).seed != the.seed
    assert "wanted" not in lookup.mind(season(office))
