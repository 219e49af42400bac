"""How long games took, as a chart: SVG from our own template; PNG where resvg-py is there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from referee.text.folders import shipped

from .account import GameRow
from .figures import summary

#: what a chart says: title, subtitle, the names of both axes and of both lines
LABELS = ("title", "subtitle", "days", "games", "median", "p90")
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 860, 420, 60, 830, 80, 360
#: at most this many bars
_BARS = 60


class PictureError(Exception):
    """A chart that can't be made.

    `code`: no-resvg (PNG needs the extra `pictures`), no-format (neither .svg nor .png), unwritable.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts


def chart(rows: Sequence[GameRow], labels: Mapping[str, str]) -> str:
    """The chart of one game or more as SVG; `labels` as in `LABELS`."""
    found = summary(rows)
    step = max(1, math.ceil((found.longest + 1) / _BARS))
    counts = Counter(int(row.days) // step for row in rows)
    last = max(counts) + 1
    most = max(counts.values())
    wide, high = (_RIGHT - _LEFT) / last, _BOTTOM - _TOP
    every = max(1, math.ceil(last / 20))
    lines = sorted({round(most * part / 4) for part in range(5)})
    return _template().render(
        **{name: labels[name] for name in ("title", "subtitle", "days", "games")},
        width=_WIDTH,
        height=_HEIGHT,
        left=_LEFT,
        right=_RIGHT,
        top=_TOP,
        bottom=_BOTTOM,
        bars=[
            {
                "x": round(_LEFT + at * wide + 1, 1),
                "y": round(_BOTTOM - high * games / most, 1),
                "width": round(max(wide - 2, 1), 1),
                "height": round(high * games / most, 1),
                "label": games,
            }
            for at, games in sorted(counts.items())
        ],
        below=[{"at": round(_LEFT + at * wide, 1), "label": at * step} for at in range(0, last + 1, every)],
        beside=[{"at": round(_BOTTOM - high * games / most, 1), "label": games} for games in lines],
        marks=[
            {"x": round(_LEFT + value / step * wide, 1), "label": labels[name], "dashes": dashes}
            for name, value, dashes in (("median", found.days, "none"), ("p90", found.p90, "6 4"))
        ],
    )


def write(rows: Sequence[GameRow], labels: Mapping[str, str], file: Path) -> None:
    """Write the chart to a file, as its name says.  Raises PictureError."""
    draw = drawer(file)
    try:
        file.write_bytes(draw(chart(rows, labels)))
    except OSError as no:
        raise PictureError("unwritable", file=file, why=no.strerror or str(no)) from no


def drawer(file: Path) -> Any:
    """What makes the file's bytes of an SVG.

    Raises PictureError where that can't be: best asked before the games are played.
    """
    if file.suffix.lower() == ".svg":
        return str.encode
    if file.suffix.lower() != ".png":
        raise PictureError("no-format", file=file)
    try:
        import resvg_py
    except ImportError as no:
        raise PictureError("no-resvg", file=file) from no
    return lambda svg: bytes(resvg_py.svg_to_bytes(svg_string=svg, font_family="DejaVu Sans", zoom=2))


@cache
def _template() -> Template:
    house = Environment(
        loader=FileSystemLoader(shipped() / "charts"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return house.get_template("pace.svg.j2")
