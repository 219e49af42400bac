"""What letters list: who sits at a table, somebody's own tables, the points of a game so far."""

from __future__ import annotations

from typing import Any

from referee.store import Address, Deadline, Game, Outbox, Seat

from ..core.cache import lately
from ..core.composing import Composing
from ..core.unit_of_work import settings_of
from ..people import chat_rooms
from ..play.replay import points, unrolled, whole


def course(composing: Composing, game: Game) -> list[list[int]]:
    """The points of each city after every round that is over, by seat; of a finished game at last the score.

    Playing a long game again takes some hundredths of a second, in the store's reader; everybody who is told
    of its end is told within the minute.
    """
    if not game.snapshot or (game.round < 2 and game.status != "over"):
        return []  # no round is over yet
    return lately(
        composing.states,
        composing.now_ms,
        ("course", game.id, game.event_no),
        lambda: points(unrolled(whole(composing.tx, game)), game),
    )


def member(composing: Composing, seat: Seat) -> dict[str, Any]:
    """A seat as anybody may see it."""
    channels = (
        []
        if seat.person_id is None
        else sorted(
            {a.channel for a in composing.tx.all(Address, person_id=seat.person_id) if a.state == "green"}
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


def mine(composing: Composing, row: Outbox) -> list[dict[str, Any]]:
    """The reader's tables."""
    found = []
    for seat, game in composing.tx.seats_of(int(row.person_id or 0), chat_rooms.ACTIVE):
        due = composing.tx.one(Deadline, game_id=game.id, seat=seat.no, kind="answer", done_ms=0)
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
