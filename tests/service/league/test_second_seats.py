"""Who takes another seat in a round: from a table that does not count, for one given up, or besides one that
counts.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.rules import Refusal
from referee.service.league import lookup
from referee.service.league.entry import sign_up
from referee.service.league.office import rulings
from referee.service.league.scores import results
from tests.service.league.seasons import QUICK, begun, do, person, play, play_round, ready, season, tables
from tests.service.league.test_seats_and_rests import next_round, put_in
from tests.service.rig import House


async def test_who_is_put_in_from_a_table_that_is_void_plays_and_does_not_rest(office: House) -> None:
    await begun(office, 12, replace(QUICK, bye="3", least=4, most=4, points="6/4/3/2"))
    first, second, *_ = tables(office, "planned", round_no=2)
    the = season(office)
    do(office, lambda uow: rulings.void(uow, the, first, why="a slip"))
    moved, out = lookup.people_of(first)[0], lookup.people_of(second)[0]
    put_in(office, second, out, moved)
    await next_round(office)
    sits = [who for one in tables(office, "gathering", round_no=2) for who in lookup.people_of(one)]
    assert (sits.count(moved), sits.count(out)) == (1, 0)
    byes = do(office, lambda uow: results.byes(uow, season(office)))
    assert byes == dict.fromkeys([*lookup.people_of(first)[1:], out], 1)


async def test_whose_table_is_void_twice_in_a_round_rests_once(office: House) -> None:
    await begun(office, 8, replace(QUICK, bye="3"))
    first, second = tables(office, "gathering")
    ready(office, first)
    the, (playing,) = season(office), tables(office, "playing")
    do(office, lambda uow: rulings.void(uow, the, playing, why="a slip"))
    moved, out = lookup.people_of(first)[0], lookup.people_of(second)[0]
    put_in(office, second, out, moved)
    ready(office, tables(office, "gathering")[0])
    byes = do(office, lambda uow: results.byes(uow, season(office)))
    assert byes == dict.fromkeys(lookup.people_of(first)[1:], 1)
    (playing,) = tables(office, "playing")
    do(office, lambda uow: rulings.void(uow, the, playing, why="again"))
    byes = do(office, lambda uow: results.byes(uow, season(office)))
    assert byes == dict.fromkeys([*lookup.people_of(first), *lookup.people_of(second)], 1)


async def test_who_gave_up_one_seat_for_another_of_the_round_does_not_rest(office: House) -> None:
    await begun(office, 8, replace(QUICK, bye="3"), spare=1)
    first, second = tables(office, "gathering")
    the = season(office)
    (spare,) = do(office, lambda uow: lookup.entries(uow, the, "waiting"))
    moved, out = lookup.people_of(first)[0], lookup.people_of(second)[0]
    put_in(office, first, moved, spare.person_id)
    put_in(office, second, out, moved)
    play_round(office)
    await office.referee.scheduler.ring()
    byes = do(office, lambda uow: results.byes(uow, season(office)))
    assert byes == {out: 1}


async def test_who_has_played_in_a_round_takes_no_other_seat_of_it(office: House) -> None:
    """Neither by an official's word nor as an alternate: both results would count."""
    await begun(office, 8)
    first, second = tables(office, "gathering")
    ready(office, first)
    play(office, tables(office, "playing")[0])
    await office.referee.scheduler.ring()
    played, gone = lookup.people_of(first)[0], lookup.people_of(second)[0]
    with pytest.raises(Refusal) as refused:
        put_in(office, second, gone, played)
    assert refused.value.code == "league-plays-elsewhere"

    the = season(office)
    do(office, lambda uow: sign_up.leave_season(uow, the, person(uow, played)))
    do(office, lambda uow: sign_up.alternate(uow, the, person(uow, played)))
    ready(office, second, but=(gone,))
    do(office, lambda uow: sign_up.leave_season(uow, the, person(uow, gone)))
    found = do(office, lambda uow: uow.seats(int(second.game_id or 0)))
    assert played not in {one.person_id for one in found}


async def test_a_table_is_played_again_by_those_who_have_its_seats(office: House) -> None:
    """Who had taken one over lost what they had won there, and whose seat it had been sat there once more,
    even with another seat in that round.
    """
    await begun(office, 8, spare=1)
    first, second = tables(office, "gathering")
    ready(office, first)
    ready(office, second)
    the = season(office)
    (spare,) = do(office, lambda uow: lookup.entries(uow, the, "waiting"))
    was, out = lookup.people_of(first), lookup.people_of(second)[0]
    put_in(office, first, was[1], spare.person_id)
    put_in(office, second, out, was[1])
    play(office, tables(office, "playing")[0])
    await office.referee.scheduler.ring()
    again = do(office, lambda uow: rulings.replay(uow, the, lookup.table_of(uow, the, first.no)))
    fresh = next(one for one in tables(office, "planned") if one.no == again["new_table"])
    assert lookup.people_of(fresh) == [was[0], spare.person_id, *was[2:]]
    assert fresh.crown == first.crown


async def test_who_plays_elsewhere_by_now_has_no_seat_where_a_void_table_is_played_again(
    office: House,
) -> None:
    await begun(office, 8)
    first, second = tables(office, "gathering")
    the, was = season(office), lookup.people_of(first)
    do(office, lambda uow: rulings.void(uow, the, first, why="a slip"))
    put_in(office, second, lookup.people_of(second)[0], was[0])
    again = do(office, lambda uow: rulings.replay(uow, the, lookup.table_of(uow, the, first.no)))
    fresh = next(one for one in tables(office, "planned") if one.no == again["new_table"])
    assert lookup.people_of(fresh) == was[1:]
