"""Inside the process in which players think that take long (`referee.isolated`): a position comes in, a move
goes out.
"""

from __future__ import annotations

from typing import TypeVar

import msgspec

from .. import rules
from ..isolated import inside
from ..rules.facts import Move, Seat
from . import levels, player
from .search import Compared, Judged
from .sight import Sight

T = TypeVar("T")
#: bytes that the process may need beyond what it has once everything is loaded: with that it stays below
#: 150 MB
MEMORY = 96 << 20
#: everybody else's work comes first
NICE = 15


class Answer(msgspec.Struct, array_like=True):
    """A move as it goes between the processes."""

    verb: str
    args: list[str | int | list[str | int]] = []

    @property
    def move(self) -> Move:
        """The move; whether it is legal is another question."""
        return Move(self.verb, tuple(tuple(one) if isinstance(one, list) else one for one in self.args))


class Thought(msgspec.Struct):
    """What is to be thought about: a position as `rules.dump` gives it, for which seat, by which player, how
    hard (seconds of processor time, about), and with which dice (`seed`: which question; `Sight.dice` adds
    the game's secret). By a player that searches also what it thinks of each answer (`judged`), or of the one
    that was `given`.
    """

    position: msgspec.Raw
    seat: int
    player: str
    effort: float
    seed: str
    judged: bool = False
    given: Answer | None = None


class _Judged(msgspec.Struct, array_like=True):
    move: Answer
    chance: float
    tries: int


class _Compared(msgspec.Struct, array_like=True):
    best: Answer
    better: float
    given: float
    error: float


def serve(cpu_s: float) -> None:
    """Answer questions until the other process is gone; `cpu_s`: as in `inside.serve`."""
    levels.learned()  # no file can be opened later
    inside.serve(answered, cpu_s=cpu_s, memory=MEMORY, nice=NICE, sealed=True, idle=True)


def answered(question: bytes) -> bytes:
    """The move of a `Thought`, as JSON; or the answers that were looked at, the best first; or one compared
    with the best.
    """
    asked = msgspec.json.decode(question, type=Thought)
    sight = Sight(rules.load(msgspec.json.decode(asked.position)), Seat(asked.seat))
    one, dice = player(asked.player, asked.effort), sight.dice(asked.seed)
    if asked.given is not None:
        assert isinstance(one, levels.Strong), "only who searches compares"
        return msgspec.json.encode(one.compared(sight, asked.given.move, dice))
    if asked.judged:
        assert isinstance(one, levels.Strong), "only who searches judges"
        return msgspec.json.encode(one.judged(sight, dice))
    return msgspec.json.encode(one.choose(sight, dice))


def read_answer(answer: bytes) -> Move:
    """The move that came.  Raises ValueError for what is none; whether it is legal is another question."""
    return _read(answer, Answer).move


def read_judged(answer: bytes) -> list[Judged]:
    """The answers that were judged, one at least.  Raises ValueError for what are none."""
    found = _read(answer, list[_Judged])
    if not found:
        raise ValueError("no answer was judged")
    return [Judged(one.move.move, one.chance, one.tries) for one in found]


def read_compared(answer: bytes) -> Compared:
    """An answer compared with the best.  Raises ValueError for what is no comparison."""
    one = _read(answer, _Compared)
    return Compared(one.best.move, one.better, one.given, one.error)


def _read(answer: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(answer, type=kind)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
