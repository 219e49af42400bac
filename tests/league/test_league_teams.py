"""Teams: their points, and that two of one are kept apart where that is possible."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.league import (
    EarlierRounds,
    Round,
    Standing,
    Table,
    kept_apart,
    plan,
    plan_round,
    team_standings,
)
from referee.league.lots import Lots, drawn
from referee.league.mending import mended
from tests.seeds import some


def row(person: int, points: int, wins: int = 0) -> Standing:
    return Standing(0, person, Fraction(points), 1, wins, Fraction(0), 0, Fraction(0), 0, None)


def test_a_team_has_the_points_of_its_people_or_of_the_best() -> None:
    teams = {"Red": [1, 2, 3], "Blue": [4, 5], "Green": [9]}
    rows = [row(1, 5), row(2, 1), row(3, -2), row(4, 4, 1), row(5, 1), row(6, 50)]
    found = team_standings(teams, rows)
    assert [(one.rank, one.team, one.points, one.people) for one in found] == [
        (1, "Blue", 5, (4, 5)),
        (2, "Red", 4, (1, 2, 3)),
        (3, "Green", 0, ()),
    ]
    assert [(one.team, one.points) for one in team_standings(teams, rows, best=2)][:2] == [
        ("Red", 6),
        ("Blue", 5),
    ]


def test_teams_that_nothing_tells_apart_share_a_place() -> None:
    found = team_standings({"B": [1], "a": [2], "C": [3]}, [row(1, 3), row(2, 3), row(3, 1)])
    assert [(one.rank, one.team) for one in found] == [(1, "a"), (1, "B"), (3, "C")]


@given(
    st.lists(st.lists(st.integers(-9, 30), min_size=1, max_size=6), min_size=1, max_size=8),
    st.integers(0, 6),
)
@settings(max_examples=some(200), deadline=None)
def test_the_points_of_teams_are_those_of_their_people(points: list[list[int]], best: int) -> None:
    number = iter(range(1, 100))
    people = [[(next(number), worth) for worth in team] for team in points]
    rows = [row(who, worth) for team in people for who, worth in team]
    found = team_standings(
        {str(place): [who for who, _ in team] for place, team in enumerate(people)}, rows, best
    )
    for one in found:
        mine = sorted(points[int(one.team)], reverse=True)
        assert one.points == sum(mine[: best or len(mine)])
        assert one.rank == 1 + sum(other.points > one.points for other in found)


def together(tables: list[tuple[int, ...]], team_of: dict[int, int]) -> int:
    return sum(team_of[one] == team_of[other] for table in tables for one, other in combinations(table, 2))


@pytest.mark.parametrize(("count", "size", "rounds"), [(24, 3, 5), (20, 4, 4), (12, 3, 3), (60, 3, 5)])
def test_two_of_a_team_never_meet_where_that_can_be(count: int, size: int, rounds: int) -> None:
    people = list(range(1, count + 1))
    teams = tuple(tuple(people[at : at + size]) for at in range(0, count, size))
    team_of = {who: number for number, team in enumerate(teams) for who in team}
    (done,) = drawn(Lots(tuple(people), rounds=rounds, teams=teams, seed="a")).plans
    assert not together([table.people for each in done.rounds for table in each.tables], team_of)
    assert 0 <= done.bound <= done.repeats < count * rounds


@given(st.integers(8, 40), st.integers(2, 4), st.integers(0, 10**6))
@settings(max_examples=some(60), deadline=None)
def test_a_swiss_round_keeps_teams_apart_and_seats_everybody_once(count: int, size: int, seed: int) -> None:
    people = list(range(1, count + 1))
    teams = [people[at : at + size] for at in range(0, count, size)]
    team_of = {who: number for number, team in enumerate(teams) for who in team}
    points = {who: float(Random(seed + who).randint(0, 20)) for who in people}
    mates = [each for team in teams for each in combinations(team, 2)]
    done = plan_round(people, strength=points, mates=mates, seed=seed, past=EarlierRounds({(1, 2): 1}))
    (each,) = done.rounds
    assert sorted([*each.byes, *(who for table in each.tables for who in table.people)]) == people
    assert all(4 <= len(table.people) <= 7 for table in each.tables)
    # as many tables as a team has people: each can have its own
    if len(each.tables) >= size + 1:
        assert not together([table.people for table in each.tables], team_of)


def test_a_team_larger_than_the_tables_sits_together_where_it_must_and_that_is_no_fault() -> None:
    done = plan([1, 2, 3, 4, 5], 2, least=5, most=5, wanted=5, mates=[(1, 2), (2, 3)], seed=1)
    assert done.repeats == done.bound == 10


def test_who_comes_later_sits_with_another_team_where_there_is_room() -> None:
    planned = Round((Table((1, 2, 3)), Table((4, 5, 6))))
    past = kept_apart(EarlierRounds({(7, 4): 3, (7, 5): 3}), [(1, 7), (2, 8)])
    now = mended(planned, range(1, 8), least=3, most=4, past=past)
    assert [set(table.people) for table in now.round.tables] == [{1, 2, 3}, {4, 5, 6, 7}]


def test_a_team_has_all_points_of_somebody_who_changed_divisions() -> None:
    (one,) = team_standings({"Red": [1]}, [row(1, 6, 1), row(1, 4)])
    assert (one.points, one.wins, one.people) == (10, 1, (1,))
