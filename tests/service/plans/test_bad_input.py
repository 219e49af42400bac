"""What can be wrong with a plan: each is answered with what is wrong, and nothing is half armed."""

from __future__ import annotations

from itertools import product

from referee.store import Deadline, SeatPlan
from tests.service.playing import asked, rows, running, table
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs", "mail:cy@x.test", "terminal:dan"]
KEPT = "always prefer King"


#: what is wrong, and what is said of it
WRONG = [
    ("prefer King, Ghost", "There is no card “ghost”"),
    ("prefer Kign", "Did you mean King?"),
    ("prefer Witch", "Witch"),
    ("when King: gold; build Pallace; end", "Palace"),
    ("prefer King if gold >= 4 and gold < 3", "“gold >= 4 and gold < 3” can never hold"),
    ("prefer King if I have the crown and Bea has the crown and Dan has the crown", "can never hold"),
    ("buy if cost > 20", "can never hold"),
    ("prefer King if King is faceup", "can never hold"),
    ("when Warlord: end", "the turn can't be ended before: gold or cards"),
    ("otherwise: try gold; end", "the turn can't be ended before: gold or cards"),
    ("when King: gold; end; build Docks", "stands after the end of the turn"),
    ("when King: build Docks; gold; end", "comes before gold or cards"),
    ("when King: gold; cards; end", "once in a turn"),
    ("when King: gold; kill Thief; end", "needs Assassin"),
    ("when King gold; end", "there must be a colon"),
    ("when King: gold; end\nwhen King: cards; end", "contradicts"),
    ("buy always\nbuy never", "contradicts"),
    ("prefer King\ncancel prefer", "contradicts"),
    ("prefer to discard King", "only where two play"),
    ("ask me if", "could not read the condition"),
    ("ask me if the moon is full", "could not read the condition"),
    ("keep dearest never", "can't be refused"),
    ("free benefits perhaps", "free benefits on, or free benefits off"),
    ("when Zoë has the crown: gold; end", "There is no card"),
    ("prefer " + "King, " * 1900 + "Bishop", "200 letters at most"),
]


async def test_each_is_named_and_nothing_of_the_message_is_filed(house: House) -> None:
    """By itself, and behind a line that is right."""
    game = await table(house, PEOPLE)
    who = PEOPLE[asked(house, game)]
    await house.say(who, KEPT)
    kept, due = rows(house, SeatPlan), rows(house, Deadline, kind="plan", done_ms=0)
    plans, faults = [(row.data, row.memory, row.filed_ms) for row in kept], []
    for good, (line, said) in product(("", "buy never\n"), WRONG):
        house.clock.pass_(seconds=60)
        await house.say(who, good + line)
        told = house.last(who).text
        if "Nothing of this plan was filed" not in told or said not in " ".join(told.split()):
            faults.append((good + line, told))
        if [(row.data, row.memory, row.filed_ms) for row in rows(house, SeatPlan)] != plans:
            faults.append((good + line, "something was filed"))
        if [row.id for row in rows(house, Deadline, kind="plan", done_ms=0)] != [row.id for row in due]:
            faults.append((good + line, "it waits for something else"))
    assert faults == []


async def test_a_plan_for_no_game_or_for_one_of_several(house: House) -> None:
    await house.say("telegram:eve", "prefer King")
    assert (
        "no game" in house.last("telegram:eve").text.casefold()
        or "not in any" in house.last("telegram:eve").text.casefold()
    )
    first = await table(house, PEOPLE)
    second = await table(house, PEOPLE)
    await house.say("telegram:ana", "plan")
    assert f"#{first}" in house.last("telegram:ana").text
    assert f"#{second}" in house.last("telegram:ana").text
    await house.say("telegram:eve", f"#{first} prefer King")
    await house.say("telegram:ana", "#99 prefer King")
    assert not rows(house, SeatPlan)
    await house.say("telegram:ana", f"#{second} prefer King")
    assert [row.game_id for row in rows(house, SeatPlan)] == [second]


async def test_a_plan_after_the_end_and_before_the_beginning(house: House) -> None:
    await house.say("telegram:ana", "new classic 4 24h")
    await house.say("telegram:ana", "prefer King")
    assert "not begun" in house.last("telegram:ana").text or "has not" in house.last("telegram:ana").text
    game = await table(house, PEOPLE)
    await house.say("telegram:ana", f"abandon #{game}")
    if running(house, game).status != "running":
        await house.say("telegram:ana", f"#{game} prefer King")
        assert "over" in house.last("telegram:ana").text
    assert not rows(house, SeatPlan)
