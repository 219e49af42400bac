"""All of somebody's tables: which of them wait for an answer, until when; and what they are told, and
where.
"""

from __future__ import annotations

from typing import Any

from referee.ids import SessionId
from referee.states import ALIVE, AddressState, DeadlineKind, GameStatus
from referee.store import Address, CalendarLink, Deadline, Game, Person, Seat
from referee.text import clean

from ...core.unit_of_work import settings_of
from ...deadlines import clock_state
from ...notices import delivery_rules
from ...people import web_sessions
from ..site.page_cache import PageContext

#: this many games that have ended are listed
_ENDED = 10


def tables_page_facts(look: PageContext, person: Person, here: SessionId) -> dict[str, Any]:
    """tables (those that wait for the reader first), ended, channels, level, calendar, browsers (`here`: the
    one in which this is read).
    """
    tx, me = look.tx, person.id
    tables = [table_row(look, person, seat, game) for seat, game in tx.seats_of(me, ALIVE)]
    tables.sort(key=lambda one: (not one["asked"], one["due_ms"] or 0, one["id"]))
    ended = sorted(
        tx.seats_of(me, (GameStatus.OVER, GameStatus.ABANDONED)), key=lambda pair: -pair[1].ended_ms
    )[:_ENDED]
    return {
        "tables": tables,
        "ended": [
            {"id": game.id, "edition": game.edition, "status": game.status, "ended_ms": game.ended_ms}
            for _, game in ended
        ],
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
        "paused": paused,
        "due_ms": None if due is None or paused or settings_of(game).get("learn") else due.due_ms,
        "waiting": waiting,
        "names": [clean(one.name, 60) for one in seats],
        "ready": bool(seat.ready),
        "wanted": settings_of(game)["seats"],
    }
