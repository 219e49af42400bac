"""What must hold while games are simulated: no deadline fires twice, none is forgotten, every game ends
within its bound.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from referee.ids import GameId
from referee.policy import Policy, bound_ms
from referee.states import DeadlineKind
from referee.store import Deadline, Game, Tx

#: a deadline is acted upon so much late at most
_LATE_MS = 60_000


class LawBroken(Exception):
    """Something that must never happen did.

    `code`: unopened, unhandled, twice, forgotten, late, no-deadline, left-over, too-long, stuck.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code, self.facts = code, facts

    def __reduce__(self) -> tuple[Any, ...]:
        """On its way from another process."""
        return partial(LawBroken, **self.facts), (self.code,)


class DeadlineWatch:
    """Keeps account of the deadlines of one database."""

    def __init__(self) -> None:
        self._rung: set[int] = set()

    def before(self, tx: Tx, now_ms: int) -> set[GameId]:
        """The clock is about to ring; for which games.  Raises LawBroken."""
        games: set[GameId] = set()
        for row in tx.due(now_ms, 1000):
            if row.id in self._rung:
                raise LawBroken("twice", game=row.game_id, kind=row.kind, question=row.question)
            if now_ms - row.due_ms > _LATE_MS:
                raise LawBroken("late", game=row.game_id, kind=row.kind, by_ms=now_ms - row.due_ms)
            self._rung.add(row.id)
            games.add(row.game_id)
        return games

    def after(self, tx: Tx, now_ms: int) -> None:
        """It has rung.  Raises LawBroken."""
        for row in tx.due(now_ms, 1):
            raise LawBroken("forgotten", game=row.game_id, kind=row.kind, question=row.question)


def running(tx: Tx, game: Game, rule: Policy, players: int, now_ms: int) -> None:
    """Anyone who is asked has a deadline, and the game its bound.  Raises LawBroken."""
    due = {row.seat for row in tx.all(Deadline, game_id=game.id, kind=DeadlineKind.ANSWER, done_ms=0)}
    for seat in game.asked.split(","):
        if int(seat) not in due:
            raise LawBroken("no-deadline", game=game.id, seat=int(seat), question=game.question)
    if now_ms - game.started_ms > bound_ms(rule, players, game.round):
        raise LawBroken(
            "too-long",
            game=game.id,
            took_ms=now_ms - game.started_ms,
            bound_ms=bound_ms(rule, players, game.round),
        )


def over(tx: Tx, game: Game, rule: Policy, players: int) -> int:
    """A game is over: nothing of it rings any more, no question was missed twice, it took no longer than it
    may. Its bound in milliseconds. Raises LawBroken.
    """
    left = tx.count(Deadline, game_id=game.id, done_ms=0)
    if left:
        raise LawBroken("left-over", game=game.id, deadlines=left)
    missed = [
        (row.seat, row.question)
        for row in tx.all(Deadline, game_id=game.id, kind=(DeadlineKind.MISSED, DeadlineKind.STOOD))
    ]
    if len(missed) != len(set(missed)):
        raise LawBroken("twice", game=game.id, kind="missed", question=max(missed, key=missed.count)[1])
    bound = bound_ms(rule, players, max(game.round, 1))
    if game.started_ms and game.ended_ms - game.started_ms > bound:
        raise LawBroken("too-long", game=game.id, took_ms=game.ended_ms - game.started_ms, bound_ms=bound)
    return bound
