"""Rounds that are drawn when they are due: Swiss and knock-out, whatever happens between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.league.lots import drawn as lots_drawn
from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league import due, lookup
from referee.service.league.entry import founding, sign_up
from referee.service.league.office import rulings
from referee.service.league.scores import brackets, results
from referee.service.league.season import draw, rounds
from referee.store import TableResult
from tests.service.league.seasons import (
    QUICK,
    begun,
    do,
    ended,
    entry,
    joined,
    league,
    people,
    person,
    play_round,
    ready,
    rows,
    season,
    tables,
)
from tests.service.league.talking import told
from tests.service.rig import House

SWISS = replace(QUICK, format="swiss", rounds=4)
CUP = replace(QUICK, format="knockout", least=3, most=5, wanted=4, advance=2)


def refused(office: House, job: Callable[[UnitOfWork], Any]) -> Refusal:
    with pytest.raises(Refusal) as no:
        do(office, job)
    return no.value


def sat(office: House, no: int) -> list[int]:
    """Who has a table in a round."""
    return [who for one in tables(office, round_no=no) for who in lookup.people_of(one)]


async def next_round(office: House, days: int = 7) -> None:
    office.clock.pass_(hours=24 * days)
    await office.referee.scheduler.ring()


def ranks(office: House, upto: int = 0) -> list[int]:
    return [row.person for row in do(office, lambda one: results.standings(one, season(office), 1, upto))]


async def test_a_swiss_season_draws_each_round_by_the_standings_before_it(office: House) -> None:
    who = await begun(office, 12, SWISS)
    for no in (1, 2, 3, 4):
        assert sorted(sat(office, no)) == sorted(who)
        assert not [one for later in range(no + 1, 5) for one in tables(office, round_no=later)]
        play_round(office, seed=no)
        await office.referee.scheduler.ring()
        points = {
            row.person: row.points
            for row in do(office, lambda one: results.standings(one, season(office), 1))
        }
        await next_round(office)
        if no < 4:
            means = [
                sum(points[who] for who in lookup.people_of(one)) / len(lookup.people_of(one))
                for one in tables(office, round_no=no + 1)
            ]
            assert means[0] > means[-1]  # the strong meet the strong
    assert season(office).state == "over"
    assert len(rows(office)) == 4


async def test_a_swiss_round_has_who_came_and_not_who_left(office: House) -> None:
    who = await begun(office, 9, SWISS)
    play_round(office)
    await office.referee.scheduler.ring()
    late = people(office, 2, first=50)
    joined(office, late)
    do(office, lambda one: sign_up.leave_season(one, season(office), person(one, who[0])))
    do(office, lambda one: rulings.bye(one, season(office), person(one, who[1]), 2))
    await next_round(office)
    assert sorted(sat(office, 2)) == sorted([*who[2:], *late])
    assert lookup.facts_of(rows(office)[1])["byes"] == [who[1]]


async def test_a_swiss_round_is_drawn_anew_while_it_is_not_open(office: House) -> None:
    await begun(office, 8, SWISS)
    play_round(office)
    await office.referee.scheduler.ring()
    assert refused(office, lambda one: draw.redraw(one, season(office))).code == "league-drawn-when-due"
    first = tables(office, round_no=1)[0]
    new = do(office, lambda one: rulings.replay(one, season(office), first))["new_table"]
    await next_round(office)
    assert tables(office, round_no=2) == []  # the first is open again
    play_round(office)
    await office.referee.scheduler.ring()
    await next_round(office, 14)
    assert len(tables(office, round_no=2)) == 2
    assert next(one for one in tables(office) if one.no == new).state == "over"


async def test_a_round_whose_draw_is_lost_with_its_process_is_drawn_again(office: House) -> None:
    who = await begun(office, 8, SWISS)
    play_round(office)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=24 * 7)
    while True:
        now = season(office)
        lots = do(office, lambda one, now=now: due.advance(one, now))
        if lots is not None:  # and nobody hears what comes of it
            break
    assert sorted(lots.people) == sorted(who)
    assert tables(office, round_no=2) == []
    await office.referee.scheduler.ring()
    assert tables(office, round_no=2) == []
    office.clock.pass_(hours=0.2)
    await office.referee.scheduler.ring()
    assert {one.state for one in tables(office, round_no=2)} == {"gathering"}


async def test_what_changes_while_a_round_is_drawn_is_drawn_again(office: House) -> None:
    who = await begun(office, 8, CUP)
    play_round(office)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=24 * 7)
    lots = None
    while lots is None:
        now = season(office)
        lots = do(office, lambda one, now=now: due.advance(one, now))
    gone = lots.people[0]
    do(office, lambda one: sign_up.leave_season(one, season(office), person(one, gone)))
    now = season(office)
    do(office, lambda one: due.save_drawn(one, now.id, lots, lots_drawn(lots)))
    assert tables(office, round_no=2) == []
    await office.referee.scheduler.ring()
    assert gone not in sat(office, 2)
    assert len(sat(office, 2)) == 4  # the third of that table goes on instead
    assert set(sat(office, 2)) <= set(who)


async def test_the_next_round_may_begin_before_its_day(office: House) -> None:
    await begun(office, 8, SWISS)
    play_round(office)
    await office.referee.scheduler.ring()
    no = refused(office, lambda one: rounds.open_round(one, season(office)))
    assert no.code == "league-round-open"  # it lasts until its day
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    assert {one.state for one in tables(office, round_no=2)} == {"gathering"}


async def test_a_swiss_season_that_few_are_left_of_ends_all_the_same(office: House) -> None:
    who = await begun(office, 6, SWISS)
    play_round(office)
    await office.referee.scheduler.ring()
    for one in who[:4]:
        do(office, lambda desk, one=one: sign_up.leave_season(desk, season(office), person(desk, one)))
    for _ in range(4):
        await next_round(office)
    assert season(office).state == "over"
    assert lookup.facts_of(rows(office)[1])["byes"] == sorted(who[4:])


async def test_a_knock_out_ends_with_one_table_and_its_winner_is_first(office: House) -> None:
    await begun(office, 16, CUP)
    assert len(rows(office)) == 3
    assert [len(tables(office, round_no=no)) for no in (1, 2, 3)] == [4, 0, 0]
    counts = []
    for no in (1, 2, 3):
        play_round(office, seed=no)
        await office.referee.scheduler.ring()
        order = ranks(office, no)
        firsts = {
            who
            for one in tables(office, round_no=no)
            for who, place in do(office, lambda desk, one=one: brackets.places_at(desk, one)).items()
            if place == 1
        }
        await next_round(office)
        counts.append(len(tables(office, round_no=no)))
        if no < 3:
            assert firsts <= set(sat(office, no + 1))
            assert set(order[: len(sat(office, no + 1))]) >= firsts
    assert counts == [4, 2, 1]
    assert season(office).state == "over"
    final = tables(office, round_no=3)[0]
    won = office.store.read_now(lambda tx: tx.one(TableResult, table_id=final.id, place=1))
    assert won is not None
    assert ranks(office)[0] == won.person_id
    assert set(ranks(office)[:4]) == set(lookup.people_of(final))
    assert lookup.mind(season(office))["final"][0] == ranks(office)


async def test_who_is_knocked_out_hears_so_once_and_it_costs_nothing(office: House) -> None:
    who = await begun(office, 8, replace(CUP, withdrawal="3"))
    play_round(office)
    await office.referee.scheduler.ring()
    await next_round(office)
    there = sat(office, 2)
    out = [one for one in who if one not in there]
    assert len(out) == 4
    await office.settle()
    for one in who:
        heard = [text for text in office.letters(f"terminal:p{one}") if "you are out" in text.text]
        assert len(heard) == (one in out), [text.text for text in heard]
    assert {entry(office, one).penalty for one in out} == {0}
    assert {entry(office, one).state for one in out} == {"playing"}
    assert "You have been knocked out of it." in await told(office, f"terminal:p{out[1]}", "league show")
    assert "You play in it." in await told(office, f"terminal:p{there[1]}", "league show")
    left = do(office, lambda one: sign_up.leave_season(one, season(office), person(one, out[0])))
    assert left["cost"] == 0
    stays = do(office, lambda one: sign_up.leave_season(one, season(office), person(one, there[0])))
    assert stays["cost"] == 300


async def test_a_knock_out_takes_nobody_in_once_it_is_on_and_grants_no_byes(office: House) -> None:
    who = await begun(office, 8, CUP)
    late = people(office, 1, first=50)[0]
    for force in (False, True):
        no = refused(
            office, lambda one, force=force: sign_up.join(one, season(office), person(one, late), force=force)
        )
        assert no.code == "league-knockout-on"
    no = refused(office, lambda one: rulings.bye(one, season(office), person(one, who[0]), 2))
    assert no.code == "league-knockout-bye"


@pytest.mark.parametrize("what", ["void", "replay", "rule"])
async def test_a_table_that_sent_somebody_on_is_settled(office: House, what: str) -> None:
    await begun(office, 8, CUP)
    play_round(office)
    await office.referee.scheduler.ring()
    table = tables(office, round_no=1)[0]
    act = {"void": rulings.void, "replay": rulings.replay, "rule": rulings.rule}[what]
    before = [(one.no, one.state) for one in rows(office)]
    do(office, lambda one: act(one, season(office), table))  # the next round is not open yet
    play_round(office, seed=9)
    await office.referee.scheduler.ring()
    assert [no for no, _ in before] == [1, 2]
    await next_round(office, 14)
    assert len(tables(office, round_no=2)) == 1
    again = next(one for one in tables(office, round_no=1) if one.state in ("over", "ruled"))
    no = refused(office, lambda one: act(one, season(office), again))
    assert (no.code, no.facts) == ("league-gone-on", {"table": again.no, "round": 2})


async def test_a_ruling_before_the_next_round_changes_who_goes_on(office: House) -> None:
    await begun(office, 8, CUP)
    play_round(office)
    await office.referee.scheduler.ring()
    table = tables(office, round_no=1)[0]
    before = [
        row.person_id
        for row in office.store.read_now(lambda tx: tx.all(TableResult, table_id=table.id, order="place,id"))
    ]
    names = do(office, lambda one: lookup.names_of(one, before[::-1]))
    do(office, lambda one: rulings.rule(one, season(office), table, names))
    await next_round(office)
    assert set(before[2:]) <= set(sat(office, 2))
    assert not set(before[:2]) & set(sat(office, 2))


async def test_who_has_left_does_not_go_on_and_the_rounds_follow_those_who_are_there(office: House) -> None:
    await begun(office, 16, CUP)
    play_round(office)
    going = ranks(office)
    for one in going[:11]:
        do(office, lambda desk, one=one: sign_up.leave_season(desk, season(office), person(desk, one)))
    await office.referee.scheduler.ring()
    await next_round(office)
    assert len(tables(office, round_no=2)) == 1  # that is the final already
    assert not set(going[:11]) & set(sat(office, 2))
    assert len(rows(office)) == 2
    play_round(office)
    await ended(office)
    assert season(office).state == "over"


async def test_a_table_nobody_finishes_sends_on_by_the_ruling_and_one_nobody_came_to_does_not(
    office: House,
) -> None:
    await begun(office, 12, replace(CUP, overtime_days=1, late_hours=24))
    one, two, three = tables(office, "gathering")
    ready(office, one)  # begins, and is ruled
    ready(office, two, but=[])
    for table in (one, two):
        assert table.round == 1
    await next_round(office, 2)
    await next_round(office, 6)
    await office.referee.scheduler.ring()
    state = {table.no: table.state for table in tables(office, round_no=1)}
    assert (state[one.no], state[two.no], state[three.no]) == ("ruled", "ruled", "void")
    await next_round(office, 1)
    assert len(tables(office, round_no=2)) == 1
    assert not set(lookup.people_of(three)) & set(sat(office, 2))
    assert "playing" not in {entry(office, who).state for who in lookup.people_of(three)}


async def test_divisions_of_a_knock_out_each_have_a_final(office: House) -> None:
    await begun(office, 22, replace(CUP, division=16))
    assert len({one.division for one in tables(office)}) == 2
    for _ in range(6):
        play_round(office)
        await office.referee.scheduler.ring()
        if season(office).state == "over":
            break
        await next_round(office)
    assert season(office).state == "over"
    last = {no: max(one.round for one in tables(office) if one.division == no) for no in (1, 2)}
    for no in (1, 2):
        final = [one for one in tables(office) if one.division == no and one.round == last[no]]
        assert len(final) == 1


def test_what_a_knock_out_and_teams_cannot_be_is_refused(office: House) -> None:
    the = league(office)
    for text, code in (
        ({"form": "ladder"}, "league-value"),
        ({"form": "knock-out", "advance": "3"}, "league-advance"),
        ({"form": "knockout", "advance": "0"}, "league-advance"),
        ({"teams": "1"}, "league-teams"),
        ({"teams": "3 best 4"}, "league-teams"),
        ({"teams": "99"}, "league-number"),
        ({"teams": "many"}, "league-value"),
    ):
        assert refused(office, lambda one, text=text: founding.change_all(one, the, text)).code == code, text
    told = do(office, lambda one: founding.change_all(one, the, {"form": "Knock-out", "teams": "4 best 3"}))
    assert [one["value"] for one in told["changed"]] == ["knockout", "4 best 3"]
