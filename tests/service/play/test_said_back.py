"""What is no answer now is said back in the player's words, with what they may have wanted."""

from __future__ import annotations

import pytest

from tests.service.playing import asked, legal, lines, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea", "telegram:carl"]


async def _turn(house: House, language: str) -> tuple[int, str]:
    """A turn that may be ended: the table, and whose it is."""
    game = await table(house, PEOPLE)
    while "end" not in legal(house, game):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    await house.say(PEOPLE[asked(house, game)], f"language {language}")
    return game, PEOPLE[asked(house, game)]


@pytest.mark.parametrize(("language", "said"), [("en", "yes"), ("pt-br", "sim")])
async def test_a_plain_yes_is_no_order_to_buy(house: House, language: str, said: str) -> None:
    game, who = await _turn(house, language)
    before = len(lines(house, game))
    await house.say(who, said)
    assert f"“{said}” " in house.last(who).text
    assert "“buy”" not in house.last(who).text
    assert "“resgatar”" not in house.last(who).text
    assert len(lines(house, game)) == before


@pytest.mark.parametrize(
    ("language", "said", "end"),
    [("en", "pass", "end"), ("en", "nothing", "end"), ("pt-br", "passo", "encerrar")],
)
async def test_who_would_pass_is_shown_the_end(house: House, language: str, said: str, end: str) -> None:
    game, who = await _turn(house, language)
    before = len(lines(house, game))
    await house.say(who, said)
    shown = "Did you mean: “{}”" if language == "en" else "Você quis dizer: “{}”"
    assert shown.format(end) in house.last(who).text
    assert len(lines(house, game)) == before
