"""What came of a trial: the rows as CSV, and a summary."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from .account import GameRow
from .trial import Trial


class Summary(NamedTuple):
    """Days a game (`days` the median, `p90`, `longest`; `of_bound`: how much of its policy's bound the game
    came to that came nearest); per player and game (means): `visits`, `looks`, `typed`, `letters`; per player
    and day: `daily` letters, the mean of games, and `most`, the most that somebody got in one day; per game
    (means): `rounds`, `asked`, `planned`, `stops`, `misses`, `stood`; shares: `finished` of the games, `gone`
    of the people, `night` of the letters; `refused` orders and plans in all.
    """

    games: int
    days: float
    p90: float
    longest: float
    of_bound: float
    rounds: float
    visits: float
    looks: float
    typed: float
    letters: float
    daily: float
    most: int
    night: float
    asked: float
    planned: float
    stops: float
    misses: float
    stood: float
    gone: float
    finished: float
    refused: int


def summary(rows: Sequence[GameRow]) -> Summary:
    """The summary of one game or more."""
    games, people, letters = len(rows), sum(row.players for row in rows), sum(row.letters for row in rows)

    def each(name: str) -> float:
        return float(sum(getattr(row, name) for row in rows)) / games

    return Summary(
        games=games,
        days=median(row.days for row in rows),
        p90=_share(sorted(row.days for row in rows), 0.9),
        longest=max(row.days for row in rows),
        of_bound=max((row.last_days / row.bound_days for row in rows if row.bound_days), default=0.0),
        rounds=each("rounds"),
        visits=sum(row.visits for row in rows) / people,
        looks=sum(row.looks for row in rows) / people,
        typed=sum(row.typed for row in rows) / people,
        letters=letters / people,
        daily=sum(row.letters / row.players / max(row.days, 1) for row in rows) / games,
        most=max(row.most for row in rows),
        night=sum(row.night for row in rows) / max(letters, 1),
        asked=each("asked"),
        planned=each("planned"),
        stops=each("stops"),
        misses=each("misses"),
        stood=each("stood"),
        gone=sum(row.gone for row in rows) / people,
        finished=each("finished"),
        refused=sum(row.refused for row in rows),
    )


def _share(ordered: Sequence[float], part: float) -> float:
    """The value below which that part lies."""
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def csv_text(trial: Trial, rows: Sequence[GameRow]) -> str:
    """A line of names, then a line for each game; the trial's own settings stand at the end of each."""
    said = {
        name: value for name, value in trial._asdict().items() if name not in ("games", "words", "players")
    }
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow([*GameRow._fields, *said])
    for row in rows:
        writer.writerow(
            [*(round(value, 4) if isinstance(value, float) else int(value) for value in row), *said.values()]
        )
    return page.getvalue()
