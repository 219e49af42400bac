"""A question that has arrived although nobody could say so: what its reader answers is what they read, no
matter what becomes of the letter's next tries.
"""

from __future__ import annotations

import pytest

from referee import rules
from referee.ports import Fate, Letter, Receipt
from tests.service.playing import asked, legal, running, state, table, turn_to
from tests.service.rig import House

TRIES = [(Fate.UNKNOWN,), (Fate.UNKNOWN, Fate.LATER), (Fate.UNKNOWN, Fate.LATER, Fate.UNKNOWN)]


def _people(channel: str) -> list[str]:
    return [f"{channel}:{one}@x.test" for one in ("ana", "bea")]


def _ask(house: House, game: int) -> rules.Ask:
    return rules.asks(state(house, game))[0]


async def _asked_in_vain(house: House, channel: str, fates: tuple[Fate, ...]) -> tuple[int, str, Letter]:
    """A turn begins, and its letter has these fates: the table, whose turn it is, and the letter."""
    people, wire, tries = _people(channel), house.wires[channel], list[Letter]()
    game = await table(house, people)

    def fate(letter: Letter) -> Receipt:
        mine = any(one.order == "gold" for row in letter.buttons for one in row)
        if not mine or len(tries) == len(fates):
            return Receipt(Fate.SENT, wire_id=f"sent-{len(wire.sent)}")
        tries.append(letter)
        now = fates[len(tries) - 1]
        return Receipt(now, retry_ms=2_000, detail="no answer", again=now is Fate.UNKNOWN)

    wire.fate = fate
    while _ask(house, game).kind != "turn":
        await house.say(people[asked(house, game)], legal(house, game)[0])
    for _ in fates[1:]:
        house.clock.pass_(seconds=5)
        await house.settle()
    assert len(tries) == len(fates)
    return game, people[asked(house, game)], tries[0]


def _button(letter: Letter, order: str) -> tuple[str, int]:
    return next((one.key, one.number) for row in letter.buttons for one in row if one.order == order)


@pytest.mark.parametrize("fates", TRIES)
@pytest.mark.parametrize("channel", ["matrix", "telegram"])
async def test_a_tap_counts_before_anybody_knows_that_the_question_is_there(
    house: House, channel: str, fates: tuple[Fate, ...]
) -> None:
    game, who, letter = await _asked_in_vain(house, channel, fates)
    before = _ask(house, game)
    await house.press(who, _button(letter, "gold")[0])
    house.clock.pass_(seconds=30)
    await house.settle()
    assert _ask(house, game) != before
    assert "Done: gold" in house.last(who).text


@pytest.mark.parametrize("fates", TRIES)
@pytest.mark.parametrize("channel", ["matrix", "mail", "telegram"])
async def test_a_number_means_what_stands_in_the_letter_that_was_read(
    house: House, channel: str, fates: tuple[Fate, ...]
) -> None:
    """The turn goes on by other words; then somebody answers what they saw first."""
    game, who, letter = await _asked_in_vain(house, channel, fates)
    key, number = _button(letter, "cards")
    await house.say(who, "gold", token=letter.token if channel == "mail" else "")
    house.clock.pass_(seconds=30)
    await house.settle()
    before = _ask(house, game)
    if channel == "mail":
        await house.say(who, str(number), token=letter.token)
    else:
        await house.press(who, key)
    assert _ask(house, game) == before
    assert "earlier question" in house.last(who).text


async def test_a_new_turn_is_a_letter_of_its_own_though_the_answer_to_a_tap_still_waited(
    house: House,
) -> None:
    """A message that is rewritten rings nowhere."""
    people = ["telegram:ana", "matrix:@bea:hs"]
    game = await table(house, people)
    await turn_to(house, game, people, 0)
    wire = house.wires["telegram"]
    wire.wait_ms = 1  # the chat is full just now
    await house.press("telegram:ana", house.key("telegram:ana", legal(house, game)[0]))
    await turn_to(house, game, people, 1)
    await turn_to(house, game, people, 0)
    wire.wait_ms = 0
    await house.settle()
    assert house.row(house.last("telegram:ana")).question == running(house, game).question
    assert not house.last("telegram:ana").edits
