"""Hidden cards stay hidden in letters: dealing the hidden part afresh changes no word that anybody is told,
no picture, nor whom the table waits for, nor until when, nor what the reader suggests.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from referee import rules
from referee.service.outbound.compose import FinishedLetter
from referee.service.pictures import letter_pictures
from referee.service.teaching import lesson_state
from referee.store import Seat
from tests.seeds import ALL, PART, covering
from tests.service import hidden_cards
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test"]
CHANNELS = list(hidden_cards.MARKUPS)


async def positions(house: House, seed: int, bots: int, orders: int, every: int = 4) -> Any:
    """A game of these people, stopped at every few orders."""
    dice = random.Random(seed)
    game = await table(house, PEOPLE, bots=bots)
    house.store.write_now(
        lambda tx: tx.change(Seat, {"game_id": game, "no": 0}, lessons=lesson_state.LEARN)
    )  # the others are newcomers, and have hints
    for n in range(orders):
        if running(house, game).status != "running":
            return
        if n % every == 0:
            yield game, dice
        seat = asked(house, game)
        name = house.store.read_now(lambda tx, seat=seat: tx.all(Seat, game_id=game, order="no"))[seat].name
        await house.say(
            next(who for who in PEOPLE if name.casefold() in who), dice.choice(legal(house, game))
        )


@pytest.mark.parametrize(("seed", "bots"), [(1, 0), (2, 1), (4, 3)])
async def test_no_word_depends_on_what_its_reader_cannot_see(pictured: House, seed: int, bots: int) -> None:
    looked = otherwise = shown = 0
    async for game, dice in positions(pictured, seed, bots, 37, 4 if ALL else 8):
        # by two of the five channels at one position, by the next ones at the next; in `make soak` by all
        some = None if ALL else [CHANNELS[(2 * looked + n + PART) % len(CHANNELS)] for n in (0, 1)]
        assert hidden_cards.differences(pictured, game, dice, channels=some) == []
        otherwise += hidden_cards.hidden(pictured, game, dice)
        everybody = hidden_cards.told(pictured, game, None, running(pictured, game).snapshot)
        shown += sum(
            one.letter.picture is not None for one in everybody.values() if isinstance(one, FinishedLetter)
        )
        looked += 1
    assert looked >= (8 if ALL else 4)
    assert otherwise >= looked
    assert shown >= 4 * looked  # the living message and status, by two channels


@pytest.mark.whole_games
async def test_the_course_of_a_game_is_told_of_what_everybody_saw(pictured: House) -> None:
    dice, game = random.Random(3), await table(pictured, PEOPLE)
    while running(pictured, game).round < 4:
        seat = asked(pictured, game)
        name = pictured.store.read_now(lambda tx, seat=seat: tx.all(Seat, game_id=game, order="no"))[
            seat
        ].name
        await pictured.say(
            next(who for who in PEOPLE if name.casefold() in who), dice.choice(legal(pictured, game))
        )
    told = hidden_cards.told(pictured, game, None, running(pictured, game).snapshot)["history by telegram"]
    assert isinstance(told, FinishedLetter)
    assert "Points of the cities after each round" in told.letter.text
    assert told.letter.picture is not None
    assert hidden_cards.differences(pictured, game, dice) == []


def of_a_hand(state: Any, seat: int | None) -> dict[str, Any]:
    """A view that tells everybody what the dearest card in the last hand costs, as gold."""
    view: dict[str, Any] = rules_view(state, seat)
    hand = rules_view(state, len(state.players) - 1)["hand"]
    view["players"] = [{**p, "gold": p["gold"] + sum(map(ord, "".join(hand)))} for p in view["players"]]
    return view


def of_the_deck(state: Any, seat: int | None) -> dict[str, Any]:
    """A view in which the hidden character of the first player stands as called."""
    view: dict[str, Any] = rules_view(state, seat)
    return {**view, "faceup": [*view["faceup"], *rules_view(state, 0)["characters"]]}


rules_view = rules.view


#: in words, in pictures: at a push each leak in one of them
LEAKS = covering(["words", "pictures"], [of_a_hand, of_the_deck])


@pytest.mark.parametrize("leak", [leak for where, leak in LEAKS if where == "words"])
async def test_the_law_notices_a_leak(house: House, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    caught = 0
    async for game, dice in positions(house, 5, 0, 13):
        assert not hidden_cards.differences(house, game, dice)
        with monkeypatch.context() as patch:
            patch.setattr(rules, "view", leak)
            caught += bool(hidden_cards.differences(house, game, dice))
    assert caught >= 2


@pytest.mark.parametrize("leak", [leak for where, leak in LEAKS if where == "pictures"])
async def test_the_law_notices_a_leak_that_is_only_in_pictures(
    pictured: House, leak: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    caught = 0
    async for game, dice in positions(pictured, 5, 0, 9):
        with monkeypatch.context() as patch:
            patch.setattr(letter_pictures, "rules", SimpleNamespace(**{**vars(rules), "view": leak}))
            caught += bool(hidden_cards.differences(pictured, game, dice))
    assert caught >= 2
