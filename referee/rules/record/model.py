"""What a record holds, and playing it back."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import chance
from ..facts import Event, Move, Outcome, Refusal, Seat
from ..game import asks, new_game, play
from ..model import State
from ..notation import order_text
from ..setup import Setup


class Entry(NamedTuple):
    """One order: who gave it, in which round, and on which line it stands (0: on none yet)."""

    seat: Seat
    move: Move
    round: int
    line: int = 0


@dataclass(frozen=True)
class Record:
    """`seed_hash`: hex, of the secret seed before the `words` were stirred in; `seed`: that
    seed, None as long as the game goes on; `result`: as in `State.result`, when it is over; `choice`: what the
    creator of the table asked for of the cards (`lists.Choice.facts`)."""

    setup: Setup
    seed_hash: str
    words: tuple[str, ...]
    entries: tuple[Entry, ...]
    seed: bytes | None = None
    result: Mapping[str, Any] | None = None
    result_line: int = 0
    choice: Mapping[str, Any] | None = None


class RecordError(Exception):
    """A record that does not hold: `line` (0: as a whole), what is `wrong`, and what would
    be `right` ("" where there is no telling)."""

    def __init__(self, line: int, wrong: str, right: str = "") -> None:
        super().__init__(line, wrong, right)
        self.line, self.wrong, self.right = line, wrong, right

    def __str__(self) -> str:
        instead = f"; expected: {self.right}" if self.right else ""
        return f"line {self.line}: {self.wrong}{instead}"


def of_game(
    setup: Setup, seed: bytes, words: Sequence[str], orders: Iterable[tuple[Seat, Move]],
    choice: Mapping[str, Any] | None = None,
) -> Record:
    """The record of a game that was played so (with or without the unwritten answers).
    `seed` is the secret one; it is in the record only if the game is over."""
    state: State = new_game(setup, chance.mix(seed, words)).state
    entries = []
    for seat, move in orders:
        state = _unwritten(state, (seat, move), [])
        if not _is_unwritten(state):
            entries.append(Entry(seat, move, state.round))
        state = play(state, seat, move).state
    state = _unwritten(state, None, [])
    over = state.result is not None
    return Record(setup, chance.commit(seed), tuple(words), tuple(entries), seed if over else None, state.result, 0, choice or None)


def replay(record: Record) -> Outcome:
    """Play the whole record; `events` are those of the whole game.  Needs the seed.
    Raises RecordError for an order that is refused."""
    if record.seed is None:
        raise RecordError(0, "the seed is not in the record", "the line 'seed: …', shown when the game is over")
    outcome = new_game(record.setup, chance.mix(record.seed, record.words))
    events: list[Event] = list(outcome.events)
    state = outcome.state
    for entry in record.entries:
        state = _unwritten(state, (entry.seat, entry.move), events)
        try:
            outcome = play(state, entry.seat, entry.move)
        except Refusal as refusal:
            raise _refused(record, entry, state, refusal) from refusal
        state = outcome.state
        events += outcome.events
    state = _unwritten(state, None, events)
    return Outcome(state, tuple(events), asks(state), False)


def _is_unwritten(state: State) -> bool:
    """Whether the open question is one of those that are not written down."""
    if not state.stack or not state.stack[-1].hushed:
        return False
    ask = asks(state)[0]
    return len(ask.moves) == 1 and not ask.families and ask.moves[0].verb != "end"


def _unwritten(state: State, coming: tuple[Seat, Move] | None, events: list[Event]) -> State:
    """Give the answers that are not written, unless the coming order is one."""
    while _is_unwritten(state):
        ask = asks(state)[0]
        if (ask.seat, ask.moves[0]) == coming:
            break
        outcome = play(state, ask.seat, ask.moves[0])
        events += outcome.events
        state = outcome.state
    return state


def _refused(record: Record, entry: Entry, state: State, refusal: Refusal) -> RecordError:
    names = record.setup.players
    facts = ", ".join(f"{key}: {value}" for key, value in refusal.facts.items())
    order = f"{names[entry.seat]}: {order_text(entry.move, names)}"
    right = "nothing more: the game is over"
    for ask in asks(state):
        some = [order_text(move, names) for move in ask.moves[:6]]
        more = ", …" if len(ask.moves) > 6 or ask.families else ""
        right = f"{names[ask.seat]}: one of {', '.join(some)}{more}"
    return RecordError(entry.line, f"{order} is refused, {refusal.code} ({facts})", right)
