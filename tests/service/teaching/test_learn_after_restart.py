"""A referee that goes down in the middle of a guided game, and comes back: it goes on, and nothing is
explained twice.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.service.teaching import lesson_state, lessons
from referee.store import Outbox, Seat, Tx
from tests.service.playing import legal, running
from tests.service.rig import Clock, House
from tests.service.teaching.test_learn import begin, memory, times


def told(houses: list[House], who: str) -> str:
    return "\n".join(letter.text for house in houses for letter in house.letters(who))


async def reopened(house: House) -> House:
    """The same installation after a restart."""
    await house.close()
    again = await House(house.path, house.clock).open()
    again._n = house._n  # no message bears the name of an earlier one
    return again


async def on(house: House, who: str, game: int) -> None:
    """The next step of somebody who builds what they can."""
    orders = legal(house, game)
    await house.say(who, next((one for one in orders if one.startswith("build ")), orders[0]))


@pytest.mark.parametrize("who", ["terminal:ana", "telegram:ana"])
async def test_a_restart_between_any_two_steps(tmp_path: Path, who: str) -> None:
    clock = Clock()
    houses = [await House(tmp_path / "r.db", clock).open()]
    game = await begin(houses[0], who)
    for _ in range(14):
        await on(houses[-1], who, game)
        houses.append(await reopened(houses[-1]))
    assert running(houses[-1], game).status == "running"
    had = lesson_state.had(memory(houses[-1], game))
    assert {"goal", "draft", "gather", "build"} <= had
    said = told(houses, who)
    for one in lessons.LESSONS:
        assert times(said, one.name) == (one.name in had), one.name
    await houses[-1].close()


async def test_killed_while_a_letter_is_on_its_way(tmp_path: Path) -> None:
    """It left, and nobody wrote down that it did: the same letter goes again, and the next one explains
    something else.
    """
    clock, who = Clock(), "matrix:@ana:hs"
    house = await House(tmp_path / "r.db", clock).open()
    game = await begin(house, who)
    await on(house, who, game)
    last = house.last(who)
    before = memory(house, game)
    assert "Lesson:" in last.text

    def half(tx: Tx) -> None:
        row = tx.all(Outbox, state="sent", kind="prompt", order="-id", limit=1)[0]
        tx.set(Outbox, row.id, state="sending")
        seat = tx.all(Seat, game_id=game, order="no")[0]
        tx.set(Seat, seat.id, told=0, lessons="learn,goal,draft")

    await house.store.write(half)
    again = await reopened(house)
    await again.settle()
    assert [x.text for x in again.letters(who)] == [last.text]
    assert lesson_state.had(memory(again, game)) == lesson_state.had(before)
    for _ in range(8):
        await on(again, who, game)
    said = told([again], who)
    for one in lesson_state.had(memory(again, game)) - {"goal", "draft"}:
        assert times(said, one) == 1, one
    await again.close()


async def test_a_button_pressed_before_the_fall_is_played_once_after_it(tmp_path: Path) -> None:
    clock, who = Clock(), "telegram:ana"
    house = await House(tmp_path / "r.db", clock).open()
    game = await begin(house, who)
    key = house.last(who).buttons[0][0].key
    again = await reopened(house)
    moves = running(again, game).move_no
    await again.press(who, key)
    assert running(again, game).move_no > moves
    moves = running(again, game).move_no
    await again.press(who, key)
    assert running(again, game).move_no == moves
    said = told([house, again], who)
    assert times(said, "goal") == 1
    await again.close()
