"""What comes of a time that has run out: a vacation begins, somebody out of reach is waited for, a player's
place is answered for.

Where nearly everybody seems to miss, it is the referee that was not heard: no miss is believed then.
"""

from __future__ import annotations

from typing import Any

from referee.ids import SeatNo
from referee.policy import DAY_MS, Do, Event, Policy, begin_vacation, broken, enough_answers
from referee.states import DeadlineKind, GameStatus, OutboxState
from referee.store import Address, Deadline, Game, Outbox, Person, Seat, SeatPlan

from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import bot_pauses, clock_state, hold, rows
from ..deadlines.clock_state import Clocks, SeatTime, WhenAway
from ..notices import delivery_rules
from ..people.letter_facts import PromptFacts
from ..plans import run_plan
from ..play import bot_turns, clock_news, enacting, moves, seat_offers
from ..play.hooks import game_over, seat_unwaited
from ..tables import regather
from . import forgive

#: a table where an answer may take less is no sign: anyone who leaves it leaves it all at once
_SLOW_HOURS = 6
#: this many deadlines are looked at that are due at this moment
_MOST = 64
#: where all is well by far, this many misses are believed without a new count, for that long: after an outage
#: of a large house thousands miss, and each would count all that missed before
_UNCOUNTED, _UNCOUNTED_MS = 64, 5_000
#: who plays where nobody waits, as the journal calls them
PLAYS = {Do.PLAN: "clock", Do.CARETAKER: "caretaker", Do.BOT: "standin"}


def believed(uow: UnitOfWork, game: Game, row: Deadline) -> bool:
    """Whether a miss may be acted upon.

    Where too many miss, all deadlines are held and the misses of the day are taken back.
    """
    if not uow.settings.testing.breaker:
        return True
    if not _counts(clock_state.policy_of(game), clock_state.read_clocks(game).seats.get(row.seat)):
        return True
    if uow.allowance.left and uow.now_ms < uow.allowance.until_ms:
        uow.allowance.left -= 1
        return True
    many = too_many(uow)
    if many is None:
        return True
    if hold.hold(uow, uow.now_ms - DAY_MS, "many-misses", missed=many[0], due=many[1]):
        forgive.recall(uow)
    return False


def too_many(uow: UnitOfWork) -> tuple[int, int] | None:
    """(missed, due) of a day, with what is due at this moment, where that is more than people would miss;
    else None.
    """
    since = max(0, uow.now_ms - DAY_MS)
    missed = uow.tx.rung_since(DeadlineKind.MISSED, since) + uow.tx.due_of(
        DeadlineKind.ANSWER, uow.now_ms, _MOST
    )
    if not enough_answers(missed):
        return None
    # thousands answer in a day: answers are counted until they say that all is well, and will be when as many
    # more were missed as need no count, and as may fall due meanwhile
    plenty = enough_answers(missed + _UNCOUNTED + _MOST)
    answered = uow.tx.rung_since(DeadlineKind.ANSWER, since, plenty)
    if answered == plenty:
        uow.allowance.left, uow.allowance.until_ms = _UNCOUNTED, uow.now_ms + _UNCOUNTED_MS
    return (missed, missed + answered) if broken(missed + answered, missed) else None


def _counts(policy: Policy, seat: SeatTime | None) -> bool:
    """Whether a miss of this seat could be our fault: not at a quick table, nor where nobody waits any
    more.
    """
    return policy.move_hours >= _SLOW_HOURS and not (seat is not None and seat.probation)


def time_up(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """The row of a seat that has not answered was claimed: wait for who is out of reach, else answer for
    them.
    """
    seats = uow.seats(row.game_id)
    if _nobody_waits(uow, game, seats):
        return
    clocks = clock_state.dated(uow, game)
    mine = clocks.table.seats[row.seat]
    if not wait_for_reach(uow, game, seats[row.seat], clocks, mine):
        # the row has the question with which the turn began; what was missed is the one that is open now
        uow.tx.set(
            Deadline,
            row.id,
            kind=DeadlineKind.MISSED if _counts(clocks.policy, mine) else DeadlineKind.STOOD,
            question=game.question,
        )
        missed(uow, game, seats, row.seat, clocks, mine)


def _nobody_waits(uow: UnitOfWork, game: Game, seats: list[Seat]) -> bool:
    """Nobody is told, and nobody plays on at a table where one person plays among bots: it stands as it is,
    or, where a learner stays away, it is over. Such a table has a clock only from before an upgrade.
    """
    then = clock_state.when_away(game, seats)
    if then is WhenAway.STAYS:
        clock_state.again(uow, game)
    if then is not WhenAway.ENDS:
        return then is WhenAway.STAYS
    uow.tx.set(Game, game.id, status=GameStatus.ABANDONED, ended_ms=uow.now_ms, question=0, asked="")
    rows.stop(uow, game.id)
    game_over(uow, game)
    return True


def start_vacation(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """Only the reserve of the bank is left: vacation begins by itself."""
    seats = uow.seats(row.game_id)
    if _nobody_waits(uow, game, seats):
        return
    seat, table = seats[row.seat], clock_state.known(uow, game)
    policy, mine = clock_state.policy_of(game), table.seat(seat.no)
    person = None if seat.person_id is None else uow.tx.get(Person, seat.person_id)
    clock_state.keep(
        mine, begin_vacation(policy, clock_state.clock_of(policy, table, mine, person), uow.now_ms)
    )
    clock_news.publish(uow, game, table, "vacation_began", {"seat": seat.no}, (seat.no,))
    clock_news.elsewhere(uow, game, seat, mine, "vacation_began")
    outbox.to_seat(uow, game, seat, PromptFacts(), question=game.question)


def wait_for_reach(uow: UnitOfWork, game: Game, seat: Seat, clocks: Clocks, mine: SeatTime) -> bool:
    """Whether the time was up for somebody whom nothing reached since they were asked, and who is therefore
    waited for: once a game.
    """
    if mine.unreachable or not clocks.policy.unreachable_hours or reached(uow, game, seat, mine):
        return False
    mine.unreachable = [(mine.asked, clock_state.OPEN)]
    fresh = uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(clocks.table))
    clock_state.again(uow, fresh, (seat.no,))
    first = None if seat.person_id is None else outbox.best(uow, seat.person_id, seat)
    other = (
        None
        if first is None or seat.person_id is None
        else outbox.best(uow, seat.person_id, seat, (first.channel,))
    )
    outbox.to_seat(uow, game, seat, PromptFacts(), question=game.question, at=other)
    return True


def reached(uow: UnitOfWork, game: Game, seat: Seat, mine: SeatTime) -> bool:
    """Whether anything of this game went out to the player since they were asked, or came in from them."""
    if mine.delivered:
        return True
    sent = uow.tx.all(
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
    if delivery_rules.silenced(uow.tx, game.id, seat.no, mine.asked):
        return True
    return any(one.seen_ms >= mine.asked for one in uow.tx.all(Address, person_id=seat.person_id))


def missed(
    uow: UnitOfWork, game: Game, seats: list[Seat], no: SeatNo, clocks: Clocks, mine: SeatTime
) -> None:
    """The time is up: somebody answers in the player's place, and the seat stands worse than before."""
    policy = clocks.policy
    may_gather = policy.first_round_miss and regather.may(uow, game, seats)
    do = mine.step(policy, Event.MISSED, first_round=may_gather)
    if Do.GATHER in do:
        regather.gather(uow, game, seats, no)
        return
    mine.missed = [
        *(one for one in mine.missed if one[0] > uow.now_ms - DAY_MS),
        (uow.now_ms, mine.bank),
    ]
    game = uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(clocks.table))
    uow.tx.set(Seat, seats[no].id, misses=mine.misses)
    news: list[tuple[str, dict[str, Any]]] = []
    news += [("probation", {"seat": no, **bot_turns.announced(uow, policy)})] if Do.PROBATION in do else []
    news += [("offered", {"seat": no})] if Do.OFFER in do else []
    by = next(PLAYS[one] for one in do if one in PLAYS)
    filed = uow.plans(game.id)
    level = bot_turns.full(uow) if by == "standin" else ""
    done = instead(uow, game, seats, filed, no, by, level)
    fresh = enacting.enact(uow, game, seats, done, news=news, filed=filed, clocks=clocks)
    if Do.OFFER in do:
        seat_offers.offer_seats(uow, fresh)
    if done.left is None:  # else the turn is told when it is over
        outbox.to_seat(uow, game, seats[no], PromptFacts(echo=[], trouble=None))
    if Do.PROBATION in do:
        seat_unwaited(uow, fresh)


def instead(
    uow: UnitOfWork,
    game: Game,
    seats: list[Seat],
    filed: dict[SeatNo, SeatPlan],
    no: SeatNo,
    by: str,
    level: str,
) -> moves.OrderAttempt:
    """What is done for a seat that let its time pass: what its plan says, then what `by` does, a full bot at
    that level; one that thinks has its turn `left`.
    """
    pauses = any(one.bot for one in seats) and bot_pauses.has_pauses(
        uow, game, seats, clock_state.policy_of(game)
    )
    if no not in filed:
        return moves.let_the_clock(uow.states.of(game), seats, no, by, level, pauses)
    done = run_plan.run(uow, game, seats, filed, no).done
    if not done.steps or (
        done.asked(no) is not None and moves.where(done.state) == moves.where(uow.states.of(game))
    ):
        rest = moves.let_the_clock(done.state, seats, no, by, level, pauses)
        done.steps += rest.steps
        done.state, done.waiting, done.left = rest.state, rest.waiting, rest.left
    return done
