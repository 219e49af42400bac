"""One game.  An answer that the rules refuse, or an exception, is lost: the dullest is played instead."""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from ..rules import Known, Move, Outcome, Refusal, State, dull, new_game, places, play
from ..search import Player, Sight
from .contest import Deal
from .entrants import Entrant
from .faults import told

#: a seat that lost this many answers by time or by the end of its process is not asked again in that game
PATIENT = 3
#: in the note while nobody's code runs
NOBODY = -1


class Loss(NamedTuple):
    """An answer that was lost. `kind`: refused (by the rules), failed (an exception), slow, died (the process
    ended). `why`: what was said of the first of that kind, in one line.
    """

    seat: int
    kind: str
    why: str


@dataclass(slots=True)
class Result:
    """How a game went, by seat: who of the contest sat there (`order`), points, places, the share of the win;
    milliseconds of processor time of each answer; what was lost.
    """

    deal: int
    turn: int
    edition: str
    order: tuple[int, ...]
    points: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    wins: tuple[float, ...] = ()
    rounds: int = 0
    times: list[array[float]] = field(default_factory=list)
    lost: list[Loss] = field(default_factory=list)


class _Table:
    """A game while it is played. `lost`: number of the answer -> kind, for answers that no process survived;
    `note` says which answer is being thought about, and the how many-th that is of this process.
    """

    def __init__(
        self, deal: Deal, turn: int, entrants: Sequence[Entrant], lost: Mapping[int, str], note: array[int]
    ) -> None:
        self._lost, self._note = lost, note
        self._dice = f"{deal.seed.hex()[:16]}/{turn}"
        order = deal.seated(turn)
        self._entrants = [entrants[one] for one in order]
        self._players: list[Player | None] = [None] * len(order)
        self.result = Result(deal.number, turn, deal.setup.edition, order)
        self.result.times = [array("d") for _ in order]

    def answered(self, now: Outcome, number: int) -> Outcome:
        """After the answer of that number."""
        seat, state = now.asks[0].seat, now.state
        move = None
        if number in self._lost:
            self._miss(seat, self._lost[number], "")
        elif sum(one.seat == seat and one.kind in ("slow", "died") for one in self.result.lost) < PATIENT:
            move = self._chosen(state, seat, number)
        if move is not None:
            try:
                return play(state, seat, move)
            except Exception as no:  # a stranger's move may hold anything; ours are refused by name
                why = no.code if isinstance(no, Refusal) else type(no).__name__
                self._miss(seat, "refused", f"{told(move)}: {why}")
        return play(state, seat, dull(state, seat))

    def _chosen(self, state: State, seat: int, number: int) -> Move | None:
        """What that seat answers; None where nothing comes of it."""
        one = self._entrants[seat]
        rng = Random(f"{self._dice}/{number}")
        if not one.ours:  # nothing that the seat can't see lies behind what a stranger is handed
            state = Known(state, seat).deal(Random(f"{self._dice}/{number}/behind"))
        sight = Sight(state, seat)
        self._note[0] = number
        self._note[1] += 1
        begun = time.process_time()
        try:
            player = self._players[seat]
            if player is None:
                player = self._players[seat] = one.begin()
            move = player.choose(sight, rng)
        except BaseException as no:  # whatever a stranger raises costs that answer and nothing else
            self._miss(seat, "failed", f"{type(no).__name__}: {told(no)}")
            return None
        finally:
            self.result.times[seat].append((time.process_time() - begun) * 1e3)
            self._note[0] = NOBODY
        if isinstance(move, Move):
            return move
        self._miss(seat, "refused", f"{told(move)}: {type(move).__name__}")
        return None

    def _miss(self, seat: int, kind: str, why: str) -> None:
        """Of each kind the first tells why."""
        before = any((one.seat, one.kind) == (seat, kind) for one in self.result.lost)
        self.result.lost.append(Loss(seat, kind, "" if before else why))


def play_game(
    deal: Deal, turn: int, entrants: Sequence[Entrant], lost: Mapping[int, str], note: array[int]
) -> Result:
    """Play a deal with the seats of that turn to its end."""
    table = _Table(deal, turn, entrants, lost, note)
    now, number = new_game(deal.setup, deal.seed), 0
    while now.asks:
        now, number = table.answered(now, number), number + 1
    end, result = now.state, table.result
    assert end.result is not None
    winners = end.result["winners"]
    result.wins = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(result.order)))
    result.places, result.points = zip(*places(end), strict=True)
    result.rounds = end.round
    return result
