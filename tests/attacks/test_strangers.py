"""Strangers get little (S6, S7): forged senders, correspondents that are programs, bounces that nobody sent.

A referee in the test's own loop, with the limits of a fresh installation, and a clock that obeys.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.ports import Inbound, Letter
from referee.store import Address, Alert, Allowance, Inbox, Person
from tests import books
from tests.service.playing import greet
from tests.service.rig import House

#: as `referee init` writes them
LIMITS = {"messages_per_minute": 60, "messages_per_hour": 1200, "newcomers_per_hour": 300}
ADMIN = (("telegram", "root"),)
SPAM = "Cheap pills at evil.example"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", admins=ADMIN, **LIMITS).open()
    yield one
    await one.close()
    books.forget()


def mail(house: House, key: str, address: str, text: str = SPAM, **more: object) -> Inbound:
    """A mail that proves nothing, full of words that its writer would like to see sent on."""
    facts = {"subject": SPAM, **dict(more.pop("facts", {}))}  # type: ignore[call-overload]  # a dict
    return Inbound(
        **{
            "channel": "mail",
            "key": key,
            "address": address,
            "text": text,
            "vouched": False,
            "name": SPAM,
            "message_id": "<pills@evil.example>",
            "at_ms": house.clock(),
            "facts": facts,
            **more,
        }
    )


async def flood(house: House, addresses: list[str], **more: object) -> list[Letter]:
    """One mail a second from each of these; what was written by mail."""
    before = len(house.wires["mail"].sent)
    for n, address in enumerate(addresses):
        house.clock.pass_(seconds=1)
        await house.referee.reception.receive(
            [mail(house, f"forged {n} {address}", address, **more)], channel="mail"
        )
        if n % 20 == 0:
            await house.settle()
    await house.settle()
    return house.wires["mail"].sent[before:]


def nothing_is_quoted(letters: list[Letter]) -> None:
    """Not in words, subject, threading or anything else that a letter carries."""
    for letter in letters:
        said = repr(letter).lower()
        for word in ("pills", "evil.example"):
            assert word not in said.replace((letter.address or "").lower(), ""), letter


VICTIMS: dict[str, Callable[[int], str]] = {
    "plus": lambda n: f"victim+{n}@home.test",
    "capitals": lambda n: (
        "".join(c.upper() if n >> i & 1 else c for i, c in enumerate("victimsmailbox")) + "@home.test"
    ),
    "dots": lambda n: (
        "".join(c + "." * (n >> i & 1) for i, c in enumerate("victimsmailbox")).strip(".") + "@home.test"
    ),
    "minus": lambda n: f"victim-{n}@home.test",
    "numbers": lambda n: f"victim{n}@home.test",
    "names": lambda n: f"u{n * 7919 % 1009:x}k{n}x@home.test",
    "subdomains": lambda n: f"a@m{n}.home.test",
    "domains": lambda n: f"a@home{n}.test",
    "country domains": lambda n: f"a@m{n}.home.co.uk",
    "unicode": lambda n: f"a@b{chr(0x4E00 + n)}ücher.home.test",
}


@pytest.mark.parametrize("kind", VICTIMS)
async def test_a_crowd_of_forged_mails_brings_a_handful_of_letters(house: House, kind: str) -> None:
    """S6.

    383 letters, before, at one mailbox; and nobody was greeted on any channel for the rest of the hour.
    """
    letters = await flood(house, [VICTIMS[kind](n) for n in range(1000 if kind == "plus" else 120)])
    assert 1 <= len(letters) <= 5
    nothing_is_quoted(letters)
    assert house.store.read_now(lambda tx: tx.count(Person)) == 0, "nobody is anybody by a forged mail"
    assert house.store.read_now(lambda tx: tx.count(Allowance)) <= 4 * len(letters) + 1, (
        "a mail that brings no letter leaves nothing behind"
    )
    house.clock.pass_(seconds=1)
    await house.say("telegram:newcomer", "help")
    assert "What you can write" in house.last("telegram:newcomer").text
    await house.say("matrix:@newcomer:hs", "help")
    assert "What you can write" in house.last("matrix:@newcomer:hs").text


async def test_whoever_answers_a_greeting_is_let_in_whatever_else_is_forged(house: House) -> None:
    """The crowd before the gate holds strangers back, and not those who prove who they are."""
    await flood(house, ["ann@home.test"])
    token = house.last("mail:ann@home.test").token
    await flood(house, [f"u{n}@home{n}.test" for n in range(320)])
    await house.say("mail:new@other.test", "help", vouched=False)
    assert not house.letters("mail:new@other.test")
    await house.say("mail:ann@home.test", "help", token=token)
    assert "What you can write" in house.last("mail:ann@home.test").text
    assert house.store.read_now(lambda tx: tx.all(Person))[0].name == "Ann"


async def test_an_answered_greeting_is_heard_however_much_was_forged(
    house: House,
) -> None:
    """What anybody may have written is counted apart from what can only be theirs."""
    await flood(house, ["ann@home.test"])
    token = house.last("mail:ann@home.test").token
    await flood(house, ["ann@home.test"] * 40)
    assert house.store.read_now(lambda tx: tx.all(Inbox, state="refused"))  # the forged ones are too many
    await house.say("mail:ann@home.test", "help", token=token)
    assert "What you can write" in house.last("mail:ann@home.test").text


async def test_one_mailbox_is_greeted_once_a_month_across_restarts(tmp_path: Path) -> None:
    one = await House(tmp_path / "book.db", **LIMITS).open()
    assert len(await flood(one, ["Victim+a@home.test"])) == 1
    await one.close()
    again = await House(tmp_path / "book.db", clock=one.clock, **LIMITS).open()
    for n in range(20):
        again.clock.pass_(hours=24)
        assert not await flood(again, [f"v.ictim+{n}@HOME.test"])
    again.clock.pass_(hours=24 * 11)
    assert len(await flood(again, ["victim@home.test"])) == 1
    await again.close()
    books.forget()


async def test_what_is_counted_is_forgotten_in_time(house: House) -> None:
    for _ in range(40):
        await flood(house, [f"u@home{n}.test" for n in range(3)])
        house.clock.pass_(hours=24 * 31)
    assert house.store.read_now(lambda tx: tx.count(Allowance)) <= 30


async def test_the_admin_hears_once_that_strangers_wait(house: House) -> None:
    await flood(house, [f"u@home{n}.test" for n in range(60)])
    codes = [row.code for row in house.store.read_now(lambda tx: tx.all(Alert))]
    assert codes == ["strangers"]
    said = house.last("telegram:root").text
    assert "trusted_authserv_id" in said
    assert "home" not in said


async def test_a_sender_that_the_receiving_server_refutes_gets_nothing(house: House) -> None:
    assert not await flood(house, [f"u@home{n}.test" for n in range(20)], facts={"sender": "fail"})


async def test_senders_that_the_receiving_server_has_checked_have_a_budget_of_their_own(house: House) -> None:
    await flood(house, [f"u@home{n}.test" for n in range(60)])
    checked = await flood(
        house, [f"member{n}@club.test" for n in range(40)], facts={"sender": "pass", "auth": "dkim"}
    )
    assert len(checked) == 40
    nothing_is_quoted(checked)
    again = await flood(house, ["member1@club.test"] * 9, facts={"sender": "pass", "auth": "dkim"})
    assert len(again) == 2


async def test_a_domain_where_somebody_plays_is_less_strange(house: House) -> None:
    await greet(house, "mail:ann@club.test")
    await house.say("mail:ann@club.test", "help")
    assert len(await flood(house, [f"member{n}x@club.test" for n in range(10)])) == 4


async def known_player(house: House) -> str:
    who = "mail:ann@club.test"
    await greet(house, who)
    await house.say(who, "new classic 3")
    house.clock.pass_(hours=1)
    return who


async def test_mails_in_a_players_name_bring_them_a_few_letters_that_say_nothing(house: House) -> None:
    who = await known_player(house)
    tokens = [letter.token for letter in house.letters(who)]
    letters = await flood(house, ["ann@club.test"] * 300)
    for n, token in enumerate(tokens):
        for m in range(20):
            await house.bring(mail(house, f"stolen {n} {m}", "mallory@evil.example", token=token))
            house.clock.pass_(seconds=60)
    assert len(letters) <= 1
    letters = house.letters(who)[len(tokens) :]
    assert 1 <= len(letters) <= 3
    nothing_is_quoted(letters)
    assert not house.letters("mail:mallory@evil.example")
    await house.say(who, "abandon #1")
    assert "3 seats" not in house.last(who).text
    for _ in range(60):  # never answered: it ends
        house.clock.pass_(hours=12)
        await flood(house, ["ann@club.test"])
    assert len(house.letters(who)) <= len(tokens) + 3 + 1 + 5


async def test_what_was_forged_before_a_restore_is_quoted_to_nobody(house: House) -> None:
    who = await known_player(house)
    gate = house.referee.reception.admission.gate
    gate._restored_ms = house.clock()
    letters = len(house.letters(who))
    await house.bring(mail(house, "old", "ann@club.test", at_ms=house.clock() - 1000))
    told = house.letters(who)[letters:]
    assert len(told) == 1
    nothing_is_quoted(told)


async def test_a_crowd_of_forged_mails_holds_nobody_back_whose_server_vouches(house: House) -> None:
    await flood(house, [f"u{n}@home{n}.test" for n in range(320)])
    assert await flood(house, ["new@other.test"], facts={"sender": "pass", "auth": "dkim"})


async def test_a_crowd_from_one_server_keeps_nobody_from_others_out(house: House) -> None:
    for n in range(310):
        house.clock.pass_(seconds=1)
        await house.referee.reception.receive(
            [
                Inbound(
                    channel="matrix",
                    key=f"c{n}",
                    address=f"@u{n}:m{n}.evil.example",
                    text="help",
                    at_ms=house.clock(),
                )
            ],
            channel="matrix",
        )
    await house.settle()
    await house.say("matrix:@new:hs.test", "help")
    assert "What you can write" in house.last("matrix:@new:hs.test").text


async def test_mails_in_the_names_of_everybody_bring_few_letters_in_all(house: House) -> None:
    people = [f"mail:player{chr(97 + n)}@club{n}.test" for n in range(8)]
    for who in people:
        house.clock.pass_(hours=1)
        await greet(house, who)
        await house.say(who, "help")
    house.store.write_now(lambda tx: tx.change(Address, {"channel": "mail"}, state="green"))
    reception, settings = house.referee.reception, replace(house.settings, newcomers_per_hour=50)
    reception.admission.gate._settings = settings
    reception.worker._context = replace(house.referee.context, settings=settings)
    letters = await flood(house, [who.partition(":")[2] for who in people])
    assert 1 <= len(letters) <= 5
