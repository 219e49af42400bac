"""Points for places: `6/4/3/2/1`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .faults import PointsFault

#: longer lists and larger numbers are slips of the pen
PLACES = 12
LARGEST = 1000


@dataclass(frozen=True, slots=True)
class PointsTable:
    """What each place gets, the first place first."""

    places: tuple[Fraction, ...]

    def __str__(self) -> str:
        return "/".join(shown(each) for each in self.places)


def shown(points: Fraction) -> str:
    """Points as people write them: `3`, `2.5`, `2.33`."""
    if points.denominator == 1:
        return str(points.numerator)
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def points_table(text: str) -> PointsTable:
    """The table somebody wrote: numbers with `/` between them (`2.5` or `2,5` for a half).

    Raises `PointsFault`: "points-empty", "points-unreadable" (piece, place), "points-too-large" (piece,
    most), "points-too-many" (most), "points-rising" (place: gets more than the place before it).
    """
    pieces = [piece.strip() for piece in text.strip().strip("/").split("/")]
    if pieces == [""]:
        raise PointsFault("points-empty")
    if len(pieces) > PLACES:
        raise PointsFault("points-too-many", most=PLACES)
    places: list[Fraction] = []
    for number, piece in enumerate(pieces, 1):
        if not re.fullmatch(r"[0-9]{1,6}([.,][0-9]{1,3})?", piece):
            raise PointsFault("points-unreadable", piece=piece[:20], place=number)
        worth = Fraction(piece.replace(",", "."))
        if worth > LARGEST:
            raise PointsFault("points-too-large", piece=piece, most=LARGEST)
        if places and worth > places[-1]:
            raise PointsFault("points-rising", place=number)
        places.append(worth)
    return PointsTable(tuple(places))


def reaches(table: PointsTable, tables: Iterable[int]) -> None:
    """Whether every place of tables of those sizes has points.

    Raises `PointsFault` "points-too-short" (place: the first one missing, size).
    """
    size = max(tables, default=0)
    if size > len(table.places):
        raise PointsFault("points-too-short", place=len(table.places) + 1, size=size)


def awarded(places: Sequence[int], table: PointsTable) -> tuple[Fraction, ...]:
    """The points of everybody at a table, from their places (1 is the best; those who tie have the same
    number, and the places behind it are left free: 1, 2, 2, 4). Those who tie share the mean of the places
    they fill.
    """
    reaches(table, (len(places),))
    together = Counter(places)
    return tuple(
        sum(table.places[place - 1 : place - 1 + together[place]], Fraction()) / together[place]
        for place in places
    )
