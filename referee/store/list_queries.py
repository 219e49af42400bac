"""The tables that anybody may see, for lists of thousands of them: counted, and one page at a time.

An index has those that a list may show (`ix_game_page`); no row is read that is not on the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.ids import GameId
from referee.states import GameStatus, TablePage
from referee.store.count_queries import CountQueries

#: each state has its own piece of the index, with the numbers in order and all that is asked of a table: so a
#: page far back is found by stepping along the index, and no row is read or sorted for it; the condition of
#: the index stands there word for word (see statements.py)
_SHOWN = (
    "SELECT game.id FROM game WHERE game.archived_ms = 0 AND game.status = ? "
    f"AND game.page IN ('{TablePage.PUBLIC}', '{TablePage.WATCHED}') AND (game.page = '{TablePage.PUBLIC}' "
    "OR EXISTS (SELECT * FROM game_room WHERE game_room.game_id = game.id))"
)


class ListQueries(CountQueries):
    """Which tables are listed for everybody: those whose page is public, and those by invitation that a room
    watches.
    """

    def public_games(self, statuses: Sequence[GameStatus], limit: int, offset: int = 0) -> list[GameId]:
        """The numbers of the public tables of these states that are in no archive, the newest first."""
        words = f"{_shown(len(statuses))} ORDER BY id DESC LIMIT ? OFFSET ?"
        return [number for (number,) in self._asked(words, *statuses, limit, offset)]

    def public_count(self, statuses: Sequence[GameStatus], most: int) -> int:
        """How many there are, counted up to `most`."""
        words = f"SELECT count(*) FROM ({_shown(len(statuses))} LIMIT ?) AS shown"
        return int(self._asked(words, *statuses, most)[0][0])


def _shown(statuses: int) -> str:
    return " UNION ALL ".join([_SHOWN] * statuses)
