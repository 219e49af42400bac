"""Plans of seats: where a seat's plan is kept, when it will answer, and that it steps aside where its
player is quicker.

Nothing here is told to anybody but the seat itself. How long a plan waits is drawn from the installation's
secret, the game's seed and the number of the question: the seed alone, which is opened at its end, would then
tell everybody which answers came just when a plan would have given them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from referee import rules
from referee.ids import GameId, SeatNo
from referee.plans import Answer, Plan, PlanError, Stop, answer, load
from referee.plans import filed as start
from referee.plans import taken_back as taken_over
from referee.policy import Policy, ms
from referee.rules import Ask, Outcome
from referee.states import DeadlineKind
from referee.store import Deadline, Game, SeatPlan

from ..core import tokens
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork, json_text
from ..deadlines import clock_state, season_pauses
from ..deadlines.rows import pending as pending

log = logging.getLogger(__name__)
#: the schema of what plans keep in mind (`referee.plans.filed`)
_MEMORY = 1


class Played(Protocol):
    """A move that was played: a `moves.PlayedMove`."""

    @property
    def seat(self) -> SeatNo: ...
    @property
    def by(self) -> str: ...
    @property
    def outcome(self) -> Outcome: ...


class ArmedPlans(NamedTuple):
    """`quiet`: seats that are asked and whose plan will answer; `stops`: those that are asked although there
    is a plan, and why.
    """

    quiet: frozenset[SeatNo] = frozenset()
    stops: Mapping[SeatNo, Stop] = {}


def plan_of(row: SeatPlan) -> Plan:
    """What was filed; nothing where this version can't read it any more, since no game may stop for that."""
    try:
        return _loaded(row.data)
    except PlanError:
        log.exception("the plan of a seat of game %s can't be read", row.game_id)
        return Plan()


@lru_cache(maxsize=128)
def _loaded(data: str) -> Plan:
    """A plan is asked more often than it is filed."""
    return load(json.loads(data))


def consult(row: SeatPlan, state: Any) -> Answer:
    """What a plan says to the question that its seat is asked in this state; it sees the view of the seat."""
    view = rules.view(state, row.seat)
    return answer(plan_of(row), view, memory_of(row, view))


def memory_of(row: SeatPlan, view: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a plan has in mind; what another version kept is not known here: as if it were filed now."""
    memory: Mapping[str, Any] = json.loads(row.memory)
    return memory if memory.get("schema") == _MEMORY else start(plan_of(row), view)


def remember(uow: UnitOfWork, row: SeatPlan, memory: Mapping[str, Any]) -> SeatPlan:
    """Keep what a plan has in mind; the row as it is then."""
    text = json_text(memory)
    return row if text == row.memory else uow.tx.renew(SeatPlan, row, memory=text)


def followed(uow: UnitOfWork, filed: dict[SeatNo, SeatPlan], state: Any, steps: Iterable[Played]) -> None:
    """Let the plans know of the questions that were answered otherwise, from `state` on: for such a turn they
    step aside.
    """
    for one in steps:
        row = filed.get(one.seat)
        if row is not None and one.by != "plan":
            filed[one.seat] = remember(uow, row, {**consult(row, state).memory, "stopped": True})
        state = one.outcome.state


def arm(
    uow: UnitOfWork,
    game: Game,
    state: Any,
    waiting: Sequence[Ask],
    filed: Mapping[SeatNo, SeatPlan],
    *,
    only: SeatNo | None = None,
) -> ArmedPlans:
    """Let the plans answer the questions that wait now, each after its delay, and no others; of one seat
    `only`, where nothing has changed for the others: their delay goes on, else by filing a plan one could
    put an answer off, and tell by that that it comes from one.
    """
    if not filed:
        return ArmedPlans()
    disarm(uow, game.id, only)
    quiet, stops = set(), {}
    since, clocks = pausing_until(uow, game), clock_state.read_clocks(game)
    for ask in waiting:
        if ask.seat not in filed or only not in (None, ask.seat):
            continue
        row = filed[ask.seat]
        said = consult(row, state)
        if said.move is not None:
            quiet.add(ask.seat)
            uow.tx.add(
                Deadline,
                game_id=game.id,
                seat=ask.seat,
                question=game.question,
                kind=DeadlineKind.PLAN,
                due_ms=_answers_at(uow, game, ask.seat, clocks, since),
            )
            continue
        remember(uow, row, said.memory)
        if said.stop is not None:
            stops[ask.seat] = said.stop
    uow.wakes.add("clock")
    return ArmedPlans(frozenset(quiet), stops)


def _answers_at(
    uow: UnitOfWork, game: Game, seat: SeatNo, clocks: clock_state.TableTime, since_ms: int
) -> int:
    """When the plan of a seat answers: always before its time is up or its vacation begins, since its player
    has not missed it.

    Where little time is left, the delay is drawn from that, and no instant tells of a plan.
    """
    policy, key = clock_state.policy_of(game), tokens.secret(uow.tx)
    ends = (DeadlineKind.VACATION, DeadlineKind.ANSWER)
    rows = uow.tx.all(Deadline, game_id=game.id, seat=seat, kind=ends, done_ms=0)
    before = min((row.due_ms for row in rows if row.due_ms > since_ms), default=None)
    if before is None:
        return season_pauses.passed(clocks, since_ms, delay_ms(key, policy, game))
    soon = delay_ms(key, policy, game, before - since_ms)
    return min(season_pauses.passed(clocks, since_ms, soon), before - 1)


def pausing_until(uow: UnitOfWork, game: Game) -> int:
    """From when on plans of this table may answer: now, or when its policy ends the pause that it is in."""
    if not clock_state.paused(clock_state.read_clocks(game)):
        return uow.now_ms
    row = uow.tx.one(Deadline, game_id=game.id, kind=DeadlineKind.PAUSE, done_ms=0)
    return uow.now_ms if row is None else row.due_ms


def disarm(uow: UnitOfWork, game_id: GameId | None, only: SeatNo | None = None) -> None:
    """No plan of this table, or of that seat, will answer what is asked now."""
    which = {"game_id": game_id, "done_ms": 0, "kind": DeadlineKind.PLAN}
    uow.tx.change(Deadline, which if only is None else {**which, "seat": only}, done_ms=uow.now_ms)


def delay_ms(key: bytes, policy: Policy, game: Game, left_ms: int | None = None) -> int:
    """How long a plan waits with its answer to the open question, less than `left_ms`; `key`: the secret of
    the installation.
    """
    longest = ms(policy.plan_delay_hours)
    longest = longest if left_ms is None else min(longest, left_ms)
    drawn = hmac.digest(key, f"plan {game.seed} {game.question}".encode(), hashlib.sha256)
    return longest * int.from_bytes(drawn[:4], "big") >> 32


def taken_back(uow: UnitOfWork, game: Game, seat: SeatNo, state: Any) -> None:
    """Its player took something back: for the rest of this turn the plan is silent."""
    row = uow.plans(game.id).get(seat)
    if row is not None:
        disarm(uow, game.id)
        view = rules.view(state, seat)
        remember(uow, row, taken_over(plan_of(row), view, memory_of(row, view)))


def takes_free(row: SeatPlan) -> bool:
    """Whether forgotten benefits are taken at this player's `end`: unless `free benefits off` was said."""
    return plan_of(row).free is not False


def stop_facts(stop: Stop) -> Notice:
    """Why the player is asked, as a fact of a letter."""
    return Notice(stop.code, dict(stop.facts))
