"""`rematch`: the same people and cards at a new table, once the game is over."""

from __future__ import annotations

import json

import pytest

from referee.service.deadlines import clock_state, rows
from referee.service.tables import takeover
from referee.store import Game, Seat, Tx
from tests.service.playing import greet, running, table, to_the_end
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test"]
AGENTS = "new deluxe Cunning Agents"


def seats(house: House, game: int) -> list[Seat]:
    return house.store.read_now(lambda tx: tx.all(Seat, game_id=game, order="no"))


def ended(house: House, game: int, status: str = "over") -> None:
    """As after the last order."""

    def end(tx: Tx) -> None:
        tx.set(Game, game, status=status, asked="", question=0, ended_ms=house.clock())
        tx.change(rows.Deadline, {"game_id": game, "done_ms": 0}, done_ms=house.clock())

    house.store.write_now(end)


async def test_the_same_people_edition_cards_and_policy(house: House) -> None:
    game = await table(house, PEOPLE, command=AGENTS, hours="30h bank 2 days")
    await to_the_end(house, game, PEOPLE)
    assert running(house, game).status == "over"
    await house.press(PEOPLE[1], house.key(PEOPLE[1], f"rematch #{game}"))
    fresh = running(house, game + 1)
    assert fresh.status == "mustering"
    assert [s.name for s in seats(house, game + 1)] == [s.name for s in seats(house, game)]
    assert [s.person_id for s in seats(house, game + 1)] == [s.person_id for s in seats(house, game)]
    assert fresh.creator_id == seats(house, game)[1].person_id
    assert clock_state.policy_of(fresh) == clock_state.policy_of(running(house, game))
    for who in (PEOPLE[0], PEOPLE[2]):
        assert f"rematch of game #{game}" in house.last(who).text
    assert [s.ready for s in seats(house, game + 1)] == [0, 1, 0], "who asks is there"
    await house.press(PEOPLE[0], house.key(PEOPLE[0], f"ready #{game + 1}"))
    await house.say(PEOPLE[2], "ready")
    fresh = running(house, game + 1)
    assert fresh.status == "running"
    old, new = (json.loads(running(house, one).settings) for one in (game, game + 1))
    assert old["cast"]
    assert (new["cast"], new["uniques"]) == (old["cast"], old["uniques"])
    assert fresh.edition == running(house, game).edition
    assert fresh.seed != running(house, game).seed


async def test_bots_and_rooms_come_too(house: House) -> None:
    await greet(house, "telegram:ana")
    await house.say("telegram:ana", "/new classic 4 with 3 bots", place="-100")
    await house.say("telegram:ana", "ready")
    ended(house, 1)
    await house.say("telegram:ana", "/rematch", place="-100")
    assert running(house, 2).status == "mustering", "said in a room it proves no private channel"
    assert [bool(s.bot) for s in seats(house, 2)] == [False, True, True, True]
    assert any("#2" in one.text for one in house.letters("telegram:-100"))
    await house.say("telegram:ana", "ready")
    assert running(house, 2).status == "running"


@pytest.mark.parametrize(("before", "after"), [("private", "private"), ("public", "public")])
async def test_who_did_not_want_to_be_looked_at_is_not_at_the_rematch(
    house: House, before: str, after: str
) -> None:
    game = await table(house, PEOPLE[:2])
    house.store.write_now(lambda tx: tx.set(Game, game, page=before))
    ended(house, game)
    await house.say(PEOPLE[0], f"rematch #{game}")
    assert running(house, game + 1).page == after
    await house.say("telegram:zoe", f"who #{game + 1}")
    assert ("Ana" in house.last("telegram:zoe").text) == (after == "public")


async def test_only_once_and_only_after_the_end(house: House) -> None:
    game = await table(house, PEOPLE[:2])
    await house.say(PEOPLE[0], f"rematch #{game}")
    assert "not over" in house.last(PEOPLE[0]).text
    await house.say(PEOPLE[0], "rematch")
    assert "no game that you played to its end" in house.last(PEOPLE[0]).text
    ended(house, game)
    await greet(house, "terminal:dan")
    await house.say("terminal:dan", f"rematch #{game}")
    assert running(house, game).status == "over"
    assert house.store.read_now(lambda tx: tx.count(Game)) == 1, "somebody who did not play opens nothing"
    await house.say(PEOPLE[0], "rematch")
    await house.say(PEOPLE[1], f"rematch #{game}")
    assert "already" in house.last(PEOPLE[1]).text
    assert house.store.read_now(lambda tx: tx.count(Game)) == 2
    await house.say(PEOPLE[0], f"abandon #{game + 1}")
    await house.say(PEOPLE[1], f"rematch #{game}")
    assert running(house, game + 2).status == "mustering", "one that was given up may be asked for again"


async def test_nobody_is_asked_for_ever(house: House) -> None:
    """Each time everybody gets a letter: who opens the table and gives it up again is stopped."""
    game = await table(house, PEOPLE[:2])
    ended(house, game)
    for n in range(1, 4):
        await house.say(PEOPLE[0], f"rematch #{game}")
        await house.say(PEOPLE[0], f"abandon #{game + n}")
    heard = len(house.letters(PEOPLE[1]))
    await house.say(PEOPLE[0], f"rematch #{game}")
    assert "three times" in house.last(PEOPLE[0]).text
    assert len(house.letters(PEOPLE[1])) == heard
    await house.say(PEOPLE[0], f"rematch #{game + 1}")
    assert "over" in house.last(PEOPLE[0]).text, "one that was given up has no rematch"
    assert house.store.read_now(lambda tx: tx.count(Game)) == 4


async def test_who_does_not_want_to_play_leaves(house: House) -> None:
    game = await table(house, PEOPLE)
    ended(house, game)
    await house.say(PEOPLE[0], "rematch")
    await house.say(PEOPLE[2], f"leave #{game + 1}")
    assert running(house, game + 1).status == "lobby"
    assert len(seats(house, game + 1)) == 2


async def test_who_plays_too_much_already_finds_the_seat_free(house: House) -> None:
    game = await table(house, PEOPLE)
    ended(house, game)
    object.__setattr__(house.settings, "games_per_person", 1)
    await house.say(PEOPLE[1], "new classic 4")
    await house.say(PEOPLE[0], f"rematch #{game}")
    fresh = running(house, game + 2)
    assert fresh.status == "lobby"
    assert [s.name for s in seats(house, game + 2)] == [
        one.name for n, one in enumerate(seats(house, game)) if n != 1
    ]
    assert f"table #{game + 2}" in house.last(PEOPLE[2]).text


async def test_against_bots_it_begins_at_once(house: House) -> None:
    game = await table(house, PEOPLE[:1], bots=2)
    ended(house, game)
    await house.say(PEOPLE[0], "rematch")
    assert running(house, game + 1).status == "running"
    assert "ready" not in house.last(PEOPLE[0]).text, "nobody is waited for"


async def test_a_seat_that_changed_hands_is_called_as_who_has_it_now(house: House) -> None:
    game = await table(house, PEOPLE[:2])
    await house.say("telegram:dora", "hello")
    dora = house.store.read_now(lambda tx: tx.whose("telegram", "dora"))
    assert dora is not None
    seat = seats(house, game)[1]
    await house.store.write(
        lambda tx: takeover.put(house.referee.context.uow(tx), running(house, game), dora[0], dora[1], seat)
    )
    ended(house, game)
    await house.say(PEOPLE[0], f"rematch #{game}")
    old, fresh = seats(house, game), seats(house, game + 1)
    assert [one.person_id for one in fresh] == [one.person_id for one in old]
    assert fresh[0].name == old[0].name
    assert fresh[1].name == dora[0].name != old[1].name
