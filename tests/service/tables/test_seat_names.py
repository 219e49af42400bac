"""What players are called at a table: each by a name of their own that no order can be mistaken for."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from referee.rules import EDITIONS, asks
from referee.rules.flow.table import random_move
from referee.rules.notation import order_text, read_order
from referee.rules.record import verify
from referee.service.tables.seat_names import in_game_name
from referee.store import Game, Seat
from tests.rules.laws import any_setup, moments
from tests.service.playing import asked, greet, legal, lines, running, state, table
from tests.service.rig import House

BEA = "terminal:bea"
PAIR = ["telegram:ana", BEA]
PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy", "terminal:dan"]
ODD = ["Ana", "Ana gold", "Ana card", "King with Ana", "Market for Ana Temple", "Ana giving Market"]


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
    for who in PAIR:
        await house.say(who, f"name {name if who == BEA else who[-3:]}")
        await house.say(who, "language pt-br")
    game = await table(house, PAIR)
    order = f"swap {state(house, game).setup.players[PAIR.index(BEA)]}"
    while order not in legal(house, game):
        orders, seat = legal(house, game), asked(house, game)
        wanted = ["pick Magician", "end"] if PAIR[seat] != BEA else ["end"]
        await house.say(PAIR[seat], next((one for one in wanted if one in orders), orders[0]))
    who = PAIR[asked(house, game)]
    await house.say(who, order.replace("swap", "trocar mãos"))
    assert order in [line.order for line in lines(house, game)]


async def test_a_game_of_ana_and_ana_gold_can_be_read_again(house: House) -> None:
    """The Emperor gives the crown to one of them, or takes a gold of the other for it."""
    for who, name in zip(PEOPLE, ("Ana", "Ana gold", "Cy", "Dan"), strict=True):
        await greet(house, who)
        await house.say(who, f"name {name}")
    game = await table(house, PEOPLE, command="new deluxe cunning agents")
    called = [one.name for one in house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))]
    assert called == ["Ana", "Ana Gold", "Cy", "Dan"]
    dice, crowned = random.Random(1), 0
    while running(house, game).status == "running":
        offered = legal(house, game)
        wanted = [one for one in offered if one in ("pick Emperor", "crown Ana gold")]
        crowned += "crown Ana gold" in wanted
        await house.say(PEOPLE[asked(house, game)], (wanted or [dice.choice(offered)])[0])
    assert crowned
    await house.say(PEOPLE[0], f"record #{game}")
    text = house.last(PEOPLE[0]).text
    assert verify(text[text.index("citadels record 2") :].rstrip() + "\n").replayed


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_every_order_at_a_table_of_odd_names_is_read_as_what_it_is(edition: str) -> None:
    for players in range(2, 7):
        rng = random.Random(players)
        names: list[str] = []
        for name in rng.sample(ODD, players):
            names.append(in_game_name(name, names, Game(edition=edition, creator_id=1)))
        for number in range(3):
            setup = any_setup(edition, players, rng)
            setup = replace(setup, players=tuple(names))
            for g in moments(players, number, rng, setup):
                if g.stack:
                    move = random_move(g, rng)
                    moves = [move, *asks(g)[0].moves[:20]]
                    assert [read_order(order_text(one, names), names, g.rules) for one in moves] == moves


def test_an_innocent_name_stays_as_it_is() -> None:
    game = Game(edition="deluxe", creator_id=1)
    for name in ("Ana Gold", "Goldie", "Ana Maria", "Jo of the cardinals", "Rui 2"):
        assert in_game_name(name, [], game) == name


#: names that nobody tells from the first one of their line, as they are shown
ALIKE = {
    "Ana": ["Аnа", "Ａna", "𝐀na", "An\u200ba", "Ána", "ANA", "Anaʼ", "Ana\u3164", "Ana\u2800", "Anɑ", "Αna"],
    "Ida": ["lda", "Іda", "1da", "Ӏda"],
    "Isil": ["Isıl", "İsil"],
    "Bo": ["B0", "Во", "Βο"],
    "Ева": ["ЕВА", "EBA"],
}


@pytest.mark.parametrize(("name", "other"), [(name, one) for name, all_ in ALIKE.items() for one in all_])
def test_nobody_sits_down_under_a_name_that_looks_like_anothers(name: str, other: str) -> None:
    for first, second in ((name, other), (other, name)):
        assert called(first, second)[1].endswith(" 2")


def test_names_that_only_resemble_each_other_stay_as_they_are() -> None:
    names = ["Lia", "Ila", "Ali", "All", "Nina", "Дина", "Иван", "Ivan", "김민준", "Ζωή", "Zoe", "O'Neil"]
    assert called(*names) == names


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u115f"])
def test_a_name_that_shows_nothing_is_none(name: str) -> None:
    assert called(name) == ["Player"]


@pytest.mark.parametrize("name", ["King", "Rei", "rei", "Mercado", "Assassina"])
def test_nobody_is_called_like_a_card_in_any_language(name: str) -> None:
    """“Rei construiu Mercado” would be the King to all who read it."""
    game = Game(edition="classic", creator_id=1)
    assert in_game_name(name, [], game) == f"{name} 2"
