"""A flood of what is said to nobody here, of invitations, and of what is refused anyway: the book does not
grow with it, and nobody waits.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from referee.ports import Inbound, What
from referee.service.inbound import unaddressed
from referee.states import AddressState
from referee.store import Address, Inbox
from tests.service.rig import House

LIMITS: dict[str, Any] = {"messages_per_minute": 60, "messages_per_hour": 1200, "newcomers_per_hour": 3}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "flooded.db", **LIMITS).open()
    yield one
    await one.close()


def rows(house: House) -> list[Inbox]:
    return house.store.read_now(lambda tx: tx.all(Inbox, order="id"))


async def flood(house: House, many: int, **said: Any) -> None:
    """So many messages in batches, as wires bring them; `{n}` in what is said is the number of each."""
    for start in range(0, many, 100):
        batch = [
            Inbound(
                "matrix",
                f"{said.get('place', '')}{start + n}",
                at_ms=house.clock(),
                vouched=True,
                **{
                    name: value.format(n=start + n)
                    if isinstance(value, str) and not isinstance(value, What)
                    else value
                    for name, value in said.items()
                },
            )
            for n in range(100)
        ]
        await house.referee.reception.receive(batch, channel="matrix", cursor={"since": str(start)})
    await house.settle()


async def test_words_of_a_room_among_themselves_are_written_down_so_many_a_minute(house: House) -> None:
    await flood(house, 2000, address="@mallory:far.test", place="!den:far.test", text="lorem ipsum {n}")
    assert len(rows(house)) == unaddressed.CHATTER
    await flood(
        house,
        100,
        address="@ann:own.test",
        place="!table:own.test",
        text="what a day, {n} times",
        what=What.MESSAGE,
    )
    assert len(rows(house)) == unaddressed.CHATTER + 100  # another room's words are not fewer for it
    assert await house.referee.reception.bookmark("matrix", "since") == "0"
    assert house.referee.context.alarm.tally.let_go["matrix"] == 2000 - unaddressed.CHATTER


async def test_whoever_brings_the_referee_everywhere_is_greeted_so_often(house: House) -> None:
    await flood(house, 500, address="@mallory:far.test", place="!{n}:far.test", what=What.INVITED)
    assert len(rows(house)) == unaddressed.INVITED
    greeted = [letter for letter in house.wires["matrix"].sent if letter.place]
    assert 0 < len(greeted) <= unaddressed.INVITED


async def test_topics_that_are_opened_again_in_one_forum_keep_nobody_elses_shut(house: House) -> None:
    await flood(house, 100, address="", place="-1006666/{n}", what=What.INVITED)
    assert len(rows(house)) == unaddressed.INVITED
    await flood(house, 100, address="", place="-1001234/17", what=What.INVITED)
    assert len(rows(house)) == 2 * unaddressed.INVITED


async def test_what_is_refused_is_kept_so_often_and_then_counted(house: House) -> None:
    await flood(house, 3000, address="@m{n}:far{n}.test", text="help")
    kept = rows(house)
    assert [row.state for row in kept].count("refused") == unaddressed.REFUSED
    assert len(kept) <= unaddressed.REFUSED + LIMITS["newcomers_per_hour"]


async def test_who_closes_and_opens_their_chat_again_and_again_fills_no_disk_and_is_not_shut_out(
    house: House,
) -> None:
    await house.say("telegram:ana", "hello")
    before = len(rows(house))
    for n in range(200):
        for what in (What.BLOCKED, What.REACHABLE):
            await house.bring(
                Inbound("telegram", f"{what}{n}", address="ana", what=what, at_ms=house.clock(), vouched=True)
            )
    assert len(rows(house)) - before <= unaddressed.CLOSED + unaddressed.OPENED
    assert house.store.read_now(lambda tx: tx.one(Address, address="ana").state) == AddressState.GREEN


async def test_a_strangers_chats_that_open_without_a_word_are_counted(house: House) -> None:
    await flood(house, 500, address="@mallory:far.test", what=What.REACHABLE)
    assert len(rows(house)) <= unaddressed.OPENED
