"""Rows of deadlines, no matter who set them: stopped with their table, and moved by what was nobody's
fault."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from referee.ids import GameId, ProposalId, SeatNo
from referee.policy import Span, ms
from referee.states import DeadlineKind, GameStatus, OfferState, ProposalState
from referee.store import Deadline, Game, Proposal, SeatOffer, Tx

from ..core.unit_of_work import UnitOfWork
from . import clock_state, hold, season_vacation

#: a letter that takes no longer than this came at once
AT_ONCE_MS = 60_000


def freeze(
    uow: UnitOfWork, game_id: GameId, table: clock_state.TableTime, start_ms: int, end_ms: int
) -> None:
    """Time in which we could not be reached.

    Outages before everything that is still open can't matter any more: what seats are asked, and who thinks
    about taking one. What seems to lie ahead was written by a clock that has been set back since.
    """
    _no_later(uow, game_id, table)
    offers = uow.tx.column(SeatOffer, "asked_ms", game_id=game_id, state=OfferState.ASKED)
    asked = [one.delivered or one.asked for one in table.seats.values() if one.asked]
    since = min((*asked, *offers), default=end_ms)
    table.frozen = sorted({*(one for one in table.frozen if one[1] > since), (start_ms, end_ms)})


def _no_later(uow: UnitOfWork, game_id: GameId, table: clock_state.TableTime) -> None:
    """Nothing has happened later than now, whatever a clock said that was ahead: what began then begins now,
    and is as long.
    """
    now_ms = uow.now_ms
    for seat in table.seats.values():
        seat.asked, seat.delivered = min(seat.asked, now_ms), min(seat.delivered, now_ms)
        seat.vacations = season_vacation.no_later(seat.vacations, table.held, now_ms)
    table.frozen = [(start, min(end, now_ms)) for start, end in table.frozen if start < now_ms]
    table.still = min(table.still, now_ms)
    ahead = table.paused[-1][0] - now_ms if clock_state.paused(table) else 0
    table.paused = [
        (min(start, now_ms), end if end == clock_state.OPEN else min(end, now_ms))
        for start, end in table.paused
    ]
    for row in uow.tx.all(Deadline, game_id=game_id, kind=DeadlineKind.PAUSE, done_ms=0) if ahead > 0 else ():
        uow.tx.set(Deadline, row.id, due_ms=row.due_ms - ahead)


def _away(uow: UnitOfWork, game_id: GameId, table: clock_state.TableTime, since_ms: int) -> None:
    """The same for all tables at once: nobody uses up vacation in it."""
    for seat in table.seats.values():
        seat.vacations = season_vacation.without(seat.vacations, table.held, since_ms, uow.now_ms)
    freeze(uow, game_id, table, since_ms, uow.now_ms)


def extend_deadlines(uow: UnitOfWork, game: Game, since_ms: int) -> int:
    """Take the time since then off a running table's clocks; how many of its deadlines moved."""
    before = {row.id: row.due_ms for row in clock_state.running(uow, game.id)}
    table = clock_state.known(uow, game)
    _away(uow, game.id, table, since_ms)
    clock_state.again(uow, uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table)))
    return sum(before.get(row.id) not in (None, row.due_ms) for row in clock_state.running(uow, game.id))


def all_given_back(uow: UnitOfWork, since_ms: int) -> int:
    """The same for every running table, one after the other.

    A frozen one has no deadlines to move: what it lost before it froze counts when it thaws.
    """
    moved = 0
    held: dict[str, list[tuple[int, int]]] = {}
    for frozen in uow.tx.all(Game, status=GameStatus.FROZEN, order="id"):
        with suppress(msgspec.DecodeError):  # a newer referee may keep them otherwise
            table = clock_state.read_clocks(frozen)
            _away(uow, frozen.id, table, since_ms)
            uow.tx.set(Game, frozen.id, clocks=clock_state.encode_clocks(table))
    for number in uow.tx.column(Game, "id", status=GameStatus.RUNNING):
        game = uow.tx.get(Game, number)
        if game is not None:
            moved += extend_deadlines(uow, game, since_ms)
            held[season_vacation.season_of(game)] = clock_state.read_clocks(game).held
    season_vacation.given_back(uow, since_ms, held)
    return moved


def taken_back(uow: UnitOfWork, never: Sequence[Span]) -> None:
    """The clock was ahead: tables know nothing of what comes after now; vacations that went on after time
    that never was go on where it began.
    """
    season_vacation.taken_back(uow, never)
    for game in uow.tx.all(Game, status=(GameStatus.FROZEN, GameStatus.RUNNING), order="id"):
        with suppress(msgspec.DecodeError):  # a newer referee may keep them otherwise
            table = clock_state.read_clocks(game)
            _no_later(uow, game.id, table)
            for seat in table.seats.values():
                seat.vacations = season_vacation.sooner(seat.vacations, never)
            fresh = uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table))
            if fresh.status == GameStatus.RUNNING:
                clock_state.again(uow, fresh)


def delivered(uow: UnitOfWork, game: Game, no: SeatNo, *, theirs: bool = False) -> None:
    """A question reached its player: where that took long, the clock of the turn starts only now.

    `theirs`: it waited for the player, not for us or the wire. Staying away must win nobody a second day at
    every turn: they are waited for as one whom nothing reaches, once a game and up to what its policy allows.
    """
    table = clock_state.known(uow, game)
    seat = table.seat(no)
    if not seat.asked or seat.delivered or uow.now_ms - seat.asked <= AT_ONCE_MS:
        return
    if not theirs:
        seat.delivered = uow.now_ms
        clock_state.note_reachable(seat, uow.now_ms)
    elif seat.unreachable or not clock_state.policy_of(game).unreachable_hours:
        return
    else:
        seat.unreachable = [(seat.asked, uow.now_ms)]
    clock_state.again(uow, uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table)), (no,))


def given(uow: UnitOfWork, game: Game, no: SeatNo, late_ms: int) -> None:
    """More time for a seat's turn, which nobody is told: it was not theirs to use.  No more than a move's
    hours altogether: else a mail server of one's own could hold up a table with each question of a turn.
    """
    table = clock_state.known(uow, game)
    seat = table.seat(no)
    seat.extra = max(seat.extra, min(seat.extra + late_ms, ms(clock_state.policy_of(game).move_hours)))
    clock_state.again(uow, uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table)), (no,))


def stop(uow: UnitOfWork, game_id: GameId) -> None:
    """Stop every clock of a table."""
    uow.tx.change(Deadline, {"game_id": game_id, "done_ms": 0}, done_ms=uow.now_ms)


def stop_deal(uow: UnitOfWork, game_id: GameId) -> None:
    """The same where a deal is given up and its people stay: the hour on which they agreed is the table's."""
    gone = [
        row.id for row in uow.tx.all(Deadline, game_id=game_id, done_ms=0) if row.kind != DeadlineKind.MEETING
    ]
    if gone:
        uow.tx.change(Deadline, {"id": tuple(gone)}, done_ms=uow.now_ms)


def go_on(uow: UnitOfWork, game_id: GameId, table: clock_state.TableTime, since_ms: int) -> None:
    """What concerns a table as a whole, and was stopped with it then, rings after all: silence in a vote for
    which nobody could be there is no yes; a pause and an hour go by the wall. Anyone who is asked has the
    row of the turn again, which knows the question that it began with; `again` says when it is due.
    """
    # what was given back while the table stood still was given to nothing that had stopped; while clocks are
    # held, who lets them go on gives that time
    start_ms = min((start for start, end in table.frozen if start < since_ms < end), default=since_ms)
    end_ms = hold.held_since(uow.tx) or uow.now_ms
    kinds = (DeadlineKind.VOTE, DeadlineKind.PAUSE, DeadlineKind.MEETING, DeadlineKind.ANSWER)
    found = uow.tx.all(Deadline, game_id=game_id, kind=kinds, done_ms=since_ms, order="id")
    turns = {row.seat: row.id for row in found if row.kind == DeadlineKind.ANSWER}
    for row in found:
        if row.kind == DeadlineKind.ANSWER and row.id != turns[row.seat]:
            continue  # of a turn that was over in that very moment
        due = row.due_ms
        if row.kind == DeadlineKind.VOTE:
            vote = uow.tx.one(Proposal, id=ProposalId(row.question), state=ProposalState.OPEN)
            if vote is None:
                continue
            due += max(0, end_ms - max(start_ms, vote.at_ms))
            uow.tx.set(Proposal, vote.id, due_ms=due)
        uow.tx.set(Deadline, row.id, due_ms=due, done_ms=0)
    # a miss that was our fault is taken back now, also where that was found out while the table stood still
    amends = uow.tx.all(
        Deadline, game_id=game_id, kind=DeadlineKind.AMENDS, after={"done_ms": since_ms - 1}, order="id"
    )
    uow.tx.set_all(Deadline, {row.id: {"done_ms": 0} for row in amends})
    uow.wakes.add("clock")


def pending(tx: Tx, game: Game, seat: SeatNo) -> bool:
    """Whether this seat's plan is about to answer."""
    return tx.one(Deadline, game_id=game.id, seat=seat, kind=DeadlineKind.PLAN, done_ms=0) is not None
