"""A backup is whole, or it is not there."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from referee.store import Person, Store, StoreFull, Tx


async def test_a_backup_in_the_middle_of_the_work_is_one_instant(store: Store, tmp_path: Path) -> None:
    def couple(n: int, tx: Tx) -> None:
        tx.add(Person, name=f"a{n}")
        tx.add(Person, name=f"b{n}")

    async def couples() -> None:
        for n in range(100):
            await store.write(partial(couple, n))

    await store.write(lambda tx: tx.add(Person, name="before"))
    working = asyncio.create_task(couples())
    await asyncio.sleep(0)
    await store.backup(tmp_path / "copy.db")
    await working

    copy = Store.open(f"sqlite:///{tmp_path}/copy.db")
    names = copy.read_now(lambda tx: tx.column(Person, "name"))
    copy.close_now()
    assert "before" in names
    assert {n[1:] for n in names if n[0] == "a"} == {n[1:] for n in names if n[0] == "b" and n != "before"}
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0


def test_a_backup_replaces_the_last_one(store: Store, tmp_path: Path) -> None:
    target = tmp_path / "copy.db"
    store.backup_now(target)
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    store.backup_now(target)
    copy = Store.open(f"sqlite:///{target}")
    assert copy.read_now(lambda tx: tx.count(Person)) == 1
    copy.close_now()


def test_a_guest_can_make_one_beside_a_running_referee(store: Store, tmp_path: Path) -> None:
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    guest = Store.open(store.url, guest=True)
    guest.backup_now(tmp_path / "copy.db")
    guest.close_now()
    copy = Store.open(f"sqlite:///{tmp_path}/copy.db")
    assert copy.read_now(lambda tx: tx.count(Person)) == 1
    copy.close_now()


def test_a_backup_that_fails_leaves_nothing(store: Store, tmp_path: Path) -> None:
    with pytest.raises(StoreFull, match="missing"):
        store.backup_now(tmp_path / "missing" / "copy.db")
    assert store.write_now(lambda tx: tx.add(Person, name="Ann")) == 1
