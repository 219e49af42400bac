"""Two addresses become one person: their seats, names and what they muted; more in tests/attacks."""

from __future__ import annotations

import json
from typing import Any

from referee.service.accounts import export
from referee.store import Person, Seat, Tx
from tests.service.inbound.test_several_tables import second, to_the_end, verified
from tests.service.joining import asked, code, joined, person_of
from tests.service.playing import FLAT, greet, table
from tests.service.rig import House
from tests.service.talking import ANA, BEA, CY, heard, trio

MAIL = "mail:ana@x.test"


async def test_two_people_with_seats_become_one(house: House) -> None:
    one = await table(house, [ANA, BEA])
    await greet(house, MAIL)
    two = await second(house, [MAIL, BEA])
    await house.say(ANA, "name Ana Maria")
    await joined(house, ANA, MAIL)
    await house.say(MAIL, "games")  # in answer to the letter that said so
    assert f"#{one}" in house.last(MAIL).text
    assert f"#{two}" in house.last(MAIL).text
    await to_the_end(house, one, [MAIL, BEA])  # each seat from the other address
    await to_the_end(house, two, [ANA, BEA])
    assert [s.name for s in house.store.read_now(lambda tx: tx.all(Seat, no=0, order="game_id"))] == [
        "Ana",
        "Ana",
    ]
    verified(house, one)
    verified(house, two)
    three = await second(house, [ANA, BEA])
    assert [s.name for s in house.store.read_now(lambda tx: tx.all(Seat, game_id=three, no=0))] == [
        "Ana Maria"
    ]


async def test_before_both_have_said_yes_neither_learns_the_other_s_addresses(house: House) -> None:
    """Anyone may ask who was given a code, or talked somebody into sending one."""
    await greet(house, MAIL)
    await joined(house, "matrix:@ana:hs", MAIL)
    await joined(house, "terminal:zoe", "matrix:@zoe:other")
    word = await code(house, "terminal:zoe")
    await house.say("matrix:@ana:hs", f"link {word}")
    mine, theirs = asked(house, "matrix:@ana:hs").text, asked(house, "terminal:zoe").text
    assert "ana@x.test" in mine
    assert "terminal zoe" in mine.lower()
    assert "@zoe:other" not in mine
    assert "@zoe:other" in theirs
    assert "e-mail" in theirs
    assert "x.test" not in theirs


async def test_a_code_is_used_up_by_whoever_else_sends_it(house: House) -> None:
    people = ["telegram:ana", "mail:bea@x.test"]
    await table(house, people)
    await house.say(people[0], "link")
    code = house.last(people[0]).text.partition("link ")[2].split()[0]
    for who, answer in (
        (people[0], "your own"),
        (people[1], "sit at one table"),
        ("terminal:eve", "not known"),
    ):
        await house.say(who, f"link {code}")
        assert answer in house.last(who).text
    await joined(house, people[0], "matrix:@ana:hs")
    await house.say("matrix:@ana:hs", "prefer matrix")
    assert "Matrix first" in house.last("matrix:@ana:hs").text


async def test_muting_survives_the_joining_of_addresses(house: House) -> None:
    await trio(house)
    stranger = "terminal:cy"
    await house.say(stranger, f"new classic 2 {FLAT}")
    await house.say(ANA, "join #2")
    await house.say(stranger, "mute Ana #2")
    await joined(house, CY, stranger)
    await house.say(ANA, "#1 say hello Cy")
    assert heard(house, CY, "hello Cy") == heard(house, stranger, "hello Cy") == 0
    assert house.store.read_now(lambda tx: tx.count(Person)) >= 3


async def test_the_file_of_one_s_data_tells_what_each_of_the_two_opened_and_wrote(house: House) -> None:
    """On pages somebody writes under the number that they had then."""
    await house.say(ANA, "hello")
    await greet(house, MAIL)
    await house.say(MAIL, f"new classic 4 {FLAT}")
    old = person_of(house, MAIL)
    await house.say(f"web:{old}", "rules of the web")
    await joined(house, ANA, MAIL)
    me = person_of(house, ANA)
    assert me != old

    def told(tx: Tx) -> dict[str, Any]:
        person = tx.get(Person, me)
        assert person is not None
        return json.loads(export.document(tx, house.referee.context.words, person, house.clock()))  # type: ignore[no-any-return]  # JSON

    found = house.store.read_now(told)
    assert found["opened_tables"] == [1]
    assert [one["text"] for one in found["messages"] if one["channel"] == "web"] == ["rules of the web"]
