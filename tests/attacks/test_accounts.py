"""Attacks on accounts: being joined to somebody without meaning it, by a link in a group, a forged mail, an old letter, a guessed code."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.ports import Inbound, What
from referee.store import Address, Game, League, LeagueRole, Person, Seat, Tx
from tests.service.joining import asked, code, joined, say_yes
from tests.service.play import legal, table
from tests.service.rig import House

MALLORY, VICTIM, ANA, BEA = "telegram:666", "telegram:7", "telegram:ana", "matrix:@bea:hs"
MAIL = "mail:vic@x.test"
PLAIN = "24h no quiet no nights no vacation"
DAY_MS = 86_400_000


def person_of(house: House, who: str) -> int:
    channel, _, address = who.partition(":")
    found = house.store.read_now(lambda tx: tx.whose(channel, address))
    assert found is not None, who
    return int(found[0].id or 0)


def one(house: House, *who: str) -> bool:
    return len({person_of(house, each) for each in who}) == 1


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
    assert all("yes" not in b.order for x in house.letters(VICTIM) + house.letters(MALLORY) for row in x.buttons for b in row)
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
    assert not [x for x in house.letters(MALLORY) if any(b.order.startswith("link") for row in x.buttons for b in row)]


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
    batch = [Inbound(channel=who.partition(":")[0], key=f"race {who}", address=who.partition(":")[2], text=f"link {word}", name="x", at_ms=house.clock())
             for who in (VICTIM, BEA)]
    for came in batch:
        await house.referee.reception.receive([came], channel=came.channel)
    await house.settle()
    asks = [who for who in (VICTIM, BEA) if any(b.order.startswith("link") for x in house.letters(who) for row in x.buttons for b in row)]
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
    assert not [x for x in house.letters(VICTIM) if any(b.order.startswith("link") for row in x.buttons for b in row)]
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


# ---------------------------------------------------------------- what somebody is, they are


def runs(house: House, who: str, role: str, name: str = "Cup") -> None:
    """Somebody is given a role in a league."""
    me = person_of(house, who)

    def give(tx: Tx) -> None:
        league = tx.one(League, name=name)
        number = int(league.id or 0) if league is not None else tx.add(League, name=name, key=name.lower(), created_ms=house.clock())
        tx.add(LeagueRole, league_id=number, person_id=me, role=role, given_ms=house.clock())
    house.store.write_now(give)


@pytest.mark.parametrize("asks", [True, False])
async def test_an_owner_who_is_joined_makes_nobody_an_owner(house: House, asks: bool) -> None:
    for who in (MALLORY, VICTIM, ANA):
        await house.say(who, "games")
    runs(house, VICTIM, "owner")
    await joined(house, *((VICTIM, MALLORY) if asks else (MALLORY, VICTIM)))
    await house.say(MALLORY, "league rename Mallory Cup")
    await house.say(MALLORY, "league role telegram:ana owner")
    await house.say(MALLORY, "league proposals")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Cup"]
    assert house.store.read_now(lambda tx: tx.count(LeagueRole)) == 1
    await house.say(VICTIM, "league rename Victims Cup")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Victims Cup"], "what one was, one is from where one was it"
    await house.say(VICTIM, "league role telegram:666 owner")
    await house.say(MALLORY, "league rename Both Cup")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Both Cup"], "an owner has said so"
    await house.say(VICTIM, "unlink")
    assert not one(house, VICTIM, MALLORY)
    await house.say(MALLORY, "league rename Mallory Cup")
    await house.say(VICTIM, "league rename Cup")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Cup"], "and what both were given, one alone does not keep"


@pytest.mark.parametrize("asks", [True, False])
async def test_who_opened_a_table_has_its_key_and_nobody_joined_to_them(house: House, asks: bool) -> None:
    game = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, *((VICTIM, MALLORY) if asks else (MALLORY, VICTIM)))
    await house.say(MALLORY, f"process #{game}")
    await house.say(MALLORY, f"extend 24h #{game}")
    assert "opened" in house.last(MALLORY).text
    await house.say(MALLORY, f"talk off #{game}")
    assert json.loads(house.store.read_now(lambda tx: tx.get(Game, game)).settings).get("talk_now") is None
    await house.say(VICTIM, f"talk off #{game}")
    assert json.loads(house.store.read_now(lambda tx: tx.get(Game, game)).settings)["talk_now"]


async def test_an_admins_word_is_their_addresss(tmp_path: Path) -> None:
    house = await House(tmp_path / "referee.db", admins=(("telegram", "root"),)).open()
    try:
        await house.say("telegram:root", "games")
        await joined(house, "telegram:root", MALLORY)
        await house.say(MALLORY, "admin games")
        assert "admin" in house.last(MALLORY).text.lower()
        assert "who look after" in house.last(MALLORY).text or "only" in house.last(MALLORY).text.lower()
        await house.say("telegram:root", "admin games")
        assert house.store.read_now(lambda tx: tx.count(Person)) == 2
    finally:
        await house.close()


async def test_chained_joins_bring_nothing_that_was_not_given(house: House) -> None:
    """A stranger who is joined to an owner, and takes that person along into a third account."""
    for who in (VICTIM, MALLORY, "terminal:mal"):
        await house.say(who, "games")
    runs(house, VICTIM, "owner")
    await joined(house, VICTIM, MALLORY)
    await joined(house, "terminal:mal", MALLORY)
    assert one(house, VICTIM, MALLORY, "terminal:mal")
    for who in (MALLORY, "terminal:mal"):
        await house.say(who, "league rename Mine")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Cup"]
    await house.say(VICTIM, "league rename Still")
    assert house.store.read_now(lambda tx: [row.name for row in tx.all(League)]) == ["Still"]


# ---------------------------------------------------------------- undone


def seats(house: House, who: str) -> list[int]:
    me = person_of(house, who)
    return house.store.read_now(lambda tx: tx.column(Seat, "game_id", person_id=me, order="game_id"))


@pytest.mark.parametrize(("cheated", "said"), [(MALLORY, "unlink"), (VICTIM, "undo link"), (VICTIM, "unlink 666"), (VICTIM, "unlink telegram:7")])
async def test_thirteen_days_later_either_gives_everything_back(house: House, cheated: str, said: str) -> None:
    mine = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    other = await table(house, [MALLORY, ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    assert seats(house, VICTIM) == [mine, other]
    house.clock.pass_(hours=13 * 24)
    await house.say(cheated, said)
    assert not one(house, MALLORY, VICTIM)
    assert seats(house, VICTIM) == [mine]
    assert seats(house, MALLORY) == [other]
    for who, theirs, game in ((VICTIM, MALLORY, mine), (MALLORY, VICTIM, other)):
        assert "two people" in "".join(x.text for x in house.letters(who)[-4:]).replace("\n", " ")
        await house.say(theirs, f"#{game} hand")
        assert "hand:" not in house.last(theirs).text.lower()
        await house.say(who, f"#{game} hand")
        assert "hand" in house.last(who).text.lower()


async def test_fifteen_days_later_an_address_leaves_without_seats(house: House) -> None:
    mine = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    house.clock.pass_(hours=15 * 24)
    await house.say(VICTIM, "unlink")
    assert one(house, MALLORY, VICTIM)
    assert "Which address" in house.last(VICTIM).text
    await house.say(VICTIM, "unlink 666")
    assert not one(house, MALLORY, VICTIM)
    assert (seats(house, VICTIM), seats(house, MALLORY)) == ([mine], [])


async def test_undone_after_the_game_went_on_and_ended_sensibly(house: House) -> None:
    game = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    asked_seat = int(house.store.read_now(lambda tx: tx.get(Game, game)).asked.split(",")[0])
    who = [MALLORY, ANA, BEA][asked_seat]
    await house.say(who, f"#{game} {legal(house, game)[0]}")
    await house.say(MALLORY, "new classic 3")
    since = house.store.read_now(lambda tx: tx.column(Game, "id", order="-id"))[0]
    await house.say(MALLORY, "unlink")
    assert seats(house, VICTIM) == [game]
    assert seats(house, MALLORY) == [since]
    assert house.store.read_now(lambda tx: tx.get(Game, game)).status == "running"


async def test_the_last_address_stays(house: House) -> None:
    await house.say(VICTIM, "unlink telegram")
    assert "can't be taken off" in house.last(VICTIM).text
    await house.say(VICTIM, "unlink mail")
    assert "no address of yours" in house.last(VICTIM).text
    await house.say(VICTIM, "unlink")
    assert "Which address" in house.last(VICTIM).text


async def test_accounts_lists_ones_addresses_and_nobody_elses(house: House) -> None:
    await joined(house, VICTIM, BEA)
    await house.say(MALLORY, "games")
    await house.say(VICTIM, "accounts")
    text = house.last(VICTIM).text
    assert "@bea:hs" in text
    assert "666" not in text
    await house.say(VICTIM, "unlink @bea:hs")
    await house.say(VICTIM, "accounts")
    assert "@bea:hs" not in house.last(VICTIM).text


async def test_browsers_that_were_signed_in_by_the_other_are_out(tmp_path: Path) -> None:
    from referee.service import webkeys
    house = await House(tmp_path / "referee.db", base_url="https://play.test").open()
    try:
        await joined(house, VICTIM, MALLORY)
        house.clock.pass_(seconds=5)
        await house.say(MALLORY, "web")
        token = re.search(r"/me/in/(\S+)", house.last(MALLORY).text)
        assert token
        into = house.store.write_now(lambda tx: webkeys.sign_in(tx, token[1].rstrip(".>)"), "", house.clock()))
        assert into is not None
        await house.say(VICTIM, "unlink")
        assert house.store.read_now(lambda tx: webkeys.session_of(tx, into.cookie, house.clock())) is None
    finally:
        await house.close()


async def test_a_chain_is_taken_apart_in_any_order(house: House) -> None:
    first = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    second = await table(house, [MALLORY, ANA, BEA], hours=PLAIN)
    third = await table(house, ["terminal:cy", ANA, BEA], hours=PLAIN)
    await joined(house, MALLORY, VICTIM)
    await joined(house, "terminal:cy", MALLORY)
    assert seats(house, VICTIM) == [first, second, third]
    await house.say(VICTIM, "unlink 7")
    assert (seats(house, VICTIM), seats(house, MALLORY)) == ([first], [second, third])
    await house.say("terminal:cy", "unlink")
    assert (seats(house, VICTIM), seats(house, MALLORY), seats(house, "terminal:cy")) == ([first], [second], [third])
    assert house.store.read_now(lambda tx: [(row.home_id, row.joined_ms) for row in tx.all(Address)]) == [(0, 0)] * house.store.read_now(lambda tx: tx.count(Address))
    assert house.store.read_now(lambda tx: tx.column(Person, "now_id")).count(0) == house.store.read_now(lambda tx: tx.count(Person))


async def test_an_old_button_of_the_question_does_nothing_after_it(house: House) -> None:
    word = await code(house, MALLORY)
    await house.say(VICTIM, f"link {word}")
    key = next(b.key for row in asked(house, VICTIM).buttons for b in row if b.order.startswith("link yes"))
    await say_yes(house, VICTIM)
    await say_yes(house, MALLORY)
    await house.say(VICTIM, "unlink")
    for _ in range(2):
        await house.bring(Inbound(channel="telegram", key=f"late {_}", address="7", what=What.BUTTON, payload=key, name="v", at_ms=house.clock()))
    assert not one(house, VICTIM, MALLORY)


@pytest.mark.parametrize("said", ["unlink 7", "unlink telegram:7", "unlink"])
async def test_who_is_cheated_can_take_off_their_own_address_and_keeps_their_seats(house: House, said: str) -> None:
    """The cheated one asked for the code: their person is the one that stayed."""
    mine = await table(house, [VICTIM, ANA, BEA], hours=PLAIN)
    await joined(house, VICTIM, "matrix:@mal:hs")
    await house.say(VICTIM, said)
    assert not one(house, VICTIM, "matrix:@mal:hs")
    assert (seats(house, VICTIM), seats(house, "matrix:@mal:hs")) == ([mine], [])


async def test_a_browser_of_the_other_takes_nobodys_seats(tmp_path: Path) -> None:
    from referee.service import webkeys
    house = await House(tmp_path / "referee.db", base_url="https://play.test").open()
    try:
        await house.say(VICTIM, "new classic 3")
        await joined(house, VICTIM, MALLORY)
        await house.say(MALLORY, "web")
        token = re.search(r"/me/in/(\S+)", house.last(MALLORY).text)
        assert token
        into = house.store.write_now(lambda tx: webkeys.sign_in(tx, token[1].rstrip(".>)"), "", house.clock()))
        assert into is not None
        session = house.store.read_now(lambda tx: webkeys.session_of(tx, into.cookie, house.clock()))
        assert session is not None
        me = str(session.person_id)
        for n, said in enumerate(("talk off #1", "abandon #1", "unlink 7")):
            await house.bring(Inbound(channel="web", key=f"w{n}", address=me, text=said, name="m", at_ms=house.clock(), facts={"session": session.id}))
        assert house.store.read_now(lambda tx: tx.get(Game, 1)).status == "lobby", "a browser of both has neither's office"
        assert not one(house, VICTIM, MALLORY)
        assert (seats(house, VICTIM), seats(house, MALLORY)) == ([1], [])
    finally:
        await house.close()
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
    assert not any(b.order.startswith("link") for x in house.letters(MALLORY) for row in x.buttons for b in row)


