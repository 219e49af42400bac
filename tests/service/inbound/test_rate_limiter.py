"""The gate: blocked addresses, and those who write more than anybody could mean.  Nobody honest meets it."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from referee.ports import Inbound, What
from referee.service.admin.blocking import covers
from referee.service.core.token_bucket import TokenBucket
from referee.store import Address, Blocked, Inbox, Outbox, Person, StoreFull
from tests.service.admins import (
    ADMINS,
    ANA,
    BEA,
    CY,
    PEOPLE,
    ROOT,
    asks,
    events,
    logged,
    opened,
)
from tests.service.joining import joined
from tests.service.playing import asked, legal, running
from tests.service.rig import House

LIMITS: dict[str, Any] = {"messages_per_minute": 20, "messages_per_hour": 200, "newcomers_per_hour": 12}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", admins=ADMINS, **LIMITS).open()
    yield one
    await one.close()


def states(house: House, **equals: Any) -> list[str]:
    """What became of what arrived: its state, and why."""
    rows = house.store.read_now(lambda tx: tx.all(Inbox, order="id", **equals))
    return [f"{row.state} {row.error}".strip() for row in rows]


async def settled(house: House) -> None:
    """Time in which everybody may write again, and is told so."""
    house.clock.pass_(seconds=90)
    await house.settle()


async def met(house: House) -> int:
    """The table of the three and the two admins, long enough known."""
    game = await opened(house)
    await settled(house)
    return game


async def test_a_blocked_address_is_written_down_and_not_heard(house: House) -> None:
    game = await met(house)
    said = await asks(house, "admin block telegram:ana because <b>rude</b>")
    assert f"#{game}" in said
    assert "kick" in said
    before, letters, moves = len(states(house)), len(house.letters(ANA)), running(house, game).move_no
    await house.say(ANA, legal(house, game)[0])
    await house.say(ANA, "help")
    await house.press(ANA, "abc")
    await house.say(ANA, "/status", place="-5")
    assert states(house)[before:] == ["refused blocked"] * 4
    assert len(house.letters(ANA)) == letters
    assert running(house, game).move_no == moves
    assert "telegram:ana" in await asks(house, "admin blocked")
    await asks(house, "admin unblock telegram:ana")
    assert "What you can write" in await asks(house, "help", who=ANA)
    assert logged(house) == [("Root", "block"), ("Root", "unblock")]


async def test_a_blocked_players_turn_has_the_usual_mercy(house: House) -> None:
    game = await met(house)
    late = asked(house, game)
    await asks(house, f"admin block {PEOPLE[late]}" if PEOPLE[late] != CY else "admin block mail:cy@x.test")
    house.clock.pass_(hours=26)
    await house.referee.scheduler.ring()
    await house.settle()
    assert [one.facts for one in events(house, game, "stand_in")] == [f'{{"seat":{late}}}']
    assert asked(house, game) != late


async def test_everybody_of_a_mail_domain(house: House) -> None:
    await met(house)
    await asks(house, "admin block mail:*@X.test.invalid")
    for address in ("eve@x.test.invalid", "Mallory@X.TEST.INVALID"):
        await house.say(f"mail:{address}", "new classic 5", vouched=False)
    assert states(house, channel="mail")[-2:] == ["refused blocked"] * 2
    assert not [one for one in house.wires["mail"].sent if "invalid" in (one.address or "")]
    await house.say("mail:eve@other.invalid", "help", vouched=False)
    assert states(house, channel="mail")[-1] == "done"


@pytest.mark.parametrize(
    ("pattern", "address", "shut"),
    [
        ("*@x.test", "ana@x.test", True),
        ("*@x.test", "ana@y.x.test", False),
        ("ana@x.test", "ANA@x.test", True),
        ("*@x.test", "x.test", True),
        ("ana@x.test", "diana@x.test", False),
    ],
)
def test_whom_a_block_covers(pattern: str, address: str, shut: bool) -> None:
    assert covers("mail", pattern, "mail", address) is shut
    assert not covers("telegram", pattern, "mail", address)


UNBLOCKABLE = [
    ("admin block telegram:root", "your own"),
    ("admin block mail:boss@x.test", "looks after this house"),
    ("admin block mail:*@x.test", "looks after this house"),
    ("admin block MAIL:*@X.TEST", "looks after this house"),
    ("admin block mail:*", "nobody's address"),
    ("admin block mail:a*@x.test", "nobody's address"),
    ("admin block mail:*@", "nobody's address"),
    ("admin block telegram:*", "nobody's address"),
    ("admin block telegram", "admin block telegram:123456"),
    ("admin block pigeon:1", "pigeon"),
    ("admin unblock telegram:77", "is not blocked"),
    ("admin block " + "telegram:" + "9" * 300, "out of range"),
    ("admin block", "admin block telegram:123456"),
]


async def test_who_cannot_be_blocked(house: House) -> None:
    await met(house)
    for text, said in UNBLOCKABLE:
        assert said in await asks(house, text), text
        house.clock.pass_(seconds=10)
    assert house.store.read_now(lambda tx: tx.count(Blocked)) == 0


async def test_blocking_twice(house: House) -> None:
    await met(house)
    await asks(house, "admin block telegram:ana'; DROP TABLE blocked; --")
    assert "admin unblock" in await asks(house, "admin blocked")
    await asks(house, "admin block matrix:@eve:hs because x")
    assert "blocked already" in await asks(house, "admin block matrix:@Eve:hs")


async def test_an_admin_by_person_cannot_be_shut_out_by_any_address(house: House) -> None:
    await met(house)
    house.store.write_now(
        lambda tx: tx.add(
            Address, person_id=tx.whose("telegram", "root")[0].id, channel="matrix", address="@root:hs"
        )
    )  # type: ignore[index]  # it is known
    assert "looks after this house" in await asks(house, "admin block matrix:@root:hs")


async def test_the_list_is_read_again_for_whoever_changes_it_elsewhere(house: House) -> None:
    await met(house)
    house.store.write_now(lambda tx: tx.add(Blocked, channel="telegram", address="ana", at_ms=1))
    house.clock.pass_(seconds=4)
    await house.referee.reception.admission.refresh()
    await house.say(ANA, "help")
    assert states(house)[-1] == "refused blocked"


async def test_whoever_writes_too_much_is_told_once_and_again_when_it_is_over(house: House) -> None:
    game = await met(house)
    before, letters = len(states(house)), len(house.letters(ANA))
    for n in range(60):
        await house.say(ANA, f"name Ana{n}")
    done = states(house)[before:]
    assert done[:20] == ["done"] * 20
    assert set(done[20:]) == {"refused too many messages"}
    told = [one.text for one in house.letters(ANA)[letters:] if "a lot at once" in one.text]
    assert len(told) == 1
    assert "name Ana20" in told[0]
    await settled(house)
    left = house.last(ANA).text
    assert "40 messages of yours were not acted upon" in left
    assert "“name Ana20”" in left
    assert "35 more" in left
    assert house.store.read_now(lambda tx: tx.whose("telegram", "ana"))[0].name == "Ana19"  # type: ignore[index]  # it is known
    await house.say(ANA, "name Ana")
    assert states(house)[-1] == "done"
    await settled(house)
    assert sum("not acted upon" in one.text for one in house.letters(ANA)[letters:]) == 1
    assert running(house, game).status == "running"


async def test_what_one_person_writes_from_several_addresses_counts_together(house: House) -> None:
    await met(house)
    await joined(house, ANA, "matrix:@ana:hs")
    house.clock.pass_(hours=2)
    await house.settle()
    before = len(states(house))
    for _ in range(15):
        await house.say(ANA, "games")
        await house.say("matrix:@ana:hs", "games")
    assert states(house)[before:].count("done") == 20


async def test_nobody_pays_for_mails_forged_in_their_name(house: House) -> None:
    await met(house)
    before, letters = len(states(house)), len(house.letters(CY))
    tokens = [one.token for one in house.letters(CY)]
    other = [one.token for one in house.letters("mail:boss@x.test")][-1]
    for n in range(40):
        await house.say(CY, "abandon #1", vouched=False, key=f"forged{n}")
        await house.say(CY, "abandon #1", token=other, key=f"forged too {n}")
    assert states(house)[before:].count("refused too many messages") == 80 - 5
    assert sum("a lot at once" in one.text for one in house.letters(CY)[letters:]) == 0
    await house.say(CY, "help", token=tokens[-1])
    assert states(house)[-1] == "done"
    await settled(house)
    assert sum("not acted upon" in one.text for one in house.letters(CY)[letters:]) == 0


async def test_what_people_say_to_each_other_in_a_room_is_not_counted(house: House) -> None:
    await met(house)
    before = len(states(house))
    for n in range(60):
        await house.say(BEA, f"I wonder {n}", place="!lisbon:hs")
    assert states(house)[before:] == ["done"] * 60
    for _ in range(30):
        await house.say(BEA, "!games", place="!lisbon:hs")
    assert states(house)[before + 60 :].count("refused too many messages") == 10
    assert sum("a lot at once" in one.text for one in house.letters("matrix:!lisbon:hs")) == 1


async def test_a_stranger_may_write_less_and_is_soon_none(house: House) -> None:
    for _ in range(8):
        await house.say("telegram:new", "help")
    assert states(house) == ["done"] * 5 + ["refused too many messages"] * 3
    await settled(house)
    before = len(states(house))
    for _ in range(15):
        await house.say("telegram:new", "help")
    assert states(house)[before:] == ["done"] * 15


async def test_a_crowd_of_strangers_is_turned_away_and_the_admin_told(house: House) -> None:
    await asks(house, "help")
    house.clock.pass_(hours=2)
    for n in range(30):
        await house.say(f"telegram:crowd{n}", "help")
    await house.settle()
    people = house.store.read_now(lambda tx: tx.count(Person))
    assert people == 1 + 12
    assert states(house).count("refused too many newcomers") == 18
    assert sum("of unknown senders" in one.text for one in house.letters(ROOT)) == 1
    await asks(house, "stats")
    house.clock.pass_(hours=1)
    await house.say("telegram:crowd29", "help")
    assert states(house)[-1] == "done"


async def test_a_whole_batch_is_weighed_one_by_one(house: House) -> None:
    await met(house)
    await asks(house, "admin block telegram:ana")
    batch = [
        Inbound(channel="telegram", key=f"b{n}", address=who, text="help", name=who, at_ms=house.clock())
        for n, who in enumerate(("ana", "root", "ana"))
    ]
    before = len(states(house))
    await house.referee.reception.receive(batch, channel="telegram", cursor={"offset": "7"})
    await house.settle()
    assert states(house)[before:] == ["refused blocked", "done", "refused blocked"]
    assert await house.referee.reception.bookmark("telegram", "offset") == "7"
    await house.referee.reception.receive(batch, channel="telegram")
    assert len(states(house)) == before + 3


async def test_a_refused_message_can_be_handled_after_all(house: House) -> None:
    await met(house)
    await asks(house, "admin block telegram:ana")
    await house.say(ANA, "name Anastasia")
    number = house.store.read_now(lambda tx: tx.one(Inbox, state="refused")).id  # type: ignore[union-attr]  # it is there
    await asks(house, "admin unblock telegram:ana")
    await asks(house, f"admin retry message {number}")
    assert house.store.read_now(lambda tx: tx.whose("telegram", "ana"))[0].name == "Anastasia"  # type: ignore[index]  # it is known


async def test_what_wires_report_passes(house: House) -> None:
    await met(house)
    await asks(house, "admin block telegram:ana")
    await house.bring(
        Inbound(channel="telegram", key="gone", address="ana", what=What.BLOCKED, at_ms=house.clock())
    )
    assert (
        house.store.read_now(lambda tx: tx.one(Address, channel="telegram", address="ana")).state == "blocked"
    )  # type: ignore[union-attr]  # it is there


async def test_quick_honest_play_never_meets_it(house: House) -> None:
    game, dice = await met(house), random.Random(3)
    before = len(states(house))
    for _ in range(90):
        if running(house, game).status != "running":
            break
        who = PEOPLE[asked(house, game)]
        await house.say(who, dice.choice(legal(house, game)))
        house.clock.pass_(seconds=2)
    assert set(states(house)[before:]) == {"done"}


def test_a_bucket_fills_as_time_passes_and_no_further() -> None:
    one = TokenBucket(10, 60_000, 10, 0)
    assert sum(one.take(0) for _ in range(30)) == 10
    assert sum(one.take(6_000) for _ in range(30)) == 1
    assert sum(one.take(10_000_000) for _ in range(30)) == 10
    assert not one.take(5)  # a clock that was set back fills nothing


@pytest.mark.parametrize(
    ("limits", "let"),
    [
        ({"messages_per_minute": 1000, "messages_per_hour": 25}, 25),
        ({"messages_per_minute": 0, "messages_per_hour": 5}, 40),
        ({"messages_per_minute": 30, "messages_per_hour": 0}, 30),
    ],
)
async def test_the_limits_of_a_minute_and_an_hour(tmp_path: Path, limits: dict[str, Any], let: int) -> None:
    one = await House(tmp_path / "limits.db", **limits).open()
    await one.say(ANA, "help")
    one.clock.pass_(hours=2)
    before = len(states(one))
    for _ in range(40):
        await one.say(ANA, "games")
    assert states(one)[before:].count("done") == let
    if limits["messages_per_hour"] == 25:
        one.clock.pass_(seconds=600)  # a quarter of an hour's share is wanted before it goes on
        await one.say(ANA, "games")
        assert states(one)[-1] == "refused too many messages"
        one.clock.pass_(seconds=400)
        await one.say(ANA, "games")
        assert states(one)[-1] == "done"
    await one.close()


async def test_who_may_write_again_is_told_so_although_the_disk_was_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await House(tmp_path / "full.db", **LIMITS).open()
    for _ in range(41):
        await one.say(ANA, "help")
    one.clock.pass_(hours=1)
    with monkeypatch.context() as full:
        full.setattr(one.store, "write", refuses)
        with pytest.raises(StoreFull):
            await one.referee.reception.worker.round()
    told = len(one.store.read_now(lambda tx: tx.all(Outbox)))
    await one.referee.reception.worker.round()
    letters = one.store.read_now(lambda tx: tx.all(Outbox, order="id"))
    assert ["not-acted" in letter.data for letter in letters[told:]] == [True]
    await one.referee.reception.worker.round()
    assert len(one.store.read_now(lambda tx: tx.all(Outbox))) == len(letters), "once"
    await one.close()


async def refuses(job: object) -> None:
    """A book whose disk is full."""
    raise StoreFull(28, "full", "there")


async def test_any_number_of_newcomers_where_that_is_wanted(tmp_path: Path) -> None:
    one = await House(tmp_path / "open.db", messages_per_minute=20, newcomers_per_hour=0).open()
    for n in range(40):
        await one.say(f"telegram:n{n}", "help")
    assert states(one) == ["done"] * 40
    await one.close()


@pytest.mark.parametrize("private_first", [True, False])
async def test_what_was_left_out_in_private_is_told_in_no_room(house: House, private_first: bool) -> None:
    await met(house)
    for n in range(30):
        await house.say(ANA, f"help {n}")
    said = [("tell Bea I have the Palace", None), ("/games", "-5"), ("/status #1", "-6"), ("/who", "-6")]
    for text, place in said if private_first else said[::-1]:
        await house.say(ANA, text, place=place)
        assert states(house)[-1] == "refused too many messages"
    before = {at: len(house.letters(at)) for at in (ANA, "telegram:-5", "telegram:-6")}
    await settled(house)
    fresh = {at: [one.text for one in house.letters(at)[n:]] for at, n in before.items()}
    assert fresh["telegram:-5"] == fresh["telegram:-6"] == []
    assert "not acted upon" in fresh[ANA][-1]


async def test_what_was_left_out_in_one_room_is_not_told_in_another(house: House) -> None:
    await met(house)
    for n in range(60):
        await house.say(ANA, f"/help {n}", place="-5")
    await house.say(ANA, "/status #1", place="-6")
    await settled(house)
    told = " ".join(one.text for one in house.letters("telegram:-6"))
    assert "/status" in told
    assert "/help" not in told
