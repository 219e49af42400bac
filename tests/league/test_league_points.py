"""Points tables."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.league import PointsBySize, PointsFault, awarded, points_table, reaches, read_points, shown, told

USUAL = points_table("6/4/3/2/1")


@pytest.mark.parametrize(
    ("text", "shown_again"),
    [
        ("6/4/3/2/1", "6/4/3/2/1"),
        (" 6 / 4/3 ", "6/4/3"),
        ("1", "1"),
        ("2.5/1,5/0", "2.5/1.5/0"),
        ("3/3/3", "3/3/3"),
        ("0/0", "0/0"),
        ("/6/4/", "6/4"),
    ],
)
def test_what_is_read(text: str, shown_again: str) -> None:
    assert str(points_table(text)) == shown_again


@pytest.mark.parametrize(
    ("text", "code", "facts"),
    [
        ("", "points-empty", {}),
        ("  /  ", "points-empty", {}),
        ("6/4/three", "points-unreadable", {"piece": "three", "place": 3}),
        ("6/-4", "points-unreadable", {"piece": "-4", "place": 2}),
        ("6//3", "points-unreadable", {"piece": "", "place": 2}),
        ("6/4/5", "points-rising", {"place": 3}),
        ("5000/1", "points-too-large", {"piece": "5000", "most": 1000}),
        ("1e3", "points-unreadable", {"piece": "1e3", "place": 1}),
        ("٣/١", "points-unreadable", {"piece": "٣", "place": 1}),
        ("/".join("9" * 13), "points-too-many", {"most": 12}),
        (
            "<b>'; DROP TABLE games; --</b>",
            "points-unreadable",
            {"piece": "<b>'; DROP TABLE gam", "place": 1},
        ),
    ],
)
def test_what_is_not(text: str, code: str, facts: dict[str, object]) -> None:
    with pytest.raises(PointsFault) as caught:
        points_table(text)
    assert (caught.value.code, caught.value.facts) == (code, facts)


def test_a_table_that_is_too_short_names_the_place() -> None:
    reaches(USUAL, (5, 4))
    reaches(USUAL, ())
    with pytest.raises(PointsFault) as caught:
        reaches(USUAL, (5, 7, 4))
    assert (caught.value.code, caught.value.facts) == ("points-too-short", {"place": 6, "size": 7})


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2, 3, 4, 5), (6, 4, 3, 2, 1)),
        ((3, 1, 2, 4), (3, 6, 4, 2)),
        ((1, 1, 3, 4, 5), (5, 5, 3, 2, 1)),
        ((1, 2, 2, 2, 5), (6, 3, 3, 3, 1)),
        ((1, 1, 1, 1, 1), (Fraction(16, 5),) * 5),
        ((), ()),
    ],
)
def test_those_who_tie_share(places: tuple[int, ...], points: tuple[Fraction | int, ...]) -> None:
    assert awarded(places, USUAL) == points


@pytest.mark.parametrize(
    ("text", "shown_again"),
    [
        ("usual", "usual"),
        ("Usual", "usual"),
        ("6/4/3/2/1", "6/4/3/2/1"),
        ("10 6 3 1 0", "10/6/3/1/0"),
        ("4: 6/4/2/1, 5: 6/4/3/2/1", "4: 6/4/2/1, 5: 6/4/3/2/1"),
        ("5: 6 4 3 2 1; 4: 6/4/2/1", "4: 6/4/2/1, 5: 6/4/3/2/1"),
        ("4:6/4/2,5/1,5:6/4/3/2/1", "4: 6/4/2.5/1, 5: 6/4/3/2/1"),
        ("4: 6/4/2/0, 6: 9/5/3/1/0/0", "6: 9/5/3/1/0/0"),  # what is usual need not be said
        ("4: 6/4/2/0", "usual"),
    ],
)
def test_points_by_size_are_read_and_told_as_the_same(text: str, shown_again: str) -> None:
    found = read_points(text)
    assert str(found) == shown_again
    assert read_points(str(found)) == found
    assert read_points(told(found, (4, 5, 6, 7) if isinstance(found, PointsBySize) else ())) == found


@pytest.mark.parametrize(
    ("text", "code", "facts"),
    [
        ("4: 6/4/2", "points-size-length", {"size": 4, "places": 3}),
        ("4: 6/4/2/1/0", "points-size-length", {"size": 4, "places": 5}),
        ("4: 6/4/2/1, 4: 6/4/2/1", "points-size-twice", {"size": 4}),
        ("four: 6/4/2/1", "points-size-unreadable", {"piece": "four"}),
        ("1: 6", "points-size-unreadable", {"piece": "1"}),
        ("4: 6/4/2/1, <b>: 1", "points-size-unreadable", {"piece": "<b>"}),
        ("4: 6/4/2/7", "points-rising", {"place": 4}),
        ("4:", "points-empty", {}),
        (":::::", "points-size-unreadable", {"piece": ""}),
    ],
)
def test_points_by_size_that_are_none(text: str, code: str, facts: dict[str, object]) -> None:
    with pytest.raises(PointsFault) as caught:
        read_points(text)
    assert (caught.value.code, caught.value.facts) == (code, facts)


def test_the_usual_points_are_as_fair_at_every_size() -> None:
    """Three for each seat, for the winner two more than there are people, never less at a larger table."""
    lists = {size: PointsBySize().of(size) for size in range(1, 9)}
    for size, worth in lists.items():
        assert len(worth) == size
        assert sum(worth) == 3 * size
        assert worth[0] == size + 2
        assert list(worth) == sorted(worth, reverse=True)
        assert all(more >= less for more, less in zip(lists.get(size + 1, worth), worth, strict=False))
    with pytest.raises(PointsFault, match="points-too-short"):
        PointsBySize().of(9)


def test_shown() -> None:
    assert [shown(Fraction(each)) for each in ("3", "5/2", "7/3", "0", "-1/2", "16/5")] == [
        "3",
        "2.5",
        "2.33",
        "0",
        "-0.5",
        "3.2",
    ]
