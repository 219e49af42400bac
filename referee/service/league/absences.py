"""Somebody goes while their table is played: their seat is to be had, and the season's alternates are asked
for it.
"""

from __future__ import annotations

from dataclasses import replace

from referee.states import EntryState, GameStatus, TableState
from referee.store import Entry, Game, Person, Season, SeasonTable, Seat

from ..core.unit_of_work import Sitting, settings_of, written
from ..deadlines import rows
from ..play import clock_news, seat_offers
from ..tables import lobby
from . import gathering, hooks, lookup, penalties


def gone(sitting: Sitting, season: Season, person_id: int) -> None:
    """Somebody is out of a season that goes on: at their tables nobody waits for them any more.

    Until somebody takes the seat they can still play on in it.
    """
    for table in lookup.tables(sitting, season, 0, TableState.GATHERING, TableState.PLAYING):
        game = lookup.game_of(sitting, table)
        if game is None:
            continue
        if game.status == GameStatus.MUSTERING:
            gathering.withdrawn(sitting, season, table, game, person_id)
        elif game.status == GameStatus.RUNNING:
            seat = sitting.tx.one(Seat, game_id=game.id, person_id=person_id)
            if seat is not None:
                to_be_had(sitting, game, seat)


def to_be_had(sitting: Sitting, game: Game, seat: Seat) -> None:
    """Nobody waits for a seat's player, and it is offered."""
    clocks = rows.known(sitting, game)
    mine = clocks.seat(seat.no)
    if mine.probation and mine.offered:
        return
    mine.stand(replace(mine.standing(), probation=True, offered=True))
    clock_news.publish(sitting, game, clocks, "offered", {"seat": seat.no}, (seat.no,))


def enrolled(
    sitting: Sitting, season: Season, table: SeasonTable, person: Person, from_round: int = 0
) -> None:
    """An alternate plays in the season: from that round on, else from the one after the table's (at which
    they play all the same).
    """
    sitting.tx.change(
        Entry,
        {"season_id": season.id, "person_id": person.id, "state": (EntryState.WAITING, EntryState.SIGNED)},
        state=EntryState.PLAYING,
        division=table.division,
        from_round=from_round or table.round + 1,
    )


def charged(sitting: Sitting, season: Season) -> bool:
    """Whoever was replaced at a table or kicked from it has left it to others; whether there was anybody
    new.
    """
    tables = lookup.tables(sitting, season, 0, TableState.GATHERING, TableState.PLAYING)
    numbers = tuple(int(one.game_id or 0) for one in tables)
    found = dict(
        zip(
            sitting.tx.column(Game, "id", id=numbers, order="id"),
            sitting.tx.column(Game, "settings", id=numbers, order="id"),
            strict=True,
        )
    )
    anybody = False
    for number, text in found.items():
        if '"left"' not in text:
            continue
        game = lobby.reload(sitting, number)
        told = hooks.mine(game) or {}
        fresh = told["left"][told.get("charged", 0) :]
        for who, why in fresh:
            entry = lookup.entry_of(sitting, season, int(who))
            if why in ("replaced", "kicked") and entry is not None and entry.state == EntryState.PLAYING:
                penalties.abandoned(sitting, season, int(who), str(why))
        if fresh:
            anybody = True
            settings = settings_of(game)
            settings["league"]["charged"] = len(told["left"])
            sitting.tx.set(Game, game.id, settings=written(settings))
    return anybody


def ask_alternates(sitting: Sitting, season: Season) -> None:
    """Somebody stands by: whatever seats are to be had are offered."""
    for table in lookup.tables(sitting, season, 0, TableState.PLAYING):
        game = lookup.game_of(sitting, table)
        if game is not None and game.status == GameStatus.RUNNING:
            seat_offers.begin(sitting, game)
