"""Signing up, standing by and going: who may, when, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.rules import Refusal
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.deadlines import clock_state
from referee.service.decisions import unseat
from referee.service.league import lookup
from referee.service.league.entry import founding, sign_up
from referee.service.league.scores import results
from referee.service.league.season import rounds
from referee.service.tables import lobby
from referee.store import (
    Entry,
    Game,
    Journal,
    League,
    LeagueRole,
    Season,
    Seat,
    TableResult,
)
from tests.service.joining import code, say_yes
from tests.service.league.seasons import (
    DAY,
    QUICK,
    begun,
    do,
    entry,
    game,
    joined,
    league,
    people,
    person,
    play,
    play_round,
    ready,
    rows,
    season,
    tables,
)
from tests.service.rig import House


def refused(office: House, job: Callable[[UnitOfWork], Any]) -> Refusal:
    """How it is refused; nothing stays of it."""
    before = office.store.read_now(lambda tx: (tx.all(Season), tx.all(Entry), tx.all(League)))
    with pytest.raises(Refusal) as no:
        do(office, job)
    assert office.store.read_now(lambda tx: (tx.all(Season), tx.all(Entry), tx.all(League))) == before
    return no.value


def test_names_are_compared_as_people_do(office: House) -> None:
    first = league(office, name="  Winter\u200b   Cup ")
    assert first.name == "Winter Cup"
    for same in ("winter cup", "WINTER-CUP", "Wïnter Cup"):
        assert (
            refused(office, lambda one, same=same: founding.create(one, same, None)).code
            == "league-name-taken"
        )
    for nothing in (" \u200b ", "...", "'-'"):
        assert (
            refused(office, lambda one, nothing=nothing: founding.create(one, nothing, None)).code
            == "league-name-empty"
        )
    assert refused(office, lambda one: founding.create(one, "17", None)).code == "league-name-empty"
    assert refused(office, lambda one: founding.create(one, "x" * 300, None)).code == "league-name-long"
    hostile = "<b>Robert'); DROP TABLE league;--</b>"
    assert do(office, lambda one: founding.create(one, hostile, None))["league"] == hostile
    for emoji in ("🏰🏰", "👑"):
        do(office, lambda one, emoji=emoji: founding.create(one, emoji, None))
        assert do(office, lambda one, emoji=emoji: founding.found(one, emoji)).name == emoji
    assert do(office, lambda one: founding.found(one, "winter")).name == "Winter Cup"
    assert do(office, lambda one: founding.found(one, "1")).name == "Winter Cup"
    league(office, name="Winter Games")
    assert refused(office, lambda one: founding.found(one, "winter")).code == "league-which"
    assert refused(office, lambda one: founding.found(one, "summer")).code == "league-unknown"


def test_a_founder_owns_their_league(office: House) -> None:
    ana = people(office, 1)[0]
    do(office, lambda one: founding.create(one, "Ana's", person(one, ana)))
    role = office.store.read_now(lambda tx: tx.one(LeagueRole, person_id=ana))
    assert role is not None
    assert role.role == "owner"


async def test_a_season_is_opened_once_with_dates_that_can_be(office: House) -> None:
    the, now = league(office), office.clock()
    assert refused(office, lambda one: sign_up.open_season(one, the, now - 1, 0)).code == "league-past"
    assert (
        refused(office, lambda one: sign_up.open_season(one, the, now + 2 * DAY, now + DAY)).code
        == "league-starts-early"
    )
    assert refused(office, lambda one: sign_up.open_season(one, the, 0, 0, rounds=99)).code == "league-number"
    assert do(office, lambda one: sign_up.open_season(one, the, 0, 0, rounds=9))["rounds"] == 9
    assert refused(office, lambda one: sign_up.open_season(one, the, 0, 0)).code == "league-goes-on"
    assert refused(office, lambda one: founding.close(one, the)).code == "league-goes-on"


async def test_nobody_is_in_twice_and_strangers_to_the_private_chat_are_not_let_in(office: House) -> None:
    the = league(office)
    assert refused(office, lambda one: lookup.current(one, the)).code == "league-no-season"
    do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    ana, bea = people(office, 2)
    shy = people(office, 1, first=9, state="new")[0]
    joined(office, [ana])
    assert (
        refused(office, lambda one: sign_up.join(one, season(office), person(one, ana))).code
        == "league-in-already"
    )
    assert (
        refused(office, lambda one: sign_up.join(one, season(office), person(one, shy))).code
        == "league-not-green"
    )
    assert do(office, lambda one: sign_up.admit(one, season(office), person(one, shy), force=True))["name"]
    assert (
        refused(office, lambda one: sign_up.leave_season(one, season(office), person(one, bea))).code
        == "league-not-in"
    )
    do(office, lambda one: sign_up.leave_season(one, season(office), person(one, ana)))
    assert (
        refused(office, lambda one: sign_up.leave_season(one, season(office), person(one, ana))).code
        == "league-out-already"
    )
    do(office, lambda one: sign_up.remove(one, season(office), person(one, ana), "rude"))
    assert entry(office, ana).note == "rude"
    assert (
        refused(office, lambda one: sign_up.join(one, season(office), person(one, ana))).code
        == "league-removed-before"
    )
    assert (
        refused(office, lambda one: sign_up.alternate(one, season(office), person(one, ana))).code
        == "league-removed-before"
    )
    assert (
        do(office, lambda one: sign_up.admit(one, season(office), person(one, ana), force=True))["late"]
        is False
    )
    do(office, lambda one: sign_up.alternate(one, season(office), person(one, bea)))
    assert (
        refused(office, lambda one: sign_up.alternate(one, season(office), person(one, bea))).code
        == "league-waits-already"
    )


async def test_whoever_often_let_others_wait_is_not_let_in(office: House) -> None:
    the = league(office, replace(QUICK, reliability=80, answers=10))
    do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    ana, bea, new = people(office, 3)

    def history(one: UnitOfWork) -> None:
        tx = one.tx
        number = tx.add(Game, creator_id=ana, status="over")
        for no, who in enumerate((ana, bea)):
            tx.add(Seat, game_id=number, no=no, person_id=who, name=f"P{no}")
        for move in range(20):  # each turn of Bea's is answered, every second of Ana's is not
            tx.add(
                Journal,
                game_id=number,
                no=move + 1,
                seat=move % 2,
                question=move,
                order="end",
                by="clock" if move % 4 == 0 else "person",
                at_ms=move * 1000,
            )

    do(office, history)
    no = refused(office, lambda one: sign_up.join(one, season(office), person(one, ana)))
    assert (no.code, no.facts["wanted"], no.facts["share"]) == ("league-unreliable", 80, 50)
    assert (
        refused(office, lambda one: sign_up.alternate(one, season(office), person(one, ana))).code
        == "league-unreliable"
    )
    joined(office, [bea, new])  # anyone who has hardly played is new, not unreliable
    assert (
        do(office, lambda one: sign_up.admit(one, season(office), person(one, ana), force=True))["season"]
        == 1
    )


async def test_a_latecomer_plays_from_the_next_round_on(office: House) -> None:
    await begun(office, 8)
    late = people(office, 1, first=40)[0]
    facts = do(office, lambda one: sign_up.join(one, season(office), person(one, late)))
    assert (facts["late"], facts["round"]) == (True, 2)
    assert (
        refused(office, lambda one: sign_up.alternate(one, season(office), person(one, late))).code
        == "league-plays"
    )
    play_round(office)
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    sizes = sorted(len(lookup.people_of(one)) for one in tables(office, round_no=2))
    assert sizes == [4, 5]
    assert late in [who for one in tables(office, round_no=2) for who in lookup.people_of(one)]
    for _ in range(3):
        play_round(office)
        office.clock.pass_(hours=24 * 7)
        await office.referee.scheduler.ring()
    assert (
        refused(office, lambda one: sign_up.join(one, season(office), person(one, late))).code
        == "league-season-over"
    )


async def test_a_league_without_latecomers_says_so(office: House) -> None:
    await begun(office, 8, replace(QUICK, joins=False, rounds=1))
    late = people(office, 1, first=40)[0]
    assert (
        refused(office, lambda one: sign_up.join(one, season(office), person(one, late))).code
        == "league-joins-closed"
    )
    assert (
        refused(office, lambda one: sign_up.admit(one, season(office), person(one, late), force=True)).code
        == "league-no-rounds-left"
    )


async def test_whoever_leaves_a_table_that_is_played_is_waited_for_no_longer(office: House) -> None:
    await begun(office, 8, replace(QUICK, withdrawal="1"))
    table = tables(office, "gathering")[0]
    ready(office, table)
    ana = lookup.people_of(table)[0]
    facts = do(office, lambda one: sign_up.leave_season(one, season(office), person(one, ana)))
    assert (facts["round"], facts["cost"]) == (2, 100)
    mine = clock_state.read_clocks(game(office, table)).seat(0)
    assert mine.probation
    assert mine.offered
    await office.settle()
    assert entry(office, ana).state == "withdrawn"
    # their later tables are planned anew when their round comes
    play_round(office)
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    assert ana not in [who for one in tables(office, round_no=2) for who in lookup.people_of(one)]
    assert sorted(len(lookup.people_of(one)) for one in tables(office, round_no=2)) == [3, 4]
    found = office.store.read_now(lambda tx: tx.one(TableResult, person_id=ana))
    assert found is not None
    assert "abandoned" not in json.loads(found.flags)  # they played on to the end, and nobody had come
    assert entry(office, ana).penalty == 100


async def test_whoever_leaves_and_is_replaced_is_last_and_who_came_has_the_place(office: House) -> None:
    people_ = await begun(office, 8, spare=1)
    table = tables(office, "gathering")[0]
    ready(office, table)
    ana, spare = lookup.people_of(table)[0], people_[-1]
    do(office, lambda one: sign_up.leave_season(one, season(office), person(one, ana)))
    await office.settle()
    await office.say("terminal:p9", f"join #{table.game_id}")
    assert do(office, lambda one: one.seats(int(table.game_id or 0)))[0].person_id == spare
    play(office, table)
    await office.referee.scheduler.ring()
    found = {
        row.person_id: row for row in office.store.read_now(lambda tx: tx.all(TableResult, table_id=table.id))
    }
    assert json.loads(found[spare].flags)["took_over"]
    assert json.loads(found[ana].flags)["left"]
    assert found[ana].place == 4
    assert entry(office, ana).penalty == 0  # they said that they would go
    standing = {row.person: row for row in do(office, lambda one: results.standings(one, season(office), 1))}
    assert standing[ana].points == 0  # the place is that of the person who came
    assert standing[spare].played == 1


async def test_whoever_is_kicked_is_out_and_may_come_back_for_later_rounds(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    ready(office, table)
    ana = lookup.people_of(table)[1]
    do(
        office,
        lambda one: unseat.kick(
            one, lobby.reload(one, table.game_id), {"player": 1}, {"seat": None, "by": "an admin"}
        ),
    )
    await office.referee.scheduler.ring()
    assert (entry(office, ana).state, entry(office, ana).penalty, entry(office, ana).note) == (
        "withdrawn",
        200,
        "abandoned",
    )
    do(office, lambda one: sign_up.join(one, season(office), person(one, ana)))
    assert (entry(office, ana).state, entry(office, ana).penalty, entry(office, ana).from_round) == (
        "playing",
        200,
        2,
    )


async def test_where_hardly_anybody_is_left_the_rest_have_byes_and_the_season_ends(office: House) -> None:
    everybody = await begun(office, 8)
    play_round(office)
    for who in everybody[:6]:
        do(office, lambda one, who=who: sign_up.leave_season(one, season(office), person(one, who)))
    for _ in range(4):
        office.clock.pass_(hours=24 * 7)
        await office.referee.scheduler.ring()
    assert season(office).state == "over"
    assert tables(office, round_no=2) == tables(office, round_no=3) == []
    assert lookup.facts_of(rows(office)[2])["byes"] == sorted(everybody[6:])


async def test_one_word_begins_a_season_from_sign_up(office: House) -> None:
    the = league(office)
    do(
        office,
        lambda one: sign_up.open_season(one, the, office.clock() + 30 * DAY, office.clock() + 40 * DAY),
    )
    joined(office, people(office, 8))
    assert do(office, lambda one: rounds.start(one, season(office)))["people"] == 8
    await office.referee.scheduler.ring()
    assert season(office).state == "running"
    assert {one.state for one in tables(office, round_no=1)} == {"gathering"}
    assert rows(office)[0].starts_ms == office.clock()


async def test_whoever_turns_out_to_be_somebody_else_keeps_their_season(office: House) -> None:
    everybody = await begun(office, 4)
    table = tables(office, "gathering")[0]
    second, other = people(office, 2, first=30)
    do(office, lambda one: sign_up.alternate(one, season(office), person(one, other)))

    async def linked(old: str, new: str) -> str:
        await office.say(old, f"link {await code(office, new)}")
        said = office.last(old).text
        if "one season" not in said:
            await say_yes(office, old)
            await say_yes(office, new)
        return said

    await office.settle()
    told = await linked(f"terminal:p{everybody[0]}", "terminal:p31")
    assert "one season" in told
    await linked(f"terminal:p{everybody[0]}", "terminal:p30")
    assert entry(office, second).state == "playing"
    assert office.store.read_now(lambda tx: tx.count(Entry, person_id=everybody[0])) == 0
    now = [who for one in tables(office) for who in lookup.people_of(one)]
    assert everybody[0] not in now
    assert now.count(second) == 3
    await office.say(f"terminal:p{everybody[0]}", f"ready #{table.game_id}")
    seats = do(office, lambda one: one.seats(int(table.game_id or 0)))
    assert [seat.ready for seat in seats if seat.person_id == second] == [1]


async def test_a_latecomer_plays_in_the_last_division_that_somebody_is_in(office: House) -> None:
    await begun(office, 16, replace(QUICK, division=8))
    now = season(office)
    play_round(office)
    await office.referee.scheduler.ring()
    below = office.store.read_now(lambda tx: tx.column(Entry, "person_id", division=2))
    for who in below:
        do(office, lambda one, who=who: sign_up.leave_season(one, now, person(one, who)))
    (late,) = people(office, 1, first=50)
    do(office, lambda one: sign_up.join(one, now, person(one, late)))
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    assert late in [who for one in tables(office, round_no=2) for who in lookup.people_of(one)]
