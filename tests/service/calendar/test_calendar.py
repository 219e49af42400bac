"""Calendars: an entry for each open deadline, moved when it moves, cancelled when it is gone, and nothing in
it that a stranger may not read.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from icalendar import Calendar

from referee.config import ConfigError, load
from referee.service.calendar import commands, ical
from referee.service.calendar.commands import changes, refresh, whose
from referee.service.core import tokens
from referee.store import CalendarEntry, CalendarLink, Deadline, Outbox, Person
from tests.service.joining import joined
from tests.service.playing import asked, legal, table
from tests.service.rig import House

ANA, BEA = "telegram:ana", "mail:bea@x.test"
PEOPLE = [ANA, BEA]


@pytest.fixture
async def web(tmp_path: Any) -> Any:
    house = await House(
        tmp_path / "web.db", base_url="https://play.example.org/c", admins=(("telegram", "boss"),)
    ).open()
    yield house
    await house.close()


def person(house: House, who: str) -> Person:
    channel, _, address = who.partition(":")
    found = house.store.read_now(lambda tx: tx.whose(channel, address))
    assert found is not None
    return found[0]


async def feed(house: House, who: str) -> list[Any]:
    """The entries of somebody's calendar, as their program reads them."""
    one = person(house, who)

    def job(tx: Any) -> bytes:
        refresh(tx, one.id, house.clock())
        return ical.calendar_file(
            house.referee.outbox_worker._words,
            one,
            tx.all(CalendarEntry, person_id=one.id, order="due_ms,id"),
            tokens.secret(tx),
        )

    file = await house.store.write(job)
    assert file == await house.store.write(job)  # the same until something changes
    return list(Calendar.from_ical(file).walk("VEVENT"))


def due(house: House, game: int) -> datetime:
    row = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    return datetime.fromtimestamp(row.due_ms // 1000, UTC)


async def test_what_is_asked_is_an_entry_that_reveals_nothing(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    (entry,) = await feed(house, who)
    assert entry["SUMMARY"] == f"Citadels #{game}: your answer is due"
    assert entry["DTEND"].dt == due(house, game)
    assert entry["DTSTART"].dt == due(house, game) - timedelta(minutes=30)
    assert entry["STATUS"] == "CONFIRMED"
    assert entry["CLASS"] == "PRIVATE"
    assert int(entry["SEQUENCE"]) == 0
    other = PEOPLE[1 - asked(house, game)]
    assert await feed(house, other) == []
    text = entry.to_ical().decode()
    for secret in ("Ana", "Bea", "King", "pick", "character", "ana", "bea"):
        assert secret not in text


async def test_how_often_to_look_again_is_said_as_programs_read_it(house: House) -> None:
    await table(house, PEOPLE)
    one = person(house, ANA)
    words = house.referee.outbox_worker._words
    file = ical.calendar_file(words, one, [], b"key").decode().split("\r\n")
    assert "REFRESH-INTERVAL;VALUE=DURATION:PT30M" in file
    assert "X-PUBLISHED-TTL:PT30M" in file  # Outlook's word for it


async def test_the_hour_is_told_in_ones_own_zone(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    before = (await feed(house, who))[0]
    await house.say(who, "zone Asia/Tokyo")
    (entry,) = await feed(house, who)
    assert "(Tokyo)" in entry["DESCRIPTION"]
    assert entry["UID"] == before["UID"]


async def test_an_extension_moves_the_entry(web: House) -> None:
    house = web
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    (before,) = await feed(house, who)
    house.clock.pass_(hours=1)
    await house.say("telegram:boss", f"extend 24h #{game}")
    (after,) = await feed(house, who)
    assert after["UID"] == before["UID"]
    assert int(after["SEQUENCE"]) == 1
    assert after["DTEND"].dt > before["DTEND"].dt
    assert after["DTEND"].dt == due(house, game)
    assert after["DTSTAMP"].dt > before["DTSTAMP"].dt


async def test_an_answer_cancels_the_entry_and_a_week_later_it_is_forgotten(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    (before,) = await feed(house, who)
    seat = asked(house, game)
    while asked(house, game) == seat:
        await house.say(who, legal(house, game)[0])
    (after,) = [one for one in await feed(house, who) if one["UID"] == before["UID"]]
    assert after["STATUS"] == "CANCELLED"
    assert int(after["SEQUENCE"]) == 1
    house.clock.pass_(hours=7 * 24 + 1)
    assert before["UID"] not in {one["UID"] for one in await feed(house, who)}


async def test_several_games_and_several_questions_of_a_turn(house: House) -> None:
    one = await table(house, PEOPLE)
    two = await table(house, PEOPLE)
    entries = {who: await feed(house, who) for who in PEOPLE}
    found = sorted(str(entry["SUMMARY"]) for who in PEOPLE for entry in entries[who])
    assert found == [f"Citadels #{game}: your answer is due" for game in (one, two)]
    uids = [entry["UID"] for who in PEOPLE for entry in entries[who]]
    assert len(set(uids)) == 2


async def test_nothing_is_written_while_nothing_changes(house: House) -> None:
    game = await table(house, PEOPLE)
    one = person(house, PEOPLE[asked(house, game)])
    assert len(house.store.read_now(lambda tx: changes(tx, one.id, house.clock()))) == 1
    await house.store.write(lambda tx: refresh(tx, one.id, house.clock()))
    house.clock.pass_(hours=3)
    assert house.store.read_now(lambda tx: changes(tx, one.id, house.clock())) == []


async def test_the_link_is_told_once_and_not_kept(web: House) -> None:
    await web.say(ANA, "calendar")
    text = web.last(ANA).text
    link = next(word for word in text.split() if word.startswith("https://play.example.org/c/calendar/"))
    token = link.rpartition("/")[2].removesuffix(".ics")
    assert len(token) >= 32
    assert web.store.read_now(lambda tx: whose(tx, token)).name == "Ana"
    assert web.store.read_now(lambda tx: whose(tx, token[:-1] + "x")) is None

    def everything(tx: Any) -> str:
        return " ".join(row.data + row.letter for row in tx.all(Outbox)) + " ".join(
            row.token_hash for row in tx.all(CalendarLink)
        )

    assert token not in web.store.read_now(everything)
    await web.say(ANA, "calendar")
    assert "since" in web.last(ANA).text
    assert token not in web.last(ANA).text
    await web.say(ANA, "calendar new")
    assert "https://play.example.org/c/calendar/" in web.last(ANA).text
    assert "no longer works" in web.last(ANA).text
    assert web.store.read_now(lambda tx: whose(tx, token)) is None
    await web.say(ANA, "calendar off")
    assert "no longer works" in web.last(ANA).text
    assert web.store.read_now(lambda tx: tx.count(CalendarLink)) == 0
    await web.say(ANA, "calendar off")
    assert "There was no link" in web.last(ANA).text


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("calendar new", "no web pages here"),
        ("calendar mail", "no mail address of yours"),
        ("calendar banana", "I don't know what “banana” means"),
    ],
)
async def test_what_is_not_possible_is_said(house: House, words: str, answer: str) -> None:
    await house.say(ANA, words)
    assert answer in house.last(ANA).text
    assert house.store.read_now(lambda tx: tx.count(CalendarLink)) == 0


async def test_in_a_group_nothing_is_told(web: House) -> None:
    await web.say(ANA, "/calendar", place="group")
    assert "in private" in web.last("telegram:group").text
    assert web.store.read_now(lambda tx: tx.count(CalendarLink)) == 0


async def test_as_a_file_by_mail(house: House) -> None:
    game = await table(house, PEOPLE)
    await house.say(BEA, "calendar mail")
    if asked(house, game) != 1:
        assert "nothing to put into a calendar" in house.last(BEA).text
        await house.say(ANA, legal(house, game)[0])
        await house.say(BEA, "calendar mail")
    letter = house.last(BEA)
    (file,) = letter.attachments
    assert file.name == "citadels.ics"
    assert file.media_type.startswith("text/calendar; method=PUBLISH")
    (entry,) = Calendar.from_ical(file.data).walk("VEVENT")
    assert entry["DTEND"].dt == due(house, game)
    assert "1 entry" in letter.text


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Nothing is asked of you now."), ("pt_BR", "Agora não há pergunta para você.")],
)
async def test_a_file_that_only_takes_away_does_not_claim_deadlines(
    house: House, language: str, said: str
) -> None:
    game = await table(house, PEOPLE)
    if asked(house, game) != 1:
        await house.say(ANA, legal(house, game)[0])
    await house.say(BEA, f"language {language}")
    await house.say(BEA, "calendar mail")
    assert said not in house.last(BEA).text
    while asked(house, game) == 1:
        await house.say(BEA, legal(house, game)[0])
    await house.say(BEA, "calendar mail")
    letter = house.last(BEA)
    (file,) = letter.attachments
    assert {one["STATUS"] for one in Calendar.from_ical(file.data).walk("VEVENT")} == {"CANCELLED"}
    assert letter.text.startswith(said)
    assert "(0 " not in letter.text


async def test_from_another_channel_the_file_goes_to_the_mail_address(house: House) -> None:
    await table(house, PEOPLE)
    await joined(house, BEA, "matrix:bea")
    await house.say("matrix:bea", "calendar mail")
    told = [x.text for x in house.letters("matrix:bea")]
    assert "on its way to bea@x.test" in told[-1] or "nothing to put" in told[-1]
    assert all(x.attachments == () for x in house.letters("matrix:bea"))


async def test_the_letter_with_the_file_survives_being_frozen(house: House) -> None:
    game = await table(house, PEOPLE)
    if asked(house, game) != 1:
        await house.say(ANA, legal(house, game)[0])
    await house.say(BEA, "calendar mail")
    row = house.store.read_now(lambda tx: tx.all(Outbox, kind="calendar_file", order="-id", limit=1))[0]
    from referee.service.outbound.outbox_rows import thawed

    assert thawed(row.letter).attachments == house.last(BEA).attachments
    assert json.loads(row.letter)["attachments"][0]["name"] == "citadels.ics"


@pytest.mark.parametrize(
    "text",
    [
        'listen = "8080"',
        'listen = "127.0.0.1:99999"',
        'listen = "127.0.0.1"',
        'base_url = "play.example.org"',
        'base_url = "https://a b"',
        'base_url = "https://x/?q"',
        'lissen = "127.0.0.1:1"',
    ],
)
def test_a_wrong_setting_is_told(tmp_path: Any, text: str) -> None:
    (tmp_path / "referee.toml").write_text(f"[web]\n{text}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(tmp_path / "referee.toml", {})
    assert caught.value.faults[0].key.startswith("web.")


def test_links_begin_with_the_address_only_where_somebody_listens(tmp_path: Any) -> None:
    (tmp_path / "referee.toml").write_text('[web]\nbase_url = "https://x.example/"\n', encoding="utf-8")
    assert load(tmp_path / "referee.toml", {}).web.links == ""
    config = load(tmp_path / "referee.toml", {"REFEREE_WEB__LISTEN": "127.0.0.1:8080"})
    assert config.web.links == "https://x.example"
    assert commands.fingerprint("a") != commands.fingerprint("b")


async def test_joined_addresses_have_one_calendar(web: House) -> None:
    await web.say(ANA, "calendar")
    await web.say("matrix:ana", "calendar")
    await joined(web, ANA, "matrix:ana")
    links = web.store.read_now(lambda tx: tx.all(CalendarLink))
    assert [one.person_id for one in links] == [person(web, ANA).id]


async def test_a_letter_that_could_not_leave_keeps_its_secret_until_it_has(web: House) -> None:
    from referee.ports import Fate, Receipt

    web.wires["telegram"].fate = lambda letter: Receipt(Fate.LATER, retry_ms=1000)
    await web.say(ANA, "calendar")
    row = web.store.read_now(lambda tx: tx.one(Outbox, kind="calendar_link"))
    assert "/calendar/" in row.data
    web.wires["telegram"].fate = None
    web.clock.pass_(seconds=2)
    await web.settle()
    assert "/calendar/" in web.last(ANA).text
    row = web.store.read_now(lambda tx: tx.one(Outbox, kind="calendar_link"))
    assert row.state == "sent"
    assert "/calendar/" not in row.data + row.letter


async def test_in_telegram_it_comes_as_a_file_too(house: House, web: House) -> None:
    for one, letters in ((house, 1), (web, 2)):
        one.wires["telegram"].markup = "telegram"
        game = await table(one, ["telegram:ana", "telegram:cy"])
        who = ("telegram:ana", "telegram:cy")[asked(one, game)]
        before = len(one.letters(who))
        await one.say(who, "calendar")
        told = one.letters(who)[before:]
        assert len(told) == letters
        (file,) = told[-1].attachments
        assert file.name == "citadels.ics"
        assert b"BEGIN:VEVENT" in file.data
        assert ("/calendar/" in told[0].text) == (one is web)
        before = len(one.letters(who))
        await one.say(who, "calendar")
        assert [x.attachments[0].name for x in one.letters(who)[before:] if x.attachments] == ["citadels.ics"]


async def test_in_telegram_an_empty_one_is_said(house: House) -> None:
    await house.say(ANA, "calendar")
    assert "nothing to put into a calendar" in house.last(ANA).text
