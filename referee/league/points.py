"""Points for places: `6/4/3/2/1` for tables of any size, or a list for each size: `4: 6/4/2/0, 5: …`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from .faults import PointsFault

#: longer lists and larger numbers are slips of the pen
PLACES = 12
LARGEST = 1000
#: what the usual lists are called; `by size` would name another setting in a line of them
BY_SIZE = "usual"


@dataclass(frozen=True, slots=True)
class PointsTable:
    """What each place gets, the first place first, at tables of any size."""

    places: tuple[Fraction, ...]

    def __str__(self) -> str:
        return "/".join(shown(each) for each in self.places)

    def of(self, size: int) -> tuple[Fraction, ...]:
        """What the places of a table of that size get.

        Raises `PointsFault` "points-too-short" (place: the first one missing, size).
        """
        if size > len(self.places):
            raise PointsFault("points-too-short", place=len(self.places) + 1, size=size)
        return self.places[:size]


@dataclass(frozen=True, slots=True)
class PointsBySize:
    """A list for each size of table: one's own, else the usual one."""

    own: Mapping[int, tuple[Fraction, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        return told(self, sorted(self.own)) if self.own else BY_SIZE

    def of(self, size: int) -> tuple[Fraction, ...]:
        """The same as of a `PointsTable`."""
        found = self.own.get(size) or USUAL.get(size)
        if found is None:
            raise PointsFault("points-too-short", place=1, size=size)
        return found


Points = PointsTable | PointsBySize


def told(points: Points, sizes: Iterable[int]) -> str:
    """What tables of those sizes give: `4: 6/4/2/0, 5: 7/4/3/1/0`, or the one list for all of them."""
    if isinstance(points, PointsTable):
        return str(points)
    return ", ".join(f"{size}: {PointsTable(points.of(size))}" for size in sizes)


def read_points(text: str) -> Points:
    """What somebody wrote: one list for all sizes, lists by size, or `usual` for the usual ones.

    Raises `PointsFault`: as `points_table`, and "points-size-unreadable" (piece), "points-size-twice" (size),
    "points-size-length" (size, places: how many numbers there are).
    """
    if text.strip().casefold() == BY_SIZE:
        return PointsBySize()
    if ":" not in text:
        return points_table(_slashed(text))
    first, *rest = text.split(":")
    own: dict[int, tuple[Fraction, ...]] = {}
    size = _size(first)
    for number, piece in enumerate(rest, 1):
        said, following = piece.strip(), ""
        if number < len(rest):
            said, _, following = said.rpartition(" " if " " in said else ",")
        places = points_table(_slashed(said.strip(" ,;"))).places
        if size in own:
            raise PointsFault("points-size-twice", size=size)
        if len(places) != size:
            raise PointsFault("points-size-length", size=size, places=len(places))
        own[size] = places
        if number < len(rest):
            size = _size(following)
    return PointsBySize({size: own[size] for size in sorted(own) if own[size] != USUAL.get(size)})


def _slashed(text: str) -> str:
    return text if "/" in text else "/".join(text.split())


def _size(text: str) -> int:
    said = text.strip(" ,;")
    if not re.fullmatch(r"[0-9]{1,2}", said) or not 2 <= int(said) <= PLACES:
        raise PointsFault("points-size-unreadable", piece=said[:20])
    return int(said)


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


def reaches(points: Points, tables: Iterable[int]) -> None:
    """Whether every place of tables of those sizes has points.

    Raises `PointsFault` "points-too-short" (place: the first one missing, size).
    """
    for size in sorted(tables, reverse=True):
        points.of(size)


def awarded(places: Sequence[int], points: Points, size: int = 0) -> tuple[Fraction, ...]:
    """The points of people at a table, from their places (1 is the best; those who tie have the same number,
    and the places behind it are left free: 1, 2, 2, 4). Those who tie share the mean of the places they fill.

    `size`: how many seats the table has, 0: as many as there are people. All seats together get what the
    table's size gives.
    """
    worth = points.of(size or len(places))
    together = Counter(places)
    return tuple(
        sum(worth[place - 1 : place - 1 + together[place]], Fraction()) / together[place] for place in places
    )


#: three points for each seat, the winner two more than there are people, and no place of a larger table is
#: worth less than the same of a smaller one
USUAL: Mapping[int, tuple[Fraction, ...]] = {
    len(places): places
    for places in (
        points_table(one).places
        for one in (
            "3",
            "4/2",
            "5/3/1",
            "6/4/2/0",
            "7/4/3/1/0",
            "8/4/3/2/1/0",
            "9/5/3/2/1/1/0",
            "10/6/4/2/1/1/0/0",
        )
    )
}
