"""Somebody whom a channel does not reach is written to on the next one; anyone who has none left is waited
for, once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from referee.ports import Fate, Inbound, Letter, Receipt, What
from referee.service.deadlines import clock_state
from referee.store import Address, Alert, Deadline, Journal, Outbox, Seat
from tests.service.joining import code, joined, say_yes
from tests.service.playing import asked, greet, legal, running, table, turn_to
from tests.service.rig import House

ANA, BEA, MAIL = "telegram:ana", "matrix:@bea:hs", "mail:ana@x.test"
PEOPLE = [ANA, BEA]
HOUR = 3_600_000
keys = itertools.count(1)


def no(reason: str) -> Callable[[Letter], Receipt]:
    """A wire that takes nothing."""
    return lambda letter: Receipt(Fate.FAILED, reason=reason)


async def join(house: House, one: str, other: str) -> None:
    """Both addresses are one person's, and questions go to the first."""
    await greet(house, other)
    await joined(house, one, other)
    await house.say(one, f"prefer {one.partition(':')[0]}")


async def report(house: House, who: str, what: What, **facts: object) -> None:
    channel, _, address = who.partition(":")
    await house.bring(
        Inbound(
            channel=channel,
            key=f"report {next(keys)}",
            address=address,
            what=what,
            at_ms=house.clock(),
            facts=facts,
        )
    )


def due(house: House, game: int) -> int:
    (row,) = house.store.read_now(lambda tx: tx.all(Deadline, game_id=game, kind="answer", done_ms=0))
    return row.due_ms


def prompts(house: House, who: str) -> list[Letter]:
    return [letter for letter in house.letters(who) if "Now:" in letter.text or "Your answer:" in letter.text]


def address(house: House, said: str) -> Address:
    found = house.store.read_now(lambda tx: tx.one(Address, address=said))
    assert found is not None
    return found


async def test_a_question_that_is_open_goes_to_the_next_channel_at_once(house: House) -> None:
    game = await table(house, PEOPLE)
    await join(house, ANA, MAIL)
    await turn_to(house, game, PEOPLE, 0)
    before, mine, theirs, end = (
        len(prompts(house, MAIL)),
        len(house.letters(ANA)),
        len(house.letters(BEA)),
        due(house, game),
    )
    await report(house, ANA, What.BLOCKED)
    assert len(prompts(house, MAIL)) == before + 1
    assert "By Telegram nothing reaches you any more" in house.last(MAIL).text
    assert len(house.letters(ANA)) == mine
    assert len(house.letters(BEA)) == theirs, "the other side was told"
    assert due(house, game) == end
    await report(house, ANA, What.BLOCKED)
    assert len(prompts(house, MAIL)) == before + 1, "told twice"
    await house.say(MAIL, legal(house, game)[0])
    assert asked(house, game) == 1 or running(house, game).move_no


async def test_a_letter_that_is_refused_for_good_goes_on_to_the_channel_after_the_next(house: House) -> None:
    game = await table(house, PEOPLE)
    await join(house, ANA, MAIL)
    await join(house, ANA, "terminal:ana")
    await house.say(ANA, "prefer telegram, mail, terminal")
    house.wires["telegram"].fate, house.wires["mail"].fate = no("blocked"), no("no-such-address")
    seen = len(prompts(house, "terminal:ana"))
    await turn_to(house, game, PEOPLE, 0)
    assert len(prompts(house, "terminal:ana")) > seen
    states = {
        one.channel: one.state
        for one in house.store.read_now(lambda tx: tx.all(Address))
        if one.address.startswith("ana")
    }
    assert states == {"telegram": "blocked", "mail": "bounced", "terminal": "green"}


async def test_a_letter_that_one_wire_does_not_like_is_tried_on_the_others_once_each(house: House) -> None:
    game = await table(house, PEOPLE)
    await join(house, ANA, MAIL)
    house.wires["telegram"].fate = no("rejected")
    seen = len(prompts(house, MAIL))
    await turn_to(house, game, PEOPLE, 0)
    assert len(prompts(house, MAIL)) > seen
    assert (
        house.store.read_now(lambda tx: tx.one(Address, channel="telegram", address="ana")).state == "green"
    ), "the address is not at fault"
    while asked(house, game) == 0:
        await house.say(MAIL, legal(house, game)[0])
    house.wires["mail"].fate = no("rejected")
    before = house.store.read_now(lambda tx: tx.count(Outbox, person_id=1))
    await turn_to(house, game, ["", BEA], 0)
    assert house.store.read_now(lambda tx: tx.count(Outbox, person_id=1)) <= before + 4, (
        "it went round and round"
    )
    assert house.store.read_now(lambda tx: tx.count(Alert, code="letter-failed")) >= 1


async def test_whoever_has_no_channel_left_is_waited_for_once_and_told_what_they_missed(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no bank no quiet no nights no vacation unreachable 10h")
    await turn_to(house, game, PEOPLE, 1)
    house.clock.pass_(hours=2)
    end, theirs = due(house, game), len(house.letters(ANA))
    await report(house, BEA, What.BLOCKED)
    assert due(house, game) == end + 10 * HOUR
    assert "No letter reaches" in house.letters(ANA)[-1].text
    assert len(house.letters(ANA)) == theirs + 1
    assert [a.code for a in house.store.read_now(lambda tx: tx.all(Alert))] == ["out-of-reach"]
    house.clock.pass_(hours=3)
    await house.say(BEA, "hello?")
    assert due(house, game) == end + 3 * HOUR
    assert "Now:" in house.last(BEA).text
    await report(house, BEA, What.BLOCKED)
    assert due(house, game) == end + 3 * HOUR, "a second time in one game"
    house.clock.at_ms = due(house, game) + 1
    await house.referee.scheduler.ring()
    assert "clock" in [
        row.by for row in house.store.read_now(lambda tx: tx.all(Journal, game_id=game, seat=1))
    ]


async def test_whoever_shuts_and_opens_their_channel_again_and_again_writes_to_nobody_by_that(
    house: House,
) -> None:
    game = await table(house, PEOPLE)
    before = len(house.letters(ANA))
    for _ in range(20):
        await report(house, BEA, What.BLOCKED)
        house.clock.pass_(seconds=1)
        await report(house, BEA, What.REACHABLE)
    told = [one.text for one in house.letters(ANA)[before:] if "No letter reaches" in one.text]
    assert len(told) == 1
    assert f"#{game}" in told[0]
    assert house.store.read_now(lambda tx: tx.count(Alert, code="out-of-reach")) == 1
    house.clock.pass_(hours=24)
    await report(house, BEA, What.BLOCKED)
    assert house.store.read_now(lambda tx: tx.count(Alert, code="out-of-reach")) == 2, "it is told anew"


async def test_somebody_gone_before_they_are_asked_is_waited_for_from_the_question_on(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no bank no quiet no nights no vacation unreachable 10h")
    await turn_to(house, game, PEOPLE, 0)
    await report(house, BEA, What.BLOCKED)
    house.clock.pass_(hours=1)
    while asked(house, game) == 0:
        await house.say(ANA, legal(house, game)[0])
    assert due(house, game) == house.clock() + 34 * HOUR
    house.clock.pass_(hours=1)
    await report(house, BEA, What.REACHABLE)
    assert due(house, game) == house.clock() + 24 * HOUR
    assert prompts(house, BEA)


async def test_a_new_address_ends_it_too(house: House) -> None:
    game = await table(house, PEOPLE, hours="24h no bank no quiet no nights no vacation unreachable 10h")
    await turn_to(house, game, PEOPLE, 0)
    await greet(house, MAIL)
    await house.say(MAIL, f"link {await code(house, ANA)}")
    await say_yes(house, MAIL)
    await report(house, ANA, What.BLOCKED)
    assert clock_state.read_clocks(running(house, game)).seat(0).unreachable[0][1] == clock_state.OPEN
    await say_yes(house, ANA)
    await house.say(MAIL, "prefer mail")
    await house.say(MAIL, "status")
    assert clock_state.read_clocks(running(house, game)).seat(0).unreachable[0][1] <= house.clock()
    assert prompts(house, MAIL)


async def test_a_mail_that_came_back_is_told_anew_elsewhere_and_a_delay_is_not(house: House) -> None:
    people = [MAIL, BEA]
    game = await table(house, people)
    await join(house, MAIL, ANA)
    await turn_to(house, game, people, 0)
    letter = prompts(house, MAIL)[-1]
    mails, chats = len(house.letters(MAIL)), len(house.letters(ANA))
    await report(house, MAIL, What.BOUNCED, letter=letter.id, permanent=False, failed=False, reason="4.4.1")
    house.clock.pass_(hours=2)
    await house.settle()
    assert (len(house.letters(MAIL)), len(house.letters(ANA))) == (mails, chats)
    await report(house, MAIL, What.BOUNCED, letter=letter.id, permanent=True, failed=True, reason="5.1.1")
    assert len(house.letters(MAIL)) == mails
    assert "By e-mail nothing reaches you any more" in house.last(ANA).text
    await report(house, MAIL, What.BOUNCED, letter=letter.id, permanent=True, failed=True, reason="5.1.1")
    assert len(house.letters(ANA)) == chats + 1, "one bounce, two letters"


async def test_a_mail_that_came_back_for_now_is_tried_again_and_not_for_ever(house: House) -> None:
    people = [MAIL, BEA]
    game = await table(house, people, hours="10d no bank no quiet no nights no vacation no remind")
    await join(house, MAIL, ANA)
    await turn_to(house, game, people, 0)
    chats = len(house.letters(ANA))
    for n in range(4):
        letter = prompts(house, MAIL)[-1]
        mails = len(house.letters(MAIL))
        await report(
            house, MAIL, What.BOUNCED, letter=letter.id, permanent=False, failed=True, reason="4.2.2 full"
        )
        assert len(house.letters(MAIL)) == mails
        house.clock.pass_(hours=n + 1.1)
        await house.settle()
        assert len(house.letters(MAIL)) == mails + (n < 3)
    assert len(house.letters(ANA)) == chats + 1
    assert (
        house.store.read_now(lambda tx: tx.one(Address, channel="mail", address="ana@x.test")).state
        == "green"
    )


async def test_a_mail_that_a_policy_sends_back_closes_no_address(house: House) -> None:
    """A server that has the referee on a list would take everybody's address away."""
    people = [MAIL, BEA]
    game = await table(house, people, hours="24h no bank no quiet no nights no vacation unreachable 10h")
    await turn_to(house, game, people, 0)
    end = due(house, game)
    back = {"letter": prompts(house, MAIL)[-1].id, "permanent": False, "failed": True, "unwanted": True}
    await report(house, MAIL, What.BOUNCED, **back, reason="5.7.1 on a list")
    assert address(house, "ana@x.test").state == "green"
    assert due(house, game) == end + 10 * HOUR, "who was not asked is waited for"
    assert [a.code for a in house.store.read_now(lambda tx: tx.all(Alert))] == ["letter-failed"]
    await join(house, MAIL, ANA)
    while asked(house, game) == 0:
        await house.say(MAIL, legal(house, game)[0])
    await turn_to(house, game, people, 0)
    chats = len(house.letters(ANA))
    back["letter"] = prompts(house, MAIL)[-1].id
    await report(house, MAIL, What.BOUNCED, **back, reason="5.7.1 on a list")
    assert len(house.letters(ANA)) == chats + 1, "another channel takes that letter"
    assert address(house, "ana@x.test").state == "green"


@pytest.mark.parametrize("token", ["", "nonsense", "aaaaaaaaaaaaaaaaaaaaaaaa"])
async def test_a_bounce_that_nobody_signed_changes_nothing(house: House, token: str) -> None:
    game = await table(house, [MAIL, BEA])
    await report(house, MAIL, What.BOUNCED, letter=token, permanent=True, failed=True, reason="5.1.1")
    assert (
        house.store.read_now(lambda tx: tx.one(Address, channel="mail", address="ana@x.test")).state
        == "green"
    )
    assert running(house, game).status == "running"


async def test_the_end_of_a_game_is_told_to_whoever_could_not_be_told(house: House) -> None:
    game = await table(house, [ANA, BEA])
    await report(house, ANA, What.BLOCKED)
    while running(house, game).status == "running":
        house.clock.pass_(hours=60)
        assert await house.referee.scheduler.ring()
    await house.settle()
    silent = len(house.letters(ANA))
    await house.say(ANA, "hello")
    assert len(house.letters(ANA)) > silent
    assert any("is over" in letter.text for letter in house.letters(ANA)[silent:])
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0)).misses


async def test_a_new_conversation_begins_with_a_welcome_and_one_of_ours_with_nothing_more(
    house: House,
) -> None:
    await report(house, BEA, What.REACHABLE, conversation="opened")
    assert [letter.text.startswith("Welcome") for letter in house.letters(BEA)] == [True]
    await report(house, BEA, What.REACHABLE, conversation="accepted")
    assert len(house.letters(BEA)) == 1


async def test_a_question_that_stands_in_a_conversation_is_not_asked_again_when_its_reader_accepts_it(
    house: House,
) -> None:
    game = await table(house, PEOPLE)
    await turn_to(house, game, PEOPLE, 1)
    before = len(prompts(house, BEA))
    await report(house, BEA, What.REACHABLE, conversation="accepted")
    assert len(prompts(house, BEA)) == before
    await report(house, BEA, What.REACHABLE, conversation="opened")
    assert len(prompts(house, BEA)) == before + 1, "in a new one it does not stand yet"
    assert not any(letter.text.startswith("Welcome") for letter in house.letters(BEA)[-1:])
    await report(house, BEA, What.BLOCKED)
    await report(house, BEA, What.REACHABLE, conversation="accepted")
    assert len(prompts(house, BEA)) == before + 2, "and not where they had gone away"


@pytest.mark.parametrize(
    ("language", "direct", "room"),
    [
        ("en", "I have invited you", "make a room without it"),
        ("pt-br", "Mandei a você um convite", "Crie uma sala sem ela"),
    ],
)
async def test_an_encrypted_room_is_told_what_to_do(
    house: House, language: str, direct: str, room: str
) -> None:
    async def sealed(place: str, **facts: object) -> str:
        await house.say(BEA, "", place=place, encrypted=True, **facts)
        return house.last(f"matrix:{place}").text

    for place in ("!a", "!b"):
        await house.say(BEA, f"!language {language}", place=place)
    await house.say(BEA, f"language {language}")
    before = len(house.letters(BEA))
    assert room in await sealed("!a")
    assert len(house.letters(BEA)) == before
    assert direct in await sealed("!b", direct=True)
    assert house.last(BEA).text.startswith("Welcome" if language == "en" else "Boas-vindas")
