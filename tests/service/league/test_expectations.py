"""What to expect of a season: said when it opens, its days as forecast, a `yes` for a bad one, and what the
office's clock does when nobody says it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from referee.service.league import lookup
from referee.service.league.entry import founding, sign_up
from referee.service.league.season import expectations, forecast_worker
from referee.service.league.terms import Terms, read_terms
from referee.store import Season
from tests.service.league.seasons import DAY, do, league, opened, rows, season
from tests.service.league.talking import BEA, BOSS, CY, DAN, EVE, house_of, log, told
from tests.service.rig import House

LENGTH = expectations.expectation(Terms()).days


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    one = await house_of(tmp_path / "referee.db")
    yield one
    await one.close()


async def founded(house: House, opening: str = "open") -> str:
    """A league of Bea's, its season open, and four people in it; what was answered to its opening."""
    await house.say(BEA, "hello")
    await told(house, BOSS, "league new Winter Cup")
    await told(house, BOSS, "league role Bea director")
    answer = await told(house, BOSS, f"league {opening}")
    for who in (BEA, CY, DAN, EVE):
        await house.say(who, "hello")
        await told(house, who, "league join")
    return answer


async def pass_(house: House, days: float) -> list[str]:
    """Days go by; what Bea is written meanwhile."""
    before = len(house.wires["terminal"].sent)
    for _ in range(round(days * 4)):
        house.clock.pass_(hours=6)
        await house.referee.scheduler.ring()
        await house.settle()
    return [one.text for one in house.wires["terminal"].sent[before:] if one.address == "bea"]


async def test_who_changes_nothing_gets_the_days_that_are_forecast(house: House) -> None:
    answer = await founded(house)
    assert f"a round of {LENGTH} days (as forecast): hardly any" in answer or "about 1 of" in answer
    assert "league yes" not in answer
    assert "waits for no “yes”" in await told(house, BEA, "league yes")
    assert "as forecast" in await told(house, BEA, "league settings")
    await told(house, BEA, "league start")
    await pass_(house, 1)
    first = rows(house)[0]
    assert (first.ends_ms - first.starts_ms) // DAY == expectations.expectation(Terms(), 4).days
    assert read_terms(season(house)).round_days == expectations.expectation(Terms(), 4).days


async def test_a_bad_forecast_needs_a_yes(house: House) -> None:
    answer = await founded(house, "open days 7")
    assert "in a round of 7 days: nearly all" in answer
    assert f"{LENGTH} days would do" in answer
    for word in ("draw", "start"):
        refused = await told(house, BEA, f"league {word}")
        assert "bad forecast" in refused
        assert season(house).state == "signup"
    assert "begins as it is set" in await told(house, BEA, "league yes")
    assert log(house)[-1].act == "yes"
    # a yes is about these days, and no others
    await told(house, BEA, "league set days 8")
    assert "bad forecast" in await told(house, BEA, "league draw")
    await told(house, BEA, "league set days 7")
    assert "are being drawn" in await told(house, BEA, "league draw")
    await pass_(house, 0.25)
    assert season(house).state == "drawn"
    assert rows(house)[0].ends_ms - rows(house)[0].starts_ms == 7 * DAY


async def test_the_proposed_days_need_no_yes(house: House) -> None:
    await founded(house, "open days 7")
    assert "as forecast" in await told(house, BEA, "league set days as forecast")
    assert "are being drawn" in await told(house, BEA, "league draw")


async def test_when_nobody_says_yes_they_are_asked_and_then_it_takes_the_days_proposed(house: House) -> None:
    await founded(house, "open days 7 until in 2 days start in 9 days")
    letters = await pass_(house, 2.5)
    assert season(house).state == "signup"
    asked = [one for one in letters if "waits for your word" in one]
    assert len(asked) == 1
    assert "league yes" in asked[0]
    letters = await pass_(house, 2)
    assert sum("waits for your word" in one for one in letters) == 2
    assert "until tomorrow" in letters[-1]
    letters = await pass_(house, 1.5)
    assert any("rounds of" in one and "and not of 7" in one for one in letters)
    assert season(house).state == "drawn"
    enough = expectations.expectation(Terms(), 4).enough["none"]
    assert rows(house)[0].ends_ms - rows(house)[0].starts_ms == enough * DAY
    assert "league-forecast-taken" in {line.act for line in log(house)}


async def test_a_yes_while_it_waits_lets_it_begin(house: House) -> None:
    await founded(house, "open days 7 until in 2 days start in 9 days")
    await pass_(house, 3.5)
    assert season(house).state == "signup"
    await told(house, BEA, "league yes")
    await pass_(house, 0.25)
    assert season(house).state == "drawn"
    assert read_terms(season(house)).round_days == 7


async def test_where_tables_are_waited_for_nothing_is_bad(house: House) -> None:
    answer = await founded(house, "open days 7 overtime wait")
    assert "go on after the end of a round of 7 days" in answer
    assert "are being drawn" in await told(house, BEA, "league draw")


async def test_no_lists_no_word_of_plans(house: House) -> None:
    assert (
        "plans"
        not in (await founded(house, "open plans no lists")).split("What", 1)[-1].split("round of")[-1]
    )


async def test_seasons_of_before_keep_their_fourteen_days_and_need_no_yes(tmp_path: Path) -> None:
    office = await opened(tmp_path / "r.db")
    the = league(office, Terms())
    do(office, lambda one: sign_up.open_season(one, the))
    said = {name: value for name, value in json.loads(season(office).settings).items() if name != "form"}
    office.store.write_now(lambda tx: tx.change(Season, {"no": 1}, settings=json.dumps(said)))
    assert read_terms(season(office)).round_days == 14
    do(office, lambda one: founding.change(one, the, "rounds", "3"))
    assert read_terms(season(office)).round_days == 14
    assert not do(office, lambda one: expectations.held(one, season(office)))
    assert do(office, lambda one: expectations.of_season(one, season(office))).bad
    await office.close()


@pytest.mark.parametrize("text", ["0", "181", "soon", "-3"])
async def test_days_that_can_not_be(house: House, text: str) -> None:
    await told(house, BOSS, "league new Winter Cup")
    before = await told(house, BOSS, "league settings")
    assert "“days”" in await told(house, BOSS, f"league set days {text}")
    assert await told(house, BOSS, "league settings") == before


async def test_a_policy_of_ones_own_is_measured_beside_everything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two games of each kind of plans, really played in a process of its own."""
    monkeypatch.setattr(forecast_worker, "GAMES", 2)
    house = await opened(tmp_path / "r.db", admins=(("terminal", "boss"),), forecasts=True)
    await told(house, BOSS, "league new Winter Cup")
    answer = await told(house, BOSS, "league open sizes 2-3 wanted 2 policy 30h")
    assert "not known yet" in answer
    await house.referee.scheduler.ring()
    await house.settle()
    measured = lookup.mind(season(house))["expects"]["measured"]
    assert set(measured["plans"]) == {"none", "draft", "full"}
    assert measured["plans"]["none"][3] == 2
    assert do(house, lambda one: expectations.of_season(one, season(house))).sure
    # another policy is another forecast
    await told(house, BOSS, "league set policy 31h")
    assert not do(house, lambda one: expectations.of_season(one, season(house))).sure
    await house.close()
