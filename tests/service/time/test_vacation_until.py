"""A vacation that ends on a day: `vacation until 7 Jan`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.service.playing import FLAT, asked, happened, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea", "telegram:carl"]
HOURS = FLAT.replace("no vacation", "vacation 14d")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "vacation until {day} {month}"),
        ("en", "vacation until {day} {month} please"),
        ("en", "vacation till {month} {day}"),
        ("pt-br", "férias até {day}/{number}"),
        ("pt-br", "férias até o dia {day}/{number}"),
    ],
)
async def test_the_day_that_is_named_is_free_too(house: House, language: str, said: str) -> None:
    game = await table(house, PEOPLE, hours=HOURS)
    who = PEOPLE[asked(house, game)]
    await house.say(who, f"language {language}")
    await house.say(who, "zone UTC")
    last = datetime.fromtimestamp(house.clock() / 1000, UTC) + timedelta(days=4)
    await house.say(who, said.format(day=last.day, month=last.strftime("%b"), number=last.month))
    assert "23:59" in house.last(who).text, house.last(who).text
    assert happened(house, game)[-1] == "vacation_began"


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("vacation until I am back", "I can't read “I am back” as a day"),
        ("vacation until", "It could be: “24h” or “3 days”"),
        ("vacation until 2031-01-01", "one lasts 60 days at most"),
        ("vacation until 2020-01-01", "A vacation ends after it begins"),
        ("vacation until in 30 days", "and you have 14 left"),
    ],
)
async def test_what_is_no_such_day_says_how_it_goes(house: House, said: str, answer: str) -> None:
    game = await table(house, PEOPLE, hours=HOURS)
    who = PEOPLE[asked(house, game)]
    await house.say(who, said)
    assert answer in house.last(who).text
    assert "vacation_began" not in happened(house, game)


@pytest.mark.parametrize("said", ["here", "vacation 2 days"])
async def test_a_table_where_nobody_waits_for_the_speaker_is_not_said_to_be_missing(
    house: House, said: str
) -> None:
    await house.say(PEOPLE[0], "new classic 3")
    for who, number, answer in (
        (PEOPLE[0], 1, "has not begun yet"),
        (PEOPLE[1], 1, "You have no seat at this table"),
        (PEOPLE[1], 9, "There is no game #9"),
    ):
        await house.say(who, f"{said} #{number}")
        assert answer in house.last(who).text, house.last(who).text
    await house.say(PEOPLE[0], "page private #1")
    await house.say(PEOPLE[1], f"{said} #1")
    assert "You have no seat" not in house.last(PEOPLE[1]).text
    assert "There is no game" not in house.last(PEOPLE[1]).text
