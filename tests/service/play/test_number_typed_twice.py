"""A number that is typed again because nothing came back: it answers the question that was read."""

from __future__ import annotations

from referee import rules
from referee.ports import Fate, Letter, Receipt
from tests.service.playing import asked, legal, state, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea"]


def _busy(letter: Letter) -> Receipt:
    return Receipt(Fate.LATER, retry_ms=30_000, detail="429", whole=False)


async def _turn(house: House) -> tuple[int, str]:
    """A turn has begun: the table, and whose it is."""
    game = await table(house, PEOPLE)
    while rules.asks(state(house, game))[0].kind != "turn":
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    return game, PEOPLE[asked(house, game)]


async def test_it_is_no_answer_to_a_question_that_nobody_has_read(house: House) -> None:
    """`1` was gold, and would be to kill the Thief."""
    game, who = await _turn(house)
    house.wires["telegram"].fate = _busy
    await house.say(who, "1")
    after = rules.asks(state(house, game))[0]
    await house.say(who, "1")
    assert rules.asks(state(house, game))[0] == after
    house.wires["telegram"].fate = None
    house.clock.pass_(seconds=40)
    await house.settle()
    last = house.last(who).text
    assert "Done: gold" in last
    assert "earlier question" in last
    await house.say(who, "1")  # what they have read by now
    assert "kill Thief" in house.last(who).text


async def test_words_say_what_they_mean_before_anything_came_back(house: House) -> None:
    _, who = await _turn(house)
    house.wires["telegram"].fate = _busy
    await house.say(who, "1")
    await house.say(who, "kill Thief")
    house.wires["telegram"].fate = None
    house.clock.pass_(seconds=40)
    await house.settle()
    assert "Done: gold; kill Thief" in house.last(who).text
