"""When the referee can't be believed nothing is acted upon; a seat that was left can be taken over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.service import ForTesting
from referee.service.deadlines import clock_state, hold
from referee.service.time import misses
from referee.states import DeadlineKind
from referee.store import Alert, Deadline, Game, Journal, Seat, Tx
from tests.service.playing import asked, legal, running, table
from tests.service.rig import Clock, House

ADMIN = "matrix:@root:hs"
HOUR = 3_600_000


def alerts(house: House) -> list[str]:
    return [row.code for row in house.store.read_now(lambda tx: tx.all(Alert))]


def by_clock(house: House) -> int:
    return house.store.read_now(lambda tx: tx.count(Journal, by="clock"))


async def test_when_everybody_misses_nothing_is_applied_until_an_admin_looks(watched: House) -> None:
    people = [[f"telegram:a{n}", f"terminal:b{n}"] for n in range(6)]
    for pair in people:
        await table(watched, pair)
    watched.clock.pass_(hours=24.5)
    await watched.referee.scheduler.ring()
    await watched.settle()
    assert by_clock(watched) == 0
    assert alerts(watched) == ["many-misses"]
    watched.clock.pass_(hours=3)
    assert await watched.referee.scheduler.ring() == 0
    assert alerts(watched) == ["many-misses"]
    await watched.say("telegram:a0", "resume all")
    assert "admin" in watched.last("telegram:a0").text
    await watched.say(ADMIN, "resume all")
    assert "6 deadlines moved" in watched.last(ADMIN).text
    rows = watched.store.read_now(lambda tx: tx.all(Deadline, kind="answer", done_ms=0))
    assert {row.due_ms for row in rows} == {1_790_000_000_000 + (24 + 27) * HOUR}
    assert not watched.store.read_now(hold.held_since)


async def test_a_few_misses_among_many_answers_are_just_misses(watched: House) -> None:
    people = ["telegram:ana", "terminal:bea"]
    game = await table(watched, people)
    for _ in range(30):
        await watched.say(people[asked(watched, game)], legal(watched, game)[0])
    watched.clock.pass_(hours=24.5)
    await watched.referee.scheduler.ring()
    assert by_clock(watched) > 0
    assert alerts(watched) == []


@pytest.mark.parametrize("answers", [11, 450])
async def test_misses_are_counted_once_for_many_where_all_is_well_by_far(
    watched: House, monkeypatch: pytest.MonkeyPatch, answers: int
) -> None:
    """Not where a few misses more would be too many: there each of them is counted."""
    game = await table(watched, ["telegram:ana", "terminal:bea"])
    look, now, counts = watched.referee.context, watched.clock(), 0
    table_row, rung_since = running(watched, game), Tx.rung_since

    def rang(tx: Tx, kind: DeadlineKind, times: int) -> None:
        for _ in range(times):
            tx.add(Deadline, game_id=game, seat=0, question=0, kind=kind, due_ms=now, done_ms=now)

    def counted(tx: Tx, kind: str, after_ms: int, most: int = 1 << 62) -> int:
        nonlocal counts
        counts += kind == DeadlineKind.MISSED
        return rung_since(tx, kind, after_ms, most)

    def miss(tx: Tx) -> bool:
        """One more, as the scheduler takes it in hand."""
        row = tx.one(Deadline, game_id=game, kind=DeadlineKind.ANSWER, done_ms=0)
        assert row is not None
        well = misses.believed(look.uow(tx), table_row, row)
        rang(tx, DeadlineKind.MISSED, 1)
        return well

    watched.store.write_now(
        lambda tx: (rang(tx, DeadlineKind.ANSWER, answers), rang(tx, DeadlineKind.MISSED, 6))
    )
    monkeypatch.setattr(Tx, "rung_since", counted)
    believed = [watched.store.write_now(miss) for _ in range(66)]
    if answers == 11:
        assert (believed[:3], counts) == ([True, True, False], 66)
        return
    assert (all(believed), counts) == (True, 2)
    watched.clock.pass_(seconds=6)
    assert watched.store.write_now(miss)
    assert counts == 3


async def test_a_clock_that_jumps_holds_everything(watched: House) -> None:
    steady = Clock(5_000)
    watched.referee.scheduler.presence._steady_ms = steady
    game = await table(watched, ["telegram:ana", "terminal:bea"])
    await watched.referee.scheduler.ring()
    for clock in (watched.clock, steady):
        clock.pass_(hours=3)
    await watched.referee.scheduler.ring()
    assert alerts(watched) == []
    watched.clock.pass_(hours=40)
    steady.pass_(seconds=10)
    await watched.referee.scheduler.ring()
    assert alerts(watched) == ["clock-jumped"]
    assert by_clock(watched) == 0
    assert running(watched, game).status == "running"


async def open_vote(house: House) -> int:
    """When the vote ends that this begins, ms."""
    game = await table(house, ["telegram:ana", "terminal:bea"])
    await house.say("telegram:ana", f"pause #{game}")
    return vote_due(house)


def vote_due(house: House) -> int:
    (due,) = house.store.read_now(lambda tx: tx.column(Deadline, "due_ms", kind=DeadlineKind.VOTE, done_ms=0))
    return int(due)


def released(house: House) -> int:
    return house.store.write_now(lambda tx: hold.release(house.referee.context.uow(tx)))


async def test_an_outage_while_all_is_held_is_given_back_once(house: House) -> None:
    before, presence = await open_vote(house), house.referee.scheduler.presence
    await presence.credit()
    house.store.write_now(
        lambda tx: hold.hold(house.referee.context.uow(tx), house.clock(), "clock-jumped", seconds=1)
    )
    house.clock.pass_(hours=2)  # killed, and back only now
    await presence.credit()
    house.clock.pass_(hours=1)
    assert released(house)
    assert vote_due(house) - before == 3 * HOUR


async def test_a_clock_put_forward_is_no_outage_as_well(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, scheduler, steady = await open_vote(house), house.referee.scheduler, Clock(5_000)
    context = replace(house.referee.context, settings=replace(house.settings, testing=ForTesting()))
    for one in (scheduler, scheduler.presence, scheduler._ringing):
        monkeypatch.setattr(one, "_context", context)
    monkeypatch.setattr(scheduler.presence, "_steady_ms", steady)
    await scheduler.presence.credit()
    await scheduler.ring()
    house.clock.pass_(hours=5)
    steady.pass_(seconds=10)
    await scheduler.ring()
    assert alerts(house) == ["clock-jumped"]
    assert released(house)
    assert vote_due(house) - before == 5 * HOUR


async def test_a_clock_set_back_beyond_the_hold_takes_nobodys_time(house: House) -> None:
    before = await open_vote(house)
    house.store.write_now(
        lambda tx: hold.hold(house.referee.context.uow(tx), house.clock(), "clock-jumped", seconds=1)
    )
    house.clock.pass_(hours=-1)
    assert released(house)
    assert vote_due(house) == before - HOUR, "as long as it was to be, as if it began now"


async def test_a_seat_on_offer_is_taken_over_and_nobody_elses(house: House) -> None:
    people = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
    game = await table(house, people, hours="live")
    gone = asked(house, game)
    await house.say("mail:dan@x", "hello", vouched=False)
    await house.say("mail:dan@x", f"join #{game}")
    assert "no seat of it" in house.last("mail:dan@x").text
    for _ in range(60):
        if clock_state.read_clocks(running(house, game)).seat(gone).offered:
            break
        if asked(house, game) == gone:
            house.clock.pass_(hours=1)
            await house.referee.scheduler.ring()
            await house.settle()
        else:
            await house.say(people[asked(house, game)], legal(house, game)[0])
    await house.say(people[(gone + 1) % 3], f"join #{game}")
    before = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=gone))
    pinned = clock_state.read_clocks(running(house, game))
    pinned.seat(gone).hours = ("Asia/Tokyo", "")  # who had the seat moved in the midst of a turn
    house.store.write_now(lambda tx: tx.set(Game, game, clocks=clock_state.encode_clocks(pinned)))
    assert pinned.seat(gone).missed
    await house.say("mail:dan@x", f"join #{game}")
    after = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=gone))
    assert before is not None
    assert after is not None
    assert (after.name, after.misses) == (before.name, 0)
    assert after.person_id != before.person_id
    theirs = clock_state.read_clocks(running(house, game)).seat(gone)
    assert (theirs.hours, theirs.missed) == (None, [])
    assert "Somebody else plays on" in house.last(people[gone]).text
    assert "You received" in house.last("mail:dan@x").text
    while asked(house, game) != gone:
        await house.say(people[asked(house, game)], legal(house, game)[0])
    await house.say("mail:dan@x", legal(house, game)[0])
    assert (
        house.store.read_now(lambda tx: tx.all(Journal, game_id=game, seat=gone, order="-no", limit=1))[0].by
        == "person"
    )
    assert clock_state.read_clocks(running(house, game)).seat(gone).replaced == 1
    # the hand that they had is Dan's now: with another seat they would know two
    await house.say("terminal:eve", "hello")
    for no, who, seated in (
        ((gone + 1) % 3, people[gone], False),
        (gone, people[gone], True),
        ((gone + 1) % 3, "terminal:eve", True),
    ):
        table_now = clock_state.read_clocks(running(house, game))
        table_now.seat(no).offered = True
        house.store.write_now(
            lambda tx, now=table_now: tx.set(Game, game, clocks=clock_state.encode_clocks(now))
        )
        await house.say(who, f"join #{game}")
        assert clock_state.read_clocks(running(house, game)).seat(no).offered is not seated
        assert ("know its cards" in house.last(who).text) is not seated


async def test_a_quick_table_that_everybody_left_holds_nothing(watched: House) -> None:
    people = [f"terminal:p{n}" for n in range(6)]
    game = await table(watched, people, hours="live")
    for _ in range(12):
        watched.clock.pass_(hours=0.5)
        await watched.referee.scheduler.ring()
    assert (
        len(
            {row.seat for row in watched.store.read_now(lambda tx: tx.all(Journal, game_id=game, by="clock"))}
        )
        >= 5
    )
    assert alerts(watched) == []


async def test_a_miss_in_the_midst_of_a_turn_is_taken_back_to_where_it_was(watched: House) -> None:
    people = [[f"telegram:a{n}", f"terminal:b{n}"] for n in range(6)]
    flat = "24h no bank no quiet no nights no vacation no remind"
    first = await table(watched, people[0], hours=flat)
    while not legal(watched, first)[0].startswith("gold"):
        await watched.say(people[0][asked(watched, first)], legal(watched, first)[0])
    who = asked(watched, first)
    await watched.say(people[0][who], "gold")
    assert asked(watched, first) == who
    before = running(watched, first)
    watched.clock.pass_(hours=3)
    for pair in people[1:]:
        await table(watched, pair, hours=flat)
    watched.clock.pass_(hours=21.5)
    assert await watched.referee.scheduler.ring() == 1
    watched.clock.pass_(hours=3)
    await watched.referee.scheduler.ring()
    await watched.settle()
    after = running(watched, first)
    assert after.asked == before.asked
    lines = watched.store.read_now(lambda tx: tx.all(Journal, game_id=first, seat=who, order="no"))
    assert [line.order for line in lines if not line.undone][-1] == "gold", (
        "what the player had done themselves"
    )
    assert clock_state.read_clocks(after).seat(who).misses == 0
