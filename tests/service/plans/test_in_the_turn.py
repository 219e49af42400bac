"""Plans that are filed while their player's own turn goes on."""

from __future__ import annotations

from referee import rules
from referee.store import Deadline, Journal
from tests.service.plans.test_filing import PEOPLE, ring
from tests.service.playing import asked, legal, rows, running, state, table
from tests.service.rig import House


async def onward(house: House, game: int, picked: str = "") -> None:
    """One answer, as short as they come; that character is picked where it is passed."""
    offered = legal(house, game)
    wanted = (f"pick {picked}", "gold", "end", "pass")
    order = next((one for one in wanted if one in offered), offered[0])
    await house.say(PEOPLE[asked(house, game)], f"{order}!" if order == "end" else order)


async def turn(house: House, game: int, picked: str = "") -> str:
    """Play until somebody's turn begins, that character's if one is named; who it is."""
    for _ in range(60):
        seat, offered = asked(house, game), legal(house, game)
        if "gold" in offered and picked in ("", *rules.view(state(house, game), seat)["characters"]):
            return PEOPLE[seat]
        await onward(house, game, picked)
    raise AssertionError("nobody has a turn")


async def test_a_script_that_comes_too_late_for_this_turn_is_for_the_next(house: House) -> None:
    game = await table(house, PEOPLE)
    who = await turn(house, game)
    await house.say(who, "gold")
    await house.say(who, "prefer any\notherwise: gold; end!")
    assert "For round 2:" in house.last(who).text
    await house.say(who, "end!")
    while running(house, game).round < 3:
        await (ring(house) if rows(house, Deadline, kind="plan", done_ms=0) else onward(house, game))
    mine = [one.order for one in rows(house, Journal, by="plan")]
    assert mine[0].startswith("pick ")
    assert mine[1:] == ["gold", "end"]


async def test_a_turn_that_its_player_took_over_stays_theirs_whatever_else_is_filed(house: House) -> None:
    game = await table(house, PEOPLE)
    for who in PEOPLE:
        await house.say(who, "always otherwise: gold; end!")
    who = await turn(house, game, "Assassin")
    await house.say(who, next(one for one in legal(house, game) if one.startswith("kill")))
    for line in ("buy never", "always prefer King", "always when King: cards", "cancel buy"):
        await house.say(who, line)
        assert "in a little while" not in house.last(who).text
        assert not rows(house, Deadline, kind="plan", done_ms=0)
    await house.say(who, "when Assassin: gold; end!")
    assert "in a little while" in house.last(who).text
    await ring(house)
    assert [one.order for one in rows(house, Journal, by="plan")][-2:] == ["gold", "end"]


async def test_a_pick_that_its_player_took_back_is_theirs_until_another_list_comes(house: House) -> None:
    people = PEOPLE[:2]
    game = await table(house, people)
    while asked(house, game) != 0 or not legal(house, game)[0].startswith("pick"):
        await onward(house, game)
    await house.say(people[0], "always prefer any")
    await ring(house)
    (mine,) = [one for one in rows(house, Journal, by="plan") if not one.undone]
    await house.say(people[0], "undo")
    for line in ("always buy never", "always otherwise: gold; end!"):
        await house.say(people[0], line)
        assert not rows(house, Deadline, kind="plan", done_ms=0), line
    for word in ("pause", "resume"):
        for who in people:
            await house.say(who, f"{word} #{game}" if who == people[0] else "vote yes")
    assert not rows(house, Deadline, kind="plan", done_ms=0)
    other = next(one for one in legal(house, game) if one.startswith("pick") and one != mine.order)
    await house.say(people[0], f"prefer {other.removeprefix('pick ')}")
    await ring(house)
    assert [one.order for one in rows(house, Journal, by="plan") if not one.undone] == [other]
    while running(house, game).round < 2:
        await (ring(house) if rows(house, Deadline, kind="plan", done_ms=0) else onward(house, game))
    while asked(house, game) != 0:
        await onward(house, game)
    assert rows(house, Deadline, kind="plan", done_ms=0), "the next round's choice is the list's again"


async def test_an_answer_that_its_player_took_back_is_theirs_until_another_to_that_question_comes(
    house: House,
) -> None:
    game = await table(house, PEOPLE, command="new deluxe cunning agents")
    for who in PEOPLE:
        await house.say(who, "bribe always")
    while not rows(house, Deadline, kind="plan", done_ms=0):
        view = rules.view(state(house, game), asked(house, game))
        threats = [cards[:2] for verb, cards, *_ in view["ask"]["families"] if verb == "threaten"]
        if threats:
            await house.say(PEOPLE[asked(house, game)], f"threaten {', '.join(threats[0])}")
        await onward(house, game, "Blackmailer")
    await ring(house)
    assert rows(house, Journal, by="plan")[0].order == "bribe"
    who = PEOPLE[rows(house, Journal, by="plan")[0].seat]
    await house.say(who, "undo")
    for line in ("buy never", "always prefer any", "always otherwise: gold; end!"):
        await house.say(who, line)
        assert "bribe" in legal(house, game)
        assert not rows(house, Deadline, kind="plan", done_ms=0), line
    await house.say(who, "bribe never")
    await ring(house)
    assert next(one.order for one in rows(house, Journal, by="plan") if not one.undone) == "refuse"
