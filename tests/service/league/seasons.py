"""A league in a house of its own: people who are known, acts of the office as its clerks do them, and games
that are over at once.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, TypeVar
from unittest import mock

from referee import rules
from referee.bots import BOTS
from referee.service.core.unit_of_work import UnitOfWork
from referee.service.league import lookup
from referee.service.league.entry import founding, sign_up
from referee.service.league.season import rounds
from referee.service.league.terms import Terms
from referee.service.play import enacting, moves
from referee.service.tables import lobby
from referee.store import (
    Address,
    Entry,
    Game,
    League,
    Person,
    Season,
    SeasonRound,
    SeasonTable,
    Tx,
)
from referee.store.operations import BasicOperations
from tests.service.rig import House

T = TypeVar("T")
HOUR = 3_600_000
DAY = 24 * HOUR
#: small tables, a week for a round
QUICK = Terms(least=3, most=5, wanted=4, points="6/4/3/2/1", rounds=3, round_days=7)


async def opened(path: Path, **settings: Any) -> House:
    """A house whose chance is the same each time."""
    numbers = count(1)

    def seeds(size: int) -> bytes:
        return hashlib.sha256(f"season {next(numbers)}".encode()).digest()[:size]

    return await House(path, seeds=seeds, **settings).open()


@contextmanager
def questions() -> Iterator[list[object]]:
    """What the store is asked meanwhile, one entry a question."""
    asked: list[object] = []
    found = BasicOperations._found

    def counted(tx: Any, *words: Any) -> Any:
        asked.append(words)
        return found(tx, *words)

    with mock.patch.object(BasicOperations, "_found", counted):
        yield asked


def do(house: House, job: Callable[[UnitOfWork], T]) -> T:
    """One transaction of the office."""
    return house.store.write_now(lambda tx: job(uow(house, tx)))


def uow(house: House, tx: Tx) -> UnitOfWork:
    return UnitOfWork(
        tx, house.clock(), house.referee.outbox_worker._words, house.settings, house.referee.states
    )


def people(house: House, many: int, *, first: int = 1, state: str = "green") -> list[int]:
    """So many people who can be written to."""

    def made(tx: Tx) -> list[int]:
        found = []
        for number in range(first, first + many):
            person = tx.add(Person, name=f"Player {number}x")
            tx.add(
                Address,
                person_id=person,
                channel="terminal",
                address=f"p{number}",
                state=state,
                seen_ms=house.clock(),
            )
            found.append(person)
        return found

    return house.store.write_now(made)


def person(one: UnitOfWork, number: int) -> Person:
    found = one.tx.get(Person, number)
    assert found is not None
    return found


def league(house: House, terms: Terms = QUICK, name: str = "Winter Cup") -> League:
    do(house, lambda one: founding.create(one, name, None, terms))
    return do(house, lambda one: founding.found(one, name))


def season(house: House) -> Season:
    found = house.store.read_now(lambda tx: tx.all(Season, order="-id", limit=1))
    return found[0]


def tables(house: House, *states: str, round_no: int = 0) -> list[SeasonTable]:
    return do(house, lambda one: lookup.tables(one, season(house), round_no, *states))


def rows(house: House) -> list[SeasonRound]:
    return do(house, lambda one: lookup.rounds(one, season(house)))


def joined(house: House, who: Collection[int]) -> None:
    for number in who:
        do(house, lambda one, number=number: sign_up.join(one, season(house), person(one, number)))


async def begun(house: House, many: int = 8, terms: Terms = QUICK, spare: int = 0) -> list[int]:
    """A season that runs, its first round's tables gathering; who is in it (alternates last)."""
    the = league(house, terms)
    do(house, lambda one: sign_up.open_season(one, the, 0, 0))
    found = people(house, many + spare)
    joined(house, found[:many])
    for number in found[many:]:
        do(house, lambda one, number=number: sign_up.alternate(one, season(house), person(one, number)))
    do(house, lambda one: rounds.start(one, season(house)))
    await house.referee.scheduler.ring()
    assert season(house).state == "running"
    return found


def game(house: House, table: SeasonTable) -> Game:
    found = house.store.read_now(lambda tx: tx.get(Game, table.game_id))
    assert found is not None
    return found


def ready(house: House, table: SeasonTable, *, but: Collection[int] = ()) -> None:
    """Everybody there says that they are, but for some."""

    def said(one: UnitOfWork) -> None:
        for seat in one.seats(int(table.game_id or 0)):
            now = lobby.reload(one, table.game_id)
            if seat.person_id not in but and now.status == "mustering" and not seat.ready:
                at = one.tx.one(Address, person_id=seat.person_id)
                assert at is not None
                lobby.ready(one, now, person(one, int(seat.person_id or 0)), at)

    do(house, said)


def play(house: House, table: SeasonTable, seed: int = 1) -> None:
    """Everybody plays to the end, in one go."""
    dice = random.Random(f"{seed} {table.no}")

    def played(one: UnitOfWork) -> None:
        now = lobby.reload(one, table.game_id)
        seats = one.seats(int(now.id or 0))
        done = moves.OrderAttempt(one.states.of(now))
        while done.waiting:
            ask = done.waiting[0]
            done.play(
                seats, ask.seat, BOTS["greedy"].choose(rules.view(done.state, ask.seat), dice), "person"
            )
        enacting.enact(one, now, seats, done)

    do(house, played)


def play_round(house: House, seed: int = 1) -> None:
    """Everybody is ready at every table that gathers, and plays."""
    for table in tables(house, "gathering"):
        ready(house, table)
    for table in tables(house, "playing"):
        play(house, table, seed)


async def ended(house: House) -> None:
    """The day passes that a season leaves for reports after its last table."""
    await house.referee.scheduler.ring()
    house.clock.pass_(hours=24)
    await house.referee.scheduler.ring()


def entry(office: House, who: int) -> Entry:
    """That person's entry in the league."""
    found = office.store.read_now(lambda tx: tx.one(Entry, person_id=who))
    assert found is not None
    return found
