"""Tables that gather: who is not there in time is replaced, or it begins without them, or with a stand-in in
their seat.

Nobody's no waits for an official: an alternate is called first, and has as long as everybody had; then the
table begins with those who are there, if they are enough; else with a seat for which nobody waits. Where
nobody is there at all the table is void.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.policy import HOUR_MS
from referee.rules import SetupError, lists
from referee.states import EntryState, GameStatus, TableState
from referee.store import Game, Person, Season, SeasonTable, Seat

from ..core import outbox
from ..core.unit_of_work import Sitting, settings_of, written
from ..deadlines import clock_state, rows
from ..people.letter_facts import MusterFacts
from ..people.replies import notices
from ..play import seat_offers
from ..tables import dealing, lobby
from . import hooks, lookup, open_tables, penalties
from .announcements import announce
from .terms import Terms


def missing(sitting: Sitting, game: Game) -> list[Seat]:
    """The seats whose people have not said that they are there."""
    return [seat for seat in sitting.seats(int(game.id or 0)) if not seat.ready]


def remind(sitting: Sitting, season: Season, table: SeasonTable, game: Game, terms: Terms) -> None:
    """Half of the time is over: ask once more."""
    for seat in missing(sitting, game):
        outbox.to_seat(sitting, game, seat, MusterFacts(again=True))
    _mark(sitting, game, reminded=True)


def late(sitting: Sitting, season: Season, table: SeasonTable, game: Game, terms: Terms) -> None:
    """The time is up for whoever is not there."""
    absent = missing(sitting, game)
    if not absent:
        return
    told = hooks.mine(game) or {}
    called = call(sitting, season, table, game) if not told.get("tries") else []
    if called:
        _mark(
            sitting,
            lobby.reload(sitting, game.id),
            tries=1,
            until=sitting.now_ms + terms.late_hours * HOUR_MS,
            reminded=False,
        )
        return
    there = [seat for seat in sitting.seats(int(game.id or 0)) if seat.ready]
    for seat in absent:
        _no_show(sitting, season, terms, seat)
    if not there:
        _void(sitting, season, table, game)
    elif not _without(sitting, season, table, game, terms, there):
        _with(sitting, season, table, game, absent)


def call(sitting: Sitting, season: Season, table: SeasonTable, game: Game) -> list[int]:
    """Alternates take the seats of those who are not there, as far as there are any; who came."""
    spare = [
        one
        for one in lookup.entries(sitting, season, EntryState.WAITING)
        if outbox.best(sitting, one.person_id) is not None
    ]
    taken = {seat.person_id for seat in sitting.seats(int(game.id or 0))}
    came: list[int] = []
    for seat in missing(sitting, game):
        entry = next((one for one in spare if one.person_id not in taken), None)
        person = None if entry is None else sitting.tx.get(Person, entry.person_id)
        if entry is None or person is None:
            break
        spare.remove(entry)
        replaced(sitting, season, table, game, seat, person)
        came.append(int(person.id or 0))
    return came


def replaced(
    sitting: Sitting, season: Season, table: SeasonTable, game: Game, seat: Seat, person: Person
) -> None:
    """Somebody else plays in this seat of a table that gathers; whoever had it was not there."""
    gone = int(seat.person_id or 0)
    entry = lookup.entry_of(sitting, season, gone)
    playing = entry is not None and entry.state == EntryState.PLAYING
    if playing:
        penalties.abandoned(sitting, season, gone, "no show")
    if gone:
        hooks.left(sitting, game, gone, "no show" if playing else "withdrawn")
    swapped(sitting, table, game, seat, person)
    facts = {
        "round": table.round,
        "table": table.no,
        "out": lookup.name_of(sitting, gone),
        "into": person.name,
    }
    there = [int(one.person_id or 0) for one in sitting.seats(int(game.id or 0))]
    announce(
        sitting,
        lookup.league_of(sitting, season),
        "league-replaced",
        facts,
        sorted({one for one in (gone, *there) if one}),
    )


def swapped(sitting: Sitting, table: SeasonTable, game: Game, seat: Seat, person: Person) -> None:
    """Another person has a seat of a table that gathers, as if they had been drawn for it."""
    open_tables.placed(sitting, lobby.reload(sitting, game.id), person, seat.no)
    hooks.seated(sitting, game, int(person.id or 0))
    seat_offers.unasked(sitting, person.id)
    people = lookup.people_of(table)
    sitting.tx.set(
        SeasonTable,
        table.id,
        people=written([int(person.id or 0) if one == seat.person_id else one for one in people]),
    )


def _no_show(sitting: Sitting, season: Season, terms: Terms, seat: Seat) -> None:
    entry = lookup.entry_of(sitting, season, seat.person_id)
    if entry is not None and entry.state == EntryState.PLAYING:
        penalties.abandoned(sitting, season, int(seat.person_id or 0), "no show")


def _without(
    sitting: Sitting, season: Season, table: SeasonTable, game: Game, terms: Terms, there: list[Seat]
) -> bool:
    """Begin with those who are there, where so many may play; False where they are too few."""
    settings = settings_of(game)
    choice = lists.choice_of(settings.get("choice", {}))
    try:
        if len(there) < terms.least:
            return False
        lobby.allowed(game.edition, len(there), settings["options"], choice, bytes.fromhex(game.seed))
    except SetupError:  # those cards need more people
        return False
    seats = sitting.seats(int(game.id or 0))
    order = [*seats[settings["crown"] :], *seats[: settings["crown"]]]
    crowned = next(seat for seat in order if seat.ready)
    for seat in seats:
        if not seat.ready:
            hooks.left(sitting, game, seat.person_id, "no show")
            sitting.tx.drop(Seat, game_id=game.id, no=seat.no)
            outbox.to_person(
                sitting,
                int(seat.person_id or 0),
                "notice",
                game_id=game.id,
                data=notices(
                    "league-began-without", game=game.id, league=settings["league"]["name"], names=[seat.name]
                ),
            )
    for no, seat in enumerate(there):
        if seat.no != no:
            sitting.tx.set(Seat, seat.id, no=no)
    fresh = lobby.reload(sitting, game.id)
    crown = [seat.id for seat in there].index(crowned.id)
    fresh = sitting.tx.renew(
        Game, fresh, settings=written({**settings_of(fresh), "seats": len(there), "crown": crown})
    )
    sitting.tx.set(SeasonTable, table.id, crown=crown, people=written([seat.person_id for seat in there]))
    dealing.begin(sitting, fresh)
    return True


def _with(sitting: Sitting, season: Season, table: SeasonTable, game: Game, absent: list[Seat]) -> None:
    """Begin all the same: nobody waits for those who are not there, their seats can be had, and a stand-in
    plays until somebody comes.
    """
    clocks = clock_state.read(game)
    for seat in absent:
        mine = clocks.seat(seat.no)
        mine.stand(replace(mine.standing(), probation=True, offered=True))
        sitting.tx.set(Seat, seat.id, ready=1)
    dealing.begin(sitting, sitting.tx.renew(Game, game, clocks=clock_state.written(clocks)))
    seat_offers.begin(sitting, lobby.reload(sitting, game.id))
    facts = {
        "round": table.round,
        "table": table.no,
        "game": game.id,
        "names": [seat.name for seat in absent],
    }
    announce(sitting, lookup.league_of(sitting, season), "league-waits", facts, "rooms")


def _void(sitting: Sitting, season: Season, table: SeasonTable, game: Game) -> None:
    """Nobody came."""
    sitting.tx.set(Game, game.id, status=GameStatus.ABANDONED, ended_ms=sitting.now_ms, question=0, asked="")
    rows.stop(sitting, int(game.id or 0))
    sitting.tx.set(SeasonTable, table.id, state=TableState.VOID, ended_ms=sitting.now_ms)
    announce(
        sitting,
        lookup.league_of(sitting, season),
        "league-void",
        {"round": table.round, "table": table.no},
        lookup.people_of(table),
    )


def _mark(sitting: Sitting, game: Game, **facts: Any) -> None:
    """Keep in the table's settings how far its gathering is."""
    settings = settings_of(game)
    settings["league"] |= facts
    sitting.tx.set(Game, game.id, settings=written(settings))


def withdrawn(sitting: Sitting, season: Season, table: SeasonTable, game: Game, person_id: int) -> None:
    """Somebody who is out of the season sits at a table that gathers: an alternate is called, else it waits
    as long as it would have.
    """
    seat = sitting.tx.one(Seat, game_id=game.id, person_id=person_id)
    if seat is None:
        return
    sitting.tx.set(Seat, seat.id, ready=0)
    spare = next(
        (
            one
            for one in lookup.entries(sitting, season, EntryState.WAITING)
            if outbox.best(sitting, one.person_id) is not None
        ),
        None,
    )
    person = None if spare is None else sitting.tx.get(Person, spare.person_id)
    if person is not None:
        replaced(sitting, season, table, game, sitting.tx.get(Seat, seat.id) or seat, person)
