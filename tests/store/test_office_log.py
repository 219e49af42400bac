"""The log of what was done in office: lines come, and none goes or changes."""

from __future__ import annotations

import pytest

from referee.store import OfficeLog, Store, StoreConflict, Tx


def test_a_line_can_be_added_and_neither_changed_nor_taken_out(store: Store) -> None:
    store.write_now(lambda tx: tx.add(OfficeLog, scope="house", no=1, at_ms=5, act="block", hash="x"))

    def change(tx: Tx) -> None:
        tx.set(OfficeLog, 1, act="nothing")

    def remove(tx: Tx) -> None:
        tx.drop(OfficeLog, scope="house")

    for job in (change, remove):
        with pytest.raises(StoreConflict, match="only grows"):
            store.write_now(job)
    assert [row.act for row in store.read_now(lambda tx: tx.all(OfficeLog))] == ["block"]
