"""`admin look`: nothing hidden, unless everybody is told; what lists and looks show does not depend on hidden
cards.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee import rules
from referee.rules.record import read
from referee.service.core.composing import ComposeContext
from referee.service.core.unit_of_work import StateCache, encoded, settings_of
from referee.service.outbound.compose import compose
from referee.service.play.records import record_text
from referee.store import Game, Outbox, Person, Seat, Tx
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
from tests.service.hidden_cards import Behind
from tests.service.joining import code, say_yes
from tests.service.playing import asked, legal, running, state
from tests.service.rig import House


def hand(house: House, game: int, no: int) -> list[str]:
    return list(rules.view(state(house, game), no)["hand"])


async def test_a_look_shows_clocks_people_and_letters(house: House) -> None:
    game = await opened(house)
    said = await asks(house, f"admin look #{game}")
    assert "telegram:ana" in said
    assert "mail:cy@x.test" in said
    assert "answer of" in said
    assert "open window q" in said
    assert events(house, game, "looked") == []


@pytest.mark.parametrize("kind", ["admin_look", "admin_games"])
async def test_a_look_is_the_same_when_the_hidden_part_is_dealt_afresh(house: House, kind: str) -> None:
    game, dice = await opened(house), random.Random(7)
    admin = house.store.read_now(lambda tx: tx.whose("telegram", "root"))
    assert admin is not None

    def told(snapshot: bytes) -> str:
        def job(tx: Tx) -> str:
            row = Outbox(
                id=10**6,
                channel="telegram",
                address="root",
                kind=kind,
                person_id=admin[0].id,
                game_id=game if kind == "admin_look" else None,
                data="{}",
            )
            seen: Any = Behind(tx, game, snapshot)
            made = compose(
                ComposeContext(
                    seen,
                    house.clock(),
                    house.referee.outbox_worker._words,
                    house.settings,
                    StateCache(),
                    "text",
                    False,
                    b"k",
                ),
                row,
            )
            assert made is not None
            return made.letter.text

        return house.store.read_now(job)

    otherwise = 0
    for _ in range(24):
        now = running(house, game)
        mine = told(now.snapshot)
        for _ in range(3):
            other = rules.another(state(house, game), 0, dice)
            assert told(encoded(other)) == mine
            otherwise += rules.dump(other) != rules.dump(state(house, game))
        seats = house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))
        who = next(one for one in PEOPLE if seats[asked(house, game)].name.casefold() in one)
        await house.say(who, dice.choice(legal(house, game)))
    assert otherwise > 40


async def test_hidden_cards_want_a_reason_first(house: House) -> None:
    game = await opened(house)
    said = await asks(house, f"admin look #{game} hidden")
    assert f"admin look #{game} hidden because …" in said
    assert events(house, game, "looked") == []
    assert not any(card in said for card in hand(house, game, 0))


async def test_a_look_at_hidden_cards_is_told_to_all_for_ever(house: House) -> None:
    game = await opened(house)
    await house.say(ANA, f"/watch #{game}", place="-5")
    name = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1)).name  # type: ignore[union-attr]  # it is there
    before = {who: len(house.letters(who)) for who in (*PEOPLE, "telegram:-5")}
    said = await asks(house, f"admin look #{game} hidden {name} because <b>Bea</b>; DROP TABLE game")
    mine = hand(house, game, 1)
    assert all(card in said for card in mine)
    assert not any(card in said for card in set(hand(house, game, 0)) - set(mine))
    for who in before:
        told = "\n".join(one.text for one in house.letters(who)[before[who] :])
        assert "Root looked at" in told, who
        assert "DROP TABLE game" in told, who
        assert not any(card in told for card in mine)
    assert "Root looked at" in await asks(house, f"history #{game}", who=ANA)
    assert json.loads(events(house, game, "looked")[0].facts)["of"] == 1
    now = house.store.read_now(lambda tx: tx.get(Game, game))
    assert now is not None
    assert settings_of(now)["looked"][0]["because"] == "<b>Bea</b>; DROP TABLE game"
    assert logged(house) == [("Root", "look-hidden")]
    assert "Root looked at" in await asks(house, f"admin look #{game}", who=OTHER)
    # the words of the letter are forgotten once it has left
    kept = house.store.read_now(lambda tx: tx.all(Outbox, kind="admin_hidden"))
    assert [row.state for row in kept] == ["sent"]
    assert not any(card in row.letter for row in kept for card in mine)


async def test_whoever_looked_takes_no_seat_there(house: House) -> None:
    game = await opened(house)
    await asks(house, f"admin look #{game} hidden because of a complaint")
    await asks(house, f"admin kick Ana #{game}")
    assert "can't take a seat there" in await asks(house, f"join #{game}")
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0)).person_id is None  # type: ignore[union-attr]  # it is there
    await house.say(OTHER, f"join #{game}")
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0)).person_id is not None  # type: ignore[union-attr]  # it is there


async def test_whoever_looked_becomes_nobody_who_plays_there(house: House) -> None:
    game = await opened(house)

    async def linked(first: str, then: str) -> str:
        said = await asks(house, f"link {await code(house, first)}", who=then)
        if "can't be joined" not in said:
            await say_yes(house, then)
            await say_yes(house, first)
        return said

    await asks(house, f"admin look #{game} hidden because of a complaint")
    assert "can't be joined" in await linked(ANA, ROOT)
    assert "can't be joined" in await linked(ROOT, ANA)
    assert "one person" in await linked(
        "terminal:zoe", ROOT
    )  # somebody else's: then they have seen them, too
    await asks(house, f"admin kick Ana #{game}", who=OTHER)
    assert "can't take a seat there" in await asks(house, f"join #{game}", who="terminal:zoe")


async def test_an_admin_who_plays_there_sees_no_hidden_card(house: House) -> None:
    game = await opened(house)
    house.store.write_now(lambda tx: tx.change(Person, {"name": "Ana"}, admin=1))
    said = await asks(house, f"admin look #{game} hidden because I want to win", who=ANA)
    assert "whoever plays there" in said
    assert events(house, game, "looked") == []
    assert logged(house) == []


WRONG = [
    ("admin look #99", "no game #99"),
    ("admin look", "Which table?"),
    ("admin look #1 hidden Zed because", "Nobody at this table"),
    ("admin look #1 secretly", "secretly"),
    ("admin look #2 hidden because x", "has not begun"),
    ("admin look #999999999999", "#999999999"),
    ("admin", "look after the house"),
    ("admin frobnicate", "frobnicate"),
    ("admin games sometimes", "sometimes"),
    ("admin games 0", "0"),
    ("admin games 9", "tables"),
    ("help admin", "look after the house"),
]


async def test_bad_words_are_answered_and_change_nothing(house: House) -> None:
    await opened(house)
    await house.say("terminal:dan", "new classic 5")
    for text, said in WRONG:
        assert said in await asks(house, text), text
    assert events(house, 1, "looked") == []


FORBIDDEN = [
    "admin games",
    "admin look #1",
    "admin look #1 hidden because",
    "admin stats",
    "stats",
    "help admin",
    "admin block telegram:root",
    "admin pause #1",
    "admin log",
    "admin resume all",
    "admin move #1 to Anywhere",
]


async def test_nobody_else_may(house: House) -> None:
    game = await opened(house)
    for text in FORBIDDEN:
        for who in (BEA, CY):
            assert "Only an admin" in await asks(house, text, who=who), text
    assert [
        one.name
        for one in house.store.read_now(lambda tx: tx.events_since(tx.get(Game, game), 0, None))
        if one.name in ("looked", "paused")
    ] == []
    assert logged(house) == []


async def test_nothing_of_it_is_said_in_a_room(house: House) -> None:
    game = await opened(house)
    before = len(house.letters("telegram:-5"))
    await house.say(ROOT, f"/admin look #{game}", place="-5")
    assert "in private" in house.letters("telegram:-5")[before:][-1].text
    assert "mail:cy@x.test" not in house.letters("telegram:-5")[-1].text


async def test_help_and_the_lists_of_commands_keep_quiet_about_it(house: House) -> None:
    await opened(house)
    assert "admin" not in await asks(house, "help", who=ANA)
    assert not {"admin", "stats"} & {name for name, _ in house.referee.outbox_worker._words.commands()}


async def test_the_table_its_page_of_history_and_its_record_keep_saying_so(house: House) -> None:
    game = await opened(house)
    await house.say(ANA, f"/watch #{game}", place="-5")
    assert "An admin has looked" not in house.last("telegram:-5").text
    await asks(house, f"admin look #{game} hidden because somebody lost a card")
    assert (
        "An admin has looked" in [one for one in house.letters("telegram:-5") if "Round" in one.text][-1].text
    )
    text = house.store.read_now(lambda tx: record_text(tx, game))
    assert [line for line in text.splitlines() if line.endswith("by Root: somebody lost a card")]
    read(text)
