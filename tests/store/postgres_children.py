"""Processes that share a book on PostgreSQL: started by test_postgres_sharing, some of them to be killed.

- `count URL N`: add one to the counter N times, reading it first; says "done"
- `pairs URL NAME`: write pairs of rows until killed; each key is said once the store has said that it is on
  disk
"""

from __future__ import annotations

import itertools
import os
import sys

from referee.store import Bookmark, Game, Heartbeat, Inbox, Store, Tx


def increment(tx: Tx) -> int:
    """Read, think, write."""
    row = tx.get(Heartbeat, "counter")
    value = (row.at_ms if row else 0) + 1
    tx.put(Heartbeat, name="counter", at_ms=value)
    return value


def pair(tx: Tx, name: str, number: int) -> str:
    """Two rows that belong together, and a move at the one game that everybody plays."""
    game = tx.get(Game, 1)
    assert game is not None
    key = f"{name}.{number}"
    tx.add(Inbox, channel="left", key=key, body=b"x" * 500, at_ms=game.move_no + 1)
    tx.set(Game, 1, move_no=game.move_no + 1)
    tx.put(Bookmark, channel="last", name=name, value=key)
    tx.add(Inbox, channel="right", key=key, body=b"", at_ms=game.move_no + 1)
    return key


if __name__ == "__main__":
    what, url, word = sys.argv[1:]
    store = Store.open(url, guest=True)
    os.write(1, b"open\n")
    if what == "count":
        for _ in range(int(word)):
            store.write_now(increment)
        store.close_now()
        os.write(1, b"done\n")
    else:
        for number in itertools.count():
            os.write(1, f"{store.write_now(lambda tx, number=number: pair(tx, word, number))}\n".encode())  # type: ignore[misc]  # the default binds it
