"""A miss in the first round: the table gathers anew.

The deal is given up and its seed opened, so that its record can be checked; a fresh seed is sealed, words may
be mixed in again, and the person who missed is asked once more whether they are there. If they don't say so
within the time for an answer, those who are there may leave them out.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import replace

import msgspec

from referee.ids import NOBODY, EventNo, PersonId, SeatNo
from referee.policy import Clock, after, ms
from referee.rules import chance, record
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Deal, Game, Journal, Person, Seat, SeatPlan, Undo

from ..core import outbox
from ..core.unit_of_work import UnitOfWork, settings_of, setup_of, write_event
from ..deadlines import clock_state, rows
from ..deadlines.open_proposals import moot
from ..people import officials
from ..people.letter_facts import MusterFacts, notice
from ..play import rulings, seat_plans, signature

#: so often a table gathers anew; then a miss in the first round counts like any other
MOST = 2


def may(uow: UnitOfWork, game: Game, seats: list[Seat]) -> bool:
    """Whether a miss makes this table gather anew: in the first round, while somebody sits in every seat, and
    not for ever.
    """
    return (
        game.round == 1
        and all(seat.bot or seat.person_id is not None for seat in seats)
        and uow.tx.count(Deal, game_id=game.id) < MOST
    )


def gather(uow: UnitOfWork, game: Game, seats: list[Seat], no: SeatNo) -> None:
    """Give the deal up and ask the person who missed whether they are there."""
    tx, game_id = uow.tx, game.id
    deal = tx.count(Deal, game_id=game.id) + 1
    planned = {no for no, row in uow.plans(game_id).items() if not seat_plans.plan_of(row).empty}
    _give_up(uow, game, seats, no, deal)
    fresh_seed = (uow.settings.testing.seeds or secrets.token_bytes)(32)
    tx.change(Seat, {"game_id": game_id}, word="", misses=0)
    tx.set(Seat, seats[no].id, ready=0)
    facts = {
        "seat": no,
        "deal": deal,
        "seed": game.seed,
        "seed_hash": game.seed_hash,
        "fresh": chance.commit(fresh_seed),
    }
    write_event(uow, game_id, EventNo(game.event_no + 1), "gathers_anew", facts)
    fresh = _undealt(uow, game, fresh_seed)
    tx.add(
        Deadline,
        game_id=game_id,
        seat=no,
        question=seats[no].person_id or NOBODY,
        kind=DeadlineKind.GATHER,
        due_ms=_until(uow, fresh, seats[no]),
    )
    for seat in uow.seats(game_id):
        said = notice(
            "gathers-anew",
            game=game_id,
            name=seats[no].name,
            you=seat.no == no,
            seed_hash=fresh.seed_hash,
            deal=deal,
            planned=seat.no in planned,
        )
        outbox.to_seat(uow, fresh, seat, said)
        if not seat.ready:
            outbox.to_seat(uow, fresh, seat, MusterFacts())
    outbox.to_rooms(uow, fresh)


def _give_up(uow: UnitOfWork, game: Game, seats: list[Seat], no: SeatNo, deal: int) -> None:
    """Keep the record of a deal (number `deal`) that seat `no` missed, and end all that belongs to it."""
    tx, game_id = uow.tx, game.id
    tx.add(
        Deal,
        game_id=game_id,
        no=deal,
        seat=no,
        seed=game.seed,
        record=open_record(uow, game, seats),
        at_ms=uow.now_ms,
    )
    tx.change(Journal, {"game_id": game_id, "undone": (0, 1)}, undone=2)
    tx.drop(Undo, game_id=game_id)
    tx.drop(SeatPlan, game_id=game_id)
    moot(uow, game_id)
    rows.stop_deal(uow, game_id)


def _undealt(uow: UnitOfWork, game: Game, seed: bytes) -> Game:
    """The table as it was before the deal, with a fresh seed; its pauses and who was put out stay known."""
    table = clock_state.read_clocks(game)
    settings = {
        key: value
        for key, value in settings_of(game).items()
        if key not in ("cast", "uniques", "rulings", "ruled")
    }
    kept = clock_state.TableTime(
        paused=[(start, min(end, uow.now_ms)) for start, end in table.paused],
        held=table.held,
        off=table.off,
        kicked=table.kicked,
    )
    return uow.tx.renew(
        Game,
        game,
        status=GameStatus.MUSTERING,
        seed=seed.hex(),
        seed_hash=chance.commit(seed),
        settings=json.dumps(settings),
        snapshot=b"",
        asked="",
        round=0,
        event_no=game.event_no + 1,
        clocks=clock_state.encode_clocks(kept),
        started_ms=0,
    )


def open_record(uow: UnitOfWork, game: Game, seats: list[Seat]) -> str:
    """The record of the deal so far, with its seed: nothing of it is played any more."""
    setup = setup_of(game, seats)
    orders = rulings.orders(game, seats, uow.tx.all(Journal, game_id=game.id, undone=0, order="no"))
    seed = bytes.fromhex(game.seed)
    told = record.of_game(setup, seed, [seat.word for seat in seats], orders, settings_of(game).get("choice"))
    return signature.signed(uow.tx, record.write(replace(told, seed=seed)))


def not_back(uow: UnitOfWork, game: Game, row: Deadline) -> None:
    """Anyone who missed has not come back: those who are there may leave them out; where nobody is, the table
    closes.
    """
    seats = uow.seats(game.id)
    # accounts may have been joined since the bell was set: it is for the person that they are by now
    who = officials.now(uow.tx, PersonId(row.question))
    gone = next((seat for seat in seats if seat.person_id == who and not seat.ready), None)
    if game.status != GameStatus.MUSTERING or gone is None:
        return
    there = [seat for seat in seats if seat.person_id is not None and seat.ready]
    if not there:
        uow.tx.set(Game, game.id, status=GameStatus.ABANDONED, ended_ms=uow.now_ms, question=0, asked="")
        rows.stop(uow, game.id)
    for seat in there or seats:
        said = (
            notice("leave-out", game=game.id, name=gone.name)
            if there
            else notice("nobody-there", game=game.id)
        )
        offers = [("leave-out", f"kick {gone.name} #{game.id}")] if there else []
        outbox.to_seat(uow, game, seat, msgspec.structs.replace(said, offers=offers))
    outbox.to_rooms(uow, game)


def waited_enough(uow: UnitOfWork, game: Game, seat: Seat) -> bool:
    """Whether somebody who missed the first round had their time to come back."""
    # the bell may have been set for who they were before accounts were joined
    who = NOBODY if seat.person_id is None else officials.family(uow.tx, seat.person_id)
    last = uow.tx.all(
        Deadline,
        game_id=game.id,
        kind=DeadlineKind.GATHER,
        question=who,
        order="-id",
        limit=1,
    )
    return not seat.ready and any(row.done_ms for row in last)


def _until(uow: UnitOfWork, game: Game, seat: Seat) -> int:
    """As long as an answer may take."""
    policy, table = clock_state.policy_of(game), clock_state.TableTime()
    person = None if seat.person_id is None else uow.tx.get(Person, seat.person_id)
    own = clock_state.clock_of(policy, table, clock_state.SeatTime(asked=uow.now_ms), person)
    length = ms(policy.move_hours)
    return after(policy, Clock(uow.now_ms, 0, own.zone, own.quiet), uow.now_ms, length) or uow.now_ms + length
