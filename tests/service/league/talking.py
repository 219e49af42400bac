"""A house whose admin founds a league by saying so, with people who sign up by saying so."""

from __future__ import annotations

from pathlib import Path

from referee.store import League, OfficeLog
from tests.service.league.seasons import opened
from tests.service.rig import House

BOSS, BEA, CY, DAN, EVE, FLO = (f"terminal:{name}" for name in ("boss", "bea", "cy", "dan", "eve", "flo"))
ROOM = "-5"


async def house_of(path: Path) -> House:
    """The terminal's boss is the admin of the house."""
    return await opened(path, admins=(("terminal", "boss"),))


async def told(house: House, who: str, text: str, *, place: str | None = None) -> str:
    """What the office answers to these words: where they were said, the first letter that came of them; ""
    for none.
    """
    channel, _, address = who.partition(":")
    where = place or address
    before = len(house.wires[channel].sent)
    await house.say(who, text, place=place)
    text = next(
        (one.text for one in house.wires[channel].sent[before:] if where in (one.address, one.place)), ""
    )
    assert "not possible now" not in text, text  # a sentence, or a fact of it, is missing
    return text


async def founded(house: House, *signed: str, name: str = "Winter Cup") -> None:
    """The league, its season open, and these people in it."""
    assert "is founded" in await told(house, BOSS, f"league new {name}")
    assert "open for sign-up" in await told(house, BOSS, f'league open "{name}"')
    for who in signed:
        await house.say(who, "hello")
        assert "signed up" in await told(house, who, f"league join {name}")


async def running(house: House) -> None:
    """A season of four that has begun; Bea is a director of it."""
    await founded(house, BEA, CY, DAN, EVE)
    await house.say(BOSS, "league role Bea director")
    await house.say(BOSS, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()


def leagues(house: House) -> list[str]:
    """The names of all leagues."""
    return [str(one) for one in house.store.read_now(lambda tx: tx.column(League, "name", order="id"))]


def log(house: House) -> list[OfficeLog]:
    """Every line of the first league's log."""
    return house.store.read_now(lambda tx: tx.all(OfficeLog, scope="league:1", order="no"))


def acts(house: House) -> list[str]:
    """What somebody did, in that log; what the office did by its clock is left out."""
    return [line.act for line in log(house) if line.by or line.act == "lapse"]
