"""One row taken in hand and acted upon in the same transaction, where several processes look for work in one
book.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from referee.store import Store, StoreFull, Tx

log = logging.getLogger(__name__)
R = TypeVar("R")
T = TypeVar("T")


async def acted(
    store: Store,
    find: Callable[[Tx], R | None],
    act: Callable[[Tx, R], T],
    broke: Callable[[Tx, R], T] | None,
    called: Callable[[R], str],
) -> tuple[R, T] | None:
    """Let `act` do what is to be done with the row that `find` takes in hand: the row, and what came of it;
    None where there was none.

    Where it breaks, what it wrote is undone, the log hears of it (`called`: how it names the row), and
    `broke` is done instead in a transaction of its own (None: what broke it is passed on). Raises StoreFull.
    """
    taken: list[R] = []  # of the job's last run: it may be run several times

    def job(tx: Tx) -> Any:
        row = find(tx)
        taken[:] = [] if row is None else [row]
        return None if row is None else act(tx, row)

    try:
        found: T = await store.write(job)
    except StoreFull:
        raise
    except Exception:  # whatever broke it, the next row is not to wait for it
        if not taken or broke is None:
            raise
        log.exception("%s broke", called(taken[0]))
        found = await store.write(lambda tx: broke(tx, taken[0]))
    return (taken[0], found) if taken else None
