"""Tables that wait for people who are not there: reminders, alternates, beginning without them, nobody at
all.
"""

from __future__ import annotations

import json

from referee.service.deadlines import clock_state
from referee.service.league import hooks, lookup
from referee.service.league.entry import sign_up
from referee.store import SeatOffer, TableResult
from tests.service.league.seasons import (
    QUICK,
    begun,
    do,
    entry,
    game,
    person,
    play,
    ready,
    season,
    tables,
)
from tests.service.league.seasons import people as more
from tests.service.rig import House

LATE = QUICK.late_hours


def address(who: int) -> str:
    return f"terminal:p{who}"


async def test_the_letter_says_which_table_of_which_round_and_until_when(office: House) -> None:
    await begun(office, 8)
    await office.settle()
    table = tables(office, "gathering")[0]
    letter = [
        one for one in office.letters(address(lookup.people_of(table)[0])) if "Are you ready" in one.subject
    ][-1]
    assert f"table {table.no} of Winter Cup: season 1, round 1" in letter.text
    assert "It waits for everybody until Wed 23 Sep" in letter.text
    assert "is replaced, or it begins without them" in letter.text
    assert "opened by" not in letter.text


async def test_whoever_is_silent_is_asked_once_more_and_then_an_alternate_plays(office: House) -> None:
    people = await begun(office, 8, spare=1)
    table = tables(office, "gathering")[0]
    ghost = lookup.people_of(table)[1]
    for one in tables(office, "gathering"):
        ready(office, one, but=[ghost])
    office.clock.pass_(hours=LATE / 2)
    await office.referee.scheduler.ring()
    await office.settle()
    assert any(
        "You have not said yet that you are there" in one.text for one in office.letters(address(ghost))
    )
    office.clock.pass_(hours=LATE / 2)
    await office.referee.scheduler.ring()
    now = game(office, table)
    assert now.status == "mustering"
    assert [seat.person_id for seat in do(office, lambda one: one.seats(int(now.id or 0)))][1] == people[-1]
    assert (entry(office, ghost).state, entry(office, ghost).note, entry(office, ghost).penalty) == (
        "withdrawn",
        "abandoned",
        200,
    )
    assert (entry(office, people[-1]).state, entry(office, people[-1]).from_round) == ("playing", 2)
    await office.settle()
    assert any("Are you ready" in one.subject for one in office.letters(address(people[-1])))
    await office.say(address(people[-1]), "ready")
    assert game(office, table).status == "running"
    assert tables(office, "playing")[0].no == table.no
    play(office, table)
    await office.referee.scheduler.ring()
    rows = office.store.read_now(lambda tx: tx.all(TableResult, table_id=table.id))
    left = next(row for row in rows if row.person_id == ghost)
    assert (left.place, json.loads(left.flags)["left"], json.loads(left.flags)["why"]) == (4, True, "no show")
    assert len(rows) == 5


async def test_where_nobody_stands_by_it_begins_without_them_when_enough_are_there(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    people = lookup.people_of(table)
    ghost = people[table.crown]
    ready(office, table, but=[ghost])
    office.clock.pass_(hours=LATE)
    await office.referee.scheduler.ring()
    now = game(office, table)
    assert now.status == "running"
    seats = do(office, lambda one: one.seats(int(now.id or 0)))
    rest = [who for who in people if who != ghost]
    assert [seat.person_id for seat in seats] == rest
    fresh = next(one for one in tables(office) if one.no == table.no)
    assert lookup.people_of(fresh) == rest
    heir = (people[table.crown + 1 :] + people)[0]
    assert rest[fresh.crown] == heir
    first = do(office, lambda one: one.states.of(now))
    assert first.crown == fresh.crown
    await office.settle()
    assert any(f"#{now.id} of Winter Cup began without" in one.text for one in office.letters(address(ghost)))


async def test_several_who_are_not_there_are_each_remembered(office: House) -> None:
    await begun(office, 5)
    (table,) = tables(office, "gathering")
    ghosts = lookup.people_of(table)[1:3]
    ready(office, table, but=ghosts)
    office.clock.pass_(hours=LATE)
    await office.referee.scheduler.ring()
    assert game(office, table).status == "running"
    play(office, table)
    await office.referee.scheduler.ring()
    rows = office.store.read_now(lambda tx: tx.all(TableResult, table_id=table.id))
    assert len(rows) == 5
    assert {row.person_id for row in rows if '"left"' in row.flags} == set(ghosts)
    assert all(entry(office, one).penalty == 200 for one in ghosts)


async def test_where_too_few_are_there_nobody_waits_for_the_others_and_their_seats_can_be_had(
    office: House,
) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    people = lookup.people_of(table)
    ready(office, table, but=people[2:])
    office.clock.pass_(hours=LATE)
    await office.referee.scheduler.ring()
    now = game(office, table)
    assert now.status == "running"
    clocks = clock_state.read_clocks(now)
    assert [clocks.seat(no).probation and clocks.seat(no).offered for no in range(4)] == [
        False,
        False,
        True,
        True,
    ]
    # an alternate who comes now is asked at once
    office.clock.pass_(hours=1)
    fresh = more(office, 1, first=50)[0]
    do(office, lambda one: sign_up.alternate(one, season(office), person(one, fresh)))
    await office.settle()
    assert "Would you take over a seat" in office.last("terminal:p50").subject
    await office.say("terminal:p50", f"join #{now.id}")
    seats = do(office, lambda one: one.seats(int(now.id or 0)))
    assert fresh in [seat.person_id for seat in seats]
    told = hooks.read_league(game(office, table))
    assert told is not None
    assert told["left"][-1][1] == "replaced"


async def test_where_alternates_do_not_come_either_the_next_one_is_asked_while_it_is_played(
    office: House,
) -> None:
    people = await begun(office, 4, spare=3)
    (table,) = tables(office, "gathering")
    drawn = lookup.people_of(table)
    ready(office, table, but=drawn[2:])
    for _ in range(2):  # two alternates sit down, and are not there either
        office.clock.pass_(hours=LATE)
        await office.referee.scheduler.ring()
    now = game(office, table)
    assert now.status == "running"
    assert {entry(office, one).state for one in (*drawn[2:], *people[4:6])} == {"withdrawn"}
    assert [
        one.person_id
        for one in office.store.read_now(lambda tx: tx.all(SeatOffer, game_id=now.id, state="asked"))
    ] == [people[6]]
    # who says nothing stands by no longer, and is not asked again at any table
    office.clock.pass_(hours=48)
    await office.referee.scheduler.ring()
    await office.settle()
    assert (entry(office, people[6]).state, entry(office, people[6]).note) == ("withdrawn", "silent")
    assert any(
        "“league alternate Winter Cup” puts it back" in one.text for one in office.letters(address(people[6]))
    )
    assert not office.store.read_now(lambda tx: tx.count(SeatOffer, state="asked"))


async def test_an_alternate_who_joins_is_asked_for_a_seat_no_longer(office: House) -> None:
    people = await begun(office, 4, spare=5)
    (table,) = tables(office, "gathering")
    drawn = lookup.people_of(table)
    ready(office, table, but=drawn[2:])
    for _ in range(2):
        office.clock.pass_(hours=LATE)
        await office.referee.scheduler.ring()

    def asked() -> list[int | None]:
        offers = office.store.read_now(lambda tx: tx.all(SeatOffer, state="asked"))
        return [one.person_id for one in offers]

    assert asked() == [people[6], people[7]]
    do(office, lambda one: sign_up.join(one, season(office), person(one, people[6])))
    assert entry(office, people[6]).state == "playing"
    assert sorted(one or 0 for one in asked()) == [people[7], people[8]]


async def test_a_table_to_which_nobody_comes_is_void(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    office.clock.pass_(hours=LATE)
    await office.referee.scheduler.ring()
    assert game(office, table).status == "abandoned"
    assert next(one for one in tables(office) if one.no == table.no).state == "void"
    assert {entry(office, who).state for who in lookup.people_of(table)} == {"withdrawn"}


async def test_nobody_leaves_begins_or_fills_a_leagues_table_by_the_words_for_others(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    who = address(lookup.people_of(table)[0])
    await office.settle()
    for words in (
        f"leave #{table.game_id}",
        f"start #{table.game_id}",
        f"bot greedy #{table.game_id}",
        f"abandon #{table.game_id}",
    ):
        await office.say(who, words)
        assert "table of Winter Cup" in office.last(who).text or "Only" in office.last(who).text, words
    assert game(office, table).status == "mustering"
    assert len(do(office, lambda one: one.seats(int(table.game_id or 0)))) == 4
    # somebody from elsewhere can't sit down
    await office.say("terminal:stranger", "hello")
    await office.say("terminal:stranger", f"join #{table.game_id}")
    assert len(do(office, lambda one: one.seats(int(table.game_id or 0)))) == 4
    ready(office, table)
    await office.say("terminal:stranger", f"alternate #{table.game_id}")
    assert "only its alternates" in office.last("terminal:stranger").text
