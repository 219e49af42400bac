"""A season's vacation: where several tables are one season, a player's days are counted, begin and end for
all of them together.

Which season a table belongs to stands in its settings (`season`); a table outside of seasons keeps its own
account in its clocks. Every table of a season has a copy of what the player took, so that a clock needs
nothing else; this is where the copies come from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from referee.ids import PersonId
from referee.policy import Span, interrupted, spared
from referee.states import GameStatus
from referee.store import Game, SeasonTime, Seat

from ..core.unit_of_work import UnitOfWork, json_text, settings_of
from . import clock_state
from .clock_state import SeatTime, TableTime


def season_of(game: Game) -> str:
    """The name of a table's season, "" for none."""
    return str(settings_of(game).get("season", ""))


def taken(uow: UnitOfWork, game: Game, person_id: PersonId | None) -> list[tuple[int, int]]:
    """What a person has taken so far of the vacation of this table's season; nothing outside of seasons."""
    season = season_of(game)
    row = (
        uow.tx.one(SeasonTime, season=season, person_id=person_id)
        if season and person_id is not None
        else None
    )
    return [] if row is None else [(int(start), int(end)) for start, end in json.loads(row.vacations)]


def dealt(uow: UnitOfWork, game: Game, seats: list[Seat], table: TableTime) -> bool:
    """A table begins: what its players took in the season counts here, too.

    Whether there is anything of that.
    """
    if not season_of(game):
        return False
    for seat in seats:
        spans = taken(uow, game, seat.person_id)
        if spans:
            table.seat(seat.no).vacations = spans
    return any(one.vacations for one in table.seats.values())


def kept(uow: UnitOfWork, game: Game, seat: Seat, mine: SeatTime) -> list[tuple[Game, Seat, TableTime]]:
    """A player's vacation has changed at a table: so it has at all others of the season, which are returned
    as they are to be published, (table, their seat there, its clocks).
    """
    season, tx = season_of(game), uow.tx
    if not season or seat.person_id is None:
        return []
    row = tx.one(SeasonTime, season=season, person_id=seat.person_id)
    if row is None:
        tx.add(SeasonTime, season=season, person_id=seat.person_id, vacations=json_text(mine.vacations))
    else:
        tx.set(SeasonTime, row.id, vacations=json_text(mine.vacations))
    found: list[tuple[Game, Seat, TableTime]] = []
    for its, other in tx.seats_of(seat.person_id, (GameStatus.RUNNING,)):
        if other.id != game.id and season_of(other) == season:
            table = clock_state.known(uow, other)
            if [tuple(one) for one in table.seat(its.no).vacations] != [tuple(one) for one in mine.vacations]:
                table.seat(its.no).vacations = list(mine.vacations)
                found.append((other, its, table))
    return found


def without(
    vacations: Iterable[tuple[int, int]], held: Iterable[tuple[int, int]], since_ms: int, now_ms: int
) -> list[tuple[int, int]]:
    """Vacations at one table, or of one season, after an outage that is over now; what lasts into a pause by
    that (`held`) goes on after it.
    """
    kept = spared((Span(*one) for one in vacations), Span(since_ms, now_ms))
    return [(one.start, one.end) for one in interrupted(kept, (Span(*one) for one in held))]


def given_back(uow: UnitOfWork, since_ms: int, held: Mapping[str, Iterable[tuple[int, int]]]) -> None:
    """The same in what is kept of every season, for its tables to come; `held`: its pauses, by its name."""
    for row in uow.tx.all(SeasonTime, order="id"):
        pauses = list(held.get(row.season, ()))
        spans = without(json.loads(row.vacations), pauses, since_ms, uow.now_ms)
        spans = no_later(spans, pauses, uow.now_ms)
        text = json_text(spans)
        if text != row.vacations:
            uow.tx.set(SeasonTime, row.id, vacations=text)


def no_later(
    vacations: Iterable[tuple[int, int]], held: Iterable[tuple[int, int]], now_ms: int
) -> list[tuple[int, int]]:
    """Vacations where a clock was ahead: none lies ahead but what goes on after a pause of the season."""
    rest = {end for _, end in held}
    return [
        (now_ms, now_ms + end - start) if start > now_ms and start not in rest else (start, end)
        for start, end in vacations
    ]


def sooner(vacations: Iterable[tuple[int, int]], never: Sequence[Span]) -> list[tuple[int, int]]:
    """Vacations without time that never was, the latest first."""
    found = [Span(*one) for one in vacations]
    for gone in never:
        length = gone.end - gone.start
        found = [Span(a - length, b - length) if a >= gone.end else Span(a, b) for a, b in found]
    return [(one.start, one.end) for one in found]


def taken_back(uow: UnitOfWork, never: Sequence[Span]) -> None:
    """The same in what is kept of every season."""
    for row in uow.tx.all(SeasonTime, order="id") if never else ():
        uow.tx.set(SeasonTime, row.id, vacations=json_text(sooner(json.loads(row.vacations), never)))
