"""A season played ahead: how long it takes, and what came of it.

python -m bench.season [people]        240 people, 7 rounds, full plans, 10 % drop-outs, 12 alternates
"""

from __future__ import annotations

import resource
import sys
import time

from bench._goals import Sheet
from referee.pace import league_trial, play_league

PEOPLE = 240
GOAL_S = 900


def worked() -> float:
    """Seconds of work so far, of this process and those that it waited for."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main(people: int = PEOPLE) -> None:
    begun, before = time.perf_counter(), worked()
    row = play_league(
        league_trial(players=people, rounds=7, plans="full", dropouts=0.1, alternates=people // 20)
    )
    print(
        f"season  {people} people, 7 rounds, {len(row.tables)} tables: {dict(row.counted())}, {row.gone} "
        f"vanished, {row.acts} acts in office, "
        f"repeats {row.repeats} (bound {row.bound}), as played {row.again}"
    )
    print(f"season  {time.perf_counter() - begun:.0f} s here and now")
    with Sheet("season") as sheet:
        sheet.say(f"a season of {people}, work", worked() - before, "s", most=GOAL_S)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
