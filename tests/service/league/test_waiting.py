"""For whom tables wait, told to those who run a league; and one word that reminds all of them."""

from __future__ import annotations

from dataclasses import replace

from referee.service.league import lookup
from referee.service.league.office import rulings, waiting
from referee.service.league.season import table_time
from referee.store import Address, Alert, Game, LeagueRole
from tests.service.league.seasons import QUICK, begun, do, ended, game, ready, season, tables
from tests.service.league.talking import told
from tests.service.rig import House


def moderator(office: House, who: int) -> str:
    office.store.write_now(lambda tx: tx.add(LeagueRole, league_id=1, person_id=who, role="moderator"))
    return f"terminal:p{who}"


def asked_again(office: House, who: int) -> int:
    """How many letters asked them whether they are ready."""
    return len(
        [one for one in office.wires["terminal"].sent if one.address == f"p{who}" and "ready" in one.text]
    )


async def test_the_board_says_who_is_missing_and_how_they_can_be_reached(office: House) -> None:
    await begun(office, 8)
    await office.settle()
    first, second = tables(office, "gathering")
    late, gone, *_ = lookup.people_of(first)
    ready(office, first, but=(late, gone))
    ready(office, second)
    office.store.write_now(lambda tx: tx.change(Address, {"person_id": gone}, state="blocked"))
    found = do(office, lambda one: waiting.board(one, season(office)))
    assert [one.no for one in found] == [first.no, second.no]
    gathers, plays = found
    assert [(one.person, one.reachable) for one in gathers.people] == [
        (one, one != gone) for one in lookup.people_of(first) if one in (late, gone)
    ]
    assert gathers.people[0].since_ms == game(office, first).created_ms
    assert gathers.until_ms > office.clock()
    assert len(plays.people) == 1
    assert plays.until_ms == 0
    assert plays.people[0].seen_ms == 0, "whom a game waits for is public, when they were here is not"
    at = moderator(office, lookup.people_of(second)[0])
    said = await told(office, at, "league waiting")
    for piece in (
        f"Table {first.no} (#{first.game_id})",
        f"Player {late}x",
        "no letter reaches them",
        "is played",
    ):
        assert piece in said
    assert office.last(at).buttons[0][0].label == "Remind all"


async def test_one_tap_reminds_each_once_a_day(office: House) -> None:
    await begun(office, 8)
    await office.settle()
    first, second = tables(office, "gathering")
    late = lookup.people_of(first)[0]
    ready(office, first, but=(late,))
    ready(office, second)
    at = moderator(office, lookup.people_of(second)[0])
    before = asked_again(office, late)
    assert "1 person was reminded; 1 person was" in await told(
        office, at, "league remind"
    )  # the other: just asked
    await office.settle()
    assert asked_again(office, late) == before + 1
    assert "Nobody was reminded; 2 people were" in await told(office, at, "league remind")
    await office.settle()
    assert asked_again(office, late) == before + 1
    office.clock.pass_(hours=23.5)
    await office.settle()
    found = await told(office, at, "league remind")
    assert "1 person was reminded" in found, found  # the one whom the running table waits for
    acts = await told(office, at, "league audit")
    assert "reminding 1 person" in acts


async def test_a_reminder_waits_in_quiet_hours(office: House) -> None:
    await begun(office, 8)
    await office.settle()
    first, second = tables(office, "gathering")
    late = lookup.people_of(first)[0]
    ready(office, first, but=(late,))
    ready(office, second)
    await office.say(f"terminal:p{late}", "quiet 9-23")
    office.store.write_now(lambda tx: tx.change(Address, {"person_id": late}, channel="telegram"))
    at = moderator(office, lookup.people_of(second)[0])
    before = len(office.wires["telegram"].sent)
    assert "1 person was reminded" in await told(office, at, "league remind")
    await office.settle()
    assert len(office.wires["telegram"].sent) == before
    office.clock.pass_(hours=10)
    await office.settle()
    assert len(office.wires["telegram"].sent) == before + 1


async def test_a_table_that_can_not_be_read_waits_alone(office: House) -> None:
    """Every hour it broke the step of its season: no other table was decided, and no round ever closed."""
    await begun(office, 12, replace(QUICK, rounds=1, overtime_days=1))
    for one in tables(office):
        ready(office, one)
    played, over, other = tables(office, "playing")
    for one in (played, over):
        office.store.write_now(lambda tx, one=one: tx.set(Game, one.game_id, snapshot=b'{"schema": 1}'))
    office.store.write_now(lambda tx: tx.set(Game, over.game_id, status="over", ended_ms=office.clock()))
    the = season(office)
    assert [row.no for row in do(office, lambda one: waiting.board(one, the))] == [other.no]
    assert do(office, lambda one: table_time.days_left(one, the, played)) is None
    office.clock.pass_(hours=9 * 24)
    await office.referee.scheduler.ring()
    assert [one.state for one in tables(office)] == ["playing", "playing", "ruled"]
    for _ in range(2):
        office.clock.pass_(hours=24)
        await office.referee.scheduler.ring()
    alerts = office.store.read_now(lambda tx: tx.all(Alert))
    assert [one.code for one in alerts if one.code != "frozen"] == ["table-unreadable"] * 6
    names = do(office, lambda one: lookup.names_of(one, lookup.people_of(played)))
    do(office, lambda one: rulings.rule(one, the, played, names))
    do(office, lambda one: rulings.void(one, the, over))
    await ended(office)
    assert season(office).state == "over"
