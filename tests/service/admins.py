"""A house with an admin who does not play, and a table of three."""

from __future__ import annotations

from typing import Any

from referee.store import GameEvent, OfficeLog
from tests.service.playing import greet, table
from tests.service.rig import House

ANA, BEA, CY = "telegram:ana", "matrix:@bea:hs", "mail:cy@x.test"
PEOPLE = [ANA, BEA, CY]
ROOT, OTHER = "telegram:root", "mail:boss@x.test"
ADMINS = (("telegram", "root"), ("mail", "boss@x.test"))


async def opened(house: House, **how: Any) -> int:
    """A running game of the three, and both admins have spoken once."""
    for who in (ROOT, OTHER):
        await greet(house, who)
        await house.say(who, "name " + ("Root" if who == ROOT else "Boss"))
    return await table(house, PEOPLE, **how)


async def asks(house: House, text: str, who: str = ROOT, **how: Any) -> str:
    """What an admin is answered."""
    before = len(house.letters(who))
    await house.say(who, text, **how)
    found = house.letters(who)[before:]
    assert found, f"no answer to {text}"
    return "\n".join(letter.text for letter in found)


def events(house: House, game: int, name: str) -> list[GameEvent]:
    """What happened at a table, of one kind."""
    return house.store.read_now(lambda tx: tx.all(GameEvent, game_id=game, name=name, order="no"))


def logged(house: House) -> list[tuple[str, str]]:
    """(who, what) of the house's logbook."""
    return [
        (row.by, row.act)
        for row in house.store.read_now(lambda tx: tx.all(OfficeLog, scope="house", order="no"))
    ]
