"""Inside the process in which players think that take long (`referee.isolated`): a position comes in, a move
goes out.
"""

from __future__ import annotations

from random import Random

import msgspec

from .. import rules
from ..isolated import inside
from ..rules.facts import Move, Seat
from . import levels, player
from .search import Judged
from .sight import Sight

#: bytes that the process may need beyond what it has once everything is loaded: with that it stays below
#: 150 MB
MEMORY = 96 << 20
#: everybody else's work comes first
NICE = 15


class Thought(msgspec.Struct):
    """What is to be thought about: a position as `rules.dump` gives it, for which seat, by which player, how
    hard (seconds of processor time, about), and with which dice. `judged`: by a player that searches, and
    what it thinks of each answer is wanted.
    """

    position: msgspec.Raw
    seat: int
    player: str
    effort: float
    seed: str
    judged: bool = False


class _Answer(msgspec.Struct, array_like=True):
    verb: str
    args: list[str | int | list[str | int]] = []


class _Judged(msgspec.Struct, array_like=True):
    move: _Answer
    chance: float
    tries: int


def serve(cpu_s: float) -> None:
    """Answer questions until the other process is gone; `cpu_s`: as in `inside.serve`."""
    levels.learned()  # no file can be opened later
    inside.serve(answered, cpu_s=cpu_s, memory=MEMORY, nice=NICE, sealed=True, idle=True)


def answered(question: bytes) -> bytes:
    """The move of a `Thought`, as JSON; or the answers that were looked at, the best first."""
    asked = msgspec.json.decode(question, type=Thought)
    sight = Sight(rules.load(msgspec.json.decode(asked.position)), Seat(asked.seat))
    one, dice = player(asked.player, asked.effort), Random(asked.seed)
    if asked.judged:
        assert isinstance(one, levels.Strong), "only who searches judges"
        return msgspec.json.encode(one.judged(sight, dice))
    return msgspec.json.encode(one.choose(sight, dice))


def read_answer(answer: bytes) -> Move:
    """The move that came.  Raises ValueError for what is none; whether it is legal is another question."""
    try:
        return _move(msgspec.json.decode(answer, type=_Answer))
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error


def read_judged(answer: bytes) -> list[Judged]:
    """The answers that were judged, one at least.  Raises ValueError for what are none."""
    try:
        found = msgspec.json.decode(answer, type=list[_Judged])
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from error
    if not found:
        raise ValueError("no answer was judged")
    return [Judged(_move(one.move), one.chance, one.tries) for one in found]


def _move(said: _Answer) -> Move:
    return Move(said.verb, tuple(tuple(one) if isinstance(one, list) else one for one in said.args))
