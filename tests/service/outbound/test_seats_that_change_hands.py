"""A letter that is on its way while its seat becomes somebody else's: what becomes of it is not theirs."""

from __future__ import annotations

from functools import partial

import pytest

from referee.ids import SeatNo
from referee.ports import Fate, Inbound, Letter, Receipt, What
from referee.service.core import outbox
from referee.service.deadlines import clock_state
from referee.service.people.letter_facts import PromptFacts
from referee.service.tables import takeover
from referee.store import Deadline, Game, Seat, Tx
from tests.service.joining import person_of
from tests.service.playing import asked, rows, running, table
from tests.service.rig import House

ANA, BEA, CY = "telegram:ana", "telegram:bea", "matrix:@cy:hs"


async def test_a_letter_to_the_one_before_neither_tells_nor_asks_anybody_else(house: House) -> None:
    """It arrives an hour after the seat was taken over, and the new player's first letter after that."""
    people = [ANA, BEA]
    game = await table(house, people)
    await house.say(CY, "hello")
    no, wire, on_its_way = SeatNo(asked(house, game)), house.wires["telegram"], []
    send, cy = wire.send, person_of(house, CY)
    house.wires["matrix"].fate = lambda letter: Receipt(Fate.LATER, retry_ms=600_000)

    def asked_again(tx: Tx) -> None:
        uow, row = house.referee.context.uow(tx), tx.get(Game, game)
        assert row is not None
        outbox.to_seat(uow, row, uow.seats(row.id)[no], PromptFacts(), question=row.question)

    async def slow(letter: Letter) -> Receipt:
        if f"telegram:{letter.address}" == people[no] and not on_its_way:
            on_its_way.append(letter)
            await house.store.write(partial(taken_over, house, game, no))
            house.clock.pass_(hours=1)
        return await send(letter)

    wire.send = slow  # type: ignore[method-assign]  # while this letter is on the wire
    house.store.write_now(asked_again)
    await house.settle()
    assert on_its_way
    (seat,) = rows(house, Seat, game_id=game, no=no)
    assert (seat.person_id, seat.told) == (cy, 0)
    before = due(house, game)
    assert not clock_state.read_clocks(running(house, game)).seat(no).delivered

    house.wires["matrix"].fate = None
    house.clock.pass_(hours=1)
    await house.settle()
    assert "Your hand" in house.last(CY).text
    assert clock_state.read_clocks(running(house, game)).seat(no).delivered == house.clock()
    assert due(house, game) - before == 2 * 3_600_000


@pytest.mark.parametrize("reason", ["permanent", "failed"])
async def test_a_letter_to_the_one_before_that_comes_back_is_told_nobody_else(
    house: House, reason: str
) -> None:
    people = ["mail:ana@x.test", "mail:bea@x.test"]
    game = await table(house, people)
    await house.say(CY, "hello")
    no = SeatNo(asked(house, game))
    letter = next(one for one in reversed(house.letters(people[no])) if "Your hand" in one.text)
    house.store.write_now(partial(taken_over, house, game, no))
    await house.settle()
    (seat,) = rows(house, Seat, game_id=game, no=no)
    facts = {reason: True, "reason": "5.1.1"}
    await house.bring(Inbound("mail", "b", "", What.BOUNCED, token=letter.token, facts=facts))
    assert seat.told
    assert rows(house, Seat, game_id=game, no=no)[0].told == seat.told


def taken_over(house: House, game: int, no: SeatNo, tx: Tx) -> None:
    """Cy plays on in that seat."""
    uow, row, found = house.referee.context.uow(tx), tx.get(Game, game), tx.whose("matrix", "@cy:hs")
    assert row is not None
    assert found is not None
    takeover.put(uow, row, *found, uow.seats(row.id)[no])


def due(house: House, game: int) -> int:
    (found,) = rows(house, Deadline, game_id=game, kind="answer", done_ms=0)
    return int(found.due_ms)
