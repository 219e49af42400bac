"""How many tables of which size that many people make."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from .faults import Unseatable


@dataclass(frozen=True, slots=True)
class Sizes:
    """`tables`: the sizes, the largest first, which differ by one at most; `byes`: that many people sit
    out."""

    tables: tuple[int, ...]
    byes: int = 0


def sizes(people: int, least: int = 4, most: int = 7, wanted: int = 5) -> Sizes:
    """The tables of that many people: as equal as possible, nearest to `wanted`, rather smaller than larger;
    byes only where nothing else fits.

    Raises `Unseatable`: "sizes-crossed" (least, most), "sizes-wanted" (least, most, wanted),
    "too-few-to-seat" (people, least).
    """
    if not 2 <= least <= most:
        raise Unseatable("sizes-crossed", least=least, most=most)
    if not least <= wanted <= most:
        raise Unseatable("sizes-wanted", least=least, most=most, wanted=wanted)
    if people < least:
        raise Unseatable("too-few-to-seat", people=people, least=least)
    byes = 0
    while True:
        playing = people - byes
        # k tables fit if none of them is too small or too large
        counts = range(-(-playing // most), playing // least + 1)
        if counts:
            count = min(counts, key=lambda tables: (abs(Fraction(playing, tables) - wanted), -tables))
            small, larger = divmod(playing, count)
            return Sizes((small + 1,) * larger + (small,) * (count - larger), byes)
        byes += 1
