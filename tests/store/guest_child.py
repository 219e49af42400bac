"""A command beside a running referee: adds one to the counter, many times.  Started by test_sharing."""

from __future__ import annotations

import sys

from referee.store import Heartbeat, Store, Tx


def increment(tx: Tx) -> None:
    """Read, think, write."""
    row = tx.get(Heartbeat, "counter")
    tx.put(Heartbeat, name="counter", at_ms=(row.at_ms if row else 0) + 1)


if __name__ == "__main__":
    store = Store.open(sys.argv[1], guest=True)
    for _ in range(int(sys.argv[2])):
        store.write_now(increment)
    store.close_now()
