"""A plan that is filed when little time is left answers before that is over."""

from __future__ import annotations

import pytest

from referee.store import Deadline, GameEvent, Journal, Seat
from tests.service.plans.test_filing import PEOPLE, ring
from tests.service.playing import asked, rows, table
from tests.service.rig import House


@pytest.mark.parametrize("left", [1, 30, 240])
async def test_a_plan_that_is_filed_in_the_last_moments_is_no_miss(house: House, left: int) -> None:
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    (mine,) = rows(house, Deadline, game_id=game, seat=seat, kind="answer", done_ms=0)
    house.clock.pass_(seconds=(mine.due_ms - house.clock.at_ms) / 1000 - left)
    await house.say(PEOPLE[seat], "prefer any")
    assert "in a little while" in house.last(PEOPLE[seat]).text
    await ring(house)
    assert [one.by for one in rows(house, Journal, game_id=game, seat=seat)][:1] == ["plan"]
    assert not rows(house, Deadline, game_id=game, seat=seat, kind="missed")
    assert not rows(house, Seat, game_id=game, no=seat)[0].misses


async def test_no_vacation_begins_where_a_plan_is_about_to_answer(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h bank 10h vacation 5d no quiet no nights")
    seat = asked(house, game)
    (mine,) = rows(house, Deadline, game_id=game, seat=seat, kind="vacation", done_ms=0)
    house.clock.pass_(seconds=(mine.due_ms - house.clock.at_ms) / 1000 - 5)
    await house.say(PEOPLE[seat], "prefer any")
    await ring(house)
    assert [one.by for one in rows(house, Journal, game_id=game, seat=seat)][:1] == ["plan"]
    assert not rows(house, GameEvent, game_id=game, name="vacation_began")
