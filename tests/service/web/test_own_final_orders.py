"""Orders that can't be taken back ask once more on a seat's page: those, and no ordinary ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest

from referee import rules
from referee.bots import BOTS
from referee.service.web.own.final_orders import FinalOrders
from referee.service.web.own.placing import placed
from referee.text import Words
from tests.seeds import share
from tests.service.playing import asked, legal, table
from tests.service.web.running_site import ANA, BEA, Inn

WORDS = Words(strict=True)
CLASSES = tuple(
    [one.name for one in rules.EDITIONS["deluxe"].characters if one.rank == rank] for rank in range(1, 9)
)
#: what is done in every turn
ORDINARY = {"gold", "cards", "keep", "build", "income", "end", "pass"}
UNIQUES = [one.name for one, _ in rules.EDITIONS["deluxe"].districts if one.type == "unique"]


def turns(seed: int, most: int = 250) -> Iterator[tuple[rules.State, rules.Ask]]:
    """Turns of a game of five with characters and districts by chance."""
    dice = random.Random(seed)
    setup = rules.Setup(
        "deluxe",
        ("Ann", "Bea", "Caio", "Dee", "Eva"),
        cast=tuple(dice.choice(those) for those in CLASSES),
        uniques=tuple(dice.sample(UNIQUES, 14)),
    )
    state = rules.new_game(setup, seed.to_bytes(32, "big")).state
    for _ in range(most):
        if not rules.asks(state):
            return
        ask = rules.asks(state)[0]
        if ask.kind == "turn":
            yield state, ask
        state = rules.play(state, ask.seat, BOTS["greedy"].choose(rules.view(state, ask.seat), dice)).state


def sure_of(state: rules.State, ask: rules.Ask) -> dict[str, str]:
    """Order -> why it asks once more, of the page's list."""
    view = rules.view(state, ask.seat)
    found = placed(
        WORDS,
        "en",
        view,
        tuple(rules.rulebook(state).characters),
        WORDS.offers(view["ask"], view, "en", ()),
        (),
        FinalOrders(state, ask.seat),
    )
    rows: list[dict[str, Any]] = [row for _, those in found["groups"] for row in those]
    return {row["order"]: row["sure"] for row in rows}


@pytest.mark.parametrize("seed", share(range(24)))
def test_exactly_what_cannot_be_taken_back_asks(seed: int) -> None:
    for state, ask in turns(seed):
        final = FinalOrders(state, ask.seat)
        for move in [one for one in ask.moves if one.verb not in ORDINARY]:
            after = rules.play(state, ask.seat, move)
            paid = after.state.players[ask.seat].gold < state.players[ask.seat].gold
            assert final(move) == (not after.undoable and (paid or bool(move.args))), move


@pytest.mark.parametrize("seed", share(range(8)))
def test_it_tells_nothing_of_what_is_hidden(seed: int) -> None:
    dice = random.Random(seed)
    for state, ask in turns(seed, 120):
        mine, others = FinalOrders(state, ask.seat), rules.another(state, ask.seat, dice)
        other = FinalOrders(others, ask.seat)
        moves = [one for one in ask.moves if one.verb not in ORDINARY]
        assert [mine(move) for move in moves] == [other(move) for move in moves]


def test_no_ordinary_turn_has_another_tap() -> None:
    """Gathering, keeping, building, drawing what is free, killing and robbing, ending the turn."""
    asking: set[str] = set()
    for seed in range(12):
        for state, ask in turns(seed, 150):
            asking |= {order.split()[0] for order, why in sure_of(state, ask).items() if why == "final"}
    assert asking
    assert not asking & ORDINARY
    assert not asking & {"draw", "kill", "rob", "see", "study"}
    assert asking <= {"swap", "redraw", "peek", "spy", "crown", "sail", "smithy", "destroy", "seize"}


async def test_on_the_page_it_takes_two_taps(inn: Inn) -> None:
    people, dice = [ANA, BEA, "telegram:cy"], random.Random(2)
    game = await table(inn.house, people)
    while True:
        who, orders = people[asked(inn.house, game)], legal(inn.house, game)
        if swap := next((one for one in orders if one.startswith("swap ")), ""):
            break
        chosen = [one for one in orders if one == "pick Magician"] or [
            one for one in orders if one != "kill Magician"
        ]
        await inn.house.say(who, f"#{game} {dice.choice(chosen)}")
    page = await (await inn.signed_in(who)).page(f"/me/{game}")
    before = unescape(page.split(f'value="{swap}"')[0])
    assert before.rpartition("<summary")[2].count("This can't be taken back.") == 1
    assert '<details class="sure">' in before
