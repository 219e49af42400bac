"""Leases: which of several processes does what only one may do, such as reading a bot's messages.

By the database's clock.

A lease is taken for some seconds and renewed in good time; anyone who dies or hangs does not renew it, and
another one has it when it is over.
"""

from __future__ import annotations

from referee.store.tables import Lease
from referee.store.tx import Tx


def take(tx: Tx, name: str, holder: str, for_ms: int) -> bool:
    """Take or renew the lease `name` for so long from now; False when somebody else has it."""
    row, now = tx.get(Lease, name), tx.clock_ms()
    if row is not None and row.holder != holder and row.until_ms > now:
        return False
    tx.put(Lease, name=name, holder=holder, until_ms=now + for_ms)
    return True


def leave(tx: Tx, holder: str, *names: str) -> None:
    """Give these back before they are over."""
    for name in names:
        tx.drop(Lease, name=name, holder=holder)


def holders(tx: Tx) -> dict[str, str]:
    """Who has which lease now."""
    now = tx.clock_ms()
    return {row.name: row.holder for row in tx.all(Lease, order="name") if row.until_ms > now}
