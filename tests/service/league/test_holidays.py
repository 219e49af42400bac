"""Public holidays on which no clock of a league's tables runs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from referee.policy import DAILY, due_ms, to_json
from referee.rules import Refusal
from referee.service.deadlines import clock_state
from referee.service.league import settings
from referee.service.league.entry import founding
from referee.service.league.terms import read_terms
from tests.service.league.seasons import HOUR, QUICK, begun, do, game, league, ready, tables
from tests.service.rig import House


async def test_holidays_of_a_country_stop_the_clocks(office: House) -> None:
    """The 7th of September and the 12th of October are holidays in Brazil; it is the 21st of September."""
    plain = replace(QUICK, policy=to_json(replace(DAILY, zone="America/Sao_Paulo", quiet=None)))
    await begun(office, 4, replace(plain, holidays=("BR",)))
    ready(office, tables(office, "gathering")[0])
    now = game(office, tables(office, "playing")[0])
    off = clock_state.read_clocks(now).off
    assert [datetime.fromtimestamp(start / 1000, UTC).isoformat() for start, _ in off[:2]] == [
        "2026-10-12T03:00:00+00:00",
        "2026-11-02T03:00:00+00:00",
    ]
    office.clock.pass_(hours=(off[0][0] - office.clock()) / HOUR - 2)  # two hours before the holiday
    policy = replace(clock_state.policy_of(now), bank_hours=0, quiet=None)
    clock = clock_state.clock_of(
        policy, clock_state.read_clocks(now), clock_state.SeatTime(asked=office.clock()), None
    )
    assert due_ms(policy, clock) == office.clock() + 48 * HOUR


@pytest.mark.parametrize(
    ("said", "kept"), [("BR", "BR"), ("de-by, at", "AT, DE-BY"), ("none", "none"), ("GB-ENG", "GB-ENG")]
)
async def test_countries_are_set_by_their_letters(office: House, said: str, kept: str) -> None:
    the = league(office)
    do(office, lambda one: founding.change_all(one, the, {"holidays": said}))
    assert (
        settings.setting_text(do(office, lambda one: read_terms(founding.found(one, the.name))), "holidays")
        == kept
    )


@pytest.mark.parametrize("said", ["Brazil", "XX", "DE-XX", "DE-", "BR " * 20 + "; DROP"])
async def test_no_country_is_refused_with_what_it_looks_like(office: House, said: str) -> None:
    the = league(office)
    with pytest.raises(Refusal) as no:
        do(office, lambda one: founding.change_all(one, the, {"holidays": said}))
    assert no.value.code == "league-holidays"
