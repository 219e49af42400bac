"""A game that has been over for a while is packed: it takes a few kilobytes, and whatever can be asked of it
is answered as before.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from referee.rules import record
from referee.service.accounts import export
from referee.service.league import conduct
from referee.service.play import statistics
from referee.service.play.records import record_text
from referee.service.play.replay import unrolled, whole
from referee.service.upkeep import packing
from referee.store import (
    DamagedPack,
    Deadline,
    Deal,
    Game,
    GameEvent,
    Inbox,
    Journal,
    Outbox,
    PackedGame,
    Seat,
    Tx,
    Undo,
)
from referee.store.packed_games import PACKED
from tests.service.accounts.test_deletion import confirm, forgotten, said
from tests.service.playing import asked, legal, running, table, to_the_end
from tests.service.rig import House
from tests.service.web.running_site import Guest, Inn, lodging

ANA, BEA, CY = "telegram:ana", "matrix:bea", "terminal:cy"
PEOPLE = [ANA, BEA, CY]
DAYS = 30
#: editions, and what is done beside playing
EDITIONS = ("classic", "deluxe random", "original")


@pytest_asyncio.fixture
async def inn(tmp_path: Path) -> AsyncIterator[Inn]:
    async with lodging(tmp_path, pack_days=DAYS) as one:
        yield one


@pytest_asyncio.fixture
async def packing_house(tmp_path: Path) -> AsyncIterator[House]:
    house = await House(tmp_path / "referee.db", pack_days=DAYS).open()
    yield house
    await house.close()


async def packed(house: House) -> None:
    """Let the time pass, and sweep until nothing is left to be packed."""
    house.clock.pass_(hours=24 * (DAYS + 1))
    for _ in range(40):
        await house.referee.scheduler.tidy()
        if not house.store.read_now(lambda tx: tx.long_ended(house.clock() - DAYS * 86_400_000, 1)):
            return
    raise AssertionError("it never ends")


async def played(house: House, edition: str) -> int:
    """A whole game, in which orders were taken back, people talked, and a word was said for the shuffle."""
    game = await table(house, PEOPLE, command=f"new {edition}")
    for n in range(6):
        who = PEOPLE[asked(house, game)]
        await house.say(who, f"#{game} {legal(house, game)[0]}")
        if n == 2:
            await house.say(who, f"undo #{game}")
    await house.say(ANA, f"#{game} say well met")
    await to_the_end(house, game, PEOPLE)
    await house.say(ANA, f"#{game} comment 3 here I lost")
    return game


#: what is typed to ask of a game that is over; "#" stands for it
ASKED = (
    "history #", "history # 50", "record #", "status #", "who #", "my stats", "games", "table #",
    "comments #", "cards #", "picture #", "points #", "policy #", "hand #",
)  # fmt: skip
#: and the pages on which it is seen
PAGES = (
    "/t/#", "/t/#/history", "/t/#/step/1", "/t/#/step/7", "/t/#/record.txt", "/t/#/cards", "/t/#/table.svg",
    "/t/#/score.svg", "/t/#/course.svg", "/tables", "/tables?show=over", "/me", "/me/#", "/me/#/history",
    "/me/#/step/5", "/me/stats",
)  # fmt: skip


#: each house has a port of its own
_PORT = re.compile(r"127\.0\.0\.1:[0-9]+")


async def answers(house: House, game: int) -> dict[str, Any]:
    """What each of them says to each of the players."""
    found: dict[str, Any] = {}
    for who in PEOPLE:
        for words in ASKED if who == ANA else ASKED[:3]:
            text = words.replace("#", f"#{game}")
            await house.say(who, text)
            letter = house.last(who)
            told, files = re.sub(_PORT, "", letter.text), [one.data for one in letter.attachments]
            found[f"{who} {text}"] = (told, letter.subject, files)
    return found


def read(house: House, game: int) -> dict[str, Any]:
    """The same from within: record, replays from each seat, statistics, conduct, exports, an admin's look."""

    def look(tx: Tx) -> dict[str, Any]:
        row = tx.get(Game, game)
        assert row is not None
        people = [seat.person_id for seat in tx.all(Seat, game_id=game, order="no")]
        steps = [unrolled(whole(tx, row), seat).steps for seat in (None, 0, 1, 2)]
        return {
            "record": record_text(tx, game),
            "steps": steps,
            "statistics": [statistics.of_person(tx, who) for who in people],
            "conduct": {who: one.facts() for who, one in conduct.of_game(tx, row, people).items()},
            "orders": export.game_orders(tx, game),
            "seats": [list(export.seats(tx, who)) for who in people],
            "events": [tx.events_since(row, 0, seat) for seat in (None, 0, 1, 2)],
            "deals": [one.record for one in tx.deals_of(row)],
            "row": row._replace(packed_ms=0),
        }

    found = house.store.read_now(look)
    found["events"] = [[one._replace(id=0) for one in each] for each in found["events"]]
    return found


async def pages(guest: Guest, game: int) -> dict[str, str]:
    """The pages, without what is another one each time they are made."""
    found = {}
    for path in PAGES:
        status, text, _ = await guest.get(path.replace("#", str(game)))
        kept = re.sub(r'(name="form" value|nonce|data-mark)="[^"]*"|Since [^;]*;|127.0.0.1:[0-9]+', "", text)
        found[path] = f"{status} {kept}"
    return found


@pytest.mark.parametrize("edition", EDITIONS)
async def test_what_can_be_asked_is_answered_as_before(tmp_path: Path, edition: str) -> None:
    async with lodging(tmp_path, pack_days=DAYS) as inn:
        house = inn.house
        game = await played(house, edition)
        house.clock.pass_(hours=24 * (DAYS - 1))  # the last news is told, and it is over for long
        ana = await inn.signed_in(ANA)
        shown, told, within = await pages(ana, game), await answers(house, game), read(house, game)
        await packed(house)
        assert running(house, game).packed_ms
        now_ms = house.clock()
    assert len([one for one in shown.values() if one.startswith("200")]) == len(PAGES)
    assert len(within["steps"][0]) > 30
    async with lodging(tmp_path, pack_days=DAYS) as inn:  # nothing is in any cache
        house = inn.house
        house.clock.at_ms, house._n = now_ms, count(1_000_000)
        for each in (Journal, GameEvent, Deal, Undo):
            assert not house.store.read_now(lambda tx, each=each: tx.count(each, game_id=game)), each
        assert read(house, game) == within
        assert await answers(house, game) == told
        again = await pages(await inn.signed_in(ANA), game)
        for path, text in shown.items():
            assert again[path] == text, path
    record.verify(within["record"])


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
