"""Misses of a day on which nearly everybody missed are taken back: it was we who were at fault.

Where nobody else has answered since, the table goes back to before the miss; else the answer stays that was
given, and only the count and the bank are as they were. Each in a transaction of its own, also while
deadlines are held.
"""

from __future__ import annotations

from referee.ids import DeadlineId
from referee.policy import DAY_MS, Do, Event, ms
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, Journal, Seat

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state
from ..people.letter_facts import PromptFacts
from ..play import clock_news, moves, rewind


def recall(uow: UnitOfWork) -> int:
    """Set the misses of this day to be taken back; how many."""
    found = uow.tx.all(
        Deadline, kind=DeadlineKind.MISSED, after={"done_ms": max(0, uow.now_ms - DAY_MS)}, order="id"
    )
    for row in found:
        uow.tx.set(Deadline, row.id, kind=DeadlineKind.AMENDED)
        uow.tx.add(
            Deadline,
            game_id=row.game_id,
            seat=row.seat,
            question=row.id,
            kind=DeadlineKind.AMENDS,
            due_ms=uow.now_ms,
        )
    uow.wakes.add("clock")
    return len(found)


def take_back(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """Take one miss back: what was done for the seat in the moment in which its deadline rang."""
    missed = uow.tx.get(Deadline, DeadlineId(row.question))
    at_ms = 0 if missed is None else missed.done_ms
    line = next(
        iter(uow.tx.all(Journal, game_id=game.id, seat=row.seat, at_ms=at_ms, order="no", limit=1)), None
    )
    seats = uow.seats(game.id)
    # nobody is left whose miss it was; the seat is to be had, and a stand-in plays, whatever they missed
    if game.status != GameStatus.RUNNING or line is None or seats[row.seat].person_id is None:
        return
    table, policy = clock_state.known(uow, game), clock_state.policy_of(game)
    mine = table.seat(row.seat)
    do = mine.step(policy, Event.UNDONE)
    had = next((bank for at, bank in mine.missed if at == line.at_ms), None)
    if had is not None:
        mine.bank = ms(policy.bank_hours) if had < 0 else max(had, mine.bank)
    uow.tx.change(Seat, {"game_id": game.id, "no": row.seat}, misses=mine.misses)
    fresh = clock_news.publish(
        uow,
        game,
        table,
        "miss_forgiven",
        {"seat": row.seat, "answer": _last(uow, line) or bool(line.undone)},
        (row.seat,),
    )
    if Do.WAIT in do:
        fresh = clock_news.publish(uow, fresh, table, "back", {"seat": row.seat}, (row.seat,))
    if not line.undone and _last(uow, line):
        before = [one for one in rewind.points(uow, fresh, seats) if one.no < line.no][-1]
        rewind.back(uow, fresh, seats, before, "", {})
    elif str(row.seat) not in fresh.asked.split(","):
        outbox.to_seat(uow, fresh, seats[row.seat], PromptFacts())


def _last(uow: UnitOfWork, line: Journal) -> bool:
    """Whether nobody has answered since; what was done in the same moment belongs to the miss."""
    later = uow.tx.all(Journal, game_id=line.game_id, undone=0, after={"no": line.no})
    return not any(one.by in moves.OWN and (one.seat, one.at_ms) != (line.seat, line.at_ms) for one in later)
