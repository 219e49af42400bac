"""Bots at a table: their level, their manner, what they are called, and what is said of them."""

from __future__ import annotations

import random

import pytest

from referee.rules import EDITIONS
from referee.search import MANNERS, MILDEST, OFFERED, PLAYERS, USUAL, Adjustable, player
from referee.service.tables.seat_names import fold_name, in_game_name
from referee.store import Game, Seat
from referee.text import lexicon
from referee.text.folders import languages
from tests.service.playing import greet, running
from tests.service.rig import House

ANA = "telegram:ana"
RUI = "matrix:@rui:hs"


def bots(house: House, game: int) -> list[Seat]:
    found = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
    return [one for one in found if one.bot]


def levels(house: House, game: int) -> list[str]:
    return [one.bot.partition(" ")[0] for one in bots(house, game)]


async def test_a_level_is_said_with_the_table_or_later(house: House) -> None:
    await greet(house, ANA)
    await house.say(ANA, "new classic 6 with 2 gentle bots")
    await house.say(ANA, "bot")
    await house.say(ANA, "bot greedy")
    assert levels(house, 1) == ["gentle", "gentle", USUAL, "greedy"]
    assert USUAL == "steady"
    await house.say(ANA, "bot random")
    assert levels(house, 1)[-1] == "random"
    assert bots(house, 1)[-1].bot == "random", "no manner where it would change nothing"


async def test_a_level_that_there_is_not_is_named_with_those_that_there_are(house: House) -> None:
    await greet(house, ANA)
    await house.say(ANA, "new classic 4")
    await house.say(ANA, "bot clever")
    said = house.last(ANA).text
    assert "clever" in said
    for level in OFFERED:
        assert level in said
    assert bots(house, 1) == []
    await house.say(ANA, "bot strong 4")
    assert bots(house, 1) == [], "three seats are free"


async def test_each_has_a_manner_by_lot_that_its_player_knows(house: House) -> None:
    await greet(house, ANA)
    found = set()
    for game in range(1, 6):
        await house.say(ANA, "new deluxe 8 with 7 steady bots")
        found |= {one.bot for one in bots(house, game)}
        await house.say(ANA, f"abandon #{game}")
    assert found == {f"steady {manner}" for manner in MANNERS}
    for name in found:
        player(name)


async def test_names_are_of_the_tables_language_and_nobody_elses(house: House) -> None:
    await greet(house, ANA)
    await greet(house, RUI)
    await house.say(ANA, "new classic 7 with 6 bots")
    english, theirs = lexicon("en").table("language")["bot_names"], [one.name for one in bots(house, 1)]
    assert set(theirs) <= {*english}
    assert len(set(theirs)) == 6
    await house.say(RUI, "language pt-br")
    portuguese = lexicon("pt_BR").table("language")["bot_names"]
    await house.say(RUI, f"nome {portuguese[3]}")
    await house.say(RUI, "nova mesa clássica 7")
    await house.say(RUI, "robô 3")
    await house.say(RUI, "robô forte 3")
    names = [one.name for one in bots(house, 2)]
    assert set(names) <= {*portuguese} - {portuguese[3]}
    assert len(set(names)) == 6


async def test_whose_name_a_bot_has_is_called_otherwise(house: House) -> None:
    """Nobody at a table is called as somebody else."""
    await greet(house, ANA)
    await house.say(ANA, "new classic 6")
    seated = lexicon("en").table("language")["bot_names"]
    house.store.write_now(lambda tx: tx.change(Seat, {"game_id": 1, "no": 0}, name=seated[0].upper()))
    await house.say(ANA, "bot 5")
    names = [one.name for one in bots(house, 1)]
    assert seated[0] not in names
    assert len({fold_name(name) for name in names}) == 5


async def test_the_same_table_has_the_same_names_and_another_others(house: House) -> None:
    await greet(house, ANA)
    for _ in range(4):
        await house.say(ANA, "new classic 5 with 4 bots")
    by_table = [[one.name for one in bots(house, game)] for game in (1, 2, 3, 4)]
    assert len({tuple(names) for names in by_table}) == 4
    known = list(lexicon("en").table("language")["bot_names"])
    random.Random("names 2").shuffle(known)
    assert by_table[1] == known[:4]


async def test_a_rematch_keeps_who_they_are(house: House) -> None:
    await greet(house, ANA)
    await house.say(ANA, "new classic 4 with 3 gentle bots")
    house.store.write_now(lambda tx: tx.set(Game, 1, status="over", asked="", question=0))
    await house.say(ANA, "rematch #1")
    assert [(one.name, one.bot) for one in bots(house, 2)] == [(one.name, one.bot) for one in bots(house, 1)]


async def test_everybody_is_told_that_it_is_a_bot_and_of_which_level(house: House) -> None:
    await greet(house, ANA)
    await greet(house, RUI)
    await house.say(ANA, "new classic 4 with 2 gentle bots")
    first, second = bots(house, 1)
    assert f"{first.name}, bot (gentle)" in house.last(ANA).text, "the lobby"
    await house.say(RUI, "join #1")
    for who in (ANA, RUI):
        await house.say(who, "ready")
    assert running(house, 1).status == "running"
    await house.say(RUI, "language pt-br")
    for who, said, told in (
        (ANA, "status #1", f"{first.name} (gentle bot"),
        (RUI, "mesa #1", f"{second.name} (robô tranquilo"),
        ("terminal:dan", "status #1", f"Bots: {first.name} (gentle), {second.name} (gentle)."),
    ):
        await house.say(who, said)
        assert told in house.last(who).text


async def test_a_manner_is_told_with_the_level(house: House) -> None:
    await greet(house, ANA)
    await house.say(ANA, "new classic 3 with a steady bot")
    (one,) = bots(house, 1)
    assert f"{one.name}, bot ({one.bot.replace(' ', ', ')})" in house.last(ANA).text


async def test_old_tables_keep_the_bots_that_they_had(house: House) -> None:
    await greet(house, ANA)
    await house.say(ANA, "new classic 2 with a greedy bot")
    assert bots(house, 1)[0].bot == "greedy"
    await house.say(ANA, "ready")
    assert running(house, 1).status == "running"
    assert running(house, 1).asked == "0"


@pytest.mark.parametrize("language", languages())
def test_names_can_be_said_at_any_table(language: str) -> None:
    """Each stays as it is beside every card and every word of every language."""
    own = lexicon(language).table("language")["bot_names"]
    assert len(own) >= 16
    assert len({fold_name(name) for name in own}) == len(own)
    words = {
        fold_name(word)
        for other in languages()
        for kind in ("characters", "districts", "types", "verbs", "commands", "bots", "manners", "lists")
        for key in lexicon(other).keys(kind)
        for word in lexicon(other).spellings(kind, key)
    }
    for name in own:
        assert len(name) <= 7
        assert fold_name(name) not in words
        for edition in EDITIONS:
            assert in_game_name(name, [], Game(edition=edition, creator_id=1)) == name


def test_the_levels_in_order() -> None:
    assert (MILDEST, USUAL, OFFERED[-1]) == ("gentle", "steady", "strong")
    assert {*PLAYERS} - {*OFFERED} == {"greedy", "random"}
    assert isinstance(PLAYERS[USUAL], Adjustable)
    for language in languages():
        assert set(lexicon(language).keys("bots")) == {*PLAYERS}
        assert set(lexicon(language).keys("manners")) == {*MANNERS}
