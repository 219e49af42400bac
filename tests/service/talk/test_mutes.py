"""Who hears what is said: how much one may say, what is muted, when and where it comes."""

from __future__ import annotations

from referee.ids import PersonId
from referee.service.talk import mutes
from referee.store import Mute
from tests.service.joining import joined, person_of
from tests.service.playing import table
from tests.service.rig import House
from tests.service.talking import ANA, BEA, CY, MAIL, heard, trio


async def test_lines_for_a_mailbox_make_one_letter(house: House) -> None:
    game = await table(house, [ANA, MAIL, CY], command="new classic talk anonymous")
    await house.say(CY, "whisper hush")
    await house.say(ANA, "say line 1")
    house.clock.pass_(seconds=60)
    await house.say(CY, "say two <b>")
    assert heard(house, MAIL, "line 1") == 0
    house.clock.pass_(seconds=60)
    await house.settle()
    [letter] = [x for x in house.letters(MAIL) if "line 1" in x.text]
    assert letter.text.index("line 1") < letter.text.index("two <b>")
    assert "hush" not in letter.text  # what has no name is a letter of its own
    assert letter.subject == f"[#{game}] Cy: two <b>"
    house.clock.pass_(seconds=1900)  # the next full half hour, and what waits by mail
    await house.settle()
    assert heard(house, MAIL, "hush") == 1
    assert heard(house, MAIL, "two") == 1


async def test_an_answer_by_mail_goes_to_that_table(house: House) -> None:
    house.wires["mail"].markup = "mail"
    for _ in range(2):
        game = await table(house, [ANA, MAIL, CY])
    await house.say(ANA, f"#{game} say hello Bea")
    house.clock.pass_(seconds=120)
    await house.settle()
    assert "tell Ana …" in house.last(MAIL).text
    await house.say(MAIL, "tell Ana\nhello back")
    assert heard(house, ANA, "hello back") == 1
    assert f"#{game}" in house.last(ANA).text


async def test_lines_that_wait_together_make_one_letter(house: House) -> None:
    await trio(house)
    house.wires["terminal"].wait_ms = 5_000
    await house.say(ANA, "say one")
    await house.say(CY, "say two")
    house.wires["terminal"].wait_ms = 0
    house.clock.pass_(seconds=10)
    await house.settle()
    letter = house.last(BEA)
    assert letter.text.index("one") < letter.text.index("two")
    assert heard(house, BEA, "two") == 1


async def test_too_much_talk_must_wait(house: House) -> None:
    await trio(house)
    for n in range(8):
        await house.say(ANA, f"say line {n}")
        house.clock.pass_(seconds=1)
    await house.say(ANA, "say one more")
    assert "Please wait 5 minutes" in house.last(ANA).text
    assert not heard(house, CY, "one more")
    await house.say(CY, "say others may")
    assert heard(house, ANA, "others may")
    house.clock.pass_(seconds=300)
    await house.say(ANA, "say one more")
    assert heard(house, CY, "one more")


async def test_a_day_has_its_limit_too(house: House) -> None:
    await trio(house)
    for n in range(100):
        await house.say(ANA, f"tell Cy {n}")
        house.clock.pass_(seconds=60)
    await house.say(ANA, "tell Cy enough")
    assert "That is a lot of talk" in house.last(ANA).text
    assert not heard(house, CY, "enough")


async def test_muting(house: House) -> None:
    game = await trio(house, "talk anonymous")
    await house.say(CY, "mute Ana")
    assert "You hear no more from Ana" in house.last(CY).text
    count = len(house.letters(ANA))
    await house.say(ANA, "say to all")
    await house.say(ANA, "tell Cy psst")
    assert "Said to Cy alone" in house.last(ANA).text  # nobody learns that they are muted
    assert len(house.letters(ANA)) == count + 2
    assert heard(house, CY, "to all") == heard(house, CY, "psst") == 0
    assert heard(house, BEA, "to all") == 1
    await house.say(ANA, "whisper who am I")  # kept back from Cy alone, it would tell
    house.clock.pass_(seconds=1900)
    await house.settle()
    assert heard(house, CY, "who am I") == 1
    await house.say(CY, "mute")
    assert "Ana" in house.last(CY).text
    await house.say(CY, "unmute Ana")
    await house.say(ANA, "say once more")
    assert heard(house, CY, "once more") == 1
    await house.say(CY, f"mute talk #{game}")
    await house.say(BEA, "say nobody hears")
    await house.say(BEA, "whisper nobody hears")
    house.clock.pass_(seconds=600)
    await house.settle()
    assert heard(house, CY, "nobody hears") == 0
    await house.say(CY, f"unmute talk #{game}")
    await house.say(CY, f"mute whispers #{game}")
    await house.say(BEA, "say public again")
    await house.say(BEA, "whisper hush")
    house.clock.pass_(seconds=600)
    await house.settle()
    assert heard(house, CY, "public again") == 1
    assert heard(house, CY, "hush") == 0


async def test_nobody_is_woken(house: House) -> None:
    await trio(house)
    await house.say(CY, "quiet 00-08")
    house.clock.at_ms = (
        house.clock.at_ms // 86_400_000 + 1
    ) * 86_400_000 + 3_600_000  # one in the morning, UTC
    await house.settle()
    await house.say(ANA, "say late news")
    await house.say(ANA, "say later news")
    assert heard(house, BEA, "late news") == 1
    assert heard(house, CY, "late news") == 0
    house.clock.pass_(hours=7)
    await house.settle()
    assert heard(house, CY, "late news") == heard(house, CY, "later news") == 1
    assert "01:00" in house.last(CY).text  # when it was said


async def test_the_preferred_channel_hears(house: House) -> None:
    await trio(house)
    await joined(house, CY, "terminal:cy")
    await house.say(CY, "prefer terminal")
    await house.say(ANA, "say over here")
    assert heard(house, "terminal:cy", "over here") == 1
    assert heard(house, CY, "over here") == 0


async def test_nobody_has_muted_themselves_by_joining_an_account(house: House) -> None:
    for who in (ANA, CY):
        await house.say(who, "new classic 3")
    me, other = PersonId(person_of(house, CY)), PersonId(person_of(house, ANA))
    house.store.write_now(lambda tx: tx.add(Mute, person_id=me, what="person", other_id=other))
    assert house.store.read_now(lambda tx: mutes.unheard(tx, me)) == [other]
    await joined(house, CY, ANA)
    assert house.store.read_now(lambda tx: tx.column(Mute, "other_id", person_id=me)) == [me]
    assert house.store.read_now(lambda tx: mutes.unheard(tx, me)) == []
