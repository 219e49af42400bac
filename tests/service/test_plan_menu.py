"""Planning by taps and numbers: the menu writes lines, and they go through the same reader as typed ones."""
from __future__ import annotations

import json
from typing import Any

import pytest

from referee.plans import load, plan_text
from referee.store import Seat, SeatPlan
from tests.service.play import asked, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]


def rows(house: House, entity: Any, /, **equals: Any) -> list[Any]:
    return house.store.read_now(lambda tx: tx.all(entity, **equals))


def lines(house: House, game: int, who: str) -> tuple[str, ...]:
    """What is filed for somebody, as canonical lines."""
    seats = rows(house, Seat, game_id=game)
    no = next(s.no for s in seats if s.name.casefold() in who)
    found = rows(house, SeatPlan, game_id=game, seat=no)
    return plan_text(load(json.loads(found[0].data)), [s.name for s in seats]) if found else ()


def offers(house: House, who: str) -> dict[str, str]:
    """The newest letter's entries: label -> order."""
    return {b.label: b.order for row in house.last(who).buttons for b in row}


async def tap(house: House, who: str, *labels: str) -> None:
    """Press these, one after the other, each in the newest letter; where there are no buttons, by its number."""
    for label in labels:
        found = next((b for row in house.last(who).buttons for b in row if b.label == label), None)
        assert found is not None, (label, offers(house, who))
        if who.startswith(("mail", "terminal")):
            assert f"{found.number}. {label}" in house.last(who).text
            await house.say(who, str(found.number))
        else:
            await house.press(who, found.key)


async def waiting(house: House) -> tuple[int, str]:
    """A game and somebody who waits for others there."""
    game = await table(house, PEOPLE)
    return game, PEOPLE[(asked(house, game) + 1) % 4]


@pytest.mark.parametrize("who", PEOPLE)
async def test_a_round_by_taps(house: House, who: str) -> None:
    game = await table(house, PEOPLE)
    await house.say(who, "plan")
    assert "A plan answers for you" in house.last(who).text
    await tap(house, who, "Which character to pick", "King", "Bishop", "Else any, the least harmful")
    assert "prefer King, Bishop, any" in house.last(who).text
    assert not lines(house, game, who)                # shown before it counts
    await tap(house, who, "What to do in my turn", "King", "Take gold", "Build", "The dearest possible", "Income", "End the turn")
    await tap(house, who, "When to ask me after all", "Robbed", "My hand changed", "That's all")
    await tap(house, who, "File it for one round")
    assert "as I understand it" in house.last(who).text
    assert lines(house, game, who) == (
        "prefer King, Bishop, any", "when King: gold; try build dearest; try income; end", "this round ask me if robbed", "this round ask me if my hand changed")
    assert bool(house.last(who).edits) == who.startswith("telegram")
