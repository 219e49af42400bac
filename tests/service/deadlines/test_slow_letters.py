"""What a letter that was slow gives the clock of its turn, and what it does not."""

from __future__ import annotations

from referee.ids import SeatNo
from referee.ports import Fate, Receipt
from referee.service.core import outbox
from referee.service.deadlines import clock_state
from referee.service.deadlines import rows as deadline_rows
from referee.service.people.letter_facts import PromptFacts
from referee.store import Deadline, Game, Tx
from tests.service.playing import asked, legal, running, table
from tests.service.rig import House


async def test_the_same_question_put_once_more_and_slowly_gives_no_time(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    game = await table(house, people)
    no, before, wire = asked(house, game), deadline(house, game), house.wires["telegram"]
    house.clock.pass_(hours=15)
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=600_000)

    def again(tx: Tx) -> None:
        uow, row = house.referee.context.uow(tx), tx.get(Game, game)
        assert row is not None
        outbox.to_seat(uow, row, uow.seats(row.id)[no], PromptFacts(), question=row.question)

    house.store.write_now(again)
    await arrived_after(house, 600)
    assert deadline(house, game) == before


async def test_a_slow_letter_in_the_midst_of_a_turn_costs_nobody_what_it_took(house: House) -> None:
    """The turn had asked in time already: its clock does not start anew."""
    people = ["telegram:ana", "telegram:bea"]
    game, wire = await table(house, people), house.wires["telegram"]
    while True:
        no, turn, before = asked(house, game), turn_of(house, game), deadline(house, game)
        house.clock.pass_(hours=2)
        wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=600_000)
        await house.say(people[no], legal(house, game)[0])
        if asked(house, game) == no and turn_of(house, game) == turn:
            break
        await arrived_after(house, 600)
    await arrived_after(house, 600)
    assert deadline(house, game) - before == 600_000


async def test_letters_give_a_turn_no_more_than_a_moves_hours(house: House) -> None:
    game = await table(house, ["telegram:ana", "telegram:bea"])
    no, before = asked(house, game), deadline(house, game)

    def late(tx: Tx) -> None:
        uow, row = house.referee.context.uow(tx), tx.get(Game, game)
        assert row is not None
        deadline_rows.given(uow, row, SeatNo(no), 20 * 3_600_000)

    for _ in range(3):
        house.store.write_now(late)
    assert deadline(house, game) - before == 24 * 3_600_000


def turn_of(house: House, game: int) -> str:
    return clock_state.read_clocks(running(house, game)).seat(SeatNo(asked(house, game))).turn


async def arrived_after(house: House, seconds: float) -> None:
    """What waits goes out, so much later."""
    sent, wire = len(house.wires["telegram"].sent), house.wires["telegram"]
    wire.fate = None
    house.clock.pass_(seconds=seconds)
    await house.settle()
    assert len(wire.sent) > sent


def deadline(house: House, game: int) -> int:
    (due,) = house.store.read_now(
        lambda tx: tx.column(Deadline, "due_ms", game_id=game, kind="answer", done_ms=0)
    )
    return int(due)
