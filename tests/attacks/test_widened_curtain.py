"""The widened law: anyone who sits at a table can't tell from number, moment, order, size or ids of what they
get whether another has filed a plan, who wrote a nameless word and when, or which cards another holds. And
the law finds what is planted.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import AsyncIterator, Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from referee import rules
from referee.service.core import outbox, tokens
from referee.service.core.unit_of_work import encoded
from referee.service.plans import filing
from referee.service.talk import commands
from referee.store import Deadline, Game, Seat
from tests.attacks.lockstep import MINUTE_MS, Watched, counted, differences
from tests.service.playing import asked, legal, running, table

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]
ROOM = "telegram:-7"
PLAN = "always prefer Warlord, any\nalways otherwise: gold; end"
CLOCK = "24h no bank no quiet no nights no vacation no remind"


@pytest.fixture
async def houses(tmp_path: Path) -> AsyncIterator[Callable[[], Any]]:
    """Houses that are closed when the test is over."""
    opened: list[Watched] = []

    async def another() -> Watched:
        house = Watched(tmp_path / f"{len(opened)}.db")
        await house.open()
        opened.append(house)
        return house

    yield another
    for house in opened:
        await house.close()


async def seated(house: Watched, command: str = "new classic") -> tuple[int, dict[int, int]]:
    """A table of the four, followed in a group."""
    game = await table(house, PEOPLE, command=command, hours=CLOCK)
    await house.say(PEOPLE[0], f"/watch #{game}", place=ROOM.partition(":")[2])
    return game, {
        seat.no: seat.person_id
        for seat in house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    }


async def with_a_plan(house: Watched, minutes: int) -> int:
    """Bea files a plan, looks at it, and lets it answer; the others answer by hand, each some minutes after
    they were asked.
    """
    game, seats = await seated(house)
    await house.say(PEOPLE[1], PLAN)
    await house.say(PEOPLE[1], "plan")
    waited = 0
    for _ in range(minutes):
        await house.minute(game, seats)
        now = asked(house, game)
        pending = house.store.read_now(lambda tx: tx.count(Deadline, game_id=game, kind="plan", done_ms=0))
        waited = 0 if pending else waited + 1  # where her plan stops, Bea answers by hand as well
        if waited > 1 + now % 2:
            waited = 0
            await house.say(PEOPLE[now], f"#{game} {legal(house, game)[0]}")
    return game


async def by_hand(house: Watched, other: Watched, course: int, minutes: int) -> int:
    """The same course in the same minutes, but all of them answer by hand."""
    game, seats = await seated(house)
    told = [
        (at, seat, by == "plan", "; ".join(one.order for one in lines))
        for (at, seat, by, _), lines in groupby(
            other.lines(course),
            lambda one: (one.at_ms, one.seat, one.by, one.question if one.by != "plan" else 0),
        )
    ]
    for _ in range(minutes):
        for at, seat, planned, orders in [one for one in told if one[0] == house.clock() and one[2]]:
            await house.say(PEOPLE[seat], f"#{game} {orders}")
            assert (at, planned) == (house.clock(), True)
        await house.minute(game, seats)
        for _, seat, _, orders in [one for one in told if one[0] == house.clock() and not one[2]]:
            await house.say(PEOPLE[seat], f"#{game} {orders}")
    return game


def same_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both houses deal from the same seed, and chance among nameless words is no chance."""
    from types import SimpleNamespace

    from referee.service.tables import lobby

    monkeypatch.setattr(lobby, "secrets", SimpleNamespace(token_bytes=lambda size: bytes(range(size))))
    monkeypatch.setattr(commands, "secrets", SimpleNamespace(randbelow=lambda most: most // 2))


async def plans_apart(houses: Callable[[], Any], minutes: int = 150) -> list[str]:
    """What anybody but Bea could tell a house in which she filed a plan from one in which she did not by."""
    planned, hand = await houses(), await houses()
    course = await with_a_plan(planned, minutes)
    game = await by_hand(hand, planned, course, minutes)
    orders = [(one.at_ms, one.seat, one.order) for one in planned.lines(course)]
    assert [(one.at_ms, one.seat, one.order) for one in hand.lines(game)] == orders, "not the same course"
    assert {one.by for one in planned.lines(course)} == {"person", "plan"}
    assert {one.by for one in hand.lines(game)} == {"person"}
    assert len(orders) >= 20
    found = []
    for who, seat in ((PEOPLE[0], 0), (PEOPLE[2], 2), (PEOPLE[3], 3), (ROOM, None)):
        assert len(planned.at(who)) >= 5
        found += differences(planned, hand, who, seat) + counted(planned, who) + counted(hand, who)
    return found


async def test_nobody_can_tell_that_another_has_filed_a_plan(
    houses: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    same_deal(monkeypatch)
    assert await plans_apart(houses) == []


def count(key: bytes, letter: int) -> str:
    return str(letter)


def well_formed(key: bytes, letter: int) -> str:
    """It looks like an id, and counts."""
    return base64.b32encode((7 << 120 | letter << 40).to_bytes(16)).decode().rstrip("=").lower()


@pytest.mark.parametrize(("leak", "told"), [(count, "form of an id"), (well_formed, "have an order")])
async def test_the_law_finds_ids_that_count(
    houses: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, leak: Any, told: str
) -> None:
    same_deal(monkeypatch)
    monkeypatch.setattr(tokens, "wire", leak)
    house = await houses()
    await with_a_plan(house, 100)
    assert any(told in fault for who in PEOPLE for fault in counted(house, who))


async def test_the_law_finds_a_letter_too_many(
    houses: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a plan is filed the group's message is written anew: nobody would see a word of the plan."""
    same_deal(monkeypatch)
    honest = filing.tell_plan

    def too_many(uow: Any, speaker: Any, game: Any, *args: Any, **more: Any) -> None:
        outbox.to_rooms(uow, game)
        honest(uow, speaker, game, *args, **more)

    monkeypatch.setattr(filing, "tell_plan", too_many)
    assert any(ROOM in fault for fault in await plans_apart(houses, 60))


# ---------------------------------------------------------------- nameless words


async def whispered(houses: Callable[[], Any], who: str, minute: int, *, chat: str = "") -> Watched:
    house: Watched = await houses()
    game, seats = await seated(house, "new classic talk anonymous")
    # from a full half hour on, whatever the table took to gather
    house.clock.at_ms += -house.clock.at_ms % 1_800_000 + 5_000
    for n in range(64):
        if n == minute:
            await house.say(who, "whisper it was the butler")
        if n == 9:
            await house.say(PEOPLE[0], "say good morning")
        if n == 14 and chat:
            await house.say(PEOPLE[1], f"tell Dan {chat}")
            await house.say(PEOPLE[1], "hand")
        await house.minute(game, seats)
    return house


@pytest.mark.parametrize(("who", "minute"), [(PEOPLE[3], 2), (PEOPLE[1], 27), (PEOPLE[3], 28)])
async def test_nobody_can_tell_who_wrote_a_nameless_word_nor_when(
    houses: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, who: str, minute: int
) -> None:
    same_deal(monkeypatch)
    one, other = await whispered(houses, PEOPLE[1], 3), await whispered(houses, who, minute, chat="psst")
    for reader, seat in ((PEOPLE[0], 0), (PEOPLE[2], 2), (ROOM, None)):
        assert sum("butler" in got.letter.text for got in one.at(reader)) == 1
        assert differences(one, other, reader, seat) == []
        assert counted(one, reader) == counted(other, reader) == []


async def test_the_law_finds_a_moment(houses: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    same_deal(monkeypatch)
    monkeypatch.setattr(commands, "NAMELESS_MS", 5 * MINUTE_MS)
    one, other = await whispered(houses, PEOPLE[1], 3), await whispered(houses, PEOPLE[3], 17)
    assert any("moment" in fault for fault in differences(one, other, PEOPLE[0], 0))


# ---------------------------------------------------------------- hands and characters


async def other_hands(houses: Callable[[], Any], orders: int = 60) -> tuple[list[str], int]:
    """Two houses in step.

    Before somebody else's answer the second one's hidden part, as Ana sees it, is dealt afresh.
    """
    one, other = await houses(), await houses()
    (game, seats), (twin, _) = await seated(one), await seated(other)
    assert running(one, game).snapshot == running(other, twin).snapshot
    dice, found, looked = random.Random(4), [], 0
    for _ in range(orders):
        seat, before = asked(one, game), running(one, game).snapshot
        hidden = encoded(rules.another(rules.load(json.loads(before)), 0, dice))
        order = next((o for o in ("cards", "gold", "end") if o in legal(one, game)), legal(one, game)[0])
        if seat != 0 and hidden != before and order in ("gold", "cards"):
            other.store.write_now(lambda tx, hidden=hidden: tx.set(Game, twin, snapshot=hidden))
            looked += 1
        for house, number in ((one, game), (other, twin)):
            await house.say(PEOPLE[seat], f"#{number} {order}")
            await house.minute(number, seats)
        found += differences(one, other, PEOPLE[0], 0) + differences(one, other, ROOM, None)
        if found:
            return found, looked
        after = running(one, game)
        other.store.write_now(
            lambda tx, after=after: tx.set(
                Game, twin, snapshot=after.snapshot, question=after.question, asked=after.asked
            )
        )
    return found, looked


async def test_other_hands_change_nothing_around_a_letter(
    houses: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    same_deal(monkeypatch)
    found, looked = await other_hands(houses)
    assert found == []
    assert looked >= 5


async def test_the_law_finds_a_size(houses: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters that are a sign longer where the last seat holds dear cards."""
    same_deal(monkeypatch)
    honest = rules.view

    def leak(state: Any, seat: int | None) -> dict[str, Any]:
        view: dict[str, Any] = honest(state, seat)
        mine = honest(state, len(state.players) - 1)["hand"]
        return {
            **view,
            "players": [
                {**one, "gold": one["gold"] + sum(map(ord, "".join(mine)))} for one in view["players"]
            ],
        }

    monkeypatch.setattr(rules, "view", leak)
    found, _ = await other_hands(houses, 40)
    assert any("sizes" in fault or "words" in fault for fault in found)
