"""A league's division: its standings as bars, and the places after each round as lines.

What colour says is said by a sign and a word, too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from referee.ids import PersonId

from ...folding import clean
from ..words import Words
from .kit import EDGE, WIDTH, Picture, PictureWords, drawable, drawn
from .lines import ChartLine, lined
from .metrics import cut, width, wrapped

#: at most this many rows, this many where lines come below them (a picture in a chat is no taller than a few
#: screens), and this many people whose lines have names
ROWS, FEWER, NAMED = 40, 16, 8
_INNER, _ROW = WIDTH - 2 * EDGE, 31
_LEFT = EDGE + 36
_BAR = WIDTH - EDGE - 10 - _LEFT
#: at most this many places are written beside the lines
_NUMBERED = 12

Facts = Mapping[str, Any]
Places = Mapping[PersonId, Sequence[int]]


def standings_picture(
    words: Words,
    language: str,
    theme: str,
    league: str,
    season: Facts,
    division: Facts,
    places: Places | None = None,
) -> Picture:
    """The standings of a division (as the league's `scores/standings.py` has them); below them the places
    after each round, where `places` (person -> one a round) has more than one.
    """
    voice = PictureWords(words, language)
    title, y = _title(voice, "standings", league, season, division)
    lines = places if places and max(map(len, places.values())) > 1 else None
    shown: Sequence[Facts] = division["rows"][: FEWER if lines else ROWS]
    most = max([float(row["points"]) for row in shown] or [0.0]) or 1.0
    rows = [_row(row, y + 6 + _ROW * number, most, voice) for number, row in enumerate(shown)]
    panel = {"y": y, "h": 12 + _ROW * max(1, len(rows))}
    hidden = len(division["rows"]) - len(rows)
    y += panel["h"] + (24 if hidden else 4)
    chart = _places(division, lines, theme, y + 44, voice) if lines else None
    return drawn(
        "standings",
        theme,
        words.own,
        y if chart is None else chart["bottom"],
        [_alt(voice, league, season, division)],
        title=title,
        subtitle=_below(voice, "after", round=season["round"], rounds=season["rounds"]),
        panel=panel,
        rows=rows,
        more=_say(voice, "more", count=hidden) if hidden else "",
        below=y,
        chart=chart,
        places=_below(voice, "places", count=min(NAMED, len(shown))),
    )


def progress_picture(
    words: Words, language: str, theme: str, league: str, season: Facts, division: Facts, places: Places
) -> Picture:
    """The places after each round alone."""
    voice = PictureWords(words, language)
    title, y = _title(voice, "progress", league, season, division)
    chart = _places(division, places, theme, y + 10, voice)
    return drawn(
        "progress",
        theme,
        words.own,
        chart["bottom"],
        [_alt(voice, league, season, division, "progress")],
        title=title,
        subtitle=_below(voice, "places", count=min(NAMED, len(places))),
        chart=chart,
    )


def _title(
    voice: PictureWords, code: str, league: str, season: Facts, division: Facts
) -> tuple[list[str], float]:
    """The title in two lines at most, and where the next thing may begin."""
    said = _say(
        voice,
        code,
        league=clean(league, 80),
        season=season["no"],
        division=division["no"] if division["several"] else 0,
        name=clean(division["name"], 40),
    )
    lines = wrapped(said, _INNER - 4, 15, 2, True)
    return lines, 36.0 + 19 * len(lines)


def _row(row: Facts, y: float, most: float, voice: PictureWords) -> dict[str, Any]:
    """One row; a name that can't be drawn is told by its rank, if it has one already."""
    points = _say(voice, "bar", points=row["points"])
    move = f"{'▲' if row['move'] == 'up' else '▼'} {_say(voice, row['move'])}" if row["move"] else ""
    taken = width(points, 13, True) + (width(move, 11) + 10 if move else 0)
    return {
        "y": y,
        "rank": row["rank"] or "–",
        "name": cut(drawable(row["name"], str(row["rank"] or "–"), voice), _BAR - taken - 12, 13),
        "points": points,
        "said": move,
        "move": row["move"],
        "left": row["left"],
        "mx": round(WIDTH - EDGE - 18 - width(points, 13, True), 1),
        "bar": round(max(0.0, float(row["points"])) / most * _BAR, 1),
    }


def _places(division: Facts, places: Places, theme: str, top: float, voice: PictureWords) -> dict[str, Any]:
    ordered = sorted(
        (row for row in division["rows"] if places.get(row["person"])),
        key=lambda row: places[row["person"]][-1],
    )
    last = max((max(places[row["person"]]) for row in ordered), default=1)
    every = math.ceil(last / _NUMBERED)
    axis = [
        last,
        *(
            number
            for number in range(last - 1, 0, -1)
            if number == 1 or (number % every == 0 and last - number >= every)
        ),
    ]
    lines = [
        ChartLine(
            str(places[row["person"]][-1]),
            drawable(row["name"], str(row["rank"]), voice),
            "",
            places[row["person"]],
        )
        for row in ordered[:NAMED]
    ]
    return lined(lines, axis, theme, top, [places[row["person"]] for row in ordered[NAMED:]])


def _alt(voice: PictureWords, league: str, season: Facts, division: Facts, code: str = "standings") -> str:
    rows = [
        {"rank": row["rank"], "name": clean(row["name"], 40), "points": row["points"]}
        for row in division["rows"][:NAMED]
    ]
    title = _say(
        voice,
        code,
        league=clean(league, 80),
        season=season["no"],
        division=division["no"] if division["several"] else 0,
        name=clean(division["name"], 40),
    )
    described = _say(voice, "described", rows=rows, more=max(0, len(division["rows"]) - len(rows)))
    return f"{title}; {described}".rstrip(".")


def _below(voice: PictureWords, code: str, /, **facts: Any) -> str:
    """A line below a title, as much of it as there is room for."""
    return cut(_say(voice, code, **facts), _INNER - 4, 12)


def _say(voice: PictureWords, code: str, /, **facts: Any) -> str:
    return voice.words.phrase(f"league_words.{code}", voice.language, **facts)
