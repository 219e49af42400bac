"""Numbers that people name, and buttons carry, which no other row ever had.

On SQLite the number of the last row is given once more when that row is gone: an old button would act upon
the row that came after it.
"""

from __future__ import annotations

from typing import Any

from referee.store import Bookmark, Tx

#: whose bookmarks these are
_MARK = "numbers"


def add_numbered(tx: Tx, table: type[Any], **values: Any) -> int:
    """Add a row; its number, higher than that of any row before."""
    name = table.__name__
    mark = tx.one(Bookmark, channel=_MARK, name=name)
    last = 0 if mark is None else int(mark.value)
    number = int(tx.add(table, **values))
    if number <= last:
        tx.drop(table, id=number)
        number = last + 1
        tx.add(table, id=number, **values)
    tx.put(Bookmark, channel=_MARK, name=name, value=str(number))
    return number
