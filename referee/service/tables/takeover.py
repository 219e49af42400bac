"""A seat that was missed too often is to be had: whoever joins plays on in it, with its hand, its city and
all it was told.
"""

from __future__ import annotations

from referee.policy import Event, step
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
from ..core.unit_of_work import Sitting, settings_of
from ..deadlines import clock_state, rows, season_vacation
from ..people import officials
from ..people.letter_facts import PromptFacts
from ..play import clock_news, hooks, seat_offers


def take_over(sitting: Sitting, game: Game, person: Person, at: Address | None, code: str = "") -> str:
    """Take the seat that one was asked to take, else the first on offer that nobody is being asked to take;
    returns the name that it goes by. A table by invitation wants its code. Raises Refusal.
    """
    table = rows.known(sitting, game)
    if any(officials.same(sitting.tx, one, person.id) for one in table.kicked):
        raise Refusal("kicked-before", game=game.id)
    if any(
        officials.key(sitting, one["person"]) == officials.key(sitting, int(person.id or 0))
        for one in settings_of(game).get("looked", ())
    ):
        raise Refusal("looked-before", game=game.id)
    seats = sitting.seats(int(game.id or 0))
    asked = {
        row.seat: row.person_id for row in sitting.tx.all(SeatOffer, game_id=game.id, state=OfferState.ASKED)
    }
    fits = [seat for seat in seats if table.seat(seat.no).offered and asked.get(seat.no) in (None, person.id)]
    free: Seat | None = min(fits, key=lambda seat: (seat.no not in asked, seat.no), default=None)
    if free is None:
        raise Refusal("no-free-seat", game=game.id)
    settings = settings_of(game)
    hooks.may_sit(sitting, game, person)
    if settings["entry"] == "invite" and code.strip().upper() != settings["code"]:
        raise Refusal("invite-only", game=game.id)
    if len(sitting.tx.seats_of(int(person.id or 0), ALIVE)) >= sitting.settings.games_per_person:
        raise Refusal("too-many-games", most=sitting.settings.games_per_person)
    return put(sitting, game, person, at, free)


def put(
    sitting: Sitting, game: Game, person: Person, at: Address | None, free: Seat, why: str = "replaced"
) -> str:
    """Somebody plays on in this seat of a running table, whoever had it; returns the name that it goes by.

    `why` is what a league is told.
    """
    table = rows.known(sitting, game)
    mine = table.seat(free.no)
    mine.stand(step(clock_state.policy_of(game), mine.standing(), Event.REPLACED).next)
    mine.bank, mine.vacations, mine.unreachable = -1, season_vacation.taken(sitting, game, person.id), []
    if mine.asked:
        mine.asked, mine.delivered, mine.extra = sitting.now_ms, 0, 0
    gone = free.person_id
    sitting.tx.drop(SeatPlan, game_id=game.id, seat=free.no)  # what somebody had in mind is theirs
    sitting.tx.set(
        Seat,
        free.id,
        person_id=person.id,
        channel="" if at is None else at.channel,
        told=0,
        misses=0,
        notify="",
        lessons="",
    )
    seat_offers.over(sitting, game, free.no, but=person.id)
    hooks.seat_left(sitting, game, gone, why)
    hooks.seat_taken(sitting, game, int(person.id or 0))
    seat_offers.unasked(sitting, person.id)
    game = sitting.tx.get(Game, game.id) or game  # what it knows of its league may have changed
    sitting.tx.drop(Alternate, person_id=person.id, game_id=game.id)
    fresh = clock_news.publish(sitting, game, table, "taken_over", {"seat": free.no}, (free.no,))
    now = sitting.seats(int(game.id or 0))[free.no]
    outbox.to_seat(
        sitting,
        fresh,
        now,
        PromptFacts(fresh=True),
        at=at,
        question=fresh.question if mine.asked else 0,
    )
    if gone is not None:
        outbox.to_person(
            sitting,
            gone,
            "notice",
            data={"notices": [{"code": "seat-lost", "facts": {"game": game.id}}]},
            game_id=game.id,
        )
    return free.name
