"""Games by plans, looked at afterwards: the record holds none of them, and taken out they can be made again
from what was filed.
"""

from __future__ import annotations

from typing import Any

import pytest

from adapters.mail.answer import answer as answered
from adapters.matrix.writing import keys
from adapters.telegram.keyboard import keyboard
from referee import rules
from referee.plans import answer, filed
from referee.rules import chance, record
from referee.rules.notation import order_text, read_order
from referee.service.core.unit_of_work import names, setup_of
from referee.service.play import seat_plans
from referee.service.play.records import record_text
from referee.store import Deadline, Journal, Seat, SeatPlan
from referee.text import Words
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]
PLAN = "always prefer King, any\nalways otherwise: gold; try build dearest; end\nbuy never"


def rows(house: House, entity: Any, /, **equals: Any) -> list[Any]:
    return house.store.read_now(lambda tx: tx.all(entity, order="id", **equals))


async def played(house: House) -> int:
    """A whole game; all but one file a plan before anything is asked of them."""
    game = await table(house, PEOPLE)
    for who in PEOPLE[1:]:
        await house.say(who, PLAN)
    for _ in range(3000):
        if running(house, game).status != "running":
            return game
        if rows(house, Deadline, game_id=game, kind="plan", done_ms=0):
            house.clock.pass_(seconds=301)
            await house.referee.scheduler.ring()
            await house.settle()
        else:
            await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    raise AssertionError("the game never ends")


@pytest.mark.whole_games
async def test_plans_stripped_and_made_again(house: House) -> None:
    game = await played(house)
    seats, journal = rows(house, Seat, game_id=game), rows(house, Journal, game_id=game)
    called, by_plan = names(seats), [row for row in journal if row.by == "plan"]
    assert len(by_plan) > 60
    row = running(house, game)
    text = house.store.read_now(lambda tx: record_text(tx, game))
    verified = record.verify(text)
    assert verified.finished
    assert verified.replayed
    assert not any(word in text.casefold() for word in ("plan", "prefer", "otherwise"))
    setup = setup_of(row, seats)
    state = rules.new_game(setup, chance.mix(bytes.fromhex(row.seed), [seat.word for seat in seats])).state
    kept = {one.seat: seat_plans.plan_of(one) for one in rows(house, SeatPlan, game_id=game)}
    memory = {seat: filed(plan, rules.view(state, seat)) for seat, plan in kept.items()}
    for one in journal:
        if one.seat in kept:
            found = answer(kept[one.seat], rules.view(state, one.seat), memory[one.seat])
            memory[one.seat] = found.memory if one.by == "plan" else {**found.memory, "stopped": True}
            if one.by == "plan":
                assert found.move is not None
                assert order_text(found.move, called) == one.order
                assert one.cause is not None
                assert one.cause < one.no
        state = rules.play(state, one.seat, read_order(one.order, called, rules.rulebook(setup))).state
    house.store.write_now(
        lambda tx: (
            tx.change(Journal, {"game_id": game}, by="person", cause=None),
            tx.drop(SeatPlan, game_id=game),
        )
    )
    assert house.store.read_now(lambda tx: record_text(tx, game)) == text


async def test_nothing_that_is_public_speaks_of_plans(house: House) -> None:
    game = await played(house)
    for word in ("history 200", "status", "who", "record"):
        await house.say("telegram:eve", f"{word} #{game}")
        assert "plan" not in house.last("telegram:eve").text.casefold()
        await house.say(PEOPLE[0], f"{word} #{game}")
        assert "plan" not in house.last(PEOPLE[0]).text.casefold()


async def test_a_plan_between_the_marker_lines_of_a_mail(house: House) -> None:
    house.wires["mail"].markup = "mail"
    await table(house, PEOPLE)
    who = "mail:cy@x.test"
    await house.say(who, "status")
    letter = house.last(who)
    assert "“plan” (answer ahead)" in " ".join(letter.text.split())
    quoted = "\n".join(f"> {line}" for line in letter.text.splitlines())
    begin = next(line for line in quoted.splitlines() if "=====[ your orders" in line)
    reply = quoted.replace(
        begin, f"{begin}\nprefer King, any\nwhen King: gold; build dearest\n  income; end\nbuy never"
    )
    await house.say(who, answered(f"On Monday the referee wrote:\n{reply}\n--\nCy").words)
    assert "as I understand it" in house.last(who).text
    assert "As the King: gold; build dearest; income; end" in " ".join(house.last(who).text.split())
    await house.say(
        who,
        answered(
            f"On Monday the referee wrote:\n{reply}".replace("> >", ">").replace("buy never", "buy nevermore")
        ).words,
    )
    assert "Nothing of this plan was filed" in house.last(who).text


async def test_every_page_of_the_menu_fits_the_channels(house: House) -> None:
    await table(house, PEOPLE, command="new deluxe")
    for who in PEOPLE[:2]:
        await house.say(who, "plan")
        for place in range(40):
            letter = house.last(who)
            board = keyboard(letter.buttons, "bot")
            assert board is not None
            assert all(
                len(str(one.callback_data).encode()) <= 64 and one.text
                for row in board.inline_keyboard
                for one in row
            )
            every = [b for row in letter.buttons for b in row]
            numbers = [b.number for b in every]
            assert numbers == sorted({*numbers}), "a number is kept by what is not offered now"
            assert [key for key in keys(letter) if key] == [b.key for b in every if b.number <= 10]
            assert who.startswith("telegram") or all(f"{b.number}. {b.label}" in letter.text for b in every)
            assert len(letter.markup or letter.text) < 4096
            offers = [
                b
                for b in every
                if b.order.startswith("plan menu ") and not b.order.endswith((" close", " back"))
            ] or every[-1:]
            await house.press(who, offers[place % len(offers)].key)


def test_the_channels_offer_the_word() -> None:
    offered = dict(Words(strict=True).commands())
    assert "menu" in offered["plan"]
