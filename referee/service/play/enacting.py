"""What was attempted is written down: journal, events, clocks, the position, letters; or taken back again."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from referee import rules
from referee.ids import EventNo, InboxId, SeatNo
from referee.plans import Stop
from referee.rules import Ask
from referee.states import DeadlineKind, GameStatus
from referee.store import Address, Game, Journal, Seat, SeatPlan, Tx, Undo

from ..core import outbox
from ..core.unit_of_work import TableEvent, UnitOfWork, encoded, tell_all, write_event
from ..deadlines import clock_state, rows
from ..deadlines.clock_state import Clocks, TableTime
from ..notices import reachability
from ..people.letter_facts import OverFacts, PromptFacts
from . import bot_turns, hooks, moves, seat_offers, seat_plans

log = logging.getLogger(__name__)


def enact(
    uow: UnitOfWork,
    game: Game,
    seats: list[Seat],
    done: moves.OrderAttempt,
    *,
    inbox_id: InboxId | None = None,
    actor: SeatNo | None = None,
    at: Address | None = None,
    news: Sequence[tuple[str, dict[str, Any]]] = (),
    stops: Mapping[SeatNo, Stop] | None = None,
    filed: dict[SeatNo, SeatPlan] | None = None,
    clocks: Clocks | None = None,
    in_time: bool = False,
) -> Game:
    """Write an attempt down and queue what is to be told, `news` (event, facts) last; the table as it is
    then. Called once a transaction and game. `stops`: why plans stopped in the midst of it. `filed`: the
    table's plans, and `clocks`: its clocks, where they are known. `in_time`: nobody's time was up, though the
    referee answers for them.
    """
    clocks = clock_state.of(uow, game) if clocks is None else clocks
    table, answers = clocks.table, {row.seat: row for row in clocks.rows if row.kind == DeadlineKind.ANSWER}
    events = _journal(uow, game, done, inbox_id, in_time)
    filed = uow.plans(game.id) if filed is None else filed
    if filed:
        seat_plans.followed(uow, filed, uow.states.of(game), done.steps)
    clocked = clock_state.turned(
        uow,
        seats,
        clocks,
        [ask.seat for ask in done.waiting],
        moves.turn_of(done.state),
        {one.seat: one.by in moves.OWN and one.seat != done.left for one in done.steps},
    )
    if done.left is not None:
        table.seat(done.left).stands = True
    back = [SeatNo(int(facts["seat"])) for name, facts in clocked if name == "back"]
    for no in back:
        uow.tx.set(Seat, seats[no].id, misses=table.seats[no].misses)
        if not table.seats[no].offered:
            seat_offers.withdraw_offers(uow, game, no)
    events += [
        (name, facts, None) for name, facts in (*clocked, *news, *stood(uow, clocks, done, game.round))
    ]
    tell_all(uow, game.id, EventNo(game.event_no + 1), events)
    due_ms = 0 if actor not in answers else answers[actor].due_ms
    _keep_for_undo(uow, game, done.steps, due_ms)
    fresh = _position(uow, game, done, table, EventNo(game.event_no + len(events)))
    # those who are back have more time than a moment now
    anew = [no for no, one in table.seats.items() if one.asked == uow.now_ms or no in back]
    clock_state.ask(uow, fresh, seats, {ask.seat: ask.number for ask in done.waiting}, clocks, anew=anew)
    armed = seat_plans.ArmedPlans()
    if filed:
        armed = seat_plans.arm(uow, fresh, done.state, done.waiting, filed)
        armed = armed._replace(stops={**armed.stops, **(stops or {})})
    armed = armed._replace(quiet=armed.quiet | {no for no, one in table.seats.items() if one.stands})
    for no in announce(uow, fresh, seats, done.waiting, actor=actor, at=at, armed=armed):
        fresh = reachability.waits(uow, fresh, no)
    return fresh


def _journal(
    uow: UnitOfWork, game: Game, done: moves.OrderAttempt, inbox_id: InboxId | None, in_time: bool
) -> list[TableEvent]:
    """A row for each move; the events that they led to."""
    late, events = False, list[TableEvent]()
    for number, one in enumerate(done.steps, game.move_no + 1):
        uow.tx.note(
            Journal,
            game_id=game.id,
            no=number,
            seat=one.seat,
            question=one.question,
            order=one.order,
            by=one.by,
            inbox_id=inbox_id,
            at_ms=uow.now_ms,
            cause=game.move_no if one.by == "plan" else None,
        )
        if one.by == "clock" and not late:
            late = True
            events.append(("stand_in", {"seat": one.seat, **({"in_time": True} if in_time else {})}, None))
        events += [(event.name, event.facts, event.to) for event in one.outcome.events]
    return events


def _keep_for_undo(uow: UnitOfWork, game: Game, steps: Sequence[moves.PlayedMove], due_ms: int) -> None:
    """Keep the positions before the orders that may be taken back: those since the last one that may not."""
    final = [n for n, one in enumerate(steps, 1) if one.final]
    if final:
        uow.tx.drop(Undo, game_id=game.id)
    for n in range(final[-1] if final else 0, len(steps)):
        before = encoded(steps[n - 1].outcome.state) if n else game.snapshot
        uow.tx.note(Undo, game_id=game.id, no=game.move_no + n + 1, snapshot=before, due_ms=due_ms)


def _position(
    uow: UnitOfWork, game: Game, done: moves.OrderAttempt, table: TableTime, event_no: EventNo
) -> Game:
    """Write down where the table stands now; where nothing is asked any more, the game is over."""
    tx, game_id, waiting = uow.tx, game.id, done.waiting
    changes: dict[str, Any] = {
        "snapshot": uow.states.encoded(game_id, done.state, waiting),
        "move_no": game.move_no + len(done.steps),
        "event_no": event_no,
        "round": begun(done, game.round),
        "question": waiting[0].number if waiting else 0,
        "asked": ",".join(str(ask.seat) for ask in waiting),
        "clocks": clock_state.encode_clocks(table),
    }
    if not waiting:
        changes |= {"status": "over", "ended_ms": uow.now_ms}
        tx.drop(Undo, game_id=game_id)
        for no in (no for no, one in table.seats.items() if one.offered):
            seat_offers.withdraw_offers(uow, game, no)
        rows.stop(uow, game_id)  # a pause, a vote: nothing rings any more
        hooks.game_over(uow, game)
    return tx.renew(Game, game, **changes)


def stood(
    uow: UnitOfWork, clocks: Clocks, done: moves.OrderAttempt, number: int
) -> list[tuple[str, dict[str, Any]]]:
    """For whom a stand-in played, told when the round is over."""
    table = clocks.table
    table.stood = sorted({*table.stood, *(one.seat for one in done.steps if one.by in bot_turns.STANDINS)})
    if not table.stood or (done.waiting and begun(done, number) == number):
        return []
    seats, table.stood = table.stood, []
    return [("stood_in", {"seats": seats, **bot_turns.announced(uow, clocks.policy)})]


def begun(done: moves.OrderAttempt, number: int) -> int:
    """The number of the round that has begun last."""
    for one in done.steps:
        for event in one.outcome.events:
            if event.name == "round_began":
                number = int(event.facts["round"])
    return number


def announce(
    uow: UnitOfWork,
    game: Game,
    seats: list[Seat],
    waiting: Sequence[Ask],
    *,
    actor: SeatNo | None,
    at: Address | None,
    armed: seat_plans.ArmedPlans,
) -> list[SeatNo]:
    """Who is told: the asked are asked, but for those whose plan will answer, the table message is renewed,
    at the end everybody hears it. Returns who should have been asked and has no address left.
    """
    unheard: list[SeatNo] = []
    if game.status == GameStatus.OVER:
        for seat in seats:
            outbox.to_seat(
                uow,
                game,
                seat,
                OverFacts(),
                at=at if seat.no == actor and at is not None and outbox.lasts(at) else None,
            )
        outbox.to_rooms(uow, game, OverFacts())
    else:
        for ask in waiting:
            stop = armed.stops.get(ask.seat)
            if ask.seat not in armed.quiet and (ask.seat != actor or stop is not None):
                heard = outbox.to_seat(
                    uow,
                    game,
                    seats[ask.seat],
                    PromptFacts(stopped=None if stop is None else seat_plans.stop_facts(stop)),
                    question=ask.number,
                    at=at if ask.seat == actor else None,
                )
                unheard += [] if heard else [ask.seat]
    outbox.to_rooms(uow, game)
    return unheard


def last_undoable(tx: Tx, game: Game, seat: SeatNo) -> tuple[Undo, Journal] | None:
    """The seat's last order with the position before it, as long as it may be taken back; None when it is too
    late: something was revealed, or somebody else was asked.
    """
    last = tx.all(Undo, game_id=game.id, order="-no", limit=1)
    if not last or game.status != GameStatus.RUNNING:
        return None
    move = tx.one(Journal, game_id=game.id, no=last[0].no)
    return None if move is None or move.seat != seat else (last[0], move)


def just_undone(tx: Tx, game: Game) -> bool:
    """Whether nothing was ordered since an order was taken back."""
    return any(one.undone for one in tx.all(Journal, game_id=game.id, order="-no", limit=1))


def undo(uow: UnitOfWork, game: Game, seat: SeatNo) -> str | None:
    """Take the seat's last order back.  Returns the order undone, or None when it is too late.

    What is asked again gets a number of its own: the letters for the question that went must never fit a
    later one.
    """
    tx = uow.tx
    found = last_undoable(tx, game, seat)
    if found is None:
        return None
    before, move = found
    try:
        state = rules.load(json.loads(before.snapshot))
    except rules.StateError:  # another version of the referee wrote it
        log.exception("the position before order %s of game %s can't be read", before.no, game.id)
        return None
    tx.set(Journal, move.id, undone=1)
    tx.drop(Undo, game_id=game.id, no=before.no)
    state = rules.asked_anew(state, game.question + 1)
    snapshot = uow.states.encoded(game.id, state)
    waiting = rules.asks(state)
    write_event(uow, game.id, EventNo(game.event_no + 1), "undone", {"seat": seat})
    seat_plans.taken_back(uow, game, seat, state)
    table = clock_state.read_clocks(game)
    for ask in waiting:  # the turn goes on where it was, with the time that was left
        table.seat(ask.seat).turn = moves.turn_of(state)
        table.seat(ask.seat).asked = table.seat(ask.seat).asked or uow.now_ms
    fresh = tx.renew(
        Game,
        game,
        snapshot=snapshot,
        event_no=game.event_no + 1,
        clocks=clock_state.encode_clocks(table),
        question=waiting[0].number,
        asked=",".join(str(a.seat) for a in waiting),
    )
    clock_state.again(uow, fresh, ())
    outbox.to_rooms(uow, fresh)
    return move.order
