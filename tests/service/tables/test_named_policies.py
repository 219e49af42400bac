"""A table is opened with a policy that the house has given a name."""

from __future__ import annotations

from referee.policy import PRESETS, Policy
from referee.service.core import named_policies
from referee.service.deadlines import clock_state
from referee.store import Game, PolicyRow
from tests.service.playing import asked, legal, running
from tests.service.rig import House

ANA = "telegram:ana"


def named(house: House, name: str, words: str) -> Policy:
    found = house.store.write_now(lambda tx: named_policies.add(tx, name, words, house.clock()))
    assert isinstance(found, Policy)
    return found


async def test_a_table_is_opened_with_it(house: House) -> None:
    club = named(house, "club", "24h free 6h bank 30h days Mo-Fr snap 19:00 Europe/Lisbon standin bot")
    await house.say(ANA, "new classic 3 club")
    assert clock_state.policy_of(running(house, 1)) == club
    assert "first 6h free" in house.last(ANA).text
    await house.say(ANA, "/new deluxe random 3 club 12h open", place="-100")
    other = clock_state.policy_of(running(house, 2))
    assert (other.move_hours, other.snap_hour, other.bot) == (12, 19, True)
    house.store.write_now(lambda tx: named_policies.remove(tx, "club"))
    assert clock_state.policy_of(running(house, 1)) == club
    await house.say(ANA, "new classic 3 club")
    assert "club" in house.last(ANA).text
    assert house.store.read_now(lambda tx: tx.count(Game)) == 2


async def test_also_by_somebody_who_is_asked_and_in_a_group(house: House) -> None:
    named(house, "club", "48h")
    await house.say(ANA, "new classic 2 seats no restart with 1 bot")
    await house.say(ANA, "ready #1")
    assert running(house, 1).status == "running"
    assert asked(house, 1) == 0
    await house.say(ANA, "/new classic 3 club", place="-100")
    assert clock_state.policy_of(running(house, 2)).move_hours == 48
    await house.say(ANA, "new menu classic 3 club")
    assert clock_state.policy_of(running(house, 3)).move_hours == 48
    await house.say(ANA, f"#1 {legal(house, 1)[0]}")
    assert running(house, 1).move_no


async def test_two_names_at_once_and_a_row_that_can_not_be_read(house: House) -> None:
    named(house, "club", "48h")
    house.store.write_now(lambda tx: tx.add(PolicyRow, name="later", words="24h", row='{"schema": 99}'))
    for words in ("club brisk", "club later", "later"):
        await house.say(ANA, f"new classic 3 {words}")
    assert house.store.read_now(lambda tx: tx.count(Game)) == 0
    assert "later" in house.last(ANA).text
    assert set(PRESETS) == {"gentle", "daily", "brisk", "live"}
