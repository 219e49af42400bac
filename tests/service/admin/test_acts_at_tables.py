"""What admins do at any table from outside: the acts of a table, its room, the archive; and what they
can't.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.ports import Fate, Letter, Receipt
from referee.service.core import audit_log
from referee.service.core.commands import COMMANDS
from referee.store import Game, Inbox, OfficeLog, Outbox, Person, Seat
from tests.service.admins import (
    ANA,
    BEA,
    CY,
    OTHER,
    PEOPLE,
    ROOT,
    asks,
    events,
    logged,
    opened,
)
from tests.service.playing import asked, legal, running, to_the_end
from tests.service.rig import House


def name_of(house: House, game: int, no: int) -> str:
    return house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))[no].name


async def test_an_admin_acts_alone_at_a_table_where_they_do_not_play(house: House) -> None:
    game = await opened(house)
    for text, event in (("pause", "paused"), ("resume", "unpaused"), ("extend 24h", "extended")):
        await asks(house, f"admin {text} #{game}")
        assert ['"Root"' in one.facts for one in events(house, game, event)] == [True], text
    victim = name_of(house, game, (asked(house, game) + 1) % 3)
    await asks(house, f"admin replace {victim} #{game}")
    assert len(events(house, game, "seat_offered")) == 1
    assert "q" in await asks(house, f"admin process #{game}")
    window = running(house, game).question
    await asks(house, f"admin process q{window} #{game}")
    assert len(events(house, game, "processed")) == 1
    assert "closed" in await asks(house, f"admin process q{window} #{game}")
    await asks(house, f"admin kick {victim} #{game}")
    assert len(events(house, game, "kicked")) == 1
    assert [act for _, act in logged(house)] == ["pause", "resume", "extend", "offer", "process", "kick"]


async def test_going_back_needs_a_second_key_also_of_admins(house: House) -> None:
    game = await opened(house)
    for _ in range(3):
        await house.say(
            next(who for who in PEOPLE if name_of(house, game, asked(house, game)).casefold() in who),
            legal(house, game)[0],
        )
    said = await asks(house, f"admin rewind #{game} round 1")
    assert "Vote 1" in said
    assert "must be somebody else's" in await asks(house, "admin second 1")
    assert events(house, game, "rewound") == []
    await asks(house, "admin second 1", who=OTHER)
    assert len(events(house, game, "rewound")) == 1


async def test_an_admin_who_plays_needs_the_others(house: House) -> None:
    game = await opened(house)
    house.store.write_now(lambda tx: tx.change(Person, {"name": "Ana"}, admin=1))
    said = await asks(house, f"admin pause #{game}", who=ANA)
    assert "Vote 1" in said
    assert events(house, game, "paused") == []


async def test_the_living_message_moves_to_another_room(house: House) -> None:
    game = await opened(house)
    await house.say(ANA, f"/watch #{game}", place="-5")
    await house.say(BEA, f"!watch #{game}", place="!lisbon:hs")
    await house.say(ROOT, f"/admin move #{game} here", place="-7")
    there = [one.text for one in house.letters("telegram:-7")]
    assert any("is shown in" in text for text in there)
    assert any("Round" in text for text in there)
    for place in ("telegram:-5", "matrix:!lisbon:hs"):
        assert "shown in another room" in house.last(place).text
    before = len(house.letters("telegram:-5"))
    await house.say(
        next(who for who in PEOPLE if name_of(house, game, asked(house, game)).casefold() in who),
        legal(house, game)[0],
    )
    assert len(house.letters("telegram:-5")) == before
    assert "lives in that room" in await asks(house, f"admin move #{game} to telegram:-7")
    before = len(house.letters("matrix:!lisbon:hs"))
    await asks(house, f"admin move #{game} to matrix:!lisbon:hs")
    assert ["Round" in one.text for one in house.letters("matrix:!lisbon:hs")[before:]] == [True]


IMPOSSIBLE = [
    ("admin move #1 here", "name the room"),
    ("admin move #1 to Nowhere <b>", "I am in no room of that name"),
    ("admin move #1 to telegram", "no room"),
    ("admin move #1", "admin move #17 here"),
    ("admin move to telegram:-5", "Which table"),
    ("admin archive #1", "is not over"),
    ("admin unarchive #1", "is not put away"),
    ("admin thaw #1", "does not stand still"),
    ("admin archive", "Which table"),
    ("admin kick Zed #1", "Nobody at this table"),
    ("admin kick Ana #99", "no game #99"),
    ("admin extend forever #1", "forever"),
    ("admin rewind #1 round 9", "no round 9"),
    ("admin pause", "Which table"),
    ("admin resume #1", "not paused"),
    ("admin process q999 #1", "closed"),
    ("admin second 12", "no vote 12"),
    ("admin retry letter 999999", "no letter 999999"),
    ("admin retry message 999999", "no message 999999"),
    ("admin drop letter x", "admin drop letter 12"),
    ("admin drop message 1", "not among those set aside"),
    ("admin retry letter", "admin retry letter 12"),
    ("admin letters x", "x"),
]


async def test_what_cannot_be_done_is_said_and_not_done(house: House) -> None:
    await opened(house)
    before = running(house, 1)
    for text, said in IMPOSSIBLE:
        assert said in await asks(house, text), text
    assert running(house, 1) == before
    assert logged(house) == []


async def test_finished_games_are_put_away_and_brought_back(house: House) -> None:
    game = await opened(house)
    await house.say(CY, f"status #{game}")
    assert f"#{game} classic" in await asks(house, "admin games running")
    house.store.write_now(lambda tx: tx.set(Game, game, status="over", asked="", question=0))
    assert f"#{game} classic" in await asks(house, "admin games over")
    await asks(house, f"admin archive #{game}")
    assert "put away already" in await asks(house, f"admin archive #{game}")
    assert f"#{game} classic" not in await asks(house, "admin games over")
    assert f"#{game} classic" in await asks(house, "admin games archived")
    assert f"#{game} classic" in await asks(house, "admin games all")
    await asks(house, f"admin unarchive #{game}")
    assert f"#{game} classic" in await asks(house, "admin games over")
    assert logged(house) == [("Root", "archive"), ("Root", "unarchive")]


async def test_a_table_that_does_not_begin_is_tidied_up(house: House) -> None:
    await opened(house)
    await house.say("terminal:dan", "new classic 3")
    await house.say("terminal:eve", "join #2")
    await asks(house, "admin kick Eve #2")
    assert [one.name for one in house.store.read_now(lambda tx: tx.all(Seat, game_id=2))] == ["Dan"]
    await asks(house, "admin abandon #2")
    assert running(house, 2).status == "abandoned"
    assert "Given up: #2" in house.last("terminal:dan").text
    assert "Others play in this game" in await asks(house, "admin abandon #1")
    assert "is over" in await asks(house, "admin abandon #2")
    assert [act for _, act in logged(house)] == ["kick", "abandon"]


async def test_letters_that_failed_are_sent_again_or_given_up(house: House) -> None:
    game = await opened(house)
    wire = house.wires["telegram"]
    wire.fate = lambda letter: (
        Receipt(Fate.FAILED, reason="too-long") if letter.address == "ana" else _sent(letter)
    )
    await house.say(ANA, f"who #{game}")
    await house.say(ANA, f"history #{game}")
    wire.fate = None
    said = await asks(house, "admin letters")
    failed = house.store.read_now(lambda tx: tx.all(Outbox, state="failed", order="id"))
    assert len(failed) >= 2
    assert all(str(row.id) in said for row in failed)
    before = len(house.letters(ANA))
    await asks(house, f"admin retry letter {failed[0].id}")
    assert len(house.letters(ANA)) == before + 1
    await asks(house, f"admin drop letter {failed[1].id}")
    assert f"- {failed[1].id}:" not in await asks(house, "admin letters")
    assert "given up already" in await asks(house, f"admin drop letter {failed[1].id}")
    assert logged(house) == [("Root", "retry-letter"), ("Root", "drop-letter")]


def _sent(letter: Letter) -> Receipt:
    return Receipt(Fate.SENT, wire_id=f"w{letter.id}")


async def test_that_somebody_plans_ahead_is_not_told_by_the_list(house: House) -> None:
    await opened(house)
    house.wires["telegram"].fate = lambda letter: Receipt(Fate.FAILED, reason="too-long")
    await house.say(ANA, "always prefer King")
    await house.say(ANA, "plan")
    house.wires["telegram"].fate = None
    kinds = {row.kind for row in house.store.read_now(lambda tx: tx.all(Outbox, state="failed"))}
    assert kinds & {"plan", "plan_menu"}
    for said in (await asks(house, "admin letters"), await asks(house, "admin look #1")):
        assert "plan" not in said
        assert "King" not in said
        assert "letter" in said


async def test_messages_set_aside_are_handled_again_or_given_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await opened(house)
    who = next(one for one in PEOPLE if name_of(house, game, asked(house, game)).casefold() in one)
    order = legal(house, game)[0]
    with monkeypatch.context() as patch:

        def breaks(*_: object) -> None:
            raise KeyError(order)

        patch.setitem(COMMANDS, "orders", replace(COMMANDS["orders"], do=breaks))
        await house.say(who, order)
        await house.settle()
    # a message that breaks is set aside; the position is whole
    assert running(house, game).status == "running"
    said = await asks(house, "admin inbox")
    row = house.store.read_now(lambda tx: tx.one(Inbox, state="shunted"))
    assert row is not None
    assert f"{row.id}:" in said
    assert "KeyError" in said
    assert order not in said
    await asks(house, f"admin drop message {row.id}")
    assert running(house, game).status == "running"
    now = house.store.read_now(lambda tx: tx.get(Inbox, row.id))
    assert now is not None
    assert now.state == "dropped"
    before = running(house, game).move_no
    await asks(house, f"admin retry message {row.id}")
    assert running(house, game).move_no == before + 1


async def test_the_logbook_only_grows_and_shows_whether_it_was_tampered_with(house: House) -> None:
    game = await opened(house)
    await asks(house, f"admin pause #{game}")
    await asks(house, "admin block telegram:66 because <b>spam</b>")
    said = await asks(house, "admin log")
    assert "each follows from the one before it" in said
    assert "<b>spam</b>" in said
    assert house.store.read_now(lambda tx: audit_log.broken(tx, "house")) == 0
    rows = house.store.read_now(lambda tx: tx.all(OfficeLog, scope="house", order="no"))
    house.store.write_now(
        lambda tx: tx.add(OfficeLog, scope="house", no=4, at_ms=1, act="archive", hash=rows[-1].hash)
    )
    assert house.store.read_now(lambda tx: audit_log.broken(tx, "house")) == 3
    assert "tampered with: line 3" in await asks(house, "admin log")


async def test_figures(house: House) -> None:
    await opened(house)
    for word in ("stats", "admin stats"):
        said = await asks(house, word)
        assert "1 running" in said
        assert "Telegram:" in said
        assert "0 deadlines late" in said


async def test_a_whole_game_goes_on_under_an_admins_hands(house: House) -> None:
    game = await opened(house)
    await asks(house, f"admin pause #{game}")
    await asks(house, f"admin resume #{game}")
    people = [next(who for who in PEOPLE if name_of(house, game, no).casefold() in who) for no in range(3)]
    await to_the_end(house, game, people)
    assert running(house, game).status == "over"
