"""Deadlines as rows, made from the table's policy: the next reminder, the vacation that begins by itself, the
answer.

A row is claimed by setting `done_ms` where it is still 0, in the transaction that acts on it: a deadline
fires once, however many bells ring for it. One turn has one clock, however many questions it asks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from referee.policy import Event, Policy, agenda, ms, plan_ms, spend, step
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, Person, Seat, Tx

from ..core.unit_of_work import Sitting
from . import clock_state
from .clock_state import SeatTime, TableTime

#: a letter that takes no longer than this came at once
AT_ONCE_MS = 60_000
#: the kinds of rows that a question has while it waits
OF_QUESTIONS = frozenset({"remind", "vacation", "answer"})


def running(sitting: Sitting, game_id: int | None) -> list[Deadline]:
    """The clocks of a table's questions that run now; when plans answer, and what concerns the table as a
    whole, is another matter.
    """
    return [row for row in sitting.tx.all(Deadline, game_id=game_id, done_ms=0) if row.kind in OF_QUESTIONS]


def open_due(clocks: Sequence[Deadline], seat: int | None) -> int:
    """When the seat's open question falls due, 0 if none is open."""
    return next((row.due_ms for row in clocks if row.seat == seat and row.kind == DeadlineKind.ANSWER), 0)


def turned(
    sitting: Sitting,
    seats: Sequence[Seat],
    policy: Policy,
    table: TableTime,
    asked: Collection[int],
    turn: str,
    answered: Mapping[int, bool],
) -> list[tuple[str, dict[str, Any]]]:
    """After moves: stop the clocks of those whose turn is over, start those of whoever is asked now.

    `answered`: the seats that were answered for, and whether by themselves. Returns what the table is to be
    told (event, facts).
    """
    news: list[tuple[str, dict[str, Any]]] = []
    for no, seat in table.seats.items():
        if seat.asked and (no not in asked or seat.turn != turn):
            clock = clock_state.clock_of(policy, table, seat, _person(sitting, seats[no]))
            seat.bank = spend(policy, clock, sitting.now_ms, missed=not answered.get(no, True))
            seat.asked = seat.delivered = seat.extra = 0
            seat.hours = None
            if answered.get(no) and seat.unreachable:
                clock_state.heard(seat, sitting.now_ms)
        if answered.get(no) and seat.probation:
            news += returned(policy, no, seat)
    for no in asked:
        seat = table.seat(no)
        if not seat.asked:
            seat.asked, seat.turn = sitting.now_ms, turn
    return news


def returned(policy: Policy, no: int, seat: SeatTime) -> list[tuple[str, dict[str, Any]]]:
    """Somebody whom nobody waited for is there again."""
    was = seat.probation
    seat.stand(step(policy, seat.standing(), Event.BACK).next)
    return [("back", {"seat": no})] if was and not seat.probation else []


def ask(
    sitting: Sitting,
    game: Game,
    seats: Sequence[Seat],
    wanted: Mapping[int, int],
    clocks: Sequence[Deadline],
    *,
    anew: Collection[int] | None = None,
) -> None:
    """Set the rows of the questions that wait (`wanted`: seat -> question) and stop all others of this table.

    `clocks` are the rows that run; those of a turn that goes on stay as they are, with the question it began
    with, unless the seat is among `anew` (None: all are).
    """
    tx = sitting.tx
    table, policy = known(sitting, game), clock_state.policy_of(game)
    idle = [row for row in clocks if row.seat not in wanted]
    begun: list[dict[str, Any]] = []
    moved: dict[int | str, dict[str, Any]] = {}
    for no, question in wanted.items():
        mine = {row.kind: row for row in clocks if row.seat == no}
        seat = table.seat(no)
        if "answer" in mine and anew is not None and no not in anew:
            continue  # one turn, one clock
        for kind, at in rings(policy, table, seat, _person(sitting, seats[no]), sitting.now_ms):
            old = mine.pop(kind, None)
            if old is None:
                begun.append(
                    {"game_id": game.id, "seat": no, "question": question, "kind": kind, "due_ms": at}
                )
            elif (old.question, old.due_ms) != (question, at):
                moved[int(old.id or 0)] = {"question": question, "due_ms": at}
        idle += mine.values()
    if idle:
        tx.change(Deadline, {"id": tuple(int(row.id or 0) for row in idle)}, done_ms=sitting.now_ms)
    tx.add_all(Deadline, begun)
    tx.set_all(Deadline, moved)
    sitting.wakes.add("clock")


def rings(
    policy: Policy, table: TableTime, seat: SeatTime, person: Person | None, now_ms: int
) -> list[tuple[str, int]]:
    """What rings next for a seat that is asked: (kind, when).  For somebody on probation nobody waits."""
    clock = clock_state.clock_of(policy, table, seat, person)
    if seat.probation and not _standing_still(table):
        return [("answer", plan_ms(policy, clock, 1.0))]
    found = agenda(policy, clock)
    ahead = [(one.kind, one.at_ms) for one in found if one.kind != "remind"]
    return [
        *[("remind", one.at_ms) for one in found if one.kind == "remind" and one.at_ms > now_ms][:1],
        *ahead,
    ]


def known(sitting: Sitting, game: Game) -> TableTime:
    """What a table knows of its clocks; where it was asked before anybody kept that, what its deadlines
    tell.
    """
    table = clock_state.read(game)
    asked = [int(no) for no in game.asked.split(",") if no]
    if game.status == GameStatus.RUNNING and not all(table.seat(no).asked for no in asked):
        due = {row.seat: row.due_ms for row in running(sitting, game.id) if row.kind == DeadlineKind.ANSWER}
        for no in asked:
            if not table.seat(no).asked:
                table.seat(no).asked = due.get(no, sitting.now_ms) - (
                    ms(clock_state.policy_of(game).move_hours) if no in due else 0
                )
    return table


def again(sitting: Sitting, game: Game, anew: Collection[int] | None = None) -> None:
    """The clocks of a running table have changed: make their rows anew."""
    wanted = {int(no): game.question for no in game.asked.split(",") if no}
    ask(sitting, game, sitting.seats(int(game.id or 0)), wanted, running(sitting, game.id), anew=anew)


def given_back(sitting: Sitting, game: Game, since_ms: int) -> int:
    """Take the time since then off a running table's clocks; how many of its deadlines moved."""
    before = {row.id: row.due_ms for row in running(sitting, game.id)}
    table = known(sitting, game)
    clock_state.freeze(table, since_ms, sitting.now_ms)
    again(sitting, sitting.tx.renew(Game, game, clocks=clock_state.written(table)))
    return sum(before.get(row.id) not in (None, row.due_ms) for row in running(sitting, game.id))


def all_given_back(sitting: Sitting, since_ms: int) -> int:
    """The same for every running table, one after the other."""
    moved = 0
    for number in sitting.tx.column(Game, "id", status=GameStatus.RUNNING):
        game = sitting.tx.get(Game, number)
        moved += given_back(sitting, game, since_ms) if game is not None else 0
    return moved


def delivered(sitting: Sitting, game: Game, no: int, *, theirs: bool = False) -> None:
    """A question reached its player: where that took long, the clock of the turn starts only now.

    `theirs`: it waited for the player, not for us or the wire. Staying away must win nobody a second day at
    every turn: they are waited for as one whom nothing reaches, once a game and up to what its policy allows.
    """
    table = known(sitting, game)
    seat = table.seat(no)
    if not seat.asked or seat.delivered or sitting.now_ms - seat.asked <= AT_ONCE_MS:
        return
    if not theirs:
        seat.delivered = sitting.now_ms
        clock_state.heard(seat, sitting.now_ms)
    elif seat.unreachable or not clock_state.policy_of(game).unreachable_hours:
        return
    else:
        seat.unreachable = [(seat.asked, sitting.now_ms)]
    again(sitting, sitting.tx.renew(Game, game, clocks=clock_state.written(table)), (no,))


def claim(sitting: Sitting, row: Deadline) -> bool:
    """Take a due row for this transaction; False when somebody was quicker."""
    return sitting.tx.change(Deadline, {"id": row.id, "done_ms": 0}, done_ms=sitting.now_ms) == 1


def stop(sitting: Sitting, game_id: int) -> None:
    """Stop every clock of a table."""
    sitting.tx.change(Deadline, {"game_id": game_id, "done_ms": 0}, done_ms=sitting.now_ms)


def _person(sitting: Sitting, seat: Seat) -> Person | None:
    if seat.person_id is None:
        return None
    return sitting.people.get(seat.person_id) or sitting.tx.get(Person, seat.person_id)


def _standing_still(table: TableTime) -> bool:
    return any(end >= clock_state.OPEN for _, end in table.paused)


def pending(tx: Tx, game: Game, seat: int) -> bool:
    """Whether this seat's plan is about to answer."""
    return tx.one(Deadline, game_id=game.id, seat=seat, kind=DeadlineKind.PLAN, done_ms=0) is not None
