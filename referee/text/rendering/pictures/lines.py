"""Lines over rounds, which differ in colour, dashes and mark, with a letter or a number at their ends, and
below them who is who.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .kit import EDGE, WIDTH
from .looks import SEATS
from .metrics import cut, width

_LEFT, _RIGHT, _HIGH = EDGE + 24, WIDTH - 30, 240
_DASHES = ("none", "7 3", "2 3", "9 3 2 3", "5 2", "none", "7 3", "2 3")
_COLUMN = 172
#: at most this many rounds have their number
_NUMBERED = 12


class ChartLine(NamedTuple):
    """One line: what stands at its end, whose it is, what is said behind the name, and a value for each round
    from the first on.
    """

    sign: str
    name: str
    said: str
    values: Sequence[int]


def lined(
    lines: Sequence[ChartLine],
    axis: Sequence[int],
    theme: str,
    top: float,
    others: Sequence[Sequence[int]] = (),
) -> dict[str, Any]:
    """What the macro `lines` of templates/pictures/chart.svg.j2 draws from `top` on.

    `axis`: the values that are written beside it, the lowest place first; `others`: lines without a name,
    thin. `bottom` is where the next thing may begin.
    """
    foot, low, high = top + _HIGH, axis[0], axis[-1]
    rounds = max((len(one) for one in (*(line.values for line in lines), *others)), default=0)
    across = (_RIGHT - _LEFT) / max(1, rounds - 1)

    def down(value: int) -> float:
        return round(foot - _HIGH * (value - low) / ((high - low) or 1), 1)

    def spots(values: Sequence[int]) -> list[tuple[float, float]]:
        return [(round(_LEFT + across * at, 1), down(value)) for at, value in enumerate(values)]

    drawn = []
    for number, line in enumerate(lines):
        found, column, row = spots(line.values), number % 2, number // 2
        room = _COLUMN - 36 - width(f"{line.sign} {line.said}", 12, True)
        drawn.append(
            {
                "spots": found,
                "colour": SEATS[theme][number % 8],
                "dashes": _DASHES[number % 8],
                "mark": number % 4,
                "sign": line.sign,
                "said": line.said,
                "name": cut(line.name, room, 12),
                "at": found[-1][1] if found else foot,
                "x": EDGE + 4 + _COLUMN * column,
                "y": foot + 42 + 22 * row,
            }
        )
    apart(drawn, top, foot)
    every = 1 + rounds // _NUMBERED
    return {
        "left": _LEFT,
        "right": _RIGHT,
        "foot": foot,
        "lines": drawn,
        "others": [spots(one) for one in others],
        "beside": [{"y": down(value), "label": value} for value in axis],
        "below": [{"x": round(_LEFT + across * at, 1), "label": at + 1} for at in range(0, rounds, every)],
        "bottom": foot + 42 + 22 * ((len(lines) + 1) // 2) - 8,
    }


def apart(lines: Sequence[dict[str, Any]], top: float, foot: float, step: float = 13.0) -> None:
    """Move what stands at the ends of lines (`at`), so that none is on another, and none below the foot while
    there is room above.
    """
    ordered, least = sorted(lines, key=lambda line: float(line["at"])), top
    for one in ordered:
        one["at"] = round(max(least, one["at"]), 1)
        least = one["at"] + step
    most = foot
    for one in reversed(ordered):
        one["at"] = round(min(most, one["at"]), 1)
        most = one["at"] - step
