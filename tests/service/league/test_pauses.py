"""A season pauses: clocks, dates, votes, vacations and offers stand still and go on with what was left;
killed in its midst; announced ahead, given another end, taken back.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from referee.rules import Refusal
from referee.service.calendar import ical
from referee.service.core import tokens
from referee.service.deadlines import clock_state
from referee.service.league import due, hooks, pausing
from referee.service.league.entry import founding, sign_up
from referee.service.league.public import calendar
from referee.service.league.season import rounds
from referee.service.league.seats import absences
from referee.store import Deadline, Proposal, SeasonTable, SeasonTime
from tests.service.league.seasons import (
    DAY,
    HOUR,
    QUICK,
    begun,
    do,
    game,
    league,
    opened,
    person,
    ready,
    rows,
    season,
    tables,
)
from tests.service.league.seasons import people as more
from tests.service.rig import House


def answers(house: House) -> dict[tuple[int, int], int]:
    """When each open answer is due: (game, seat) -> ms."""
    found = house.store.read_now(lambda tx: tx.all(Deadline, kind="answer", done_ms=0))
    return {(int(one.game_id or 0), int(one.seat)): one.due_ms for one in found}


def pause(house: House, days: float = 10, ahead: float = 0) -> int:
    """Pause it; how long, in ms."""
    begins = house.clock() + round(ahead * DAY) if ahead else 0
    end = (begins or house.clock()) + round(days * DAY)
    do(house, lambda one: pausing.pause(one, season(house), begins, end, ""))
    return round(days * DAY)


async def playing(house: House, many: int = 8, spare: int = 0) -> None:
    """Every table but the last is played."""
    await begun(house, many, spare=spare)
    for table in tables(house, "gathering")[:-1]:
        ready(house, table)
    await house.referee.scheduler.ring()


def dates(house: House) -> list[tuple[int, int]]:
    return [(row.starts_ms, row.ends_ms) for row in rows(house)]


def until(house: House, table: SeasonTable) -> int:
    told = hooks.read_league(game(house, table))
    assert told is not None
    return int(told["until"])


async def test_everything_comes_later_by_the_length_of_the_pause(office: House) -> None:
    await playing(office)
    office.clock.pass_(hours=5)
    before, planned = answers(office), dates(office)
    waiting = tables(office, "gathering")[0]
    waits = until(office, waiting)
    length = pause(office)
    await office.referee.scheduler.ring()
    assert before
    # clocks reckon nights by the calendar: so many whole days later it is the same hour
    assert answers(office) == {key: at + length for key, at in before.items()}
    assert until(office, waiting) == waits + length
    assert dates(office) == [
        (planned[0][0], planned[0][1] + length),
        *((start + length, end + length) for start, end in planned[1:]),
    ]
    await office.settle()
    assert any("pauses now, until" in one.text for one in office.letters("terminal:p1"))


async def test_nothing_rings_while_it_lasts_and_then_clocks_go_on(office: House) -> None:
    await playing(office)
    office.clock.pass_(hours=5)
    pause(office, 10)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=9.9 * 24)
    await office.referee.scheduler.ring()
    kinds = office.store.read_now(lambda tx: tx.column(Deadline, "kind"))
    assert not {"missed", "stood"} & set(kinds)
    assert [one.state for one in rows(office)] == ["open", "planned", "planned"]
    assert len(tables(office, "gathering")) == 1
    office.clock.pass_(hours=0.2 * 24)
    await office.referee.scheduler.ring()
    await office.settle()
    assert any("is over: the clocks run again" in one.text for one in office.letters("terminal:p1"))
    assert pausing.latest(season(office)) is None


async def test_people_may_play_on_and_lose_nothing_of_their_bank(office: House) -> None:
    await playing(office)
    office.clock.pass_(hours=30)
    pause(office, 5)
    await office.referee.scheduler.ring()
    table = tables(office, "playing")[0]
    seat = int(game(office, table).asked.split(",")[0])
    number = int(table.game_id or 0)
    who = do(office, lambda one: one.seats(number))[seat].person_id
    office.clock.pass_(hours=96)
    await office.say(f"terminal:p{who}", f"#{number} 1")
    assert game(office, table).question > 1
    clocks = clock_state.read_clocks(game(office, table))
    policy = clock_state.policy_of(game(office, table))
    spent = policy.bank_hours * HOUR - clocks.seat(seat).bank
    assert 0 <= spent <= 18 * HOUR  # the thirty hours before the pause, less nights and what is free
    following = answers(office)
    assert all(at > office.clock() + 24 * HOUR for key, at in following.items() if key[0] == number)


async def test_a_kill_in_the_midst_of_it_goes_on_with_the_next_table(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db")
    await begun(house, 60)
    for table in tables(house, "gathering"):
        ready(house, table)
    await house.referee.scheduler.ring()
    before = answers(house)
    length = pause(house)
    do(house, lambda one: due.advance(one, season(house)))
    do(house, lambda one: due.advance(one, season(house)))
    held = [len(clock_state.read_clocks(game(house, table)).held) for table in tables(house, "playing")]
    assert 0 < sum(held) < len(held)
    path, clock = house.path, house.clock
    await house.store.close()
    house = await opened(path, clock=clock)
    await house.referee.scheduler.ring()
    assert answers(house) == {key: at + length for key, at in before.items()}
    await house.close()


async def test_an_early_end_gives_back_what_was_moved(office: House) -> None:
    await playing(office)
    office.clock.pass_(hours=5)
    before, planned, waiting = answers(office), dates(office), tables(office, "gathering")[0]
    waits = until(office, waiting)
    pause(office, 10)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=72)
    do(office, lambda one: pausing.resume(one, season(office)))
    await office.referee.scheduler.ring()
    assert answers(office) == {key: at + 3 * DAY for key, at in before.items()}
    assert until(office, waiting) == waits + 3 * DAY
    assert dates(office)[1:] == [(start + 3 * DAY, end + 3 * DAY) for start, end in planned[1:]]
    await office.settle()
    assert any("ended early" in one.text for one in office.letters("terminal:p1"))


async def test_one_that_is_announced_begins_by_itself(office: House) -> None:
    await playing(office)
    planned = dates(office)
    length = pause(office, 4, ahead=3)
    await office.referee.scheduler.ring()
    assert dates(office) == planned
    assert pausing.expected(season(office), planned[1][0]) == planned[1][0] + length
    card = await _said(office, "league schedule")
    assert "There is a pause from" in card
    office.clock.pass_(hours=73)
    await office.referee.scheduler.ring()
    assert dates(office)[1:] == [(start + length, end + length) for start, end in planned[1:]]
    await office.settle()
    assert any("has begun: until" in one.text for one in office.letters("terminal:p1"))


async def test_one_that_is_taken_back_was_never_there(office: House) -> None:
    await playing(office)
    before, planned = answers(office), dates(office)
    pause(office, 4, ahead=0.5)
    await office.referee.scheduler.ring()
    assert answers(office) != before
    do(office, lambda one: pausing.resume(one, season(office)))
    await office.referee.scheduler.ring()
    assert (answers(office), dates(office)) == (before, planned)
    office.clock.pass_(hours=13)
    await office.referee.scheduler.ring()
    assert dates(office) == planned


async def test_a_pause_that_is_on_gets_another_end(office: House) -> None:
    await playing(office)
    before, planned = answers(office), dates(office)
    pause(office, 4)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=24)
    pause(office, 6)
    await office.referee.scheduler.ring()
    assert answers(office) == {key: at + 7 * DAY for key, at in before.items()}
    assert dates(office)[1:] == [(start + 7 * DAY, end + 7 * DAY) for start, end in planned[1:]]


async def test_a_table_that_is_laid_meanwhile_begins_paused(office: House) -> None:
    await begun(office, 8)
    pause(office, 5)
    await office.referee.scheduler.ring()
    for table in tables(office, "gathering"):
        ready(office, table)
    assert all(at > office.clock() + 5 * DAY for at in answers(office).values())
    assert answers(office)


async def test_vacation_is_not_used_up_by_it(office: House) -> None:
    await playing(office)
    table = tables(office, "playing")[0]
    who = do(office, lambda one: one.seats(int(table.game_id or 0)))[0].person_id
    begins = office.clock()
    await office.say(f"terminal:p{who}", "vacation 3 days")
    office.clock.pass_(hours=24)
    at = office.clock()
    length = pause(office, 10)
    await office.referee.scheduler.ring()
    wanted = [(begins, at), (at + length, at + length + 2 * DAY)]
    assert clock_state.read_clocks(game(office, table)).seat(0).vacations == wanted
    kept = office.store.read_now(lambda tx: tx.all(SeasonTime))
    assert [json.loads(one.vacations) for one in kept] == [[list(one) for one in wanted]]
    office.clock.pass_(hours=48)
    await office.say(f"terminal:p{who}", "here")
    assert clock_state.read_clocks(game(office, table)).seat(0).vacations == [(begins, at)]
    await office.say(f"terminal:p{who}", "vacation 2 days")
    assert clock_state.read_clocks(game(office, table)).seat(0).vacations == [
        (begins, at),
        (at + length, at + length + 2 * DAY),
    ]


async def test_an_alternate_has_as_long_to_think(office: House) -> None:
    await playing(office, spare=1)
    now = game(office, tables(office, "playing")[0])
    do(office, lambda one: absences.to_be_had(one, now, one.seats(now.id)[0]))
    asked = {"kind": "alternate", "done_ms": 0}
    (before,) = office.store.read_now(lambda tx: tx.column(Deadline, "due_ms", **asked))
    pause(office, 10)
    await office.referee.scheduler.ring()
    assert office.store.read_now(lambda tx: tx.column(Deadline, "due_ms", **asked)) == [before + 10 * DAY]
    office.clock.pass_(hours=24)
    do(office, lambda one: pausing.resume(one, season(office)))
    await office.referee.scheduler.ring()
    assert office.store.read_now(lambda tx: tx.column(Deadline, "due_ms", **asked)) == [before + DAY]


async def test_no_stand_in_plays_for_somebody_in_a_pause(office: House) -> None:
    await playing(office)
    now = game(office, tables(office, "playing")[0])
    pause(office, 10)
    await office.referee.scheduler.ring()
    now, seat = game(office, tables(office, "playing")[0]), int(now.asked.split(",")[0])
    do(office, lambda one: absences.to_be_had(one, now, one.seats(now.id)[seat]))
    office.clock.pass_(hours=9 * 24)
    await office.referee.scheduler.ring()
    assert game(office, tables(office, "playing")[0]).question == now.question
    office.clock.pass_(hours=25)
    await office.referee.scheduler.ring()
    assert game(office, tables(office, "playing")[0]).question > now.question


async def test_silence_in_a_pause_is_no_yes(office: House) -> None:
    await playing(office)
    table = tables(office, "playing")[0]
    seats = do(office, lambda one: one.seats(int(table.game_id or 0)))
    await office.say(f"terminal:p{seats[0].person_id}", f"#{table.game_id} pause")
    (vote,) = office.store.read_now(lambda tx: tx.all(Proposal, state="open"))
    pause(office, 10)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=9 * 24)
    await office.referee.scheduler.ring()
    (still,) = office.store.read_now(lambda tx: tx.all(Proposal, state="open"))
    assert still.due_ms == vote.due_ms + 10 * DAY


async def test_a_table_that_pauses_by_itself_stays_paused(office: House) -> None:
    await playing(office)
    table = tables(office, "playing")[0]
    number = int(table.game_id or 0)
    for seat in do(office, lambda one: one.seats(number)):
        await office.say(f"terminal:p{seat.person_id}", f"#{number} pause")
        await office.say(f"terminal:p{seat.person_id}", f"#{number} vote yes")
    assert clock_state.paused(clock_state.read_clocks(game(office, table)))
    pause(office, 1)
    await office.referee.scheduler.ring()
    office.clock.pass_(hours=30)
    await office.referee.scheduler.ring()
    assert clock_state.paused(clock_state.read_clocks(game(office, table)))


async def test_it_stands_in_the_calendars_and_keeps_its_name(office: House) -> None:
    people = await begun(office, 8)
    pause(office, 4, ahead=3)
    begins = office.clock() + 3 * DAY
    (entry,) = _entries(office, people[0])
    assert (entry["SUMMARY"], entry["STATUS"]) == ("Winter Cup: pause", "CONFIRMED")
    assert entry.start == datetime.fromtimestamp(begins / 1000, UTC)
    assert entry.end == datetime.fromtimestamp((begins + 4 * DAY) / 1000, UTC)
    do(office, lambda one: pausing.resume(one, season(office)))
    (after,) = _entries(office, people[0])
    assert (after["UID"], after["STATUS"], after["SEQUENCE"]) == (entry["UID"], "CANCELLED", 1)
    words, the = (
        office.referee.outbox_worker._words,
        do(office, lambda one: founding.found(one, "Winter Cup")),
    )
    file = office.store.read_now(lambda tx: calendar.league_calendar_file(tx, words, "en", the))
    assert entry["UID"] in [one["UID"] for one in Calendar.from_ical(file).walk("VEVENT")]
    stranger = more(office, 1, first=50)[0]
    assert _entries(office, stranger) == []


def _entries(house: House, who: int) -> list[Any]:
    """The spans in somebody's own calendar."""
    one = do(house, lambda uow: person(uow, who))
    file = house.store.read_now(
        lambda tx: ical.attached(tx, house.referee.outbox_worker._words, one, tokens.secret(tx))[1][0].data
    )
    return list(Calendar.from_ical(file).walk("VEVENT"))


async def test_sign_up_and_the_first_round_wait_too(office: House) -> None:
    the, at = league(office, replace(QUICK)), office.clock()
    do(office, lambda one: sign_up.open_season(one, the, at + 3 * DAY, at + 5 * DAY))
    pause(office, 10)
    await office.referee.scheduler.ring()
    assert (season(office).closes_ms, season(office).starts_ms) == (at + 13 * DAY, at + 15 * DAY)


@pytest.mark.parametrize(
    ("days", "ahead", "code"),
    [(70, 0, "league-pause-long"), (-1, 0, "league-pause-order"), (3, 300, "league-pause-far")],
)
async def test_what_can_not_be_is_refused(office: House, days: float, ahead: float, code: str) -> None:
    await begun(office, 8)
    with pytest.raises(Refusal) as no:
        pause(office, days, ahead)
    assert no.value.code == code


async def test_pauses_of_a_season_are_bounded_together(office: House) -> None:
    await begun(office, 8)
    for _ in range(2):
        pause(office, 60)
        await office.referee.scheduler.ring()
        office.clock.pass_(hours=61 * 24)
        await office.referee.scheduler.ring()
    with pytest.raises(Refusal) as no:
        pause(office, 5)
    assert (no.value.code, no.value.facts["before"]) == ("league-pause-long", 120)


async def test_no_round_is_opened_by_hand_while_it_lasts(office: House) -> None:
    await begun(office, 8)
    for table in tables(office, "gathering"):
        ready(office, table)
    pause(office, 5)
    with pytest.raises(Refusal) as no:
        do(office, lambda one: rounds.open_round(one, season(office)))
    assert no.value.code in ("league-pauses", "league-round-open")


async def _said(house: House, text: str) -> str:
    await house.say("terminal:p1", text)
    await house.settle()
    return house.last("terminal:p1").text
