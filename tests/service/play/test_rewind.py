"""Back to the beginning of a round: exactly the position that it was, everything later undone in public, no
number used again; and misses of a day that was our fault, taken back where nobody has answered since.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from referee import rules
from referee.rules.record import verify
from referee.service.deadlines import clock_state
from referee.store import Deadline, Game, GameEvent, Proposal, Seat, SeatPlan, Undo
from tests.service.playing import asked, legal, lines, running, state, table, to_the_end, told
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
ROOT, ALAN = "matrix:@root:hs", "terminal:alan"
PLAIN = "24h no quiet no nights no vacation"


async def play_to(
    house: House, game: int, number: int, people: list[str], seed: int = 5
) -> dict[int, dict[str, Any]]:
    """Play to somewhere in that round; the positions in which the rounds began."""
    dice = random.Random(seed)
    begun = {running(house, game).round: position(house, game)}
    while running(house, game).round < number:
        await house.say(people[asked(house, game)], dice.choice(legal(house, game)))
        begun.setdefault(running(house, game).round, position(house, game))
    for _ in range(5):
        await house.say(people[asked(house, game)], legal(house, game)[0])
    return begun


def position(house: House, game: int) -> dict[str, Any]:
    """The whole position but for the number of its question."""
    found: dict[str, Any] = rules.dump(state(house, game))
    found.pop("number")
    return found


@pytest.mark.parametrize("command", ["new classic", "new deluxe random", "new original"])
async def test_two_keys_take_the_game_back_to_exactly_what_it_was(ruled: House, command: str) -> None:
    game = await table(ruled, PEOPLE, bots=1, hours=PLAIN, command=command)
    begun = await play_to(ruled, game, 3, [PEOPLE[0], "a bot", *PEOPLE[1:]])
    number, count = running(ruled, game).question, len(lines(ruled, game))
    cast = rules.rulebook(state(ruled, game)).cast
    await ruled.say(PEOPLE[1], f"#{game} prefer {cast[3]}")
    await ruled.say(PEOPLE[1], f"#{game} always prefer {cast[5]}, {cast[4]}")
    await ruled.say(PEOPLE[2], f"#{game} prefer {cast[1]}")
    old = {who: ruled.number(ruled.last(who)) for who in PEOPLE}
    clocks = clock_state.read_clocks(running(ruled, game))
    of_turn = clocks.seat(asked(ruled, game))  # the hours that hold for the turn which is undone
    of_turn.hours, of_turn.stands = ("Asia/Tokyo", ""), True
    ruled.store.write_now(lambda tx: tx.set(Game, game, clocks=clock_state.encode_clocks(clocks)))
    await ruled.say(ROOT, f"rewind #{game} round 2")
    assert position(ruled, game) != begun[2]
    assert "a second key" in ruled.last(ALAN).text
    await ruled.say(ROOT, "second 1")
    assert "somebody else's" in ruled.last(ROOT).text
    await ruled.say(ALAN, "second 1")
    row = running(ruled, game)
    assert position(ruled, game) == begun[2]
    seats = clock_state.read_clocks(row).seats.values()
    assert [(one.hours, one.stands) for one in seats] == [(None, False)] * len(seats)
    assert row.round == 2
    assert row.question > number
    assert told(ruled, game)[-4:-1] == ["proposed", "seconded", "carried"]
    assert told(ruled, game)[-1] == "rewound"
    after = lines(ruled, game)
    assert len(after) == count
    kept = [line.no for line in after if not line.undone]
    assert kept == list(range(1, len(kept) + 1))
    assert 0 < len(kept) < count
    assert ruled.store.read_now(lambda tx: tx.count(Undo, game_id=game)) == 0
    filed = ruled.store.read_now(lambda tx: tx.all(SeatPlan, game_id=game))
    assert [[draft["characters"] for draft in json.loads(one.data)["drafts"]] for one in filed] == [
        [[cast[5], cast[4]]]
    ]
    assert all(
        "is withdrawn" in "".join(letter.text.replace("\n", " ") for letter in ruled.letters(who))
        for who in PEOPLE[1:]
    )
    assert "is withdrawn" not in "".join(
        letter.text.replace("\n", " ") for letter in ruled.letters(PEOPLE[0])
    )
    for who in PEOPLE:
        fresh = [letter for letter in ruled.letters(who) if ruled.number(letter) > old[who]]
        assert any("beginning of round 2" in letter.text.replace("\n", " ") for letter in fresh), who
    assert {
        one.question
        for one in ruled.store.read_now(lambda tx: tx.all(Deadline, game_id=game, done_ms=0))
        if one.kind == "answer"
    } == {row.question}


async def test_an_old_letter_fits_no_question_of_the_round_played_again(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    who = PEOPLE[asked(ruled, game)]
    key = next(button.key for row in ruled.last(who).buttons for button in row)
    await play_to(ruled, game, 2, PEOPLE)
    for said, by in ((f"rewind #{game} round 1", ROOT), ("second 1", ALAN)):
        await ruled.say(by, said)
    assert running(ruled, game).round == 1
    count = len(lines(ruled, game))
    await ruled.press(who, key)
    assert len(lines(ruled, game)) == count
    numbers = [line.question for line in lines(ruled, game)]
    await to_the_end(ruled, game, PEOPLE)
    assert running(ruled, game).status == "over"
    later = [line.question for line in lines(ruled, game)[count:]]
    assert not set(numbers) & set(later)
    await ruled.say(who, f"record #{game}")
    text = ruled.last(who).text
    held = verify(text[text.index("citadels record 2") :].rstrip() + "\n")
    assert held.replayed
    assert held.finished


async def test_all_players_take_it_back_and_one_no_is_enough_against_it(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    begun = await play_to(house, game, 2, PEOPLE)
    await house.say(PEOPLE[1], f"rewind round 1 #{game}")
    await house.say(PEOPLE[0], "vote yes")
    assert position(house, game) != begun[1]
    await house.say(PEOPLE[2], "vote no")
    assert told(house, game)[-2:] == ["voted", "refused"]
    await house.say(PEOPLE[2], f"rewind round 1 #{game}")
    await house.say(PEOPLE[0], "vote yes")
    await house.say(PEOPLE[1], "vote yes")
    assert position(house, game) == begun[1]
    await house.say(PEOPLE[0], f"rewind round 1 #{game}")
    assert "has only just begun" in house.last(PEOPLE[0]).text


async def test_a_plan_that_is_withdrawn_by_it_is_not_announced(ruled: House) -> None:
    game = await table(ruled, PEOPLE, hours=PLAIN)
    await ruled.say(PEOPLE[asked(ruled, game)], legal(ruled, game)[0])
    await ruled.say(PEOPLE[asked(ruled, game)], "prefer any")
    assert ruled.store.read_now(lambda tx: tx.count(Deadline, kind="plan", done_ms=0)) == 1
    await ruled.say(ROOT, f"rewind #{game} round 1")
    await ruled.say(ALAN, "second 1")
    assert ruled.store.read_now(lambda tx: tx.count(Deadline, kind="plan", done_ms=0)) == 0


async def test_silence_takes_nothing_back(house: House) -> None:
    game = await table(house, PEOPLE, hours="72h no bank no quiet no nights no vacation")
    await play_to(house, game, 2, PEOPLE)
    now = position(house, game)
    await house.say(PEOPLE[1], f"rewind round 1 #{game}")
    house.clock.pass_(hours=24)
    await house.referee.scheduler.ring()
    await house.settle()
    assert house.store.read_now(lambda tx: tx.get(Proposal, 1)).state == "lapsed"
    assert position(house, game) == now


async def test_misses_before_the_breaker_trips_are_taken_back_where_nobody_has_answered_since(
    watched: House,
) -> None:
    people = [[f"telegram:a{n}", f"terminal:b{n}"] for n in range(6)]
    games = [await table(watched, pair, hours=PLAIN) for pair in people[:2]]
    watched.clock.pass_(hours=3)
    games += [await table(watched, pair, hours=PLAIN) for pair in people[2:]]
    who = [asked(watched, game) for game in games]
    before = [position(watched, game) for game in games]
    watched.clock.pass_(hours=21.5)
    assert await watched.referee.scheduler.ring() > 0  # two misses are only misses
    await watched.settle()
    missed = [game for game in games if lines(watched, game)]
    assert missed == games[:2]
    other = asked(watched, games[1])
    assert other != who[1]
    await watched.say(people[1][other], legal(watched, games[1])[0])
    watched.clock.pass_(hours=3)
    await watched.referee.scheduler.ring()
    await watched.settle()
    forgiven = [
        json.loads(row.facts)
        for row in watched.store.read_now(lambda tx: tx.all(GameEvent, name="miss_forgiven", order="game_id"))
    ]
    assert forgiven == [{"seat": who[0], "answer": True}, {"seat": who[1], "answer": False}]
    assert position(watched, games[0]) == before[0]
    assert asked(watched, games[0]) == who[0]
    assert [bool(line.undone) for line in lines(watched, games[0])] == [True]
    assert position(watched, games[1]) != before[1]
    for game, seat in zip(games[:2], who[:2], strict=True):
        assert clock_state.read_clocks(running(watched, game)).seat(seat).misses == 0
        assert (
            watched.store.read_now(
                lambda tx, game=game, seat=seat: tx.one(Seat, game_id=game, no=seat)
            ).misses
            == 0
        )
    full = clock_state.policy_of(running(watched, games[1])).bank_hours * 3_600_000
    assert clock_state.read_clocks(running(watched, games[1])).seat(who[1]).bank in (-1, full)
    assert all(not lines(watched, game) for game in games[2:])
    await watched.say(ROOT, "resume all")
    count = watched.store.read_now(lambda tx: tx.count(GameEvent, name="miss_forgiven"))
    watched.clock.pass_(hours=1)
    await watched.referee.scheduler.ring()
    assert watched.store.read_now(lambda tx: tx.count(GameEvent, name="miss_forgiven")) == count == 2


async def test_a_seat_that_is_nobodys_by_then_stays_on_offer_when_its_miss_is_taken_back(
    watched: House,
) -> None:
    people = [[f"telegram:a{n}", f"terminal:b{n}"] for n in range(6)]
    first = await table(watched, people[0], hours=PLAIN)
    watched.clock.pass_(hours=3)
    for pair in people[1:]:
        await table(watched, pair, hours=PLAIN)
    gone = asked(watched, first)
    watched.clock.pass_(hours=21.5)
    await watched.referee.scheduler.ring()
    await watched.say(ROOT, f"kick {people[0][gone].partition(':')[2]} #{first}")
    assert told(watched, first)[-1] == "kicked"
    watched.clock.pass_(hours=3)
    await watched.referee.scheduler.ring()
    assert watched.store.read_now(lambda tx: tx.count(Deadline, kind="amends")) == 1
    seat = clock_state.read_clocks(running(watched, first)).seat(gone)
    assert (seat.probation, seat.offered) == (True, True), "a table would wait for nobody"
    assert [bool(line.undone) for line in lines(watched, first)] == [False]
    await watched.say("terminal:eve", f"join #{first}")
    assert told(watched, first)[-1] == "taken_over"
