"""A referee that is there to be killed: started by test_crash, one process forked for every life.

For every line on stdin it forks a child that opens the book and lets eight callers write pairs of numbered
rows as fast as they can; each number is printed once the store has said that it is on disk.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import sys

from referee.store import Bookmark, Inbox, Store, Tx

PADDING = b"x" * 3000


async def live(url: str, life: int) -> None:
    """Write until killed."""
    store = Store.open(url)
    numbers = itertools.count()

    def pair(tx: Tx, key: str) -> None:
        tx.add(Inbox, channel="left", key=key, body=PADDING, at_ms=1)
        tx.put(Bookmark, channel="last", name=str(life), value=key)
        tx.add(Inbox, channel="right", key=key, body=b"", at_ms=1)

    async def caller() -> None:
        for number in numbers:
            key = f"{life}.{number}"
            await store.write(lambda tx, key=key: pair(tx, key))  # type: ignore[misc]  # the default binds the key
            os.write(1, f"{key}\n".encode())

    await asyncio.gather(*(caller() for _ in range(8)))


if __name__ == "__main__":
    for life, _ in enumerate(sys.stdin):
        pid = os.fork()
        if pid == 0:
            asyncio.run(live(sys.argv[1], life))
        os.write(1, f"pid {pid}\n".encode())
        os.waitpid(pid, 0)
        os.write(1, b"dead\n")
