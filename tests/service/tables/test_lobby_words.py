"""A table while it gathers: what it is called, and that a room has one lobby of it with buttons."""

from __future__ import annotations

import re

import pytest

from referee.ports import Inbound, What
from referee.store import Seat
from tests.service.playing import running
from tests.service.rig import House

ROOM = "!friday:hs"
ANA, BEA = "matrix:@ana:hs", "matrix:@bea:hs"
#: what is said of a table that gathers, and of a game that is played
NAMES = {"en": ("Table", "Game"), "pt_BR": ("Mesa", "Partida")}


async def gathered(house: House, language: str = "en") -> None:
    """Ana and Bea sit at a table that a room shows."""
    await house.bring(
        Inbound(channel="matrix", key="i", address="@ana:hs", what=What.INVITED, place=ROOM, at_ms=1)
    )
    for who in (ANA, BEA):
        await house.say(who, f"language {language}")
    await house.say(ANA, f"!language {language}", place=ROOM)
    await house.say(ANA, "!new classic 3" if language == "en" else "!nova mesa clássica 3", place=ROOM)
    await house.say(BEA, "!join" if language == "en" else "!entrar", place=ROOM)


@pytest.mark.parametrize("language", ["en", "pt_BR"])
async def test_it_is_a_table_before_it_begins_and_a_game_from_then_on(house: House, language: str) -> None:
    table, game = (re.compile(rf"\b{name} #?1\b", re.IGNORECASE) for name in NAMES[language])
    tagged = [re.compile(rf"\b{name} #1\b", re.IGNORECASE) for name in NAMES[language]]
    assert table.pattern != game.pattern
    await gathered(house, language)
    await house.say(ANA, "!start" if language == "en" else "!começar", place=ROOM)
    before = [letter.text for wire in house.wires.values() for letter in wire.sent]
    assert any(tagged[0].search(text) for text in before)
    assert not [text for text in before if tagged[1].search(text)]
    for who in (ANA, BEA):
        await house.say(who, "ready")
    assert running(house, 1).status == "running"
    for who in (ANA, BEA):
        await house.say(who, "status")
    await house.say(ANA, "!status", place=ROOM)
    after = [letter.text for wire in house.wires.values() for letter in wire.sent][len(before) :]
    assert any(tagged[1].search(text) for text in after)
    began = next(n for n, text in enumerate(after) if tagged[1].search(text))
    assert not [text for text in after[began:] if tagged[0].search(text)]


async def test_status_in_the_room_points_at_the_lobby_that_stands_there(house: House) -> None:
    await gathered(house)
    where = f"matrix:{ROOM}"
    lobby = next(letter for letter in house.letters(where) if "gathering" in letter.text)
    before = len(house.letters(where))
    await house.say(ANA, "!status", place=ROOM)
    said = house.letters(where)[before:]
    pointed = next(letter for letter in said if not letter.edits)
    assert pointed.text == (
        "Table #1 stands in the message that I answer here, and is kept up to date there:"
        " 1 seat is still free."
    )
    assert pointed.answers
    assert not pointed.buttons
    assert {letter.edits for letter in said if letter.edits} <= {pointed.answers}
    assert [letter for letter in house.letters(where) if letter.buttons and not letter.edits][1:] == [lobby]
    await house.say(ANA, "!start", place=ROOM)
    await house.say(ANA, "ready")
    await house.say(BEA, "!status", place=ROOM)
    assert any("Still missing: bea." in letter.text for letter in house.letters(where)[-2:])
    # in a room that does not show the table it is told whole
    await house.say(ANA, "!status #1", place="!other:hs")
    assert "Seat 2: bea" in house.last("matrix:!other:hs").text


async def test_nobody_joins_more_tables_than_they_may_open(house: House) -> None:
    object.__setattr__(house.settings, "games_per_person", 1)
    await house.say(ANA, "new classic 3")
    await house.say(BEA, "new classic 3")
    await house.say(BEA, "join #1")
    assert "the most here" in house.last(BEA).text
    assert "Bea" not in [seat.name for seat in house.store.read_now(lambda tx: tx.all(Seat, game_id=1))]


async def test_who_gathers_at_several_tables_reads_for_which_they_are_ready(house: House) -> None:
    ana, bea = "terminal:ana", "terminal:bea"
    for number in (1, 2):
        await house.say(ana, "new classic 2")
        await house.say(bea, f"join #{number}")
    for number in (2, 1):
        await house.say(bea, f"ready #{number}")
        assert house.last(bea).text.startswith(f"You are ready at table #{number}.")
        await house.say(ana, f"ready #{number}")
    for number in (1, 2):
        assert running(house, number).status == "running"
