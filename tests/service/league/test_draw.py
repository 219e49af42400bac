"""What can't be seated or played so, and what a league is played by: divisions, casts, plans, points."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.ids import RoundNo
from referee.league.lots import tried
from referee.rules import Refusal, record
from referee.service.core.unit_of_work import UnitOfWork, settings_of
from referee.service.league import due, lookup, settings, terms
from referee.service.league.entry import founding, sign_up
from referee.service.league.office import rulings
from referee.service.league.scores import results
from referee.service.league.season import draw, rounds
from referee.service.league.terms import Terms
from referee.service.people import table_roles
from referee.service.people.identity import Speaker
from referee.service.play.records import record_text
from referee.store import Address, Entry, LeagueRole, OfficeLog, Seat, SeatPlan
from tests.service.league.seasons import (
    DAY,
    QUICK,
    begun,
    do,
    ended,
    game,
    joined,
    league,
    people,
    person,
    play_round,
    ready,
    rows,
    season,
    tables,
)
from tests.service.rig import House


def refused(office: House, job: Callable[[UnitOfWork], Any]) -> Refusal:
    with pytest.raises(Refusal) as no:
        do(office, job)
    return no.value


async def test_a_season_that_cannot_be_seated_stays_open_and_says_why_once(office: House) -> None:
    the = league(office)
    boss = people(office, 1, first=80)[0]
    office.store.write_now(lambda tx: tx.add(LeagueRole, league_id=the.id, person_id=boss, role="director"))
    do(office, lambda one: sign_up.open_season(one, the, office.clock() + DAY, office.clock() + 2 * DAY))
    joined(office, people(office, 2))
    no = refused(office, lambda one: draw.draw(one, season(office)))
    assert (no.code, no.facts) == ("too-few-to-seat", {"people": 2, "least": 3})
    for _ in range(4):
        office.clock.pass_(hours=20)
        await office.referee.scheduler.ring()
        await office.settle()
    assert season(office).state == "signup"
    assert lookup.mind(season(office))["unseatable"]["code"] == "too-few-to-seat"
    told = [one.text for one in office.letters("terminal:p80") if "cannot be seated" in one.text]
    assert len(told) == 1
    assert "2 people are too few: a table needs 3" in told[0]
    joined(office, people(office, 5, first=20))
    await office.referee.scheduler.ring()
    assert season(office).state == "running"  # its first round was due meanwhile
    assert "unseatable" not in lookup.mind(season(office))


REFUSED = [
    ("points", "6/4/3", "points-too-short"),
    ("points", "3/4/5/6/7/8", "points-rising"),
    ("points", "six", "points-unreadable"),
    ("points", "", "points-empty"),
    ("sizes", "4-9", "player-count"),
    ("sizes", "5-3", "league-sizes"),
    ("sizes", "many", "league-value"),
    ("sizes", "1-5", "league-sizes"),
    ("rounds", "0", "league-number"),
    ("rounds", "-3", "league-value"),
    ("rounds", "99999", "league-number"),
    ("days", "0", "league-number"),
    ("late", "0", "league-number"),
    ("overtime", "never", "league-value"),
    ("policy", "24h bananas", "unknown-word"),
    ("cast", "bananas", "unknown-word"),
    ("edition", "chess", "unknown-word"),
    ("complete", "99", "option-value"),
    ("tiebreaks", "wins, luck", "league-value"),
    ("tiebreaks", "wins, wins", "league-value"),
    ("bye", "lots", "league-points"),
    ("abandonment", "much", "league-points"),
    ("reliability", "120%", "league-number"),
    ("divisions", "2", "league-division-small"),
    ("green", "perhaps", "league-value"),
    ("plans", "none at all", "league-value"),
    ("talk", "loud", "league-value"),
    ("weather", "fine", "league-no-setting"),
]


def test_what_cannot_be_is_refused_when_it_is_said(office: House) -> None:
    the = league(office)
    for key, text, code in REFUSED:
        assert (
            refused(office, lambda one, key=key, text=text: founding.change(one, the, key, text)).code == code
        ), (key, text)
    assert do(office, lambda one: founding.found(one, "Winter Cup")).settings == the.settings


TOLD = [
    ("points", "10 6 3 1 0", "10/6/3/1/0"),
    ("points", "3/2,5/1/0.5/0", "3/2.5/1/0.5/0"),
    ("sizes", "3-5 wanted 5", "3-5 wanted 5"),
    ("sizes", "4", "4-4 wanted 4"),
    ("rounds", "7", "7"),
    ("late", "3 days", "72"),
    ("overtime", "wait", "wait"),
    ("overtime", "rule after 5 days", "rule 5"),
    ("policy", "gentle", "gentle no restart"),
    ("cast", "random by round", "random by round"),
    ("cast", "usual", "usual"),
    ("edition", "deluxe", "deluxe"),
    ("complete", "8", "8"),
    ("tiebreaks", "head to head, wins", "points, head to head, wins, lot"),
    ("bye", "3", "3"),
    ("bye", "mean", "average"),
    ("abandonment", "none", "0"),
    ("withdrawal", "1.5 points", "1.5"),
    ("reliability", "80% after 20", "80% after 20"),
    ("divisions", "20 up 3 down 1", "20 up 3 down 1"),
    ("divisions", "none", "none"),
    ("green", "no", "no"),
    ("plans", "no lists", "no lists"),
    ("talk", "off", "off"),
    ("public", "no", "no"),
]


def test_a_setting_is_told_in_words_that_are_read_as_the_same(office: House) -> None:
    for number, (key, text, told) in enumerate(TOLD):
        the = league(office, name=f"League {number}x")
        facts = do(office, lambda one, the=the, key=key, text=text: founding.change(one, the, key, text))
        assert facts["value"] == told
        again = do(
            office, lambda one, the=the, key=key, facts=facts: founding.change(one, the, key, facts["value"])
        )
        assert again["value"] == again["before"] == told
        row = do(office, lambda one, number=number: founding.found(one, f"League {number}x"))
        assert terms.text_of(terms.read_terms(row)) == row.settings


def test_every_setting_can_be_said_as_it_is_told(office: House) -> None:
    usual = settings.all_told(Terms())
    same = {"policy": {"policy": terms.row_of(Terms().rule())}, "talk": {"talk": "open"}}
    for key, words in usual.items():
        assert do(
            office, lambda one, key=key, words=words: settings.changed(one, Terms(), key, words)
        ) == replace(Terms(), **same.get(key, {})), key


async def test_divisions_follow_the_season_before(office: House) -> None:
    the = league(office, replace(QUICK, division=8, up=2, down=2, rounds=1))
    do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    joined(office, people(office, 16))
    do(office, lambda one: rounds.start(one, season(office)))
    await office.referee.scheduler.ring()
    play_round(office)
    await ended(office)
    assert season(office).state == "over"
    top, low = lookup.mind(season(office))["final"]
    assert [row.person for row in do(office, lambda one: results.standings(one, season(office), 1))] == top
    assert (len(top), len(low)) == (8, 8)
    await office.settle()
    do(office, lambda one: sign_up.open_season(one, the, 0, 0))
    assert season(office).no == 2
    stayed = [who for who in (*top, *low) if who != top[0]]
    fresh = people(office, 1, first=90)
    joined(office, stayed + fresh)
    do(office, lambda one: rounds.start(one, season(office)))
    await office.referee.scheduler.ring()
    high = {who for one in tables(office) if one.division == 1 for who in lookup.people_of(one)}
    rest = {who for one in tables(office) if one.division == 2 for who in lookup.people_of(one)}
    assert high >= {*low[:2], *top[1:6]}  # two rose, those in the middle stayed
    assert rest >= {*top[6:], *fresh}  # two fell, the newcomer begins below
    assert len(high) == 8
    assert not high & rest


async def test_a_cast_by_round_is_the_same_at_all_tables_of_a_round_and_another_in_the_next(
    office: House,
) -> None:
    await begun(office, 8, replace(QUICK, edition="deluxe", choice={"named": "random"}, each_round=True))
    casts = []
    for no in (1, 2):
        here = [settings_of(game(office, one))["choice"] for one in tables(office, round_no=no)]
        assert len(here) == 2
        assert here[0] == here[1]
        casts.append(here[0])
        play_round(office)
        office.clock.pass_(hours=24 * 7)
        await office.referee.scheduler.ring()
    assert casts[0] != casts[1]


async def test_the_first_crown_goes_where_it_was_drawn_and_the_record_says_so(office: House) -> None:
    await begun(office, 8)
    table = next(one for one in tables(office, "gathering") if one.crown)
    ready(office, table)
    assert do(office, lambda one: one.states.of(game(office, table))).crown == table.crown
    play_round(office)
    text = office.store.read_now(lambda tx: record_text(tx, int(table.game_id or 0)))
    assert f"crown: {table.crown}" in text
    assert record.replay(record.read(text)).state.result is not None


async def test_where_lists_are_forbidden_scripts_are_not(office: House) -> None:
    await begun(office, 8, replace(QUICK, plans="no lists"))
    table = tables(office, "gathering")[0]
    ready(office, table)
    number = lookup.people_of(table)[0]
    who = f"terminal:p{number}"
    await office.settle()
    await office.say(who, f"#{table.game_id} prefer King, Bishop, Merchant")
    assert "Winter Cup allows no preference lists" in office.last(who).text
    assert office.store.read_now(lambda tx: tx.count(SeatPlan)) == 0
    await office.say(who, f"plan #{table.game_id}")
    offered = [button.order for row in office.last(who).buttons for button in row]
    assert "plan menu turn" in offered
    assert "plan menu prefer" not in offered
    await office.say(who, f"#{table.game_id} when King: gold; end")
    assert office.store.read_now(lambda tx: tx.count(SeatPlan)) == 1


def speaker(one: UnitOfWork, number: int) -> Speaker:
    """Somebody who writes from their terminal."""
    at = one.tx.one(Address, person_id=number)
    assert at is not None
    return Speaker(person(one, number), at)


async def test_a_tables_league_knows_who_runs_it(office: House) -> None:
    await begun(office, 8)
    table = tables(office, "gathering")[0]
    boss = people(office, 1, first=80)[0]
    the = season(office)
    office.store.write_now(
        lambda tx: tx.add(LeagueRole, league_id=the.league_id, person_id=boss, role="director")
    )
    assert do(office, lambda one: table_roles.keyholders(one, game(office, table))) == [boss]
    assert office.store.read_now(lambda tx: tx.one(Seat, game_id=table.game_id, person_id=boss)) is None
    assert do(office, lambda one: table_roles.role(one, game(office, table), speaker(one, boss))).key
    office.store.write_now(lambda tx: tx.change(LeagueRole, {"person_id": boss}, role="moderator"))
    assert [
        do(
            office,
            lambda one, act=act: table_roles.role(one, game(office, table), speaker(one, boss), act).key,
        )
        for act in ("extend", "talk", "kick", "rewind")
    ] == [True, True, False, False]
    await office.say("terminal:p80", f"kick 1 #{table.game_id}")
    assert len(do(office, lambda one: one.seats(int(table.game_id or 0)))) == 4
    told: dict[str, Any] = json.loads(game(office, table).settings)
    assert told["season"] == "league:1:1"
    assert told["policy"]["first_round_miss"] is False


async def test_a_division_too_small_for_a_table_keeps_no_other_from_being_drawn_anew(office: House) -> None:
    await begun(office, 16, replace(QUICK, division=8))
    now = season(office)
    play_round(office)
    await office.referee.scheduler.ring()
    below = office.store.read_now(lambda tx: tx.column(Entry, "person_id", division=2))
    for who in below[2:]:
        do(office, lambda one, who=who: sign_up.leave_season(one, now, person(one, who)))
    before = [lookup.people_of(one) for one in tables(office, "planned") if one.division == 1]
    do(office, lambda one: draw.redraw(one, now))
    await office.referee.scheduler.ring()
    after = [lookup.people_of(one) for one in tables(office, "planned") if one.division == 1]
    assert "wanted" not in lookup.mind(season(office))
    assert len(after) == len(before) == 4
    assert after != before
    assert not [one for one in tables(office, "planned") if one.division == 2]
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    assert sorted(do(office, lambda one: results.byes(one, now))) == sorted(below[:2])


@pytest.mark.parametrize("started", [False, True])
async def test_who_is_in_charge_hears_that_a_redraw_can_not_be_seated(office: House, started: bool) -> None:
    """They had been told that it would be drawn anew, and never heard of it again."""
    the = league(office)
    boss = people(office, 1, first=80)[0]
    office.store.write_now(lambda tx: tx.add(LeagueRole, league_id=the.id, person_id=boss, role="director"))
    do(office, lambda one: sign_up.open_season(one, the, 0, office.clock() + DAY))
    everybody = people(office, 8)
    joined(office, everybody)
    do(office, lambda one: draw.draw(one, season(office)))
    await office.referee.scheduler.ring()
    if started:
        office.clock.pass_(hours=25)
        await office.referee.scheduler.ring()
    now = season(office)
    assert now.state == ("running" if started else "drawn")
    for who in everybody[2:]:
        do(office, lambda one, who=who: sign_up.leave_season(one, now, person(one, who)))
    do(office, lambda one: draw.redraw(one, now))
    await office.referee.scheduler.ring()
    await office.settle()
    (told,) = [one.text for one in office.letters("terminal:p80") if "drawn anew" in one.text]
    assert "what was drawn stays" in told
    assert "too few: a table needs 3" in told
    assert not any("drawn anew" in one.text for one in office.letters("terminal:p1"))
    assert "wanted" not in lookup.mind(season(office))


async def test_a_redraw_that_was_worked_out_twice_is_told_once(office: House) -> None:
    """As where an alternate comes while it is worked out, which wakes the season."""
    await begun(office, 8)
    (spare,) = people(office, 1, first=80)
    now = season(office)
    do(office, lambda one: draw.redraw(one, now))
    first = do(office, lambda one: due.advance(one, lookup.fresh(one, now)))
    do(office, lambda one: sign_up.alternate(one, now, person(one, spare)))
    second = do(office, lambda one: due.advance(one, lookup.fresh(one, now)))
    assert first is not None
    assert second is not None
    for lots in (first, second):
        do(office, lambda one, lots=lots: due.save_drawn(one, now.id, lots, tried(lots)))
    assert office.store.read_now(lambda tx: tx.count(OfficeLog, act="league-drawn")) == 2


async def test_a_redraw_keeps_the_days_of_rounds_and_the_byes_that_officials_gave(office: House) -> None:
    """Before the season began both were lost with the rounds, though everybody had been told of them."""
    the = league(office)
    do(office, lambda one: sign_up.open_season(one, the, 0, office.clock() + 2 * DAY))
    everybody = people(office, 8)
    joined(office, everybody)
    do(office, lambda one: draw.draw(one, season(office)))
    await office.referee.scheduler.ring()
    now, later = season(office), rows(office)[1].starts_ms + 3 * DAY
    do(office, lambda one: rounds.postpone(one, now, RoundNo(2), later))
    do(office, lambda one: rulings.bye(one, now, person(one, everybody[0]), RoundNo(1)))
    before = [(one.no, one.starts_ms, one.ends_ms) for one in rows(office)]
    do(office, lambda one: draw.redraw(one, now))
    await office.referee.scheduler.ring()
    assert "wanted" not in lookup.mind(season(office))
    assert [(one.no, one.starts_ms, one.ends_ms) for one in rows(office)] == before
    office.clock.pass_(hours=49)
    await office.referee.scheduler.ring()
    assert lookup.facts_of(rows(office)[0])["byes"] == [everybody[0]]
    assert everybody[0] not in [who for one in tables(office, round_no=1) for who in lookup.people_of(one)]
