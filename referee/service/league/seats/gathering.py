"""Tables that gather: who is not there in time is replaced, or it begins without them, or with a stand-in in
their seat.

Nobody's no waits for an official: an alternate is called first, and has as long as everybody had; then the
table begins with those who are there, if they are enough; else with a seat for which nobody waits. Where
nobody is there at all the table is void.
"""

from __future__ import annotations

from typing import Any, cast

from referee.ids import NOBODY, PersonId
from referee.policy import HOUR_MS, Span, skipping
from referee.rules import SetupError, lists
from referee.states import EntryState, GameStatus, TableState
from referee.store import Game, Person, Season, SeasonTable, Seat

from ...core import outbox
from ...core.table_settings import TableLeague
from ...core.unit_of_work import UnitOfWork, json_text, settings_of
from ...deadlines import clock_state, rows
from ...decisions import unseat
from ...people.letter_facts import MusterFacts, notice
from ...play import bot_turns, seat_offers
from ...tables import dealing, lobby
from .. import hooks, lookup, pausing
from ..announcements import announce
from ..scores import outcome, penalties
from ..scores.outcome import Code, Outcome
from ..terms import Terms
from . import open_tables, substitutes


def missing(uow: UnitOfWork, game: Game) -> list[Seat]:
    """The seats whose people have not said that they are there."""
    return [seat for seat in uow.seats(game.id) if not seat.ready]


def taken_out(uow: UnitOfWork, season: Season, seat: Seat) -> bool:
    """Whether an official took the seat's player out of the season."""
    entry = lookup.entry_of(uow, season, seat.person_id)
    return entry is not None and entry.state == EntryState.REMOVED


def remind(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game, terms: Terms) -> None:
    """Half of the time is over: ask once more."""
    for seat in missing(uow, game):
        if not taken_out(uow, season, seat):
            outbox.to_seat(uow, game, seat, MusterFacts(again=True))
    _mark(uow, game, reminded=True)


def close_gathering(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game, terms: Terms) -> None:
    """The time is up for anyone who is not there."""
    absent = missing(uow, game)
    if not absent:
        return
    told = hooks.read_league(game)
    called = call(uow, season, table, game) if told is None or not told.get("tries") else []
    if called:
        _mark(
            uow,
            lobby.reload(uow, game.id),
            tries=1,
            until=skipping(
                (Span(*one) for one in pausing.spans(season)), uow.now_ms, terms.late_hours * HOUR_MS
            ),
            reminded=False,
        )
        return
    there = [seat for seat in uow.seats(game.id) if seat.ready]
    for seat in absent:
        _no_show(uow, season, terms, seat)
    if not there:
        _void(uow, season, table, game)
    elif not _without(uow, season, table, game, terms, there):
        _with(uow, season, table, game, absent)


def call(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game) -> list[PersonId]:
    """Alternates take the seats of those who are not there, as far as there are any; who came."""
    taken = {seat.person_id for seat in uow.seats(game.id)}
    spare = [one.person_id for one in substitutes.reachable(uow, season, table) if one.person_id not in taken]
    came: list[PersonId] = []
    for seat in missing(uow, game):
        next_one = next(iter(substitutes.in_order(uow, season, spare, seat.person_id)), None)
        person = None if next_one is None else uow.tx.get(Person, next_one)
        if person is None:
            break
        spare.remove(person.id)
        replaced(uow, season, table, game, seat, person)
        came.append(person.id)
    return came


def replaced(
    uow: UnitOfWork, season: Season, table: SeasonTable, game: Game, seat: Seat, person: Person
) -> None:
    """Somebody else plays in this seat of a table that gathers; the one who had it was not there."""
    gone = seat.person_id or NOBODY
    entry = lookup.entry_of(uow, season, gone)
    playing = entry is not None and entry.state == EntryState.PLAYING
    if playing:
        penalties.abandoned(uow, season, gone, "no show")
    if gone:
        hooks.left(uow, game, gone, "no show" if playing else "withdrawn")
    swapped(uow, table, game, seat, person)
    facts = {
        "round": table.round,
        "table": table.no,
        "out": lookup.name_of(uow, gone),
        "into": person.name,
    }
    there = [one.person_id or NOBODY for one in uow.seats(game.id)]
    announce(
        uow,
        lookup.league_of(uow, season),
        "league-replaced",
        facts,
        sorted({one for one in (gone, *there) if one}),
    )


def swapped(uow: UnitOfWork, table: SeasonTable, game: Game, seat: Seat, person: Person) -> None:
    """Another person has a seat of a table that gathers, as if they had been drawn for it."""
    open_tables.placed(uow, lobby.reload(uow, game.id), person, seat.no)
    hooks.alternate_seated(uow, game, person.id)
    seat_offers.unasked(uow, person.id)
    people = lookup.people_of(table)
    uow.tx.set(
        SeasonTable,
        table.id,
        people=json_text([person.id if one == seat.person_id else one for one in people]),
    )


def _no_show(uow: UnitOfWork, season: Season, terms: Terms, seat: Seat) -> None:
    entry = lookup.entry_of(uow, season, seat.person_id)
    if entry is not None and entry.state == EntryState.PLAYING:
        penalties.abandoned(uow, season, seat.person_id or NOBODY, "no show")


def _without(
    uow: UnitOfWork, season: Season, table: SeasonTable, game: Game, terms: Terms, there: list[Seat]
) -> bool:
    """Begin with those who are there, where that many may play; False where they are too few."""
    settings = settings_of(game)
    choice = lists.choice_of(settings.get("choice", {}))
    try:
        if len(there) < terms.least:
            return False
        lobby.allowed(game.edition, len(there), settings["options"], choice, bytes.fromhex(game.seed))
    except SetupError:  # those cards need more people
        return False
    seats = uow.seats(game.id)
    order = [*seats[settings["crown"] :], *seats[: settings["crown"]]]
    crowned = next(seat for seat in order if seat.ready)
    for seat in seats:
        if not seat.ready:
            hooks.left(uow, game, seat.person_id, "no show")
            uow.tx.drop(Seat, game_id=game.id, no=seat.no)
            outbox.to_person(
                uow,
                seat.person_id or NOBODY,
                notice(
                    "league-began-without", game=game.id, league=settings["league"]["name"], names=[seat.name]
                ),
                game_id=game.id,
            )
    for no, seat in enumerate(there):
        if seat.no != no:
            uow.tx.set(Seat, seat.id, no=no)
    fresh = lobby.reload(uow, game.id)
    crown = [seat.id for seat in there].index(crowned.id)
    fresh = uow.tx.renew(
        Game, fresh, settings=json_text({**settings_of(fresh), "seats": len(there), "crown": crown})
    )
    uow.tx.set(SeasonTable, table.id, crown=crown, people=json_text([seat.person_id for seat in there]))
    dealing.deal_game(uow, fresh)
    return True


def _with(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game, absent: list[Seat]) -> None:
    """Begin all the same: nobody waits for those who are not there, their seats can be had, and a stand-in
    plays until somebody comes.
    """
    clocks = clock_state.read_clocks(game)
    for seat in absent:
        mine = clocks.seat(seat.no)
        mine.probation = mine.offered = True
        uow.tx.set(Seat, seat.id, ready=1)
    dealing.deal_game(uow, uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(clocks)))
    for seat in absent:
        if taken_out(uow, season, seat):
            kicked(uow, season, lobby.reload(uow, game.id), seat)
    seat_offers.offer_seats(uow, lobby.reload(uow, game.id))
    facts = {
        "round": table.round,
        "table": table.no,
        "game": game.id,
        "names": [seat.name for seat in absent],
        **bot_turns.announced(uow, clock_state.policy_of(game)),
    }
    announce(uow, lookup.league_of(uow, season), "league-waits", facts, "rooms")


def kicked(uow: UnitOfWork, season: Season, game: Game, seat: Seat) -> None:
    """Whom an official took out of the season loses their seat at a table that is played."""
    league = lookup.league_of(uow, season)
    unseat.kick(uow, game, {"player": seat.no}, {"seat": None, "by": league.name})


def _void(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game) -> None:
    """Nobody came."""
    uow.tx.set(Game, game.id, status=GameStatus.ABANDONED, ended_ms=uow.now_ms, question=0, asked="")
    rows.stop(uow, game.id)
    outcome.decided(uow, table, TableState.VOID, uow.now_ms, Outcome(Code.VOID, "absent"))
    announce(
        uow,
        lookup.league_of(uow, season),
        "league-void",
        {"season": season.no, "round": table.round, "table": table.no, "cause": "absent"},
        lookup.people_of(table),
    )


def _mark(uow: UnitOfWork, game: Game, **facts: Any) -> None:
    """Keep in the table's settings how far its gathering is."""
    settings = settings_of(game)
    settings["league"] = cast("TableLeague", {**settings["league"], **facts})
    uow.tx.set(Game, game.id, settings=json_text(settings))


def withdrawn(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game, person_id: PersonId) -> None:
    """Somebody who is out of the season sits at a table that gathers: an alternate is called, else it waits
    as long as it would have.
    """
    seat = uow.tx.one(Seat, game_id=game.id, person_id=person_id)
    if seat is None:
        return
    uow.tx.set(Seat, seat.id, ready=0)
    taken = {one.person_id for one in uow.seats(game.id)}
    spare = [one.person_id for one in substitutes.reachable(uow, season, table) if one.person_id not in taken]
    first = next(iter(substitutes.in_order(uow, season, spare, person_id)), None)
    person = None if first is None else uow.tx.get(Person, first)
    if person is not None:
        replaced(uow, season, table, game, uow.tx.get(Seat, seat.id) or seat, person)
