"""`rules <card>` through the desk: which game is meant, where the card stands in it, and that nothing secret
is told.
"""

from __future__ import annotations

import random

import pytest

from referee import rules
from referee.service.cards.card_help import here
from referee.service.core.unit_of_work import StateCache
from referee.store import Game
from tests.service.playing import asked, legal, running, state, table, turn_to
from tests.service.rig import House
from tests.service.talking import PEOPLE

ANA, BEA = "telegram:ana", "matrix:@bea:hs"


async def test_without_a_game_a_card_is_explained_for_every_edition(house: House) -> None:
    await house.say(ANA, "rules keep")
    told = house.last(ANA).text
    assert "unique, cost 3, 2 cards (classic" in told
    assert "unique, cost 3 (deluxe)" in told
    assert "In this game" not in told
    await house.say(ANA, "rules deluxe keep")
    assert "2 cards" not in house.last(ANA).text


async def test_without_a_name_all_cards_of_the_game_are_told(house: House) -> None:
    await house.say(ANA, "rules")
    assert "The characters of the classic edition" in house.last(ANA).text
    assert "1 Assassin: names a character" in house.last(ANA).text
    await table(house, [ANA, BEA, "mail:cy@x.test", "terminal:dan"], command="new deluxe cunning agents")
    await house.say(ANA, "rules")
    told = house.last(ANA).text
    assert "- 1 Witch: lets another character gather only" in told
    assert told.index("1 Witch") < told.index("8 Warlord")
    assert len([line for line in told.split("\n") if line.startswith("- ")]) == 8 + 14 + 5
    await house.say(ANA, "cast")
    assert house.last(ANA).text == told


async def test_in_a_game_it_is_explained_for_that_game(house: House) -> None:
    game = await table(house, [ANA, BEA])
    await house.say(ANA, "rules thief")
    assert "In this game: it is among the characters." in house.last(ANA).text
    assert house.last(ANA).ref == f"g{game}"
    await house.say(ANA, "rules statue")
    assert house.last(ANA).text.startswith("Not in this game: Statue is a card of the deluxe edition.")
    await house.say(ANA, "what is a market?")
    assert "In this game: it is in no city yet." in house.last(ANA).text
    await house.say(ANA, "rules markit")
    assert "There is no card “markit”. Did you mean Market?" in house.last(ANA).text


async def test_a_card_with_a_question_mark_is_asked_about_and_not_picked(house: House) -> None:
    """“Merchant?” from somebody who is to pick one."""
    game = await table(house, PEOPLE)
    who, before = PEOPLE[asked(house, game)], running(house, game).move_no
    await house.say(who, "Merchant?")
    assert house.last(who).text.startswith("Merchant, rank 6.")
    assert running(house, game).move_no == before
    await house.say(who, "Merchant")
    assert running(house, game).move_no == before + 1


async def test_where_a_district_stands_is_told_to_anybody(house: House) -> None:
    game = await table(house, [ANA], bots=3)
    for _ in range(400):
        built = [
            (d["name"], p["name"]) for p in rules.view(state(house, game), None)["players"] for d in p["city"]
        ]
        once = [(name, owner) for name, owner in built if [other for other, _ in built].count(name) == 1]
        if once:
            break
        await house.say(ANA, legal(house, game)[0])
    district, owner = once[0]
    for who, command in ((ANA, "rules {}"), ("mail:stranger@x.test", "rules {} #" + str(game))):
        await house.say(who, command.format(district), vouched=True)
        assert f"In this game: it stands in the city of {owner}." in house.last(who).text


async def test_with_several_games_it_is_not_guessed_which(house: House) -> None:
    first = await table(house, [ANA], bots=1)
    second = await table(house, [ANA], bots=2)
    await house.say(ANA, "rules thief")
    assert "In this game" not in house.last(ANA).text
    assert house.last(ANA).ref == ""
    for game in (first, second):
        await house.say(ANA, f"rules thief #{game}")
        assert "In this game" in house.last(ANA).text
        assert house.last(ANA).ref == f"g{game}"
    await house.say(ANA, "rules thief #999")
    assert "There is no game #999." in house.last(ANA).text


async def test_in_a_room_it_is_the_game_of_the_room(house: House) -> None:
    game = await table(house, [ANA, BEA])
    await house.say(ANA, "/rules king", place="-5")
    assert "In this game" not in house.last("telegram:-5").text
    await house.say(ANA, f"/watch #{game}", place="-5")
    await house.say("telegram:zoe", "/rules king", place="-5")
    assert "In this game: it is among the characters." in house.last("telegram:-5").text


async def test_of_a_table_that_gathers_the_cards_are_told_that_its_lobby_shows(house: House) -> None:
    await house.say(ANA, "new deluxe 5 players cunning agents")
    assert "Cunning Agents" in house.last(ANA).text
    for card, said in (
        ("witch", "it is among the characters."),
        ("thief", "it is not among the characters; rank 2 is the Blackmailer."),
        ("statue", "it is not among the unique districts."),
        ("museum", "it is among the unique districts, and in no city yet."),
        ("temple", "it is in no city yet."),
        ("vault", "it is among the unique districts."),
        ("tax collector", "it is not among the characters; there is no rank 9."),
    ):
        await house.say(ANA, f"rules {card}")
        assert f"In this game: {said}" in house.last(ANA).text


@pytest.mark.parametrize("seat", [0, 1])
async def test_the_curtain_holds(house: House, seat: int) -> None:
    """Whatever the others hold, the answer about any card is the same."""
    people = [ANA, BEA]
    game = await table(house, people)
    for _ in range(3):
        await turn_to(house, game, people, seat)
    now = state(house, game)
    names = [*rules.rulebook(now).characters, *rules.rulebook(now).districts]
    assert len(names) > 30
    row = running(house, game)
    dice = random.Random(5)
    dealt = set()
    for _ in range(10):
        other = rules.another(now, seat, dice)
        dealt.add(str(rules.dump(other)))
        assert {name: answer(row, other, name) for name in names} == {
            name: answer(row, now, name) for name in names
        }
    assert len(dealt) > 1
    assert asked(house, game) == seat


def answer(row: Game, now: rules.State, name: str) -> object:
    states = StateCache()
    states.keep(int(row.id or 0), row.snapshot, now)
    return here(states, row, name)
