"""The clocks of a table: since when each seat is asked, what is left of its bank, how often it missed; and
the rows that ring for its questions, made from that and from the table's policy.

What a table knows is one JSON column of the game's row, so that it changes with the moves in the same
statement and is gone with them if they are undone. The arithmetic is in `referee.policy`; here rows become
its clocks and back. One turn has one clock, however many questions it asks.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from referee.ids import DeadlineId, GameId, QuestionNo, SeatNo
from referee.policy import (
    Clock,
    Event,
    Policy,
    Quiet,
    Span,
    agenda,
    from_json,
    interrupted,
    ms,
    plan_ms,
    skipping,
    spend,
)
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, Person, Seat

from ..core.unit_of_work import UnitOfWork
from . import bot_questions
from .table_time import OPEN, SeatTime, TableTime, encode_clocks, paused, read_clocks

__all__ = [
    "OF_QUESTIONS",
    "OPEN",
    "Clocks",
    "SeatTime",
    "TableTime",
    "WhenAway",
    "again",
    "ask",
    "clock_of",
    "dated",
    "encode_clocks",
    "keep",
    "known",
    "note_reachable",
    "of",
    "paused",
    "policy_of",
    "quiet_hours",
    "read_clocks",
    "rings",
    "running",
    "turned",
    "when_away",
]

#: the kinds of rows that a question has while it waits
OF_QUESTIONS = frozenset({"remind", "vacation", "answer", *bot_questions.KINDS})
#: what a table made before there were policies never reaches
_NEVER = 1_000_000


def policy_of(game: Game) -> Policy:
    """By which policy a table is played."""
    return _policy(game.settings)


@lru_cache(maxsize=2048)
def _policy(settings: str) -> Policy:
    table = msgspec.json.decode(settings)
    if "policy" in table:
        return from_json(table["policy"])
    hours = float(table["hours"])  # made before there were policies: it keeps its hours
    share = float(table.get("reminder_hours", 0)) / hours
    return Policy(
        move_hours=hours,
        grace_hours=hours,
        bank_hours=0,
        bank_credit_hours=0,
        quiet=None,
        quiet_most_hours=0,
        remind_at=(share,) if 0 < share < 1 else (),
        vacation_days=0,
        vacation_reserve_hours=0,
        misses_excused=0,
        probation_after=_NEVER,
        replace_after=_NEVER,
        first_round_miss=False,
        unreachable_hours=0,
        plan_delay_hours=0,
    )


def clock_of(policy: Policy, table: TableTime, seat: SeatTime, person: Person | None) -> Clock:
    """The clock of a seat that is asked."""
    quiet = policy.quiet
    zone = "UTC"
    if person is not None:
        zone, own = seat.hours or (person.zone, person.quiet)
        quiet = quiet_hours(own, quiet)
    return Clock(
        seat.delivered or seat.asked,
        ms(policy.bank_hours) if seat.bank < 0 else seat.bank,
        zone,
        quiet,
        _spans(seat.vacations),
        _spans(seat.unreachable),
        _spans(table.paused),
        _spans([*table.frozen, *table.off]),
        _spans(table.held),
        extra_ms=seat.extra,
    )


def quiet_hours(own: str, usual: Quiet | None) -> Quiet | None:
    """A person's own quiet hours, as they are kept (`Person.quiet`), else the usual ones."""
    if not own:
        return usual
    said = msgspec.json.decode(own)
    return None if said is None else Quiet(*said)


def keep(seat: SeatTime, clock: Clock) -> None:
    """Write a clock's vacations back into its seat; none is used up in a pause of the season."""
    seat.vacations = [(one.start, one.end) for one in interrupted(clock.vacations, clock.held)]


def note_reachable(seat: SeatTime, now_ms: int) -> bool:
    """The player of a seat is in reach: it is not waited for as one whom nothing reaches.

    Whether that changes anything.
    """
    before = seat.unreachable
    seat.unreachable = [(start, min(end, now_ms)) for start, end in before]
    return seat.unreachable != before


def _spans(pairs: list[tuple[int, int]]) -> tuple[Span, ...]:
    return tuple(Span(*pair) for pair in pairs)


class Clocks(NamedTuple):
    """The clocks of a table, read once a transaction: its policy, what it knows, the rows of its questions
    that run.
    """

    policy: Policy
    table: TableTime
    rows: list[Deadline]


def of(uow: UnitOfWork, game: Game) -> Clocks:
    """As they stand now."""
    return Clocks(policy_of(game), read_clocks(game), running(uow, game.id))


def dated(uow: UnitOfWork, game: Game) -> Clocks:
    """The same; where a seat was asked before anybody kept since when, it is what its deadlines tell."""
    found = of(uow, game)
    policy, table, rows = found
    asked = [SeatNo(int(no)) for no in game.asked.split(",") if no]
    if game.status == GameStatus.RUNNING and not all(table.seat(no).asked for no in asked):
        due = {row.seat: row.due_ms for row in rows if row.kind == DeadlineKind.ANSWER}
        for no in asked:
            if not table.seat(no).asked:
                table.seat(no).asked = due[no] - ms(policy.move_hours) if no in due else uow.now_ms
    return found


class WhenAway(StrEnum):
    """What becomes of a table whose player stays away."""

    GOES_ON = "goes on"  # others wait: the clock runs
    STAYS = "stays"  # nobody waits, there is no clock
    ENDS = "ends"  # a first game that was left: nobody plays on there


def when_away(game: Game, seats: Sequence[Seat]) -> WhenAway:
    """Nobody waits where one person plays among bots; but a league does, for its round."""
    return _when_alone(game.settings) if sum(not one.bot for one in seats) < 2 else WhenAway.GOES_ON


@lru_cache(maxsize=2048)
def _when_alone(settings: str) -> WhenAway:
    table = msgspec.json.decode(settings)
    if table.get("season"):
        return WhenAway.GOES_ON
    return WhenAway.ENDS if table.get("learn") else WhenAway.STAYS


def known(uow: UnitOfWork, game: Game) -> TableTime:
    """What a table knows of its clocks, `dated`."""
    return dated(uow, game).table


def running(uow: UnitOfWork, game_id: GameId) -> list[Deadline]:
    """The clocks of a table's questions that run now; when plans answer, and what concerns the table as a
    whole, is another matter.
    """
    return [row for row in uow.tx.all(Deadline, game_id=game_id, done_ms=0) if row.kind in OF_QUESTIONS]


def turned(
    uow: UnitOfWork,
    seats: Sequence[Seat],
    clocks: Clocks,
    asked: Collection[SeatNo],
    turn: str,
    answered: Mapping[SeatNo, bool],
) -> list[tuple[str, dict[str, Any]]]:
    """After moves: stop the clocks of those whose turn is over, start those of the person who is asked now.

    `answered`: the seats that were answered for, and whether by themselves. Returns what the table is to be
    told (event, facts).
    """
    policy, table, _ = clocks
    news: list[tuple[str, dict[str, Any]]] = []
    for no, seat in table.seats.items():
        if seat.asked and (no not in asked or seat.turn != turn):
            clock = clock_of(policy, table, seat, _person(uow, seats[no]))
            seat.bank = spend(policy, clock, uow.now_ms, missed=not answered.get(no, True))
            seat.asked = seat.delivered = seat.extra = 0
            seat.hours, seat.stands = None, False
            if answered.get(no) and seat.unreachable:
                note_reachable(seat, uow.now_ms)
        if answered.get(no) and seat.probation:
            news += returned(policy, no, seat, uow.now_ms)
    for no in asked:
        seat = table.seat(no)
        if not seat.asked:
            seat.asked, seat.turn = uow.now_ms, turn
    return news


def returned(policy: Policy, no: SeatNo, seat: SeatTime, now_ms: int) -> list[tuple[str, dict[str, Any]]]:
    """Somebody whom nobody waited for is there again, in the midst of what a bot played for them with all of
    their time.
    """
    was = seat.probation
    if seat.stands:
        seat.asked, seat.delivered = now_ms, 0
    seat.step(policy, Event.BACK)
    return [("back", {"seat": no})] if was and not seat.probation else []


def ask(
    uow: UnitOfWork,
    game: Game,
    seats: Sequence[Seat],
    wanted: Mapping[SeatNo, QuestionNo],
    clocks: Clocks,
    *,
    anew: Collection[SeatNo] | None = None,
) -> None:
    """Set the rows of the questions that wait (`wanted`: seat -> question) and stop all others of this table.

    The rows of a turn that goes on stay as they are, with the question it began with, unless the seat is
    among `anew` (None: all are). Where nobody waits there are none.
    """
    tx, policy, table = uow.tx, clocks.policy, clocks.table
    running_now = [row for row in clocks.rows if row.kind not in bot_questions.KINDS]
    wanted = bot_questions.set_rows(uow, game, seats, wanted, clocks.rows, policy, table)
    wanted = {} if when_away(game, seats) is WhenAway.STAYS else wanted
    idle = [row for row in running_now if row.seat not in wanted]
    begun: list[dict[str, Any]] = []
    moved: dict[DeadlineId, dict[str, Any]] = {}
    for no, question in wanted.items():
        mine = {row.kind: row for row in running_now if row.seat == no}
        seat = table.seat(no)
        if "answer" in mine and anew is not None and no not in anew:
            continue  # one turn, one clock
        for kind, at in rings(policy, table, seat, _person(uow, seats[no]), uow.now_ms):
            old = mine.pop(kind, None)
            if old is None:
                begun.append(
                    {"game_id": game.id, "seat": no, "question": question, "kind": kind, "due_ms": at}
                )
            elif (old.question, old.due_ms) != (question, at):
                moved[old.id] = {"question": question, "due_ms": at}
        idle += mine.values()
    if idle:
        tx.change(Deadline, {"id": tuple(row.id for row in idle)}, done_ms=uow.now_ms)
    tx.add_all(Deadline, begun)
    tx.set_all(Deadline, moved)
    uow.wakes.add("clock")


def rings(
    policy: Policy, table: TableTime, seat: SeatTime, person: Person | None, now_ms: int
) -> list[tuple[str, int]]:
    """What rings next for a seat that is asked: (kind, when).  For somebody on probation nobody waits."""
    if seat.stands:  # a bot was playing when the pause began; it goes on when that is over
        return [] if paused(table) else [("answer", max(now_ms, table.held_until(now_ms)))]
    clock = clock_of(policy, table, seat, person)
    if seat.probation and not paused(table):
        soon = plan_ms(policy, clock, 1.0) - clock.delivered_ms
        return [("answer", skipping(clock.held, clock.delivered_ms, soon))]
    found = agenda(policy, clock)
    ahead = [(one.kind, one.at_ms) for one in found if one.kind != "remind"]
    return [
        *[("remind", one.at_ms) for one in found if one.kind == "remind" and one.at_ms > now_ms][:1],
        *ahead,
    ]


def again(uow: UnitOfWork, game: Game, anew: Collection[SeatNo] | None = None) -> None:
    """The clocks of a running table have changed: make their rows anew."""
    wanted = {SeatNo(int(no)): game.question for no in game.asked.split(",") if no}
    ask(uow, game, uow.seats(game.id), wanted, dated(uow, game), anew=anew)


def _person(uow: UnitOfWork, seat: Seat) -> Person | None:
    if seat.person_id is None:
        return None
    return uow.people.get(seat.person_id) or uow.tx.get(Person, seat.person_id)
