"""A seat that is to be had is offered to those who said they would take one: one after the other, each for a
while.

First those who named this table, then those who would sit at any, in the order in which they said so. Anyone
who says no stays on the list, anyone who says nothing is taken off it. When there is nobody left, `join`
stands for everybody, as it does where nobody ever put their name down. What is remembered are rows; each
time-out is a deadline, and rings once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.ids import PersonId, SeatNo
from referee.policy import ms, offer_due_ms
from referee.states import ALIVE, DeadlineKind, GameStatus, OfferState, OutboxState
from referee.store import Alternate, Deadline, Game, Outbox, Person, Seat, SeatOffer, Tx

from ..core import outbox
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork, settings_of
from ..deadlines import clock_state
from ..deadlines.clock_state import SeatTime
from ..people import officials, onlookers
from ..people.letter_facts import notice
from . import hooks, table_league

#: the kind of their deadlines; the question of such a row is the person who is asked
KIND = DeadlineKind.ALTERNATE


class SeatOfferFacts(Facts):
    """The seat that is offered."""

    kind = "seat_offer"
    offered: SeatNo


def offer_seats(uow: UnitOfWork, game: Game) -> None:
    """Ask somebody for each seat of a running table that is on offer, where nobody is being asked; nobody for
    one that is not any more.
    """
    if game.status != GameStatus.RUNNING:
        return
    table = clock_state.read_clocks(game)
    for offer in uow.tx.all(SeatOffer, game_id=game.id, state=OfferState.ASKED):
        if not table.seat(offer.seat).offered:
            withdraw_offers(uow, game, offer.seat)
    for no, seat in table.seats.items():
        if seat.offered and open_offer(uow.tx, game, no) is None:
            ask(uow, game, no)


def open_offer(tx: Tx, game: Game, no: SeatNo) -> SeatOffer | None:
    """Who is being asked to take this seat."""
    return tx.one(SeatOffer, game_id=game.id, seat=no, state=OfferState.ASKED)


def ask(uow: UnitOfWork, game: Game, no: SeatNo) -> bool:
    """Ask the next in line for a seat; False when there is nobody left."""
    person = next(line(uow, game, no), None)
    if person is None:
        return False
    uow.tx.add(SeatOffer, game_id=game.id, seat=no, person_id=person.id, asked_ms=uow.now_ms)
    uow.tx.add(
        Deadline,
        game_id=game.id,
        seat=no,
        question=person.id,
        kind=KIND,
        due_ms=due_ms(game, person, uow.now_ms),
    )
    uow.wakes.add("clock")
    outbox.to_person(
        uow,
        person.id,
        SeatOfferFacts(offered=no),
        game_id=game.id,
        collapse=_name(game, no, person.id),
    )
    return True


def line(uow: UnitOfWork, game: Game, no: SeatNo) -> Iterator[Person]:
    """Who may still be asked for a seat, in order."""
    tx, settings, wanted = uow.tx, settings_of(game), hooks.standby(uow, game)
    if wanted is None:
        anywhere = tx.all(Alternate, game_id=0, order="since_ms,id") if settings["entry"] == "open" else []
        here = tx.all(Alternate, game_id=game.id, order="since_ms,id")
        wanted = [row.person_id for row in (*here, *anywhere)]
    if not wanted:
        return
    busy = {
        row.person_id
        for row in tx.all(SeatOffer, game_id=game.id)
        if row.seat == no or row.state == OfferState.ASKED
    }  # one seat at a time
    busy |= {one.person_id for one in uow.seats(game.id) if one.person_id is not None} | {
        officials.now(tx, one) for one in clock_state.read_clocks(game).kicked
    }
    busy |= {
        officials.now(tx, one["person"]) for one in settings.get("looked", ())
    }  # those who saw hidden cards there
    for who in hooks.asked_in_turn(uow, game, no, wanted):
        if who in busy or outbox.best(uow, who) is None or onlookers.hands_known(tx, game, who) - {no}:
            continue
        if len(tx.seats_of(who, ALIVE)) < uow.settings.games_per_person:
            busy.add(who)
            person = tx.get(Person, who)
            if person is not None:
                yield person


def due_ms(game: Game, person: Person, asked_ms: int) -> int:
    """Until when somebody may think about it: not counted are their quiet hours and the time that we were
    away.
    """
    policy, table = clock_state.policy_of(game), clock_state.read_clocks(game)
    clock = clock_state.clock_of(policy, table, SeatTime(asked=asked_ms), person)
    return offer_due_ms(policy, replace(clock, paused=())) or asked_ms + ms(policy.alternate_hours)


def silent(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """Somebody's time to take a seat is up: they are not asked again, and the next is."""
    # the one who is asked for that seat now: where accounts were joined or parted since the bell was set,
    # they have another number; a bell of somebody who is not asked any more was stopped
    offer = open_offer(uow.tx, game, row.seat)
    person = None if offer is None else uow.tx.get(Person, offer.person_id)
    if offer is None or person is None or game.status != GameStatus.RUNNING:
        return
    due = due_ms(game, person, offer.asked_ms)
    if due > uow.now_ms:  # an outage of ours gave them more
        uow.tx.add(Deadline, game_id=game.id, seat=row.seat, question=person.id, kind=KIND, due_ms=due)
        uow.wakes.add("clock")
        return
    uow.tx.set(SeatOffer, offer.id, state=OfferState.SILENT)
    uow.tx.drop(Alternate, person_id=person.id, game_id=(0, game.id))
    hooks.offer_lapsed(uow, game, person.id)
    told = table_league.read_league(game)
    outbox.to_person(
        uow,
        person.id,
        notice("offer-over", game=game.id, league="" if told is None else told["name"]),
        game_id=game.id,
    )
    unasked(uow, person.id)
    offer_seats(uow, game)


def restart_offers(uow: UnitOfWork, game: Game) -> None:
    """A table that stood still goes on: anyone who was asked has the whole of their time anew."""
    for offer in uow.tx.all(SeatOffer, game_id=game.id, state=OfferState.ASKED):
        person = uow.tx.get(Person, offer.person_id)
        if person is not None:
            _stop(uow, game, offer.seat)
            uow.tx.set(SeatOffer, offer.id, asked_ms=uow.now_ms)
            uow.tx.add(
                Deadline,
                game_id=game.id,
                seat=offer.seat,
                question=person.id,
                kind=KIND,
                due_ms=due_ms(game, person, uow.now_ms),
            )
    offer_seats(uow, game)


def redate_offers(uow: UnitOfWork, game: Game) -> None:
    """The table's clocks are others now: until when those who are asked may think about it."""
    for offer in uow.tx.all(SeatOffer, game_id=game.id, state=OfferState.ASKED):
        person = uow.tx.get(Person, offer.person_id)
        if person is not None:
            uow.tx.change(
                Deadline,
                {"game_id": game.id, "seat": offer.seat, "kind": KIND, "done_ms": 0},
                due_ms=due_ms(game, person, offer.asked_ms),
            )


def declined(uow: UnitOfWork, offer: SeatOffer) -> None:
    """They would rather not: the next is asked."""
    uow.tx.set(SeatOffer, offer.id, state=OfferState.DECLINED)
    game = uow.tx.get(Game, offer.game_id)
    if game is not None:
        _stop(uow, game, offer.seat)
        offer_seats(uow, game)


def joined(uow: UnitOfWork, now: PersonId, old: PersonId) -> None:
    """Two are one person now: a seat at a table where they sit, or one that only their old account could
    take, is offered to the next.
    """
    mine = set(uow.tx.column(Seat, "game_id", person_id=now))
    for offer in uow.tx.all(SeatOffer, person_id=(now, old), state=OfferState.ASKED):
        if offer.person_id == old or offer.game_id in mine:
            declined(uow, offer)


def unasked(uow: UnitOfWork, person_id: PersonId | None) -> None:
    """Somebody is no alternate of a league any more: whatever they were asked to take there is offered to the
    next.
    """
    for row in uow.tx.all(SeatOffer, person_id=person_id, state=OfferState.ASKED):
        game = uow.tx.get(Game, row.game_id)
        chosen = None if game is None else hooks.standby(uow, game)
        if game is not None and chosen is not None and row.person_id not in chosen:
            withdraw_offers(uow, game, row.seat)
            offer_seats(uow, game)


def withdraw_offers(
    uow: UnitOfWork, game: Game, no: SeatNo, but: PersonId | None = None, why: str = "offer-withdrawn"
) -> None:
    """A seat is not on offer any more: anyone who is being asked is told (unless it is `but`), and nothing is
    remembered of it.
    """
    asked = open_offer(uow.tx, game, no)
    if asked is not None:
        _stop(uow, game, no)
        uow.tx.change(
            Outbox,
            {"collapse": _name(game, no, asked.person_id), "state": OutboxState.QUEUED},
            state=OutboxState.DROPPED,
            error="not on offer any more",
        )
        if asked.person_id != but:
            seat = uow.tx.one(Seat, game_id=game.id, no=no)
            outbox.to_person(
                uow,
                asked.person_id,
                notice(why, game=game.id, name="" if seat is None else seat.name),
                game_id=game.id,
            )
    uow.tx.drop(SeatOffer, game_id=game.id, seat=no)


def _stop(uow: UnitOfWork, game: Game, no: SeatNo) -> None:
    uow.tx.change(Deadline, {"game_id": game.id, "seat": no, "kind": KIND, "done_ms": 0}, done_ms=uow.now_ms)


def _name(game: Game, no: SeatNo, person_id: PersonId) -> str:
    return f"seat_offer:{game.id}:{no}:{person_id}"
