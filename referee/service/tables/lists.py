"""What letters list: who sits at a table, and somebody's own tables."""

from __future__ import annotations

from typing import Any

from referee.ids import NOBODY
from referee.states import ALIVE, AddressState, DeadlineKind
from referee.store import Address, Deadline, Outbox, Seat

from ..core.composing import ComposeContext
from ..core.unit_of_work import settings_of


def member(composing: ComposeContext, seat: Seat) -> dict[str, Any]:
    """A seat as anybody may see it."""
    channels = (
        []
        if seat.person_id is None
        else sorted(
            {
                a.channel
                for a in composing.tx.all(Address, person_id=seat.person_id)
                if a.state == AddressState.GREEN
            }
        )
    )
    return {
        "no": seat.no + 1,
        "name": seat.name,
        "bot": seat.bot,
        "ready": bool(seat.ready),
        "channels": channels,
        "misses": seat.misses,
    }


def mine(composing: ComposeContext, row: Outbox) -> list[dict[str, Any]]:
    """The reader's tables."""
    found = []
    for seat, game in composing.tx.seats_of(row.person_id or NOBODY, ALIVE):
        due = composing.tx.one(Deadline, game_id=game.id, seat=seat.no, kind=DeadlineKind.ANSWER, done_ms=0)
        found.append(
            {
                "tag": f"#{game.id}",
                "status": game.status,
                "edition": game.edition,
                "round": game.round,
                "ready": bool(seat.ready),
                "asked": str(seat.no) in game.asked.split(","),
                "due_ms": None if due is None or settings_of(game).get("learn") else due.due_ms,
            }
        )
    return found
