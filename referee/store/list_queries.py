"""The tables that anybody may see, for lists of thousands of them: counted, and one page at a time.

An index has those that a list may show (`ix_game_page`); no row is read that is not on the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.ids import GameId
from referee.states import GameStatus, TablePage
from referee.store.count_queries import CountQueries
from referee.store.statements import several

#: the condition of the index, word for word (see statements.py), then what is asked for
_SHOWN = (
    "SELECT game.id FROM game WHERE game.archived_ms = 0 AND game.status IN ({statuses}) "
    f"AND game.page IN ('{TablePage.PUBLIC}', '{TablePage.WATCHED}') AND (game.page = '{TablePage.PUBLIC}' "
    "OR EXISTS (SELECT * FROM game_room WHERE game_room.game_id = game.id))"
)
_LISTED = _SHOWN + " ORDER BY game.id DESC LIMIT ? OFFSET ?"
_HOW_MANY = f"SELECT count(*) FROM ({_SHOWN} LIMIT ?) AS shown"


class ListQueries(CountQueries):
    """Which tables are listed for everybody: those whose page is public, and those by invitation that a room
    watches.
    """

    def public_games(self, statuses: Sequence[GameStatus], limit: int, offset: int = 0) -> list[GameId]:
        """The numbers of the public tables of these states that are in no archive, the newest first."""
        words = _LISTED.format(statuses=several(len(statuses)))
        return [number for (number,) in self._asked(words, *statuses, limit, offset)]

    def public_count(self, statuses: Sequence[GameStatus], most: int) -> int:
        """How many there are, counted up to `most`."""
        words = _HOW_MANY.format(statuses=several(len(statuses)))
        return int(self._asked(words, *statuses, most)[0][0])
