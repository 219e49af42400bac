"""What comes of a time that has run out: a vacation begins, somebody out of reach is waited for, a player's
place is answered for.
"""

from __future__ import annotations

from referee.policy import DAY_MS, Do, Event, begin_vacation, step
from referee.states import DeadlineKind, GameStatus, OutboxState
from referee.store import Address, Deadline, Game, Outbox, Person, Seat

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state, rows
from ..deadlines.clock_state import SeatTime, TableTime
from ..notices import delivery_rules
from ..people.letter_facts import PromptFacts
from ..plans import run_plan
from ..play import clock_news, enacting, seat_offers
from ..play.hooks import game_over
from ..tables import regather

#: a table where an answer may take less is no sign: whoever leaves it leaves it all at once
_SLOW_HOURS = 6
#: who plays where nobody waits, as the journal calls them
PLAYS = {Do.PLAN: "clock", Do.CARETAKER: "caretaker", Do.BOT: "standin"}


def counts(game: Game, seat: int) -> bool:
    """Whether a miss of this seat could be our fault: not at a quick table, nor where nobody waits any
    more.
    """
    return (
        clock_state.policy_of(game).move_hours >= _SLOW_HOURS
        and not clock_state.read(game).seat(seat).probation
    )


def time_up(sitting: Sitting, game: Game, row: Deadline) -> None:
    """The row of a seat that has not answered was claimed: wait for who is out of reach, else answer for
    them.
    """
    seats, table = sitting.seats(row.game_id), rows.known(sitting, game)
    if not wait_for_reach(sitting, game, seats[row.seat], table):
        # the row has the question with which the turn began; what was missed is the one that is open now
        sitting.tx.set(
            Deadline,
            row.id,
            kind=DeadlineKind.MISSED if counts(game, row.seat) else DeadlineKind.STOOD,
            question=game.question,
        )
        missed(sitting, game, seats, row.seat, table)


def put_away(sitting: Sitting, game: Game) -> None:
    """Nobody plays on at this table."""
    sitting.tx.set(Game, game.id, status=GameStatus.ABANDONED, ended_ms=sitting.now_ms, question=0, asked="")
    rows.stop(sitting, int(game.id or 0))
    game_over(sitting, game)


def leave(sitting: Sitting, game: Game, seat: Seat, table: TableTime) -> None:
    """Only the reserve of the bank is left: vacation begins by itself."""
    policy, mine = clock_state.policy_of(game), table.seat(seat.no)
    person = None if seat.person_id is None else sitting.tx.get(Person, seat.person_id)
    clock_state.keep(
        mine, begin_vacation(policy, clock_state.clock_of(policy, table, mine, person), sitting.now_ms)
    )
    clock_news.publish(sitting, game, table, "vacation_began", {"seat": seat.no}, (seat.no,))
    clock_news.elsewhere(sitting, game, seat, mine, "vacation_began")
    outbox.to_seat(sitting, game, seat, "prompt", question=game.question)


def wait_for_reach(sitting: Sitting, game: Game, seat: Seat, table: TableTime) -> bool:
    """Whether the time was up for somebody whom nothing reached since they were asked, and who is therefore
    waited for: once a game.
    """
    mine = table.seat(seat.no)
    if (
        mine.unreachable
        or not clock_state.policy_of(game).unreachable_hours
        or reached(sitting, game, seat, mine)
    ):
        return False
    mine.unreachable = [(mine.asked, clock_state.OPEN)]
    rows.again(sitting, sitting.tx.renew(Game, game, clocks=clock_state.written(table)), (seat.no,))
    first = None if seat.person_id is None else outbox.best(sitting, seat.person_id, seat)
    other = (
        None
        if first is None or seat.person_id is None
        else outbox.best(sitting, seat.person_id, seat, (first.channel,))
    )
    outbox.to_seat(sitting, game, seat, "prompt", question=game.question, at=other)
    return True


def reached(sitting: Sitting, game: Game, seat: Seat, mine: SeatTime) -> bool:
    """Whether anything of this game went out to the player since they were asked, or came in from them."""
    if mine.delivered:
        return True
    sent = sitting.tx.all(
        Outbox,
        game_id=game.id,
        seat=seat.no,
        state=(OutboxState.SENT, OutboxState.UNKNOWN),
        order="-id",
        limit=5,
    )
    if any(
        row.sent_ms >= mine.asked or (row.state == OutboxState.UNKNOWN and row.created_ms >= mine.asked)
        for row in sent
    ):
        return True
    if delivery_rules.silenced(sitting.tx, int(game.id or 0), seat.no, mine.asked):
        return True
    return any(one.seen_ms >= mine.asked for one in sitting.tx.all(Address, person_id=seat.person_id))


def missed(sitting: Sitting, game: Game, seats: list[Seat], no: int, table: TableTime) -> None:
    """The time is up: somebody answers in the player's place, and the seat stands worse than before."""
    policy, mine = clock_state.policy_of(game), table.seat(no)
    now, do = step(
        policy,
        mine.standing(),
        Event.MISSED,
        first_round=policy.first_round_miss and regather.may(sitting, game, seats),
    )
    if Do.GATHER in do:
        regather.gather(sitting, game, seats, no)
        return
    mine.stand(now)
    mine.missed = [
        *(one for one in mine.missed if one[0] > sitting.now_ms - DAY_MS),
        (sitting.now_ms, mine.bank),
    ]
    game = sitting.tx.renew(Game, game, clocks=clock_state.written(table))
    sitting.tx.set(Seat, seats[no].id, misses=now.misses)
    news = [
        (event, {"seat": no})
        for one, event in ((Do.PROBATION, "probation"), (Do.OFFER, "offered"))
        if one in do
    ]
    by = next(PLAYS[one] for one in do if one in PLAYS)
    fresh = enacting.enact(sitting, game, seats, run_plan.instead(sitting, game, seats, no, by), news=news)
    if Do.OFFER in do:
        seat_offers.begin(sitting, fresh)
    outbox.to_seat(sitting, game, seats[no], PromptFacts(echo=[], trouble=None))
