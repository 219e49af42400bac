"""A failing script made short: what is not needed for the same law to break is left out, in ever smaller
pieces.

python -m tests.sim shrink SEED      # prints the short script, to be kept as tests/sim/kept/<name>.json
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from tests.sim.script import Script
from tests.sim.world import Outcome, run

T = TypeVar("T")
#: horizons that are tried, hours; the shortest that breaks the same law is kept
HOURS = (0.5, 2.0, 8.0, 26.0, 75.0)


def laws_of(outcome: Outcome) -> set[str]:
    """The laws that a run broke."""
    return {fault.partition(":")[0] for fault in outcome.faults}


def shrunk(script: Script, law: str, *, play: Callable[[Script], Outcome] = run, most: int = 200) -> Script:
    """The shortest script found that breaks `law`, in at most so many runs.

    Raises ValueError where `script` does not break it.
    """
    left = [most]

    def breaks(one: Script) -> bool:
        if left[0] <= 0:
            return False
        left[0] -= 1
        return law in laws_of(play(one))

    if not breaks(script):
        raise ValueError(f"this script does not break {law!r}")
    for hours in HOURS:
        if (not script.hours or hours < script.hours) and breaks(shorter := replace(script, hours=hours)):
            script = shorter
            break
    script = replace(
        script, events=needed(script.events, lambda events: breaks(replace(script, events=list(events))))
    )
    script = replace(
        script, tables=needed(script.tables, lambda tables: breaks(replace(script, tables=list(tables))))
    )
    return simpler(script, breaks)


def simpler(script: Script, breaks: Callable[[Script], bool]) -> Script:
    """Without ghosts, asides and bots where they are not needed."""
    for n in range(len(script.tables)):
        for name, value in (("ghosts", {}), ("chatty", 0.0), ("bots", 0)):
            if script.tables[n][name] != value:
                tables = [{**one, name: value} if n == at else one for at, one in enumerate(script.tables)]
                script = shorter if breaks(shorter := replace(script, tables=tables)) else script
    return script


def needed(things: Sequence[T], enough: Callable[[Sequence[T]], bool]) -> list[T]:
    """A part of these that is enough, from which no single one can be left out (delta debugging)."""
    kept, pieces = list(things), 2
    if kept and enough(()):
        return []
    while len(kept) >= 2:
        size = -(-len(kept) // pieces)
        for start in range(0, len(kept), size):
            rest = kept[:start] + kept[start + size :]
            if enough(rest):
                kept, pieces = rest, max(2, pieces - 1)
                break
        else:
            if size == 1:
                break
            pieces = min(len(kept), pieces * 2)
    return kept
