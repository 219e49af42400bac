"""Two accounts of one person become one in the midst of a league, and two again."""

from __future__ import annotations

import json

from referee.service.league import lookup
from referee.service.league.scores import penalties, results
from referee.service.league.terms import Terms
from tests.service.joining import joined as accounts_joined
from tests.service.joining import person_of
from tests.service.league.seasons import (
    begun,
    do,
    entry,
    game,
    play_round,
    ready,
    season,
    tables,
)
from tests.service.rig import House

#: ten people at tables of three: one of them sits out each round
ODD = Terms(least=3, most=3, wanted=3, points="6/4/3", rounds=2, round_days=7, strikes=2)


async def weeks(office: House, many: int) -> None:
    for _ in range(many):
        office.clock.pass_(hours=24 * 7)
        await office.referee.scheduler.ring()


def points(office: House) -> dict[int, tuple[object, int]]:
    rows = do(office, lambda one: results.standings(one, season(office), 1))
    return {row.person: (row.points, row.byes) for row in rows}


async def test_a_bye_stays_with_who_joins_another_account(office: House) -> None:
    await begun(office, 10, ODD)
    play_round(office)
    await weeks(office, 1)
    play_round(office)
    await weeks(office, 1)
    assert season(office).state == "over"
    before = points(office)
    (rested,) = do(office, lambda one: lookup.facts_of(lookup.round_of(one, season(office), 1))["byes"])
    await accounts_joined(office, "telegram:new", f"terminal:p{rested}")
    now = person_of(office, f"terminal:p{rested}")
    assert now != rested, "they go by the number of the other account"
    assert points(office) == {(now if who == rested else who): has for who, has in before.items()}


async def test_a_champion_who_joins_another_account_stays_where_they_were(office: House) -> None:
    await begun(office, 10, ODD)
    play_round(office)
    await weeks(office, 1)
    play_round(office)
    await weeks(office, 1)
    ((first, *others),) = lookup.mind(season(office))["final"]
    await accounts_joined(office, "telegram:new", f"terminal:p{first}")
    now = person_of(office, f"terminal:p{first}")
    assert lookup.mind(season(office))["final"] == [[now, *others]]
    await office.say("telegram:new", "unlink")
    assert person_of(office, f"terminal:p{first}") == first
    assert lookup.mind(season(office))["final"] == [[first, *others]]


async def test_strikes_and_left_seats_go_along(office: House) -> None:
    everybody = await begun(office, 10, ODD, spare=1)
    table = tables(office, "gathering")[0]
    gone, *_ = lookup.people_of(table)
    ready(office, table, but=[gone])
    office.clock.pass_(hours=49)
    await office.referee.scheduler.ring()
    table = tables(office)[0]
    assert everybody[-1] in do(office, lambda one: lookup.sitting(one, table))
    assert entry(office, gone).state == "playing", "one strike of two"
    the = season(office)
    do(office, lambda one: lookup.keep(one, the, reminded={gone: office.clock()}))
    await accounts_joined(office, "telegram:new", f"terminal:p{gone}")
    now = person_of(office, f"terminal:p{gone}")
    assert lookup.mind(season(office))["reminded"] == {str(now): office.clock()}
    told = json.loads(game(office, table).settings)["league"]
    assert told["left"] == [[now, "no show"]]
    do(office, lambda one: penalties.abandoned(one, season(office), now, "no show"))
    assert entry(office, now).state == "withdrawn", "the second strike"
