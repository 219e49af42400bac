"""What somebody may look at and take along of all that is kept about them: how they did, and the file.

Both are gathered in many short reads, so that other pages are made in between.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from referee.ids import GameId, PersonId
from referee.ports import Served
from referee.store import Person, Store, Tx
from referee.text import Words

from ...accounts import export
from ...play import statistics

#: this many games are looked at in one read
_GAMES = 10


async def statistics_of(store: Store, person_id: PersonId) -> dict[str, Any]:
    """How somebody did at their tables."""
    numbers, more = await store.read(lambda tx: statistics.newest(tx, person_id), visitor=True)

    def look(tx: Tx, some: list[GameId]) -> list[statistics.Played]:
        tables = (statistics.played(tx, person_id, number) for number in some)
        return [one for one in tables if one is not None]

    found = [
        one
        for at in range(0, len(numbers), _GAMES)
        for one in await store.read(partial(look, some=numbers[at : at + _GAMES]), visitor=True)
    ]
    return statistics.summed(found, more)


async def data_file(store: Store, words: Words, person_id: PersonId, now_ms: int) -> Served:
    """All that is kept about somebody."""

    def first(tx: Tx) -> tuple[dict[str, Any], list[tuple[int, int]], list[GameId]]:
        person = tx.get(Person, person_id)
        assert person is not None
        pages, over = export.message_pages(tx, export.MESSAGES), export.finished(tx, person_id)
        return export.overview(tx, words, person, now_ms), pages, over[: export.GAMES]

    found, pages, games = await store.read(first, visitor=True)
    found["statistics"] = await statistics_of(store, person_id)
    found["messages"] = []
    for rows in pages:
        found["messages"] += await store.read(
            partial(_messages, person_id=person_id, rows=rows), visitor=True
        )
    found["orders"] = [
        await store.read(partial(export.game_orders, number=number), visitor=True) for number in games
    ]
    return Served(export.written(found), "application/json", name=export.FILE)


def _messages(tx: Tx, person_id: PersonId, rows: tuple[int, int]) -> list[dict[str, Any]]:
    return list(export.messages(tx, person_id, rows))
