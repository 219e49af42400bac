"""Taking positions of today's program, to be loaded by those that come after: `make snapshots`, before a
release.

    python -m tests.snapshots.take              appends to positions/schema-N.jsonl.gz, and writes today's
      frames into frames.json

Random games of every edition are played until two positions of every kind (`facets`) have been met, late ones
where there is a choice: what is saved is small, and is soon played to its end. The same program takes the
same positions each time.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Container, Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from referee.rules import EDITIONS, State, codec, dump, load
from tests.rules import laws
from tests.snapshots import facets, register
from tests.snapshots.playing import played_on, question

FOLDER = Path(__file__).parent / "positions"
#: so many games of each edition are looked through; the rarest kinds turn up once in a few hundred
GAMES = 1500
#: so many positions of each kind are kept
EACH = 2
#: and so many are looked at, to choose the best of
CHOICE = 12


def met(edition: str, games: int) -> Iterator[State]:
    """Every decision of so many random games of any table of that edition."""
    most = 8 if edition == "deluxe" else 7
    for number in range(games):
        dice = Random(f"{edition} {number}")
        players = dice.randint(2, most)
        yield from (
            g for g in laws.moments(players, number, dice, laws.any_setup(edition, players, dice)) if g.stack
        )


def bare(g: State) -> dict[str, Any]:
    """As much of a dump as `facets` looks at: most positions are looked at and left."""
    stack = [
        [f.code, {slot: getattr(f, slot, None) or () for slot in (*facets.TELLING, "drawer")}]
        for f in g.stack
    ]
    return {
        "setup": {"edition": g.setup.edition, "players": g.setup.players},
        "stack": stack,
        **{name: getattr(g, name) for name in facets.DRAWERS},
    }


def candidates(edition: str, games: int) -> list[State]:
    """Positions enough to choose from: of each kind the first few, the later in their game the better."""
    seen: Counter[str] = Counter()
    kept = []
    for g in met(edition, games):
        kinds = facets.of(bare(g))
        if any(seen[kind] < (CHOICE if g.round > 3 else EACH) for kind in kinds):
            kept.append(g.copy())
            seen.update(kinds)
    return kept


def chosen(found: list[State], saved: Container[str] = ()) -> list[State]:
    """As few of them as cover every kind that is not saved yet often enough."""
    kinds = [facets.of(bare(g)) for g in found]
    wanted = Counter(kind for each in kinds for kind in each if kind not in saved)
    missing = Counter({kind: min(EACH, count) for kind, count in wanted.items()})
    out: list[State] = []
    left = set(range(len(found)))
    while +missing:
        best = max(left, key=lambda n: (sum(missing[kind] > 0 for kind in kinds[n]), found[n].round, -n))
        left.discard(best)
        missing.subtract(kinds[best])
        out.append(found[best])
    return out


def position(g: State, number: int) -> dict[str, Any]:
    """One line of the file: the dump, the question that is open, and how it goes on."""
    written = json.loads(json.dumps(dump(g)))
    seed = f"{g.setup.edition} {number}"
    return {
        "kinds": sorted(facets.of(written)),
        "seed": seed,
        "question": question(g),
        "trail": played_on(load(written), seed).facts(),
        "state": written,
    }


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    """A gzip of JSON lines that is the same bytes for the same lines: `zcat` shows it."""
    raw = BytesIO()
    with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, compresslevel=9) as out:
        for line in lines:
            out.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    path.write_bytes(raw.getvalue())


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of such a file."""
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def main(folder: Path = FOLDER, games: int = GAMES) -> None:
    """Take positions of the kinds that are not among today's yet, and today's frames.

    What was saved is never written again, of older schemas nor of today's: new positions come after it.
    """
    folder.mkdir(exist_ok=True)
    path = folder / f"schema-{codec.SCHEMA}.jsonl.gz"
    old = read(path) if path.exists() else []
    saved = {kind for line in old for kind in line["kinds"]}
    found = [g for edition in sorted(EDITIONS) for g in chosen(candidates(edition, games), saved)]
    if found:
        write(path, [*old, *(position(g, number) for number, g in enumerate(found, len(old)))])
    register.write()
    sys.stdout.write(
        f"{path.name}: {len(old)} positions and {len(found)} new ones, {path.stat().st_size // 1024} kB\n"
    )


if __name__ == "__main__":
    main(*[Path(one) for one in sys.argv[1:2]])
