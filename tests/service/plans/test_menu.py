"""Planning by taps and numbers: the menu writes lines, and they go through the same reader as typed ones."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import cast

import pytest

from referee.plans import load, plan_text
from referee.ports import Button
from referee.service.core import tokens
from referee.service.deadlines import clock_state
from referee.service.play import seat_plans
from referee.store import Deadline, Game, Journal, Seat, SeatPlan
from tests.service.playing import asked, legal, rows, running, table, turn_to
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]


def lines(house: House, game: int, who: str) -> tuple[str, ...]:
    """What is filed for somebody, as canonical lines."""
    seats = rows(house, Seat, game_id=game)
    no = next(s.no for s in seats if s.name.casefold() in who)
    found = rows(house, SeatPlan, game_id=game, seat=no)
    return plan_text(load(json.loads(found[0].data)), [s.name for s in seats]) if found else ()


def offers(house: House, who: str) -> dict[str, str]:
    """The newest entries: label -> order."""
    return {b.label: b.order for b in buttons(house, who)}


def buttons(house: House, who: str) -> list[Button]:
    """Those of the newest letter that has any."""
    return [b for row in next(x for x in reversed(house.letters(who)) if x.buttons).buttons for b in row]


async def tap(house: House, who: str, *labels: str) -> None:
    """Press these, one after the other, each in the newest letter; where there are no buttons, by its
    number.
    """
    for label in labels:
        found = next((b for b in buttons(house, who) if b.label == label), None)
        assert found is not None, (label, offers(house, who))
        if who.startswith(("mail", "terminal")):
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
    assert not lines(house, game, who)  # shown before it counts
    await tap(
        house,
        who,
        "What to do in my turn",
        "King",
        "Take gold",
        "Build",
        "The dearest possible",
        "Income for your districts",
        "End the turn",
    )
    await tap(house, who, "When to ask me after all", "Robbed", "My hand changed", "That's all")
    await tap(house, who, "File it for one round")
    assert "as I understand it" in house.last(who).text
    assert lines(house, game, who) == (
        "prefer King, Bishop, any",
        "when King: gold; try build dearest; try income; end",
        "this round ask me if robbed",
        "this round ask me if my hand changed",
    )
    assert bool(house.last(who).edits) == who.startswith("telegram")


async def test_taps_that_are_too_late_are_answered(house: House) -> None:
    """A plan was filed meanwhile: what the old pages offer is not done any more, nor filed twice."""
    game, who = await waiting(house)
    await house.say(who, "plan")
    await tap(house, who, "Which character to pick", "King", "That's all: else ask me")
    filing = house.key(who, "always prefer King")
    early = house.key(who, "plan menu prefer")
    await house.press(who, filing)
    assert lines(house, game, who) == ("always prefer King",)
    await house.say(who, "always prefer Bishop")
    for key in (filing, early):
        told = len(house.letters(who))
        await house.press(who, key)
        assert lines(house, game, who) == ("always prefer Bishop",)
        assert any("menu that is over" in letter.text for letter in house.letters(who)[told:])
        assert "Your plan for" in house.last(who).text
        assert "Which character to pick" in offers(house, who)


async def test_a_tap_twice_does_it_once(house: House) -> None:
    game, who = await waiting(house)
    await house.say(who, "plan")
    await tap(house, who, "Which character to pick")
    king = house.key(who, "plan menu King")
    await house.press(who, king)
    await house.press(who, king)
    assert "So far: prefer King\n" in house.last(who).text
    await tap(house, who, "Bishop", "Back", "Merchant", "That's all: else ask me", "File it to stay")
    assert lines(house, game, who) == ("always prefer King, Merchant",)


async def test_numbers_mean_the_question_again_when_the_menu_is_over(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    if who.startswith("mail"):
        await turn_to(house, game, PEOPLE, 3)
        who = PEOPLE[3]
    for ending in ("Close", "File it to stay"):
        await house.say(who, "plan")
        if ending != "Close":
            await tap(house, who, "When to ask me after all", "Robbed", "That's all")
        before = running(house, game).move_no
        await house.say(who, "30")
        assert "no number 30" in house.last(who).text
        assert running(house, game).move_no == before
        await tap(house, who, ending)
    first = legal(house, game)[0]
    await house.say(who, "1")
    assert rows(house, Journal, game_id=game)[-1].order == first


async def test_closed_it_changes_nothing(house: House) -> None:
    game, who = await waiting(house)
    await house.say(who, "plan")
    await tap(house, who, "Which character to pick", "King", "That's all: else ask me", "Close")
    assert "There is no plan" in house.last(who).text
    assert not rows(house, SeatPlan)
    assert bool(house.last(who).edits) == who.startswith("telegram")
    await house.say(who, "plan")
    assert "prefer King" not in house.last(who).text.partition("type the lines")[0]
    assert lines(house, game, who) == ()


async def test_withdrawn_and_struck(house: House) -> None:
    game, who = await waiting(house)
    await house.say(who, "always prefer King")
    await house.say(who, "plan")
    assert "the King, if it reaches you" in house.last(who).text
    await tap(
        house,
        who,
        "When to ask me after all",
        "My hand changed",
        "That's all",
        "Strike the last line",
        "Withdraw my plan",
        "Back",
        "Withdraw my plan",
    )
    assert "Withdraw all of it?" in house.last(who).text
    assert lines(house, game, who) != (), "it is asked first"
    await tap(house, who, "Yes, withdraw all of it")
    assert "withdrawn" in house.last(who).text
    assert lines(house, game, who) == ()


async def test_from_the_prompt_and_from_a_room(house: House) -> None:
    """Under the selection, under what is said while others are waited for, and by the word, which in a room
    is answered in private.
    """
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    assert offers(house, who)["Plan my round"] == "plan"
    await tap(house, who, "Plan my round")
    assert "What to do in my turn" in offers(house, who)
    await house.say(who, legal(house, game)[0])
    assert offers(house, who) == {"Plan my round": "plan"}
    if not who.startswith("telegram"):
        assert "1. Plan my round" in house.last(who).text
    await tap(house, who, "Plan my round")
    assert "What to do in my turn" in offers(house, who)
    await house.say("telegram:ana", f"/watch #{game}", place="-100")
    told = len(house.letters("telegram:ana"))
    await house.say("telegram:ana", "/plan", place="-100")
    assert "What to do in my turn" in offers(house, "telegram:ana")
    assert len(house.letters("telegram:ana")) == told + 1
    assert "written to you in private" in house.last("telegram:-100").text
    assert not house.last("telegram:-100").buttons
    await house.say("telegram:eve", "/plan", place="-100")
    assert "no seat" in house.last("telegram:-100").text
    assert not [x for x in house.letters("telegram:eve") if x.buttons]


async def test_another_persons_button(house: House) -> None:
    game, who = await waiting(house)
    await house.say(who, "plan")
    other = next(one for one in PEOPLE if one != who)
    await house.press(other, house.key(who, "plan menu prefer"))
    assert "for somebody else" in house.last(other).text
    assert lines(house, game, other) == ()


async def test_an_order_that_looks_like_a_tap_is_no_order(house: House) -> None:
    game, who = await waiting(house)
    await house.say(who, "plan menu King")
    assert "menu that is over" in house.letters(who)[-2].text
    assert "Which character to pick" in offers(house, who)
    await house.say(who, "plan menu dance")
    assert "menu that is over" in house.letters(who)[-2].text
    assert lines(house, game, who) == ()


async def test_a_menu_of_a_game_that_is_over(house: House) -> None:
    game, who = await waiting(house)
    await house.say(who, "plan")
    key = house.key(who, "plan menu prefer")
    house.store.write_now(lambda tx: tx.set(Game, game, status="over"))
    await house.press(who, key)
    assert "over" in house.last(who).text
    assert not house.last(who).buttons


@pytest.mark.parametrize(
    "text",
    [
        "prefer any",
        "prefer King, Bishop, any",
        "always prefer Warlord, any\nalways otherwise: gold; end",
        "prefer any if hand >= 1",
    ],
)
async def test_how_long_a_plan_waits_says_nothing_of_it(house: House, text: str) -> None:
    """Drawn from the house's secret and the number of the question: whatever is planned, and by whom; not
    from the seed, which is opened at the end.
    """
    game = await table(house, PEOPLE)
    await house.say(PEOPLE[asked(house, game)], text)
    found = rows(house, Deadline, kind="plan", done_ms=0)
    assert len(found) == 1
    now, key = running(house, game), house.store.read_now(tokens.known)
    assert found[0].due_ms - house.clock() == seat_plans.delay_ms(key, clock_state.policy_of(now), now)
    later = [
        seat_plans.delay_ms(
            key, clock_state.policy_of(now), cast(Game, SimpleNamespace(seed=now.seed, question=n))
        )
        for n in range(200)
    ]
    assert min(later) < 20_000
    assert max(later) > 280_000
