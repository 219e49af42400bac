"""Attacks on accounts: being joined to somebody without meaning it, by a link in a group, a forged mail, an
old letter, a guessed code.
"""

from __future__ import annotations

import re

from referee.ports import Inbound
from tests.service.joining import asked, code, joined, one, person_of, say_yes
from tests.service.rig import House

MALLORY, VICTIM, ANA, BEA = "telegram:666", "telegram:7", "telegram:ana", "matrix:@bea:hs"
MAIL = "mail:vic@x.test"
PLAIN = "24h no quiet no nights no vacation"
DAY_MS = 86_400_000


async def proven(house: House, mail: str = MAIL) -> None:
    """Somebody writes by mail, and answers what they are asked."""
    await house.say(mail, "games", vouched=False)
    await house.say(mail, "games")


# ---------------------------------------------------------------- S3: being joined without meaning it


async def test_a_deep_link_in_a_group_only_greets(house: House) -> None:
    word = await code(house, MALLORY)
    for payload in (f"link_{word}", f"link_{word.lower()}", f"link {word}", f"link_yes_{word}"):
        await house.say(VICTIM, f"/start {payload}")
    assert not one(house, MALLORY, VICTIM)
    assert all(
        "yes" not in b.order
        for x in house.letters(VICTIM) + house.letters(MALLORY)
        for row in x.buttons
        for b in row
    )
    assert person_of(house, VICTIM), "they are greeted as anybody is"


async def test_a_code_alone_joins_nobody(house: House) -> None:
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"link {word}")
    assert not one(house, MALLORY, VICTIM)
    for who, mine, other in ((VICTIM, "7", "666"), (MALLORY, "666", "7")):
        text = asked(house, who).text
        assert re.search(rf"\b{mine}\b", text)
        assert re.search(rf"\b{other}\b", text)
        assert "did not ask" in text
    await say_yes(house, MALLORY)
    assert not one(house, MALLORY, VICTIM), "only a yes from both"
    await house.say(VICTIM, "yes")
    await house.say(VICTIM, "ok")
    assert not one(house, MALLORY, VICTIM), "an innocent word is no answer"
    await say_yes(house, VICTIM, "no")
    await say_yes(house, VICTIM)
    assert not one(house, MALLORY, VICTIM)
    assert "nothing was joined" in house.last(MALLORY).text


async def test_both_say_yes_and_are_one(house: House) -> None:
    await house.say(VICTIM, "new classic 3")
    await joined(house, MALLORY, VICTIM)
    assert one(house, MALLORY, VICTIM)
    assert "unlink" in house.last(VICTIM).text
    assert "1 seat" in asked(house, MALLORY).text


async def test_what_somebody_calls_themselves_is_not_who_they_are(house: House) -> None:
    word = await code(house, MALLORY)
    await house.say(MALLORY, "name Admin of this house")
    await house.say(VICTIM, f"link {word}")
    text = asked(house, VICTIM).text.replace("\n", " ")
    assert "Telegram 666" in text


async def test_both_are_named_as_people_know_them(house: House) -> None:
    """Nobody knows the number of their own account on Telegram."""
    await house.say(MALLORY, "hello", handle="@mallory_x")
    await house.say(VICTIM, "hello", handle="@vic")
    await house.say(MALLORY, "link", handle="@mallory_x")
    word = re.findall(r"link ([A-Z2-7]{8})", house.last(MALLORY).text)[-1]
    await house.say(VICTIM, f"link {word}", handle="@vic")
    for who in (VICTIM, MALLORY):
        text = asked(house, who).text.replace("\n", " ")
        assert "Telegram @vic" in text
        assert "Telegram @mallory_x" in text
    await house.say(VICTIM, "accounts", handle="@vic")
    assert "@vic" in house.last(VICTIM).text
    # who gives a name up is not known by it any more: the next who takes it is somebody else
    await house.say(VICTIM, "accounts")
    assert "@vic" not in house.last(VICTIM).text


async def test_an_address_is_taken_off_by_the_name_that_people_know(house: House) -> None:
    await house.say(MALLORY, "hello", handle="@mallory_x")
    await joined(house, ANA, MALLORY)
    assert one(house, ANA, MALLORY)
    await house.say(MALLORY, "hello", handle="@mallory_x")
    await house.say(ANA, "unlink @mallory_x")
    assert not one(house, ANA, MALLORY)


async def test_the_yes_of_a_mail_answers_that_very_letter(house: House) -> None:
    await proven(house)
    word = await code(house, MALLORY)
    await house.say(MAIL, f"link {word}")
    question = asked(house, MAIL)
    await house.say(MAIL, "help", token=question.token)
    other = house.last(MAIL)
    assert other.id != question.id
    await say_yes(house, MALLORY)
    await house.say(MAIL, "yes", token=other.token)
    answer = next(b.order for row in question.buttons for b in row if b.order.startswith("link yes"))
    await house.say(MAIL, answer, token=other.token)
    await house.say(MAIL, answer, vouched=False)
    await house.say("mail:mallory@x.test", "yes", token=question.token)
    assert not one(house, MALLORY, MAIL)
    assert "v…@x.test" in asked(house, MALLORY).text
    assert "vic@x.test" not in asked(house, MALLORY).text, "who somebody is by mail is not told in full"
    await house.say(MAIL, "yes", token=question.token)
    assert one(house, MALLORY, MAIL)


async def test_nobody_else_can_say_yes(house: House) -> None:
    await joined(house, VICTIM, "terminal:vic")
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"link {word}")
    await say_yes(house, MALLORY)
    letter = asked(house, VICTIM)
    order = next(b.order for row in letter.buttons for b in row if b.order.startswith("link yes"))
    for third in ("telegram:8", "terminal:vic", MALLORY, BEA):
        await house.say(third, order)
        await house.press(third, next(b.key for row in letter.buttons for b in row if b.order == order))
    assert not one(house, MALLORY, VICTIM)
    await house.say(VICTIM, order)
    assert one(house, MALLORY, VICTIM, "terminal:vic")


async def test_codes_and_answers_are_for_private(house: House) -> None:
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"/link {word}", place="-5")
    await house.say(VICTIM, f"/link yes {word[:6]}", place="-5")
    for said in ("/accounts", "/unlink", "/unlink telegram"):
        await house.say(VICTIM, said, place="-5")
    assert "666" not in "".join(x.text for x in house.letters("telegram:-5"))
    assert not [
        x for x in house.letters(MALLORY) if any(b.order.startswith("link") for row in x.buttons for b in row)
    ]


# ---------------------------------------------------------------- codes


async def test_a_code_is_good_once_and_ten_minutes(house: House) -> None:
    word = await code(house, MALLORY)
    assert "10 minutes" in house.last(MALLORY).text
    house.clock.pass_(seconds=601)
    await house.say(VICTIM, f"link {word}")
    assert "too old" in house.last(VICTIM).text
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"link {word}")
    await say_yes(house, VICTIM, "no")
    await house.say("telegram:8", f"link {word}")
    assert "not known" in house.last("telegram:8").text
    first = await code(house, MALLORY)
    await code(house, MALLORY)
    await house.say("telegram:8", f"link {first}")
    assert "not known" in house.last("telegram:8").text, "a new code ends the older one"


async def test_two_who_send_the_same_code_at_once(house: House) -> None:
    word = await code(house, MALLORY)
    batch = [
        Inbound(
            channel=who.partition(":")[0],
            key=f"race {who}",
            address=who.partition(":")[2],
            text=f"link {word}",
            name="x",
            at_ms=house.clock(),
        )
        for who in (VICTIM, BEA)
    ]
    for came in batch:
        await house.referee.reception.receive([came], channel=came.channel)
    await house.settle()
    asks = [
        who
        for who in (VICTIM, BEA)
        if any(b.order.startswith("link") for x in house.letters(who) for row in x.buttons for b in row)
    ]
    assert len(asks) == 1


async def test_who_guesses_is_shut_out_also_after_a_restart(house: House) -> None:
    for n in range(5):
        await house.say(MALLORY, f"link AAAA{n + 2}AAA")
        assert "not known" in house.last(MALLORY).text
    await house.close()
    await house.open()
    word = await code(house, VICTIM)
    await house.say(MALLORY, f"link {word}")
    assert "wrong codes" in house.last(MALLORY).text
    assert not [
        x for x in house.letters(VICTIM) if any(b.order.startswith("link") for row in x.buttons for b in row)
    ]
    await house.say(BEA, f"link {word}")
    assert asked(house, BEA), "others are not"
    house.clock.pass_(hours=1.1)
    await house.say(MALLORY, f"link {await code(house, ANA)}")
    assert asked(house, MALLORY)


async def test_addresses_of_one_person_have_their_tries_together(house: House) -> None:
    await joined(house, MALLORY, "terminal:mal")
    for n in range(5):
        await house.say((MALLORY, "terminal:mal")[n % 2], f"link AAAA{n + 2}AAA")
    await house.say(MALLORY, "unlink terminal")
    word = await code(house, VICTIM)
    await house.say(MALLORY, f"link {word}")
    await house.say("terminal:mal", "link BBBBBBBB")
    await house.say("terminal:mal", "link BBBBBBBC")
    await house.say("terminal:mal", "link BBBBBBBD")
    await house.say("terminal:mal", f"link {word}")
    assert "wrong codes" in house.last("terminal:mal").text


async def test_a_question_waits_half_an_hour(house: House) -> None:
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"link {word}")
    await say_yes(house, VICTIM)
    house.clock.pass_(seconds=1801)
    await say_yes(house, MALLORY)
    assert not one(house, MALLORY, VICTIM)
    assert "too late" in house.last(MALLORY).text
    await joined(house, MALLORY, VICTIM)


async def test_one_question_at_a_time(house: House) -> None:
    first, second = await code(house, MALLORY), await code(house, ANA)
    await house.say(VICTIM, f"link {first}")
    await house.say(VICTIM, f"link {second}")
    assert "asked already" in house.last(VICTIM).text
    await say_yes(house, VICTIM)
    await say_yes(house, MALLORY)
    assert not one(house, VICTIM, ANA)
    assert one(house, VICTIM, MALLORY)


async def test_who_sits_at_one_table_is_two_people_also_when_the_yes_comes(house: House) -> None:
    await house.say(MALLORY, "new classic 3")
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"link {word}")
    await say_yes(house, MALLORY)
    await house.say(VICTIM, "join #1")
    await say_yes(house, VICTIM)
    assert not one(house, MALLORY, VICTIM)
    assert "two players" in house.last(VICTIM).text
    assert "two players" in house.last(MALLORY).text


async def test_a_forged_mail_does_nothing_and_asks_nothing(house: House) -> None:
    await proven(house)
    before = person_of(house, MAIL)
    word = await code(house, MALLORY)
    for text in (f"link {word}", f"Link {word}\n", f"vincular {word}", f"link yes {word[:6]}"):
        await house.say(MAIL, text, vouched=False)
        house.clock.pass_(hours=1)
        for letter in house.letters(MAIL):
            assert word not in letter.text + letter.markup
        for reply in ("yes", "ok", "help", "sim", "", "1", "link", "link yes"):
            await house.say(MAIL, reply)
    assert person_of(house, MAIL) == before
    assert not one(house, MALLORY, MAIL)
    assert not any(
        b.order.startswith("link") for x in house.letters(MALLORY) for row in x.buttons for b in row
    )
