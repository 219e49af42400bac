"""Figures beside their goals, and beside those of earlier runs.

    with Sheet("desk") as sheet:
        sheet.say("32 at once, post at work / bare", 0.34, "x", least=0.3)
        sheet.say("p99 beside letters", 21.0, "ms", most=25)

prints a line for each, with its goal and what it was lately. Where `BENCH_HISTORY` is set, as `make bench`
does, the sheet becomes one line of bench/history/desk.jsonl: date, commit, speed of the machine, figures.
Commit it.

    python -m bench._goals       every figure of the last run of every bench: goal, first, lately, now

A figure in "x" is a ratio of two things measured in one run: it needs no machine. Times and rates are
compared as if the machine were always as fast: the speed is that of a fixed loop, 1.0 being the machine of
the first lines. Measure in processor time (`time.process_time`), and what is compared in turns.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

ROOT = Path(__file__).parents[1]
#: seconds of processor time of `loop` on the machine of the first lines
REFERENCE_S = 0.0075
#: how many earlier runs say what a figure was lately
LATELY = 5
#: worse than lately by more than this part is said
TOLERATED = 0.15


class _Thing:
    """What the loop makes, many times over."""

    __slots__ = ("name", "number")

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number

    def next_number(self) -> int:
        return self.number * 31 % 1009


def loop() -> int:
    """A bit of everything that our programs do: calls, attributes, lists, dictionaries, words."""
    found: dict[str, list[int]] = {}
    number = 7
    for step in range(15_000):
        thing = _Thing(f"card {step % 54}", number)
        number = thing.next_number()
        found.setdefault(thing.name, []).append(number)
    return sum(len([n for n in sorted(numbers) if n % 2]) for numbers in found.values())


def machine_speed(times: int = 5) -> float:
    """How fast this machine is now; 1.0: as the one of the first lines."""
    spent = []
    for _ in range(times):
        begun = time.process_time()
        loop()
        spent.append(time.process_time() - begun)
    return REFERENCE_S / statistics.median(spent)


def commit(root: Path = ROOT) -> str:
    """The commit that is measured, "+" behind it where files were changed since; "?" outside of git."""
    try:
        name = _git(root, "rev-parse", "--short=10", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", ":!bench/history")
    except (OSError, subprocess.CalledProcessError):
        return "?"
    return name + ("+" if changed else "")


def _git(root: Path, *words: str) -> str:
    found = subprocess.run(["git", "-C", str(root), *words], capture_output=True, text=True, check=True)
    return found.stdout.strip()


def history_folder(root: Path = ROOT) -> Path:
    """Where the lines are kept: in the clone, also where an unpacked wheel below it is measured."""
    try:
        return Path(_git(root, "rev-parse", "--show-toplevel")) / "bench" / "history"
    except (OSError, subprocess.CalledProcessError):
        return root / "bench" / "history"


def lines(file: Path) -> list[dict[str, Any]]:
    """The earlier runs of a bench, oldest first."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@dataclass(frozen=True, slots=True)
class Figure:
    """`unit`: "x" (a ratio), "ms", "s", "/s", "kB" …; `least` or `most`: the goal, if it has one."""

    name: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def goal(self) -> str:
        if self.least is not None:
            return f"goal ≥ {self.least:g} {self.unit}"
        return "" if self.most is None else f"goal ≤ {self.most:g} {self.unit}"

    @property
    def met(self) -> bool:
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    def moved(self, value: float, speed: float, other: float) -> float:
        """A value of this figure on a machine of that speed, as one of the other speed would have it."""
        if self.unit in ("ms", "s"):
            return value * speed / other
        return value / speed * other if self.unit.endswith("/s") else value

    def worse(self, lately: float) -> bool:
        """Whether it is clearly worse than it was lately (as this machine would have had it)."""
        if self.least is not None:
            return self.value < lately * (1 - TOLERATED)
        return self.most is not None and self.value > lately * (1 + TOLERATED)


def told(figure: Figure, speed: float, earlier: list[dict[str, Any]]) -> str:
    """The figure, its goal, and what the last runs say of it."""
    text = f"{figure.name:44} {_short(figure.value):>8} {figure.unit:3} {figure.goal:18}"
    if figure.goal:
        text += "met" if figure.met else "MISSED"
    known = [
        figure.moved(line["figures"][figure.name], line["machine"], speed)
        for line in earlier
        if figure.name in line["figures"]
    ][-LATELY:]
    if known:
        lately = statistics.median(known)
        text += f"  lately {_short(lately)}"
        if figure.worse(lately):
            text += ": WORSE THAN IT WAS"
    return text.rstrip()


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.3g}"


@dataclass
class Sheet:
    """The figures of one run of a bench."""

    bench: str
    folder: Path = field(default_factory=history_folder)
    figures: list[Figure] = field(default_factory=list)

    def __enter__(self) -> Sheet:
        self.earlier = lines(self.folder / f"{self.bench}.jsonl")
        self.speeds = [machine_speed()]
        return self

    def say(
        self,
        name: str,
        value: float,
        unit: str = "x",
        *,
        least: float | None = None,
        most: float | None = None,
    ) -> Figure:
        """Print a figure beside its goal, and keep it for the history."""
        figure = Figure(name, value, unit, least, most)
        self.figures.append(figure)
        self.speeds.append(machine_speed())
        print(f"{self.bench:7} {told(figure, statistics.median(self.speeds), self.earlier)}", flush=True)
        return figure

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None and self.figures and os.environ.get("BENCH_HISTORY"):
            self.keep()

    def keep(self) -> None:
        """One line more in the history."""
        line = {
            "date": datetime.now(UTC).date().isoformat(),
            "commit": commit(),
            "machine": round(statistics.median(self.speeds), 3),
            "figures": {f.name: float(f"{f.value:.4g}") for f in self.figures},
            "goals": {f.name: f.goal for f in self.figures if f.goal},
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / f"{self.bench}.jsonl").open("a") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def main() -> None:
    """Every figure of the last runs, beside the first run that had it."""
    for file in sorted(history_folder().glob("*.jsonl")):
        runs = lines(file)
        last = runs[-1]
        print(
            f"{file.stem}  {last['date']} {last['commit']}, machine {last['machine']:.2f}, {len(runs)} runs"
        )
        for name, value in last["figures"].items():
            course = [run["figures"][name] for run in runs if name in run["figures"]]
            print(
                f"    {name:44} {_short(value):>8}  {last['goals'].get(name, ''):18} "
                f"first {_short(course[0])}, lately {_short(statistics.median(course[-LATELY:]))}"
            )


if __name__ == "__main__":
    main()
