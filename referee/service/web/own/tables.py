"""All of somebody's tables: which of them wait for an answer, until when; and what they are told, and
where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.ids import GameId, PersonId, SessionId
from referee.states import ALIVE, ENDED, GATHERING, AddressState, DeadlineKind, GameStatus
from referee.store import Address, CalendarLink, Deadline, Game, Person, Seat, Tx
from referee.text import clean

from ...core.unit_of_work import settings_of
from ...deadlines import clock_state, season_pauses
from ...notices import delivery_rules
from ...people import web_sessions
from ...play.table_league import told_status
from ..site.page_cache import PageContext

#: this many games that have ended stand on one page
_ENDED = 10
#: a table that waits for its reader without a clock comes after those that have one
_NO_HURRY = 1 << 60


def tables_page_facts(look: PageContext, person: Person, here: SessionId, page: int) -> dict[str, Any] | None:
    """tables (as `by_urgency`), ended with ended_page and ended_pages, channels, level, calendar, browsers
    (`here`: the one in which this is read); None where there is no such page of those that have ended.
    """
    tx, me = look.tx, person.id
    tables = [table_row(look, person, seat, game) for seat, game in tx.seats_of(me, ALIVE)]
    tables.sort(key=by_urgency)
    ended = ended_numbers(tx, me)
    pages = max(1, -(-len(ended) // _ENDED))
    if not 1 <= page <= pages:
        return None
    return {
        "tables": tables,
        "ended": ended_tables(tx, ended[(page - 1) * _ENDED : page * _ENDED]),
        "ended_page": page,
        "ended_pages": pages,
        "zone": person.zone,
        "level": delivery_rules.level_of(person, None),
        "calendar": tx.one(CalendarLink, person_id=me) is not None,
        "channels": sorted(
            {one.channel for one in tx.all(Address, person_id=me) if one.state == AddressState.GREEN}
        ),
        "browsers": [
            {
                "id": one.id,
                "name": one.browser,
                "since_ms": one.made_ms,
                "used_ms": None if web_sessions.lately_used(one, look.now_ms) else one.seen_ms,
                "here": one.id == here,
            }
            for one in web_sessions.sessions_of(tx, me, look.now_ms)
        ],
    }


def by_urgency(row: dict[str, Any]) -> tuple[int, int, int]:
    """First what waits for the reader, the least time left first, then what is played, then what gathers."""
    waits = row["asked"] or (row["status"] == GameStatus.MUSTERING and not row["ready"])
    rank = 0 if waits else 2 if row["status"] in GATHERING else 1
    return rank, row["due_ms"] or _NO_HURRY, row["id"]


def ended_numbers(tx: Tx, person_id: PersonId) -> list[GameId]:
    """Somebody's tables that have ended, the newest first."""
    numbers = tuple(tx.column(Seat, "game_id", person_id=person_id))
    return tx.column(Game, "id", id=numbers, status=ENDED, order="-ended_ms,-id")


def ended_tables(tx: Tx, numbers: Sequence[GameId]) -> list[dict[str, Any]]:
    """These tables, in this order: id, edition, status, ended_ms; no position is read."""
    names = ("id", "edition", "status", "ended_ms")
    columns = [tx.column(Game, name, id=tuple(numbers), order="-ended_ms,-id") for name in names]
    found = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    given_up = tuple(one["id"] for one in found if one["status"] == GameStatus.ABANDONED)
    ended = {game.id: told_status(game) for game in tx.all(Game, id=given_up)}
    return [{**one, "status": ended.get(one["id"], one["status"])} for one in found]


def table_row(look: PageContext, person: Person, seat: Seat, game: Game) -> dict[str, Any]:
    """One table in the list."""
    asked = game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(",")
    due = (
        look.tx.one(Deadline, game_id=game.id, seat=seat.no, kind=DeadlineKind.ANSWER, done_ms=0)
        if asked
        else None
    )
    paused = clock_state.paused(clock_state.read_clocks(game))
    seats = look.tx.all(Seat, game_id=game.id, order="no")
    waiting = [
        clean(one.name, 60)
        for one in seats
        if game.status == GameStatus.RUNNING and str(one.no) in game.asked.split(",")
    ]
    return {
        "id": game.id,
        "edition": game.edition,
        "status": game.status,
        "round": game.round,
        "asked": asked,
        "paused": season_pauses.stands(game, look.now_ms),
        "due_ms": None if due is None or paused or settings_of(game).get("learn") else due.due_ms,
        "waiting": waiting,
        "names": [clean(one.name, 60) for one in seats],
        "ready": bool(seat.ready),
        "wanted": settings_of(game)["seats"],
    }
