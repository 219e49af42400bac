"""What players are called at a table whose names are made of signs."""

from __future__ import annotations

import pytest

from referee.service.tables.seat_names import in_game_name
from referee.store import Game
from tests.service.playing import asked, legal, lines, state, table
from tests.service.rig import House

BEA = "terminal:bea"
PEOPLE = ["telegram:ana", BEA]


def called(*names: str) -> list[str]:
    """What people of these names are called who sit down one after another."""
    taken: list[str] = []
    for name in names:
        taken.append(in_game_name(name, taken, Game(edition="classic", creator_id=1)))
    return taken


def test_emoji_are_names_of_their_own() -> None:
    assert called("🦊", "🐼", "🐼", "🦊🦊") == ["🦊", "🐼", "🐼 2", "🦊🦊"]


@pytest.mark.parametrize("name", ["-", "?", "()", "'"])
def test_a_name_of_which_reading_leaves_nothing_is_none(name: str) -> None:
    first, second = called(name, name)
    assert first != name
    assert first.isascii()
    assert second == f"{first} 2"


@pytest.mark.parametrize("name", ["-", "🦊", "(x)"])
async def test_what_a_letter_offers_to_type_for_that_player_is_understood(house: House, name: str) -> None:
    for who in PEOPLE:
        await house.say(who, f"name {name if who == BEA else who[-3:]}")
        await house.say(who, "language pt-br")
    game = await table(house, PEOPLE)
    order = f"swap {state(house, game).setup.players[PEOPLE.index(BEA)]}"
    while order not in legal(house, game):
        orders, seat = legal(house, game), asked(house, game)
        wanted = ["pick Magician", "end"] if PEOPLE[seat] != BEA else ["end"]
        await house.say(PEOPLE[seat], next((one for one in wanted if one in orders), orders[0]))
    who = PEOPLE[asked(house, game)]
    await house.say(who, order.replace("swap", "trocar mãos"))
    assert order in [line.order for line in lines(house, game)]
