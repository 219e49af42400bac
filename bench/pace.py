"""Simulated games: seconds of work a game, and how long a thousand take.

python -m bench.pace [games] five players, full plans, a tenth of the answers missed, one drop-out in five
"""

from __future__ import annotations

import resource
import sys
import time

from bench._goals import Sheet
from referee.pace import run, summary, trial_of

GAMES = 100
WORKERS = 2
GOAL_S = 600


def worked() -> float:
    """Seconds of work so far, of this process and those that it waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main(games: int = GAMES) -> None:
    begun, before = time.perf_counter(), worked()
    found = summary(run(trial_of(games=games, plans="full", missed=0.1, dropouts=0.2), WORKERS))
    took, work = time.perf_counter() - begun, (worked() - before) / games
    print(
        f"pace    {games} games in {took:.0f} s with {WORKERS} workers, {work:.2f} s of work each: "
        f"1,000 in {1000 * took / games:.0f} s here and now"
    )
    print(
        f"pace    median {found.days:.1f} days, finished {found.finished:.1%}, "
        f"at most {found.of_bound:.1%} of the bound"
    )
    with Sheet("pace") as sheet:
        sheet.say("1,000 games where nobody else works", 1000 * work / WORKERS, "s", most=GOAL_S)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
