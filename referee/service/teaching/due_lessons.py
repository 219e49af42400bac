"""Which lessons a seat gets now, out of the store: the same for a letter and for the page of the seat.

Nothing is asked of the store for a seat that is not taught.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from referee.ids import EventNo
from referee.store import Game, Seat, Tx

from . import lesson_state

#: this many events before the news are looked at: who was killed is told long after who picked what
_BEFORE = 80


def lessons_for_seat(
    tx: Tx, game: Game, seat: Seat, view: Mapping[str, Any], orders: Sequence[str]
) -> list[tuple[str, str]]:
    """The lessons, (part, name), that come with what this seat is asked now, which `orders` answer: none
    where some came with it before.
    """
    ask = view.get("ask")
    if (
        ask is None
        or lesson_state.mode_of(seat.lessons) not in (lesson_state.LEARN, lesson_state.HINTS)
        or lesson_state.told_with(seat.lessons, game.question)
    ):
        return []
    lately = tx.events_since(game, EventNo(max(0, min(seat.told, game.event_no) - _BEFORE)), seat.no)
    events = [{"name": one.name, "facts": json.loads(one.facts), "no": one.no} for one in lately]
    return lesson_state.choose_lessons(
        seat.lessons,
        ask["kind"],
        orders,
        [one for one in events if one["no"] > seat.told],
        view,
        [one for one in events if one["no"] <= seat.told],
    )


def open_now(
    tx: Tx, game: Game, seat: Seat, view: Mapping[str, Any], orders: Sequence[str]
) -> list[tuple[str, str]]:
    """What explains the open question: the lessons that came with it already, else those that are due."""
    return lesson_state.told_with(seat.lessons, game.question) or lessons_for_seat(
        tx, game, seat, view, orders
    )
