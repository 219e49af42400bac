"""Plans by message: filed, shown, withdrawn, answering when their seat is asked, and nobody else the
wiser.
"""

from __future__ import annotations

import json
import logging
import random
from pathlib import Path
from typing import Any

import pytest

from referee import rules
from referee.plans import FREE, load
from referee.service.play import moves
from referee.store import Deadline, GameEvent, Journal, Outbox, Seat, SeatPlan
from tests import books
from tests.seeds import share
from tests.service.joining import joined
from tests.service.playing import asked, legal, rows, running, table
from tests.service.rig import Clock, House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]
FULL = """always prefer King, any
always otherwise: gold; try build dearest; end"""


async def ring(house: House, seconds: float = 600) -> None:
    """Let some time pass, and the bell ring."""
    house.clock.pass_(seconds=seconds)
    await house.referee.scheduler.ring()
    await house.settle()


def of_kind(house: House, kind: str) -> list[Outbox]:
    return rows(house, Outbox, kind=kind)


async def test_a_plan_is_echoed_shown_and_withdrawn(house: House) -> None:
    game = await table(house, PEOPLE)
    other = (asked(house, game) + 1) % 4
    who = PEOPLE[other]
    await house.say(who, "prefer King, Bishop\notherwise: gold; build dearest; end")
    assert "as I understand it" in house.last(who).text
    assert "King or Bishop" in house.last(who).text
    assert "build dearest; end" in house.last(who).text, house.last(who).text
    assert len(load(json.loads(rows(house, SeatPlan)[0].data)).scripts) == 1
    await house.say(who, "my plan")
    assert "Bishop" in house.last(who).text
    await house.say(who, f"#{game} cancel plan")
    assert "withdrawn" in house.last(who).text
    assert load(json.loads(rows(house, SeatPlan)[0].data)).empty
    assert {row.seat for row in of_kind(house, "plan")} == {other}
    assert {(row.channel, row.address) for row in of_kind(house, "plan")} == {tuple(who.split(":", 1))}


async def test_a_plan_that_cannot_be_read_any_more_stops_no_game(house: House) -> None:
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    await house.say(PEOPLE[seat], "prefer any")
    house.store.write_now(lambda tx: tx.change(SeatPlan, {"seat": seat}, data='{"schema": 99}'))
    await ring(house)
    assert "Now: " in house.last(PEOPLE[seat]).text or "Your answer: " in house.last(PEOPLE[seat]).text
    await house.say(PEOPLE[seat], legal(house, game)[0])
    assert running(house, game).status == "running"
    assert asked(house, game) != seat


async def test_the_echo_leaves_nothing_out(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    steps = [
        f"try build {name}"
        for name in (
            "Docks",
            "Tavern",
            "Market",
            "Temple",
            "Church",
            "Monastery",
            "Cathedral",
            "Manor",
            "Castle",
            "Palace",
            "Watchtower",
            "Prison",
            "Barracks",
            "Fortress",
            "Harbor",
        )
    ]
    await house.say(who, "otherwise: gold; " + "; ".join(steps) + "; end")
    assert "; ".join(steps) in " ".join(house.last(who).text.split())


async def test_wrong_lines_are_named_and_nothing_is_filed(house: House) -> None:
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, "prefer King\nwhen Ghost: gold; end\nbuy never")
    assert "Nothing of this plan was filed" in house.last(who).text
    assert "Ghost" in house.last(who).text
    assert not rows(house, SeatPlan)
    await house.say(who, "when Warlord: end")
    assert "Nothing of this plan was filed" in house.last(who).text
    assert not rows(house, SeatPlan)
    assert not rows(house, Deadline, kind="plan")


async def test_the_list_answers_after_its_delay_and_not_before(house: House) -> None:
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    await house.say(PEOPLE[seat], "prefer any")
    assert "in a little while" in house.last(PEOPLE[seat]).text
    due = rows(house, Deadline, kind="plan", done_ms=0)
    assert [row.seat for row in due] == [seat]
    assert house.clock() <= due[0].due_ms <= house.clock() + 300_000
    before = running(house, game).move_no
    house.clock.at_ms = due[0].due_ms - 1
    await house.referee.scheduler.ring()
    assert running(house, game).move_no == before
    await ring(house, 1)
    mine = rows(house, Journal, by="plan")
    assert [(row.seat, row.cause) for row in mine] == [(seat, before)]
    assert asked(house, game) != seat


async def test_whoever_has_a_plan_is_not_asked_before_it_stops(house: House) -> None:
    game = await table(house, PEOPLE)
    first = asked(house, game)
    following = (first + 1) % 4
    await house.say(PEOPLE[following], "prefer any\nask me if hand >= 1")
    told = len(house.letters(PEOPLE[following]))
    await house.say(PEOPLE[first], legal(house, game)[0])
    assert asked(house, game) == following
    assert "You wanted to be asked" in house.last(PEOPLE[following]).text
    assert len(house.letters(PEOPLE[following])) == told + 1
    assert not rows(house, Deadline, kind="plan", done_ms=0)
    third = (first + 2) % 4
    await house.say(PEOPLE[third], "prefer any")
    told = len(house.letters(PEOPLE[third]))
    await house.say(PEOPLE[following], legal(house, game)[0])
    assert asked(house, game) == third
    assert len(house.letters(PEOPLE[third])) == told
    await ring(house)
    assert asked(house, game) not in (third, following)
    assert len(house.letters(PEOPLE[third])) == told


async def test_nobody_puts_anothers_plan_off_by_filing_one(house: House) -> None:
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    await house.say(PEOPLE[seat], "prefer any")
    before = rows(house, Deadline, kind="plan", done_ms=0)
    house.clock.pass_(seconds=5)
    await house.say(PEOPLE[(seat + 1) % 4], "prefer King")
    after = rows(house, Deadline, kind="plan", done_ms=0)
    assert [(one.seat, one.due_ms) for one in after] == [(seat, before[0].due_ms)]


async def test_a_plan_steps_aside_for_its_player(house: House) -> None:
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    await house.say(PEOPLE[seat], "prefer any")
    await house.say(PEOPLE[seat], legal(house, game)[0])
    assert not rows(house, Deadline, kind="plan", done_ms=0)
    await ring(house)
    assert not rows(house, Journal, by="plan")


async def test_a_withdrawn_plan_leaves_the_question_to_its_player(house: House) -> None:
    game = await table(house, PEOPLE)
    first = asked(house, game)
    following = (first + 1) % 4
    await house.say(PEOPLE[following], "prefer any")
    await house.say(PEOPLE[first], legal(house, game)[0])
    assert rows(house, Deadline, kind="plan", done_ms=0)
    await house.say(PEOPLE[following], "cancel plan")
    assert not rows(house, Deadline, kind="plan", done_ms=0)
    assert any(
        "Now: " in letter.text or "Your answer: " in letter.text
        for letter in house.letters(PEOPLE[following])[-2:]
    )


async def test_two_plans_from_two_channels_at_once(house: House) -> None:
    game = await table(house, PEOPLE)
    await joined(house, "telegram:ana", "terminal:ana2")
    seat = next(s.no for s in rows(house, Seat, game_id=game) if s.name == "Ana")
    await house.say("telegram:ana", "always prefer King")
    assert "as I understand it" in house.last("terminal:ana2").text  # the echo is told on every channel
    await house.say("terminal:ana2", "always prefer Bishop")
    for who in ("terminal:ana2", "telegram:ana"):
        assert "contradict each other" in house.last(who).text
        assert "> always prefer Bishop" in house.last(who).text
    kept = load(json.loads(rows(house, SeatPlan, seat=seat)[0].data))
    assert [draft.characters for draft in kept.drafts] == [("King",)]
    house.clock.pass_(seconds=10)
    await house.say("terminal:ana2", "always prefer Bishop")
    kept = load(json.loads(rows(house, SeatPlan, seat=seat)[0].data))
    assert [draft.characters for draft in kept.drafts] == [("Bishop",)]


async def test_plans_said_in_a_room_are_none(house: House) -> None:
    await table(house, PEOPLE)
    await house.say("telegram:ana", "prefer King", place="room")
    await house.say("telegram:ana", "prefer King", place="room", mentioned=True)
    assert not rows(house, SeatPlan)
    assert not of_kind(house, "plan")


async def test_a_missed_answer_is_given_by_the_plan(house: House) -> None:
    """The plan's own delay was lost, as when its row was stopped by hand: the deadline still finds the
    plan.
    """
    game = await table(house, PEOPLE)
    seat = asked(house, game)
    last = legal(house, game)[-1].removeprefix("pick ")
    await house.say(PEOPLE[seat], f"prefer {last}")
    house.store.write_now(lambda tx: tx.change(Deadline, {"kind": "plan", "done_ms": 0}, done_ms=1))
    await ring(house, 25 * 3600)
    mine = rows(house, Journal, game_id=game, seat=seat)
    assert [(row.order, row.by) for row in mine][:1] == [(f"pick {last}", "plan")]
    assert not rows(house, GameEvent, game_id=game, name="stand_in")


def golden(house: House) -> list[Any]:
    """Where a plan took gold."""
    return [row for row in rows(house, Journal, by="plan") if row.order == "gold"]


async def test_a_turn_by_plan_can_be_taken_back_by_its_player(house: House) -> None:
    game = await table(house, PEOPLE)
    for who in PEOPLE:
        await house.say(who, "prefer any\notherwise: gold")
    for _ in range(40):
        if golden(house):
            break
        await (
            ring(house)
            if rows(house, Deadline, kind="plan", done_ms=0)
            else house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
        )
    seat = golden(house)[-1].seat
    assert asked(house, game) == seat
    assert "the turn is still yours" in house.last(PEOPLE[seat]).text
    await house.say(PEOPLE[seat], "undo")
    assert [row for row in golden(house) if row.undone]
    assert not rows(house, Deadline, kind="plan", done_ms=0)
    await ring(house)
    assert asked(house, game) == seat
    assert "gold" in legal(house, game)


def at_the_end(seed: int) -> tuple[rules.State, list[Seat], int]:
    """A turn that could be ended, with a free benefit still to take."""
    dice = random.Random(seed)
    state = rules.new_game(rules.Setup("classic", ("Ana", "Bea", "Cy", "Dan")), bytes([seed] * 32)).state
    for _ in range(3000):
        ask = rules.asks(state)[0]
        verbs = {move.verb for move in ask.moves if not move.args}
        if "end" in verbs and verbs & set(FREE):
            return (
                state,
                [Seat(game_id=1, no=n, name=name) for n, name in enumerate(("Ana", "Bea", "Cy", "Dan"))],
                ask.seat,
            )
        state = rules.play(
            state,
            ask.seat,
            dice.choice([move for move in ask.moves if move.verb not in FREE] or list(ask.moves)),
        ).state
    raise AssertionError("no such turn")


@pytest.mark.parametrize("seed", share(range(6)))
def test_end_takes_what_was_forgotten_unless_it_is_said_with_force(seed: int) -> None:
    state, seats, seat = at_the_end(seed)
    done = moves.attempt(state, seats, seat, ["end"], moves.Hearing())
    mine = [step.order for step in done.steps if step.seat == seat]
    assert mine[-1] == "end"
    assert mine[:-1]
    assert set(mine[:-1]) <= set(FREE)
    for chunk, free in (("end!", True), ("end !", True), ("end", False)):
        bare = moves.attempt(state, seats, seat, [chunk], moves.Hearing(), free=free)
        assert [step.order for step in bare.steps if step.seat == seat] == ["end"]


async def test_a_whole_game_by_plans_takes_few_visits(house: House) -> None:
    """Four players file one plan each, and look only when they are asked."""
    game = await table(house, PEOPLE)
    for who in PEOPLE:
        await house.say(who, FULL)
        assert "as I understand it" in house.last(who).text, house.last(who).text
    visits = 0
    for _ in range(2000):
        now = running(house, game)
        if now.status != "running":
            break
        if rows(house, Deadline, game_id=game, kind="plan", done_ms=0):
            await ring(house)
            continue
        visits += 1
        await house.say(PEOPLE[asked(house, game)], legal(house, game)[0])
    assert running(house, game).status == "over"
    played = rows(house, Journal, game_id=game)
    by_plan = sum(row.by == "plan" for row in played)
    assert by_plan > 3 * visits, (by_plan, visits)
    assert all((row.cause is not None) == (row.by == "plan") for row in played)
    await house.say(PEOPLE[0], f"record #{game}")
    assert "plan" not in house.last(PEOPLE[0]).text.casefold()


async def twin(house: House, path: Path) -> House:
    """The same installation once more, with the same memory and the same hour."""
    await house.close()
    books.twin(house.path, path)
    await house.open()
    return await House(path, Clock(house.clock())).open()


def seen(house: House, but: str) -> list[tuple[str, str, Any]]:
    """All that went out to anybody else."""
    return [
        (wire.name, letter.text, [[b.order for b in row] for row in letter.buttons])
        for wire in house.wires.values()
        for letter in wire.sent
        if letter.address != but.partition(":")[2]
    ]


async def test_nobody_else_can_tell_a_plan_from_its_player(house: House, tmp_path: Path) -> None:
    """One game twice: here a player's plan answers, there the player, at the same moments."""
    people = ["telegram:ana", "matrix:@bea:hs", "terminal:cy", "terminal:dan"]
    game = await table(house, people)
    planner = people[asked(house, game)]
    await house.say(planner, "always otherwise: gold; end!")
    await house.say(planner, "always prefer any")
    other = await twin(house, tmp_path / "twin.db")
    other.store.write_now(lambda tx: tx.drop(SeatPlan) or tx.drop(Deadline, kind="plan"))
    try:
        by_plan = letters = 0
        for wire in house.wires.values():
            wire.sent.clear()
        for n in range(40):
            who, number = people[asked(house, game)], running(house, game).move_no
            due = rows(house, Deadline, kind="plan", done_ms=0)
            if due:
                assert who == planner
                house.clock.at_ms = other.clock.at_ms = due[0].due_ms
                await house.referee.scheduler.ring()
                await house.settle()
                typed = "; ".join(row.order for row in rows(house, Journal) if row.no > number).replace(
                    "end", "end!"
                )
                by_plan += 1
            else:
                typed = legal(house, game)[0]
                await house.say(who, typed)
            await other.say(who, typed, key=f"twin-{n}")
            assert running(house, game).snapshot == running(other, game).snapshot
            said = [seen(one, planner) for one in (house, other)]
            assert said[0] == said[1]
            letters += len(said[0])
            for wire in (*house.wires.values(), *other.wires.values()):
                wire.sent.clear()
        assert by_plan >= 2
        assert letters >= 20
    finally:
        await other.close()


async def test_who_reads_the_log_learns_of_no_plan(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """An admin who plays there may read it: neither the message nor the letters that it brought say so."""
    game = await table(house, PEOPLE)
    caplog.set_level(logging.INFO)
    for words in ("prefer King, Bishop", "plan", "my plan"):
        await house.say(PEOPLE[(asked(house, game) + 1) % 4], words)
    assert {row.kind for row in rows(house, Outbox)} >= {"plan", "plan_menu"}
    told = [{**vars(one), "line": one.getMessage()} for one in caplog.records]
    assert any(one.get("kind") == "" for one in told)
    kinds = {one.get("kind") for one in told} | {one.get("wish") for one in told}
    assert not [one for one in kinds if one and "plan" in one]
    assert not [one for one in told if "plan" in one["line"]]
