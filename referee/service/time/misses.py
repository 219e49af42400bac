"""What a deadline does when it rings: remind, begin a vacation, wait for somebody out of reach, answer in a
player's place.
"""

from __future__ import annotations

import logging
from typing import Any

from referee.policy import DAY_MS, Do, Event, begin_vacation, step
from referee.store import Address, Deadline, Game, Outbox, Person, Seat

from ..core import outbox
from ..core.unit_of_work import Sitting, settings_of, tell
from ..deadlines import clock_state, rows, season_vacation
from ..deadlines.clock_state import SeatTime, TableTime
from ..league import hooks
from ..notices import delivery_rules
from ..people.letter_facts import PromptFacts
from ..plans import run_plan
from ..play import moves
from ..tables import regather, seat_offers
from . import hold, reminders

log = logging.getLogger(__name__)
#: who plays where nobody waits, as the journal calls them
PLAYS = {Do.PLAN: "clock", Do.CARETAKER: "caretaker", Do.BOT: "standin"}


def rung(sitting: Sitting, game: Game, row: Deadline) -> None:
    """A row of a question that is still open was claimed: do what it is for."""
    seats = sitting.seats(row.game_id)
    if row.kind == "remind":
        reminders.remind(sitting, game, seats[row.seat], game.question)
        return
    if row.kind == "plan":
        run_plan.rung(sitting, game, seats, row.seat)
        return
    if row.kind not in rows.OF_QUESTIONS:  # of another version of the referee: no reason to miss anything
        log.warning("a deadline of kind %r is not known here", row.kind)
        return
    if settings_of(game).get("learn"):  # a learner stays away: nobody waits, and nobody is told
        put_away(sitting, game)
        return
    table = rows.known(sitting, game)
    if row.kind == "vacation":
        leave(sitting, game, seats[row.seat], table)
    elif not wait_for_reach(sitting, game, seats[row.seat], table):
        # the row has the question with which the turn began; what was missed is the one that is open now
        sitting.tx.set(
            Deadline,
            row.id,
            kind="missed" if hold.counts(game, row.seat) else "stood",
            question=game.question,
        )
        missed(sitting, game, seats, row.seat, table)


def put_away(sitting: Sitting, game: Game) -> None:
    """Nobody plays on at this table."""
    sitting.tx.set(Game, game.id, status="abandoned", ended_ms=sitting.now_ms, question=0, asked="")
    rows.stop(sitting, int(game.id or 0))
    hooks.ended(sitting, game)


def leave(sitting: Sitting, game: Game, seat: Seat, table: TableTime) -> None:
    """Only the reserve of the bank is left: vacation begins by itself."""
    policy, mine = clock_state.policy_of(game), table.seat(seat.no)
    person = None if seat.person_id is None else sitting.tx.get(Person, seat.person_id)
    clock_state.keep(
        mine, begin_vacation(policy, clock_state.clock_of(policy, table, mine, person), sitting.now_ms)
    )
    publish(sitting, game, table, "vacation_began", {"seat": seat.no}, (seat.no,))
    elsewhere(sitting, game, seat, mine, "vacation_began")
    outbox.to_seat(sitting, game, seat, "prompt", question=game.question)


def elsewhere(sitting: Sitting, game: Game, seat: Seat, mine: SeatTime, event: str) -> list[int]:
    """What a vacation has come to holds at all tables of the season; which ones, this one aside."""
    others = season_vacation.kept(sitting, game, seat, mine)
    for other, its, table in others:
        publish(sitting, other, table, event, {"seat": its.no}, (its.no,))
    return [int(other.id or 0) for other, _, _ in others]


def publish(
    sitting: Sitting,
    game: Game,
    table: TableTime,
    event: str,
    facts: dict[str, Any],
    anew: tuple[int, ...] | None = None,
) -> Game:
    """The clocks of a table changed, and everybody may know: write both down, make the rows anew, renew the
    table's message.
    """
    number = game.event_no + 1
    tell(sitting, int(game.id or 0), number, event, facts)
    fresh = sitting.tx.renew(Game, game, event_no=number, clocks=clock_state.written(table))
    if fresh.status == "running":
        rows.again(sitting, fresh, anew)
        seat_offers.begin(sitting, fresh)
    outbox.to_rooms(sitting, fresh)
    return fresh


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
        Outbox, game_id=game.id, seat=seat.no, state=("sent", "unknown"), order="-id", limit=5
    )
    if any(
        row.sent_ms >= mine.asked or (row.state == "unknown" and row.created_ms >= mine.asked) for row in sent
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
    fresh = moves.enact(sitting, game, seats, run_plan.instead(sitting, game, seats, no, by), news=news)
    if Do.OFFER in do:
        seat_offers.begin(sitting, fresh)
    outbox.to_seat(sitting, game, seats[no], PromptFacts(echo=[], trouble=None))
