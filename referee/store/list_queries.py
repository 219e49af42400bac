"""The tables that anybody may see, for lists of thousands of them: counted, and one page at a time. And those
that are looked for among thousands by a word of theirs.

An index has those that a list may show (`ix_game_page`); no row is read that is not on the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import (
    CompoundSelect,
    Integer,
    Select,
    bindparam,
    exists,
    func,
    or_,
    select,
    text,
    union_all,
)

from referee.ids import GameId
from referee.states import GameStatus, TablePage
from referee.store.count_queries import CountQueries
from referee.store.table_layouts import sheet_of
from referee.store.tables import Game, GameRoom

_game, _room = sheet_of(Game).table, sheet_of(GameRoom).table
_WATCHED = exists().where(_room.c.game_id == _game.c.id)


def _n(name: str) -> Any:
    return bindparam(name, type_=Integer())


def _shown(statuses: int) -> CompoundSelect[Any]:
    """Each state has its own piece of the index, with the numbers in order and all that is asked of a table:
    so a page far back is found by stepping along the index, and no row is read or sorted for it.
    """
    return union_all(
        *(
            select(_game.c.id).where(
                text("game.archived_ms = 0"),  # word for word as the index has it (see statements.py)
                _game.c.status == bindparam(name, type_=_game.c.status.type),
                text(f"game.page IN ('{TablePage.PUBLIC}', '{TablePage.WATCHED}')"),
                or_(text(f"game.page = '{TablePage.PUBLIC}'"), _WATCHED),
            )
            for name in _names(statuses)
        )
    )


def _worded(statuses: int) -> Select[Any]:
    """The settings are read by the database, and of no table anything else."""
    said = bindparam("said", type_=_game.c.settings.type)
    wanted = [bindparam(name, type_=_game.c.status.type) for name in _names(statuses)]
    return (
        select(_game.c.id).where(_game.c.status.in_(wanted), _game.c.settings.like(said)).order_by(_game.c.id)
    )


class ListQueries(CountQueries):
    """Which tables are listed for everybody: those whose page is public, and those by invitation that a room
    watches.
    """

    def public_games(self, statuses: Sequence[GameStatus], limit: int, offset: int = 0) -> list[GameId]:
        """The numbers of the public tables of these states that are in no archive, the newest first."""
        made = self._statements.once(
            ("public games", len(statuses)),
            lambda: (
                _shown(len(statuses)).order_by(text("id DESC")).limit(_n("limit")).offset(_n("offset")),
                [*_names(len(statuses)), "limit", "offset"],
            ),
        )
        return [number for (number,) in self._ask(made, (*statuses, limit, offset))]

    def games_set(self, statuses: Sequence[GameStatus], word: str) -> list[GameId]:
        """The numbers of the tables of these states that have that word, of letters and digits, somewhere in
        their settings.
        """
        made = self._statements.once(
            ("games set", len(statuses)),
            lambda: (_worded(len(statuses)), [*_names(len(statuses)), "said"]),
        )
        return [number for (number,) in self._ask(made, (*statuses, f'%"{word}"%'))]

    def public_count(self, statuses: Sequence[GameStatus], most: int) -> int:
        """How many there are, counted up to `most`."""
        made = self._statements.once(
            ("public count", len(statuses)),
            lambda: (
                select(func.count()).select_from(_shown(len(statuses)).limit(_n("limit")).subquery()),
                [*_names(len(statuses)), "limit"],
            ),
        )
        return int(self._ask(made, (*statuses, most))[0][0])


def _names(statuses: int) -> list[str]:
    return [f"s{n}" for n in range(statuses)]
