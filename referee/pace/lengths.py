"""How long games of each kind take, measured anew: writes referee/league/game_lengths.py.

python -m referee.pace.lengths [--games 30] [--seed 1] [--policies daily,brisk] [--editions classic]

`make lengths` does it for everything. Kinds that are left out keep the figures that they have. People are a
mixture (`people.py`) of those who look once, twice or four times a day and those who come when called.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from referee.league import game_lengths
from referee.league.forecast import PLANS, Lengths, fitted
from referee.policy import PRESETS
from referee.rules import EDITIONS

from .shares import run
from .trial import Trial, trial_of

#: those under which games differ (`gentle` only gives those more time who are never late)
POLICIES = ("daily", "brisk", "live")
#: who plays the tables of which nothing is known
PEOPLE = "mixed"
Kind = tuple[str, int, str, str]
_HEAD = '''"""How long games of each kind take, as simulated people (a mixture) played them.

Written by `python -m referee.pace.lengths` (`make lengths`), not by hand; last by
    {command}
"""

from collections.abc import Mapping

#: edition, people at a table, policy, plans -> median of the days, standard deviation of their natural
#: logarithm, rounds in the mean, games that were measured
LENGTHS: Mapping[tuple[str, int, str, str], tuple[float, float, float, int]] = {{
'''


def kinds(editions: Sequence[str], policies: Sequence[str]) -> list[Kind]:
    """Every kind of table of these editions under these policies."""
    return [
        (name, size, policy, plans)
        for policy in policies
        for plans in PLANS
        for name in editions
        for size in range(EDITIONS[name].least, EDITIONS[name].most + 1)
    ]


def trial(kind: Kind, policy: str, games: int, seed: int = 1) -> Trial:
    """The trial of a kind of table; `policy` in words that the referee reads.  Raises TrialError."""
    edition, size, _, plans = kind
    return trial_of(
        players=size, edition=edition, people=PEOPLE, games=games, plans=plans, policy=policy, seed=seed
    )


def measured(kind: Kind, policy: str, games: int, seed: int = 1) -> Lengths:
    """How long that many games of a kind took.  Raises TrialError, LawBroken."""
    rows = run(trial(kind, policy, games, seed))
    return fitted([row.days for row in rows], [row.rounds for row in rows])


def text_of(command: str, found: dict[Kind, tuple[float, float, float, int]]) -> str:
    """The module that holds these figures."""
    order = {name: place for place, name in enumerate((*EDITIONS, *PRESETS, *PLANS))}
    rows = sorted(
        found.items(), key=lambda row: (order[row[0][2]], order[row[0][3]], order[row[0][0]], row[0][1])
    )
    lines = [
        f'    ("{edition}", {size}, "{policy}", "{plans}"): {tuple(values)},\n'
        for (edition, size, policy, plans), values in rows
    ]
    return _HEAD.format(command=command) + "".join(lines) + "}\n"


def main() -> None:
    """Measure, and write after each kind what is known by then."""
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--games", type=int, default=30)
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--policies", default=",".join(POLICIES))
    ask.add_argument("--editions", default=",".join(EDITIONS))
    said = ask.parse_args()
    command = (
        f"python -m referee.pace.lengths --games {said.games} --seed {said.seed} "
        f"--policies {said.policies} --editions {said.editions}"
    )
    found = dict(game_lengths.LENGTHS)
    for kind in kinds(said.editions.split(","), said.policies.split(",")):
        one = measured(kind, f"{kind[2]} no restart", said.games, said.seed)
        found[kind] = (one.median, one.spread, one.rounds, one.games)
        sys.stderr.write(f"{' '.join(map(str, kind))} {found[kind]}\n")
        Path(game_lengths.__file__).write_text(text_of(command, found), encoding="utf-8")


if __name__ == "__main__":
    main()
