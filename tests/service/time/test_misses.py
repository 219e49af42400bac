"""Deadlines: asked, reminded, answered in the player's place; outages cost nobody anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import rules
from referee.store import Deadline, GameEvent, Journal, Seat
from tests.service.playing import asked, legal, ring, running, state, table, to_the_end
from tests.service.rig import Clock, House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]


async def test_one_reminder_then_the_dullest_answer_told_to_the_table(house: House) -> None:
    game = await table(house, PEOPLE)
    late = asked(house, game)
    who = PEOPLE[late]
    letters = len(house.letters(who))
    house.clock.pass_(hours=17)
    assert await ring(house) == 0
    house.clock.pass_(hours=1.1)
    assert await ring(house) == 1
    assert len(house.letters(who)) == letters + 1
    assert await ring(house) == 0
    house.clock.pass_(hours=6)
    expected = rules.dull(state(house, game), late)
    assert await ring(house) == 1
    moves = house.store.read_now(lambda tx: tx.all(Journal, game_id=game, by="clock"))
    assert moves
    assert moves[0].order.split()[0] == expected.verb
    assert asked(house, game) != late
    told = house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, name="stand_in"))
    assert [t.to_seat for t in told] == [None]
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=late)).misses == 1


async def test_the_clock_alone_finishes_a_game(house: House) -> None:
    game = await table(house, PEOPLE)
    for _ in range(2_000):
        if running(house, game).status != "running":
            break
        house.clock.pass_(hours=24.1)
        await house.referee.scheduler.ring()
        await house.settle()
    assert running(house, game).status == "over"
    assert house.store.read_now(lambda tx: tx.count(Deadline, game_id=game, done_ms=0)) == 0


@pytest.mark.parametrize("who", ["terminal:ana", "telegram:ana", "mail:ana@x.test"])
async def test_nobody_plays_for_somebody_who_stays_away_from_a_table_of_bots(house: House, who: str) -> None:
    game = await table(house, [who], bots=3)
    before = running(house, game)
    letters = len(house.letters(who))
    assert "24h" not in house.last(who).text
    for _ in range(3):
        house.clock.pass_(hours=24.1)
        assert await ring(house) == 0
    assert running(house, game) == before
    assert len(house.letters(who)) == letters
    assert house.store.read_now(lambda tx: tx.count(Deadline, game_id=game, done_ms=0)) == 0
    await house.say(who, legal(house, game)[0])
    assert running(house, game).move_no > before.move_no


async def test_a_clock_from_before_an_upgrade_plays_for_nobody_among_bots(house: House) -> None:
    game = await table(house, ["terminal:ana"], bots=3)
    now = running(house, game)
    row = {"game_id": game, "seat": asked(house, game), "question": now.question}
    for kind in ("remind", "vacation", "answer"):
        house.store.write_now(
            lambda tx, kind=kind: tx.add(Deadline, kind=kind, due_ms=house.clock.at_ms + 3_600_000, **row)
        )
    house.clock.pass_(hours=2)
    await ring(house)
    assert running(house, game).move_no == now.move_no
    assert house.store.read_now(lambda tx: tx.count(Deadline, game_id=game, done_ms=0)) == 0


async def test_an_answer_stops_the_clock(house: House) -> None:
    game = await table(house, PEOPLE)
    house.clock.pass_(hours=23)
    await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    house.clock.pass_(hours=2)
    assert await ring(house) == 0
    assert not house.store.read_now(lambda tx: tx.all(Journal, game_id=game, by="clock"))


async def test_hours_are_set_per_table(house: House) -> None:
    game = await table(house, PEOPLE, hours="2h")
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    assert due is not None
    assert due.due_ms == house.clock() + 2 * 3_600_000


async def test_our_outage_is_given_back(tmp_path: Path) -> None:
    clock = Clock()
    house = await House(tmp_path / "r.db", clock).open()
    game = await table(house, PEOPLE)
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    assert due is not None
    clock.pass_(hours=1)
    await house.close()  # the last heartbeat: one hour in
    clock.pass_(hours=30)
    again = await House(tmp_path / "r.db", clock).open()
    moved = again.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    assert moved is not None
    assert moved.due_ms == due.due_ms + 30 * 3_600_000
    assert await ring(again) == 0
    await again.close()


async def test_an_order_taken_back_after_our_outage_finds_its_time_again(tmp_path: Path) -> None:
    clock = Clock()
    house = await House(tmp_path / "r.db", clock).open()
    game = await table(house, PEOPLE[:2])
    while not legal(house, game)[0].startswith("gold"):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    assert due is not None
    who = PEOPLE[asked(house, game)]
    await house.say(who, "gold")
    await house.close()
    clock.pass_(hours=50)
    again = await House(tmp_path / "r.db", clock).open()
    await again.say(who, "undo")
    back = again.store.read_now(lambda tx: tx.all(Deadline, game_id=game, kind="answer", done_ms=0))
    assert [row.due_ms for row in back] == [due.due_ms + 50 * 3_600_000]
    assert await ring(again) == 0
    await again.close()


async def test_a_deadline_fires_once_however_often_it_is_rung(house: House) -> None:
    import asyncio

    game = await table(house, PEOPLE)
    house.clock.pass_(hours=25)
    await asyncio.gather(*(house.referee.scheduler.ring() for _ in range(8)))
    await house.settle()
    assert len(house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, name="stand_in"))) == 1


async def test_a_game_goes_on_after_a_stand_in(house: House) -> None:
    game = await table(house, PEOPLE)
    house.clock.pass_(hours=25)
    await ring(house)
    await to_the_end(house, game, PEOPLE)
    assert running(house, game).status == "over"
