"""Words that stir the seed: the last to speak must not know what the others said, else they try out
words until the deal suits them.
"""

from __future__ import annotations

import json

from referee.rules import chance
from referee.store import GameEvent, Seat
from tests.service.playing import running, to_the_end
from tests.service.rig import House

ANA, BEA, CY = "telegram:ana", "telegram:bea", "terminal:cy"
ROOM = "-7"


def everything(house: House, but: str) -> str:
    """All that anybody but one was sent, and the rooms."""
    return "\n".join(
        letter.text + letter.markup + letter.subject
        for wire in house.wires.values()
        for letter in wire.sent
        if letter.address != but.partition(":")[2]
    )


async def test_words_are_shown_when_all_are_given_and_to_all_at_once(house: House) -> None:
    await house.say(ANA, "/new classic 3 seats no restart", place=ROOM)
    for who in (BEA, CY):
        await house.say(who, "join #1")
    await house.say(ANA, "word thunderstorm")
    await house.say(BEA, "word hailstones")
    await house.say(BEA, "who #1")
    await house.say(BEA, "status #1")
    for who in (ANA, BEA):
        await house.say(who, "ready #1")
    assert "thunderstorm" not in everything(house, ANA)
    assert "hailstones" not in everything(house, BEA)
    await house.say(CY, "word drizzle")  # the last, who has seen nothing
    await house.say(CY, "ready #1")
    assert running(house, 1).status == "running"
    facts = house.store.read_now(
        lambda tx: [json.loads(one.facts) for one in tx.all(GameEvent, game_id=1, name="words_opened")]
    )
    assert facts == [
        {
            "given": [
                {"seat": 0, "word": "thunderstorm"},
                {"seat": 1, "word": "hailstones"},
                {"seat": 2, "word": "drizzle"},
            ],
            "seed_hash": chance.commit(bytes.fromhex(running(house, 1).seed)),
        }
    ]
    assert any(
        "drizzle" in letter.text
        for who in (ANA, BEA, CY)
        for letter in house.letters(who)
        if "thunderstorm" in letter.text
    ), "nobody was told"
    await house.say(CY, "word snow")
    assert house.store.read_now(lambda tx: [seat.word for seat in tx.all(Seat, game_id=1, order="no")]) == [
        "thunderstorm",
        "hailstones",
        "drizzle",
    ]
    await to_the_end(house, 1, [ANA, BEA, CY])
    for who in (ANA, BEA, CY):
        assert all(
            word in "\n".join(letter.text for letter in house.letters(who))
            for word in ("thunderstorm", "hailstones", "drizzle")
        )


async def test_a_word_said_in_the_group_does_not_count(house: House) -> None:
    await house.say(ANA, "/new classic 3 seats no restart", place=ROOM)
    await house.say(ANA, "/word thunderstorm", place=ROOM)
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=1, no=0)).word == ""
    assert "in private" in house.last(f"telegram:{ROOM}").text
    assert "thunderstorm" not in house.last(f"telegram:{ROOM}").text
