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

from referee.ids import DeadlineId, GameId, PersonId, QuestionNo, SeatNo
from referee.policy import (
    OPEN,
    Clock,
    Do,
    Event,
    Policy,
    Quiet,
    Span,
    Standing,
    agenda,
    from_json,
    interrupted,
    ms,
    plan_ms,
    shift,
    skipping,
    spend,
    step,
)
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, Person, Seat

from ..core.unit_of_work import UnitOfWork
from . import bot_questions, hold
from .old_policies import old_policy

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


class SeatTime(msgspec.Struct, omit_defaults=True):
    """One seat.

    `asked`: when the question of this turn was put (0: it is not asked), `delivered`: when it reached the
    player, where that was later. `turn`: which turn that is. `bank`: what is left (-1: all of it), `extra`:
    what was given on top for this turn; `hours`: the zone and the quiet hours (as `Person` has them) that
    hold for it, where its player's are others by now. `missed`: when it missed lately, and what its bank was
    before. `stands`: a bot that thinks plays this turn for it, one question after the other. Spans are pairs
    of moments. The rest is its standing (`referee.policy.Standing`).
    """

    asked: int = 0
    delivered: int = 0
    turn: str = ""
    bank: int = -1
    extra: int = 0
    vacations: list[tuple[int, int]] = []
    unreachable: list[tuple[int, int]] = []
    hours: tuple[str, str] | None = None
    misses: int = 0
    probation: bool = False
    offered: bool = False
    replaced: int = 0
    decided: bool = False
    missed: list[tuple[int, int]] = []
    stands: bool = False

    def step(self, policy: Policy, event: Event, *, first_round: bool = False) -> tuple[Do, ...]:
        """It stands as an event leaves it; what is to be done then."""
        was = Standing(self.misses, self.probation, self.offered, self.replaced, self.decided)
        now, do = step(policy, was, event, first_round=first_round)
        self.misses, self.probation, self.offered = now.misses, now.probation, now.offered
        self.replaced, self.decided = now.replaced, now.decided
        self.stands = self.stands and now.probation
        return do


class TableTime(msgspec.Struct, omit_defaults=True):
    """A whole table.

    `frozen`: our outages; `paused`: its pauses; `held`: those of its whole season, some of which may lie
    ahead, and `off`: holidays, which somebody else has laid down; `stood`: seats for which a caretaker played
    in this round; `kicked`: persons who can't come back; `still`: since when it is frozen (0: unknown).
    """

    seats: dict[SeatNo, SeatTime] = {}
    frozen: list[tuple[int, int]] = []
    paused: list[tuple[int, int]] = []
    held: list[tuple[int, int]] = []
    off: list[tuple[int, int]] = []
    stood: list[SeatNo] = []
    kicked: list[PersonId] = []
    still: int = 0

    def seat(self, no: SeatNo) -> SeatTime:
        """What is known of a seat."""
        return self.seats.setdefault(no, SeatTime())

    def held_until(self, now_ms: int) -> int:
        """When the pause of the season ends that the table is in, 0 where it is in none."""
        return max((end for start, end in self.held if start <= now_ms < end), default=0)

    def stood_in(self, no: SeatNo, now_ms: int) -> bool:
        """Whether a bot that thinks plays the open turn of a seat; in a pause nobody does."""
        return self.seat(no).stands and not paused(self) and not self.held_until(now_ms)


_READ = msgspec.json.Decoder(TableTime)


def read_clocks(game: Game) -> TableTime:
    """What the row says; changes to it are nobody's until they are `encode_clocks`."""
    return _READ.decode(game.clocks)


def paused(table: TableTime) -> bool:
    """Whether a pause lasts."""
    return bool(table.paused) and table.paused[-1][1] == OPEN


def encode_clocks(table: TableTime) -> str:
    """The column's text."""
    return msgspec.json.encode(table).decode()


def policy_of(game: Game) -> Policy:
    """By which policy a table is played."""
    return _policy(game.settings)


@lru_cache(maxsize=2048)
def _policy(settings: str) -> Policy:
    table = msgspec.json.decode(settings)
    if "policy" in table:
        return from_json(table["policy"])
    return old_policy(table)


def clock_of(policy: Policy, table: TableTime, seat: SeatTime, person: Person | None) -> Clock:
    """The clock of a seat that is asked."""
    quiet, zone = policy.quiet, "UTC"
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
            if policy.bank_hours and uow.now_ms - clock.delivered_ms > ms(policy.grace_hours):
                # held clocks go on later, and give that time back only then: to those who are still asked
                clock = shift(clock, hold.held_since(uow.tx) or uow.now_ms, uow.now_ms)
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

    The rows of a turn that goes on keep the question it began with, and stay as they are unless the seat is
    among `anew` (None: all are). Where nobody waits there are none.
    """
    tx, policy, table = uow.tx, clocks.policy, clocks.table
    running_now = [row for row in clocks.rows if row.kind not in bot_questions.KINDS]
    instead = {no for no in wanted if table.stood_in(no, uow.now_ms)}
    if instead or len(running_now) < len(clocks.rows) or any(seats[no].bot for no in wanted):
        wanted = bot_questions.set_rows(uow, game, seats, wanted, clocks.rows, policy, instead)
    wanted = {} if when_away(game, seats) is WhenAway.STAYS else wanted
    idle = [row for row in running_now if row.seat not in wanted]
    begun: list[dict[str, Any]] = []
    moved: dict[DeadlineId, dict[str, Any]] = {}
    for no, question in wanted.items():
        mine = {row.kind: row for row in running_now if row.seat == no}
        seat = table.seat(no)
        if "answer" in mine and anew is not None and no not in anew:
            continue  # one turn, one clock
        if "answer" in mine and seat.asked != uow.now_ms:  # it had begun before, whatever moves its clock
            question = QuestionNo(mine["answer"].question)
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
