"""Of what people are told: levels for all games and for one, quiet hours, no reminder for those who just
looked.
"""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from referee.ports import Letter
from referee.service.notices import delivery_rules
from referee.store import Deadline, Journal, Outbox, Person, Seat
from tests.service.joining import joined
from tests.service.playing import asked, legal, running, table, turn_to
from tests.service.rig import House

PEOPLE = ["telegram:ana", "matrix:@bea:hs"]
HOUR = 3_600_000
#: clocks run day and night, two reminders
PLAIN = "24h no bank no quiet no nights no vacation no restart remind 50% 15%"


def at(local: str, zone: str = "Europe/Lisbon") -> int:
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone)).timestamp()) * 1000


def kinds(house: House, who: str, since: int) -> list[str]:
    """The kinds of the letters that reached somebody after the first so many."""
    return [house.row(letter).kind for letter in house.letters(who)[since:]]


def unasked(house: House, who: str, since: int) -> list[Letter]:
    """The letters after the first so many that answer nothing."""
    found = []
    for letter in house.letters(who)[since:]:
        row = house.row(letter)
        if '"reply"' not in row.data:
            found.append(letter)
    return found


async def let_pass(house: House, hours: float) -> None:
    """Time passes; the clock rings for each thing on its way, and letters leave when theirs has come."""
    end = house.clock() + round(hours * HOUR)
    while True:
        coming = house.store.read_now(
            lambda tx: [
                x for x in (tx.next_due_ms(), tx.next_outbox_ms(), tx.next_daily_ms()) if x is not None
            ]
        )
        house.clock.at_ms = min([end, *(x for x in coming if x > house.clock())])
        await house.referee.scheduler.ring()
        await house.settle()
        if house.clock() >= end:
            return


async def missed(house: House, game: int, seat: int) -> None:
    """Let the open answer of that seat run out."""
    assert asked(house, game) == seat
    before = running(house, game).move_no
    for _ in range(20):
        await let_pass(house, 2)
        if running(house, game).move_no != before:
            return
    raise AssertionError("nothing became of it")


async def test_it_says_how_one_is_told(house: House) -> None:
    game = await table(house, PEOPLE)
    await house.say(PEOPLE[0], "notify")
    text = house.last(PEOPLE[0]).text
    assert "“all”" in text
    assert "There is no daily letter." in text
    assert "notify turns" in text
    await house.say(PEOPLE[0], f"#{game} notify urgent")
    assert f"Game #{game}" in house.last(PEOPLE[0]).text
    assert "“urgent”" in house.last(PEOPLE[0]).text
    await house.say(PEOPLE[0], "notify")
    assert "“all”" in house.last(PEOPLE[0]).text
    assert f"Game #{game}: you hear only" in house.last(PEOPLE[0]).text
    await house.say(PEOPLE[0], f"notify usual #{game}")
    await house.say(PEOPLE[0], "notify turns")
    assert house.store.read_now(lambda tx: tx.one(Seat, game_id=game, no=0)).notify == ""
    assert "“turns”" in house.last(PEOPLE[0]).text


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            "notify banana",
            "I don't know what “banana” means here."
            " It could be: “all”, “turns”, “urgent”, “off” or “digest 08:00”.",
        ),
        ("notify digest 25:00", "“25:00” is out of range"),
        ("notify digest", "notify digest 08:00"),
        ("notify digest soon", "“soon”"),
        ("notify turns off", "“off”"),
        ("notify digest 8:00 only all", "“only”"),
        ("#99 notify off", "There is no game #99."),
        ("notify off #2", "You have no seat at this table."),
        ("unsubscribe #99", "There is no game #99."),
        ("unsubscribe banana", "“banana”"),
        ("#1 notify digest 8:00", "The daily letter is about all your games"),
    ],
)
async def test_what_is_wrong_is_answered_and_changes_nothing(house: House, said: str, answer: str) -> None:
    await table(house, PEOPLE)
    await table(house, ["matrix:@bea:hs", "terminal:cy"])
    await house.say(PEOPLE[0], said)
    assert answer in house.last(PEOPLE[0]).text.replace("\n", " ")
    assert {p.notify for p in house.store.read_now(lambda tx: tx.all(Person))} == {""}
    assert {s.notify for s in house.store.read_now(lambda tx: tx.all(Seat))} == {""}
    assert house.store.read_now(lambda tx: tx.next_daily_ms()) is None


async def test_preferences_are_not_said_before_others(house: House) -> None:
    await table(house, PEOPLE)
    await house.say(PEOPLE[0], "/notify off", place="group")
    assert "private" in house.last("telegram:group").text
    assert house.store.read_now(lambda tx: tx.one(Person, name="Ana")).notify == ""


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("all", ["prompt", "reminder", "reminder", "prompt"]),
        ("turns", ["prompt", "reminder", "reminder", "prompt"]),
        ("urgent", ["reminder", "prompt"]),
        ("off", []),
    ],
)
@pytest.mark.parametrize("one", [False, True])
async def test_levels(house: House, level: str, expected: list[str], one: bool) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await turn_to(house, game, PEOPLE, 1)
    await house.say(PEOPLE[0], f"notify {level}" + (f" #{game}" if one else ""))
    before = len(house.letters(PEOPLE[0]))
    await turn_to(house, game, PEOPLE, 0)
    question = running(house, game).question
    await let_pass(house, 3)  # nobody has just looked any more
    await missed(house, game, 0)
    assert kinds(house, PEOPLE[0], before)[: len(expected)] == expected
    assert len(kinds(house, PEOPLE[0], before)) <= len(expected) + 1  # asked again, by then
    assert house.store.read_now(lambda tx: tx.one(Journal, game_id=game, question=question)).by == "clock"


async def test_urgent_is_asked_where_no_reminder_comes(house: House) -> None:
    game = await table(
        house, PEOPLE, hours="24h no bank no quiet no nights no vacation no restart no reminders"
    )
    await turn_to(house, game, PEOPLE, 1)
    await house.say(PEOPLE[0], "notify urgent")
    before = len(house.letters(PEOPLE[0]))
    await turn_to(house, game, PEOPLE, 0)
    assert kinds(house, PEOPLE[0], before) == ["prompt"]


async def test_one_who_wants_nothing_is_not_out_of_reach(house: House) -> None:
    """The clock of somebody who said off does not wait for letters to reach them."""
    game = await table(house, PEOPLE, hours=PLAIN + " unreachable 24h")
    await turn_to(house, game, PEOPLE, 1)
    await house.say(PEOPLE[0], "notify off")
    assert "dullest answer" in house.last(PEOPLE[0]).text
    house.clock.pass_(hours=1)
    await turn_to(house, game, PEOPLE, 0)
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0)).due_ms
    await missed(house, game, 0)
    assert house.clock() < due + 3 * HOUR


async def test_no_reminder_for_whoever_just_looked_but_the_last(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await turn_to(house, game, PEOPLE, 1)
    await turn_to(house, game, PEOPLE, 0)
    await let_pass(house, 11)
    await house.say(PEOPLE[0], f"status #{game}")
    before = len(house.letters(PEOPLE[0]))
    await let_pass(house, 2)  # the first reminder would have come
    assert kinds(house, PEOPLE[0], before) == []
    await let_pass(house, 6)
    await house.say(PEOPLE[0], f"hand #{game}")
    before = len(house.letters(PEOPLE[0]))
    await let_pass(house, 2)
    assert kinds(house, PEOPLE[0], before) == ["reminder"]


async def test_nothing_leaves_in_quiet_hours_and_a_question_that_went_is_not_put(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T21:00")
    game = await table(house, PEOPLE, hours="24h no vacation no restart")
    await house.say(PEOPLE[0], "zone Lisbon")
    await house.say(PEOPLE[0], "quiet 22-07 hold")
    await turn_to(house, game, PEOPLE, 1)
    house.clock.at_ms = at("2026-11-21T23:00")
    before = len(house.letters(PEOPLE[0]))
    await turn_to(house, game, PEOPLE, 0)
    await let_pass(house, 7.9)
    assert unasked(house, PEOPLE[0], before) == []
    await let_pass(house, 0.2)
    assert [bool(x.buttons) for x in unasked(house, PEOPLE[0], before)] == [True]
    due = house.store.read_now(lambda tx: tx.one(Deadline, game_id=game, kind="answer", done_ms=0)).due_ms
    assert due == at("2026-11-23T16:00"), "24 hours without nights, no matter when the letter left"
    # asked at night and answered from elsewhere: in the morning there is nothing to be asked
    await turn_to(house, game, PEOPLE, 1)
    house.clock.at_ms = at("2026-11-22T23:00")
    await turn_to(house, game, PEOPLE, 0)
    before = len(house.letters(PEOPLE[0]))
    while asked(house, game) == 0:
        await house.say(PEOPLE[0], legal(house, game)[0])
    answers = len(house.letters(PEOPLE[0]))
    assert answers > before, "what one asks for is answered at night too"
    await let_pass(house, 9)
    assert not [x for x in house.letters(PEOPLE[0])[answers:] if x.buttons]


async def test_a_clock_that_runs_on_at_night_asks_at_night(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T21:00")
    game = await table(house, PEOPLE, hours="live")
    await house.say(PEOPLE[0], "zone Lisbon")
    await house.say(PEOPLE[0], "quiet 22-07 hold")
    await turn_to(house, game, PEOPLE, 1)
    house.clock.at_ms = at("2026-11-21T23:00")
    before = len(house.letters(PEOPLE[0]))
    await turn_to(house, game, PEOPLE, 0)
    assert kinds(house, PEOPLE[0], before) == ["prompt"]


@pytest.mark.parametrize("waits", [True, False])
async def test_a_seat_for_which_nobody_waits_is_not_rung_at_night(house: House, waits: bool) -> None:
    house.clock.at_ms = at("2026-11-21T09:00")
    game = await table(
        house,
        PEOPLE,
        hours=PLAIN.replace("24h", "6h") + f" excuse 0 probation {9 if waits else 1} replace 10",
    )
    await house.say(PEOPLE[0], "zone Lisbon")
    await house.say(PEOPLE[0], "quiet 22-07 hold")
    await turn_to(house, game, PEOPLE, 0)
    await missed(house, game, 0)
    assert asked(house, game) == 1
    house.clock.at_ms = at("2026-11-21T23:00")
    before = len(house.letters(PEOPLE[0]))
    while asked(house, game) == 1:
        await house.say(PEOPLE[1], legal(house, game)[0])
    assert kinds(house, PEOPLE[0], before) == (["prompt"] if waits else [])


async def test_where_nobody_said_where_they_live_the_table_s_night_only_rings_nobody(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T23:00", "UTC")
    game = await table(house, PEOPLE, hours="24h")
    await turn_to(house, game, PEOPLE, 1)
    before = len(house.letters(PEOPLE[0]))
    await turn_to(house, game, PEOPLE, 0)
    assert [x.quiet for x in unasked(house, PEOPLE[0], before)] == [True]


@pytest.mark.parametrize("who", ["telegram:ana", "matrix:@ana:hs", "mail:ana@x.test"])
@pytest.mark.parametrize(
    ("mode", "form"), [("hold", "held back"), ("urgent", "held back"), ("digest", "held back")]
)
async def test_one_letter_for_all_games_in_the_morning(house: House, who: str, mode: str, form: str) -> None:
    house.clock.at_ms = at("2026-11-21T20:00")
    people = [who, "matrix:@bea:hs"]
    games = [await table(house, people, hours="24h no vacation no restart") for _ in range(2)]
    await house.say(who, "zone Lisbon")
    await house.say(who, f"quiet 22-07 {mode}")
    for game in games:
        await at_table(house, game, people, 1)
    house.clock.at_ms = at("2026-11-21T23:30")
    before = len(house.letters(who))
    for game in games:
        await at_table(house, game, people, 0)
    assert unasked(house, who, before) == []
    await let_pass(house, 8)
    found = unasked(house, who, before)
    assert len(found) == 1
    assert form in found[0].text
    for game in games:
        assert f"#{game} classic, round 1" in found[0].text
    # its entries show the questions
    await house.press(who, house.key(who, f"status #{games[1]}"))
    assert house.last(who).ref == f"g{games[1]}"
    assert house.last(who).buttons
    dropped = house.store.read_now(
        lambda tx: [r for r in tx.all(Outbox, state="dropped") if r.error == delivery_rules.GATHERED]
    )
    assert len(dropped) >= 2


async def at_table(house: House, game: int, people: list[str], seat: int) -> None:
    """Play on until this seat is asked, in one game of several."""
    while asked(house, game) != seat:
        await house.say(people[asked(house, game)], f"#{game} {legal(house, game)[0]}")


async def test_held_letters_outlive_a_restart(house: House) -> None:
    house.clock.at_ms = at("2026-11-21T21:00")
    game = await table(house, PEOPLE, hours="24h no vacation no restart")
    await house.say(PEOPLE[0], "zone Lisbon")
    await house.say(PEOPLE[0], "quiet 22-07 hold")
    await turn_to(house, game, PEOPLE, 1)
    house.clock.at_ms = at("2026-11-21T23:00")
    await turn_to(house, game, PEOPLE, 0)
    before = len(house.letters(PEOPLE[0]))
    await house.close()
    await house.open()
    await house.settle()
    assert len(house.letters(PEOPLE[0])) == before
    await let_pass(house, 8.1)
    assert kinds(house, PEOPLE[0], before) == ["prompt"]


@pytest.mark.parametrize("who", ["telegram:ana", "matrix:@ana:hs", "mail:ana@x.test", "terminal:ana"])
async def test_stale_prompts_collapse_on_every_channel(house: House, who: str) -> None:
    """However often somebody is asked while their channel is away, one letter tells it all."""
    people = [who, "matrix:@bea:hs"]
    game = await table(house, people, hours=PLAIN)
    await turn_to(house, game, people, 1)
    wire = house.wires[who.partition(":")[0]]
    before = len(house.letters(who))
    wire.wait_ms = 10_000
    for _ in range(3):
        await turn_to(house, game, people, 0)
        await turn_to(house, game, people, 1)
    await turn_to(house, game, people, 0)
    queued = house.store.read_now(
        lambda tx: [r for r in tx.all(Outbox, state="queued", person_id=1) if r.kind == "prompt"]
    )
    assert len(queued) == 1
    wire.wait_ms = 0
    house.clock.pass_(seconds=20)
    await house.settle()
    assert kinds(house, who, before) == ["prompt"]
    assert house.last(who).buttons
    assert len(re.findall("picked|taken|gold|cards", house.last(who).text)) > 1


async def test_no_reminder_of_a_question_that_has_not_left(house: House) -> None:
    game = await table(house, PEOPLE, hours=PLAIN)
    await turn_to(house, game, PEOPLE, 1)
    before = len(house.letters(PEOPLE[0]))
    house.wires["telegram"].wait_ms = 20 * HOUR  # the channel is away
    await turn_to(house, game, PEOPLE, 0)
    await let_pass(house, 13)  # the first reminder rings
    house.wires["telegram"].wait_ms = 0
    await let_pass(house, 0.1)
    assert kinds(house, PEOPLE[0], before) == ["prompt"]
    assert "until" in house.last(PEOPLE[0]).text


async def test_two_channels_are_one_person(house: House) -> None:
    """What is said on one channel holds on the other, and so does having been there."""
    game = await table(house, PEOPLE, hours=PLAIN)
    await joined(house, PEOPLE[0], "terminal:ana")
    await house.say(PEOPLE[0], "prefer telegram")
    await turn_to(house, game, PEOPLE, 1)
    await turn_to(house, game, PEOPLE, 0)
    await let_pass(house, 11)
    await house.say("terminal:ana", "games")
    before = len(house.letters(PEOPLE[0])), len(house.letters("terminal:ana"))
    await let_pass(house, 2)  # somebody who was there needs no reminder, wherever it was
    assert (len(house.letters(PEOPLE[0])), len(house.letters("terminal:ana"))) == before
    await house.say("terminal:ana", "notify turns")
    copies = [x for x in house.letters(PEOPLE[0]) if "another channel" in x.text]
    await house.say("terminal:ana", legal(house, game)[0])
    assert [x for x in house.letters(PEOPLE[0]) if "another channel" in x.text] == copies, (
        "turns: no copies of one's own orders"
    )
    await house.say("terminal:ana", "notify all")
    await turn_to(house, game, ["terminal:ana", PEOPLE[1]], 0)
    await house.say("terminal:ana", legal(house, game)[0])
    assert len([x for x in house.letters(PEOPLE[0]) if "another channel" in x.text]) == len(copies) + 1


async def test_words_that_no_summary_has_leave_by_themselves(house: House) -> None:
    """In the morning: one letter for the questions of two games, and what somebody said at night, word for
    word.
    """
    house.clock.at_ms = at("2026-11-21T20:00")
    games = [await table(house, PEOPLE, hours="24h no vacation no restart") for _ in range(2)]
    await house.say(PEOPLE[0], "zone Lisbon")
    await house.say(PEOPLE[0], "quiet 22-07 hold")
    for game in games:
        await at_table(house, game, PEOPLE, 1)
    house.clock.at_ms = at("2026-11-21T23:30")
    before = len(house.letters(PEOPLE[0]))
    for game in games:
        await at_table(house, game, PEOPLE, 0)
    await house.say(PEOPLE[1], f"#{games[0]} say good night, all of you")
    assert unasked(house, PEOPLE[0], before) == []
    await let_pass(house, 8)
    assert sorted(kinds(house, PEOPLE[0], before)) == ["digest", "talk"]
    assert any("good night, all of you" in x.text for x in house.letters(PEOPLE[0])[before:])
