"""An order that can't be read, after others of the same message.

What was revealed stays done: else a typing error would be a free look at the deck. What can be taken back is
not done at all, and what is suggested then can be typed as it stands.
"""

from __future__ import annotations

import re

import pytest

from referee import rules
from referee.store import Journal
from tests.service.playing import asked, legal, running, state, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "mail:bea@example.org", "terminal:cy"]
#: the ways in which several orders stand in one message
BETWEEN = ["; ", "\n", ". ", "\n\n"]
#: what is no order, looks like one, or is one that the question does not offer by that name
TYPOS = ["keep zzz", "keep", "kepe Market", "zzz", "2", "keep Markt", "(9)", "build zzz", "I wonder"]


async def at_a_turn(house: House, first: str = "telegram:ana") -> tuple[int, str]:
    """A game in which the first of PEOPLE may take gold or draw cards; (game, their address)."""
    people = [first, *(one for one in PEOPLE if one != first)]
    game = await table(house, people)
    while asked(house, game) != 0 or not {"gold", "cards"} <= set(legal(house, game)):
        await house.say(people[asked(house, game)], legal(house, game)[0])
    return game, first


def journal(house: House, game: int) -> list[str]:
    return [j.order for j in house.store.read_now(lambda tx: tx.all(Journal, game_id=game, order="no"))]


async def no_look(house: House, said: str, typo: str) -> None:
    """The cards are drawn, and the rest is named as not done."""
    game, who = await at_a_turn(house)
    before = journal(house, game)
    await house.say(who, said)
    assert journal(house, game) == [*before, "cards"]
    told = house.last(who).text
    assert re.search(r"Done:\W+cards", told), told
    assert "Not done:" in told
    assert typo in told, told
    assert re.search(r"Not done either:\W+end", told), told


@pytest.mark.parametrize("typo", TYPOS)
async def test_what_was_drawn_stays_drawn(house: House, typo: str) -> None:
    await no_look(house, f"cards; {typo}; end", typo.strip("()"))


@pytest.mark.parametrize("between", BETWEEN, ids=repr)
async def test_however_the_orders_are_parted(house: House, between: str) -> None:
    await no_look(house, f"cards{between}keep zzz{between}end", "keep zzz")


@pytest.mark.parametrize("who", PEOPLE)
async def test_a_look_is_not_taken_back_on_any_channel(house: House, who: str) -> None:
    game, who = await at_a_turn(house, who)
    before = journal(house, game)
    await house.say(who, "cards; keep zzz")
    assert journal(house, game) == [*before, "cards"]
    assert {move.verb for move in rules.asks(state(house, game))[0].moves} == {"keep"}
    await house.say(who, "undo")
    assert journal(house, game) == [*before, "cards"]


@pytest.mark.parametrize("between", BETWEEN, ids=repr)
async def test_what_can_be_taken_back_is_not_done(house: House, between: str) -> None:
    game, who = await at_a_turn(house)
    before, snapshot = journal(house, game), running(house, game).snapshot
    await house.say(who, f"gold{between}edn{between}undone")
    assert journal(house, game) == before
    assert running(house, game).snapshot == snapshot
    told = house.last(who).text
    assert "Done:" not in told.replace("Not done:", "")


async def test_what_is_suggested_can_be_typed_as_it_stands(house: House) -> None:
    """The end of a turn alone could not be: no gold was taken yet."""
    game, who = await at_a_turn(house)
    assert "end" not in legal(house, game)
    before = journal(house, game)
    await house.say(who, "gold; ennd")
    told = house.last(who).text
    assert "gold; end" in told, told
    assert journal(house, game) == before
    await house.say(who, "gold; end")
    assert "gold" in journal(house, game)[len(before) :]
    assert "end" in journal(house, game)[len(before) :]


async def test_two_answers_asked_back_after_a_look(house: House) -> None:
    """ "keep" fits each of the cards drawn: that is asked about cards that are drawn by then."""
    game, who = await at_a_turn(house)
    before = journal(house, game)
    await house.say(who, "cards; keep")
    assert journal(house, game) == [*before, "cards"]
    offered = legal(house, game)
    assert all(order.startswith("keep ") for order in offered)
    told = house.last(who).text
    assert any(order in told for order in offered), told
