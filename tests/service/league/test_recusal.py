"""Nobody acts on himself, at a table where he plays, or where it may lift him; who may instead; and what is
told where nobody else is left.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.core.unit_of_work import Shell
from referee.service.league import console
from referee.store import Entry, Person, Seat
from referee.text import Words
from tests.service.league.seasons import opened
from tests.service.league.talking import BEA, BOSS, CY, DAN, EVE, FLO, acts, founded, house_of, running, told
from tests.service.rig import House

GUS = "terminal:gus"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


async def official(house: House, who: str, role: str) -> None:
    """Somebody who does not play gets a role."""
    await house.say(who, "hello")
    name = who.partition(":")[2].capitalize()
    assert f"{name} is {role}" in await told(house, BOSS, f"league role {name} {role}")


def penalty(house: House, name: str) -> int:
    """What was taken from somebody, in hundredths."""
    who = house.store.read_now(lambda tx: tx.one(Person, name=name))
    found = house.store.read_now(lambda tx: tx.one(Entry, person_id=None if who is None else who.id))
    assert found is not None
    return found.penalty


async def both_playing(house: House) -> None:
    """Boss, who looks after the house and owns the league, plays with the director Bea: nobody is free."""
    await founded(house, BOSS, BEA, CY, DAN)
    await house.say(BOSS, "league role Bea director")
    await house.say(BOSS, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()


@pytest.mark.parametrize(
    "text",
    [
        "league penalty Bea 1",
        "league penalty Bea -1",
        "league bonus Bea 3 because why not",
        "league bye Bea round 2",
        "league remove Bea",
        "league admit Bea",
        "league substitute table 1 Bea by Flo",
        "league rule table 1 by scores",
        "league rule table 1 Bea, Cy, Dan, Eve",
        "league void table 1",
        "league replay table 1",
    ],
)
async def test_nobody_acts_on_himself_or_on_his_own_table(house: House, text: str) -> None:
    await running(house)
    await house.say(FLO, "hello")
    before = acts(house)
    said = await told(house, BEA, text)
    assert "your key does not count for it in Winter Cup. Ask Boss." in said
    assert "yourself" in said or "You play at that table" in said
    assert acts(house) == before


async def test_the_owner_does_not_turn_the_second_key_for_her_own_table(house: House) -> None:
    await founded(house, BEA, CY, DAN, EVE)
    await official(house, FLO, "director")
    await official(house, GUS, "director")
    await house.say(BOSS, "league role Bea owner")
    await house.say(BOSS, "league start")
    house.clock.pass_(hours=0.1)
    await house.referee.scheduler.ring()
    await house.settle()
    assert "takes two keys" in await told(house, FLO, "league rule table 1 Bea, Cy, Dan, Eve")
    assert not any("league second 1" in one.text for one in house.letters(BEA))  # she is not even asked
    assert "You play at that table" in await told(house, BEA, "league second 1")
    assert "Ask Boss or Gus" in await told(house, BEA, "league refuse 1")
    assert "is ruled" in await told(house, GUS, "league second 1")


async def test_a_rival_takes_no_points_where_he_plays(house: House) -> None:
    await running(house)
    assert "You play where that counts yourself" in await told(house, BEA, "league penalty Cy 1")
    assert penalty(house, "Cy") == 0
    assert "Cy loses 1 point" in await told(house, BOSS, "league penalty Cy 1 because late")


async def test_points_are_given_back_only_as_far_as_they_were_taken(house: House) -> None:
    await founded(house, BEA, CY)
    await official(house, FLO, "moderator")
    assert "Nothing that was taken from Cy" in await told(house, FLO, "league penalty Cy -2")
    await house.say(FLO, "league penalty Cy 2 because late")
    assert "Cy gets 1.5 points back" in await told(house, FLO, "league penalty Cy -1.5 because of a delay")
    said = await told(house, FLO, "league penalty Cy -1")
    assert "0.5 points at most can be given back to Cy" in said
    assert "league bonus Cy 1 because" in said
    assert penalty(house, "Cy") == 50
    assert "Cy gets 0.5 points back" in await told(house, FLO, "league penalty Cy -0.5")
    assert "Nothing that was taken from Cy" in await told(house, FLO, "league penalty Cy -0.01")


async def test_a_bonus_takes_two_keys_and_a_reason_and_everybody_hears_it(house: House) -> None:
    await running(house)
    await official(house, FLO, "director")
    await official(house, GUS, "moderator")
    assert "league bonus Ana 3 because" in await told(house, FLO, "league bonus Cy 3")
    assert "needs a director" in await told(house, GUS, "league bonus Cy 3 because of it")
    assert "giving Cy 3 points because the report" in await told(
        house, FLO, "league bonus Cy 3 because the report"
    )
    assert penalty(house, "Cy") == 0
    assert "because the report" in await told(house, BOSS, "league second 1")
    assert penalty(house, "Cy") == -300
    await house.settle()
    for who in (BEA, CY, DAN, EVE):
        assert "Cy gets 3 points as a bonus (the report)" in house.last(who).text
    assert "Nothing that was taken from Cy" in await told(house, FLO, "league penalty Cy -1")
    await house.say(FLO, "league penalty Cy 1 because late")
    await house.say(BOSS, "league penalty Dan 2")
    standings = await told(house, EVE, "league standings")
    assert "+3 bonus: the report, -1: late" in standings
    assert "-2" in standings
    assert "giving Cy 3 points because the report (proposal 1 by Flo, seconded)" in await told(
        house, BOSS, "league audit"
    )


async def test_where_nobody_else_is_left_an_admin_of_the_house_may_and_all_are_told(house: House) -> None:
    await both_playing(house)
    said = await told(house, BEA, "league penalty Dan 1 because late")
    assert (
        "Nobody who runs it is left for that: an admin of this house (Boss) may, and everybody is told"
        in said
    )
    assert "Dan loses 1 point" in await told(house, BOSS, "league penalty Dan 1 because late")
    await house.settle()
    for who in (BEA, CY, DAN):
        letters = "".join(one.text for one in house.letters(who))
        assert "nobody else was left for this, so Boss, who is involved in it, turned a key to it" in letters
        assert "taking 1 point from Dan because late" in letters
    await official(house, FLO, "director")  # by Boss, who is involved: not for a day
    assert "by somebody who is involved in that" in await told(house, FLO, "league penalty Bea 1")
    house.clock.pass_(hours=25)
    assert "Ask Flo" in await told(house, BOSS, "league penalty Bea 1")
    assert "Bea loses 1 point" in await told(house, FLO, "league penalty Bea 1")


async def test_a_role_taken_away_makes_nobody_the_last(house: House) -> None:
    await founded(house, BOSS, BEA, CY, DAN)
    await official(house, FLO, "director")
    await house.say(BOSS, "league start")
    house.clock.pass_(hours=30)
    await house.referee.scheduler.ring()
    await house.settle()
    assert "Ask Flo" in await told(house, BOSS, "league penalty Bea 2")
    assert "no longer director" in await told(house, BOSS, "league role Flo none")
    assert "Flo could have done it, but was put out of office" in await told(
        house, BOSS, "league penalty Bea 2"
    )
    house.clock.pass_(hours=25)
    assert "Bea loses 2 points" in await told(house, BOSS, "league penalty Bea 2")


async def test_two_keys_where_only_one_is_free(house: House) -> None:
    await running(house)  # Boss does not play, Bea does
    assert "takes two keys" in await told(house, BEA, "league redraw")
    assert "being drawn anew" in await told(house, BOSS, "league second 1")
    await house.settle()
    assert "Bea, who is involved in it, turned a key to it" in "".join(one.text for one in house.letters(CY))
    assert "takes two keys" in await told(house, BOSS, "league void season")
    await official(house, FLO, "director")
    assert "Ask Flo" in await told(house, BEA, "league second 2")  # now there are two who don't play
    assert "Ask Boss or Flo" in await told(house, BEA, "league bonus Cy 1 because of it")
    assert "counts for nothing" in await told(house, FLO, "league second 2")


async def test_a_proposal_is_about_its_own_season(house: House) -> None:
    await running(house)
    await official(house, FLO, "director")
    assert "takes two keys" in await told(house, FLO, "league redraw")
    assert "takes two keys" in await told(house, FLO, "league void season")
    assert "counts for nothing" in await told(house, BOSS, "league second 2")
    assert "open for sign-up" in await told(house, BOSS, "league open")
    assert "Season 1 of Winter Cup is over" in await told(house, BOSS, "league second 1")


async def test_a_draw_that_people_have_seen_takes_two_keys(house: House) -> None:
    await founded(house, BEA, CY, DAN, EVE)
    await official(house, FLO, "director")
    await house.say(BOSS, "league draw")
    await house.referee.scheduler.ring()
    await house.settle()
    assert "is drawn" in house.last(BEA).text
    assert "takes two keys" in await told(house, BOSS, "league redraw")
    assert "being drawn anew" in await told(house, FLO, "league second 1")


async def test_somebody_who_came_to_play_meanwhile_has_proposed_nothing(house: House) -> None:
    await running(house)
    await official(house, FLO, "director")
    await official(house, GUS, "director")
    assert "takes two keys" in await told(house, FLO, "league bonus Cy 3 because of it")
    assert "You play" in await told(house, FLO, "league join")
    assert "Flo, who made proposal 1 in Winter Cup, plays where it counts by now" in await told(
        house, GUS, "league second 1"
    )


async def test_one_person_is_involved_through_all_of_their_addresses(tmp_path: Path) -> None:
    """One entry of the house's admins has two addresses: one of them plays, the other does not."""
    one_admin = (("terminal", "boss"), ("telegram", "7"))
    house = await opened(
        tmp_path / "referee.db",
        admins=(*one_admin, ("terminal", "zoe")),
        admin_entries=(one_admin, (("terminal", "zoe"),)),
    )
    try:
        await founded(house, BEA, CY, DAN)
        await house.say("terminal:zoe", "hello")
        await house.say("telegram:7", "hello")
        assert "signed up" in await told(house, "telegram:7", "/league join")
        await house.say(BOSS, "league start")
        house.clock.pass_(hours=0.1)
        await house.referee.scheduler.ring()
        assert "You play where that counts yourself" in await told(house, BOSS, "league penalty Bea 2")
        assert "Ask Zoe" in await told(house, BOSS, "league void table 1")
        assert "Bea loses 2 points" in await told(house, "terminal:zoe", "league penalty Bea 2")
    finally:
        await house.close()


async def test_the_console_is_nobody(house: House) -> None:
    await both_playing(house)
    here = Shell(Words(strict=True), house.settings, house.clock())
    said = house.store.write_now(lambda tx: console.carry_out(tx, here, "penalty Boss 2 because late", "zoe"))
    assert "Boss loses 2 points" in said
    await house.settle()
    assert not any("nobody else was left" in one.text for one in house.letters(CY))


async def test_in_a_season_of_teams_all_divisions_are_ones_own(house: House) -> None:
    await running(house)
    await official(house, FLO, "director")
    bea = house.store.read_now(lambda tx: tx.one(Person, name="Bea"))
    assert bea is not None
    house.store.write_now(lambda tx: tx.change(Entry, {"person_id": bea.id}, division=2))
    # by her seat
    assert "You play where that counts yourself" in await told(house, BEA, "league penalty Cy 1")
    house.store.write_now(lambda tx: tx.change(Seat, {"person_id": bea.id}, person_id=None))
    assert "takes two keys" in await told(house, BEA, "league bonus Cy 1 because of it")
    house.store.write_now(lambda tx: tx.change(Entry, {"person_id": bea.id}, facts='{"team": "Reds"}'))
    assert "You play where that counts yourself" in await told(house, BEA, "league penalty Cy 1")


async def test_at_a_table_an_admin_of_the_house_who_gains_by_it_is_told_to_all(house: House) -> None:
    await both_playing(house)  # all four at one table
    for who in (BOSS, BEA, CY, DAN):
        await house.say(who, "ready #1")
    assert "your key does not count at game #1. Ask Boss" in await told(house, BEA, "kick Cy #1")
    await house.say(BOSS, "kick Cy #1")  # he plays there: the others vote, as at any table
    await house.say(BEA, "vote yes 1")
    await house.say(DAN, "vote yes 1")
    await house.settle()
    said = "".join(one.text for one in house.letters(EVE) + house.letters(DAN))
    assert "nobody else was left who could decide at table 1, so Boss, who is involved, did" in said


async def test_at_its_tables_an_official_who_plays_is_a_player(house: House) -> None:
    await running(house)
    for who in (BEA, CY, DAN, EVE):
        await house.say(who, "ready #1")
    assert "your key does not count at game #1. Ask Boss" in await told(house, BEA, "kick Cy #1")
    assert "your key does not count at game #1" in await told(house, BEA, "extend 24h #1")
    await house.say(BOSS, "rewind #1 round 1")
    assert "Winter Cup" not in await told(house, BEA, "pause #1")  # as any player may ask for it
    assert "everybody at game #1 can see it" in await told(house, BOSS, "extend 24h #1")
