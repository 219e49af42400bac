"""What somebody meets who has read nothing: every answer says what to try next, and nothing is said twice."""

from __future__ import annotations

import json

import pytest

from referee.ports import Inbound, Letter, What
from referee.store import Game, Person
from tests.service.playing import asked, greet, legal, running, table
from tests.service.rig import House

GROUP = "-5"


@pytest.fixture(autouse=True)
def markups(house: House) -> None:
    for name, wire in house.wires.items():
        wire.markup = "text" if name == "terminal" else name


async def pressed(house: House, who: str, key: str, place: str | None = None) -> list[Letter]:
    """Press a button as Telegram does, which wants an answer; the letters that followed."""
    before = sum(len(w.sent) for w in house.wires.values())
    channel, _, address = who.partition(":")
    await house.bring(
        Inbound(
            channel=channel,
            key=f"press {before}",
            address=address,
            what=What.BUTTON,
            payload=key,
            place=place,
            name=address.capitalize(),
            at_ms=house.clock(),
            facts={"callback": "c"},
        )
    )
    return [x for w in house.wires.values() for x in w.sent if x.callback]


def labels(letter: Letter) -> list[str]:
    return [b.label for row in letter.buttons for b in row]


async def test_a_group_that_has_never_met_the_referee(house: House) -> None:
    await house.bring(
        Inbound(channel="telegram", key="i", address="ana", what=What.INVITED, place=GROUP, at_ms=1)
    )
    assert labels(house.last(f"telegram:{GROUP}")) == ["New table"]
    assert "/new" not in house.last(f"telegram:{GROUP}").text, "said by the button"
    await house.say("telegram:ana", "/new classic", place=GROUP)
    letters = house.letters(f"telegram:{GROUP}")
    assert len(letters) == 2  # the table itself says what is missing: no second letter beside it
    assert labels(letters[-1]) == ["Join", "Open the private chat"]
    assert "private chat with Ana" in letters[-1].text
    assert "/join #1" in letters[-1].text
    assert "/bot 3" in letters[-1].text
    assert "/start" not in letters[-1].text
    toasts = await pressed(house, "telegram:bea", house.key(f"telegram:{GROUP}", "join #1"), GROUP)
    assert "press start" in toasts[-1].text
    assert [x.edits != "" for x in house.letters(f"telegram:{GROUP}")[2:]] == [True]
    await house.say("telegram:bea", "/start ready_1")
    assert "2 seats are still free" in house.last("telegram:bea").text
    assert "Ana" in house.last("telegram:bea").text


async def test_joining_a_group_from_a_known_chat_is_told_in_private_only(house: House) -> None:
    await house.say("telegram:bea", "/start")
    await house.say("telegram:ana", "/new 3", place=GROUP)
    group = len([x for x in house.letters(f"telegram:{GROUP}") if not x.edits])
    private = len(house.letters("telegram:bea"))
    await house.say("telegram:bea", "/join", place=GROUP)
    assert len([x for x in house.letters(f"telegram:{GROUP}") if not x.edits]) == group
    told = house.letters("telegram:bea")[private:]
    assert len(told) == 1
    assert "You have a seat at table #1, as Bea." in told[0].text
    assert "Bea (you)" in told[0].text


async def test_matrix_rooms_are_spoken_to_in_matrix_ways(house: House) -> None:
    """Element keeps "/join" for itself, and the referee can open a conversation there."""
    await house.bring(
        Inbound(channel="matrix", key="i", address="@ana:hs", what=What.INVITED, place="!r:hs", at_ms=1)
    )
    assert "“!help”" in house.last("matrix:!r:hs").text
    await house.say("matrix:@ana:hs", "!new 3", place="!r:hs")
    said = house.last("matrix:!r:hs").text
    assert "!join #1" in said
    assert "private chat" not in said
    await house.say("matrix:@bea:hs", "!join", place="!r:hs")
    assert "You have a seat" in house.last("matrix:@bea:hs").text


async def test_a_strangers_first_mail_is_told_what_to_answer(house: House) -> None:
    await house.say("mail:dan@x.test", "Hi, I would like to play with my friends", vouched=False)
    said = house.last("mail:dan@x.test")
    assert "Welcome" in said.subject
    assert "new classic 5" in said.text
    assert "my friends" not in said.text
    await house.say("mail:eve@x.test", "join #3\n\nThanks,\nEve", vouched=False)
    said = house.last("mail:eve@x.test")
    assert "please answer this letter with what you want" in said.text
    assert "#3" not in said.text
    await house.say("mail:eve@x.test", "new classic 3")
    assert "eve (you)" in house.last("mail:eve@x.test").text.lower()


async def test_an_invitation_tells_its_code_to_those_who_sit_there(house: House) -> None:
    await house.say("telegram:ana", "new classic 3 invite")
    code = json.loads(running(house, 1).settings)["code"]
    assert f"join {code}" in house.last("telegram:ana").text
    await house.say("telegram:bea", "join #1")
    assert "join CODE" in house.last("telegram:bea").text
    await house.say("telegram:bea", "status #1")
    assert code not in house.last("telegram:bea").text
    await house.say("telegram:bea", f"join {code.lower()}")
    assert "as Bea" in house.last("telegram:bea").text
    await house.say("telegram:ana", "/watch #1", place=GROUP)
    shown = [x for x in house.letters(f"telegram:{GROUP}") if x.pin]
    assert shown
    assert "Join" not in labels(shown[-1])
    assert all(code not in x.text for x in house.letters(f"telegram:{GROUP}"))


async def test_bots_in_the_last_seats_begin_the_game_when_everybody_is_ready(house: House) -> None:
    await house.say("telegram:ana", "new 3")
    await house.say("telegram:ana", "ready")
    await house.say("telegram:ana", "bot 2")
    assert running(house, 1).status == "running"


async def test_more_bots_than_seats(house: House) -> None:
    await house.say("telegram:ana", "new 3")
    await house.say("telegram:ana", "bot 3")
    assert "Only 2 seats are free" in house.last("telegram:ana").text


async def test_leaving_a_table_that_was_made_smaller_lays_its_seats_again(house: House) -> None:
    await house.say("telegram:ana", "new 4")
    await house.say("telegram:bea", "join #1")
    await house.say("mail:cy@x.test", "hello", vouched=False)
    await house.say("mail:cy@x.test", "join #1")
    await house.say("telegram:ana", "start")
    assert running(house, 1).status == "mustering"
    letters = len(house.letters("mail:cy@x.test"))
    await house.say("telegram:ana", "leave")
    game = running(house, 1)
    assert game.status == "lobby"
    assert json.loads(game.settings)["seats"] == 4
    told = house.letters("mail:cy@x.test")[letters:]
    assert len(told) == 1
    assert "2 of 4 seats taken, opened by Bea" in told[0].text
    assert "cy (you)" in told[0].text.lower()


async def test_a_muster_letter_that_waits_while_somebody_leaves_is_for_its_own_reader(house: House) -> None:
    await house.say("telegram:ana", "new 3")
    await house.say("telegram:bea", "join #1")
    house.wires["matrix"].wait_ms = 5_000
    await house.say("matrix:@cy:hs", "join #1")
    await house.say("telegram:bea", "leave")
    house.wires["matrix"].wait_ms = 0
    await house.settle()
    assert all("cy (you)" in x.text for x in house.letters("matrix:@cy:hs") if "Seat 1" in x.text)
    await house.say("telegram:bea", "join #1")
    assert "about to begin" in house.last("matrix:@cy:hs").text


async def test_whoever_says_the_last_ready_hears_that_it_begins(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    await house.say(people[0], "new 2")
    await house.say(people[1], "join #1")
    await house.say(people[0], "ready")
    toasts = await pressed(house, people[1], house.key(people[1], "ready #1"))
    assert "Game #1 begins" in toasts[-1].text
    assert running(house, 1).status == "running"
    for who in people:
        await house.say(who, "ready")
        assert "no longer gathering" in house.last(who).text


async def test_status_asks_again_whoever_is_not_ready(house: House) -> None:
    await house.say("telegram:ana", "new 2")
    await house.say("telegram:bea", "join #1")
    await house.say("telegram:bea", "status")
    assert labels(house.last("telegram:bea")) == ["I am ready"]
    await house.say("telegram:bea", "games")
    assert "say “ready” there" in house.last("telegram:bea").text
    await house.say("telegram:bea", "ready")
    await house.say("telegram:bea", "status")
    assert "not ready yet" in house.last("telegram:bea").text
    assert "Bea (you), ready" in house.last("telegram:bea").text


async def test_start_in_private_tells_what_waits_and_shows_the_three_buttons(house: House) -> None:
    buttons = ["Learn", "My tables", "New table"]
    await house.say("telegram:bea", "/start")
    assert "Welcome" in house.last("telegram:bea").text
    assert labels(house.last("telegram:bea")) == buttons
    await house.say("telegram:ana", "new 2")
    await house.say("telegram:bea", "join #1")
    await house.say("telegram:bea", "/start")
    back, muster = house.letters("telegram:bea")[-2:]
    assert back.text == "Waiting for you, see below: #1. “help” tells what you can write."
    assert labels(back) == buttons
    assert labels(muster) == ["I am ready"]
    for who in ("telegram:ana", "telegram:bea"):
        await house.say(who, "ready")
    people = ["telegram:ana", "telegram:bea"]
    who = people.pop(asked(house, 1))
    await house.say(who, "/start")
    assert house.letters(who)[-2].text.startswith("Waiting for you, see below: #1.")
    assert "pick a character" in house.last(who).text
    (other,) = people
    await house.say(other, "/start")
    assert "You sit at #1; nobody waits for you just now." in house.last(other).text
    assert labels(house.last(other)) == buttons


async def test_a_game_that_runs_has_no_way_out_and_says_so(house: House) -> None:
    people = ["telegram:ana", "matrix:@bea:hs"]
    await table(house, people)
    await house.say(people[0], "leave")
    assert "the seat stays yours" in house.last(people[0]).text
    await house.say(people[0], "start")
    assert "no longer gathering" in house.last(people[0]).text


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Hi,\n\n{0}\n\nThanks,\nAna", 1),
        ("Hello referee,\n{0}\nBest regards", 1),
        ("{0}\nthanks!", 1),
        ("Dear all,\nI can't play today", 0),
    ],
)
async def test_polite_letters(house: House, text: str, order: int) -> None:
    people = ["mail:ana@x.test", "telegram:bea"]
    game = await table(house, people)
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    before = running(house, game).move_no
    await house.say(people[0], text.format(legal(house, game)[0]))
    assert (running(house, game).move_no > before) is bool(order)


async def test_other_programs_commands_are_left_alone_in_a_group(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    await table(house, people)
    await house.say(people[0], "/poll what now", place=GROUP)
    assert not house.letters(f"telegram:{GROUP}")
    await house.say(people[0], "/poll what now")
    assert "I don't know this command" in house.last(people[0]).text


async def test_prefer_says_where_questions_go(house: House) -> None:
    await house.say("telegram:ana", "prefer telegram")
    assert house.last("telegram:ana").text == "Questions will reach you by Telegram first."


async def test_a_telegram_prompt_has_its_options_as_buttons_only(house: House) -> None:
    people = ["telegram:ana", "mail:bea@x.test"]
    await greet(house, people[1])
    game = await table(house, people)
    while asked(house, game) != 0:
        await house.say(people[1], legal(house, game)[0])
    said = house.last(people[0])
    assert len([one for one in labels(said) if one != "Plan my round"]) == len(legal(house, game))
    assert "1. " not in said.markup
    await house.say(people[0], "build Nothing")
    trouble = house.last(people[0])
    assert "Not done" in trouble.text
    assert len(trouble.text) < len(said.text)


async def test_the_end_tells_how_to_get_the_record(house: House) -> None:
    from tests.service.playing import to_the_end

    people = ["telegram:ana"]
    await house.say(people[0], "new 2 with 1 bot")
    await house.say(people[0], "ready")
    await to_the_end(house, 1, people * 2)
    assert "“record #1” gives its record" in house.last(people[0]).text
    await house.say(people[0], "status #1")
    assert "an answer" not in house.last(people[0]).text
    found = house.store.read_now(lambda tx: tx.get(Game, 1))
    assert found is not None
    assert found.status == "over"


async def test_a_plain_start_shows_the_table_one_sits_at(house: House) -> None:
    await house.say("telegram:ana", "/new 3", place=GROUP)
    assert "private chat with Ana" in house.last(f"telegram:{GROUP}").text
    await house.say("telegram:ana", "/start")
    assert "Ana (you)" in house.last("telegram:ana").text
    assert labels(house.letters("telegram:ana")[0]) == ["Learn", "My tables", "New table"]
    assert len(house.letters("telegram:ana")) == 2
    assert "private chat" not in house.last(f"telegram:{GROUP}").text


async def test_a_game_that_stands_still_says_so(house: House) -> None:
    people = ["telegram:ana", "mail:bea@x.test"]
    game = await table(house, people)
    house.store.write_now(lambda tx: tx.change(Game, {"id": game}, status="frozen"))
    for who in people:
        for text in ("gold", "hand", "status"):
            await house.say(who, text)
            assert "stands still" in house.last(who).text, text
            assert "until" not in house.last(who).text.replace("until the admin", "")


async def test_an_invitation_made_in_a_group_is_told_in_private(house: House) -> None:
    for who, opened in (("telegram:ana", "/start ready_1"), ("telegram:bea", "")):
        if not opened:
            await house.say(who, "/start")
        await house.say(who, "/new 3 invite", place=GROUP)
        if opened:
            await house.say(who, opened)
        number = max(g.id or 0 for g in house.store.read_now(lambda tx: tx.all(Game)))
        code = json.loads(running(house, number).settings)["code"]
        assert f"join {code}" in house.last(who).text
        assert all(code not in x.text for x in house.letters(f"telegram:{GROUP}"))


async def test_which_game_tells_a_wording_that_works(house: House) -> None:
    await house.say("telegram:ana", "/start")
    for _ in range(2):
        await house.say("telegram:ana", "/new 3", place=GROUP)
    for place in (GROUP, None):
        where = f"telegram:{place}" if place else "telegram:ana"
        await house.say("telegram:ana", "/status", place=place)
        if place:
            said = house.last(where).text
        else:
            await house.say("telegram:ana", "abandon")
            said = house.last(where).text
        assert "Which game" in said
        wording = said.partition("like this: “")[2].partition("”")[0]
        assert wording.strip("/") == "status #1"
        await house.say("telegram:ana", wording, place=place)
        said = [letter.text for letter in house.letters(where)[-2:]]
        assert any(("Table #1 stands in" if place else "Table #1, classic") in one for one in said)
    await house.say("telegram:ana", "games")
    assert "“status #1” shows one of them" in house.last("telegram:ana").text


async def test_who_was_out_of_reach_and_writes_again_gets_what_they_missed(house: House) -> None:
    people = ["telegram:ana", "telegram:bea"]
    game = await table(house, people)
    away, other = people[1 - asked(house, game)], people[asked(house, game)]
    await house.bring(
        Inbound(channel="telegram", key="b", address=away.partition(":")[2], what=What.BLOCKED, at_ms=1)
    )
    letters = len(house.letters(away))
    while people[asked(house, game)] == other:
        await house.say(other, legal(house, game)[0])
    assert len(house.letters(away)) == letters
    await house.say(away, "games")
    assert any(labels(x) and "Now:" in x.text for x in house.letters(away)[letters:])
    await house.bring(
        Inbound(channel="telegram", key="c", address=away.partition(":")[2], what=What.BLOCKED, at_ms=1)
    )
    letters = len(house.letters(away))
    await house.say(away, "prefer matrix")  # refused, and yet a sign of life
    assert any("Now:" in x.text for x in house.letters(away)[letters:])


@pytest.mark.parametrize(
    "name", ["ana.lima@x.test", "'ana.lima@x.test'", "Lima ana.lima@x.test", "ana@work.test", ""]
)
async def test_an_address_that_stands_for_a_name_is_not_shown_to_others(house: House, name: str) -> None:
    """Many mail programs write it there; the name goes to tables, rooms, leagues and pages for everybody."""
    await house.say("mail:ana.lima@x.test", "hello", vouched=False)
    token = house.last("mail:ana.lima@x.test").token
    for text in ("hello", "new classic open"):
        await house.bring(
            Inbound("mail", text, "ana.lima@x.test", text=text, token=token, name=name, at_ms=house.clock())
        )
    assert house.store.read_now(lambda tx: tx.column(Person, "name")) == ["ana.lima"]
    await house.say("telegram:bea", "who #1")
    assert "x.test" not in house.last("telegram:bea").text
    assert "work" not in house.last("telegram:bea").text


@pytest.mark.parametrize("name", ["Ana @ work", "@ana", "A. Lima (x.test)", "Ana @home"])
async def test_a_name_that_only_resembles_an_address_stays(house: House, name: str) -> None:
    await house.bring(
        Inbound("telegram", "k", "7", text="hello", name=name, vouched=True, at_ms=house.clock())
    )
    assert house.store.read_now(lambda tx: tx.column(Person, "name")) == [name]
