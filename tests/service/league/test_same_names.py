"""Two people of one name in a season are told apart, by what can be typed and tells no address."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.ids import PersonId
from referee.service.league.same_names import told_apart
from tests.service.league.talking import BEA, BOSS, CY, DAN, EVE, founded, house_of, told
from tests.service.rig import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["Ana", "Bea"], {}),
        (["Ana", "Bea", "ANA"], {1: "Ana (1)", 3: "ANA (2)"}),
        (["Ana", "Аnа", "Bea"], {1: "Ana (1)", 2: "Аnа (2)"}),  # the second one has Cyrillic letters
        # nobody's own name is taken for another's number
        (["Ana", "Ana (1)", "Ana"], {1: "Ana (2)", 3: "Ana (3)"}),
        (["x" * 200, "x" * 200], {1: f"{'x' * 53}… (1)", 2: f"{'x' * 53}… (2)"}),
    ],
)
def test_numbers_follow_the_order_of_signing_up(names: list[str], shown: dict[int, str]) -> None:
    assert told_apart((PersonId(no), name) for no, name in enumerate(names, 1)) == shown


async def test_they_are_shown_with_numbers_that_can_be_typed(house: House) -> None:
    await founded(house, BEA, CY, DAN)
    await house.say("telegram:8", "hello")
    await house.say("telegram:8", "name Dan")
    assert "signed up" in await told(house, "telegram:8", "league join")
    people = await told(house, BOSS, "league people")
    assert "Dan (1), Dan (2)" in people
    assert "telegram" not in people
    answer = await told(house, BOSS, "league role Dan moderator")
    assert "2 people are called “Dan”. Say which one: Dan (1) or Dan (2)" in answer
    assert "Dan is moderator" in await told(house, BOSS, "league role Dan (2) moderator")
    assert "needs a director" in await told(house, "telegram:8", "league draw")
    assert "That is for those who run" in await told(house, DAN, "league audit")
    await told(house, BOSS, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    assert "Dan (1)" in await told(house, CY, "league standings")
    schedule = await told(house, CY, "league schedule")
    assert "Dan (1)" in schedule
    assert "Dan (2)" in schedule
    await house.say(EVE, "hello")


async def test_two_of_whom_none_signed_up_are_named_by_an_address(house: House) -> None:
    await founded(house, BEA)
    for who in ("telegram:8", "telegram:9"):
        await house.say(who, "hello")
        await house.say(who, "name Zoe")
    assert "Name the one you mean: an address names anybody" in await told(
        house, BOSS, "league role Zoe moderator"
    )
