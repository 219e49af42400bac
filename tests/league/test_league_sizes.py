"""Sizes of tables."""

from __future__ import annotations

import pytest

from referee.league import Sizes, Unseatable, sizes
from tests.seeds import share


@pytest.mark.parametrize(
    ("people", "asked", "tables", "byes"),
    [
        (60, {}, (5,) * 12, 0),
        (240, {}, (5,) * 48, 0),
        (4, {}, (4,), 0),
        (7, {}, (7,), 0),
        (8, {}, (4, 4), 0),
        (9, {}, (5, 4), 0),
        (11, {}, (6, 5), 0),
        (12, {}, (4, 4, 4), 0),
        (23, {}, (5, 5, 5, 4, 4), 0),
        (62, {}, (6, 6) + (5,) * 10, 0),
        (62, {"wanted": 7}, (7,) * 8 + (6,), 0),
        (11, {"least": 4, "most": 4, "wanted": 4}, (4, 4), 3),
        (9, {"least": 5, "most": 7}, (7,), 2),
        (8, {"least": 5, "most": 7}, (7,), 1),
        (8, {"least": 3, "most": 8, "wanted": 8}, (8,), 0),
        (3, {"least": 3, "wanted": 4}, (3,), 0),
    ],
)
def test_sizes(people: int, asked: dict[str, int], tables: tuple[int, ...], byes: int) -> None:
    assert sizes(people, **asked) == Sizes(tables, byes)


@pytest.mark.parametrize("people", share(range(4, 120)))
def test_everybody_has_a_place_and_tables_are_alike(people: int) -> None:
    got = sizes(people)
    assert sum(got.tables) == people
    assert not got.byes
    assert max(got.tables) - min(got.tables) <= 1
    assert min(got.tables) >= 4
    assert max(got.tables) <= 7


@pytest.mark.parametrize(
    ("people", "asked", "code"),
    [
        (3, {}, "too-few-to-seat"),
        (0, {}, "too-few-to-seat"),
        (-5, {}, "too-few-to-seat"),
        (20, {"least": 6, "most": 5, "wanted": 5}, "sizes-crossed"),
        (20, {"least": 1, "most": 5}, "sizes-crossed"),
        (20, {"least": 4, "most": 7, "wanted": 8}, "sizes-wanted"),
    ],
)
def test_what_can_not_be_cut(people: int, asked: dict[str, int], code: str) -> None:
    with pytest.raises(Unseatable) as caught:
        sizes(people, **asked)
    assert caught.value.code == code
    assert str(caught.value).startswith(code)
