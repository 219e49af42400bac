"""What an answer in a room tells people to say is said as commands are said there: with the room's sign."""

from __future__ import annotations

import re

import pytest

from referee.ports import Inbound, What
from tests.service.rig import House

ROOMS = {"matrix:@ana:hs": ("!", "!friday:hs"), "telegram:ana": ("/", "-5")}
#: what is said there -> what the answer tells to say, in English and in Portuguese
SAID = {
    "pictures": (
        ["pictures on", "pictures dark", "pictures off"],
        ["imagens ligadas", "imagens escuras", "imagens desligadas"],
    ),
    "pictures loud": (
        ["pictures on", "pictures dark", "pictures off"],
        ["imagens ligadas", "imagens escuras"],
    ),
    "vacation 99 days": (["policy", "vacation 3 days"], ["política", "férias 3 dias"]),
    "extend": (["extend 24h #17"], ["estender 24h #17"]),
    "review": (["review #17", "games"], ["análise #17", "partidas"]),
    "rematch": (["rematch #17", "games"], ["revanche #17", "partidas"]),
    "rules xx": (["cast", "help turn"], ["elenco", "ajuda turno"]),
    "prefer mail": (["link"], ["vincular"]),
    "hints on": (["hints off"], ["dicas desligadas"]),
}


async def in_a_room(house: House, who: str, language: str) -> tuple[str, str]:
    """Somebody is in a room of the referee's; its sign and its place."""
    sign, place = ROOMS[who]
    channel, _, address = who.partition(":")
    await house.bring(
        Inbound(channel=channel, key="i", address=address, what=What.INVITED, place=place, at_ms=1)
    )
    await house.say(who, f"language {language}")
    await house.say(who, f"{sign}language {language}", place=place)
    return sign, place


@pytest.mark.parametrize("language", ["en", "pt_BR"])
@pytest.mark.parametrize("who", ROOMS)
async def test_what_an_answer_tells_to_say_has_the_sign(house: House, who: str, language: str) -> None:
    sign, place = await in_a_room(house, who, language)
    for said, (english, portuguese) in SAID.items():
        await house.say(who, f"{sign}{said}", place=place)
        text = house.last(f"{who.partition(':')[0]}:{place}").text
        for told in english if language == "en" else portuguese:
            assert f"“{sign}{told}”" in text, (said, text)


@pytest.mark.parametrize("who", ROOMS)
async def test_in_private_it_has_none(house: House, who: str) -> None:
    for said, (english, _) in SAID.items():
        await house.say(who, said)
        assert all(f"“{told}”" in house.last(who).text for told in english), (said, house.last(who).text)


@pytest.mark.parametrize("who", ROOMS)
async def test_in_private_what_is_for_a_room_has_that_of_the_channels_rooms(house: House, who: str) -> None:
    sign, _ = ROOMS[who]
    await house.say(who, "new classic 3")
    await house.say(who, "watch #1")
    assert f"“{sign}watch #17”" in house.last(who).text
    await house.say(who, "help channels")
    assert f"“{sign}status”, “{sign}join”" in re.sub(r"\s+", " ", house.last(who).text)
