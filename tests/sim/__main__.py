"""Runs from the command line.

python -m tests.sim [--from N] [--seeds N] [--seconds S] # so many seeds, or as many as fit; figures at the
end python -m tests.sim show SEED | FILE # the transcript of one run python -m tests.sim digest SEED | FILE #
one line that stands for all that happened in it python -m tests.sim shrink SEED | FILE [LAW] # a failing run
made short, as a script to be kept
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections import Counter
from pathlib import Path

from tests.sim import chance
from tests.sim.script import Script, read, script
from tests.sim.shrink import laws_of, shrunk
from tests.sim.world import run, words


def given(what: str) -> Script:
    return script(int(what)) if what.isdigit() else read(Path(what))


def several(first: int, seeds: int, seconds: float, verbose: bool) -> int:
    """Play them one after the other; how many broke a law."""
    _wall, work = chance.real()
    words()
    begun, days, lives, said, failed, struck = work(), 0.0, 0, 0, 0, Counter[str]()
    seed = first
    while seed < first + seeds and (not seconds or work() - begun < seconds):
        one = script(seed)
        at = work()
        outcome = run(one)
        days, lives, said, failed = (
            days + outcome.days,
            lives + outcome.lives,
            said + outcome.orders,
            failed + bool(outcome.faults),
        )
        struck.update(outcome.struck)
        if verbose or outcome.faults:
            print(
                f"seed {seed}: {'strict' if one.strict else 'loose'}, {outcome.days:.1f} days,"
                f" {outcome.lives} lives, {outcome.orders} messages, "
                f"{work() - at:.1f} s, {outcome.digest[:12]}",
                *outcome.faults[:12],
                sep="\n    ",
                flush=True,
            )
        seed += 1
    took = work() - begun
    print(
        f"sim     {seed - first} seeds, {days:.0f} virtual days, {lives} lives, {said} messages "
        f"in {took:.0f} s of one core: {days / max(took, 0.1) * 60:.0f} days a minute"
    )
    print(f"sim     faults: {', '.join(f'{name} {count}' for name, count in struck.most_common())}")
    print(f"sim     {failed} seeds broke a law")
    return failed


def main(argv: list[str]) -> int:
    for name in ("apscheduler", "adapters"):  # they tell of the dead, and of poison
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if argv[:1] == ["show"]:
        outcome = run(given(argv[1]), keep=True)
        print(
            "\n".join((*outcome.transcript, *outcome.faults, outcome.digest))
            .encode(errors="backslashreplace")
            .decode()
        )
        return len(outcome.faults)
    if argv[:1] == ["digest"]:
        print(run(given(argv[1])).digest)
        return 0
    if argv[:1] == ["shrink"]:
        failing = given(argv[1])
        law = argv[2] if len(argv) > 2 else min(laws_of(run(failing)), default="")
        print(shrunk(failing, law).text())
        return 0
    parser = argparse.ArgumentParser()
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args(argv)
    return several(asked.first, asked.seeds, asked.seconds, asked.verbose)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 100))
