"""How fast the engine plays: complete random-legal games on one core.

    python -m bench.engine [--games 30] [--rounds 9] [--players 4] [--compiled FOLDER] [--before COMMIT]

Classic games, then deluxe ones with any cast and any unique districts.  Measured in turns, each in a process
of its own: the rules as they are here; compiled, where `make compiled` unpacked a wheel; and as they
were at the commit by which goals are set.  Of each: the flow alone (what a search or a simulation runs), the
same an order at a time, with every event told, through the door (`play`: legality checked, state copied);
also how long a view and a fresh deal of the hidden part take.

The door's goal was set when a game in place, too, was played with a call from Python for each order.  So both
are shown: beside the flow as it runs now, and beside the same calls.

The goals are multiples of a complete engine in JavaScript that is not at hand: it played 580 deluxe games a
second in the hour in which that commit played 239.
"""

from __future__ import annotations

import argparse
import filecmp
import io
import json
import os
import statistics
import subprocess
import sys
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench._goals import ROOT, Sheet
from tests.rules.laws import NAMES, any_setup

#: the rules when the goals were set
BEFORE = "b1d38df4"
#: the JavaScript engine's deluxe games in the time in which those rules played one
PEER = 580 / 239
COMPILED = Path("build/compiled")
WORKS = ("flow", "stepped", "told", "door")
LOOKS = ("view", "another")


class Rules:
    """One state of the rules, in a process that plays with it."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        environment = {**os.environ, "PYTHONPATH": str(folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(Path(__file__).with_name("_games.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=folder,
        )

    def answer(self, **said: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(said) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the rules '{self.name}' broke off"
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(30)


def unpacked(commit: str, folder: Path) -> bool:
    """The rules of that commit into a folder; False where the clone does not have it."""
    packed = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "--format=zip", commit, "referee"],
        capture_output=True,
        check=False,
    )
    if packed.returncode:
        return False
    with zipfile.ZipFile(io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder)
    return True


def fresh(folder: Path) -> bool:
    """Whether a compiled wheel of these very rules is unpacked there."""
    ours = [path.relative_to(ROOT) for path in (ROOT / "referee" / "rules").rglob("*.py")]
    return all(
        (folder / one).exists() and filecmp.cmp(ROOT / one, folder / one, shallow=False) for one in ours
    )


def tables(edition: str, players: int) -> list[list[Any]]:
    """The tables that are played: the classic one; of deluxe any cast that may be."""
    if edition == "classic":
        return [[edition, NAMES[:players], {}, [], []]]
    rng = Random(players)
    drawn = [any_setup(edition, players, rng) for _ in range(300)]
    return [[s.edition, s.players, dict(s.options), s.cast, s.uniques] for s in drawn]


def prepared(of: Sequence[Rules], edition: str, players: int) -> None:
    """Every one of these rules has the same tables: those that all of them know."""
    setups = tables(edition, players)
    known = [one.answer(edition=edition, setups=setups)["playable"] for one in of]
    keep = [number for number, each in enumerate(zip(*known, strict=True)) if all(each)]
    for one in of:
        compiled = one.answer(edition=edition, keep=keep)["compiled"]
        assert compiled == (one.name == "compiled"), f"{one.name}: the wrong rules are played"


#: (rules, kind) -> for each round seconds and how many were done
Found = dict[tuple[str, str], list[tuple[float, int]]]


def measured(of: Sequence[Rules], edition: str, games: int, rounds: int) -> Found:
    found: Found = defaultdict(list)
    for number in range(-1, rounds):  # the first warms up
        for kind in (*WORKS, *LOOKS):
            for one in of:
                got = one.answer(edition=edition, kind=kind, first=(number + 1) * games, games=games)
                if number >= 0:
                    found[one.name, kind].append((got["spent"], got["done"]))
    return found


def ratio(found: Found, one: tuple[str, str], other: tuple[str, str]) -> float:
    """How many times as fast as the other: the median of the rounds' ratios."""
    return statistics.median(
        (b_spent / b_done) / (a_spent / a_done)
        for (a_spent, a_done), (b_spent, b_done) in zip(found[one], found[other], strict=True)
    )


def print_rates(found: Found, edition: str, games: int) -> None:
    for (rules, kind), rounds in found.items():
        each = statistics.median(done / spent for spent, done in rounds)
        if kind in LOOKS:
            print(f"engine  {edition:8} {rules:9} {kind:8} {1000 / each:8.3f} ms")
        else:
            whole = statistics.median(games / spent for spent, _ in rounds)
            print(f"engine  {edition:8} {rules:9} {kind:8} {whole:8.0f} games/s {each:9.0f} moves/s")


def say(sheet: Sheet, found: Found, edition: str) -> None:
    """The ratios that have goals, and those without which they can't be read."""
    for rules, least in (("pure", 0.55), ("compiled", 1.6)):
        if (rules, "flow") not in found:
            continue
        if ("before", "flow") in found:
            faster = ratio(found, (rules, "flow"), ("before", "flow"))
            sheet.say(f"{edition}, {rules} flow / as it was, pure", faster)
            if edition == "deluxe":
                sheet.say(f"{edition}, {rules} flow / JavaScript peer", faster / PEER, least=least)
        for name, work in (("door / flow", "flow"), ("door / flow, an order at a time", "stepped")):
            sheet.say(f"{edition}, {rules} {name}", ratio(found, (rules, "door"), (rules, work)), least=0.55)
    if edition == "deluxe" and ("compiled", "view") in found:
        for kind in LOOKS:
            sheet.say(f"compiled {kind} / pure", ratio(found, ("compiled", kind), ("pure", kind)), least=1.5)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser("python -m bench.engine")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--compiled", type=Path, default=ROOT / COMPILED)
    parser.add_argument("--before", default=BEFORE)
    said = parser.parse_args(arguments)
    with ExitStack() as stack:
        of = [Rules("pure", ROOT)]
        if fresh(said.compiled):
            of.append(Rules("compiled", said.compiled))
        else:
            print("engine  these rules are not compiled yet: `make compiled` does it")
        before = Path(stack.enter_context(TemporaryDirectory()))
        if unpacked(said.before, before):
            of.append(Rules("before", before))
        else:
            print(f"engine  {said.before} is not in this clone: no ratio to it, nor to the JavaScript peer")
        for one in of:
            stack.callback(one.close)
        sheet = stack.enter_context(Sheet("engine"))
        for edition in ("classic", "deluxe"):
            prepared(of, edition, said.players)
            found = measured(of, edition, said.games, said.rounds)
            print_rates(found, edition, said.games)
            say(sheet, found, edition)


if __name__ == "__main__":
    main()
