"""Lists for an admin, a page at a time: tables, letters that went wrong, messages set aside, blocked
addresses, the logbook.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from referee.states import ALIVE, DeadlineKind, GameStatus, InboxState, OutboxState
from referee.store import (
    Blocked,
    Deadline,
    Game,
    Inbox,
    OfficeLog,
    Outbox,
    Seat,
    Tx,
)

from ..core import audit_log
from ..core.composing import ComposeContext
from ..core.letters import Facts
from ..core.unit_of_work import settings_of
from ..deadlines import clock_state
from ..play.table_league import told_status
from . import inspect

PAGE = 20
#: makes the context of a list from what is asked for
Filler = Callable[[ComposeContext, "ListedFacts"], dict[str, Any]]


class ListedFacts(Facts):
    """Which page of a list, and of what state."""

    state: str | UnsetType = UNSET
    page: int | UnsetType = UNSET


class GamesListFacts(ListedFacts):
    """Tables."""

    kind = "admin_games"


class LettersListFacts(ListedFacts):
    """Letters that went wrong."""

    kind = "admin_letters"


class InboxListFacts(ListedFacts):
    """Messages set aside."""

    kind = "admin_inbox"


class BlockedListFacts(ListedFacts):
    """Addresses that are not listened to."""

    kind = "admin_blocked"


class LogListFacts(ListedFacts):
    """The logbook of the installation."""

    kind = "admin_log"


class AdminStatsFacts(ListedFacts):
    """The figures of the installation."""

    kind = "admin_stats"


#: word after `admin` -> the list that it shows
LISTS: Mapping[str, type[ListedFacts]] = {
    "games": GamesListFacts,
    "letters": LettersListFacts,
    "inbox": InboxListFacts,
    "blocked": BlockedListFacts,
    "log": LogListFacts,
    "stats": AdminStatsFacts,
}


def games_page(composing: ComposeContext, facts: ListedFacts) -> dict[str, Any]:
    """Tables, the newest first; those that are alive, or of one state."""
    numbers = list_numbers(composing.tx, facts.state or "")
    shown, page, pages = paged(numbers, facts.page or 1)
    rows = [game for game in (composing.tx.get(Game, number) for number in shown) if game is not None]
    return {
        "state": facts.state or "",
        "games": [_game(composing.tx, game) for game in rows],
        "page": page,
        "pages": pages,
        "count": len(numbers),
    }


def list_numbers(tx: Tx, state: str) -> list[int]:
    """The numbers of the tables in a state ("": alive; archived; all), the newest first."""
    if state == "archived":
        every = zip(
            tx.column(Game, "id", order="-id"), tx.column(Game, "archived_ms", order="-id"), strict=True
        )
        return [number for number, archived in every if archived]
    if state == "all":
        return tx.column(Game, "id", order="-id")
    return tx.column(Game, "id", order="-id", status=state or ALIVE, archived_ms=0)


def letters(composing: ComposeContext, facts: ListedFacts) -> dict[str, Any]:
    """Letters that failed, or of which nobody knows whether they arrived."""
    numbers = composing.tx.column(Outbox, "id", state=(OutboxState.FAILED, OutboxState.UNKNOWN), order="-id")
    shown, page, pages = paged(numbers, facts.page or 1)
    rows = [row for row in (composing.tx.get(Outbox, number) for number in shown) if row is not None]
    return {
        "letters": [inspect.letter(row) for row in rows],
        "page": page,
        "pages": pages,
        "count": len(numbers),
    }


def inbox(composing: ComposeContext, facts: ListedFacts) -> dict[str, Any]:
    """Messages that were set aside.

    Not their words: they may be somebody's orders; of what broke only its kind, which can't quote them.
    """
    numbers = composing.tx.column(Inbox, "id", state=InboxState.SHUNTED, order="-id")
    shown, page, pages = paged(numbers, facts.page or 1)
    rows = [row for row in (composing.tx.get(Inbox, number) for number in shown) if row is not None]
    return {
        "messages": [
            {
                "id": row.id,
                "channel": row.channel,
                "from": json.loads(row.body)["address"],
                "at_ms": row.at_ms,
                "tries": row.tries,
                "error": row.error.partition(":")[0],
            }
            for row in rows
        ],
        "page": page,
        "pages": pages,
        "count": len(numbers),
    }


def blocked(composing: ComposeContext, facts: ListedFacts) -> dict[str, Any]:
    """Addresses that are not listened to."""
    rows = composing.tx.all(Blocked, order="channel,address")
    shown, page, pages = paged(rows, facts.page or 1)
    return {
        "blocked": [
            {
                "address": f"{row.channel}:{row.address}",
                "because": row.reason,
                "by": row.by,
                "at_ms": row.at_ms,
            }
            for row in shown
        ],
        "page": page,
        "pages": pages,
        "count": len(rows),
    }


def log(composing: ComposeContext, facts: ListedFacts) -> dict[str, Any]:
    """The logbook of the installation, the newest first, and the first line that does not hold (0: it is
    whole)."""
    numbers = composing.tx.column(OfficeLog, "id", scope=audit_log.HOUSE, order="-no")
    shown, page, pages = paged(numbers, facts.page or 1)
    rows = [row for row in (composing.tx.get(OfficeLog, number) for number in shown) if row is not None]
    return {
        "lines": [
            {
                "no": row.no,
                "at_ms": row.at_ms,
                "by": "" if row.person_id is None else row.by,
                "act": row.act,
                "about": _about(json.loads(row.facts)),
            }
            for row in rows
        ],
        "broken": audit_log.broken(composing.tx, audit_log.HOUSE),
        "page": page,
        "pages": pages,
        "count": len(numbers),
    }


def paged(rows: Sequence[Any], page: int) -> tuple[Sequence[Any], int, int]:
    """One page of a list, its number (the last one where there are not that many), and how many there are."""
    pages = max(1, -(-len(rows) // PAGE))
    page = min(page, pages)
    return rows[(page - 1) * PAGE : page * PAGE], page, pages


def _game(tx: Tx, game: Game) -> dict[str, Any]:
    seats = tx.all(Seat, game_id=game.id, order="no")
    asked = [
        seat.name
        for seat in seats
        if game.status == GameStatus.RUNNING and str(seat.no) in game.asked.split(",")
    ]
    due = tx.one(Deadline, game_id=game.id, kind=DeadlineKind.ANSWER, done_ms=0)
    return {
        "tag": f"#{game.id}",
        "status": told_status(game),
        "edition": game.edition,
        "round": game.round,
        "players": [seat.name for seat in seats],
        "asked": asked,
        "due_ms": None if due is None else due.due_ms,
        "paused": clock_state.paused(clock_state.read_clocks(game)),
        "looked": len(settings_of(game).get("looked", ())),
        "archived": bool(game.archived_ms),
    }


def _about(facts: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
        for name, value in facts.items()
        if value not in ("", None, [])
    }
