"""A seat that is to be had is offered to those who said they would take one: one after the other, each for a
while.

First those who named this table, then those who would sit at any, in the order in which they said so. Whoever
says no stays on the list, whoever says nothing is taken off it. When there is nobody left, `join` stands for
everybody, as it does where nobody ever put their name down. What is remembered are rows; each time-out is a
deadline, and rings once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.policy import ms, offer_due_ms
from referee.states import ALIVE, DeadlineKind, GameStatus, OfferState, OutboxState
from referee.store import Alternate, Deadline, Game, Outbox, Person, Seat, SeatOffer, Tx

from ..core import league_facts, outbox
from ..core.letters import Facts
from ..core.unit_of_work import Sitting, settings_of
from ..deadlines import clock_state
from ..deadlines.clock_state import SeatTime
from ..people import officials
from ..people.replies import notices
from . import hooks

#: the kind of their deadlines; the question of such a row is the person who is asked
KIND = DeadlineKind.ALTERNATE


class SeatOfferFacts(Facts):
    """The seat that is offered."""

    kind = "seat_offer"
    offered: int


def begin(sitting: Sitting, game: Game) -> None:
    """Ask somebody for each seat of a running table that is on offer, where nobody is being asked; nobody for
    one that is not any more.
    """
    if game.status != GameStatus.RUNNING:
        return
    table = clock_state.read(game)
    for offer in sitting.tx.all(SeatOffer, game_id=game.id, state=OfferState.ASKED):
        if not table.seat(offer.seat).offered:
            over(sitting, game, offer.seat)
    for no, seat in table.seats.items():
        if seat.offered and open_offer(sitting.tx, game, no) is None:
            ask(sitting, game, no)


def open_offer(tx: Tx, game: Game, no: int) -> SeatOffer | None:
    """Who is being asked to take this seat."""
    return tx.one(SeatOffer, game_id=game.id, seat=no, state=OfferState.ASKED)


def ask(sitting: Sitting, game: Game, no: int) -> bool:
    """Ask the next in line for a seat; False when there is nobody left."""
    person = next(line(sitting, game, no), None)
    if person is None:
        return False
    sitting.tx.add(SeatOffer, game_id=game.id, seat=no, person_id=person.id, asked_ms=sitting.now_ms)
    sitting.tx.add(
        Deadline,
        game_id=game.id,
        seat=no,
        question=person.id,
        kind=KIND,
        due_ms=due_ms(game, person, sitting.now_ms),
    )
    sitting.wakes.add("clock")
    outbox.to_person(
        sitting,
        int(person.id or 0),
        SeatOfferFacts(offered=no),
        game_id=game.id,
        collapse=_name(game, no, int(person.id or 0)),
    )
    return True


def line(sitting: Sitting, game: Game, no: int) -> Iterator[Person]:
    """Who may still be asked for a seat, in order."""
    tx = sitting.tx
    busy = {
        row.person_id
        for row in tx.all(SeatOffer, game_id=game.id)
        if row.seat == no or row.state == OfferState.ASKED
    }  # one seat at a time
    busy |= {one.person_id for one in sitting.seats(int(game.id or 0)) if one.person_id is not None} | {
        officials.now(tx, one) for one in clock_state.read(game).kicked
    }
    busy |= {
        officials.now(tx, one["person"]) for one in settings_of(game).get("looked", ())
    }  # whoever saw hidden cards there
    anywhere = (
        tx.all(Alternate, game_id=0, order="since_ms,id") if settings_of(game)["entry"] == "open" else []
    )
    named = [row.person_id for row in (*tx.all(Alternate, game_id=game.id, order="since_ms,id"), *anywhere)]
    chosen = hooks.standby(sitting, game)
    for who in named if chosen is None else chosen:
        if who in busy or outbox.best(sitting, who) is None:
            continue
        if len(tx.seats_of(who, ALIVE)) < sitting.settings.games_per_person:
            busy.add(who)
            person = tx.get(Person, who)
            if person is not None:
                yield person


def due_ms(game: Game, person: Person, asked_ms: int) -> int:
    """Until when somebody may think about it: not counted are their quiet hours and the time that we were
    away.
    """
    policy, table = clock_state.policy_of(game), clock_state.read(game)
    clock = clock_state.clock_of(policy, table, SeatTime(asked=asked_ms), person)
    return offer_due_ms(policy, replace(clock, paused=())) or asked_ms + ms(policy.alternate_hours)


def silent(sitting: Sitting, game: Game, row: Deadline) -> None:
    """Somebody's time to take a seat is up: they are not asked again, and the next is."""
    offer = sitting.tx.one(
        SeatOffer, game_id=game.id, seat=row.seat, person_id=row.question, state=OfferState.ASKED
    )
    person = sitting.tx.get(Person, row.question)
    if offer is None or person is None or game.status != GameStatus.RUNNING:
        return
    due = due_ms(game, person, offer.asked_ms)
    if due > sitting.now_ms:  # an outage of ours gave them more
        sitting.tx.add(Deadline, game_id=game.id, seat=row.seat, question=person.id, kind=KIND, due_ms=due)
        sitting.wakes.add("clock")
        return
    sitting.tx.set(SeatOffer, offer.id, state=OfferState.SILENT)
    sitting.tx.drop(Alternate, person_id=person.id, game_id=(0, int(game.id or 0)))
    hooks.offer_lapsed(sitting, game, int(person.id or 0))
    outbox.to_person(
        sitting,
        int(person.id or 0),
        "notice",
        game_id=game.id,
        data=notices("offer-over", game=game.id, league=(league_facts.mine(game) or {}).get("name", "")),
    )
    unasked(sitting, person.id)
    begin(sitting, game)


def again(sitting: Sitting, game: Game) -> None:
    """A table that stood still goes on: whoever was asked has the whole of their time anew."""
    for offer in sitting.tx.all(SeatOffer, game_id=game.id, state=OfferState.ASKED):
        person = sitting.tx.get(Person, offer.person_id)
        if person is not None:
            _stop(sitting, game, offer.seat)
            sitting.tx.set(SeatOffer, offer.id, asked_ms=sitting.now_ms)
            sitting.tx.add(
                Deadline,
                game_id=game.id,
                seat=offer.seat,
                question=person.id,
                kind=KIND,
                due_ms=due_ms(game, person, sitting.now_ms),
            )
    begin(sitting, game)


def declined(sitting: Sitting, offer: SeatOffer) -> None:
    """They would rather not: the next is asked."""
    sitting.tx.set(SeatOffer, offer.id, state=OfferState.DECLINED)
    game = sitting.tx.get(Game, offer.game_id)
    if game is not None:
        _stop(sitting, game, offer.seat)
        begin(sitting, game)


def unasked(sitting: Sitting, person_id: int | None) -> None:
    """Somebody is no alternate of a league any more: whatever they were asked to take there is offered to the
    next.
    """
    for row in sitting.tx.all(SeatOffer, person_id=person_id, state=OfferState.ASKED):
        game = sitting.tx.get(Game, row.game_id)
        chosen = None if game is None else hooks.standby(sitting, game)
        if game is not None and chosen is not None and row.person_id not in chosen:
            over(sitting, game, row.seat)
            begin(sitting, game)


def over(sitting: Sitting, game: Game, no: int, but: int | None = None, why: str = "offer-withdrawn") -> None:
    """A seat is not on offer any more: whoever is being asked is told (unless it is `but`), and nothing is
    remembered of it.
    """
    asked = open_offer(sitting.tx, game, no)
    if asked is not None:
        _stop(sitting, game, no)
        sitting.tx.change(
            Outbox,
            {"collapse": _name(game, no, asked.person_id), "state": OutboxState.QUEUED},
            state=OutboxState.DROPPED,
            error="not on offer any more",
        )
        if asked.person_id != but:
            seat = sitting.tx.one(Seat, game_id=game.id, no=no)
            outbox.to_person(
                sitting,
                asked.person_id,
                "notice",
                game_id=game.id,
                data=notices(why, game=game.id, name="" if seat is None else seat.name),
            )
    sitting.tx.drop(SeatOffer, game_id=game.id, seat=no)


def _stop(sitting: Sitting, game: Game, no: int) -> None:
    sitting.tx.change(
        Deadline, {"game_id": game.id, "seat": no, "kind": KIND, "done_ms": 0}, done_ms=sitting.now_ms
    )


def _name(game: Game, no: int, person_id: int) -> str:
    return f"seat_offer:{game.id}:{no}:{person_id}"
