"""Seasons one after the other: who rises and falls, what is kept of them, and a season like the last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.rules import Refusal
from referee.service.league import lookup
from referee.service.league.entry import founding, next_season, sign_up
from referee.service.league.public import archive
from referee.service.league.scores import results
from referee.service.league.season import rounds
from referee.service.league.terms import Terms, read_terms
from referee.store import Entry, League
from tests.service.league import ledger
from tests.service.league.seasons import (
    DAY,
    QUICK,
    do,
    joined,
    league,
    people,
    play_round,
    season,
)
from tests.service.league.talking import BEA, BOSS, CY, founded, house_of, told
from tests.service.rig import House

TIERS = replace(QUICK, division=6, up=1, down=1, rounds=1)


async def played(office: House, the: League, who: list[int]) -> list[list[int]]:
    """A whole season of these people; the divisions as they were drawn."""
    do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    joined(office, who)
    do(office, lambda one: rounds.start(one, season(office)))
    await office.referee.scheduler.ring()
    now = season(office).id
    rows = office.store.read_now(
        lambda tx: tx.all(Entry, season_id=now, state="playing", order="division,id")
    )
    drawn = [[row.person_id for row in rows if row.division == no] for no in (1, 2, 3)]
    for _ in range(8):
        play_round(office, seed=season(office).no)
        await office.referee.scheduler.ring()
        office.clock.pass_(hours=24 * 7)
        await office.referee.scheduler.ring()
    assert season(office).state == "over"
    await office.settle()
    return drawn


def final(office: House) -> list[list[int]]:
    found: list[list[int]] = lookup.mind(season(office))["final"]
    return found


async def test_divisions_over_three_seasons(office: House) -> None:
    """The best rise, the last fall, who does not come back leaves a gap that is filled from below, newcomers
    and those who come back after a season begin at the bottom.
    """
    the = league(office, TIERS)
    who = people(office, 18)
    first = await played(office, the, who)
    assert [len(group) for group in first] == [6, 6, 6]
    one = final(office)
    assert [sorted(group) for group in one] == [sorted(group) for group in first]
    gone = one[0][2]  # somebody from the middle of the top division does not come back
    fresh = people(office, 1, first=50)[0]
    second = await played(office, the, [each for each in who if each != gone] + [fresh])
    assert [len(group) for group in second] == [6, 6, 6]
    top = {*one[0][:5], one[1][0]} - {gone}
    assert set(second[0]) >= top
    assert one[0][5] in second[1]  # fell
    assert one[1][5] in second[2]
    assert one[2][0] in second[1]  # rose
    assert len(set(second[0]) - top) == 1  # the gap is filled by somebody from the second division
    assert set(second[0]) - top <= set(one[1][1:])
    assert fresh in second[2]
    two = final(office)

    third = await played(office, the, [*[each for each in who if each != one[2][5]], fresh])
    assert [len(group) for group in third] == [6, 6, 6]
    assert gone in third[2]  # back after a season away: as a newcomer
    assert two[0][5] in third[1]
    assert two[1][0] in third[0]
    assert two[2][0] in third[1] or two[2][0] == one[2][5]
    assert sorted(each for group in third for each in group) == sorted(
        [*[each for each in who if each != one[2][5]], fresh]
    )


async def test_a_division_that_loses_many_is_filled_and_one_too_few_is_cut_anew(office: House) -> None:
    the = league(office, TIERS)
    who = people(office, 12)
    await played(office, the, who)
    one = final(office)
    stay = [each for group in one for each in group if each not in one[0][:4]]
    drawn = await played(office, the, stay)
    assert sorted(len(group) for group in drawn if group) == [4, 4]
    assert {one[0][4]} <= set(drawn[0])
    assert sorted(each for group in drawn for each in group) == sorted(stay)


async def test_seasons_and_hall_follow_from_what_was_played(office: House) -> None:
    the = league(office, TIERS)
    who = people(office, 12)
    ends, wins = [], dict.fromkeys(who, 0)
    for _ in range(2):
        await played(office, the, who)
        ends.append(final(office))
        for number in (1, 2):
            now = season(office)
            for row in do(office, lambda one, number=number, now=now: results.standings(one, now, number)):
                wins[row.person] += row.wins
    do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    rows: list[dict[str, Any]] = office.store.read_now(lambda tx: archive.seasons(tx, the))
    assert [(one["no"], one["state"], one["people"]) for one in rows] == [
        (3, "signup", 0),
        (2, "over", 12),
        (1, "over", 12),
    ]
    for one, end in zip(rows[1:], reversed(ends), strict=True):
        assert [[each["person"] for each in group["podium"]] for group in one["divisions"]] == [
            group[:3] for group in end
        ]
    hall = office.store.read_now(lambda tx: archive.hall(tx, the))
    titles = [end[0][0] for end in ends]
    assert {one["person"]: one["count"] for one in hall["titles"]} == {
        each: titles.count(each) for each in titles
    }
    assert all(one["count"] == wins[one["person"]] > 0 for one in hall["wins"])
    assert {one["count"] for one in hall["seasons"]} == {2}
    assert len(hall["seasons"]) == archive.FAMOUS
    counts = [one["count"] for one in hall["wins"]]
    assert counts == sorted(counts, reverse=True)


def test_the_hall_of_a_league_without_a_season_is_empty(office: House) -> None:
    the = league(office)
    assert office.store.read_now(lambda tx: archive.seasons(tx, the)) == []
    assert office.store.read_now(lambda tx: archive.hall(tx, the)) == {
        "titles": [],
        "wins": [],
        "seasons": [],
    }


async def test_a_season_called_off_gives_no_titles(office: House) -> None:
    the, _ = office.store.write_now(lambda tx: ledger.write(tx, state="void"))
    row = office.store.read_now(lambda tx: tx.get(League, the))
    assert row is not None
    hall = office.store.read_now(lambda tx: archive.hall(tx, row))
    assert hall["titles"] == hall["wins"] == []
    (one,) = office.store.read_now(lambda tx: archive.seasons(tx, row))
    assert (one["state"], one["divisions"]) == ("void", [])


async def test_a_season_again_asks_everybody_of_the_last_by_a_button(office: House) -> None:
    the = league(office, replace(QUICK, rounds=1))
    who = people(office, 8)
    with pytest.raises(Refusal) as no:
        do(office, lambda one: next_season.last_played(one, the))
    assert no.value.code == "league-no-last"
    await played(office, the, who)
    last = season(office)
    office.store.write_now(
        lambda tx: tx.change(Entry, {"season_id": last.id, "person_id": who[0]}, state="withdrawn")
    )
    facts = do(office, lambda one: sign_up.open_season(one, the, office.clock() + 7 * DAY, 0))
    assert do(office, lambda one: next_season.ask(one, the, last, facts)) == 7
    await office.settle()
    asked = [
        one
        for one in who
        if any("you played in season 1" in text.text for text in office.letters(f"terminal:p{one}"))
    ]
    assert asked == who[1:]
    letter = next(
        text for text in office.letters(f"terminal:p{who[1]}") if "you played in season 1" in text.text
    )
    assert [button.order for row in letter.buttons for button in row] == [f"league join #{the.id}"]
    await office.say(f"terminal:p{who[1]}", f"league join #{the.id}")
    now = season(office).id
    assert office.store.read_now(lambda tx: tx.count(Entry, season_id=now)) == 1


async def test_a_season_like_the_last_is_played_by_its_settings(office: House) -> None:
    the = league(office, replace(QUICK, rounds=1, advance=1))
    await played(office, the, people(office, 8))
    do(office, lambda one: founding.change_all(one, the, {"rounds": "9", "form": "swiss"}))
    last = season(office)
    do(office, lambda one: next_season.settings_of(one, the, last))
    now: Terms = read_terms(do(office, lambda one: founding.found(one, the.id)))
    assert (now.rounds, now.format, now.advance) == (1, "balanced", 1)


async def test_open_again_by_words(tmp_path: Path) -> None:
    house = await house_of(tmp_path / "referee.db")
    await founded(house, BEA, CY)
    await house.say(BOSS, "league void season")
    assert "no season that was played" in await told(house, BOSS, "league open again until tomorrow")
    assert "no season that was played" in await told(house, BOSS, "league open like last rounds 3")
    assert "no season yet" not in await told(house, BEA, "league seasons")
    assert "No season of Winter Cup is over yet" in await told(house, BEA, "league hall")
    await house.close()
