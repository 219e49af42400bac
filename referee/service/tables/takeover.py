"""A seat that was missed too often is to be had: anyone who joins plays on in it, with its hand, its city and
all it was told.
"""

from __future__ import annotations

from referee.ids import NO_QUESTION
from referee.policy import Event
from referee.rules import Refusal
from referee.states import ALIVE, OfferState
from referee.store import (
    Address,
    Alternate,
    Game,
    Person,
    Seat,
    SeatOffer,
    SeatPlan,
)

from ..core import outbox
from ..core.unit_of_work import UnitOfWork, settings_of
from ..deadlines import clock_state, season_vacation
from ..people import identity, officials, onlookers
from ..people.letter_facts import PromptFacts, notice
from ..play import clock_news, hooks, seat_offers, seat_plans


def take_over(uow: UnitOfWork, game: Game, person: Person, at: Address | None, code: str = "") -> str:
    """Take the seat that one was asked to take, else the first on offer that nobody is being asked to take;
    returns the name that it goes by. Who had a seat there before knows its hand, and gets no other one. A
    table by invitation wants its code. Raises Refusal.
    """
    table = clock_state.known(uow, game)
    not_kicked(uow, game, person)
    if any(
        officials.key(uow, one["person"]) == officials.key(uow, person.id)
        for one in settings_of(game).get("looked", ())
    ):
        raise Refusal("looked-before", game=game.id)
    seats = uow.seats(game.id)
    asked = {
        row.seat: row.person_id for row in uow.tx.all(SeatOffer, game_id=game.id, state=OfferState.ASKED)
    }
    there = [
        seat for seat in seats if table.seat(seat.no).offered and asked.get(seat.no) in (None, person.id)
    ]
    known = onlookers.hands_known(uow.tx, game, person.id)
    fits = [seat for seat in there if known <= {seat.no}]
    free: Seat | None = min(fits, key=lambda seat: (seat.no not in asked, seat.no), default=None)
    if free is None:
        raise Refusal("another-hand" if there else "no-free-seat", game=game.id)
    settings = settings_of(game)
    hooks.may_sit(uow, game, person)
    if settings["entry"] == "invite" and code.strip().upper() != settings["code"]:
        raise Refusal("invite-only", game=game.id)
    if len(uow.tx.seats_of(person.id, ALIVE)) >= uow.settings.games_per_person:
        raise Refusal("too-many-games", most=uow.settings.games_per_person)
    return put(uow, game, person, at, free)


def not_kicked(uow: UnitOfWork, game: Game, person: Person) -> None:
    """Who was taken from a table does not come back there, nor while it gathers anew.  Raises Refusal."""
    if any(officials.same(uow.tx, one, person.id) for one in clock_state.read_clocks(game).kicked):
        raise Refusal("kicked-before", game=game.id)


def put(
    uow: UnitOfWork, game: Game, person: Person, at: Address | None, free: Seat, why: str = "replaced"
) -> str:
    """Somebody plays on in this seat of a running table, no matter who had it; returns the name that it goes
    by.

    `why` is what a league is told.
    """
    table = clock_state.known(uow, game)
    mine = table.seat(free.no)
    mine.step(clock_state.policy_of(game), Event.REPLACED)
    mine.bank, mine.vacations, mine.unreachable = -1, season_vacation.taken(uow, game, person.id), []
    mine.hours, mine.missed = None, []
    if mine.asked:
        mine.asked, mine.delivered, mine.extra = uow.now_ms, 0, 0
    gone = free.person_id
    identity.seated(uow, person.id)
    uow.tx.drop(SeatPlan, game_id=game.id, seat=free.no)  # what somebody had in mind is theirs
    seat_plans.disarm(uow, game.id, free.no)  # nor is anybody else told that it would answer
    uow.tx.set(
        Seat,
        free.id,
        person_id=person.id,
        channel="" if at is None else at.channel,
        told=0,
        misses=0,
        notify="",
        lessons="",
    )
    seat_offers.withdraw_offers(uow, game, free.no, but=person.id)
    hooks.seat_left(uow, game, gone, why)
    seat_offers.unasked(uow, person.id)
    game = uow.tx.get(Game, game.id) or game  # what it knows of its league may have changed
    uow.tx.drop(Alternate, person_id=person.id, game_id=game.id)
    fresh = clock_news.publish(uow, game, table, "taken_over", {"seat": free.no}, (free.no,))
    # last: the clocks say who votes, and a vote that is carried by it may change the clocks
    hooks.seat_taken(uow, fresh, person.id)
    fresh = uow.tx.get(Game, game.id) or fresh
    now = uow.seats(game.id)[free.no]
    outbox.to_seat(
        uow,
        fresh,
        now,
        PromptFacts(fresh=True),
        at=at,
        question=fresh.question if mine.asked else NO_QUESTION,
    )
    if gone is not None:
        outbox.to_person(
            uow,
            gone,
            notice("seat-lost", game=game.id),
            game_id=game.id,
        )
    return free.name
