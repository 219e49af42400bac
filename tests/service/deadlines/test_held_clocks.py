"""What is reckoned while clocks are held: nobody pays for that time, nor for what a wrong clock said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.ids import GameId, SeatNo
from referee.service import ForTesting
from referee.service.admin import console
from referee.service.deadlines import clock_state, hold
from referee.service.play import freeze
from referee.states import DeadlineKind
from referee.store import Deadline, Proposal
from tests.service.playing import asked, legal, running, table
from tests.service.rig import Clock, House

PEOPLE = ["telegram:ana", "terminal:bea"]
HOUR, YEAR_HOURS = 3_600_000, 24 * 365
FLAT = "24h no bank no nights no quiet no vacation"


def held(house: House) -> None:
    house.store.write_now(
        lambda tx: hold.hold(house.referee.context.uow(tx), house.clock(), "clock-jumped", seconds=1)
    )


def released(house: House) -> int:
    return house.store.write_now(lambda tx: hold.release(house.referee.context.uow(tx)))


def due_in_hours(house: House, game: int) -> float:
    """How long whoever is asked still has."""
    kind = DeadlineKind.ANSWER
    (row,) = house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, kind=kind, done_ms=0))
    return (row.due_ms - house.clock()) / HOUR


async def answered(house: House, game: int) -> int:
    """Who is asked plays on until somebody else is; who that was."""
    who = asked(house, game)
    while asked(house, game) == who:
        await house.say(PEOPLE[who], legal(house, game)[0])
    return who


@pytest.mark.parametrize("how", ["held", "asleep", "jumped"])
async def test_an_answer_while_nobody_could_be_believed_costs_nothing_of_the_bank(
    house: House, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    game = await table(house, PEOPLE, hours="24h grace 2h bank 24h no nights no quiet no vacation")
    house.clock.pass_(hours=3)
    if how == "held":
        held(house)
    else:  # and nobody has looked since, when the answer comes
        presence, steady = house.referee.scheduler.presence, Clock(5_000)
        monkeypatch.setattr(presence, "_steady_ms", house.clock if how == "asleep" else steady)
        await presence.going()
        await presence.report(0)
        awake = replace(house.settings, testing=ForTesting())
        monkeypatch.setattr(presence, "_context", replace(house.referee.context, settings=awake))
    house.clock.pass_(hours=10)
    who = await answered(house, game)
    row = running(house, game)
    credit = clock_state.policy_of(row).bank_credit_hours
    assert bool(house.store.read_now(hold.held_since)) == (how != "asleep")
    assert clock_state.read_clocks(row).seat(who).bank == min(24, 24 - (3 - 2) + credit) * HOUR


@pytest.mark.parametrize("when", ["at the start", "while it serves"])
async def test_what_a_clock_said_that_was_a_year_ahead_holds_up_no_game(house: House, when: str) -> None:
    game, presence = await table(house, PEOPLE, hours=FLAT), house.referee.scheduler.presence
    await presence.credit()
    if when == "at the start":
        house.clock.pass_(hours=YEAR_HOURS)
        await presence.credit()
        held(house)
    else:
        held(house)
        house.clock.pass_(hours=YEAR_HOURS)
        await answered(house, game)
    house.clock.pass_(hours=-YEAR_HOURS)
    released(house)
    assert due_in_hours(house, game) == 24


async def test_a_game_that_freezes_while_clocks_are_held_loses_none_of_that_time(house: House) -> None:
    game = await table(house, PEOPLE, hours=FLAT)
    house.clock.pass_(hours=10)
    held(house)
    house.clock.pass_(hours=8)
    house.store.write_now(lambda tx: freeze.freeze(house.referee.context.uow(tx), GameId(game)))
    house.clock.pass_(hours=1)
    released(house)
    house.clock.pass_(hours=1)
    assert house.store.write_now(lambda tx: console.mend(tx, "thaw", game, house.shell()))
    assert due_in_hours(house, game) == 14


async def test_a_vote_stays_open_while_clocks_are_held_and_gets_that_time_once(house: House) -> None:
    game = await table(house, PEOPLE, hours=FLAT)
    await house.say(PEOPLE[0], f"pause #{game}")
    house.clock.pass_(hours=1)
    held(house)
    house.clock.pass_(hours=20)
    await house.say(PEOPLE[1], f"pause #{game}")
    assert house.store.read_now(lambda tx: tx.count(Proposal)) == 1
    await house.say(PEOPLE[1], f"vote no #{game}")
    assert house.store.read_now(lambda tx: tx.column(Proposal, "state")) == ["refused"]


async def test_a_vote_that_begins_while_clocks_are_held_gets_no_time_from_before(house: House) -> None:
    game = await table(house, PEOPLE, hours=FLAT)
    held(house)
    house.clock.pass_(hours=20)
    await house.say(PEOPLE[0], f"pause #{game}")
    (before,) = house.store.read_now(lambda tx: tx.column(Proposal, "due_ms"))
    house.clock.pass_(hours=1)
    released(house)
    (after,) = house.store.read_now(lambda tx: tx.column(Proposal, "due_ms"))
    assert after - before == HOUR


ENDED_BY = {"released": "held", "thaws": "freezes"}
#: what happens every two hours after a vote began
ORDERS = (
    ("freezes", "held", "thaws", "released"),
    ("freezes", "held", "released", "thaws"),
    ("held", "freezes", "thaws", "released"),
    ("held", "freezes", "released", "thaws"),
    ("held", "released", "freezes", "thaws"),
    ("freezes", "thaws", "held", "released"),
)


@pytest.mark.parametrize("order", ORDERS, ids=" ".join)
async def test_a_vote_gets_the_time_once_in_which_its_table_froze_or_clocks_were_held(
    house: House, order: tuple[str, ...]
) -> None:
    game = await table(house, PEOPLE, hours=FLAT)
    await house.say(PEOPLE[0], f"pause #{game}")
    (before,) = house.store.read_now(lambda tx: tx.column(Proposal, "due_ms"))
    stands: set[str] = set()
    lost = 0
    for act in order:
        house.clock.pass_(hours=2)
        lost += 2 if stands else 0
        if act == "held":
            held(house)
        elif act == "released":
            released(house)
        elif act == "freezes":
            house.store.write_now(lambda tx: freeze.freeze(house.referee.context.uow(tx), GameId(game)))
        else:
            assert house.store.write_now(lambda tx: console.mend(tx, "thaw", game, house.shell()))
        stands ^= {ENDED_BY.get(act, act)}
    assert house.store.read_now(lambda tx: tx.column(Proposal, "due_ms")) == [before + lost * HOUR]
    (row,) = house.store.read_now(lambda tx: tx.all(Deadline, kind=DeadlineKind.VOTE, done_ms=0))
    assert row.due_ms == before + lost * HOUR


@pytest.mark.parametrize("how", ["restarted", "held"])
async def test_a_start_with_a_clock_a_year_ahead_moves_nothing_for_good(house: House, how: str) -> None:
    game = await table(house, PEOPLE, hours=FLAT)
    presence = house.referee.scheduler.presence
    await house.say(PEOPLE[0], f"pause #{game}")
    await house.say(PEOPLE[0], "notify digest 08:00")
    await presence.credit()
    (vote,) = house.store.read_now(lambda tx: tx.column(Proposal, "due_ms"))
    house.clock.pass_(hours=YEAR_HOURS + 1)
    await presence.credit()
    await house.referee.scheduler.ring()
    assert house.store.read_now(lambda tx: tx.column(Proposal, "due_ms")) == [vote + (YEAR_HOURS + 1) * HOUR]
    if how == "held":
        held(house)
    house.clock.pass_(hours=-YEAR_HOURS)
    if how == "held":
        released(house)
    await presence.credit()
    # the house was away for an hour, and no longer
    assert house.store.read_now(lambda tx: tx.column(Proposal, "due_ms")) == [vote + HOUR]
    (row,) = house.store.read_now(lambda tx: tx.all(Deadline, kind=DeadlineKind.VOTE, done_ms=0))
    assert row.due_ms == vote + HOUR
    assert due_in_hours(house, game) == 24
    assert house.store.read_now(lambda tx: tx.next_daily_ms()) <= house.clock() + 24 * HOUR


async def test_a_plan_that_was_to_answer_by_a_clock_that_was_ahead_answers_all_the_same(house: House) -> None:
    game, presence = await table(house, PEOPLE, hours=FLAT), house.referee.scheduler.presence
    waits = 1 - asked(house, game)
    await house.say(PEOPLE[waits], "prefer any")
    await presence.credit()
    held(house)
    house.clock.pass_(hours=YEAR_HOURS)
    await presence.credit()
    await answered(house, game)
    house.clock.pass_(hours=-YEAR_HOURS)
    released(house)
    await presence.credit()
    assert asked(house, game) == waits
    (row,) = house.store.read_now(lambda tx: tx.all(Deadline, kind=DeadlineKind.PLAN, done_ms=0))
    assert row.due_ms < house.clock() + 24 * HOUR


@pytest.mark.parametrize("told", ["held", "given back"])
@pytest.mark.parametrize("hours", [5, YEAR_HOURS])
async def test_what_began_by_a_clock_that_was_ahead_begins_when_it_is_right(
    house: House, told: str, hours: int
) -> None:
    """A vote, a pause, a vacation are as long as they were to be, and the pause is one from now on."""
    boss, policy = "terminal:boss", "24h no bank no nights no quiet vacation 10d pause 2d"
    object.__setattr__(house.settings, "admins", (("terminal", "boss"),))
    await house.say(boss, "hello")
    game, presence = await table(house, PEOPLE, hours=policy), house.referee.scheduler.presence
    await presence.credit()
    held(house)
    house.clock.pass_(hours=hours)
    if told == "given back":
        released(house)
        await presence.credit()
    await house.say(PEOPLE[0], f"vacation 3 days #{game}")
    await house.say(boss, f"pause #{game}")
    await house.say(PEOPLE[0], f"resume #{game}")
    house.clock.pass_(hours=-hours)
    if told == "held":
        released(house)
    await presence.credit()
    now, clocks = house.clock(), clock_state.read_clocks(running(house, game))
    assert clocks.paused == [(now, clock_state.OPEN)]
    assert clocks.seat(SeatNo(0)).vacations == [(now, now + 72 * HOUR)]
    rings = house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, done_ms=0))
    ahead = {row.kind: (row.due_ms - now) / HOUR for row in rings}
    assert (ahead["vote"], ahead["pause"]) == (12, 48)
    assert house.store.read_now(lambda tx: tx.column(Proposal, "due_ms")) == [now + 12 * HOUR]
    assert ahead["answer"] == (72 if asked(house, game) == 0 else 48) + 24
