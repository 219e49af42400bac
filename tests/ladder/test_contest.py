"""A contest's tables: the same cards for everybody, every seat for everybody."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import Any

import pytest

from referee.ladder import Contest, LadderError, contest_of
from referee.ladder.contest import deals
from referee.rules import EDITIONS, new_game


def test_each_deal_is_played_from_every_seat() -> None:
    for deal in deals(Contest(("a", "b", "c"), 60, players=(2, 3, 4, 5))):
        turns = [deal.seated(turn) for turn in range(len(deal.order))]
        for who in deal.order:
            for seat in range(len(deal.order)):
                assert sum(turn[seat] == who for turn in turns) == deal.order.count(who)


@pytest.mark.parametrize(("count", "players"), [(2, 4), (3, 4), (4, 4), (5, 4), (7, 2), (3, 8)])
def test_everybody_sits_as_often(count: int, players: int) -> None:
    contest = Contest(tuple(f"p{n}" for n in range(count)), 400, players=(players,), editions=("deluxe",))
    sat: Counter[int] = Counter()
    for deal in deals(contest):
        sat.update(deal.order)
        assert max(deal.order.count(who) for who in deal.order) <= -(-players // count)
    assert set(sat) == set(range(count))
    assert max(sat.values()) - min(sat.values()) <= 1


def test_everybody_meets_everybody() -> None:
    met = {
        frozenset((one, other))
        for deal in deals(Contest(tuple("abcdefg"), 400))
        for one in deal.order
        for other in deal.order
    }
    assert len(met) == 7 * 8 / 2


def test_one_against_others_sits_once_at_each_table() -> None:
    for deal in deals(Contest(("a", "b", "c"), 100, players=(4, 6), rivals=True)):
        found = Counter(deal.order)
        assert found[0] == 1
        assert abs(found[1] - found[2]) <= 1


def test_as_many_games_as_were_wanted_and_the_last_deal_whole() -> None:
    found = [*deals(Contest(("a", "b"), 10, players=(4,)))]
    assert [len(deal.order) for deal in found] == [4, 4, 4]


def test_the_same_seed_gives_the_same_deals_and_another_others() -> None:
    one, again, other = (
        [*deals(Contest(("a", "b"), 40, editions=("deluxe",), cast="any", seed=seed))] for seed in (1, 1, 2)
    )
    assert one == again
    assert {deal.setup.cast for deal in one}.isdisjoint({deal.setup.cast for deal in other})
    assert {deal.seed for deal in one}.isdisjoint({deal.seed for deal in other})


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_any_cards_are_cards_of_a_table_that_can_be_set(edition: str) -> None:
    book = EDITIONS[edition]
    sizes = tuple(range(book.least, book.most + 1))
    contest = Contest(("a", "b"), 500, players=sizes, editions=(edition,), cast="any")
    casts, uniques, counts = set(), set(), set()
    for deal in islice(deals(contest), 100):
        new_game(deal.setup, deal.seed)
        casts |= {*deal.setup.cast}
        uniques |= {*deal.setup.uniques}
        counts.add(len(deal.setup.players))
    assert counts == {*sizes}
    if len(book.characters) > len(book.cast):
        assert casts == {card.name for card in book.characters}
        assert uniques | {*book.uniques} == {d.name for d, _ in book.districts if d.type == "unique"}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [("4", (4,)), ("2,4", (2, 4)), ("2-4,3", (2, 3, 4)), ("any", (2, 3, 4, 5, 6, 7)), (" 7 ", (7,))],
)
def test_numbers_of_players(said: str, wanted: tuple[int, ...]) -> None:
    assert contest_of(("greedy", "random"), 1, players=said).players == wanted


def test_rivals_say_how_many_sit_at_the_table() -> None:
    found = contest_of(("greedy", "random", "random"), 1, rivals=True)
    assert found.players == (3,)


def test_an_answer_is_waited_for_long_beside_the_effort() -> None:
    assert contest_of(("greedy", "random"), 1, effort=0.05).patience == 20
    assert contest_of(("greedy", "random"), 1, effort=60).patience == 600


@pytest.mark.parametrize(
    ("code", "seats", "said"),
    [
        ("no-seats", ("greedy",), {}),
        ("no-seats", ("greedy",) * 65, {}),
        ("twice", ("greedy", "greedy"), {}),
        ("no-level", ("greedy", "clever"), {}),
        ("no-level", ("greedy", "greedy sleepy"), {}),
        ("no-edition", ("greedy", "random"), {"edition": "third"}),
        ("no-cast", ("greedy", "random"), {"cast": "some"}),
        ("no-games", ("greedy", "random"), {"games": 0}),
        ("no-games", ("greedy", "random"), {"games": 10**7}),
        ("no-players", ("greedy", "random"), {"players": "8"}),
        ("no-players", ("greedy", "random"), {"players": "1"}),
        ("no-players", ("greedy", "random"), {"players": "-4"}),
        ("no-players", ("greedy", "random"), {"players": "2-"}),
        ("no-players", ("greedy", "random"), {"players": "4-2"}),
        ("no-players", ("greedy", "random"), {"players": "2-99999999"}),
        ("few-seats", ("greedy", "random", "random"), {"rivals": True, "players": "2"}),
        ("no-seconds", ("greedy", "random"), {"effort": 0.0}),
        ("no-seconds", ("greedy", "random"), {"effort": float("nan")}),
        ("no-seconds", ("greedy", "random"), {"patience": -1.0}),
    ],
)
def test_what_is_no_contest(code: str, seats: tuple[str, ...], said: dict[str, Any]) -> None:
    with pytest.raises(LadderError) as no:
        contest_of(seats, said.pop("games", 4), **said)
    assert no.value.code == code
