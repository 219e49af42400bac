"""Writing a record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ..notation import order_text
from .chain import closed
from .lines import FORMAT, LIST, PARTS, RESULT, RULINGS, SCORE, SEED, WINNER, label
from .model import Record


def write(record: Record, remarks: Iterable[str] = ()) -> str:
    """The text of a record with its chain; `read` gives the same record back.

    Remarks are lines that say nothing about the game, and can't be taken out unseen either.
    """
    return closed(
        [
            *_header(record),
            *_orders(record),
            *_end(record),
            *(f"# {' '.join(one.split())}" for one in remarks),
        ]
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _header(record: Record) -> Iterator[str]:
    setup = record.setup
    yield FORMAT
    yield f"edition: {setup.edition}"
    yield f"options: {_json(dict(setup.options))}"
    yield f"cast: {_json(list(setup.cast))}"
    yield f"uniques: {_json(list(setup.uniques))}"
    yield f"players: {_json(list(setup.players))}"
    yield f"crown: {_json(setup.crown)}"
    yield f"seed hash: {record.seed_hash}"
    yield f"words: {_json(list(record.words))}"
    if record.choice:
        yield f"{LIST}: {_json(dict(record.choice))}"
    if setup.rulings:
        yield f"{RULINGS}: {_json(list(setup.rulings))}"


def _orders(record: Record) -> Iterator[str]:
    names = record.setup.players
    current = 0
    for place, entry in enumerate(record.entries):
        yield from _ruled(record, place)
        if entry.round != current:
            current = entry.round
            yield ""
            yield f"# round {current}"
        yield f"{label(names[entry.seat])}: {order_text(entry.move, names)}"
    yield from _ruled(record, len(record.entries))


def _ruled(record: Record, place: int) -> Iterator[str]:
    """The rulings that came after that many entries."""
    return (
        f"ruling: {one.ruling} from question {one.question}" for one in record.ruled if one.after == place
    )


def _end(record: Record) -> Iterator[str]:
    names = record.setup.players
    if record.result is not None:
        yield ""
        yield f"{RESULT}: {record.result['reason']}"
        for row in record.result["scores"]:
            parts = ", ".join(f"{part} {row['points'][part]}" for part in PARTS)
            yield f"{SCORE}: {label(names[row['seat']])} {row['score']} = {parts}"
        for seat in record.result["winners"]:
            yield f"{WINNER}: {label(names[seat])}"
    if record.seed is not None:
        yield f"{SEED}: {record.seed.hex()}"
