"""Misses of a day on which nearly everybody missed are taken back: it was we who were at fault.

Where nobody else has answered since, the table goes back to before the miss; else the answer stays that was
given, and only the count and the bank are as they were. Each in a transaction of its own, also while
deadlines are held.
"""

from __future__ import annotations

from referee.policy import DAY_MS, Do, Event, ms, step
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, Journal, Seat

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state, rows
from ..play import clock_news, moves, rewind


def recall(sitting: Sitting) -> int:
    """Set the misses of this day to be taken back; how many."""
    found = sitting.tx.all(
        Deadline, kind=DeadlineKind.MISSED, after={"done_ms": max(0, sitting.now_ms - DAY_MS)}, order="id"
    )
    for row in found:
        sitting.tx.set(Deadline, row.id, kind=DeadlineKind.AMENDED)
        sitting.tx.add(
            Deadline,
            game_id=row.game_id,
            seat=row.seat,
            question=int(row.id or 0),
            kind=DeadlineKind.AMENDS,
            due_ms=sitting.now_ms,
        )
    sitting.wakes.add("clock")
    return len(found)


def take_back(sitting: Sitting, game: Game, row: Deadline) -> None:
    """Take one miss back: what was done for the seat in the moment in which its deadline rang."""
    missed = sitting.tx.get(Deadline, row.question)
    at_ms = 0 if missed is None else missed.done_ms
    line = next(
        iter(sitting.tx.all(Journal, game_id=game.id, seat=row.seat, at_ms=at_ms, order="no", limit=1)), None
    )
    if game.status != GameStatus.RUNNING or line is None:
        return
    table, policy = rows.known(sitting, game), clock_state.policy_of(game)
    mine = table.seat(row.seat)
    now, do = step(policy, mine.standing(), Event.UNDONE)
    mine.stand(now)
    had = next((bank for at, bank in mine.missed if at == line.at_ms), None)
    if had is not None:
        mine.bank = ms(policy.bank_hours) if had < 0 else max(had, mine.bank)
    sitting.tx.change(Seat, {"game_id": game.id, "no": row.seat}, misses=now.misses)
    fresh = clock_news.publish(
        sitting,
        game,
        table,
        "miss_forgiven",
        {"seat": row.seat, "answer": _last(sitting, line) or bool(line.undone)},
        (row.seat,),
    )
    if Do.WAIT in do:
        fresh = clock_news.publish(sitting, fresh, table, "back", {"seat": row.seat}, (row.seat,))
    seats = sitting.seats(int(game.id or 0))
    if not line.undone and _last(sitting, line):
        before = [one for one in rewind.points(sitting, fresh, seats) if one.no < line.no][-1]
        rewind.back(sitting, fresh, seats, before, "", {})
    elif str(row.seat) not in fresh.asked.split(","):
        outbox.to_seat(sitting, fresh, seats[row.seat], "prompt")


def _last(sitting: Sitting, line: Journal) -> bool:
    """Whether nobody has answered since; what was done in the same moment belongs to the miss."""
    later = sitting.tx.all(Journal, game_id=line.game_id, undone=0, after={"no": line.no})
    return not any(one.by in moves.OWN and (one.seat, one.at_ms) != (line.seat, line.at_ms) for one in later)
