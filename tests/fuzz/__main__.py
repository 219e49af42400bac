"""Fuzzing by hand: `python -m tests.fuzz [--count N] [--seed S] [--seconds S] [TARGET …]`. What it finds is
made small and shown, and with --keep put into kept.json, which the tests replay.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import warnings

from tests.fuzz.kept import PATH, cases
from tests.fuzz.running import RUN, parts, run, smaller
from tests.fuzz.targets import TARGETS


def main() -> int:
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("targets", nargs="*", metavar="TARGET")
    said.add_argument(
        "--count", type=int, default=RUN, help="inputs of a whole run, shared out among the targets"
    )
    said.add_argument("--seed", type=int, default=1)
    said.add_argument("--seconds", type=float, default=1e9, help="at most so long for each target")
    said.add_argument("--keep", action="store_true")
    asked = said.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    total, faults = 0, 0
    for target in TARGETS:
        if asked.targets and not any(target.name.startswith(one) for one in asked.targets):
            continue
        done = run(target, max(1, target.share * asked.count // RUN), asked.seed, asked.seconds)
        total, faults = total + done.tried, faults + len(done.faults)
        print(done, flush=True)
        for fault in done.faults.values():
            small = smaller(target, fault, 40 if fault.kind.startswith("slow") else 300)
            print(f"--- {fault.kind}: {fault.said[-1500:]}\n    {str(parts(small))[:700]}", flush=True)
            if asked.keep:
                PATH.write_text(
                    json.dumps(
                        [
                            *cases(),
                            {
                                "target": target.name,
                                "what": fault.kind,
                                "raw": isinstance(small, bytes),
                                "parts": parts(small),
                            },
                        ],
                        indent=1,
                    )
                    + "\n"
                )
    print(f"{total} inputs, {faults} kinds of fault, seed {asked.seed}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
