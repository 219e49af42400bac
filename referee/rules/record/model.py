"""What a record holds, and playing it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .. import chance
from ..facts import Event, Move, Outcome, Refusal, Seat
from ..game import asks, new_game, play, ruled
from ..model import State
from ..notation import order_text
from ..setup import Setup


class Entry(NamedTuple):
    """One order: who gave it, in which round, and on which line it stands (0: on none yet)."""

    seat: Seat
    move: Move
    round: int
    line: int = 0


class Ruled(NamedTuple):
    """A ruling that came to the game while it was played: which, the number of the question that was open
    then, after how many of the entries, and the line.
    """

    ruling: int
    question: int = 0
    after: int = 0
    line: int = 0


@dataclass(frozen=True)
class Record:
    """`seed_hash`: hex, of the secret seed before the `words` were stirred in; `seed`: that seed, None as
    long as the game goes on; `result`: as in `State.result`, when it is over; `choice`: what the creator of
    the table asked for of the cards (`lists.Choice.facts`).
    """

    setup: Setup
    seed_hash: str
    words: tuple[str, ...]
    entries: tuple[Entry, ...]
    seed: bytes | None = None
    result: Mapping[str, Any] | None = None
    result_line: int = 0
    choice: Mapping[str, Any] | None = None
    ruled: tuple[Ruled, ...] = ()


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
    setup: Setup,
    seed: bytes,
    words: Sequence[str],
    orders: Iterable[tuple[Seat, Move] | Ruled],
    choice: Mapping[str, Any] | None = None,
) -> Record:
    """The record of a game that was played so (with or without the unwritten answers).

    `seed` is the secret one; it is in the record only if the game is over. Among the orders a `Ruled` says
    which ruling came there; its question is found out here.
    """
    state: State = new_game(setup, chance.mix(seed, words)).state
    entries: list[Entry] = []
    came: list[Ruled] = []
    for order in orders:
        if isinstance(order, Ruled):
            came.append(Ruled(order.ruling, state.number, len(entries)))
            state = ruled(state, order.ruling).state
            continue
        seat, move = order
        state = _unwritten(state, (seat, move), [])
        if not _is_unwritten(state):
            entries.append(Entry(seat, move, state.round))
        state = play(state, seat, move).state
    state = _unwritten(state, None, [])
    over = state.result is not None
    return Record(
        setup,
        chance.commit(seed),
        tuple(words),
        tuple(entries),
        seed if over else None,
        state.result,
        0,
        choice or None,
        tuple(came),
    )


def replay(record: Record) -> Outcome:
    """Play the whole record; `events` are those of the whole game.  Needs the seed.
    Raises RecordError for an order that is refused."""
    if record.seed is None:
        raise RecordError(
            0, "the seed is not in the record", "the line 'seed: …', shown when the game is over"
        )
    outcome = new_game(record.setup, chance.mix(record.seed, record.words))
    events: list[Event] = list(outcome.events)
    state = outcome.state
    coming = list(record.ruled)
    for place, entry in enumerate(record.entries):
        while coming and coming[0].after == place:
            state = _ruled(coming.pop(0), state, events)
        state = _unwritten(state, (entry.seat, entry.move), events)
        try:
            outcome = play(state, entry.seat, entry.move)
        except Refusal as refusal:
            raise _refused(record, entry, state, refusal) from refusal
        state = outcome.state
        events += outcome.events
    for one in coming:
        state = _ruled(one, state, events)
    state = _unwritten(state, None, events)
    return Outcome(state, tuple(events), asks(state), False)


def _ruled(one: Ruled, state: State, events: list[Event]) -> State:
    state = _unwritten(state, None, events, one.question)
    if state.number != one.question or not state.stack or state.holds(one.ruling):
        raise RecordError(
            one.line,
            f"ruling {one.ruling} can't have come there",
            f"question {state.number} was open, under the rulings {list(state.rulings)}",
        )
    outcome = ruled(state, one.ruling)
    events += outcome.events
    after: State = outcome.state
    return after


def _is_unwritten(state: State) -> bool:
    """Whether the open question is one of those that are not written down."""
    if not state.stack or not state.stack[-1].hushed:
        return False
    ask = asks(state)[0]
    return len(ask.moves) == 1 and not ask.families and ask.moves[0].verb != "end"


def _unwritten(state: State, coming: tuple[Seat, Move] | None, events: list[Event], until: int = 0) -> State:
    """Give the answers that are not written, unless the coming order is one, up to question `until`."""
    while state.number != until and _is_unwritten(state):
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
