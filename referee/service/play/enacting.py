"""What was attempted is written down: journal, events, clocks, the position, letters; or taken back again."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from referee import rules
from referee.plans import Stop
from referee.rules import Ask
from referee.states import GameStatus
from referee.store import Address, Game, GameEvent, Journal, Seat, SeatPlan, Undo

from ..core import outbox
from ..core.unit_of_work import Sitting, tell, told
from ..deadlines import clock_state, rows
from ..deadlines.clock_state import TableTime
from ..notices import reachability
from . import hooks, moves, seat_offers, seat_plans

log = logging.getLogger(__name__)


class Events:
    """What a table is told of in one transaction, under the numbers that come next.

    `number`: the last one given; `rows`: what is to be written.
    """

    def __init__(self, sitting: Sitting, game: Game) -> None:
        self._sitting, self._game_id, self.number = sitting, int(game.id or 0), game.event_no
        self.rows: list[dict[str, Any]] = []

    def add(self, name: str, facts: Mapping[str, Any], to: int | None = None) -> None:
        """One more; `to`: the only seat that hears of it."""
        self.number += 1
        self.rows.append(told(self._sitting, self._game_id, self.number, name, facts, to))


def enact(
    sitting: Sitting,
    game: Game,
    seats: list[Seat],
    done: moves.Attempt,
    *,
    inbox_id: int | None = None,
    actor: int | None = None,
    at: Address | None = None,
    news: Sequence[tuple[str, dict[str, Any]]] = (),
    stops: Mapping[int, Stop] | None = None,
    filed: dict[int, SeatPlan] | None = None,
) -> Game:
    """Write an attempt down and queue what is to be told, `news` (event, facts) last; the table as it is
    then. Called once a transaction and game. `stops`: why plans stopped in the midst of it. `filed`: the
    table's plans, where they are known.
    """
    clocks = rows.running(sitting, game.id)
    due_ms = rows.open_due(clocks, actor)
    events = Events(sitting, game)
    _journal(sitting, game, done, inbox_id, events)
    filed = seat_plans.of(sitting, game.id) if filed is None else filed
    if filed:
        seat_plans.followed(sitting, filed, sitting.states.of(game), done.steps)
    table = clock_state.read(game)
    clocked = rows.turned(
        sitting,
        seats,
        clock_state.policy_of(game),
        table,
        [ask.seat for ask in done.waiting],
        moves.turn_of(done.state),
        {one.seat: one.by in moves.OWN for one in done.steps},
    )
    back = [int(facts["seat"]) for name, facts in clocked if name == "back"]
    for no in back:
        sitting.tx.set(Seat, seats[no].id, misses=table.seat(no).misses)
        seat_offers.over(sitting, game, no)
    for name, facts in (*clocked, *news, *stood(table, done, game.round)):
        events.add(name, facts)
    sitting.tx.add_all(GameEvent, events.rows)
    _keep_for_undo(sitting, game, done.steps, due_ms)
    fresh = _position(sitting, game, done, table, events.number)
    # those who are back have more time than a moment now
    anew = [no for no, one in table.seats.items() if one.asked == sitting.now_ms or no in back]
    rows.ask(sitting, fresh, seats, {ask.seat: ask.number for ask in done.waiting}, clocks, anew=anew)
    armed = seat_plans.arm(sitting, fresh, done.state, done.waiting, filed)
    armed = armed._replace(stops={**armed.stops, **(stops or {})})
    for no in announce(sitting, fresh, seats, done.waiting, actor=actor, at=at, armed=armed):
        fresh = reachability.waits(sitting, fresh, no)
    return fresh


def _journal(sitting: Sitting, game: Game, done: moves.Attempt, inbox_id: int | None, events: Events) -> None:
    """A row for each move, and the events that it led to."""
    late = False
    for number, one in enumerate(done.steps, game.move_no + 1):
        sitting.tx.note(
            Journal,
            game_id=game.id,
            no=number,
            seat=one.seat,
            question=one.question,
            order=one.order,
            by=one.by,
            inbox_id=inbox_id,
            at_ms=sitting.now_ms,
            cause=game.move_no if one.by == "plan" else None,
        )
        if one.by == "clock" and not late:
            late = True
            events.add("stand_in", {"seat": one.seat})
        for event in one.outcome.events:
            events.add(event.name, event.facts, event.to)


def _keep_for_undo(sitting: Sitting, game: Game, steps: Sequence[moves.Step], due_ms: int) -> None:
    """Keep the positions before the orders that may be taken back: those since the last one that may not."""
    final = [n for n, one in enumerate(steps, 1) if not (one.outcome.undoable and one.by in moves.OWN)]
    if final:
        sitting.tx.drop(Undo, game_id=game.id)
    for n in range(final[-1] if final else 0, len(steps)):
        before = moves.encoded(steps[n - 1].outcome.state) if n else game.snapshot
        sitting.tx.note(Undo, game_id=game.id, no=game.move_no + n + 1, snapshot=before, due_ms=due_ms)


def _position(sitting: Sitting, game: Game, done: moves.Attempt, table: TableTime, event_no: int) -> Game:
    """Write down where the table stands now; where nothing is asked any more, the game is over."""
    tx, game_id, waiting = sitting.tx, int(game.id or 0), done.waiting
    snapshot = moves.encoded(done.state)
    sitting.states.keep(game_id, snapshot, done.state, waiting)
    changes: dict[str, Any] = {
        "snapshot": snapshot,
        "move_no": game.move_no + len(done.steps),
        "event_no": event_no,
        "round": begun(done, game.round),
        "question": waiting[0].number if waiting else 0,
        "asked": ",".join(str(ask.seat) for ask in waiting),
        "clocks": clock_state.written(table),
    }
    if not waiting:
        changes |= {"status": "over", "ended_ms": sitting.now_ms}
        tx.drop(Undo, game_id=game_id)
        for no in (no for no, one in table.seats.items() if one.offered):
            seat_offers.over(sitting, game, no)
        rows.stop(sitting, game_id)  # a pause, a vote: nothing rings any more
        hooks.game_over(sitting, game)
    return tx.renew(Game, game, **changes)


def stood(table: TableTime, done: moves.Attempt, number: int) -> list[tuple[str, dict[str, Any]]]:
    """For whom a stand-in played, told when the round is over."""
    table.stood = sorted({*table.stood, *(one.seat for one in done.steps if one.by in moves.STANDINS)})
    if not table.stood or (done.waiting and begun(done, number) == number):
        return []
    seats, table.stood = table.stood, []
    return [("stood_in", {"seats": seats})]


def begun(done: moves.Attempt, number: int) -> int:
    """The number of the round that has begun last."""
    for one in done.steps:
        for event in one.outcome.events:
            if event.name == "round_began":
                number = int(event.facts["round"])
    return number


def announce(
    sitting: Sitting,
    game: Game,
    seats: list[Seat],
    waiting: Sequence[Ask],
    *,
    actor: int | None,
    at: Address | None,
    armed: seat_plans.Armed,
) -> list[int]:
    """Who is told: the asked are asked, but for those whose plan will answer, the table message is renewed,
    at the end everybody hears it. Returns who should have been asked and has no address left.
    """
    unheard: list[int] = []
    if game.status == GameStatus.OVER:
        for seat in seats:
            outbox.to_seat(
                sitting,
                game,
                seat,
                "over",
                at=at if seat.no == actor and at is not None and outbox.lasts(at) else None,
            )
        outbox.to_rooms(sitting, game, "over")
    else:
        for ask in waiting:
            stop = armed.stops.get(ask.seat)
            if ask.seat not in armed.quiet and (ask.seat != actor or stop is not None):
                heard = outbox.to_seat(
                    sitting,
                    game,
                    seats[ask.seat],
                    "prompt",
                    question=ask.number,
                    at=at if ask.seat == actor else None,
                    data=seat_plans.told(stop),
                )
                unheard += [] if heard else [ask.seat]
    outbox.to_rooms(sitting, game)
    return unheard


def undo(sitting: Sitting, game: Game, seat: int) -> str | None:
    """Take the seat's last order back.  Returns the order undone, or None when it is too late:
    something was revealed, or somebody else was asked.

    What is asked again gets a number of its own: the letters for the question that went must never fit a
    later one.
    """
    assert game.id is not None
    tx = sitting.tx
    last = tx.all(Undo, game_id=game.id, order="-no", limit=1)
    if not last or game.status != GameStatus.RUNNING:
        return None
    move = tx.one(Journal, game_id=game.id, no=last[0].no)
    if move is None or move.seat != seat:
        return None
    try:
        state = rules.load(json.loads(last[0].snapshot))
    except rules.StateError:  # another version of the referee wrote it
        log.exception("the position before order %s of game %s can't be read", last[0].no, game.id)
        return None
    tx.set(Journal, move.id, undone=1)
    tx.drop(Undo, game_id=game.id, no=last[0].no)
    state = rules.asked_anew(state, game.question + 1)
    snapshot = moves.encoded(state)
    sitting.states.keep(game.id, snapshot, state)
    waiting = rules.asks(state)
    tell(sitting, game.id, game.event_no + 1, "undone", {"seat": seat})
    seat_plans.taken_back(sitting, game, seat, state)
    table = clock_state.read(game)
    for ask in waiting:  # the turn goes on where it was, with the time that was left
        table.seat(ask.seat).turn = moves.turn_of(state)
        table.seat(ask.seat).asked = table.seat(ask.seat).asked or sitting.now_ms
    fresh = tx.renew(
        Game,
        game,
        snapshot=snapshot,
        event_no=game.event_no + 1,
        clocks=clock_state.written(table),
        question=waiting[0].number,
        asked=",".join(str(a.seat) for a in waiting),
    )
    rows.again(sitting, fresh, ())
    outbox.to_rooms(sitting, fresh)
    return move.order
