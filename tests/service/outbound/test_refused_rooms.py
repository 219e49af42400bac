"""Rooms that take no words any more: the person whom they would have answered is told in private."""

from __future__ import annotations

from referee.ports import Fate, Letter, Receipt
from tests.service.joining import joined
from tests.service.rig import House

ANA, MAT = "telegram:ana", "matrix:@ana:hs"


async def test_who_asked_there_is_told_though_they_are_another_account_by_now(house: House) -> None:
    wire = house.wires["telegram"]
    await house.say(ANA, "hello")
    await house.say(MAT, "hello")
    closed = False

    def fate(letter: Letter) -> Receipt:
        if not letter.place:
            return Receipt(Fate.SENT, wire_id=letter.id)
        return Receipt(Fate.FAILED, reason="topic-closed") if closed else Receipt(Fate.LATER, retry_ms=1000)

    wire.fate = fate
    await house.say(ANA, "/new", place="-100")
    await joined(house, MAT, ANA)
    assert not told(house)
    closed = True
    house.clock.pass_(seconds=61)
    await house.settle()
    assert told(house) == 1


def told(house: House) -> int:
    return sum("the topic is closed" in one.text for who in (ANA, MAT) for one in house.letters(who))
