"""What letters list: what happened lately, who sits at a table, somebody's own tables, how a game ended."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from referee import rules
from referee.store import Address, Deadline, Game, Outbox, Seat

from ..core.cache import lately
from ..core.unit_of_work import names, settings_of
from ..play.records import proof
from ..play.replay import points, unrolled, whole

if TYPE_CHECKING:
    from ..outbound.compose import Desk

#: what is told with its moment on a page of history: what was decided
DATED = frozenset(
    {
        "proposed",
        "voted",
        "seconded",
        "withdrawn",
        "carried",
        "refused",
        "lapsed",
        "paused",
        "unpaused",
        "extended",
        "seat_offered",
        "kicked",
        "rewound",
        "processed",
        "looked",
        "miss_forgiven",
        "gathers_anew",
        "book_restored",
        "ruling",
    }
)


def history(desk: Desk, game: Game, seats: list[Seat], context: dict[str, Any]) -> None:
    """Fill in what happened publicly, the newest last.

    Orders of the selection phase are secret, so events are told.
    """
    most = int(context.get("count") or 20)
    last = desk.tx.events_since(int(game.id or 0), 0, None)[-most:]
    context |= {
        "events": [
            {
                "name": e.name,
                "facts": json.loads(e.facts),
                "no": e.no,
                **({"at_ms": e.at_ms} if e.name in DATED else {}),
            }
            for e in last
        ],
        "names": names(seats),
        "rounds": course(desk, game),
    }


def course(desk: Desk, game: Game) -> list[list[int]]:
    """The points of each city after every round that is over, by seat; of a finished game at last the score.

    Playing a long game again takes some hundredths of a second, in the store's reader; everybody who is told
    of its end is told within the minute.
    """
    if not game.snapshot or (game.round < 2 and game.status != "over"):
        return []  # no round is over yet
    return lately(
        desk.states,
        desk.now_ms,
        ("course", game.id, game.event_no),
        lambda: points(unrolled(whole(desk.tx, game)), game),
    )


def member(desk: Desk, seat: Seat) -> dict[str, Any]:
    """A seat as anybody may see it."""
    channels = (
        []
        if seat.person_id is None
        else sorted({a.channel for a in desk.tx.all(Address, person_id=seat.person_id) if a.state == "green"})
    )
    return {
        "no": seat.no + 1,
        "name": seat.name,
        "bot": seat.bot,
        "ready": bool(seat.ready),
        "channels": channels,
        "misses": seat.misses,
    }


def mine(desk: Desk, row: Outbox) -> list[dict[str, Any]]:
    """The reader's tables."""
    found = []
    for seat, game in desk.tx.seats_of(int(row.person_id or 0), ("lobby", "mustering", "running", "frozen")):
        due = desk.tx.one(Deadline, game_id=game.id, seat=seat.no, kind="answer", done_ms=0)
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


def ended(desk: Desk, game: Game, seats: list[Seat], context: dict[str, Any]) -> None:
    """Fill in the final score."""
    view = rules.view(desk.states.of(game), None)
    context |= {
        "view": view,
        "result": view["result"],
        "seed": game.seed,
        "seed_hash": game.seed_hash,
        "names": names(seats),
        "words": [s.word for s in seats],
        "proof": proof(desk.tx, desk.states, desk.now_ms, game),
    }
    if context["me"]:
        seat = seats[context["me"]["seat"]]
        context["events"] = [
            {"name": e.name, "facts": json.loads(e.facts), "no": e.no}
            for e in desk.tx.events_since(int(game.id or 0), seat.told, seat.no)
        ]
    else:
        context["events"] = []
