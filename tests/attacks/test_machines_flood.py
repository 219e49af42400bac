"""A flood of what programs write: it moves nothing, so it fills no disk either; and no letter that came back
is overlooked for it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from referee.ports import Inbound, What
from referee.service.core import message_heads
from referee.service.inbound import unaddressed
from referee.store import Address, Inbox
from tests.service.playing import greet
from tests.service.rig import House

ANA = "mail:ana@x.test"
LIMITS: dict[str, Any] = {"messages_per_minute": 60, "messages_per_hour": 1200, "newcomers_per_hour": 60}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "flooded.db", **LIMITS).open()
    yield one
    await one.close()


def rows(house: House) -> list[Inbox]:
    return house.store.read_now(lambda tx: tx.all(Inbox, order="id"))


async def flood(house: House, what: What, many: int, **said: Any) -> None:
    """So many mails of programs, each from somebody else and a letter that nobody wrote."""
    for n in range(many):
        facts = {"letter": f"forged{n}", "permanent": True, "failed": True} if what is What.BOUNCED else {}
        one = Inbound(
            "mail",
            f"<{n}@far.test>",
            f"m{n}@far{n}.test",
            what,
            at_ms=house.clock(),
            vouched=False,
            facts=facts,
            **said,
        )
        await house.referee.reception.receive([one], channel="mail", cursor={"uid": str(n)})


@pytest.mark.parametrize("what", [What.AUTO_REPLY, What.BOUNCED])
async def test_what_programs_write_is_kept_so_often_an_hour(house: House, what: What) -> None:
    many = unaddressed.MACHINES + 200
    await flood(house, what, many)
    assert len(rows(house)) == unaddressed.MACHINES
    assert house.referee.context.alarm.tally.let_go["mail"] == 200
    assert await house.referee.reception.bookmark("mail", "uid") == str(many - 1)


async def test_of_a_long_one_only_the_head_is_kept(house: House) -> None:
    await flood(house, What.AUTO_REPLY, 3, text="I am away. " * 9000)
    assert [row.state for row in rows(house)] == ["done"] * 3
    assert max(len(row.body) for row in rows(house)) <= message_heads.WHOLE


async def test_a_letter_of_ours_that_came_back_is_heard_in_the_midst_of_forged_ones(house: House) -> None:
    await greet(house, ANA)
    await house.say(ANA, "help")
    letter = house.last(ANA)
    await flood(house, What.BOUNCED, unaddressed.MACHINES + 50)
    for n in range(unaddressed.RETURNED + 10):  # the same report again and again fills nothing either
        facts = {"letter": letter.id, "permanent": True, "failed": True}
        await house.bring(Inbound("mail", f"<real{n}@x.test>", "", What.BOUNCED, vouched=False, facts=facts))
    there = house.store.read_now(lambda tx: tx.one(Address, channel="mail", address="ana@x.test"))
    assert there is not None
    assert there.state == "bounced"
    assert sum(row.key.startswith("<real") for row in rows(house)) == unaddressed.RETURNED
