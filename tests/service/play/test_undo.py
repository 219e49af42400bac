"""Orders taken back: what was asked meanwhile is gone for good, and every letter says what stands."""

from __future__ import annotations

import re

import pytest

from referee import rules
from referee.ports import Fate, Receipt
from referee.store import GameEvent, Journal, Outbox
from tests.service.joining import joined
from tests.service.playing import asked, legal, running, state, table
from tests.service.rig import House

CY, ANA = "mail:cy@example.org", "telegram:ana"
PEOPLE = [CY, ANA]


async def at_a_turn(house: House) -> tuple[int, str]:
    """A game in which the first of PEOPLE may take gold or cards; (game, their address)."""
    game = await table(house, PEOPLE)
    while asked(house, game) != 0 or not {"gold", "cards"} <= set(legal(house, game)):
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    return game, CY


async def test_an_answer_to_a_question_that_was_taken_back_fits_no_later_one(house: House) -> None:
    game, who = await at_a_turn(house)
    await house.say(who, "gold")
    old = house.last(who)
    assert old.buttons
    await house.say(who, "undo")
    await house.say(who, "cards")
    offered = legal(house, game)
    before = running(house, game).snapshot
    await house.say(who, "1", token=old.token)
    assert running(house, game).snapshot == before, (
        f"{offered[0]} was played for an option of another question"
    )
    assert "question" in house.last(who).text
    questions = house.store.read_now(lambda tx: [move.question for move in tx.all(Journal, game_id=game)])
    assert len(set(questions)) == len(questions)


async def test_the_same_is_asked_again_under_a_number_of_its_own(house: House) -> None:
    game, who = await at_a_turn(house)
    first = state(house, game)
    for order in ("gold", legal(house, game)[0]):
        if order in legal(house, game):
            await house.say(who, order)
    taken = house.store.read_now(lambda tx: tx.count(Journal, game_id=game))
    numbers = [rules.asks(state(house, game))[0].number]
    while rules.asks(state(house, game))[0].moves != rules.asks(first)[0].moves:
        await house.say(who, "undo")
        numbers.append(rules.asks(state(house, game))[0].number)
        assert running(house, game).question == numbers[-1]
        assert len(numbers) < 5
    assert numbers == sorted(set(numbers))
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game)) == taken
    undone = house.store.read_now(lambda tx: tx.count(Journal, game_id=game, undone=1))
    assert (
        undone
        == len(numbers) - 1
        == house.store.read_now(lambda tx: tx.count(GameEvent, game_id=game, name="undone"))
    )
    assert rules.dump(rules.asked_anew(state(house, game), rules.asks(first)[0].number)) == rules.dump(first)


async def test_letters_that_fold_say_what_was_taken_back(house: House) -> None:
    _, who = await at_a_turn(house)
    house.wires["mail"].wait_ms = 60_000
    count = len(house.letters(who))
    for words in ("gold", "undo", "status"):
        await house.say(who, words)
    assert len(house.letters(who)) == count
    house.wires["mail"].wait_ms = 0
    house.clock.pass_(seconds=120)
    await house.settle()
    assert len(house.letters(who)) == count + 1
    text = house.last(who).text
    assert re.search(r"Done:\W+gold\W+gold \(taken back\)", text), text[:300]


async def test_an_undo_and_a_question_in_one_letter_do_not_read_as_done(house: House) -> None:
    _, who = await at_a_turn(house)
    await house.say(who, "gold")
    house.wires["mail"].wait_ms = 60_000
    for words in ("undo", "status"):
        await house.say(who, words)
    house.wires["mail"].wait_ms = 0
    house.clock.pass_(seconds=120)
    await house.settle()
    assert re.search(r"Taken back:\W+gold", house.last(who).text)
    assert "Done:" not in house.last(who).text


async def test_the_other_channels_hear_of_an_undo_too(house: House) -> None:
    await joined(house, ANA, "matrix:@ana:example.org")
    people = [ANA, "terminal:bea"]
    game = await table(house, people)
    while asked(house, game) != 0 or "gold" not in legal(house, game):
        await house.say(people[asked(house, game)], legal(house, game)[0])
    await house.say(ANA, "gold")
    await house.say(ANA, "undo")
    assert re.search(r"gold\W+\(taken back\)", house.last("matrix:@ana:example.org").text)
    assert house.store.read_now(lambda tx: tx.count(Outbox, kind="echo_elsewhere")) >= 2


@pytest.mark.parametrize("who", ["telegram:ana", "matrix:@ana:hs"])
async def test_who_types_it_again_before_anything_came_back_takes_one_order_back(
    house: House, who: str
) -> None:
    game = await table(house, [who, "terminal:bea"])
    while asked(house, game) != 0 or not {"gold", "cards"} <= set(legal(house, game)):
        await house.say([who, "terminal:bea"][asked(house, game)], legal(house, game)[0])
    await house.say(who, "gold")
    built = next(one for one in legal(house, game) if one.startswith("build"))
    orders = legal(house, game)
    await house.say(who, built)
    wire = house.wires[who.partition(":")[0]]
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=30_000, detail="429", whole=False)
    await house.say(who, "undo")
    await house.say(who, "undo")
    assert legal(house, game) == orders, "gold was taken back, too"
    wire.fate = None
    house.clock.pass_(seconds=40)
    await house.settle()
    assert f"Taken back: {built}" in house.last(who).text
    assert "nothing was done. Here is what is asked now" in house.last(who).text
    await house.say(who, "undo")
    assert "gold" in legal(house, game)


async def test_who_would_have_it_otherwise_reads_how(house: House) -> None:
    """“no” behind “gold” was answered with “end”, and “cancel” with nothing."""
    _, who = await at_a_turn(house)
    await house.say(who, "gold")
    for said in ("no, cards", "cancel that", "cards", "actually, cards"):
        await house.say(who, said)
        assert "Did you mean: “undo”" in house.last(who).text, said
    await house.say(who, "language pt-br")
    for said in ("não, cartas", "cancela"):
        await house.say(who, said)
        assert "Você quis dizer: “desfazer”" in house.last(who).text, said
    await house.say(who, "desfazer; cartas")
    assert "“desfazer” precisa vir sem mais nada" in house.last(who).text
    await house.say(who, "desfazer")
    await house.say(who, "cancela")
    assert "“desfazer”" not in house.last(who).text, "there is nothing to take back"
