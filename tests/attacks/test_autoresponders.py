"""Programs that answer every letter, with no header that says so (S7): a few letters, then silence until
something comes that is understood and new.

A referee in the test's own loop, with the limits of a fresh installation, and a clock that obeys.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from referee.ports import Inbound, Letter
from referee.store import Address, Alert
from tests import books
from tests.service.playing import asked, greet, legal, running, table
from tests.service.rig import House

LIMITS = {"messages_per_minute": 60, "messages_per_hour": 1200, "newcomers_per_hour": 300}
AWAY = "I am out of office"
MACHINE = "mail:machine@away.test"
#: what a program answers: the how-manieth, and the letter
Says = Callable[[int, Letter], str]
PROGRAMS: dict[str, Says] = {
    "the same": lambda n, letter: AWAY,
    "a counter": lambda n, letter: f"{AWAY}. Your ticket is INC{n * 7919:07}.",
    "a date": lambda n, letter: f"{AWAY} until 2026-12-{n % 28 + 1:02} {n % 24}:15.",
    "two by turns": lambda n, letter: AWAY if n % 2 else "Thank you for your mail, we shall answer soon.",
    "a hundred texts": lambda n, letter: f"{AWAY}, {chr(97 + n % 26) * 3} {chr(97 + n // 26 % 26) * 4}",
    "our letter": lambda n, letter: letter.text,
    "our letter under its own": lambda n, letter: f"Re: {letter.subject}\n\n{letter.text}\n{n}",
    "our first line": lambda n, letter: letter.text.splitlines()[0],
    "more than is read": lambda n, letter: f"{AWAY} {n} " * 2000,
    "a page": lambda n, letter: f"{AWAY} {n} gold, build market, end\n" * 60,
    "nothing": lambda n, letter: "",
    "a command": lambda n, letter: "vacation until Monday",
    "a command with a number": lambda n, letter: f"help {n}",
    "an order, by chance": lambda n, letter: "gold",
    "like a plan": lambda n, letter: f"when I am back: {n} letters",
    "an order and talk": lambda n, letter: f"gold; {AWAY} {n}",
    "a table that is not there": lambda n, letter: f"#9{n} {AWAY}",
}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await House(tmp_path / "referee.db", admins=(("telegram", "root"),), **LIMITS).open()
    yield one
    await one.close()
    books.forget()


async def answers(
    house: House, who: str, says: Says, *, every: float = 2, rounds: int = 40, token: bool = True
) -> list[Letter]:
    """A program answers each letter to it, so many seconds later; all letters that it has had since."""
    channel, _, address = who.partition(":")
    begin = seen = len(house.letters(who)) - 1
    for n in range(rounds):
        news = house.letters(who)[seen:]
        seen += len(news)
        if not news:  # nothing is owed, and it never writes by itself
            break
        for m, letter in enumerate(news):
            house.clock.pass_(seconds=every)
            text = says(n, letter)
            await house.bring(
                Inbound(
                    channel=channel,
                    key=f"auto {n} {m} {who}",
                    address=address,
                    text=text,
                    token=letter.token if token and channel == "mail" else "",
                    vouched=channel != "mail",
                    at_ms=house.clock(),
                    name="Machine",
                    facts={} if text else {"empty": True},
                )
            )
    return house.letters(who)[begin + 1 :]


@pytest.mark.parametrize("kind", PROGRAMS)
async def test_a_program_that_answers_its_greeting(house: House, kind: str) -> None:
    """S7.  72 letters in 150 seconds, before, and no end."""
    await greet(house, MACHINE)
    letters = await answers(house, MACHINE, PROGRAMS[kind], rounds=75)
    assert 1 + len(letters) <= 6
    alerts = [row.code for row in house.store.read_now(lambda tx: tx.all(Alert))]
    assert alerts == ["machine"]
    assert "machine@away.test" in house.last("telegram:root").text
    await house.say(MACHINE, "cast")
    assert len(house.letters(MACHINE)) == 1 + len(letters) + 1, "somebody who is there is answered"


@pytest.mark.parametrize("kind", PROGRAMS)
async def test_a_program_that_sits_at_a_table(house: House, kind: str) -> None:
    people = [MACHINE, "telegram:ana"]
    game = await table(house, people)
    while asked(house, game) != 1:
        await house.say(people[0], legal(house, game)[0])
    house.clock.pass_(hours=2)
    before = len(house.letters(MACHINE))
    owed = 0
    for _ in range(8):  # the other plays on; what the game owes goes out, nothing else
        await answers(house, MACHINE, PROGRAMS[kind], rounds=12)
        if asked(house, game) == 1:
            had = len(house.letters(MACHINE))
            await house.say(people[1], legal(house, game)[0])
            owed += len(house.letters(MACHINE)) - had
    assert len(house.letters(MACHINE)) - before - owed <= 6 * (
        1 + ("order" in kind or "letter" in kind or "line" in kind)
    )


@pytest.mark.parametrize("hours", [0.01, 3, 30])
async def test_however_slowly_it_answers(house: House, hours: float) -> None:
    await greet(house, MACHINE)
    letters = await answers(house, MACHINE, PROGRAMS["a counter"], every=hours * 3600)
    assert 1 + len(letters) <= 6


async def test_the_admin_hears_of_one_program_once_a_day(house: House) -> None:
    await greet(house, MACHINE)
    for day in range(3):
        for _ in range(4):  # now and then something is understood, and it begins anew
            await answers(house, MACHINE, PROGRAMS["the same"])
            await house.say(MACHINE, "cast")
        assert len(house.store.read_now(lambda tx: tx.all(Alert, code="machine"))) == day + 1
        house.clock.pass_(hours=25)


async def test_one_that_writes_without_our_token(house: House) -> None:
    await greet(house, MACHINE)
    await house.say(MACHINE, "help")
    letters = await answers(house, MACHINE, PROGRAMS["the same"], token=False, every=3600, rounds=200)
    assert len(letters) <= 6


async def test_silence_outlasts_a_restart_and_ends_with_a_word(house: House, tmp_path: Path) -> None:
    await greet(house, MACHINE)
    await answers(house, MACHINE, PROGRAMS["the same"])
    token = house.last(MACHINE).token
    await house.close()
    again = await House(tmp_path / "referee.db", clock=house.clock, **LIMITS).open()
    again.clock.pass_(hours=24 * 10)
    await again.say(MACHINE, AWAY, token=token)
    assert not again.letters(MACHINE)
    await again.say(MACHINE, "help", token=token)
    assert "What you can write" in again.last(MACHINE).text
    for n in range(4):
        await again.say(MACHINE, f"{AWAY} {n}")
    assert "help" in again.last(MACHINE).text
    await again.close()
    house.store, house.referee = again.store, again.referee
    await house.open()


async def test_so_many_different_things_by_mail_are_answered_in_an_hour(house: House) -> None:
    """Whatever is understood, and new each time."""
    await greet(house, MACHINE)
    letters = await answers(
        house,
        MACHINE,
        lambda n, letter: f"name {chr(65 + n % 26)}{chr(97 + n // 26)}{'x' * (n % 9)}",
        rounds=150,
    )
    assert len(letters) <= 32


BOTS: dict[str, Says] = {
    "the same": lambda n, letter: "I am a bot",
    "our letter": lambda n, letter: letter.text,
    "our letter, reported": lambda n, letter: f"You said: {letter.text} ({n})",
}


@pytest.mark.parametrize("kind", BOTS)
@pytest.mark.parametrize("who", ["matrix:@bot:hs", "telegram:bot"])
async def test_a_bot_that_says_our_words_back(house: House, who: str, kind: str) -> None:
    await house.say(who, "hello")
    letters = await answers(house, who, BOTS[kind], rounds=75)
    assert 1 + len(letters) <= 6
    await house.say(who, "help")
    assert "What you can write" in house.last(who).text


async def test_a_bot_that_chats_comes_to_an_end(house: House) -> None:
    await house.say("matrix:@bot:hs", "hello")
    letters = await answers(
        house,
        "matrix:@bot:hs",
        lambda n, letter: f"Well {'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10]} indeed",
        rounds=100,
    )
    assert len(letters) <= 21


async def test_somebody_who_tries_things_is_always_answered(house: House) -> None:
    """In a chat, and at their own machine: they see at once what came of it."""
    for who in ("telegram:ana", "matrix:@bea:hs", "terminal:cy"):
        for n in range(30):
            house.clock.pass_(seconds=70)
            had = len(house.letters(who))
            await house.say(who, f"what can I do here {'abcdefghijklmnopqrstuvwxyzäöüß'[n]}")
            assert len(house.letters(who)) > had


async def test_the_same_words_with_another_number_are_another_wish(house: House) -> None:
    who = "mail:ana@x.test"
    await greet(house, who)
    for _ in range(6):
        await house.say(who, "new 2")
        house.clock.pass_(hours=2)
    for text in ("status #{n}", "leave #{n}"):
        for n in range(1, 7):
            had = len(house.letters(who))
            await house.say(who, text.format(n=n))
            assert len(house.letters(who)) == had + 1
            assert f"#{n}" in house.last(who).text


async def test_whoever_plays_by_mail_never_meets_it(house: House) -> None:
    people = [MACHINE, "mail:bea@x.test"]
    game = await table(house, people)
    for who in people:
        await house.say(who, "notify all")  # else a confirmation waits for the next question
    for n in range(60):
        if running(house, game).status != "running":
            break
        who = people[asked(house, game)]
        had = len(house.letters(who))
        await house.say(who, legal(house, game)[0] if n % 3 else "buidl markt")
        house.clock.pass_(hours=1)
        assert len(house.letters(who)) > had
    rows = house.store.read_now(lambda tx: tx.all(Address, channel="mail"))
    assert all(len(row.dialogue) < 200 for row in rows)


async def test_whoever_is_waited_for_is_answered_in_a_chat_however_often_they_ask_the_same(
    house: House,
) -> None:
    """The question itself may have got lost: anyone who asks for it again and again must not hold up the
    table for it.
    """
    people = ["telegram:ana", "matrix:@bea:hs"]
    game = await table(house, people)
    who, other = people[asked(house, game)], people[1 - asked(house, game)]
    for person, heard in ((who, True), (other, False)):
        for _ in range(40):
            house.clock.pass_(seconds=2)
            had = len(house.letters(person))
            await house.say(person, "status")
        assert (len(house.letters(person)) > had) is heard


async def test_whoever_asks_now_this_and_now_that_by_mail_is_answered(house: House) -> None:
    who = "mail:ana@x.test"
    await table(house, [who, "telegram:bea"])
    for n in range(12):
        house.clock.pass_(seconds=300)
        had = len(house.letters(who))
        await house.say(who, ("status", "who")[n % 2])
        assert len(house.letters(who)) > had
