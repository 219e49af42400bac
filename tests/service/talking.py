"""Three people at a table, and what each of them has heard."""

from __future__ import annotations

from referee.store import Person
from tests.service.playing import table
from tests.service.rig import House

ANA, BEA, CY = "telegram:ana", "terminal:bea", "matrix:cy"
MAIL = "mail:bea@x.test"
PEOPLE = [ANA, BEA, CY]


def heard(house: House, who: str, text: str) -> int:
    """How often somebody was told these words by others."""
    return sum(text in letter.text for letter in house.letters(who))


async def trio(house: House, setting: str = "") -> int:
    """A running game of the three, opened with these words."""
    return await table(house, PEOPLE, command=f"new classic {setting}".strip())


def language(house: House, name: str) -> str:
    """The language in which that person is written to."""
    found = house.store.read_now(lambda tx: tx.one(Person, name=name))
    assert found is not None
    return found.language
