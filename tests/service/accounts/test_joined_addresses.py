"""Two addresses become one person: their seats, names and what they muted; more in tests/attacks."""

from __future__ import annotations

from referee.store import Person, Seat
from tests.service.inbound.test_several_tables import second, to_the_end, verified
from tests.service.joining import joined
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
