"""Whole worlds on virtual time: a few seeds with every `make test`, thousands in `make soak`; each law finds
what is planted for it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.seeds import share
from tests.sim.script import read, script
from tests.sim.world import run

ROOT = Path(__file__).resolve().parents[2]
#: scripts that failed once: (what they are called)
KEPT = sorted((Path(__file__).parent / "kept").glob("*.json"))


@pytest.mark.parametrize("seed", share([1, 3, 5, 7, 16]))
def test_every_law_holds(seed: int) -> None:
    outcome = run(script(seed))
    assert not outcome.faults
    assert outcome.orders > 20


@pytest.mark.soak
@pytest.mark.parametrize("hundred", range(20))
def test_every_law_holds_of_two_thousand(hundred: int) -> None:
    failed = {
        seed: outcome.faults
        for seed in range(100 * hundred, 100 * hundred + 100)
        if (outcome := run(script(seed))).faults
    }
    assert not failed


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_what_failed_once_holds(kept: Path) -> None:
    assert not run(read(kept)).faults


def test_one_seed_is_one_run_whatever_process_plays_it() -> None:
    found = set()
    for order in ("0", "1"):
        told = subprocess.run(
            [sys.executable, "-m", "tests.sim", "digest", "10"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": order, "PYTHONPATH": str(ROOT)},
        )
        found.add(told.stdout.split()[-1])
    assert len(found) == 1
