"""A season from sign-up to its final standings, on its own clock."""

from __future__ import annotations

from referee.service.league.entry import sign_up
from referee.service.league.scores import results
from referee.store import Entry, TableResult
from tests.service.league.seasons import (
    DAY,
    do,
    joined,
    league,
    people,
    play_round,
    rows,
    season,
    tables,
)
from tests.service.rig import House


async def test_a_season_goes_from_sign_up_to_its_end_by_itself(office: House) -> None:
    the = league(office)
    closes, starts = office.clock() + 7 * DAY, office.clock() + 9 * DAY
    do(office, lambda one: sign_up.open_season(one, the, closes, starts))
    joined(office, people(office, 8))
    await office.referee.scheduler.ring()
    assert season(office).state == "signup"
    office.clock.pass_(hours=7 * 24)
    await office.referee.scheduler.ring()
    assert season(office).state == "drawn"
    assert [len(tables(office, round_no=no)) for no in (1, 2, 3)] == [2, 2, 2]
    office.clock.pass_(hours=2 * 24)
    for no in (1, 2, 3):
        await office.referee.scheduler.ring()
        assert [row.state for row in rows(office)] == ["closed"] * (no - 1) + ["open"] + ["planned"] * (
            3 - no
        )
        assert {one.state for one in tables(office, round_no=no)} == {"gathering"}
        play_round(office)
        await office.referee.scheduler.ring()
        assert {one.state for one in tables(office, round_no=no)} == {"over"}
        office.clock.pass_(hours=7 * 24)
    await office.referee.scheduler.ring()
    assert season(office).state == "over"
    await office.settle()
    assert office.store.read_now(lambda tx: tx.count(TableResult)) == 24
    table = do(office, lambda one: results.standings(one, season(office), 1))
    assert len(table) == 8
    assert {row.played for row in table} == {3}
    assert sum(row.points for row in table) == 6 * (6 + 4 + 3 + 2)
    assert office.store.read_now(lambda tx: tx.count(Entry, state="playing")) == 8
