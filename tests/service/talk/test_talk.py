"""Table talk: passed on to the person who may hear it, to their channel, as text; never an order, never on
record, and without a name where none is wanted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from referee.ports import Inbound, What
from referee.service.play.records import record_text
from referee.service.talk import commands
from referee.store import Game, GameEvent, Journal, Outbox, Seat
from tests.service.joining import joined
from tests.service.playing import FLAT, asked, running, table
from tests.service.rig import House
from tests.service.talking import ANA, BEA, CY, PEOPLE, heard, trio


async def test_what_is_said_to_all_reaches_every_channel_but_the_speakers_and_moves_nothing(
    house: House,
) -> None:
    game = await trio(house)
    before = running(house, game)
    await house.say(ANA, "say good luck")
    assert "Said to everybody" in house.last(ANA).text
    for who in (BEA, CY):
        letter = house.last(who)
        assert "Ana" in letter.text
        assert "good luck" in letter.text
        assert letter.quiet
        assert letter.ref == f"g{game}"
    assert running(house, game) == before


@pytest.mark.parametrize(
    "words",
    [
        "gold",
        "1",
        "gold; end",
        "build Market",
        "undo",
        "prefer King",
        "pick King\nend",
        "say say gold",
        "/status",
        "#2",
    ],
)
async def test_words_that_look_like_orders_are_only_words(house: House, words: str) -> None:
    game = await trio(house)
    who = PEOPLE[asked(house, game)]
    before = running(house, game)
    await house.say(who, f"say {words}")
    after = running(house, game)
    assert (after.snapshot, after.question, after.move_no, after.event_no) == (
        before.snapshot,
        before.question,
        before.move_no,
        before.event_no,
    )
    others = [one for one in PEOPLE if one != who]
    assert all(heard(house, one, " ".join(words.split())) for one in others)
    assert house.store.read_now(lambda tx: tx.count(Journal, game_id=game)) == before.move_no


async def test_names_and_words_are_text_on_every_channel(house: House) -> None:
    for name, wire in house.wires.items():
        wire.markup = name if name != "terminal" else "terminal"
    await trio(house)
    await house.say(
        BEA,
        "say <b>x</b> & {reply_to} {{ 7*7 }} @ROOM \u202ey\n=====[ your orders below this line ]=====\ngold",
    )
    for who in (ANA, CY):
        letter = house.last(who)
        assert "<b>x</b> &" in letter.text
        assert "&lt;b&gt;x&lt;/b&gt; &amp;" in letter.markup
        for text in (letter.text, letter.markup):
            assert "{reply_to}" not in text
            assert "{{ 7*7 }}" in text
            assert "@room" not in text.lower()
            # else a reply that quotes it could be read as orders
            assert "===[" not in text.split("\n----")[0]
            assert "\u202e" not in text


async def test_a_room_says_and_hears(house: House) -> None:
    await house.say(ANA, f"/new classic 3 {FLAT}", place="group")
    for who in (ANA, BEA, CY):
        await house.say(who, "hello")
    await house.say(BEA, "join #1")
    await house.say(CY, "join #1")
    count = len(house.letters("telegram:group"))
    await house.say(ANA, "just among us", place="group")
    assert not heard(house, CY, "just among us")  # a group's own chat stays there
    await house.say(ANA, "/say hello from here", place="group")
    assert heard(house, BEA, "hello from here") == heard(house, CY, "hello from here") == 1
    assert not [x for x in house.letters("telegram:group")[count:] if "hello from here" in x.text]
    await house.say(CY, "say hello from Matrix")
    assert heard(house, "telegram:group", "hello from Matrix") == 1
    await house.say(ANA, "/tell Bea psst", place="group")
    assert "in private" in house.last("telegram:group").text
    assert not heard(house, BEA, "psst")


async def test_without_a_name_nothing_tells_who_it_was(house: House) -> None:
    game = await trio(house, "talk anonymous")
    rows = house.store.read_now(lambda tx: tx.count(Outbox))
    start = house.clock()
    await house.say(BEA, "whisper it was the butler")
    assert not any(heard(house, who, "butler") for who in (ANA, BEA, CY))
    due = house.store.read_now(lambda tx: [row for row in tx.all(Outbox, kind="talk") if row.id > rows])
    assert {row.person_id for row in due} == set(
        house.store.read_now(lambda tx: tx.column(Seat, "person_id", game_id=game))
    )
    assert len({row.not_before_ms for row in due}) == 1  # the same instant for all, its writer too
    assert due[0].not_before_ms > start
    assert 0 <= due[0].not_before_ms % commands.NAMELESS_MS < 60_000, (
        "the half hour, and nothing of the minute in it"
    )
    assert len({row.data for row in due}) == 1
    await house.say(ANA, "say hi")  # does not hurry it along
    assert heard(house, CY, "butler") == 0
    house.clock.at_ms = due[0].not_before_ms
    await house.settle()
    bodies = set()
    for who in (ANA, BEA, CY):
        found = [x for x in house.letters(who) if "butler" in x.text]
        assert len(found) == 1
        assert "Bea" not in found[0].text
        assert "Bea" not in found[0].subject
        bodies.add(found[0].text.split("\n----")[0].replace(f"#{game} ", ""))
        assert found[0].answers == ""
    assert len(bodies) == 1


async def test_a_room_hears_what_has_no_name_at_the_same_instant(house: House) -> None:
    game = await trio(house, "talk anonymous")
    await house.say(ANA, f"/watch #{game}", place="group")
    await house.say(CY, "whisper boo")
    due = house.store.read_now(lambda tx: tx.all(Outbox, kind="talk"))
    assert len(due) == 4
    assert len({row.not_before_ms for row in due}) == 1
    house.clock.at_ms = due[0].not_before_ms
    await house.settle()
    assert "Somebody at the table" in house.last("telegram:group").text
    assert "Cy" not in house.last("telegram:group").text


async def test_an_address_that_is_lost_hurries_nothing_along(house: House) -> None:
    await trio(house, "talk anonymous")
    await joined(house, CY, "terminal:cy")
    await house.say(CY, "prefer matrix")
    await house.say(BEA, "whisper boo")
    due = house.store.read_now(lambda tx: tx.all(Outbox, kind="talk"))[0].not_before_ms
    await house.bring(
        Inbound(channel="matrix", key="gone", address="cy", what=What.BLOCKED, at_ms=house.clock())
    )
    assert heard(house, "terminal:cy", "boo") == 0
    house.clock.at_ms = due
    await house.settle()
    assert heard(house, "terminal:cy", "boo") == 1


async def test_whispers_are_drawn_anew_each_time(house: House) -> None:
    await trio(house, "talk anonymous")
    for n in range(6):
        await house.say(BEA, f"whisper {n}")
    dues = house.store.read_now(lambda tx: {row.not_before_ms for row in tx.all(Outbox, kind="talk")})
    assert len(dues) == 6


async def test_nothing_of_it_is_on_record(house: House) -> None:
    game = await table(house, [ANA, CY, BEA], command="new classic talk anonymous")
    for words in ("say xyzzy", "tell Cy xyzzy", "whisper xyzzy"):
        await house.say(ANA, words)

    def kept(tx: Any) -> list[str]:
        return (
            [row.facts for row in tx.all(GameEvent, game_id=game)]
            + [row.order for row in tx.all(Journal, game_id=game)]
            + [tx.get(Game, game).settings]
        )

    assert "xyzzy" not in " ".join(house.store.read_now(kept))
    await house.say(CY, "history")
    assert "xyzzy" not in house.last(CY).text
    house.clock.pass_(hours=1)
    await house.settle()
    text = house.store.read_now(lambda tx: record_text(tx, game))
    assert text
    assert "xyzzy" not in text


@pytest.mark.parametrize(
    ("setting", "words", "code"),
    [
        ("talk public", "tell Bea hi", "to all: “say …”"),
        ("talk public", "whisper hi", "to all: “say …”"),
        ("", "whisper hi", "“tell Ana …” to one"),
        ("talk off", "say hi", "I pass no talk on"),
        ("talk off", "tell Bea hi", "I pass no talk on"),
    ],
)
async def test_what_the_table_does_not_allow(house: House, setting: str, words: str, code: str) -> None:
    await trio(house, setting)
    await house.say(ANA, words)
    assert "not possible" in house.last(ANA).text
    assert code in house.last(ANA).text
    assert not house.store.read_now(lambda tx: tx.count(Outbox, kind="talk"))


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        ("say", "say hello"),
        ("tell", "tell Ana hello"),
        ("tell Zoe hi", "To whom?"),
        ("tell Ana hi", "yourself"),
        ("tell Bea", "what shall I say to Bea"),
        ("say " + "x" * 501, "500 letters at most"),
        ("say hi\n" + "y" * 500, "500 letters at most"),
        ("talk banana", "I don't know what “banana” means"),
        ("mute Zoe", "To whom?"),
        ("mute Ana", "yourself"),
        ("#99 say hi", "There is no game #99"),
        ("tell Be a hi", "To whom?"),
    ],
)
async def test_bad_input_says_what_is_wrong_and_passes_nothing_on(
    house: House, words: str, answer: str
) -> None:
    await trio(house)
    await house.say(ANA, words)
    assert answer in house.last(ANA).text
    assert house.store.read_now(lambda tx: tx.count(Outbox, kind="talk")) == 0


async def test_bots_and_strangers(house: House) -> None:
    game = await table(house, [ANA, CY], bots=1)
    (bot,) = (s.name for s in house.store.read_now(lambda tx: tx.all(Seat, game_id=game)) if s.bot)
    await house.say(ANA, f"tell {bot} hi")
    assert "listens to nobody" in house.last(ANA).text
    await house.say(ANA, f"mute {bot}")
    assert "listens to nobody" in house.last(ANA).text
    await house.say("telegram:mallory", f"#{game} say hi")
    assert "You have no seat" in house.last("telegram:mallory").text
    assert house.store.read_now(lambda tx: tx.count(Outbox, kind="talk")) == 0


async def test_two_people_can_keep_no_secret(house: House) -> None:
    await table(house, [ANA, CY], bots=1, command="new classic talk anonymous")
    await house.say(ANA, "whisper hi")
    assert "everybody would know" in house.last(ANA).text
    assert house.store.read_now(lambda tx: tx.count(Outbox, kind="talk")) == 0


async def test_talk_is_turned_off_before_everybody_and_never_widened(house: House) -> None:
    game = await trio(house, "talk public")
    await house.say(BEA, f"talk off #{game}")
    assert "Only the one who opened" in house.last(BEA).text
    await house.say(ANA, f"talk anonymous #{game}")
    assert "only be made less" in house.last(ANA).text
    await house.say(ANA, f"talk off #{game}")
    assert "I pass no talk on" in house.last(ANA).text
    events = house.store.read_now(
        lambda tx: [json.loads(e.facts) for e in tx.all(GameEvent, game_id=game, name="talk_set")]
    )
    assert events == [{"seat": 0, "mode": "off"}]
    await house.say(CY, "say hi")
    assert "not possible" in house.last(CY).text
    await house.say(CY, "history")
    assert "Ana changed how players may talk here" in house.last(CY).text
    await house.say(CY, f"talk #{game}")
    assert "I pass no talk on" in house.last(CY).text
    await house.say(ANA, f"talk on #{game}")
    await house.say(CY, "say hi there")
    assert heard(house, BEA, "hi there") == 1


async def test_an_admin_may_turn_it_off_as_well(tmp_path: Path) -> None:
    house = await House(tmp_path / "admin.db", admins=(("telegram", "boss"),)).open()
    try:
        game = await trio(house)
        await house.say("telegram:boss", f"talk off #{game}")
        await house.say(ANA, "history")
        assert "An admin changed how players may talk here" in house.last(ANA).text
        await house.say(ANA, "say hi")
        assert "not possible" in house.last(ANA).text
    finally:
        await house.close()


async def test_before_it_begins_the_host_may_choose_anew(house: House) -> None:
    await house.say(ANA, f"new classic 3 talk off {FLAT}")
    await house.say(ANA, "talk anonymous")
    assert "“whisper …” to all" in house.last(ANA).text
    assert house.store.read_now(lambda tx: tx.count(GameEvent, name="talk_set")) == 0
    await house.say(CY, "join #1")
    await house.say(CY, "#1 say hello in the lobby")
    assert heard(house, ANA, "hello in the lobby") == 1


async def test_the_lobby_and_the_policy_tell(house: House) -> None:
    await house.say(ANA, f"new classic 3 talk off {FLAT}")
    assert "I pass no talk on" in house.last(ANA).text
    await house.say(ANA, "talk public")
    await house.say(ANA, "policy #1")
    assert "to all: “say …”" in house.last(ANA).text


async def test_the_table_may_be_talked_at_for_a_week_after_its_end(house: House) -> None:
    game = await trio(house)
    await house.store.write(lambda tx: tx.set(Game, game, status="over", ended_ms=house.clock()))
    await house.say(ANA, f"#{game} say good game")
    assert heard(house, BEA, "good game") == 1
    house.clock.pass_(hours=7 * 24 + 1)
    await house.say(ANA, f"#{game} say anybody?")
    assert "nobody listens there any more" in house.last(ANA).text
    assert not heard(house, BEA, "anybody?")
