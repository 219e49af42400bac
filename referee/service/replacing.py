"""A seat that was missed too often is to be had: whoever joins plays on in it, with its hand, its city and all it was told."""
from __future__ import annotations

from referee.policy import Event, step
from referee.rules import Refusal
from referee.store import Address, Game, Person, Seat, SeatPlan

from . import hours, letters, misses, timing
from .sitting import Sitting, settings_of


def take_over(sitting: Sitting, game: Game, person: Person, at: Address | None) -> str:
    """Take the first seat on offer; returns the name that it goes by.  Raises Refusal."""
    table = hours.known(sitting, game)
    seats = sitting.seats(int(game.id or 0))
    free: Seat | None = next((seat for seat in seats if table.seat(seat.no).offered), None)
    if free is None:
        raise Refusal("not-in-lobby", game=game.id)
    if settings_of(game)["entry"] == "invite":
        raise Refusal("invite-only", game=game.id)
    mine = table.seat(free.no)
    mine.stand(step(timing.policy_of(game), mine.standing(), Event.REPLACED).next)
    mine.bank, mine.vacations, mine.unreachable = -1, [], []
    if mine.asked:
        mine.asked, mine.delivered, mine.extra = sitting.now_ms, 0, 0
    gone = free.person_id
    sitting.tx.drop(SeatPlan, game_id=game.id, seat=free.no)     # what somebody had in mind is theirs
    sitting.tx.set(Seat, free.id, person_id=person.id, channel="" if at is None else at.channel, told=0, misses=0, notify="")
    offers.over(sitting, game, free.no, but=person.id)
    sitting.tx.drop(Alternate, person_id=person.id, game_id=game.id)
    fresh = misses.publish(sitting, game, table, "taken_over", {"seat": free.no}, (free.no,))
    letters.to_seat(sitting, fresh, sitting.seats(int(game.id or 0))[free.no], "prompt", at=at,
                    question=fresh.question if mine.asked else 0)
    if gone is not None:
        letters.to_person(sitting, gone, "notice", data={"notices": [{"code": "seat-lost", "facts": {"game": game.id}}]}, game_id=game.id)
    return free.name
