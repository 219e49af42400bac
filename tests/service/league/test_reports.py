"""A player reports a problem: who hears of it and reads it, who does not, and what becomes of it."""

from __future__ import annotations

import json
from pathlib import Path

from referee.service.league import lookup
from referee.service.league.office import reports
from referee.service.league.personal_data import of_leagues
from referee.store import LeagueReport, LeagueRole, OfficeLog, Outbox, Person
from tests.service.joining import joined, person_of
from tests.service.league.seasons import begun, do, league, opened, ready, season, tables
from tests.service.league.talking import BOSS, told
from tests.service.rig import House


async def desk(path: Path) -> House:
    """A season of eight at two tables, run by nobody yet; the terminal's boss is the house's admin."""
    house = await opened(path, admins=(("terminal", "boss"),))
    await begun(house, 8)
    await house.say(BOSS, "hello")
    return house


def office(house: House, **roles: int) -> None:
    """Somebody runs the league: name of the role with a person each."""
    for role, who in roles.items():
        house.store.write_now(
            lambda tx, role=role, who=who: tx.add(LeagueRole, league_id=1, person_id=who, role=role)
        )


def rows(house: House) -> list[LeagueReport]:
    return house.store.read_now(lambda tx: tx.all(LeagueReport, order="id"))


def heard(house: House, who: int) -> list[str]:
    """What a person of the season was told about reports, of those `p1`, `p2` …"""
    found = house.wires["terminal"].sent
    return [one.text for one in found if one.address == f"p{who}" and "problem was reported" in one.text]


async def test_a_report_reaches_the_moderator_with_the_table_and_its_reporter_hears_the_answer(
    tmp_path: Path,
) -> None:
    house = await desk(tmp_path / "r.db")
    first, second = tables(house, "gathering")
    ana, bea = lookup.people_of(first)[0], lookup.people_of(first)[1]
    mod = lookup.people_of(second)[0]
    office(house, moderator=mod)
    ready(house, first, but=(bea,))
    said = await told(house, f"terminal:p{ana}", "league report Bea keeps us <waiting>")
    assert "1 person who runs Winter Cup reads it" in said
    await house.settle()
    (letter,) = heard(house, mod)
    name = house.store.read_now(lambda tx: tx.get(Person, bea).name)
    for piece in (f"Player {ana}x", f"table {first.no}", f"#{first.game_id}", "Bea keeps us <waiting>", name):
        assert piece in letter
    assert not any(heard(house, one) for one in range(1, 9) if one != mod)
    assert "keeps us" in await told(house, f"terminal:p{mod}", "league reports")
    done = await told(house, f"terminal:p{mod}", "league handled 1 because she was reminded")
    assert "whoever sent it is told" in done
    await house.settle()
    assert "she was reminded" in house.last(f"terminal:p{ana}").text
    assert "No report is open" in await told(house, f"terminal:p{mod}", "league reports")
    assert "seen to already" in await told(house, f"terminal:p{mod}", "league handled 1")
    (row,) = rows(house)
    assert (row.state, row.answer, row.closed_by) == ("closed", "she was reminded", mod)
    await house.close()


async def test_nobody_reads_a_report_about_the_own_table_while_somebody_else_is_left(tmp_path: Path) -> None:
    house = await desk(tmp_path / "r.db")
    first, second = tables(house, "gathering")
    ana, mod, owner = lookup.people_of(first)[:3]
    office(house, moderator=mod, owner=owner, director=lookup.people_of(second)[0])
    free = lookup.people_of(second)[0]
    await told(house, f"terminal:p{ana}", f"league report table {first.no} they collude")
    await house.settle()
    assert [one for one in range(1, 9) if heard(house, one)] == [free]
    for one in (mod, owner):
        assert "No report is open" in await told(house, f"terminal:p{one}", "league reports")
        assert "no report 1" in await told(house, f"terminal:p{one}", "league handled 1 because no")
        assert f"Player {ana}x" not in await told(house, f"terminal:p{one}", "league audit")
    # the log never says who reported
    lines = house.store.read_now(lambda tx: tx.all(OfficeLog, scope="league:1"))
    assert not [one for one in lines if one.by == f"Player {ana}x" and one.act == "report"]
    await house.close()


async def test_where_all_officials_play_there_the_house_reads_it(tmp_path: Path) -> None:
    house = await desk(tmp_path / "r.db")
    first = tables(house, "gathering")[0]
    ana, mod, owner = lookup.people_of(first)[:3]
    office(house, moderator=mod, owner=owner)
    await told(house, f"terminal:p{ana}", "league report they collude")
    await house.settle()
    sent = [one for one in house.wires["terminal"].sent if "they collude" in one.text]
    assert {one.address for one in sent} == {"boss"}
    assert "they collude" in await told(house, BOSS, "league reports")
    await house.close()


async def test_where_nobody_else_is_left_all_in_charge_read_it(tmp_path: Path) -> None:
    house = await opened(tmp_path / "r.db")
    await begun(house, 4)
    await house.settle()
    (only,) = tables(house, "gathering")
    ana, owner = lookup.people_of(only)[:2]
    office(house, owner=owner)
    await told(house, f"terminal:p{ana}", "league report they are slow")
    await house.settle()
    assert heard(house, owner)
    assert "they are slow" in await told(house, f"terminal:p{owner}", "league reports")
    await house.close()


async def test_a_report_is_bounded_and_strangers_send_none(tmp_path: Path) -> None:
    house = await desk(tmp_path / "r.db")
    ana = lookup.people_of(tables(house, "gathering")[0])[0]
    at = f"terminal:p{ana}"
    assert "501" in await told(house, at, "league report " + "x" * 501)
    assert "no table 99" in await told(house, at, "league report table 99 what")
    await house.say("terminal:zed", "hello")
    assert "not in the season" in await told(house, "terminal:zed", "league report hello there")
    for n in range(reports.A_DAY):
        assert "Thank you" in await told(house, at, f"league report slow {n}")
    assert "as many as one may" in await told(house, at, "league report slow again")
    assert len(rows(house)) == reports.A_DAY
    house.clock.pass_(hours=25)
    assert "Thank you" in await told(house, at, "league report slow again")
    for act in (
        "reports",
        "handled 1",
        "waiting",
        "remind",
        "invite Ana",
        "revoke Ana",
        "invitations",
        "answers",
    ):
        assert "those who run Winter Cup" in await told(house, at, f"league {act}"), act
    await house.close()


async def test_a_tap_is_enough(tmp_path: Path) -> None:
    house = await desk(tmp_path / "r.db")
    ana = lookup.people_of(tables(house, "gathering")[0])[0]
    at = f"terminal:p{ana}"
    await house.say(at, "league table 1")
    (button,) = house.last(at).buttons[0]
    assert button.label == "Report a problem"
    await house.say(at, button.order)
    asks = house.last(at)
    assert "What happened at table 1" in asks.text
    assert [row[0].label for row in asks.buttons][:1] == ["Somebody does not answer"]
    await house.say(at, asks.buttons[0][0].order)
    await house.say(at, asks.buttons[0][0].order)
    assert [one.text for one in rows(house)] == ["Somebody does not answer any more."], "it was tapped twice"
    await house.settle()
    letter = next(
        one for one in house.wires["terminal"].sent if one.address == "boss" and "Report 1" in one.text
    )
    await house.say(BOSS, letter.buttons[0][0].order)
    assert rows(house)[0].state == "closed"
    await house.close()


async def test_said_in_a_group_it_is_answered_in_private(tmp_path: Path) -> None:
    house = await opened(tmp_path / "g.db", admins=(("telegram", "boss"),))
    for who in ("telegram:boss", "telegram:ana", "telegram:bea"):
        await house.say(who, "hello")
    await house.say("telegram:boss", "league new Winter Cup")
    await house.say("telegram:boss", "league open")
    for who in ("telegram:ana", "telegram:bea"):
        await house.say(who, "league join")
    await house.say("telegram:ana", "/league report Bea is silent", place="-5")
    group = [one.text for one in house.wires["telegram"].sent if one.place == "-5"]
    assert [one for one in group if "in private" in one]
    assert not any("Bea is silent" in one or "Thank you" in one for one in group)
    assert [one.text for one in rows(house)] == ["Bea is silent"]
    await house.close()


async def test_another_league_of_the_same_words_is_not_read(tmp_path: Path) -> None:
    """Who runs one league reads nothing of another."""
    house = await desk(tmp_path / "r.db")
    ana, mod = lookup.people_of(tables(house, "gathering")[0])[:2]
    await told(house, f"terminal:p{ana}", "league #1 report secret words")
    league(house, name="Other Cup")
    house.store.write_now(lambda tx: tx.add(LeagueRole, league_id=2, person_id=mod, role="owner"))
    assert "secret" not in await told(house, f"terminal:p{mod}", 'league "Other Cup" reports')
    assert "those who run Winter Cup" in await told(house, f"terminal:p{mod}", "league handled 1")
    assert "no report 1" in await told(house, f"terminal:p{mod}", 'league "Other Cup" handled 1')
    await house.close()


async def test_data_of_a_report_goes_with_its_reporter(tmp_path: Path) -> None:
    from referee.service.league.personal_data import of_leagues
    from tests.service.league.test_personal_data import deleted

    house = await desk(tmp_path / "r.db")
    ana, bea = lookup.people_of(tables(house, "gathering")[0])[:2]
    office(house, moderator=bea)
    await told(house, f"terminal:p{ana}", "league report something odd")
    found = house.store.read_now(lambda tx: of_leagues(tx, ana))
    assert [one["text"] for one in found["reports"]] == ["something odd"]
    assert house.store.read_now(lambda tx: of_leagues(tx, bea))["reports"] == []
    await deleted(house, ana)
    assert rows(house) == []
    left = house.store.read_now(lambda tx: tx.all(Outbox))
    assert not any(f"Player {ana}x" in one.letter or f"Player {ana}x" in json.dumps(one.data) for one in left)
    assert do(house, lambda one: reports.views(one, [1])) == []
    assert season(house).state == "running"
    await house.close()


async def test_a_report_goes_along_when_its_reporter_is_joined_to_another_account(tmp_path: Path) -> None:
    """The answer reaches them, and what they reported is in their data."""
    house = await desk(tmp_path / "r.db")
    who, mod = (lookup.people_of(one)[0] for one in tables(house, "gathering"))
    office(house, moderator=mod)
    fresh = "telegram:fresh"
    await house.say(fresh, "hello")
    await told(house, f"terminal:p{who}", "league report it is too slow")
    await joined(house, fresh, f"terminal:p{who}")
    new = person_of(house, fresh)
    assert new != who
    assert [one["text"] for one in house.store.read_now(lambda tx: of_leagues(tx, new))["reports"]] == [
        "it is too slow"
    ]
    await told(house, f"terminal:p{mod}", "league handled 1 because it is faster now")
    await house.settle()
    heard_there = "".join(one.text for one in [*house.letters(fresh), *house.letters(f"terminal:p{who}")])
    assert "it is faster now" in heard_there
    await house.say(fresh, "unlink terminal")
    await house.settle()
    assert [row.person_id for row in rows(house)] == [who]
