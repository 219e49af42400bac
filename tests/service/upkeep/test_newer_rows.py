"""What a newer referee wrote into the book, met by this one: one game, one row, never stops the house;
nothing is lost, and the admin is told.

(A book whose tables are newer is refused altogether: tests/store, tests/cli.)
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from referee.rules import codec, rulings
from referee.service.admin import repair
from referee.store import Alert, Deadline, Game, GameEvent, Inbox, Journal, Outbox, SeatPlan, Tx, Undo
from tests.service.finishing import finish, some, whoever
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
ROOT = "terminal:root"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", admins=(("terminal", "root"),)).open()
    await one.say(ROOT, "hello")
    yield one
    await one.close()


def later(house: House, game: int, **change: Any) -> None:
    """The position of that game as a newer referee would have written it."""

    def write(tx: Tx) -> None:
        row = tx.get(Game, game)
        assert row is not None
        tx.set(Game, game, snapshot=json.dumps({**json.loads(row.snapshot), **change}).encode())

    house.store.write_now(write)


def alerts(house: House) -> list[str]:
    return [row.code for row in house.store.read_now(lambda tx: tx.all(Alert, order="id"))]


@pytest.mark.parametrize(
    "change",
    [{"schema": codec.SCHEMA + 1}, {"rulings": [rulings.FIRST + len(rulings.RULINGS) + 1]}],
    ids=["schema", "ruling"],
)
async def test_a_game_of_later_stands_still_and_the_others_go_on(
    house: House, change: dict[str, Any]
) -> None:
    game, other = await table(house, PEOPLE), await table(house, PEOPLE)
    who, before = PEOPLE[asked(house, game)], running(house, game)
    order = legal(house, game)[0]
    later(house, game, **change)
    await house.say(who, f"#{game} {order}")
    assert running(house, game).status == "frozen"
    assert "stands still" in house.last(who).text
    assert house.store.read_now(lambda tx: tx.all(Inbox, state=("new", "shunted"))) == []
    assert alerts(house) == ["from-later"]
    assert "newer referee" in house.last(ROOT).text
    assert f"referee game thaw {game}" in house.last(ROOT).text
    house.clock.pass_(hours=100)
    await house.referee.scheduler.ring()
    await house.settle()
    assert running(house, game).move_no == before.move_no
    await some(house, other, 3)
    await house.say(who, "games")
    assert f"#{game}" in house.last(who).text
    # the referee is upgraded: here the position is what it was again
    house.store.write_now(lambda tx: tx.set(Game, game, snapshot=before.snapshot))
    assert house.store.write_now(lambda tx: repair.thaw(house.referee.rulings._sit(tx), game))
    await house.settle()
    await some(house, game, 3)


async def test_a_clock_that_rings_for_it_freezes_it_alone(house: House) -> None:
    game, other = await table(house, PEOPLE), await table(house, PEOPLE)
    before = running(house, game).move_no
    later(house, game, schema=codec.SCHEMA + 1)
    house.clock.pass_(hours=30)
    await house.referee.scheduler.ring()
    await house.settle()
    assert (running(house, game).status, running(house, other).status) == ("frozen", "running")
    assert running(house, game).move_no == before
    assert "from-later" in alerts(house)
    assert house.store.read_now(lambda tx: tx.count(Deadline, game_id=game, done_ms=0)) == 0


async def test_a_message_that_can_not_be_read_is_set_aside(house: House) -> None:
    game = await table(house, PEOPLE)
    for n, body in enumerate(
        (
            b'{"channel": "telegram", "key": "x", "address": "ana", "what": "thought"}',
            b"\xff no JSON",
            b"[]",
            b'{"facts": ' * 5_000,
        )
    ):
        house.store.write_now(
            lambda tx, n=n, body=body: tx.add(
                Inbox,
                channel="telegram",
                key=f"later{n}",
                body=body,
                at_ms=house.clock(),
                lane="telegram ana",
            )
        )
    await house.settle()
    rows = house.store.read_now(lambda tx: tx.all(Inbox, state="shunted"))
    assert [row.key for row in rows] == ["later0", "later1", "later2", "later3"]
    assert alerts(house) == ["shunted"] * 4
    assert house.store.read_now(lambda tx: tx.count(Inbox, state="new")) == 0
    await some(house, game, 3)
    assert running(house, game).status == "running"


async def test_a_message_with_more_or_fewer_fields_than_today_is_read(house: House) -> None:
    body = {
        "channel": "telegram",
        "key": "more",
        "address": "ana",
        "text": "help",
        "scent": "rose",
        "facts": {"mood": "glad"},
    }
    house.store.write_now(
        lambda tx: tx.add(
            Inbox,
            channel="telegram",
            key="more",
            body=json.dumps(body).encode(),
            at_ms=house.clock(),
            lane="telegram ana",
        )
    )
    await house.settle()
    assert house.store.read_now(lambda tx: tx.all(Inbox, key="more"))[0].state == "done"
    assert house.letters("telegram:ana")


async def test_letters_of_later_fail_alone_and_frozen_words_are_sent_as_they_are(house: House) -> None:
    game = await table(house, PEOPLE)
    frozen = json.loads(
        house.store.read_now(
            lambda tx: tx.all(Outbox, state="sent", channel="telegram", order="-id", limit=1)
        )[0].letter
    )
    rows: list[dict[str, Any]] = [
        {"kind": "horoscope", "data": "{}"},
        {"kind": "notice", "letter": '{"id": 7'},
        {"kind": "notice", "letter": json.dumps({**frozen, "text": "Words of then.", "scent": "rose"})},
        {
            "kind": "notice",
            "data": '{"notices": [{"code": "of-later", "facts": {"mood": "glad"}}], "scent": 1}',
        },
    ]
    for row in rows:
        house.store.write_now(
            lambda tx, row=row: tx.add(
                Outbox, channel="telegram", address="ana", person_id=2, created_ms=house.clock(), **row
            )
        )
    await house.settle()
    states = [
        row.state
        for row in house.store.read_now(lambda tx: tx.all(Outbox, channel="telegram", order="-id", limit=4))
    ][::-1]
    assert states == ["failed", "failed", "sent", "sent"]
    assert any(letter.text == "Words of then." for letter in house.letters("telegram:ana"))
    assert "of-later" in house.last("telegram:ana").text
    assert alerts(house).count("letter-broken") == 2
    await some(house, game, 3)


async def test_rows_of_later_kinds_beside_a_game_do_not_hurt_it(house: House) -> None:
    game = await table(house, PEOPLE)
    seat = asked(house, game)

    def write(tx: Tx) -> None:
        row = tx.get(Game, game)
        assert row is not None
        tx.add(
            Deadline,
            game_id=game,
            seat=seat,
            question=row.question,
            kind="sunrise",
            due_ms=house.clock() + 1000,
        )
        tx.add(Deadline, game_id=game, seat=-1, question=0, kind="eclipse", due_ms=house.clock() + 1000)
        tx.add(
            GameEvent,
            game_id=game,
            no=row.event_no + 1,
            name="omen",
            facts='{"bird": "raven"}',
            at_ms=house.clock(),
        )
        tx.add(
            SeatPlan,
            game_id=game,
            seat=seat,
            data='{"schema": 99, "hopes": []}',
            memory="{}",
            round=1,
            filed_ms=house.clock(),
        )
        tx.set(
            Game,
            game,
            event_no=row.event_no + 1,
            settings=json.dumps({**json.loads(row.settings), "weather": "fair"}),
        )

    house.store.write_now(write)
    before = running(house, game)
    house.clock.pass_(seconds=2)
    await house.referee.scheduler.ring()
    await house.settle()
    now = running(house, game)
    assert (now.question, now.status, now.move_no) == (before.question, "running", before.move_no), (
        "no kind that nobody knows is a miss"
    )
    assert house.store.read_now(lambda tx: tx.count(Deadline, kind="eclipse", done_ms=0)) == 0
    await house.say(PEOPLE[seat], f"#{game} my plan")
    await finish(house, game)
    assert json.loads(running(house, game).settings)["weather"] == "fair"
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game, by="clock")) == 0
    assert alerts(house) == []


async def test_an_order_whose_position_of_before_is_of_later_is_not_taken_back(house: House) -> None:
    game = await table(house, PEOPLE)
    while "gold" not in legal(house, game):
        await some(house, game, 1)
    who = whoever(house, game)
    await house.say(who, f"#{game} gold")
    house.store.write_now(lambda tx: tx.change(Undo, {"game_id": game}, snapshot=b'{"schema": 99}'))
    moves = house.store.read_now(lambda tx: tx.count(Journal, game_id=game, undone=0))
    await house.say(who, f"#{game} undo")
    assert running(house, game).status == "running"
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game, undone=0)) == moves
    assert "back" in house.last(who).text
    await some(house, game, 3)
