"""A trial shared out over processes: that many tables to a database, as many databases at once as there are
workers.

Which tables share a database depends on nothing but their numbers, so the rows do not depend on how many
workers there are.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .account import GameRow
from .season import Season
from .trial import Trial

#: tables of one database: enough for deadlines of many to be open at once, and few enough for small databases
TABLES = 25


def run(trial: Trial, workers: int = 1, done: Callable[[int], None] = lambda games: None) -> list[GameRow]:
    """All games of a trial, in order.  `done` is told now and then how many are over.  Raises LawBroken."""
    shares = [
        (trial, range(first, min(first + TABLES, trial.games))) for first in range(0, trial.games, TABLES)
    ]
    found: list[GameRow] = []
    if workers == 1 or len(shares) == 1:
        for share in shares:
            found += season(share)
            done(len(found))
        return found
    # "spawn": nothing of this process, its threads and its open database goes along
    with ProcessPoolExecutor(min(workers, len(shares)), multiprocessing.get_context("spawn")) as pool:
        for rows in pool.map(season, shares):
            found += rows
            done(len(found))
    return found


def season(share: tuple[Trial, Sequence[int]]) -> list[GameRow]:
    """The tables with these numbers, in a database that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="referee-pace-") as folder:
        return asyncio.run(Season(share[0], Path(folder), share[1]).play())
