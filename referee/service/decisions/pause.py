"""A table pauses: all its clocks stand still, no plan answers and nobody is reminded, until somebody lets it
go on or its policy does.

How long all pauses of a game may last together is in its policy; a deadline of its own ends the last one.
"""

from __future__ import annotations

from typing import Any

from referee.policy import DAY_MS
from referee.rules import Refusal
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state, rows
from ..play import clock_news, seat_plans


def left_ms(game: Game, now_ms: int) -> int:
    """How long the table may still pause."""
    spent = sum(min(end, now_ms) - start for start, end in clock_state.read(game).paused)
    return max(0, clock_state.policy_of(game).pause_days * DAY_MS - spent)


def may_pause(sitting: Sitting, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal where a pause is not to be had."""
    if clock_state.paused(clock_state.read(game)):
        raise Refusal("paused-already", game=game.id)
    if clock_state.policy_of(game).pause_days == 0:
        raise Refusal("no-pauses", game=game.id)
    if not left_ms(game, sitting.now_ms):
        raise Refusal("pauses-spent", game=game.id, days=clock_state.policy_of(game).pause_days)


def may_resume(sitting: Sitting, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal where there is no pause."""
    if not clock_state.paused(clock_state.read(game)):
        raise Refusal("not-paused", game=game.id)


def pause(sitting: Sitting, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """From now on."""
    end = sitting.now_ms + left_ms(game, sitting.now_ms)
    table = rows.known(sitting, game)
    table.paused.append((sitting.now_ms, clock_state.OPEN))
    sitting.tx.add(Deadline, game_id=game.id, seat=-1, question=0, kind=DeadlineKind.PAUSE, due_ms=end)
    _changed(sitting, game, table, "paused", who)


def resume(sitting: Sitting, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """The clocks run again."""
    table = rows.known(sitting, game)
    table.paused[-1] = (table.paused[-1][0], sitting.now_ms)
    sitting.tx.change(
        Deadline, {"game_id": game.id, "kind": DeadlineKind.PAUSE, "done_ms": 0}, done_ms=sitting.now_ms
    )
    _changed(sitting, game, table, "unpaused", who)


def extend(sitting: Sitting, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """So much more for whoever is asked now."""
    table = rows.known(sitting, game)
    for no in game.asked.split(","):
        table.seat(int(no)).extra += round(float(facts["hours"]) * 3_600_000)
    fresh = clock_news.publish(sitting, game, table, "extended", {**who, "hours": facts["hours"]})
    told(sitting, fresh)


def spent(sitting: Sitting, game: Game, row: Deadline) -> None:
    """The policy allows no more: the game goes on."""
    if game.status == GameStatus.RUNNING and clock_state.paused(clock_state.read(game)):
        resume(sitting, game, {}, {"seat": None, "by": "", "why": "spent"})


def told(sitting: Sitting, game: Game) -> None:
    """Whoever is asked sees the new deadline."""
    for seat in sitting.seats(int(game.id or 0)):
        if str(seat.no) in game.asked.split(",") and not seat_plans.pending(sitting.tx, game, seat.no):
            outbox.to_seat(sitting, game, seat, "prompt", question=game.question)


def _changed(
    sitting: Sitting, game: Game, table: clock_state.TableTime, event: str, who: dict[str, Any]
) -> None:
    """Plans that were about to answer wait with the rest, and answer after it."""
    fresh = clock_news.publish(sitting, game, table, event, who)
    seat_plans.arm(
        sitting,
        fresh,
        sitting.states.of(fresh),
        sitting.states.waiting(fresh),
        seat_plans.of(sitting, fresh.id),
    )
    told(sitting, fresh)
