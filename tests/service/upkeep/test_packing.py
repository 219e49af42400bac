"""A game that has been over for a while is packed: its rows become a few kilobytes, its letters and messages
go, and it stays whole whatever happens on the way.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from referee.rules import record
from referee.service.accounts import export
from referee.service.core.due import CHORES, PeriodicTask
from referee.service.play import statistics
from referee.service.play.records import record_text
from referee.service.tables import takeover
from referee.service.upkeep import packing
from referee.service.upkeep.workers import audited
from referee.store import (
    Alert,
    DamagedPack,
    Deadline,
    Game,
    GameEvent,
    Inbox,
    Journal,
    Outbox,
    PackedGame,
    Person,
    Seat,
    Tx,
    Undo,
)
from referee.store.packed_games import PACKED
from tests.service.accounts.test_deletion import confirm, forgotten, said
from tests.service.playing import asked, legal, running, table, to_the_end
from tests.service.rig import House
from tests.service.upkeep.packed_games import ANA, BEA, CY, DAYS, PEOPLE, packed, played, read


@pytest_asyncio.fixture
async def packing_house(tmp_path: Path) -> AsyncIterator[House]:
    house = await House(tmp_path / "referee.db", pack_days=DAYS).open()
    yield house
    await house.close()


@pytest.mark.whole_games
async def test_its_letters_messages_and_deadlines_go_and_others_stay(packing_house: House) -> None:
    house = packing_house
    game = await played(house, "classic")
    weighed = house.store.read_now(lambda tx: tx.count(Outbox) + tx.count(Inbox) + tx.count(Deadline))
    house.clock.pass_(hours=24 * DAYS)
    other = await table(house, PEOPLE)
    await house.say(ANA, f"#{other} say anybody there?")
    before = house.store.read_now(
        lambda tx: (tx.all(Outbox, game_id=other, order="id"), tx.all(Journal, game_id=other))
    )
    await packed(house)

    def left(tx: Tx) -> dict[str, int]:
        came = {line.inbox_id for line in tx.all(Journal, game_id=game)}
        return {
            "letters": tx.count(Outbox, game_id=game),
            "rows": sum(tx.count(each, game_id=game) for each in (*PACKED, Undo)),
            "messages": tx.count(Inbox, id=tuple(one for one in came if one)),
            "rung": sum(1 for row in tx.all(Deadline, game_id=game)),
        }

    assert left_nothing(house.store.read_now(left))
    row = house.store.read_now(lambda tx: tx.one(PackedGame, game_id=game))
    assert row is not None
    assert 500 < len(row.data) < 8_000
    # those of the other table, whatever stands in the same tables
    assert before == house.store.read_now(
        lambda tx: (tx.all(Outbox, game_id=other, order="id"), tx.all(Journal, game_id=other))
    )
    assert weighed > 300
    assert house.store.read_now(lambda tx: tx.count(Outbox) + tx.count(Inbox)) < weighed / 3
    # no number is given twice: the newest rows stay
    last = house.store.read_now(newest)
    await house.say(BEA, "games")
    assert all(new > old for new, old in zip(house.store.read_now(newest), last, strict=True))


def newest(tx: Tx) -> list[int]:
    """The numbers of the last letter and the last message."""
    return [tx.column(each, "id", order="-id", limit=1)[0] for each in (Outbox, Inbox)]


def left_nothing(found: dict[str, int]) -> bool:
    assert found == dict.fromkeys(found, 0)
    return True


async def test_nothing_is_packed_before_its_time_nor_where_the_house_does_not_want_it(tmp_path: Path) -> None:
    for days in (DAYS, 0):
        house = await House(tmp_path / f"{days}.db", pack_days=days).open()
        game = await table(house, PEOPLE[:2])
        await to_the_end(house, game, PEOPLE[:2])
        before = read_rows(house, game)
        house.clock.pass_(hours=24 * (DAYS - 1) if days else 24 * 4_000)
        await house.referee.scheduler.tidy()
        assert read_rows(house, game) == before
        assert not running(house, game).packed_ms
        await house.close()


def read_rows(house: House, game: int) -> list[Any]:
    return house.store.read_now(
        lambda tx: [tx.all(each, game_id=game, order="id") for each in (*PACKED, Outbox, Deadline)]
    )


async def test_a_table_that_was_given_up_is_packed_too(packing_house: House) -> None:
    house = packing_house
    await house.say(ANA, "new classic 4")
    await house.say(ANA, "leave #1")
    game = await table(house, PEOPLE)
    for _ in range(9):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    for who in PEOPLE:
        await house.say(who, f"abandon #{game}")
    await house.store.write(
        lambda tx: tx.set(Game, game, status="abandoned", ended_ms=house.clock(), asked="")
    )
    before = [one._replace(id=0) for one in house.store.read_now(lambda tx: tx.events_of(tx.get(Game, game)))]
    await packed(house)
    assert all(house.store.read_now(lambda tx: tx.column(Game, "packed_ms")))
    now = house.store.read_now(lambda tx: tx.events_of(tx.get(Game, game)))
    assert before == [one._replace(id=0) for one in now]
    assert not house.store.read_now(lambda tx: tx.count(Journal))


async def test_an_account_is_deleted_out_of_a_packed_game(packing_house: House) -> None:
    """Its name goes also out of what is packed; the game stays whole, verifies, and is packed again."""
    house = packing_house
    await house.say(ANA, "name Zoë Quixano")
    game = await table(house, PEOPLE)
    await house.say(ANA, f"#{game} say Zoë Quixano was here")
    await to_the_end(house, game, PEOPLE)
    await packed(house)
    before = house.store.read_now(lambda tx: len(tx.orders_of(tx.get(Game, game))))
    assert names_in(house, game, "Zoë Quixano")
    await confirm(house, ANA)
    await forgotten(house)
    house.clock.pass_(hours=1)
    await packed(house)
    assert running(house, game).packed_ms
    assert not names_in(house, game, "Zoë Quixano")
    assert house.store.read_now(lambda tx: len(tx.orders_of(tx.get(Game, game)))) == before
    record.verify(house.store.read_now(lambda tx: record_text(tx, game)))


async def test_an_account_is_deleted_out_of_a_seat_that_another_one_had_later(packing_house: House) -> None:
    """When the game is packed no letter tells any more that they sat there."""
    house = packing_house
    await house.say(BEA, "name Zoë Quixano")
    game = await table(house, PEOPLE)
    await house.say("telegram:dora", "hello")
    dora = house.store.read_now(lambda tx: tx.whose("telegram", "dora"))
    seat = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1))
    assert dora is not None
    assert seat is not None
    house.clock.pass_(seconds=60)
    await house.store.write(
        lambda tx: takeover.put(house.referee.context.uow(tx), running(house, game), dora[0], dora[1], seat)
    )
    await to_the_end(house, game, [ANA, "telegram:dora", CY])
    await packed(house)
    assert names_in(house, game, "Zoë Quixano")
    await confirm(house, BEA)
    await forgotten(house)
    assert house.store.read_now(lambda tx: tx.get(Seat, seat.id).name).startswith("Former player")
    house.clock.pass_(hours=1)
    await packed(house)
    assert not names_in(house, game, "Zoë Quixano")
    record.verify(house.store.read_now(lambda tx: record_text(tx, game)))


def names_in(house: House, game: int, name: str) -> list[str]:
    """Where the name stands in what is packed."""
    parts = house.store.read_now(lambda tx: tx.pack_of(game))
    assert any(parts.values())
    return [repr(row) for rows in parts.values() for row in rows for value in row if said(value, name)]


async def test_unpacked_it_is_what_it_was(packing_house: House) -> None:
    house = packing_house
    game = await played(house, "deluxe")
    before, rows = (
        read(house, game),
        house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no")),
    )
    await packed(house)
    await house.store.write(lambda tx: tx.unpack(tx.get(Game, game)) and None)
    assert read(house, game) == before
    now = house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no"))
    assert [one._replace(id=0, inbox_id=None) for one in rows] == [one._replace(id=0) for one in now]
    assert not house.store.read_now(lambda tx: tx.count(PackedGame))
    assert not house.store.read_now(lambda tx: tx.count(Seat, game_id=game, packed=1))
    await packed(house)
    assert read(house, game) == before


async def test_what_happens_later_is_told_after_it(packing_house: House) -> None:
    """An admin's look at a packed game is written beside the pack."""
    house = packing_house
    game = await played(house, "classic")
    await packed(house)
    row = running(house, game)
    await house.store.write(
        lambda tx: tx.add(
            GameEvent, game_id=game, no=row.event_no + 1, name="looked", facts="{}", at_ms=house.clock()
        )
    )
    assert [one.no for one in house.store.read_now(lambda tx: tx.events_of(row))] == list(
        range(1, row.event_no + 2)
    )
    assert house.store.read_now(lambda tx: [one.name for one in tx.last_events(row, None, 1)]) == ["looked"]


async def test_a_damaged_pack_is_found_and_never_read(packing_house: House) -> None:
    house = packing_house
    game = await played(house, "classic")
    await packed(house)
    data = house.store.read_now(lambda tx: tx.one(PackedGame, game_id=game)).data
    for at in (0, 40, len(data) - 1):
        bad = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        await house.store.write(lambda tx, bad=bad: tx.put(PackedGame, game_id=game, data=bad))
        with pytest.raises(DamagedPack):
            house.store.read_now(lambda tx: record_text(tx, game))


async def test_whatever_step_a_process_dies_at_the_game_is_whole(packing_house: House) -> None:
    """Before and after each transaction what can be asked is the same, and the next process goes on."""
    house = packing_house
    game = await played(house, "deluxe random")
    within = read(house, game)
    house.clock.pass_(hours=24 * (DAYS + 1))
    before_ms = house.clock() - DAYS * 86_400_000
    steps, kinds = 0, []
    while (found := house.store.read_now(lambda tx: packing.ahead(tx, before_ms))) is not None:
        with pytest.raises(Killed):  # all but the commit
            await house.store.write(partial(dies, house, found))
        assert read(house, game) == within
        await house.store.write(lambda tx, found=found: packing.work(house.referee.context.uow(tx), found))
        assert read(house, game) == within
        steps, kinds = steps + 1, [*kinds, type(found).__name__]
    assert steps >= 3
    assert kinds == ["OldMail"] * (steps - 1) + ["GamePack"]


class Killed(BaseException):
    """As if the process had died before the commit."""


def dies(house: House, found: Any, tx: Tx) -> None:
    packing.work(house.referee.context.uow(tx), found)
    raise Killed


async def test_a_game_that_changed_meanwhile_is_not_packed_as_it_was(packing_house: House) -> None:
    house = packing_house
    game = await played(house, "classic")
    pack = house.store.read_now(lambda tx: tx.packable(game))
    assert pack is not None
    await house.store.write(lambda tx: tx.set(Game, game, event_no=running(house, game).event_no + 1))
    assert not await house.store.write(lambda tx: tx.pack(pack, 1))
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game)) > 50


async def test_an_audit_reads_what_is_packed(packing_house: House) -> None:
    house = packing_house
    games = [await played(house, edition) for edition in ("classic", "deluxe")]
    fresh = await table(house, PEOPLE)
    await packed(house)
    # the checksum of every pack; with `finished` every record is played again
    for finished, number in ((False, 1), (True, 3)):
        found = audited(house.store.url, house.clock(), 1, finished=finished)
        assert (found.games, found.flaws) == (number, [])
    row = house.store.read_now(lambda tx: tx.one(PackedGame, game_id=games[1]))
    assert row is not None
    await house.store.write(lambda tx: tx.put(PackedGame, game_id=games[1], data=row.data[:-1] + b"?"))
    for finished in (False, True):
        found = audited(house.store.url, house.clock(), 1, finished=finished)
        assert [(one.game, one.code) for one in found.flaws] == [(games[1], "pack")]
    await house.store.write(lambda tx: tx.put(PackedGame, game_id=games[1], data=row.data))
    # a journal that leads elsewhere has a sound checksum, and is found all the same
    await house.store.write(lambda tx: tx.unpack(tx.get(Game, games[0])) and None)
    line = house.store.read_now(lambda tx: tx.all(Journal, game_id=games[0], order="no"))[-3]
    await house.store.write(lambda tx: tx.set(Journal, line.id, undone=1))
    await packed(house)
    assert not audited(house.store.url, house.clock(), 1).flaws
    found = audited(house.store.url, house.clock(), 1, finished=True)
    assert {one.game for one in found.flaws} == {games[0]}
    assert running(house, fresh).status == "running"


async def test_a_damaged_pack_keeps_no_account_and_no_chore_waiting(packing_house: House) -> None:
    house = packing_house
    await house.say(ANA, "name Zoë Quixano")
    game = await table(house, PEOPLE)
    await to_the_end(house, game, PEOPLE)
    await packed(house)
    row = house.store.read_now(lambda tx: tx.one(PackedGame, game_id=game))
    assert row is not None
    await house.store.write(lambda tx: tx.put(PackedGame, game_id=game, data=row.data[:-1] + b"?"))
    other = await table(house, PEOPLE[1:])
    await confirm(house, ANA)
    await forgotten(house)
    seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    assert seats[0].name.startswith("Former player")
    assert not said(running(house, game).snapshot, "Zoë Quixano")
    assert running(house, other).status == "running"


async def test_a_chore_that_breaks_keeps_no_other_from_being_done(
    packing_house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    house = packing_house
    game = await played(house, "classic")

    def broken(uow: Any) -> bool:
        raise ValueError("it breaks")

    monkeypatch.setitem(CHORES, "deleted accounts", PeriodicTask(lambda settings: True, broken))
    await packed(house)
    assert running(house, game).packed_ms
    assert "the chore deleted accounts broke" in caplog.text


async def test_a_damaged_pack_takes_no_statistics_and_no_data_file_along(packing_house: House) -> None:
    house = packing_house
    game = await played(house, "classic")
    me = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0).person_id)
    before = house.store.read_now(lambda tx: statistics.of_person(tx, me))
    await packed(house)
    row = house.store.read_now(lambda tx: tx.one(PackedGame, game_id=game))
    assert row is not None
    await house.store.write(lambda tx: tx.put(PackedGame, game_id=game, data=row.data[:-1] + b"?"))
    found = house.store.read_now(lambda tx: statistics.of_person(tx, me))
    assert before["characters"]
    assert found == {**before, "characters": []}
    await house.say(ANA, "my stats")
    assert "1 table" in house.last(ANA).text
    words = house.referee.context.words
    told = house.store.read_now(lambda tx: export.document(tx, words, tx.get(Person, me), house.clock()))
    [orders] = json.loads(told)["orders"]
    assert (orders["table"], orders["orders"]) == (game, [])


async def test_what_a_damaged_pack_can_not_tell_is_said_and_the_admin_knows(packing_house: House) -> None:
    house = packing_house
    game = await played(house, "classic")
    await packed(house)
    row = house.store.read_now(lambda tx: tx.one(PackedGame, game_id=game))
    assert row is not None
    await house.store.write(lambda tx: tx.put(PackedGame, game_id=game, data=row.data[:-1] + b"?"))
    for asked_for in ("history", "record", "status"):
        told = len(house.letters(ANA))
        await house.say(ANA, f"{asked_for} #{game}")
        [answer] = house.letters(ANA)[told:]
        assert answer.text.startswith(f"What I keep of game #{game} is damaged")
    found = house.store.read_now(lambda tx: tx.all(Alert))
    assert [(one.code, json.loads(one.facts)) for one in found] == [("pack-damaged", {"game": game})]
