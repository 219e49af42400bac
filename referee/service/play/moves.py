"""Orders become moves: tried on a copy first, written down together, told to whom they concern.

`attempt` reads and plays a message's orders one after the other without writing
anything; an order that can't be read empties the whole attempt, one that the rules refuse ends it
there.  `enact` writes what was attempted: journal, events, snapshot, deadline, letters.
"""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from referee import rules
from referee.bots import BOTS, caretaker
from referee.plans import FREE, Stop
from referee.rules import Ask, Move, Outcome, Refusal
from referee.rules.notation import order_text
from referee.store import Address, Game, GameEvent, Journal, Seat, SeatPlan, Undo
from referee.text import Cards, Reading, Trouble, read_order

from ..core import outbox
from ..core.breakage import playing
from ..core.unit_of_work import Sitting, names, tell, told
from ..deadlines import clock_state, rows
from ..deadlines.clock_state import TableTime
from ..notices import reachability
from . import hooks, seat_offers, seat_plans

log = logging.getLogger(__name__)
#: a bot answers at most so many questions behind one order; more means that something is wrong
_BOT_PATIENCE = 2_000


class Step(NamedTuple):
    """One move played: by whom, in what words, answering which question, and what came of it."""

    seat: int
    order: str
    by: str
    question: int
    outcome: Outcome


@dataclass(slots=True)
class Attempt:
    """What a message's orders lead to.

    `trouble` says what stopped it, `not_done` what was left; `waiting` are the questions open in `state`.
    """

    state: Any
    steps: list[Step] = field(default_factory=list)
    trouble: dict[str, Any] | None = None
    waiting: tuple[Ask, ...] = ()  # where they are known already

    def __post_init__(self) -> None:
        self.waiting = self.waiting or rules.asks(self.state)

    def asked(self, seat: int) -> Ask | None:
        """The question that waits for this seat, if any."""
        return next((ask for ask in self.waiting if ask.seat == seat), None)

    def play(self, seats: list[Seat], seat: int, move: Move, by: str) -> None:
        """Play one move.  Raises Refusal, nothing changed."""
        ask = self.asked(seat)
        with playing(seats[seat].game_id):
            outcome = rules.play(self.state, seat, move)
            self.steps.append(
                Step(seat, order_text(move, names(seats)), by, 0 if ask is None else ask.number, outcome)
            )
        self.state, self.waiting = outcome.state, outcome.asks


def reading(
    state: Any,
    ask: Ask | None,
    called: Sequence[str],
    language: str,
    *,
    numbers: bool = True,
    own: tuple[Any, ...] = (),
) -> Reading:
    """What the reader of orders needs to know about this table, for the seat that is asked this (None: it is
    not asked).
    """
    plain = (
        None
        if ask is None
        else {"kind": ask.kind, "number": ask.number, "moves": ask.moves, "families": ask.families}
    )
    book = rules.rulebook(state)
    return Reading(
        language=language,
        names=called,
        ask=plain,
        cards=Cards(tuple(book.characters), tuple(book.districts)),
        numbers=numbers,
        own=own,
    )


def attempt(
    state: Any,
    seats: list[Seat],
    seat: int,
    chunks: Sequence[str],
    language: str,
    own: tuple[Any, ...] = (),
    waiting: tuple[Ask, ...] = (),
    free: bool = True,
    metered: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> Attempt:
    """Play a message's orders on a copy.

    Unreadable: no steps at all. Refused: the steps before it. `waiting`: the questions of `state`, where they
    are known. `free`: whether `end` (but not `end!`) takes forgotten benefits first; `metered`: within it an
    order is read, and may raise TooCostly.
    """
    done = Attempt(state, waiting=waiting)
    called = names(seats)
    for place, chunk in enumerate(chunks):
        rest = list(chunks[place + 1 :])
        try:
            ask = done.asked(seat)
            if ask is None:
                others = [seats[other.seat].name for other in done.waiting]
                raise Refusal("not-asked" if others else "over", waiting=others)
            got: Move | Trouble | None = spelled_out(chunk, ask, called)
            if got is None:
                with metered():
                    got = read_order(
                        chunk, reading(done.state, ask, called, language, numbers=place == 0, own=own)
                    )
            if isinstance(got, Trouble):
                return Attempt(
                    state,
                    trouble={
                        "code": got.code,
                        "facts": dict(got.facts),
                        "quote": chunk,
                        "suggestions": list(got.suggestions or got.candidates),
                        "not_done": list(chunks),
                    },
                )
            if free and got.verb == "end" and got in ask.moves and not chunk.rstrip().endswith("!"):
                collect(done, seats, seat)
            done.play(seats, seat, got, "person")
        except Refusal as no:
            done.trouble = {
                "code": no.code,
                "facts": no.facts,
                "quote": chunk,
                "suggestions": [],
                "not_done": rest,
            }
            return done
        let_bots(done, seats)
    return done


def unread(chunk: str, language: str, own: tuple[Any, ...] = ()) -> bool:
    """Whether words are like no order at all, whatever is asked."""
    got = read_order(chunk, Reading(language=language, own=own))
    return isinstance(got, Trouble) and got.code == "unreadable"


def spelled_out(chunk: str, ask: Ask, called: Sequence[str]) -> Move | None:
    """The one legal move whose canonical text this is to the letter, as buttons say it; None where it needs
    reading.
    """
    found = [move for move in ask.moves if chunk.startswith(move.verb) and order_text(move, called) == chunk]
    return found[0] if len(found) == 1 else None


def collect(done: Attempt, seats: list[Seat], seat: int) -> None:
    """Take what is free, sure and without a choice, while it is on offer: income, bonus, favor, collect,
    draw.
    """
    for verb in FREE:
        ask = done.asked(seat)
        if ask is not None and Move(verb) in ask.moves:
            done.play(seats, seat, Move(verb), "person")


def let_bots(done: Attempt, seats: list[Seat]) -> None:
    """Bots that are asked answer at once.  Their dice depend on the question only, so that the
    same game goes the same way after a restart."""
    for _ in range(_BOT_PATIENCE):
        ask = next((a for a in done.waiting if seats[a.seat].bot), None)
        if ask is None:
            return
        with playing(seats[ask.seat].game_id):
            bot = BOTS[seats[ask.seat].bot]
            dice = random.Random(f"{seats[ask.seat].game_id}:{ask.number}:{ask.seat}")
            chosen = bot.choose(rules.view(done.state, ask.seat), dice)
        done.play(seats, ask.seat, chosen, "bot")
    with playing(seats[0].game_id):
        raise RuntimeError("the bots never stop")


def let_the_clock(state: Any, seats: list[Seat], seat: int, by: str = "clock") -> Attempt:
    """The dullest legal answers for a seat that let its time pass, to the end of its turn; or a stand-in's
    (`STANDINS`).
    """
    done = Attempt(state)
    before = where(state)
    while done.asked(seat) is not None and where(done.state) == before:
        chosen = STANDINS[by](rules.view(done.state, seat), done.asked(seat)) if by in STANDINS else None
        done.play(seats, seat, chosen or rules.dull(done.state, seat), by)
        let_bots(done, seats)
        if not any(s.seat == seat for s in done.steps[-1:]):
            break
    return done


def _bot(view: Mapping[str, Any], ask: Ask | None) -> Move:
    """What a full bot answers, with dice that depend on the question only."""
    return BOTS["greedy"].choose(view, random.Random(f"{ask.number if ask else 0}:{view['you']}"))


#: who may play for a seat that nobody waits for, by what the journal calls them
STANDINS: Mapping[str, Callable[[Mapping[str, Any], Ask | None], Move | None]] = {
    "caretaker": lambda view, ask: caretaker.choose(view),
    "standin": _bot,
}


#: whose answers are the player's own, as the journal calls them: nothing may tell one from the other
OWN = ("person", "plan")


def where(state: Any) -> tuple[int, str, int | None]:
    """The turn a public eye sees: an absent player's clock answers for this much at once."""
    found: tuple[int, str, int | None] = rules.whereabouts(state)
    return found


def turn_of(state: Any) -> str:
    """The name of the turn, as the clocks keep it."""
    return " ".join(map(str, where(state)))


def encoded(state: Any) -> bytes:
    """A state as the bytes of a snapshot."""
    return msgspec.json.encode(rules.dump(state, shared=True))


def enact(
    sitting: Sitting,
    game: Game,
    seats: list[Seat],
    done: Attempt,
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
    assert game.id is not None
    tx = sitting.tx
    number, event_no = game.move_no, game.event_no
    clocks = rows.running(sitting, game.id)
    due = rows.open_due(clocks, actor)
    before, prior = game.snapshot, None
    takeable: list[tuple[int, bytes]] = []
    final = late = False
    happened: list[dict[str, Any]] = []
    for one in done.steps:
        number += 1
        tx.note(
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
            event_no += 1
            happened.append(told(sitting, game.id, event_no, "stand_in", {"seat": one.seat}))
        for event in one.outcome.events:
            event_no += 1
            happened.append(told(sitting, game.id, event_no, event.name, event.facts, event.to))
        if one.outcome.undoable and one.by in OWN:
            takeable.append((number, before or encoded(prior)))
        else:
            takeable, final = [], True
        before, prior = b"", one.outcome.state
    filed = seat_plans.of(sitting, game.id) if filed is None else filed
    if filed:
        seat_plans.followed(sitting, filed, sitting.states.of(game), done.steps)
    table = clock_state.read(game)
    clocked = rows.turned(
        sitting,
        seats,
        clock_state.policy_of(game),
        table,
        [a.seat for a in done.waiting],
        turn_of(done.state),
        {one.seat: one.by in OWN for one in done.steps},
    )
    again = {
        int(facts["seat"]) for name, facts in clocked if name == "back"
    }  # they have more time than a moment now
    for name, facts in clocked:
        if name == "back":
            tx.set(Seat, seats[facts["seat"]].id, misses=table.seat(facts["seat"]).misses)
            seat_offers.over(sitting, game, facts["seat"])
    for name, facts in (*clocked, *news, *stood(table, done, game.round)):
        event_no += 1
        happened.append(told(sitting, game.id, event_no, name, facts))
    tx.add_all(GameEvent, happened)
    if final:
        tx.drop(Undo, game_id=game.id)
    for no, snapshot in takeable:
        tx.note(Undo, game_id=game.id, no=no, snapshot=snapshot, due_ms=due)
    state = done.state
    waiting = done.waiting
    snapshot = encoded(state)
    sitting.states.keep(game.id, snapshot, state, waiting)
    changes: dict[str, Any] = {
        "snapshot": snapshot,
        "move_no": number,
        "event_no": event_no,
        "round": begun(done, game.round),
        "question": waiting[0].number if waiting else 0,
        "asked": ",".join(str(a.seat) for a in waiting),
        "clocks": clock_state.written(table),
    }
    if not waiting:
        changes |= {"status": "over", "ended_ms": sitting.now_ms}
        tx.drop(Undo, game_id=game.id)
        for no in (no for no, one in table.seats.items() if one.offered):
            seat_offers.over(sitting, game, no)
        rows.stop(sitting, game.id)  # a pause, a vote: nothing rings any more
        hooks.game_over(sitting, game)
    fresh = tx.renew(Game, game, **changes)
    rows.ask(
        sitting,
        fresh,
        seats,
        {a.seat: a.number for a in waiting},
        clocks,
        anew=[no for no, one in table.seats.items() if one.asked == sitting.now_ms or no in again],
    )
    armed = seat_plans.arm(sitting, fresh, state, waiting, filed)
    for no in announce(
        sitting,
        fresh,
        seats,
        waiting,
        actor=actor,
        at=at,
        armed=armed._replace(stops={**armed.stops, **(stops or {})}),
    ):
        fresh = reachability.waits(sitting, fresh, no)
    return fresh


def stood(table: TableTime, done: Attempt, number: int) -> list[tuple[str, dict[str, Any]]]:
    """For whom a stand-in played, told when the round is over."""
    table.stood = sorted({*table.stood, *(one.seat for one in done.steps if one.by in STANDINS)})
    if not table.stood or (done.waiting and begun(done, number) == number):
        return []
    seats, table.stood = table.stood, []
    return [("stood_in", {"seats": seats})]


def begun(done: Attempt, number: int) -> int:
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
    if game.status == "over":
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
    if not last or game.status != "running":
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
    snapshot = encoded(state)
    sitting.states.keep(game.id, snapshot, state)
    waiting = rules.asks(state)
    tell(sitting, game.id, game.event_no + 1, "undone", {"seat": seat})
    seat_plans.taken_back(sitting, game, seat, state)
    table = clock_state.read(game)
    for ask in waiting:  # the turn goes on where it was, with the time that was left
        table.seat(ask.seat).turn = turn_of(state)
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
