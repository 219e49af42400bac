"""A seat that is to be had is offered to those who put their names down, one after the other; the first who
takes it has it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from referee.service.deadlines import clock_state
from referee.store import (
    Address,
    Alternate,
    Deadline,
    Outbox,
    Person,
    Seat,
    SeatOffer,
)
from tests.service.joining import joined, person_of
from tests.service.playing import asked, greet, happened, legal, ring, rows, running, table
from tests.service.rig import Clock, House

ANA, BEA = "telegram:ana", "matrix:@bea:hs"
PEOPLE = [ANA, BEA]
CY, DORA, EVE = "telegram:cy", "matrix:@dora:hs", "mail:eve@x.test"
HOUR = 3_600_000
#: a miss and the seat is on offer; an alternate has ten hours to take it
QUICK = (
    "24h no bank no quiet no nights no vacation no remind excuse 0 probation 1 replace 1 alternates 10h "
    "no unreachable no restart"
)


async def deserted(house: House, *names: str, words: str = "alternate") -> tuple[int, int]:
    """A table at which somebody's seat is on offer, after those people put their names down.

    The game and the seat.
    """
    game = await table(house, PEOPLE, hours=QUICK)
    for who in names:
        await greet(house, who)
        await house.say(who, words.replace("#", f"#{game}"))
    gone = asked(house, game)
    house.clock.pass_(hours=24.1)
    await ring(house)
    assert clock_state.read_clocks(running(house, game)).seat(gone).offered
    return game, gone


def offers(house: House) -> dict[str, str]:
    """Who was asked, and what became of it."""
    rows = house.store.read_now(
        lambda tx: [(tx.get(Person, row.person_id), row.state) for row in tx.all(SeatOffer)]
    )
    return {person.name: state for person, state in rows if person is not None}


def holder(house: House, game: int, seat: int) -> int | None:
    row = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=seat))
    assert row is not None
    return row.person_id


def taught(house: House, game: int, seat: int) -> str:
    row = house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=seat))
    assert row is not None
    return row.lessons


async def test_each_is_asked_in_turn_and_whoever_takes_it_plays_on(house: House) -> None:
    game, gone = await deserted(house, CY, DORA)
    assert offers(house) == {"Cy": "asked"}
    letter = house.last(CY)
    name = ("Ana", "bea")[gone]
    assert "Would you take over a seat?" in letter.subject
    assert name in letter.text
    assert [b.label for row in letter.buttons for b in row] == ["Take the seat", "No, thanks"]
    assert "Would you" not in "".join(one.subject for one in house.letters(DORA))
    house.clock.pass_(hours=9.9)
    await ring(house)
    assert offers(house) == {"Cy": "asked"}
    house.clock.pass_(hours=0.2)
    await ring(house)
    assert offers(house) == {"Cy": "silent", "dora": "asked"}
    assert "took your name off the list" in house.last(CY).text
    assert taught(house, game, gone).startswith("hints,")
    await house.say(DORA, f"join #{game}")
    assert holder(house, game, gone) == 4
    assert taught(house, game, gone) == ""  # what somebody else was taught is nobody's inheritance
    assert not clock_state.read_clocks(running(house, game)).seat(gone).offered
    assert happened(house, game).count("taken_over") == 1
    assert "Your hand" in "".join(one.text for one in house.letters(DORA)[-2:])
    assert "seat" in house.last(PEOPLE[gone]).text
    assert house.store.read_now(lambda tx: tx.count(Deadline, kind="alternate", done_ms=0)) == 0
    assert not offers(house)
    for _ in range(30):
        now = asked(house, game)
        await house.say(DORA if now == gone else PEOPLE[now], legal(house, game)[0])
    assert happened(house, game).count("stand_in") == 1


async def test_no_letter_to_whom_the_seat_is_now_refers_to_one_of_those_before(house: House) -> None:
    """A mail's id carries the token with which its reader answers: with it another could write for them."""
    game = await table(house, ["mail:ana@x.test", "mail:bea@x.test"], hours=QUICK)
    await greet(house, EVE)
    gone = asked(house, game)
    house.clock.pass_(hours=24.1)
    await ring(house)
    before = {row.wire_id for row in rows(house, Outbox) if row.seat == gone and row.wire_id}
    assert before
    await house.say(EVE, f"join #{game}")
    assert holder(house, game, gone) == 3
    await house.say(EVE, f"hand #{game}")
    told = {row.wire_id for row in rows(house, Outbox) if row.person_id == 3 and row.wire_id}
    referred = {name for one in house.letters(EVE) for name in one.thread}
    assert referred & told
    assert not referred & before


async def test_buttons_and_numbers_answer_it(house: House) -> None:
    game, gone = await deserted(house, CY, DORA, EVE)
    await house.press(CY, house.key(CY, f"alternate no #{game}"))
    assert offers(house) == {"Cy": "declined", "dora": "asked"}
    await house.say(DORA, "2")
    assert offers(house)["Eve"] == "asked"
    assert "eve@x.test" in [one.address for one in house.wires["mail"].sent]
    await house.say(EVE, "1")
    assert holder(house, game, gone) == 5
    assert {row.person_id for row in house.store.read_now(lambda tx: tx.all(Alternate))} == {3, 4, 5}, (
        "they stay on the list for other tables"
    )


async def test_when_nobody_is_left_the_seat_is_open_to_all(house: House) -> None:
    game, gone = await deserted(house, CY)
    await house.say(CY, f"alternate no #{game}")
    assert offers(house) == {"Cy": "declined"}
    await house.say(DORA, f"join #{game}")
    assert holder(house, game, gone) == 4


async def test_whoever_joins_while_another_is_asked_stands_in_line(house: House) -> None:
    game, gone = await deserted(house, CY)
    await house.say(DORA, f"join #{game}")
    assert holder(house, game, gone) == gone + 1
    assert "Somebody else is asked first" in house.last(DORA).text
    await house.say(CY, "alternate no")
    assert offers(house)["dora"] == "asked"
    await house.press(DORA, house.key(DORA, f"join #{game}"))
    assert holder(house, game, gone) == 4


async def test_two_take_it_at_once_and_the_first_has_it(house: House) -> None:
    game, gone = await deserted(house, CY, DORA)
    key = house.key(CY, f"join #{game}")
    house.clock.pass_(hours=10.1)
    await ring(house)
    await house.say(DORA, f"join #{game}")
    await house.press(CY, key)  # the button of an offer that is over
    assert holder(house, game, gone) == 4
    assert "no seat of it is to be had" in house.last(CY).text


async def test_whoever_was_silent_and_comes_after_all_is_next(house: House) -> None:
    game, gone = await deserted(house, CY, DORA)
    key = house.key(CY, f"join #{game}")
    house.clock.pass_(hours=10.1)
    await ring(house)
    await house.press(CY, key)
    assert holder(house, game, gone) == gone + 1
    await house.say(DORA, "alternate no")
    assert offers(house) == {"Cy": "asked", "dora": "declined"}
    await house.say(CY, f"join #{game}")
    assert holder(house, game, gone) == 3


@pytest.mark.parametrize("word", ["here", "an order"])
async def test_the_old_player_may_come_back_before_that(house: House, word: str) -> None:
    game, gone = await deserted(house, CY)
    if word == "here":
        await house.say(PEOPLE[gone], "here")
    else:
        while asked(house, game) != gone:
            await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        await house.say(PEOPLE[gone], legal(house, game)[0])
    assert not clock_state.read_clocks(running(house, game)).seat(gone).offered
    assert not offers(house)
    assert "not to be had any more" in house.last(CY).text
    letters = len(house.letters(CY))
    house.clock.pass_(hours=10.1)
    await ring(house)
    assert len(house.letters(CY)) == letters
    await house.say(CY, f"join #{game}")
    assert holder(house, game, gone) == gone + 1


async def test_somebody_who_puts_their_name_down_later_is_asked_at_once(house: House) -> None:
    game, _ = await deserted(house)
    assert not offers(house)
    await house.say(CY, "alternate")
    assert offers(house) == {"Cy": "asked"}
    await house.say(DORA, f"alternate #{game}")
    assert offers(house) == {"Cy": "asked"}
    await house.say(CY, "alternate off")
    assert offers(house)["dora"] == "asked"
    assert house.store.read_now(lambda tx: tx.count(Alternate, person_id=3)) == 0


async def test_those_of_one_table_go_before_those_of_any(house: House) -> None:
    game = await table(house, PEOPLE, hours=QUICK)
    await house.say(CY, "alternate")
    await house.say(DORA, f"alternate #{game}")
    house.clock.pass_(hours=24.1)
    await ring(house)
    assert offers(house) == {"dora": "asked"}


async def test_it_survives_a_restart_and_an_outage_gives_the_time_back(tmp_path: Path) -> None:
    clock = Clock()
    house = await House(tmp_path / "r.db", clock).open()
    await deserted(house, CY, DORA)
    clock.pass_(hours=2)
    await house.close()
    clock.pass_(hours=20)
    house = await House(tmp_path / "r.db", clock).open()
    await ring(house)
    assert offers(house) == {"Cy": "asked"}
    clock.pass_(hours=7.9)
    await ring(house)
    assert offers(house) == {"Cy": "asked"}
    clock.pass_(hours=0.2)
    assert await ring(house)
    assert offers(house) == {"Cy": "silent", "dora": "asked"}
    await house.close()


async def test_at_night_nobody_has_to_decide(house: House) -> None:
    await house.say(CY, "zone Asia/Tokyo")
    await house.say(CY, "quiet 22-07")
    clock = house.clock
    await deserted(house, CY, words="alternate")
    row = house.store.read_now(lambda tx: tx.one(Deadline, kind="alternate", done_ms=0))
    assert row is not None
    assert row.due_ms == clock() + 10 * HOUR, "the policy of the table counts no nights"


async def test_nobody_is_asked_who_can_not_play(house: House) -> None:
    await table(house, PEOPLE, hours=QUICK)
    await house.say(CY, "alternate")
    await house.say(DORA, "alternate")
    await house.say(ANA, "alternate")
    await house.say(BEA, "alternate")
    house.store.write_now(lambda tx: tx.change(Address, {"address": "cy"}, state="blocked"))
    house.clock.pass_(hours=24.1)
    await ring(house)
    assert offers(house) == {"dora": "asked"}


async def test_a_table_by_invitation_keeps_to_its_own(house: House) -> None:
    await house.say(ANA, f"new classic 2 seats invite {QUICK}")
    code = json.loads(running(house, 1).settings)["code"]
    await house.say(BEA, f"join {code}")
    for who in PEOPLE:
        await house.say(who, "ready #1")
    await house.say(CY, "alternate")
    gone = asked(house, 1)
    house.clock.pass_(hours=24.1)
    await ring(house)
    assert not offers(house)
    await house.say(CY, "alternate #1")
    assert not offers(house)
    await house.say(CY, "join #1")
    assert holder(house, 1, gone) == gone + 1
    await house.say(CY, f"join {code}")
    assert holder(house, 1, gone) == 3


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("alternate #99", "no game #99"),
        ("alternate banana", "banana"),
        ("alternate off", "on no list"),
        ("alternate no", "not being asked"),
        ("alternate off no", "no"),
        ("join #1", "no seat of it"),
    ],
)
async def test_bad_words_are_answered(house: House, said: str, answer: str) -> None:
    await table(house, PEOPLE, hours=QUICK)
    await house.say(CY, said)
    assert answer in house.last(CY).text
    assert house.store.read_now(lambda tx: tx.count(Alternate)) == 0


async def test_in_a_group_the_private_chat_comes_first(house: House) -> None:
    game, gone = await deserted(house)
    await house.say(CY, f"/join #{game}", place="-100")
    assert holder(house, game, gone) == gone + 1
    assert "open a private chat" in house.last("telegram:-100").text
    await house.say(CY, f"/start ready_{game}")
    assert holder(house, game, gone) == 3


@pytest.mark.parametrize("act", ["kick", "replace"])
async def test_a_seat_that_an_admin_offers_goes_down_the_same_line(tmp_path: Path, act: str) -> None:
    house = await House(tmp_path / "r.db", admins=(("terminal", "boss"),)).open()
    game = await table(house, PEOPLE, hours=QUICK)
    for who in ("terminal:boss", CY, DORA):
        await house.say(who, "alternate")
    await house.say("terminal:boss", "alternate off")
    await house.say("terminal:boss", f"{act} Ana #{game}")
    assert offers(house) == {"Cy": "asked"}
    if act == "kick":
        await house.say(ANA, "alternate")
        await house.say(ANA, f"join #{game}")
        assert holder(house, game, 0) is None
    await house.say(CY, f"alternate no #{game}")
    await house.say(DORA, "1")
    assert (
        holder(house, game, 0)
        == house.store.read_now(lambda tx: tx.one(Address, channel="matrix", address="@dora:hs")).person_id
    )
    assert not offers(house)
    for _ in range(10):
        await house.say(DORA if asked(house, game) == 0 else BEA, legal(house, game)[0])
    await house.close()


async def test_when_the_game_is_over_nobody_is_asked_any_more(house: House) -> None:
    game, gone = await deserted(house, CY)
    for _ in range(400):
        if running(house, game).status != "running":
            break
        if asked(house, game) == gone:
            house.clock.pass_(hours=0.2)
            await ring(house)
        else:
            orders = legal(house, game)
            await house.say(
                PEOPLE[1 - gone], next((one for one in orders if one.startswith("build")), orders[0])
            )
    assert running(house, game).status == "over"
    assert not offers(house)
    assert house.store.read_now(lambda tx: tx.count(Deadline, game_id=game, done_ms=0)) == 0
    await house.say(CY, f"join #{game}")
    assert holder(house, game, gone) == gone + 1


async def test_nobody_is_asked_for_two_seats_of_one_table_at_once(house: House) -> None:
    game, gone = await deserted(house, CY)
    other = 1 - gone
    for _ in range(40):
        if clock_state.read_clocks(running(house, game)).seat(other).offered:
            break
        house.clock.pass_(hours=6)
        if offers(house):
            await house.say(CY, f"alternate #{game}")
        await ring(house)
    assert clock_state.read_clocks(running(house, game)).seat(other).offered
    await house.say(CY, f"alternate #{game}")
    assert house.store.read_now(lambda tx: tx.count(SeatOffer, game_id=game, state="asked")) == 1
    await house.say(DORA, f"alternate #{game}")
    rows = house.store.read_now(lambda tx: tx.all(SeatOffer, game_id=game, state="asked"))
    assert len({row.person_id for row in rows}) == len({row.seat for row in rows}) == 2
    await house.say(CY, f"join #{game}")
    await house.say(DORA, f"join #{game}")
    assert {holder(house, game, 0), holder(house, game, 1)} == {row.person_id for row in rows}


async def test_an_offer_ends_for_somebody_whose_accounts_were_joined_since(house: House) -> None:
    await deserted(house, CY, DORA)
    await greet(house, "terminal:cyrus")
    await joined(house, "terminal:cyrus", CY)  # the one who was asked goes by another number now
    house.clock.pass_(hours=10.1)
    await ring(house)
    assert offers(house) == {"Cyrus": "silent", "dora": "asked"}


async def test_who_turns_out_to_sit_there_keeps_nobody_else_waiting(house: House) -> None:
    """An alternate is being asked, and joins accounts with somebody who plays at that very table."""
    game, gone = await deserted(house, CY, DORA)
    assert offers(house) == {"Cy": "asked"}
    await joined(house, PEOPLE[1 - gone], CY)
    assert [row.person_id for row in rows(house, SeatOffer, state="asked")] == [person_of(house, DORA)]
    assert "Would you take over a seat?" in house.last(DORA).subject
    await house.say(DORA, f"join #{game}")
    assert holder(house, game, gone) == person_of(house, DORA)


async def test_whose_other_account_said_no_keeps_nobody_else_waiting(house: House) -> None:
    game, gone = await deserted(house, CY, EVE, DORA)
    await house.say(CY, f"alternate no #{game}")
    assert offers(house)["Eve"] == "asked"
    await joined(house, CY, EVE)
    await house.say(DORA, f"join #{game}")
    assert holder(house, game, gone) == person_of(house, DORA)
