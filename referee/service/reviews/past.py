"""The decisions that a person made in a finished game, each with the position in which they made it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from referee import rules
from referee.ids import MoveNo, QuestionNo, SeatNo
from referee.rules import Move
from referee.rules.notation import read_order
from referee.store import Game, Journal, Tx

from ..core.cache import lately
from ..core.unit_of_work import StateCache, encoded, names, setup_of
from ..play.moves import OWN
from ..play.replay import GameHistory, sits_since, whole

#: orders of the selection
_PICKING = frozenset({"pick", "discard"})


class OwnDecision(NamedTuple):
    """An order where there was another answer. `position`: a snapshot of the table that it answered; `step`:
    the step of the replay that shows this table, from 1.
    """

    no: MoveNo
    question: QuestionNo
    move: Move
    position: bytes
    round: int
    picking: bool
    step: int


class _OwnPast(GameHistory):
    """Keeps the positions that the player's own orders answered."""

    def __init__(self, seat: SeatNo) -> None:
        super().__init__(seat)
        self._shown: dict[MoveNo, tuple[int, int]] = {}  # how many steps there were before and after an order
        self._last: MoveNo = MoveNo(0)

    def _leads_back(self, n: int, follows: Journal | None) -> bool:
        return super()._leads_back(n, follows) or self._is_own(follows)

    def _is_own(self, line: Journal | None) -> bool:
        return line is not None and line.seat == self._seat and line.by in OWN

    def _put(self, line: Journal | None, state: Any, number: int) -> None:
        if line is not None:
            self._last = line.no
            self._shown[line.no] = (len(self._steps), len(self._steps))
        super()._put(line, state, number)

    def _add(self, end: int) -> None:
        super()._add(end)
        if self._last:
            self._shown[self._last] = (self._shown[self._last][0], len(self._steps))
            self._last = MoveNo(0)

    def answered(self) -> Iterator[tuple[Journal, Any, tuple[int, int]]]:
        """Their own orders that stand, the position that each answered, and how many steps there were before
        it and after it.
        """
        for (_, state, _), (line, _, _) in pairwise(self._stack):
            if line is not None and state is not None and self._is_own(line):
                yield line, state, self._shown[line.no]


def decisions(tx: Tx, states: StateCache, now_ms: int, game: Game, no: SeatNo) -> list[OwnDecision]:
    """What the person who sits there decided, since they sit there; [] where the past can't be made out.

    Tenths of a second, once in a while: for a reader's thread.
    """
    return lately(states, now_ms, ("decisions", game.id, game.event_no, no), lambda: _decisions(tx, game, no))


def _decisions(tx: Tx, game: Game, no: SeatNo) -> list[OwnDecision]:
    rows = whole(tx, game)
    past = _OwnPast(no)
    past.follow(rows)
    if not past.whole:
        return []
    since, called = sits_since(rows.events, no), names(rows.seats)
    book = rules.rulebook(setup_of(game, rows.seats))
    found = []
    for line, state, (before, after) in past.answered():
        ask = next((one for one in rules.asks(state) if one.seat == no), None)
        if line.at_ms < since or ask is None or (len(ask.moves) < 2 and not ask.families):
            continue
        move = read_order(line.order, called, book)
        picking = move.verb in _PICKING
        step = max(1, after if picking else before)  # a step of the selection tells all of its picks
        found.append(OwnDecision(line.no, ask.number, move, encoded(state), state.round, picking, step))
    return found
