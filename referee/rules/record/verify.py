"""Is this what was played?  The hash, the cards, every order, and the result."""

from __future__ import annotations

from typing import NamedTuple

from .. import chance
from ..facts import Outcome, SetupError
from ..lists import choice_of, choose
from .chain import Closing
from .model import Record, RecordError, replay
from .reading import parted


class Verified(NamedTuple):
    """A record that holds.

    `finished`: the game is over; `replayed`: the seed was there, so that every shuffle and every order was
    checked (None for the outcome otherwise). `closing`: the head of its chain, and a signature, which is not
    checked here; None where it has no chain, so that one legal order may stand for another.
    """

    record: Record
    orders: int
    rounds: int
    finished: bool
    replayed: bool
    outcome: Outcome | None
    closing: Closing | None


def verify(text: str) -> Verified:
    """Check a record.  Raises RecordError naming the line, what is wrong, what is right."""
    record, closing = parted(text)
    rounds = record.entries[-1].round if record.entries else 1
    if record.seed is None:
        if record.result is not None:
            raise RecordError(
                record.result_line, "a finished game shows its seed", "a line 'seed: …' at the end"
            )
        return Verified(record, len(record.entries), rounds, False, False, None, closing)
    digest = chance.commit(record.seed)
    if digest != record.seed_hash:
        raise RecordError(8, f"the seed does not have the hash {record.seed_hash}", f"seed hash: {digest}")
    _drawn(record, record.seed)
    outcome = replay(record)
    _compare(record, outcome)
    return Verified(
        record, len(record.entries), outcome.state.round, record.result is not None, True, outcome, closing
    )


def _drawn(record: Record, seed: bytes) -> None:
    """Whether the cards are those that were asked for, or that chance gave."""
    if record.choice is None:
        return
    setup = record.setup
    try:
        drawn = choose(setup.edition, len(setup.players), choice_of(record.choice), seed, setup.rulings)
    except SetupError as error:
        raise RecordError(10, f"no table is set up from that list: {error.code} {error.facts}") from error
    for field, line, stands, right in (
        ("cast", 4, setup.cast, drawn.cast),
        ("uniques", 5, setup.uniques, drawn.uniques),
    ):
        if stands != right:
            raise RecordError(line, f"{field}: {list(stands)}", f"from that list and seed: {list(right)}")


def _compare(record: Record, outcome: Outcome) -> None:
    found = outcome.state.result
    wanted = record.result
    if wanted is None and found is None:
        return
    if wanted is None:
        raise RecordError(0, "the game is over, and its result is missing", f"result: {found['reason']}")
    if found is None:
        raise RecordError(record.result_line, "the game is not over after the last order", "no result")
    if wanted["reason"] != found["reason"]:
        raise RecordError(record.result_line, f"result: {wanted['reason']}", f"result: {found['reason']}")
    names = record.setup.players
    by_seat = {row["seat"]: row for row in wanted["scores"]}
    for row in found["scores"]:
        if by_seat.get(row["seat"]) != row:
            parts = ", ".join(f"{part} {n}" for part, n in row["points"].items())
            wrong = f"the score of {names[row['seat']]}"
            raise RecordError(record.result_line, wrong, f"{row['score']} = {parts}")
    if sorted(wanted["winners"]) != sorted(found["winners"]):
        right = ", ".join(names[seat] for seat in found["winners"])
        raise RecordError(record.result_line, "the winner", right)
