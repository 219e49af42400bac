"""Each of our outages gives those who think about taking a seat their time back, whatever is played then."""

from __future__ import annotations

from pathlib import Path

from tests.service.playing import asked, legal, ring
from tests.service.rig import Clock, House
from tests.service.tables.test_alternates import CY, PEOPLE, deserted, offers


async def test_two_outages_with_answers_between_them_give_both_times_back(tmp_path: Path) -> None:
    clock = Clock()
    house = await House(tmp_path / "r.db", clock).open()
    game, gone = await deserted(house, CY)
    for _ in range(2):
        clock.pass_(hours=2)
        await house.close()
        clock.pass_(hours=20)
        house = await House(tmp_path / "r.db", clock).open()
        for _ in range(6):
            if asked(house, game) == gone:
                clock.pass_(hours=0.1)
                await ring(house)
            else:
                await house.say(PEOPLE[1 - gone], legal(house, game)[0])
    clock.pass_(hours=4)
    await ring(house)
    assert offers(house) == {"Cy": "asked"}
    clock.pass_(hours=2)
    await ring(house)
    assert offers(house) == {"Cy": "silent"}
    await house.close()
