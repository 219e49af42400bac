"""Plans of very many steps: told back once, and not grown past what one message may file."""

from __future__ import annotations

import json

import pytest

from referee.plans import load
from referee.service.plans.filing import MOST, size
from referee.store import SeatPlan
from tests.service.playing import asked, rows, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea", "telegram:carl", "telegram:dan"]
#: a turn that no rules allow, and that is a plan all the same
STEPS = "gold\n" + "\n".join(["try build Market or Tavern or Docks or Castle or Palace"] * 139)


@pytest.mark.parametrize("language", ["en", "pt-br"])
async def test_what_is_for_everybody_is_told_once(house: House, language: str) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, f"language {language}")
    await house.say(who, f"always otherwise: {STEPS}")
    told = house.last(who).text
    assert len(rows(house, SeatPlan)) == 1
    assert len(told) < 3 * len(STEPS), "there are eight characters"
    assert "the same orders as for the" in told or "as mesmas jogadas que com" in told


async def test_many_messages_file_no_more_than_one_may(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, f"always otherwise: {STEPS}")
    await house.say(who, f"always when King: {STEPS}")
    assert "160 lines and steps at most" in house.last(who).text
    (row,) = rows(house, SeatPlan)
    assert size(load(json.loads(row.data))) <= MOST
    await house.say(who, "cancel otherwise")
    await house.say(who, f"always when King: {STEPS}")
    assert "160 lines" not in house.last(who).text, "there is room again"
