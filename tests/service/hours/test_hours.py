"""Those at a table say when they can and agree on an hour: buttons, calendar, reminder; others don't."""

from __future__ import annotations

import json

import pytest

from referee.service.hours.hooks import agreed_hours, hours_told
from referee.store import Deadline, Game, GameRoom, Outbox, Person, Seat
from tests.service.joining import joined
from tests.service.playing import FLAT, greet, ring, running, table, to_the_end
from tests.service.rig import House

ANA, BEA, CY = PEOPLE = ["telegram:ana", "matrix:@bea:hs", "terminal:cy"]
HOUR = 3_600_000


def live(house: House, number: int = 1) -> dict[str, object]:
    return json.loads(running(house, number).settings).get("live", {})


def heard(house: House, who: str, words: str) -> int:
    """How many letters to somebody have these words."""
    return len([one for one in house.letters(who) if words in one.text])


def meeting_rows(house: House) -> list[Deadline]:
    return house.store.read_now(lambda tx: tx.all(Deadline, kind="meeting", done_ms=0))


async def all_agree(house: House, people: list[str]) -> int:
    """They agree on the first of the best hours, by its button; which it is."""
    for who in people:
        await house.say(who, "hours Sat 18-22, Sun 10-12")
    button = house.last(people[-1]).buttons[0][0]
    assert button.order.startswith("hours agree ")
    for who in people:
        await house.say(who, button.order)
    return int(live(house)["meet"])


async def test_hours_are_told_in_each_readers_zone_and_the_best_are_buttons(house: House) -> None:
    await table(house, PEOPLE)
    await house.say(BEA, "zone America/Sao_Paulo")
    await house.say(ANA, "hours Sat 18-22, Sun 10-12")
    assert "You can Sat" in house.last(ANA).text
    assert heard(house, BEA, "would like to sit down live") == 1
    assert "10:00" not in house.last(BEA).text, "what one says is shown to others as what all can"
    await house.say(BEA, "can Sat 16-17:30")  # 19 to 20:30 UTC
    assert "Sat 26 Sep 16:00: 2 of 3 can, not Cy" in house.last(BEA).text
    assert heard(house, CY, "would like") == 1
    assert heard(house, CY, "has said when") == 1, "they are told when it begins, and when all have said"
    await house.say(CY, "hours Sat 19-20, Sun 10-11")
    best = house.last(CY)
    assert "Sat 26 Sep 19:00: everybody can" in best.text
    assert [row[0].label for row in best.buttons] == ["Sat 26 Sep 19:00", "Sun 27 Sep 10:00"]
    assert heard(house, ANA, "Everybody at game #1 has said") == 1


async def test_when_all_agree_it_is_in_the_calendar_and_a_reminder_comes(house: House) -> None:
    house.wires["mail"].markup = "mail"
    people = ["mail:dan@x.test", BEA, CY]
    await table(house, people)
    meet = await all_agree(house, people)
    assert meet
    for who in people:
        assert heard(house, who, "All of you agreed") == 1
    (file,) = next(one for one in house.letters(people[0]) if "All of you" in one.text).attachments
    assert b"an hour at the table" in file.data
    (row,) = meeting_rows(house)
    assert row.due_ms == meet - HOUR // 6
    house.clock.pass_(seconds=(meet - HOUR // 6 - house.clock()) / 1000 + 1)
    await ring(house)
    for who in people:
        assert heard(house, who, "that is about to begin") == 1
    assert not meeting_rows(house)


async def test_full_hours_are_to_be_had_where_zones_are_a_quarter_off(house: House) -> None:
    await table(house, PEOPLE)
    for who in PEOPLE:
        await house.say(who, "zone Asia/Kathmandu")
        await house.say(who, "hours Sat 19-20")
    assert [row[0].label for row in house.last(CY).buttons] == ["Sat 26 Sep 19:00"]
    for who in PEOPLE:
        await house.say(who, "hours agree Sat 19:00")
    assert heard(house, ANA, "All of you agreed") == 1


async def test_a_table_that_gathers_anew_is_reminded_of_its_hour(house: House) -> None:
    await table(house, PEOPLE, hours=f"{FLAT} restart")
    meet = await all_agree(house, PEOPLE)
    house.clock.pass_(hours=25)
    await ring(house)
    assert running(house, 1).status == "mustering"
    house.clock.at_ms = meet - HOUR // 6
    await ring(house)
    for who in PEOPLE:
        assert heard(house, who, "that is about to begin") == 1


async def test_who_takes_it_back_ends_it_for_all(house: House) -> None:
    await table(house, PEOPLE)
    await all_agree(house, PEOPLE)
    await house.say(BEA, "hours off")
    assert live(house)["off"]
    assert heard(house, ANA, "can't after all") == 1
    assert not meeting_rows(house)
    bea = house.store.read_now(lambda tx: tx.one(Person, name="bea") or tx.one(Person, name="Bea"))
    (span,) = house.store.read_now(lambda tx: agreed_hours(tx, bea.id))
    assert (span.sequence, span.starts_ms) == (2, span.ends_ms), "called off"
    before = heard(house, ANA, "All of you agreed")
    await house.say(BEA, "hours agree Sat 18:00")
    assert heard(house, ANA, "All of you agreed") == before, "all have to agree anew"


async def test_who_takes_a_seat_over_hears_of_the_hour_that_stands(ruled: House) -> None:
    await table(ruled, PEOPLE)
    await ruled.say("matrix:@root:hs", "replace Bea #1")
    await ruled.say("terminal:eve", "join #1")
    assert heard(ruled, "terminal:eve", "It stands that you sit down") == 0
    await all_agree(ruled, [ANA, "terminal:eve", CY])
    await ruled.say("matrix:@root:hs", "replace Cy #1")
    await ruled.say("terminal:fay", "join #1")
    assert heard(ruled, "terminal:fay", "It stands that you sit down Sat 26 Sep 18:00") == 1
    await ruled.say("terminal:fay", "hours off")
    assert heard(ruled, ANA, "can't after all") == 1


async def test_others_are_not_flooded(house: House) -> None:
    await table(house, PEOPLE)
    await house.say(ANA, "hours Sat 18-22")
    before = len(house.letters(BEA))
    for n in range(10):
        await house.say(ANA, f"hours agree Sat {18 + n % 3}:00")
        await house.say(ANA, f"hours Sat 18-{20 + n % 3}")
    assert len(house.letters(BEA)) == before


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("hours Sat 6-10pm", "Sat 26 Sep 18:00"),
        ("hours Sat 6pm-10", "Sat 26 Sep 18:00"),
        ("hours Sat 11:30-1pm", "Sat 26 Sep 11:30"),
    ],
)
async def test_am_and_pm_hold_for_both_ends(house: House, said: str, told: str) -> None:
    await table(house, PEOPLE)
    for who in PEOPLE:
        await house.say(who, said)
    assert house.last(CY).buttons[0][0].label == told


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("hours Sat", "Sat 18-22"),
        ("hours yesterday 18-22", "Sat 18-22"),
        ("hours Sat 18-25", "Sat 18-22"),
        ("hours Sat 25-26", "Sat 18-22"),
        ("hours agree Sat 25:00", "agree Sat 19:00"),
        ("hours 2027-09-01 18-22", "next 14 days"),
        ("hours agree Sat 19:10", "quarter"),
        ("hours agree 2026-13-45T18:00Z", "quarter"),
        ("hours agree 2030-01-01T18:00Z", "quarter"),
        ("hours " + ", ".join(["Sat 18-22"] * 13), "1 to 12"),
    ],
)
async def test_what_can_not_be_is_said(house: House, said: str, answer: str) -> None:
    await table(house, PEOPLE)
    await house.say(ANA, said)
    assert answer in house.last(ANA).text
    assert live(house) == {}


async def test_strangers_and_rooms_hear_nothing(house: House) -> None:
    await table(house, PEOPLE)
    await greet(house, "telegram:zed")
    await house.say("telegram:zed", "hours Sat 18-22 #1")
    assert "no seat at this table" in house.last("telegram:zed").text
    assert live(house) == {}
    await house.say(ANA, "/hours Sat 18-22 #1", place="-100")
    group = [one.text for one in house.wires["telegram"].sent if one.place == "-100"]
    assert any("told to those at that table alone" in one for one in group), group
    assert not any("22:00" in one or "18:00" in one for one in group)
    rows = house.store.read_now(lambda tx: tx.all(Outbox, kind="hours"))
    assert rows
    assert all(one.person_id is not None and not one.place for one in rows)
    assert house.store.read_now(lambda tx: tx.count(GameRoom)) <= 1
    await house.say("telegram:zed", "status #1")
    assert "18:00" not in house.last("telegram:zed").text


async def test_hours_go_with_the_game_the_seat_and_the_account(house: House) -> None:
    await table(house, PEOPLE)
    await all_agree(house, PEOPLE)
    ana = house.store.read_now(lambda tx: tx.one(Person, name="Ana"))
    assert len(house.store.read_now(lambda tx: hours_told(tx, ana.id))["hours"]) == 2
    await house.say(ANA, "delete my account")
    await house.say(ANA, house.last(ANA).buttons[0][0].order)
    kept = live(house)
    assert str(ana.id) not in kept["can"]
    assert str(ana.id) not in kept["agreed"]
    assert len(kept["can"]) == 2
    house.store.write_now(lambda tx: tx.set(Game, 1, status="running"))
    await house.say(BEA, "hours")
    assert "Sat" in house.last(BEA).text


async def test_an_hour_of_a_game_that_ends_before_it_is_called_off_in_calendars(house: House) -> None:
    """A calendar that had been sent as a file kept it: what is not named any more stays where it is."""
    await table(house, PEOPLE)
    meet = await all_agree(house, PEOPLE)
    await to_the_end(house, 1, PEOPLE)
    cy = house.store.read_now(lambda tx: tx.one(Person, name="Cy"))
    (span,) = house.store.read_now(lambda tx: agreed_hours(tx, cy.id))
    assert (span.sequence, span.starts_ms, span.ends_ms) == (2, meet, meet)
    assert not meeting_rows(house)
    assert set(json.loads(house.store.read_now(lambda tx: tx.get(Game, 1)).settings)["live"]) == {
        "meet",
        "off",
        "since",
        "turns",
    }, "what anybody said of their hours is gone"


async def test_hours_go_with_the_account_where_the_seat_was_lost_before(house: House) -> None:
    await table(house, PEOPLE)
    await all_agree(house, PEOPLE)
    cy = house.store.read_now(lambda tx: tx.one(Person, name="Cy"))
    await house.say(ANA, "kick Cy #1")
    await house.say(BEA, "vote yes #1")
    assert house.store.read_now(lambda tx: tx.count(Seat, game_id=1, person_id=cy.id)) == 0
    await house.say(CY, "delete my account")
    await house.say(CY, house.last(CY).buttons[0][0].order)
    assert str(cy.id) not in live(house)["can"]
    assert str(cy.id) not in live(house)["agreed"]


async def test_nobody_else_to_sit_down_with(house: House) -> None:
    await greet(house, ANA)
    await house.say(ANA, "new classic 4 with 3 bots")
    await house.say(ANA, "hours Sat 18-22")
    assert "nobody else" in house.last(ANA).text


async def test_what_a_joined_account_said_can_be_taken_back(house: House) -> None:
    await table(house, PEOPLE)
    await house.say(ANA, "hours Sat 18-22")
    await house.say(ANA, "hours agree Sat 19:00")
    assert live(house)["agreed"]
    await house.say("telegram:zoe", "hello")
    await joined(house, "telegram:zoe", ANA)  # it is Zoe who stays
    await house.say(ANA, "hours Sun 10-12")
    assert "You can Sun" in house.last(ANA).text, "in place of what they said before"
    await house.say(ANA, "hours off")
    assert not live(house)["can"]
    assert not live(house)["agreed"], "nobody is held to an hour that they took back"
