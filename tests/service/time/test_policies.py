"""A table is played by its policy: what its line says happens, and nothing else."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from referee.policy import PRESETS, bound_ms
from referee.ports import Fate, Receipt
from referee.service.deadlines import clock_state
from referee.store import Deadline, Game, Journal, Seat
from tests.service.playing import asked, happened, legal, ring, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
HOUR = 3_600_000


def due(house: House, game: int) -> int:
    """When the open answer falls due."""
    rows = house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, kind="answer", done_ms=0))
    assert len(rows) == 1
    return rows[0].due_ms


def seat_time(house: House, game: int, no: int) -> clock_state.SeatTime:
    return clock_state.read_clocks(running(house, game)).seat(no)


async def until_due(house: House, game: int) -> None:
    """Let time pass until the open answer has run out, ringing for whatever comes before."""
    now = asked(house, game), running(house, game).question
    for _ in range(20):
        house.clock.at_ms = max(
            house.clock.at_ms,
            min(
                row.due_ms
                for row in house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, done_ms=0))
            ),
        )
        await ring(house)
        if (asked(house, game), running(house, game).question) != now:
            return
    raise AssertionError("nothing became of it")


@pytest.mark.parametrize("said", ["", "brisk", "live", "gentle"])
async def test_the_prompt_says_until_when_and_the_line_is_explained(house: House, said: str) -> None:
    game = await table(house, PEOPLE, hours=said)
    row = running(house, game)
    assert clock_state.policy_of(row) == replace(PRESETS[said or "daily"], first_round_miss=False)
    first = {
        "": "24h a move, first 12h free, your bank 3 days",
        "brisk": "12h a move",
        "live": "10m a move",
        "gentle": "2 days a move",
    }[said]
    who = PEOPLE[asked(house, game)]
    assert first not in house.last(who).text.replace("\n", " ")
    assert "You have until " in house.last(who).text
    await house.say(who, f"policy #{game}")
    assert first in house.last(who).text.replace("\n", " ")
    assert "A miss in the first round counts like any other." in house.last(who).text.replace("\n", " ")


async def test_at_night_nobody_is_asked_for_an_answer(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h")
    who = asked(house, game)
    before = due(house, game)
    assert before == house.clock() + 42 * HOUR  # the nine hours of two nights are not counted
    await house.say(PEOPLE[who], "quiet none")
    assert due(house, game) == house.clock() + 24 * HOUR
    await house.say(PEOPLE[who], "quiet 0-0")
    assert due(house, game) == house.clock() + 24 * HOUR, "24 hours of quiet were taken"


async def test_one_clock_for_a_whole_turn_and_the_bank_pays_for_it(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no quiet no nights")
    while not legal(house, game)[0].startswith("gold"):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    who, end = asked(house, game), due(house, game)
    house.clock.pass_(hours=20)
    await ring(house)
    await house.say(PEOPLE[who], "gold")
    assert asked(house, game) == who
    assert due(house, game) == end
    await house.say(PEOPLE[who], "end")
    assert asked(house, game) != who
    # eight hours beyond the free twelve, and six of credit; the picks before were at once and the bank was
    # full
    assert seat_time(house, game, who).bank == (72 - 8 + 6) * HOUR


async def test_a_letter_that_comes_late_starts_the_clock_late(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no quiet no nights")
    who = asked(house, game)
    later = PEOPLE[(who + 1) % 3]
    wire = house.wires[later.partition(":")[0]]
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=5 * HOUR)
    await house.say(PEOPLE[who], legal(house, game)[0])
    assert PEOPLE[asked(house, game)] == later
    assert due(house, game) == house.clock() + 24 * HOUR
    wire.fate = None
    house.clock.pass_(hours=5.1)
    await house.settle()
    assert due(house, game) == house.clock() + 24 * HOUR


async def test_somebody_whom_nothing_reaches_is_waited_for_once(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no quiet no nights")
    who = asked(house, game)
    later = PEOPLE[(who + 1) % 3]
    wire = house.wires[later.partition(":")[0]]
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=500 * HOUR)
    house.clock.pass_(seconds=30)
    await house.say(PEOPLE[who], legal(house, game)[0])
    begun = house.clock()
    gone = asked(house, game)
    house.clock.pass_(hours=24.1)
    await ring(house)
    assert asked(house, game) == gone
    assert due(house, game) == begun + 48 * HOUR
    house.clock.pass_(hours=24)
    await ring(house)
    assert [row.by for row in house.store.read_now(lambda tx: tx.all(Journal, game_id=game, seat=gone))][
        -1
    ] == "clock"


@pytest.mark.whole_games
async def test_after_two_misses_a_caretaker_plays_who_harms_nobody(house: House) -> None:
    game = await table(house, PEOPLE, hours="live")
    gone = asked(house, game)
    for _ in range(400):
        if running(house, game).round > 5 or running(house, game).status != "running":
            break
        if asked(house, game) == gone:
            await until_due(house, game)
        else:
            await house.say(PEOPLE[asked(house, game)], legal(house, game)[-1])
    moves = house.store.read_now(lambda tx: tx.all(Journal, game_id=game, seat=gone, order="no"))
    assert moves[0].by == "clock"
    played = [move for move in moves if move.by == "caretaker"]
    assert len(played) > 10
    assert {move.order.split()[0] for move in played} <= {
        "pick",
        "gold",
        "cards",
        "keep",
        "income",
        "build",
        "end",
        "pass",
        "put",
    }
    assert "build" in {move.order.split()[0] for move in played}
    events = happened(house, game)
    assert events.count("probation") == events.count("offered") == 1
    assert "stood_in" in events
    who = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=gone))
    assert who.misses == seat_time(house, game, gone).misses > 2
    await house.say(PEOPLE[gone], "here")
    assert not seat_time(house, game, gone).probation
    assert happened(house, game)[-1] == "back"


async def test_whoever_answers_is_back(house: House) -> None:
    game = await table(house, PEOPLE, hours="live")
    gone = asked(house, game)
    await until_due(house, game)
    assert seat_time(house, game, gone).probation
    while asked(house, game) != gone:
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    await house.say(PEOPLE[gone], legal(house, game)[0])
    assert not seat_time(house, game, gone).probation
    assert "back" in happened(house, game)


async def test_vacation_begins_by_itself_and_ends_when_its_player_is_there(house: House) -> None:
    game = await table(
        house, PEOPLE, hours="24h free 2h bank 10h credit 0h reserve 4h no quiet no nights vacation 3d"
    )
    gone = asked(house, game)
    begun = house.clock()
    assert due(house, game) == begun + 12 * HOUR
    house.clock.pass_(hours=8)
    await ring(house)
    assert due(house, game) == begun + (12 + 72) * HOUR
    assert happened(house, game)[-1] == "vacation_began"
    house.clock.pass_(hours=10)
    await house.say(PEOPLE[gone], "here")
    assert happened(house, game)[-1] == "vacation_ended"
    end = due(house, game)
    assert end == house.clock() + 4 * HOUR
    assert "2 days of vacation left" in house.last(PEOPLE[gone]).text
    for _ in range(3):
        await ring(house)
        house.clock.pass_(hours=1)
    assert happened(house, game)[-1] == "vacation_ended", "it began again in the same moment"
    assert due(house, game) == end


async def test_vacation_is_asked_for_and_no_more_than_there_is(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no quiet no nights vacation 3d")
    who, before = asked(house, game), due(house, game)
    await house.say(PEOPLE[who], "vacation 4 days")
    assert due(house, game) == before
    assert (
        f"That is 4 days, and you have 3 left at #{game}: “vacation 3 days” takes them."
        in house.last(PEOPLE[who]).text
    )
    await house.say(PEOPLE[who], "vacation 2 days")
    assert due(house, game) == before + 48 * HOUR


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("new classic 3 quiet 0-0", "24"),
        ("new classic 3 zone Atlantis/Deep", "Atlantis/Deep"),
        ("new classic 3 no standin", "standin"),
        ("new classic 3 bank 5h free 90h", "at most"),
        ("quiet 22", "22"),
        ("vacation -3 days", "vacation"),
        ("vacation 300 days", "one lasts 60 days at most"),
        ("extend 900h", "extend"),
        ("quiet 22-7 loud", "loud"),
    ],
)
async def test_bad_words_are_answered_and_nothing_is_made(house: House, said: str, answer: str) -> None:
    await house.say(PEOPLE[0], said)
    assert answer in house.last(PEOPLE[0]).text
    assert house.store.read_now(lambda tx: tx.count(Game)) == 0


async def test_a_table_made_before_policies_keeps_its_hours(house: House) -> None:
    game = await table(house, PEOPLE)
    old = {
        name: value for name, value in json.loads(running(house, game).settings).items() if name != "policy"
    } | {"hours": 5.0, "reminder_hours": 1.0}
    house.store.write_now(lambda tx: tx.set(Game, game, settings=json.dumps(old), clocks="{}"))
    who = asked(house, game)
    await house.say(PEOPLE[who], legal(house, game)[0])
    assert due(house, game) == house.clock() + 5 * HOUR
    for _ in range(12):
        await until_due(house, game)
    assert not any(one.probation for one in clock_state.read_clocks(running(house, game)).seats.values())


@pytest.mark.parametrize(
    "said",
    ["live", "brisk no quiet no nights", "daily", "24h days Mo-Fr snap 19:00 Lisbon", "gentle standin bot"],
)
async def test_a_game_that_everybody_has_left_ends_within_its_bound(house: House, said: str) -> None:
    game = await table(house, PEOPLE[::2], hours=said)
    begun = house.clock()
    for _ in range(6_000):
        row = running(house, game)
        if row.status != "running":
            break
        rows = house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, done_ms=0))
        assert {one.seat for one in rows if one.kind == "answer"} == {int(no) for no in row.asked.split(",")}
        assert {one.question for one in rows} == {row.question}
        house.clock.at_ms = max(house.clock.at_ms, min(one.due_ms for one in rows))
        assert await house.referee.scheduler.ring() > 0
    assert row.status == "over"
    rule = clock_state.policy_of(row)
    assert house.clock() - begun <= bound_ms(rule, 2, row.round)
    by = {one.by for one in house.store.read_now(lambda tx: tx.all(Journal, game_id=game))}
    assert by == {"clock", "standin" if rule.bot else "caretaker"}


async def test_other_quiet_hours_end_nobodys_time_at_once(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no bank no quiet nights 12h no vacation")
    who = asked(house, game)
    await house.say(PEOPLE[who], "quiet 22-07")
    while due(house, game) - house.clock() > 20 * HOUR:
        house.clock.pass_(hours=1)
    before = due(house, game)
    house.clock.at_ms = before - 8 * HOUR  # a night has passed that would count otherwise
    await house.say(PEOPLE[who], "quiet none")
    assert due(house, game) == before
    await house.say(PEOPLE[who], "quiet 10-20")
    assert due(house, game) == before, "a second time"
    await house.say(PEOPLE[who], legal(house, game)[0])
    for _ in range(20):
        if asked(house, game) == who and seat_time(house, game, who).hours is None:
            break
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    assert seat_time(house, game, who).hours is None
