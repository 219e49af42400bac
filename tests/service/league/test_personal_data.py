"""Somebody in a league deletes their account: the season goes on, results stay under another name."""

from __future__ import annotations

import json

import pytest

from referee.rules import record
from referee.service.league import lookup
from referee.service.league.scores import results
from referee.service.play.records import record_text
from referee.store import Address, Bookmark, League, LeagueRole, Person, Seat, TableResult
from tests.service.league.seasons import begun, do, entry, game, play, play_round, ready, season, tables
from tests.service.rig import House


async def deleted(office: House, who: int) -> None:
    """They ask, confirm, and all is swept."""
    (at,) = office.store.read_now(lambda tx: tx.all(Address, person_id=who))
    await office.settle()
    await office.say(f"terminal:{at.address}", "delete my account")
    asks = office.last(f"terminal:{at.address}")
    assert asks.buttons, asks.text
    await office.say(f"terminal:{at.address}", asks.buttons[0][0].order)
    assert "Your account is deleted" in office.last(f"terminal:{at.address}").text
    for _ in range(200):
        await office.settle()
        await office.referee.scheduler.tidy()
        if not office.store.read_now(lambda tx: tx.count(Bookmark, channel="account deletion")):
            return
    raise AssertionError("it never ends")


async def test_results_stay_under_another_name_and_the_season_goes_on(office: House) -> None:
    await begun(office, 8)
    play_round(office)
    await office.referee.scheduler.ring()
    first = tables(office)[0]
    ana, *others = lookup.people_of(first)
    before = office.store.read_now(lambda tx: tx.one(TableResult, person_id=ana))
    await deleted(office, ana)
    called = office.store.read_now(lambda tx: tx.get(Person, ana).name)
    assert called == f"Former player {ana}"
    assert entry(office, ana).state == "withdrawn"
    assert office.store.read_now(lambda tx: tx.one(TableResult, person_id=ana)) == before
    await office.say(f"terminal:p{others[0]}", "league standings")
    assert called in office.last(f"terminal:p{others[0]}").text
    verified = record.verify(office.store.read_now(lambda tx: record_text(tx, first.game_id)))
    assert called in verified.record.setup.players
    office.clock.pass_(hours=24 * 7)
    await office.referee.scheduler.ring()
    assert ana not in [who for one in tables(office, round_no=2) for who in lookup.people_of(one)]
    play_round(office)
    await office.referee.scheduler.ring()
    assert {row.person for row in do(office, lambda one: results.standings(one, season(office), 1))} >= {ana}


@pytest.mark.parametrize("spare", [0, 1])
async def test_a_table_that_gathers_or_is_played_goes_on_without_them(office: House, spare: int) -> None:
    await begun(office, 8, spare=spare)
    gathers, plays = tables(office, "gathering")
    ready(office, plays)
    ana, bea = lookup.people_of(gathers)[0], lookup.people_of(plays)[0]
    await deleted(office, ana)
    await deleted(office, bea)
    seats = office.store.read_now(lambda tx: tx.all(Seat, game_id=plays.game_id, order="no"))
    assert bea not in [one.person_id for one in seats]
    play(office, plays)
    for _ in range(10):
        office.clock.pass_(hours=24)
        await office.referee.scheduler.ring()
        await office.settle()
    assert game(office, plays).status == "over"
    found = office.store.read_now(lambda tx: tx.one(TableResult, table_id=plays.id, person_id=bea))
    assert json.loads(found.flags)["left"]
    seats = office.store.read_now(lambda tx: tx.all(Seat, game_id=gathers.game_id, order="no"))
    assert not any("Player" in one.name and one.name.endswith(f" {ana}x") for one in seats)
    assert [one.id for one in tables(office, round_no=2)], "the next round is drawn"
    assert not office.store.read_now(lambda tx: tx.count(Person, name=f"Player {ana}x"))


async def test_offices_end_and_the_last_owner_hands_over_first(office: House) -> None:
    await begun(office, 4)
    office.store.write_now(
        lambda tx: [tx.add(LeagueRole, league_id=1, person_id=who, role="owner") for who in (1, 2)]
    )
    await deleted(office, 1)
    assert office.store.read_now(lambda tx: tx.column(LeagueRole, "person_id")) == [2]
    await office.say("terminal:p2", "delete my account")
    assert "only owner of Winter Cup" in office.last("terminal:p2").text
    office.store.write_now(lambda tx: tx.set(League, 1, closed_ms=office.clock()))
    await office.say("terminal:p2", "delete my account")
    assert "This deletes your account" in office.last("terminal:p2").text
