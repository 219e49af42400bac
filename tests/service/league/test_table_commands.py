"""Rounds and tables by words: substitutes, byes, rulings, replays, dates; and what of it takes two keys."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from icalendar import Calendar

from referee.service.league.public import calendar
from referee.store import Game, League, SeasonRound, SeasonTable
from tests.service.league.talking import BEA, BOSS, CY, DAN, EVE, FLO, acts, founded, house_of, running, told
from tests.service.rig import House

GUS = "terminal:gus"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


def tables(house: House) -> list[SeasonTable]:
    return house.store.read_now(lambda tx: tx.all(SeasonTable, order="no"))


def rounds(house: House) -> list[SeasonRound]:
    return house.store.read_now(lambda tx: tx.all(SeasonRound, order="no"))


def spoken(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def dates(house: House) -> dict[str, Any]:
    """What stands in the league's calendar, by its name."""
    words = house.referee.outbox_worker._words
    file = house.store.read_now(
        lambda tx: calendar.league_calendar_file(tx, words, "en", tx.all(League, order="id")[0])
    )
    assert b"X-PUBLISHED-TTL:PT6H\r\n" in file
    return {str(one["UID"]): one for one in Calendar.from_ical(file).walk("VEVENT")}


async def ring(house: House, hours: float = 0.1) -> None:
    house.clock.pass_(hours=hours)
    await house.referee.scheduler.ring()
    await house.settle()


async def test_a_substitute_a_ruling_and_a_replay(house: House) -> None:
    await running(house)
    await house.say(GUS, "hello")
    await house.say(BOSS, "league role Gus director")
    await house.say(FLO, "hello")
    assert "Your name is down" in await told(house, FLO, "league alternate")
    assert "Zorro" in await told(house, BOSS, "league substitute table 1 Zorro by Flo")
    assert "not at table 1" in await told(house, BOSS, "league substitute table 1 Flo by Bea")
    assert "Flo plays at table 1 of Winter Cup in place of Eve" in await told(
        house, BOSS, "league substitute table 1 Eve by Flo"
    )
    assert "has no scores yet" in await told(house, BOSS, "league rule table 1 by scores")
    for who in (BEA, CY, DAN, FLO):
        await house.say(who, "ready #1")
    assert house.store.read_now(lambda tx: tx.all(Game))[0].status == "running"
    assert "Table 1 of Winter Cup is ruled" in await told(
        house, BOSS, "league rule table 1 by scores because of time"
    )  # as everybody sees them: one key
    assert tables(house)[0].state == "ruled"
    assert "takes two keys" in await told(
        house, BOSS, "league rule table 1 Bea, Cy, Dan, Flo"
    )  # points hang on it now
    assert "“Zorro” does not fit at table 1" in await told(
        house, BOSS, "league rule table 1 Bea, Cy, Dan, Zorro"
    )
    assert "must be named once" in await told(house, BOSS, "league rule table 1 Bea, Cy, Dan")
    assert "takes two keys" in await told(house, BOSS, "league void table 1")
    assert "takes two keys" in await told(house, BOSS, "league replay table 1")
    assert "is played again, as table" in await told(house, GUS, "league second 3")
    assert tables(house)[0].state == "replayed"
    assert "can't be done to it now" in await told(house, GUS, "league second 2")
    await ring(house)
    assert "gathering" in await told(house, CY, f"league table {tables(house)[-1].no}")
    assert acts(house)[-1] == "replay"


async def test_a_moderator_helps_at_the_tables_of_the_league(house: House) -> None:
    await running(house)
    await house.say(FLO, "hello")
    await house.say(BOSS, "league role Flo moderator")
    for who in (BEA, CY, DAN, EVE):
        await house.say(who, "ready #1")
    assert "everybody at game #1 can see it" in await told(house, FLO, "extend 24h #1")
    assert "everybody at game #1 can see it" in await told(house, FLO, "pause #1")
    await house.say(BOSS, "league role Flo none")
    assert "You have no seat at this table" in await told(house, FLO, "resume #1")


async def test_a_date_that_moved_is_believed_by_who_has_the_calendar_already(house: House) -> None:
    await running(house)
    before = dates(house)
    assert dates(house) == before  # the same until something changes
    house.clock.pass_(hours=2)
    await house.say(BOSS, "league postpone by 3 days")
    after = dates(house)
    (moved,) = [one for name, one in after.items() if "-ends-1@" in name]
    (was,) = [one for name, one in before.items() if "-ends-1@" in name]
    assert moved.start == was.start + timedelta(days=3)
    assert moved["SEQUENCE"] > was["SEQUENCE"]
    assert moved.stamp > was.stamp


async def test_dates_of_rounds(house: House) -> None:
    await running(house)
    ends = rounds(house)[0].ends_ms
    assert "ends" in await told(house, BOSS, "league postpone by 3 days")
    assert rounds(house)[0].ends_ms == ends + 72 * 3_600_000
    assert "say a later day" in await told(house, BOSS, "league postpone until tomorrow")
    assert "23:59" in await told(house, BOSS, "league postpone round 1 until 20 Dec")
    assert spoken(rounds(house)[0].ends_ms) == "2026-12-20 23:59"
    assert "begins" in await told(house, BOSS, "league postpone round 2 until 10 Jan")
    # a day on which something begins is its morning
    assert spoken(rounds(house)[1].starts_ms) == "2027-01-10 09:00"
    await house.say(BEA, "zone Asia/Tokyo")
    assert "Mon 11 Jan 20:00 and" in await told(house, BEA, "league postpone round 2 until 11 Jan 20:00")
    assert spoken(rounds(house)[1].starts_ms) == "2027-01-11 11:00"
    assert "There is no round 9" in await told(house, BOSS, "league postpone round 9 until 1 Mar")
    assert "still on" in await told(house, BOSS, "league start")
    assert "Round 1 has begun" in await told(house, BOSS, "league bye Cy round 1")
    assert "Cy has a bye in round 2" in await told(house, BOSS, "league bye Cy")
    assert json.loads(rounds(house)[1].facts)["granted"]


async def test_the_first_round_is_put_off_before_there_are_any(house: House) -> None:
    await founded(house, BEA, CY, DAN, EVE)
    assert "has no day on which its first round begins" in await told(
        house, BOSS, "league postpone by 3 days"
    )
    assert "Round 1 of Winter Cup begins Tue 1 Dec 09:00" in await told(
        house, BOSS, "league postpone until 2026-12-01"
    )
    assert "Round 1 of Winter Cup begins Fri 4 Dec 09:00" in await told(
        house, BOSS, "league postpone by 3 days"
    )
    await house.settle()
    assert any("round 1 now begins Fri 4 Dec 09:00" in one.text for one in house.letters(BEA))
    assert "moving round 1, which now begins" in await told(house, BOSS, "league audit")
    await house.say(BOSS, "league draw")
    await ring(house)
    assert spoken(rounds(house)[0].starts_ms) == "2026-12-04 09:00"
    assert "begins Mon 7 Dec" in await told(house, BOSS, "league postpone by 3 days")
    await ring(house, 24 * 75)
    assert spoken(rounds(house)[0].starts_ms) == "2026-12-07 09:00"


async def test_a_pause_by_words(house: House) -> None:
    await running(house)
    ends = rounds(house)[0].ends_ms
    assert "That is for" not in await told(house, BEA, "league pause 10 days")
    await ring(house)
    assert rounds(house)[0].ends_ms == ends + 240 * 3_600_000
    assert "pause from" in await told(house, CY, "league winter cup")
    assert "needs a director" in await told(house, CY, "league resume")
    assert "pauses until" in await told(house, BOSS, "league start")
    assert "goes on" in await told(house, BEA, "league resume")
    assert "does not pause" in await told(house, BEA, "league resume")
    assert "Winter Cup pauses from Thu 24 Dec 00:00 until Sat 2 Jan 23:59" in await told(
        house, BOSS, "league pause 24 Dec to 2 Jan because everybody is away"
    )
    assert "one at a time" in await told(house, BOSS, "league pause until 7 Jan")
    assert "pausing from" in await told(house, BOSS, "league audit")


async def test_the_next_round_begins_early_when_somebody_says_so(house: House) -> None:
    await running(house)
    assert "counts for nothing" in await told(house, BOSS, "league void table 1 because nobody came")
    await ring(house, (rounds(house)[0].ends_ms - house.clock()) / 3_600_000 - 2)
    await house.say(BOSS, "league postpone round 2 by 7 days")
    await ring(house, 4)
    assert [one.state for one in rounds(house)][:2] == ["closed", "planned"]
    assert "Round 2 of Winter Cup opens within a minute" in await told(house, BOSS, "league start")
    await ring(house)
    assert [one.state for one in rounds(house)][:2] == ["closed", "open"]


async def test_a_table_of_a_private_league_is_shown_to_those_in_its_season_and_to_no_stranger(
    house: House,
) -> None:
    await told(house, BOSS, "league new Winter Cup")
    assert "public" in await told(house, BOSS, "league set public no")
    await told(house, BOSS, "league open Winter Cup")
    for who in (BEA, CY, DAN, EVE):
        await house.say(who, "hello")
        await told(house, who, "league join Winter Cup")
    await house.say(FLO, "hello")
    await told(house, FLO, "league alternate Winter Cup")
    await told(house, BOSS, "league start")
    await ring(house)
    assert "not for everybody" not in await told(house, BEA, "who #1")
    assert "not for everybody" not in await told(house, BOSS, "who #1")
    assert "not for everybody" not in await told(house, FLO, "who #1")
    assert "not for everybody" in await told(house, GUS, "who #1")
