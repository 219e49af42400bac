"""What an admin's letters are made from, looked up when they leave: from a reader's connection, so that
nobody who plays waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from referee.store import Game, Outbox, Seat

from . import figures, inspect, lists

if TYPE_CHECKING:
    from ..outbound.compose import Desk

_LISTS = {
    "admin_games": lists.games,
    "admin_letters": lists.letters,
    "admin_inbox": lists.inbox,
    "admin_blocked": lists.blocked,
    "admin_log": lists.log,
}


def filled(
    desk: Desk, row: Outbox, game: Game | None, seats: list[Seat], data: dict[str, Any]
) -> dict[str, Any] | None:
    """The context of a letter whose kind begins with "admin_"; None where there is nothing to show any
    more.
    """
    if row.kind in _LISTS:
        return _LISTS[row.kind](desk, data)
    if row.kind == "admin_look" and game is not None:
        return inspect.public(desk, game, seats)
    if row.kind == "admin_hidden" and game is not None:
        return inspect.cards(desk, game, seats, data["of"])
    return figures.plain(figures.figures(desk.tx, desk.now_ms)) if row.kind == "admin_stats" else None
