"""What stands behind a command that takes nothing, and a table's number behind which nothing stands: it is
named, with what would be right.
"""

from __future__ import annotations

import pytest

from tests.service.playing import asked, lines, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea", "telegram:carl"]


@pytest.mark.parametrize(
    ("language", "said", "told"),
    [
        ("en", "pause 2 days", "“vacation 2 days” stops only yours"),
        ("en", "plan kill Merchant", "“when Merchant: gold; end”"),
        ("en", "undo everything", "what “everything” means behind it"),
        ("pt-br", "pausar 2 dias", "“férias 2 dias” para só o seu"),
        ("pt-br", "plano matar Comerciante", "“se for Comerciante: ouro; encerrar”"),
    ],
)
async def test_no_number_of_a_table_is_asked_for(house: House, language: str, said: str, told: str) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, f"language {language}")
    await house.say(who, said)
    assert told in house.last(who).text
    assert "#17" not in house.last(who).text


@pytest.mark.parametrize(("language", "right"), [("en", "“#3 gold”"), ("pt-br", "“#3 ouro”")])
async def test_a_number_with_its_sign_alone_is_no_empty_message(
    house: House, language: str, right: str
) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, f"language {language}")
    before = len(lines(house, game))
    await house.say(who, "#3")
    assert right in house.last(who).text
    assert "“3”" in house.last(who).text
    assert len(lines(house, game)) == before
