"""A letter of unknown fate, while a newer one to the same seat waits already."""

from __future__ import annotations

from referee import rules
from referee.ports import Fate, Inbound, Letter, Receipt
from tests.service.playing import asked, legal, state, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "telegram:bea"]


async def test_a_newer_letter_tells_it_first_and_has_a_second_chance_of_its_own(house: House) -> None:
    """Telegram does not answer twice in a row: what the player has done is told in the order in which they
    did it, and the question that is open is repeated.
    """
    game, wire = await table(house, PEOPLE), house.wires["telegram"]
    while rules.asks(state(house, game))[0].kind != "turn":
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    who = PEOPLE[asked(house, game)]
    me, send, silent = who.partition(":")[2], wire.send, list[Letter]()

    async def without_an_answer(letter: Letter) -> Receipt:
        if letter.address != me or len(silent) == 2:
            return await send(letter)
        silent.append(letter)
        if len(silent) == 1:  # a second order while the answer to the first is on its way
            came = Inbound("telegram", "second", me, text="kill Thief", name=me, at_ms=house.clock())
            await house.referee.reception.receive([came], channel="telegram")
            while await house.referee.reception.worker.round():
                pass
        return Receipt(Fate.UNKNOWN, detail="no answer")

    wire.send = without_an_answer  # type: ignore[method-assign]  # of this wire alone
    before = len(house.letters(who))
    await house.say(who, "gold")
    assert "Done: gold; kill Thief" in silent[1].text
    assert len(house.letters(who)) == before
    house.clock.pass_(seconds=61)
    await house.settle()
    assert "Done: gold; kill Thief" in house.last(who).text
    assert "Now:" in house.last(who).text
