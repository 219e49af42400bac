"""Somebody goes while their table is played: their seat is to be had, and the season's alternates are asked
for it.
"""

from __future__ import annotations

from referee.ids import ALL_ROUNDS, NO_GAME, PersonId, RoundNo
from referee.states import EntryState, GameStatus, TableState
from referee.store import Entry, Game, Person, Season, SeasonTable, Seat

from ...core.unit_of_work import UnitOfWork, json_text, settings_of
from ...deadlines import clock_state
from ...play import bot_turns, clock_news, seat_offers
from ...tables import lobby
from .. import hooks, lookup
from ..scores import penalties
from . import gathering


def release_tables(uow: UnitOfWork, season: Season, person_id: PersonId, *, removed: bool = False) -> None:
    """Somebody is out of a season that goes on: at their tables nobody waits for them any more.

    Until somebody takes the seat they can still play on in it; not where an official has taken them out
    (`removed`).
    """
    for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING, TableState.PLAYING):
        game = lookup.game_of(uow, table)
        if game is None:
            continue
        if game.status == GameStatus.MUSTERING:
            gathering.withdrawn(uow, season, table, game, person_id)
        elif game.status == GameStatus.RUNNING:
            seat = uow.tx.one(Seat, game_id=game.id, person_id=person_id)
            if seat is not None and removed:
                gathering.kicked(uow, season, game, seat)
            elif seat is not None:
                to_be_had(uow, game, seat)


def to_be_had(uow: UnitOfWork, game: Game, seat: Seat) -> None:
    """Nobody waits for a seat's player, and it is offered."""
    clocks = clock_state.known(uow, game)
    mine = clocks.seat(seat.no)
    if mine.probation and mine.offered:
        return
    mine.probation = mine.offered = True
    bot = bot_turns.announced(uow, clock_state.policy_of(game))
    clock_news.publish(uow, game, clocks, "offered", {"seat": seat.no, **bot}, (seat.no,))


def enrolled(
    uow: UnitOfWork, season: Season, table: SeasonTable, person: Person, from_round: RoundNo | None = None
) -> None:
    """An alternate plays in the season: from that round on, else from the one after the table's (at which
    they play all the same).
    """
    uow.tx.change(
        Entry,
        {"season_id": season.id, "person_id": person.id, "state": (EntryState.WAITING, EntryState.SIGNED)},
        state=EntryState.PLAYING,
        division=table.division,
        from_round=from_round or table.round + 1,
    )


def charged(uow: UnitOfWork, season: Season) -> bool:
    """Anyone who was replaced at a table or kicked from it has left it to others; whether there was anybody
    new.
    """
    tables = lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING, TableState.PLAYING)
    numbers = tuple(one.game_id or NO_GAME for one in tables)
    found = dict(
        zip(
            uow.tx.column(Game, "id", id=numbers, order="id"),
            uow.tx.column(Game, "settings", id=numbers, order="id"),
            strict=True,
        )
    )
    anybody = False
    for number, text in found.items():
        if '"left"' not in text:
            continue
        game = lobby.reload(uow, number)
        told = hooks.read_league(game)
        if told is None:
            continue
        fresh = told["left"][told.get("charged", 0) :]
        for who, why in fresh:
            entry = lookup.entry_of(uow, season, PersonId(int(who)))
            if why in ("replaced", "kicked") and entry is not None and entry.state == EntryState.PLAYING:
                penalties.abandoned(uow, season, PersonId(int(who)), str(why))
        if fresh:
            anybody = True
            settings = settings_of(game)
            settings["league"]["charged"] = len(told["left"])
            uow.tx.set(Game, game.id, settings=json_text(settings))
    return anybody


def released(uow: UnitOfWork, season: Season) -> bool:
    """Who is out for having left tables to others is waited for at no other one; whether there was anybody
    new.
    """
    struck = lookup.mind(season).get("struck")
    if not struck:
        return False
    season = lookup.keep(uow, season, struck=None)
    for who in struck:
        entry = lookup.entry_of(uow, season, PersonId(int(who)))
        if entry is not None and entry.state == EntryState.WITHDRAWN:
            release_tables(uow, season, entry.person_id)
    return True


def ask_alternates(uow: UnitOfWork, season: Season) -> None:
    """Somebody stands by: whatever seats are to be had are offered."""
    for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.PLAYING):
        game = lookup.game_of(uow, table)
        if game is not None and game.status == GameStatus.RUNNING:
            seat_offers.offer_seats(uow, game)
