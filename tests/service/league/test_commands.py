"""Working a league by words: founding, roles, rooms, who may do what; strange names; what is refused leaves
nothing behind.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from referee.service.league import settings
from referee.store import Entry, Inbox, League, LeagueRole, LeagueRoom, Outbox, Season, Tx
from tests.service.joining import joined
from tests.service.league.talking import (
    BEA,
    BOSS,
    CY,
    DAN,
    ROOM,
    acts,
    founded,
    house_of,
    leagues,
    log,
    running,
    told,
)
from tests.service.playing import table
from tests.service.rig import House

MARKUPS = ("telegram", "matrix", "mail", "terminal")
#: what would be markup, or a template's work, if it got through
LIVE = re.compile(r"<u>|<script|\b49\b(?!:)|\x1b|\u202e|(?<!@ )@room")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    broken = one.store.read_now(
        lambda tx: (
            [row.error for row in tx.all(Inbox) if row.tries]
            + [row.error for row in tx.all(Outbox, state="failed")]
        )
    )
    await one.close()
    assert not broken


async def test_a_league_from_its_founding_to_its_first_round(house: House) -> None:
    await running(house)
    assert "Round" not in await told(house, BOSS, "league")
    assert "round 1 of 5 until" in await told(house, BOSS, "league")
    card = await told(house, BEA, "league winter cup")
    assert "You play in it." in card
    assert "Directors: Bea" in card
    assert "Playing (4): Bea, Cy, Dan, Eve" in await told(house, CY, "league people")
    assert "\nBea – 0 points" in await told(house, CY, "league standings")  # no places yet
    assert "Table 1" in await told(house, CY, "league schedule")
    assert "table 1" in (await told(house, CY, "league table 1")).casefold()
    assert "run by Boss (owner) and Bea (director)" in await told(house, CY, "league roles")
    assert "rounds 5" in await told(house, CY, "league settings")
    assert acts(house) == ["new", "open", "join", "join", "join", "join", "role", "start"]
    assert {line.by for line in log(house)} == {"Boss", "Bea", "Cy", "Dan", "Eve", ""}
    assert [line.act for line in log(house) if not line.by] == [
        "league-drawn",
        "league-begun",
        "league-round",
    ]
    assert "the clock: season 1 is drawn for 4 people" in await told(house, BOSS, "league audit")


async def test_who_may_do_what(house: House) -> None:
    await founded(house, BEA)
    await house.say(CY, "hello")
    await house.say(BOSS, "league role Bea director")
    await house.say(BOSS, "league role Cy moderator")
    before = acts(house)
    for who, text, said in (
        (BEA, "league close", "That needs an owner of Winter Cup, and you are its director: ask Boss."),
        (BEA, "league role Dan director", "needs an owner"),
        (BEA, "league new Bea Cup", "Only those who look after this house found leagues"),
        (
            CY,
            "league draw",
            "That needs a director of Winter Cup, and you are its moderator: ask Boss or Bea.",
        ),
        (CY, "league void season", "needs a director"),
        (CY, "league penalty Bea 3", "A moderator takes 2 points at most"),
        (DAN, "league penalty Bea 1", "That is for those who run Winter Cup: ask Boss, Bea or Cy."),
        (DAN, "league audit", "for those who run"),
        (DAN, "league proposals", "for those who run"),
        (DAN, "league second 1", "There is no proposal 1."),
        (DAN, "league set rounds 1", "needs a director"),
    ):
        await house.say(who, "hello")
        assert said in await told(house, who, text), text
    assert acts(house) == before
    assert "Bea loses 2 points" in await told(house, CY, "league penalty Bea 2 because late")
    assert "Told" in await told(house, CY, "league announce The first round is near.")
    assert "Bea gets 1.5 points back" in await told(house, CY, "league penalty Bea -1.5")
    assert acts(house) == [*before, "penalty", "announce", "penalty"]


async def test_roles_are_given_and_taken_and_somebody_always_owns_it(house: House) -> None:
    await founded(house, BEA)
    assert "Boss is the only owner" in await told(house, BOSS, "league role Boss none")
    assert "Bea is owner" in await told(house, BOSS, "league role Bea owner")
    assert "Bea is owner of Winter Cup already" in await told(house, BOSS, "league role Bea owner")
    assert "Bea is director" in await told(house, BOSS, "league role bea director")
    assert "Bea is no longer director" in await told(house, BOSS, "league role Bea none")
    assert "Bea has no part in running" in await told(house, BOSS, "league role Bea none")
    assert "I know nobody called “Zorro”" in await told(house, BOSS, "league role Zorro director")
    await house.say("matrix:@bea:hs", "hello")
    await house.say("matrix:@bea:hs", "name Bea")
    assert "Bea is moderator" in await told(
        house, BOSS, "league role Bea moderator"
    )  # the one who takes part
    await house.say(CY, "name Dan")
    await house.say(DAN, "hello")
    assert "2 people are called “Dan”" in await told(house, BOSS, "league role Dan director")
    assert "Dan is director" in await told(house, BOSS, "league role terminal:dan director")
    assert house.store.read_now(lambda tx: tx.count(LeagueRole)) == 3


async def test_in_a_room_public_things_are_answered_there(house: House) -> None:
    await founded(house, BEA)
    await house.say("telegram:boss", "hello")
    await house.say(BOSS, "league role telegram:boss director")
    assert "announced here from now on" in await told(house, "telegram:boss", "/league room here", place=ROOM)
    assert "already" in await told(house, "telegram:boss", "/league room here", place=ROOM)
    await house.say(BOSS, "league new Other Cup")
    assert "Winter Cup: season 1" in await told(house, "telegram:cy", "/league", place=ROOM)  # the room's own
    private = len(house.letters("telegram:boss"))
    assert "nobody else's business" in await told(house, "telegram:boss", "/league audit", place=ROOM)
    assert "what was done in office" in house.letters("telegram:boss")[private].text
    assert not any("founding" in one.text for one in house.letters(f"telegram:{ROOM}"))
    await house.say("telegram:boss", "/league penalty Bea 2 because late", place=ROOM)
    assert "Bea loses 2 points" in house.last("telegram:boss").text
    await house.say("telegram:boss", "/league void season because Bea is rude", place=ROOM)
    assert "takes two keys" in house.last("telegram:boss").text
    assert not any("Bea" in one.text for one in house.letters(f"telegram:{ROOM}"))
    before = len(house.letters(f"telegram:{ROOM}"))
    assert "Welcome!" in await told(house, "telegram:boss", "/league announce Welcome!", place=ROOM)
    assert len(house.letters(f"telegram:{ROOM}")) == before + 1  # it is news there: nothing is said twice
    assert "not announced here any more" in await told(house, "telegram:boss", "/league room off", place=ROOM)
    assert "not announced in this room" in await told(
        house, "telegram:boss", "/league winter cup room off", place=ROOM
    )
    assert "said in the room" in await told(house, "telegram:boss", "league winter cup room here")
    assert not house.store.read_now(lambda tx: tx.all(LeagueRoom))


async def test_a_stranger_in_a_room_opens_the_private_chat_and_is_in(house: House) -> None:
    await founded(house)
    await house.say("telegram:cy", "/league join", place=ROOM)
    letter = house.last(f"telegram:{ROOM}")
    assert "Cy, please open a private chat" in letter.text
    assert letter.buttons[0][0].link.endswith("start=league_1")
    assert not house.store.read_now(lambda tx: tx.all(Entry))
    assert "You are signed up for season 1" in await told(house, "telegram:cy", "/start league_1")
    assert "You are in Winter Cup already" in await told(house, "telegram:cy", "/league join", place=ROOM)
    assert "You are out of season 1" in await told(house, "telegram:cy", "/league leave", place=ROOM)
    assert "You are not in the season" not in await told(house, "telegram:cy", "/league join", place=ROOM)


async def test_what_a_room_is_not_told_about_somebody(house: House) -> None:
    """Anyone who can't be relied on hears so in private."""
    await founded(house)
    await house.say(BOSS, "league set reliability 100% after 1")
    await house.say("telegram:cy", "hello")
    await table(house, ["telegram:cy", DAN])
    for _ in range(4):
        house.clock.pass_(hours=30)
        await house.referee.scheduler.ring()
        await house.settle()
    here = await told(house, "telegram:cy", "/league join", place=ROOM)
    assert "nobody else's business" in here
    assert "at least 100 of 100 questions" in house.last("telegram:cy").text


async def test_by_mail_the_same_words_work(house: House) -> None:
    await founded(house)
    await house.say("mail:ann@x.test", "league join", vouched=False)
    await house.say("mail:ann@x.test", "Hi,\n\nleague join\n\nBest regards\nAnn")
    assert "signed up" in house.last("mail:ann@x.test").text
    await house.say("mail:ann@x.test", "league\nleague join")
    assert "must stand alone" in house.last("mail:ann@x.test").text
    assert log(house)[-1].facts.count('"via":"mail"') == 1


STRANGE = [
    "<u>Cup</u>",
    "<script>alert(1)</script>",
    "x'); DROP TABLE league;--",
    "{{ 7*7 }}",
    "**Cup** [a](http://evil.test)",
    "🏰🏰🏰",
    "دوري الشتاء",
    "A\u202eB\x1b[31mC",
    "@room Cup",
    '"Cup" & Co',
]


def in_room(tx: Tx, number: int) -> None:
    """A league's news are announced in the first room."""
    tx.add(LeagueRoom, league_id=number, room_id=1)


async def test_strange_names_stay_words(house: House) -> None:
    for channel in MARKUPS:
        house.wires[channel].markup = channel
    await house.say("mail:ann@x.test", "hello", vouched=False)
    await house.say("telegram:ann", "/league", place=ROOM)
    for number, name in enumerate(STRANGE, 1):
        await house.say(BOSS, f"league new {name}")
        assert len(leagues(house)) == number, name
        house.store.write_now(partial(in_room, number=number))
        await house.say(BOSS, f"league #{number} open until 1 Dec start 3 Dec")
    for number in range(1, len(STRANGE) + 1):
        for who in ("telegram:ann", "matrix:@ann:hs", "mail:ann@x.test", BOSS):
            for text in ("", "join", "people", "schedule", "standings"):
                await house.say(who, f"league #{number} {text}")
        await house.say("telegram:ann", f"/league #{number} join", place=ROOM)
        await house.say(BOSS, f"league #{number} audit")
    await house.say("mail:ann@x.test", "league")
    seen = [letter for wire in house.wires.values() for letter in wire.sent]
    assert len(seen) > 200
    for letter in seen:
        assert not LIVE.search(letter.markup), letter.markup
        assert not re.search(r"\x1b|\u202e|(?<!@ )@room|\{reply_to\}", letter.text + letter.subject)
        assert "\n" not in letter.subject
    assert "\x1b" not in "".join(leagues(house))
    assert len(leagues(house)) == len(STRANGE)


BAD = [
    ("league new", "Something is missing"),
    ("league new " + "x" * 300, "300 letters; 60 are the most"),
    ("league new winter  CÚP", "There is a league “Winter Cup” already"),
    ("league new Winter-Cup", "There is a league “Winter Cup” already"),
    ("league new 17", "not only digits"),
    ("league new \u200b\u202e", "Something is missing"),
    ("league Summer Cup join", "There is no league “Summer Cup”"),
    ("league Wintr Cup", "Did you mean Winter Cup?"),
    ("league open Winter Cup until 2020-01-01", "lies in the past"),
    ("league open until yesterday", "can't read “yesterday” as a day"),
    ("league set rounds 0", "“rounds” can't be 0; 1 to 60"),
    ("league set rounds -1", "can't read “-1”"),
    ("league set rounds 5; DROP TABLE league", "can't read “5; DROP TABLE league”"),
    ("league set points 6/4", "says nothing of place 3"),
    ("league set points 1/2/3", "worth more than the place before"),
    ("league set points banana", "no number of points"),
    ("league set sizes 5-4", "can't be"),
    ("league set edition chess", "It could be"),
    ("league set policy 24h banana", "banana"),
    ("league set colour blue", "It could be"),
    ("league rounds 7 open", "Did you mean “league open rounds 7”?"),
    ("league draw", "too few"),
    ("league start", "too few"),
    ("league redraw", "not drawn yet"),
    ("league rule table 1 by scores", "There is no table 1"),
    ("league postpone by 3 days", "no day on which its first round begins"),
    ("league bye Boss", "not drawn yet"),
    ("league remove Boss because so", "Boss is not in the season"),
    ("league penalty Boss 2", "Boss is not in the season"),
    ("league close", "Season 1 of Winter Cup is not over yet"),
    ("league open", "Season 1 of Winter Cup is not over yet"),
    ("league leave", "You are not in the season"),
    ("league second", "Nothing waits"),
    ("league second 99", "There is no proposal 99"),
    ("league export pdf", "It could be"),
    ("league table 3", "There is no table 3"),
    ("league player Zorro", "I know nobody called"),
    ("league announce", "Something is missing"),
    ("league\nopen", "must stand alone"),
]


async def test_bad_words_are_answered_and_change_nothing(house: House) -> None:
    await founded(house)
    before = (
        log(house),
        house.store.read_now(lambda tx: [tx.all(kind) for kind in (League, Season, Entry, LeagueRole)]),
    )
    for text, said in BAD:
        answer = await told(house, BOSS, text)
        assert said in answer, (text, answer)
        assert (
            log(house),
            house.store.read_now(lambda tx: [tx.all(kind) for kind in (League, Season, Entry, LeagueRole)]),
        ) == before, text


async def test_every_setting_is_read_as_it_is_told(house: House) -> None:
    await founded(house)
    lines = [
        line.removeprefix("- ").partition(" – ")[0]
        for line in (await told(house, BOSS, "league settings")).splitlines()
        if line.startswith("- ")
    ]
    assert len(lines) == len(settings.KEYS)
    for line in lines:
        key, _, value = line.partition(" ")
        assert f"{key} is now “{value}”." in await told(house, BOSS, f"league set {line}"), line


async def test_a_league_is_renamed_by_its_owner(house: House) -> None:
    await founded(house, BEA)
    await house.say(BOSS, "league new Open Cup")
    await house.say(BOSS, "league role Bea director")
    assert "needs an owner" in await told(house, BEA, "league winter cup rename Spring Cup")
    assert "“Open Cup” already" in await told(house, BOSS, "league winter cup rename open-cup")
    assert "“Winter Cup” already" in await told(house, BOSS, "league winter cup rename Winter Cup")
    assert "not only digits" in await told(house, BOSS, "league winter cup rename 12")
    assert "Winter Cup is called WINTER CUP from now on" in await told(
        house, BOSS, "league winter cup rename WINTER CUP"
    )
    assert "is called <b>Spring</b>" in await told(house, BOSS, "league winter cup rename <b>Spring</b>")
    assert "is called <b>Spring</b> from now on" in house.last(BEA).text
    assert leagues(house) == ["<b>Spring</b>", "Open Cup"]
    assert acts(house)[-2:] == ["rename", "rename"]


async def test_several_settings_are_checked_together(house: House) -> None:
    await founded(house)
    said = await told(house, BOSS, "league set points 6/4/3 sizes 3-3 rounds 2")
    assert "points is now “6/4/3” (it was “4: 6/4/2/0, 5: 7/4/3/1/0, " in said
    assert "sizes is now “3-3 wanted 3”" in said
    said = await told(house, BOSS, "league set points 4: 6/4/2/1, 5: 6/4/3/2/1 sizes 4-6 rounds 2")
    assert "points is now “4: 6/4/2/1, 5: 6/4/3/2/1, 6: 8/4/3/2/1/0”" in said
    assert "a table of 4 has 4 places, and 3 are given" in await told(
        house, BOSS, "league set points 4: 6/4/2"
    )
    assert "points is now “4: 6/4/2/0, 5: " in await told(house, BOSS, "league set points usual sizes 4-6")
    await house.say(BOSS, "league set points 6/4/3 sizes 3-3")
    assert "says nothing of place 4" in await told(house, BOSS, "league set rounds 9 sizes 3-5")
    assert "rounds 2 " in await told(house, BOSS, "league settings")


async def test_two_leagues_that_could_be_meant(house: House) -> None:
    await founded(house, name="Winter Cup")
    await founded(house, name="Winterling")
    assert "Which league: Winter Cup or Winterling?" in await told(house, CY, "league winter")
    assert "Which league: Winter Cup or Winterling?" in await told(house, CY, "league join")
    assert "season 1 of Winterling" in await told(house, CY, "league join winterl")
    assert "You are out of season 1 of Winterling" in await told(
        house, CY, "league leave"
    )  # the only one they are in
    assert "league help" in await told(house, CY, "league")


async def test_nothing_is_there_yet(house: House) -> None:
    assert "There is no league here yet" in await told(house, CY, "league")
    assert "There is no league here yet" in await told(house, CY, "league join")
    assert "There is no league “Winter Cup” here" in await told(house, CY, "league join Winter Cup")
    for asked in ("league help", "help league"):
        told_then = await told(house, CY, asked)
        assert "league join" in told_then
        assert "“league help season”, “league help office”" in told_then
    assert "league draw" in await told(house, CY, "league help season")
    assert "league draw" in await told(house, CY, "help season")
    assert "league penalty" in await told(house, CY, "league help office")
    assert "league help" in await told(house, CY, "league help seasn")
    assert "league" in await told(house, CY, "help")


async def test_a_role_is_used_from_the_address_that_had_it(house: House) -> None:
    await founded(house, BEA)
    await house.say("telegram:bea", "hello")
    await house.say(BOSS, "league role terminal:bea moderator")
    await house.say(BOSS, "league role telegram:bea director")
    await joined(house, BEA, "telegram:bea")
    rows = house.store.read_now(lambda tx: tx.all(LeagueRole, order="id"))
    assert [row.role for row in rows] == ["owner", "moderator", "director"]
    assert "needs an owner of Winter Cup, and you are its moderator" in await told(house, BEA, "league close")
    assert "needs an owner of Winter Cup, and you are its director" in await told(
        house, "telegram:bea", "league close"
    )
    await house.say(BOSS, "league role terminal:bea director")
    assert "needs an owner of Winter Cup, and you are its director" in await told(house, BEA, "league close")
