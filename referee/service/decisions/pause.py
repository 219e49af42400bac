"""A table pauses: all its clocks stand still, no plan answers and nobody is reminded, until somebody lets it
go on or its policy does.

How long all pauses of a game may last together is in its policy; a deadline of its own ends the last one.
"""

from __future__ import annotations

from typing import Any

from referee.ids import SeatNo
from referee.policy import DAY_MS
from referee.rules import Refusal
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state, season_pauses
from ..people.letter_facts import PromptFacts
from ..play import clock_news, seat_plans


def left_ms(game: Game, now_ms: int) -> int:
    """How long the table may still pause."""
    spent = sum(min(end, now_ms) - start for start, end in clock_state.read_clocks(game).paused)
    return max(0, clock_state.policy_of(game).pause_days * DAY_MS - spent)


def may_pause(uow: UnitOfWork, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal where a pause is not to be had."""
    if clock_state.paused(clock_state.read_clocks(game)):
        raise Refusal("paused-already", game=game.id)
    if clock_state.policy_of(game).pause_days == 0:
        raise Refusal("no-pauses", game=game.id)
    if not left_ms(game, uow.now_ms):
        raise Refusal("pauses-spent", game=game.id, days=clock_state.policy_of(game).pause_days)


def may_resume(uow: UnitOfWork, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal where there is no pause."""
    table = clock_state.read_clocks(game)
    if not clock_state.paused(table):
        until = season_pauses.until(table, uow.now_ms)
        raise Refusal("season-pauses" if until else "not-paused", game=game.id, until=until)


def pause(uow: UnitOfWork, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """From now on."""
    end = uow.now_ms + left_ms(game, uow.now_ms)
    table = clock_state.known(uow, game)
    table.paused.append((uow.now_ms, clock_state.OPEN))
    uow.tx.add(Deadline, game_id=game.id, seat=-1, question=0, kind=DeadlineKind.PAUSE, due_ms=end)
    _changed(uow, game, table, "paused", who)


def resume(uow: UnitOfWork, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """The clocks run again."""
    table = clock_state.known(uow, game)
    table.paused[-1] = (table.paused[-1][0], uow.now_ms)
    uow.tx.change(
        Deadline, {"game_id": game.id, "kind": DeadlineKind.PAUSE, "done_ms": 0}, done_ms=uow.now_ms
    )
    _changed(uow, game, table, "unpaused", who)


def extend(uow: UnitOfWork, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """So much more for anyone who is asked now."""
    table = clock_state.known(uow, game)
    for no in game.asked.split(","):
        table.seat(SeatNo(int(no))).extra += round(float(facts["hours"]) * 3_600_000)
    fresh = clock_news.publish(uow, game, table, "extended", {**who, "hours": facts["hours"]})
    refresh_questions(uow, fresh)


def spent(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """The policy allows no more: the game goes on."""
    if game.status == GameStatus.RUNNING and clock_state.paused(clock_state.read_clocks(game)):
        resume(uow, game, {}, {"seat": None, "by": "", "why": "spent"})


def refresh_questions(uow: UnitOfWork, game: Game) -> None:
    """Anyone who is asked sees the new deadline."""
    for seat in uow.seats(game.id):
        if str(seat.no) in game.asked.split(",") and not seat_plans.pending(uow.tx, game, seat.no):
            outbox.to_seat(uow, game, seat, PromptFacts(), question=game.question)


def _changed(
    uow: UnitOfWork, game: Game, table: clock_state.TableTime, event: str, who: dict[str, Any]
) -> None:
    """Plans that were about to answer wait with the rest, and answer after it."""
    fresh = clock_news.publish(uow, game, table, event, who)
    seat_plans.arm(uow, fresh, *uow.states.position(fresh), uow.plans(fresh.id))
    refresh_questions(uow, fresh)
