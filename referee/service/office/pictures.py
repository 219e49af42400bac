"""Standings and progress as pictures: where everything stands, in pixels; the drawing itself is a template.  Colours are those that people who
see colours otherwise can tell apart (Okabe and Ito), and nothing is told by colour alone."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from referee.text import Words
from referee.text.rendering.charts import chart, fitted
from referee.text.rendering.pictures.looks import colours

#: at most so many rows, and so many people by name
ROWS, NAMED = 60, 8
_COLOURS = {"light": ("#0072b2", "#d55e00", "#00785a", "#b0508c", "#56719e", "#7a5a00", "#24211c", "#3f8fc0"),
            "dark": ("#5db7ee", "#ff9455", "#3fc79a", "#f58fbd", "#9db4dd", "#f2c230", "#f3eee3", "#6fd3e6")}
_DASHES = ("none", "9 4", "2 4", "12 4 2 4", "6 3", "none", "9 4", "2 4")
_WIDTH, _LEFT, _TOP, _STEP = 900, 24, 84, 26
_FROM, _BARS = 300, 430


def standings(words: Words, language: str, league: str, season: Mapping[str, Any], division: Mapping[str, Any], theme: str = "light") -> str:
    """The standings of a division (`showing.standings`) as bars, SVG."""
    shown: Sequence[Mapping[str, Any]] = division["rows"][:ROWS]
    most = max([float(row["points"]) for row in shown] or [0.0])
    step = _nice(most)
    scale = _BARS / max(most, step)
    bottom = _TOP + _STEP * max(1, len(shown))
    hidden = len(division["rows"]) - len(shown)
    return chart(
        "standings", words.own, c=colours(theme), width=_WIDTH, height=bottom + (56 if hidden else 36), left=_LEFT, top=_TOP, bottom=bottom, **{"from": _FROM},
        **_titles(words, language, "standings", league, season, division), subtitle=_say(words, language, "after", **_rounds(season)),
        words={name: _say(words, language, name) for name in ("up", "down")}, more=_say(words, language, "more", count=hidden) if hidden else "",
        grid=[{"x": round(_FROM + scale * step * n, 1), "label": f"{step * n:g}"} for n in range(1, int(most / step) + 1)] if most else [],
        rows=[{"y": _TOP + _STEP * n, "rank": row["rank"], "name": fitted(row["name"], 26), "bar": round(max(0.0, float(row["points"])) * scale, 1),
               "label": _say(words, language, "bar", points=row["points"]), "move": row["move"], "left": row["left"]} for n, row in enumerate(shown)])


def progress(words: Words, language: str, league: str, season: Mapping[str, Any], division: Mapping[str, Any], ranks: Mapping[int, Sequence[int]],
             theme: str = "light") -> str:
    """The places of a division's people after each round (`ranks`: person -> places), SVG."""
    shown = sorted((row for row in division["rows"] if ranks.get(row["person"])), key=lambda row: ranks[row["person"]][-1])
    rounds = max((len(ranks[row["person"]]) for row in shown), default=0)
    last = max((max(ranks[row["person"]]) for row in shown), default=1)
    step = max(6.0, min(26.0, 620 / max(1, last - 1)))
    right, wide = _WIDTH - 250, (_WIDTH - 250 - 80) / max(1, rounds - 1)
    first = 80 if rounds > 1 else right
    bottom = round(_TOP + step * max(last - 1, 1))
    place = {row["person"]: [(round(first + wide * n, 1), round(_TOP + step * (rank - 1), 1)) for n, rank in enumerate(ranks[row["person"]])] for row in shown}
    lines: list[dict[str, Any]] = [
        {"points": " ".join(f"{x},{y}" for x, y in place[row["person"]]), "marks": place[row["person"]], "colour": _COLOURS[theme][n] if n < NAMED else "",
         "dashes": _DASHES[n % NAMED], "mark": n % 4, "rank": ranks[row["person"]][-1], "name": fitted(row["name"], 22), "y": place[row["person"]][-1][1]}
        for n, row in enumerate(shown)]
    apart = 18.0                                      # names don't stand upon each other where ranks are near
    for upper, lower in pairwise(lines[:NAMED]):
        lower["y"] = max(lower["y"], upper["y"] + apart)
    every = math.ceil(last / 20)
    return chart(
        "progress", words.own, c=colours(theme), width=_WIDTH, height=max(bottom, round(lines[:NAMED][-1]["y"]) if lines else 0) + 50, left=_LEFT, top=_TOP, bottom=bottom,
        right=right, **{"from": 80}, lines=lines, **_titles(words, language, "progress", league, season, division),
        subtitle=_say(words, language, "places", count=min(NAMED, len(shown))),
        beside=[{"y": round(_TOP + step * (n - 1), 1), "label": n} for n in range(1, last + 1) if n == 1 or n % every == 0],
        below=[{"x": round(first + wide * n, 1), "label": _say(words, language, "round", no=n + 1) if rounds < 8 else n + 1} for n in range(rounds)])


def _titles(words: Words, language: str, code: str, league: str, season: Mapping[str, Any], division: Mapping[str, Any]) -> dict[str, str]:
    rows = [{"rank": row["rank"], "name": fitted(row["name"], 40), "points": row["points"]} for row in division["rows"][:NAMED]]
    return {"title": _say(words, language, code, league=fitted(league, 36), season=season["no"], division=division["no"] if division["several"] else 0,
                          name=fitted(division["name"], 16)),
            "described": _say(words, language, "described", rows=rows, more=max(0, len(division["rows"]) - len(rows)))}


def _rounds(season: Mapping[str, Any]) -> dict[str, int]:
    return {"round": season["round"], "rounds": season["rounds"]}


def _say(words: Words, language: str, code: str, **facts: Any) -> str:
    return words.phrase(f"league_words.{code}", language, **facts)


def _nice(most: float) -> float:
    """A round step that divides the longest bar into four to ten."""
    if most <= 0:
        return 1.0
    rough = most / 5
    base: float = 10.0 ** math.floor(math.log10(rough))
    return next(base * factor for factor in (1, 2, 5, 10) if base * factor >= rough)
