"""Acts of those in charge: pauses and plans, kick, replace, process now; each a public event, nothing at a
wrong moment.
"""

from __future__ import annotations

import pytest

from referee.ports import Fate, Receipt
from referee.service.deadlines import clock_state
from referee.store import Deadline, Proposal, Seat, SeatPlan
from tests.service.playing import asked, event, legal, lines, ring, running, table, told, turn_to
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
ROOT, ALAN = "matrix:@root:hs", "terminal:alan"
HOUR = 3_600_000
PLAIN = "24h no quiet no nights no vacation"


def due(house: House, game: int) -> int:
    row = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0))
    assert row is not None
    return row.due_ms


def text(house: House, who: str) -> str:
    return house.last(who).text.replace("\n", " ")


async def test_pause_resume_extend_are_public_and_move_the_deadline(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    before = due(ruled, game)
    await ruled.say(ROOT, f"pause #{game}")
    ruled.clock.pass_(hours=30)
    assert await ring(ruled) == 0, "a reminder in a pause"
    await ruled.say(ROOT, f"resume #{game}")
    assert due(ruled, game) == before + 30 * HOUR
    await ruled.say(ROOT, f"extend 24h #{game}")
    assert due(ruled, game) == before + 54 * HOUR
    assert told(ruled, game)[-3:] == ["paused", "unpaused", "extended"]
    assert event(ruled, game, "extended") == {"seat": None, "by": "root", "hours": 24.0}
    await ruled.say(PEOPLE[1], f"extend 24h #{game}")
    assert "Only the one who opened the table" in text(ruled, PEOPLE[1])
    assert due(ruled, game) == before + 54 * HOUR


async def test_a_pause_ends_when_the_policy_says_so_and_there_is_no_other(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=f"{PLAIN} pause 2d")
    before = due(ruled, game)
    await ruled.say(ROOT, f"pause #{game}")
    await ruled.say(ROOT, f"pause #{game}")
    assert "paused already" in text(ruled, ROOT)
    ruled.clock.pass_(hours=47)
    assert await ring(ruled) == 0
    ruled.clock.pass_(hours=1)
    assert await ring(ruled) == 1
    assert event(ruled, game, "unpaused")["why"] == "spent"
    assert due(ruled, game) == before + 48 * HOUR
    await ruled.say(ROOT, f"pause #{game}")
    assert "its policy allows no more" in text(ruled, ROOT)
    other = await table(ruled, ["terminal:dan", "terminal:eve"], hours=f"{PLAIN} pause 0d")
    await ruled.say(ROOT, f"pause #{other}")
    assert "knows no pauses" in text(ruled, ROOT)
    await ruled.say(ROOT, "pause #99")
    assert "There is no game #99" in text(ruled, ROOT)


async def test_a_plan_does_not_answer_in_a_pause_but_after_it(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    who = asked(ruled, game)
    await ruled.say(PEOPLE[who], "prefer any")
    assert ruled.store.read_now(lambda tx: tx.count(Deadline, kind="plan", done_ms=0)) == 1
    await ruled.say(ROOT, f"pause #{game}")
    ruled.clock.pass_(hours=3)
    assert await ring(ruled) == 0
    assert asked(ruled, game) == who
    later = next(one for one in range(3) if one != who)
    await ruled.say(PEOPLE[later], f"#{game} prefer any")
    ruled.clock.pass_(hours=3)
    assert await ring(ruled) == 0
    await ruled.say(ROOT, f"resume #{game}")
    ruled.clock.pass_(hours=0.1)
    await ring(ruled)
    assert next(line.by for line in lines(ruled, game)) == "plan"
    assert "paused" in told(ruled, game)


async def test_in_a_pause_the_absent_are_not_played_for(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours="live")
    gone = asked(ruled, game)
    ruled.clock.pass_(hours=0.6)
    await ring(ruled)
    assert clock_state.read_clocks(running(ruled, game)).seat(gone).probation
    await ruled.say(ROOT, f"pause #{game}")
    for _ in range(8):
        if asked(ruled, game) == gone:
            break
        await ruled.say(PEOPLE[asked(ruled, game)], legal(ruled, game)[0])
    ruled.clock.pass_(hours=5)
    assert await ring(ruled) == 0
    await ruled.say(ROOT, f"resume #{game}")
    ruled.clock.pass_(hours=0.2)
    assert await ring(ruled) > 0


async def test_who_takes_a_seat_is_not_told_as_theirs_what_became_of_its_player(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await turn_to(ruled, game, PEOPLE, 1)
    ruled.clock.pass_(hours=25)
    await ring(ruled)
    await ruled.say(PEOPLE[0], f"kick Bea #{game}")
    await ruled.say(ROOT, f"kick Bea #{game}")
    await ruled.say("terminal:eve", f"join #{game}")
    said = "".join(one.text for one in ruled.letters("terminal:eve")).replace("\n", " ")
    for foreign in ("took you", "asks to", "Your time was up", "You play on with somebody else"):
        assert foreign not in said
    assert "You took this seat over" in said
    assert "You received" in said, "what the seat was told, and the game so far"
    await ruled.say(PEOPLE[2], f"history #{game}")
    assert "bea plays on with somebody else in the seat" in text(ruled, PEOPLE[2])


async def test_kicked_a_stand_in_plays_until_somebody_sits_down(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await turn_to(ruled, game, PEOPLE, 1)
    await ruled.say(PEOPLE[1], "always prefer King")
    await ruled.say(ROOT, f"kick BEA #{game}")
    seat = ruled.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1))
    assert seat.person_id is None
    assert ruled.store.read_now(lambda tx: tx.count(SeatPlan, game_id=game)) == 0
    assert event(ruled, game, "kicked") == {"seat": None, "by": "root", "player": 1}
    assert "was taken away" in text(ruled, PEOPLE[1])
    await ruled.say(PEOPLE[1], f"#{game} {legal(ruled, game)[0]}")
    assert "no seat" in text(ruled, PEOPLE[1])
    await ruled.say(PEOPLE[1], f"join #{game}")
    assert "can't come back" in text(ruled, PEOPLE[1])
    ruled.clock.pass_(hours=0.2)
    await ring(ruled)
    assert [line.by for line in lines(ruled, game) if line.seat == 1][-1] == "caretaker"
    await ruled.say(ROOT, f"kick Bea #{game}")
    assert "Nobody sits in the seat" in text(ruled, ROOT)
    await ruled.say("terminal:dan", f"join #{game}")
    assert ruled.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=1)).person_id is not None
    await turn_to(ruled, game, [PEOPLE[0], "terminal:dan", PEOPLE[2]], 1)
    assert "taken_over" in told(ruled, game)


async def test_bad_acts_are_answered_and_nothing_is_done(ruled: House) -> None:
    game = await table(ruled, PEOPLE[:2], bots=1, hours=PLAIN)
    before = told(ruled, game)
    (bot,) = (s.name for s in ruled.store.read_now(lambda tx: tx.all(Seat, game_id=game)) if s.bot)
    for who, said, answer in (
        (ROOT, f"kick {bot} #{game}", "is a bot"),
        (ROOT, f"replace {bot} #{game}", "is a bot"),
        (ROOT, f"kick Zed #{game}", "Nobody at this table is called"),
        (PEOPLE[0], f"kick Ana #{game}", "your own seat"),
        (PEOPLE[1], f"kick Ana #{game}", "Only the one who opened"),
        (PEOPLE[1], f"process #{game}", "Only the one who opened"),
        (ROOT, f"rewind #{game} round 7", "no round 7"),
        (ROOT, f"rewind #{game} round 0", "no round 0"),
        (ROOT, f"rewind #{game} now", "now"),
        (ROOT, f"process q999 #{game}", "is closed"),
        (ROOT, f"process soon #{game}", "soon"),
        (ROOT, "kick Ana", "no game"),
        (ROOT, f"kick #{game}", "missing"),
    ):
        await ruled.say(who, said)
        assert answer in text(ruled, who), said
    assert told(ruled, game) == before
    assert ruled.store.read_now(lambda tx: tx.count(Proposal)) == 0


async def test_a_playing_creator_kicks_only_with_the_others_or_a_second_key(ruled: House) -> None:
    game = await table(ruled, [*PEOPLE, "terminal:dan"], hours=PLAIN)
    await ruled.say(PEOPLE[0], f"kick Cy #{game}")
    assert "It is about your seat" in text(ruled, PEOPLE[2])
    assert not [button for row in ruled.last(PEOPLE[2]).buttons for button in row]
    await ruled.say(PEOPLE[2], "vote no 1")
    assert "the others decide" in text(ruled, PEOPLE[2])
    ruled.clock.pass_(hours=24)
    await ring(ruled)
    assert told(ruled, game)[-2:] != ["carried", "kicked"], "silence is no yes here"
    assert "lapsed" in told(ruled, game)
    ruled.clock.pass_(hours=24)
    await ruled.say(PEOPLE[0], f"kick Cy #{game}")
    await ruled.say("terminal:dan", "vote yes")
    assert "kicked" in told(ruled, game)
    assert ruled.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=2)).person_id is None


async def test_who_opened_a_table_for_two_does_not_take_the_other_seat_by_their_word(ruled: House) -> None:
    game = await table(ruled, PEOPLE[:2], bots=1, hours=PLAIN)
    for number, act in enumerate(("kick", "replace"), 1):
        await ruled.say(PEOPLE[0], f"{act} Bea #{game}")
        assert f"Vote {number} is open" in text(ruled, PEOPLE[0])
    assert told(ruled, game)[-2:] == ["proposed", "proposed"]
    ruled.clock.pass_(hours=23.9)
    await ruled.say(ROOT, "second 2")
    assert "seat_offered" in told(ruled, game)
    ruled.clock.pass_(hours=0.1)
    await ring(ruled)
    assert "lapsed" in told(ruled, game)
    assert "kicked" not in told(ruled, game)


@pytest.mark.parametrize("word", ["here", "an answer"])
async def test_an_offer_that_was_decided_on_outlasts_its_players_return(ruled: House, word: str) -> None:
    game = await table(ruled, PEOPLE, hours=f"{PLAIN} no bank excuse 0 probation 1 replace 2")
    await ruled.say("terminal:dan", f"alternate #{game}")
    await ruled.say(ROOT, f"replace Bea #{game}")
    await turn_to(ruled, game, PEOPLE, 1)
    ruled.clock.pass_(hours=24.1)
    await ring(ruled)
    assert "probation" in told(ruled, game)
    await turn_to(ruled, game, PEOPLE, 1)
    await ruled.say(PEOPLE[1], word if word == "here" else legal(ruled, game)[0])
    assert "back" in told(ruled, game)
    assert "withdrawn" not in text(ruled, "terminal:dan")
    await ruled.say("terminal:dan", f"join #{game}")
    assert told(ruled, game)[-1] == "taken_over"
    late = clock_state.read_clocks(running(ruled, game)).seat(1)
    assert (late.offered, late.decided) == (False, False), "it was about the player before"


async def test_a_seat_is_offered_while_its_player_plays_on(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await ruled.say(ROOT, f"replace Bea #{game}")
    assert event(ruled, game, "seat_offered")["player"] == 1
    await turn_to(ruled, game, PEOPLE, 1)
    await ruled.say(PEOPLE[1], legal(ruled, game)[0])
    await ruled.say(ROOT, f"replace Bea #{game}")
    assert "on offer already" in text(ruled, ROOT)
    await ruled.say("terminal:dan", f"join #{game}")
    assert "Somebody else plays on" in text(ruled, PEOPLE[1])


async def test_process_now_names_the_window_and_costs_no_miss(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    who = asked(ruled, game)
    await ruled.say(ROOT, f"process #{game}")
    number = running(ruled, game).question
    assert f"process q{number} #{game}" in text(ruled, ROOT)
    assert running(ruled, game).question == number
    await ruled.say(ROOT, f"process q{number} #{game}")
    assert lines(ruled, game)[0].by == "clock"
    assert asked(ruled, game) != who
    assert ruled.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=who)).misses == 0
    assert event(ruled, game, "processed") == {"seat": None, "by": "root", "window": number, "players": [who]}
    heard = " ".join("".join(one.text for one in ruled.letters(PEOPLE[who])).split())
    assert "root did not wait any longer for you" in heard
    assert "The referee gave the dullest answer for you." in heard
    assert "time was up" not in heard
    after = len(lines(ruled, game))
    await ruled.say(ROOT, f"process q{number} #{game}")
    assert f"q{number} is closed" in text(ruled, ROOT)
    assert len(lines(ruled, game)) == after
    await ruled.say(ROOT, f"pause #{game}")
    await ruled.say(ROOT, f"process q{running(ruled, game).question} #{game}")
    assert "paused already" in text(ruled, ROOT)


async def test_a_vote_on_a_window_that_has_closed_meanwhile_comes_to_nothing(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    number = running(ruled, game).question
    await ruled.say(PEOPLE[0], f"process q{number} #{game}")
    await ruled.say(PEOPLE[asked(ruled, game)], legal(ruled, game)[0])
    after = len(lines(ruled, game))
    await ruled.say(ROOT, "second 1")
    assert len(lines(ruled, game)) == after
    assert told(ruled, game)[-2:] == ["seconded", "lapsed"]
    assert "has come to nothing" in "".join(letter.text for letter in ruled.letters(PEOPLE[0]))
    await ruled.say(PEOPLE[0], f"process q{running(ruled, game).question} #{game}")
    assert "Vote 2 is open" in text(ruled, PEOPLE[0]), "the others did not turn that down"


async def test_no_letter_tells_a_kicked_player_what_the_seat_holds(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await turn_to(ruled, game, PEOPLE, 0)
    wire = ruled.wires["matrix"]
    wire.fate = lambda letter: Receipt(Fate.LATER, retry_ms=60_000)
    while asked(ruled, game) != 1:
        await ruled.say(PEOPLE[asked(ruled, game)], legal(ruled, game)[0])
    await ruled.say(ALAN, f"kick Bea #{game}")
    before = len(ruled.letters(PEOPLE[1]))
    wire.fate = None
    ruled.clock.pass_(hours=1)
    await ring(ruled)
    await ruled.say(ALAN, f"process q{running(ruled, game).question} #{game}")
    told = [letter.text for letter in ruled.letters(PEOPLE[1])[before:]]
    assert len(told) == 1
    assert "was taken away" in told[0]
    assert "Your hand" not in told[0]


async def test_what_waits_for_one_player_is_not_told_to_the_next_nor_lost(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await turn_to(ruled, game, PEOPLE, 0)
    wire, held = ruled.wires["matrix"], ["@bea:hs"]
    taken = Receipt(Fate.SENT)
    wire.fate = lambda one: Receipt(Fate.LATER, retry_ms=60_000) if one.address in held else taken
    while asked(ruled, game) != 1:
        await ruled.say(PEOPLE[asked(ruled, game)], legal(ruled, game)[0])
    await ruled.say(PEOPLE[0], f"tell Bea for you alone #{game}")
    await ruled.say(ALAN, f"replace Bea #{game}")
    dan = "matrix:@dan:hs"
    await ruled.say(dan, f"join #{game}")
    await ruled.say(PEOPLE[0], f"tell Bea welcome #{game}")
    assert "Your hand" in "".join(letter.text for letter in ruled.letters(dan))
    wire.fate, before = None, len(ruled.letters(PEOPLE[1]))
    ruled.clock.pass_(hours=1)
    await ring(ruled)
    got = "".join(letter.text for letter in ruled.letters(dan))
    assert "welcome" in got
    assert "for you alone" not in got
    old = "".join(letter.text for letter in ruled.letters(PEOPLE[1])[before:])
    assert "for you alone" in old
    assert "Your hand" not in old
    assert "welcome" not in old


async def test_who_takes_a_seat_is_not_told_of_a_plan_that_went_with_the_one_before(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    seat, dan = asked(ruled, game), "terminal:dan"
    await ruled.say(PEOPLE[seat], "prefer any")
    await ruled.say(ROOT, f"replace {['Ana', 'Bea', 'Cy'][seat]} #{game}")
    await ruled.say(dan, f"join #{game}")
    assert "Your plan" not in text(ruled, dan)
    assert ruled.store.read_now(lambda tx: tx.count(Deadline, kind="plan", done_ms=0)) == 0


async def test_signs_alone_name_nobody_but_who_is_called_so(ruled: House) -> None:
    await ruled.say("telegram:eve", "name 🙂")
    game = await table(ruled, [*PEOPLE[:2], "telegram:eve"], hours=PLAIN)
    for said in ("???", "🎲"):
        await ruled.say(ROOT, f"replace {said} #{game}")
        assert "Nobody at this table is called" in text(ruled, ROOT), said
    await ruled.say(ROOT, f"replace 🙂 #{game}")
    assert event(ruled, game, "seat_offered")["player"] == 2


async def test_an_empty_seat_lets_no_table_gather_anew(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=f"{PLAIN} no bank restart")
    first = asked(ruled, game)
    await ruled.say(ROOT, f"kick {['Ana', 'Bea', 'Cy'][(first + 1) % 3]} #{game}")
    ruled.clock.pass_(hours=24.1)
    await ring(ruled)
    assert running(ruled, game).status == "running"
    assert lines(ruled, game)[0].by == "clock"


async def test_no_plan_of_a_seat_that_is_taken_away_rings(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    who = asked(ruled, game)
    await ruled.say(PEOPLE[who], "prefer any")
    assert ruled.store.read_now(lambda tx: tx.count(Deadline, kind="plan", done_ms=0)) == 1
    await ruled.say(
        ROOT, f"kick {ruled.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=who)).name} #{game}"
    )
    assert ruled.store.read_now(lambda tx: tx.count(Deadline, kind="plan", done_ms=0)) == 0
