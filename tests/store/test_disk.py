"""The disk fails: a clear error, nothing half written, and all is well when there is room again."""

from __future__ import annotations

import asyncio
import errno
import resource
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from referee.store import Inbox, Person, Store, StoreBroken, StoreBusy, StoreFull, Tx, migrate
from referee.store.errors import understood
from tests import books

LARGE = b"x" * 50_000


def letter(n: int, tx: Tx) -> int:
    """A job that needs room."""
    return tx.add(Inbox, channel="mail", key=f"k{n}", body=LARGE, at_ms=1)


def fill(store: Store) -> tuple[set[int], StoreFull]:
    """Write until it is refused; what was acknowledged, and the refusal."""
    kept = set()
    for n in range(2000):
        try:
            kept.add(store.write_now(partial(letter, n)))
        except StoreFull as refusal:
            return kept, refusal
    raise AssertionError("never full")


async def test_what_does_not_fit_takes_with_it_who_was_before_it_in_the_group(store: Store) -> None:
    """SQLite gives up the whole transaction when it is full: nothing so far is acknowledged or stays; who
    comes behind is tried afresh.
    """
    begun, held = threading.Event(), threading.Event()

    def tight(tx: Tx) -> None:
        conn: sqlite3.Connection = tx._conn  # type: ignore[attr-defined]  # only SQLite can be told to be full
        pages = conn.execute("PRAGMA page_count").fetchone()[0]
        conn.execute(f"PRAGMA max_page_count = {pages + 3}")
        begun.set()
        assert held.wait(10)

    await store.write(lambda tx: tx.add(Person, name="before"))
    first = asyncio.create_task(store.write(tight))
    await asyncio.to_thread(begun.wait, 10)
    jobs: list[Callable[[Tx], int]] = [
        lambda tx: tx.add(Person, name="Ann"),
        lambda tx: letter(1, tx),
        lambda tx: tx.add(Person, name="Bo"),
    ]
    tasks = [asyncio.create_task(store.write(job)) for job in jobs]
    await asyncio.sleep(0)
    held.set()
    *refusals, bo = await asyncio.gather(*tasks, return_exceptions=True)
    await first
    for refusal in refusals:
        assert isinstance(refusal, StoreFull)
        assert (refusal.errno, refusal.reason) == (errno.ENOSPC, "full")
        assert refusal.filename == str(store.path)
        assert "make room" in str(refusal)
    assert len({id(r) for r in refusals}) == 2  # each caller has one of its own
    assert await store.read(lambda tx: (tx.count(Inbox), tx.column(Person, "name", order="id"))) == (
        0,
        ["before", "Bo"],
    )
    assert bo == 2


def test_a_disk_error_undoes_the_group_and_is_forgotten_when_it_is_over(store: Store) -> None:
    """RLIMIT_FSIZE makes the kernel refuse to let files grow: SQLite sees an input/output error, anybody can
    set it.
    """
    store.write_now(lambda tx: tx.add(Person, name="before"))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        kept, refusal = fill(store)
        assert refusal.reason in ("io", "full")
        assert store.read_now(lambda tx: tx.count(Person)) == 1  # it still answers

        async def crowd() -> list[object]:
            return await asyncio.gather(
                *(store.write(partial(letter, n)) for n in range(5000, 5040)), return_exceptions=True
            )

        errors = [r for r in asyncio.run(crowd()) if isinstance(r, BaseException)]
        assert errors
        assert {type(e) for e in errors} == {StoreFull}
        assert len({id(e) for e in errors}) == len(errors)  # each caller has one of its own
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    again = store.write_now(lambda tx: letter(9999, tx))
    there = set(store.read_now(lambda tx: tx.column(Inbox, "id")))
    assert kept | {again} <= there


def test_a_really_full_disk(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 2_000_000)
    store = Store.open(f"sqlite:///{small_disk}/book.db")
    try:
        kept, refusal = fill(store)
        assert refusal.reason == "full"
        assert kept
        assert set(store.read_now(lambda tx: tx.column(Inbox, "id"))) == kept
        for n in range(3):
            with pytest.raises(StoreFull):
                store.write_now(partial(letter, 7000 + n))
        with pytest.raises(StoreFull):
            store.backup_now(small_disk / "copy.db")
        assert sorted(p.name for p in small_disk.iterdir() if "copy" in p.name) == []
        ballast.unlink()
        kept.add(store.write_now(lambda tx: letter(8000, tx)))
        assert set(store.read_now(lambda tx: tx.column(Inbox, "id"))) == kept
    finally:
        store.close_now()
    again = Store.open(store.url)
    assert set(again.read_now(lambda tx: tx.column(Inbox, "id"))) == kept
    again.close_now()


def test_no_room_for_a_new_database(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "_alembic", books.by_steps)
    (small_disk / "ballast").write_bytes(b"x" * (4 << 20))
    with pytest.raises(StoreFull):
        Store.open(f"sqlite:///{small_disk}/book.db")
    (small_disk / "ballast").unlink()
    Store.open(f"sqlite:///{small_disk}/book.db").close_now()


def test_where_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFull, match="file"):
        Store.open(f"sqlite:///{tmp_path}/file/book.db")


def test_a_file_that_was_taken_away_is_not_made_again(store: Store, tmp_path: Path) -> None:
    """Somebody moved the database while nobody was writing: refuse, and go on when it is back."""
    away = store.path.rename(tmp_path / "away.db")
    for ask in (
        lambda: store.write_now(lambda tx: tx.count(Person)),
        lambda: store.read_now(lambda tx: tx.count(Person)),
        lambda: store.backup_now(tmp_path / "copy"),
    ):
        with pytest.raises(StoreFull) as told:
            ask()
        assert told.value.reason == "io"
    assert not store.path.exists()
    away.rename(store.path)
    assert store.write_now(lambda tx: tx.add(Person, name="Ann")) == 1


def test_a_foreign_program_that_holds_the_file(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sqlite3 shell left open in a transaction: busy, told, and over when it lets go."""
    monkeypatch.setattr("referee.store.connection.BUSY_MS", 50)
    with closing(sqlite3.connect(store.path, isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy) as told:
            store.write_now(lambda tx: tx.add(Person, name="Ann"))
        assert told.value.reason == "busy"
        shell.execute("ROLLBACK")
    assert store.write_now(lambda tx: tx.add(Person, name="Ann")) == 1


def test_a_damaged_file_is_noticed(store: Store) -> None:
    store.write_now(lambda tx: [tx.add(Person, name=f"p{n}" * 50) for n in range(500)])
    assert store.read_now(lambda tx: tx.flaws()) == []
    store.close_now()
    with store.path.open("r+b") as file:
        pages = store.path.stat().st_size // 4096
        file.seek((pages - 5) * 4096)
        file.write(b"\xff" * 4096)
    damaged = Store.open(store.url)
    assert damaged.read_now(lambda tx: tx.flaws())
    with pytest.raises(StoreBroken, match="restore the last backup"):
        damaged.read_now(lambda tx: tx.all(Person))
    damaged.close_now()


def test_real_refusals_of_sqlite_are_understood(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE a (b)")
    with (
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as conn,
        pytest.raises(sqlite3.Error) as refusal,
    ):
        conn.execute("INSERT INTO a VALUES (1)")
    told = understood(refusal.value, str(path))
    assert isinstance(told, StoreFull)
    assert (told.errno, told.reason) == (errno.EROFS, "read-only")

    with pytest.raises(sqlite3.Error) as refusal:
        sqlite3.connect(tmp_path / "no" / "such.db")
    told = understood(refusal.value, "x")
    assert isinstance(told, StoreFull)
    assert told.reason == "io"

    path.write_bytes(b"not a database, " * 100)
    with closing(sqlite3.connect(path)) as conn, pytest.raises(sqlite3.Error) as refusal:
        conn.execute("SELECT * FROM a")
    assert isinstance(understood(refusal.value, "x"), StoreBroken)

    with closing(sqlite3.connect(":memory:")) as conn, pytest.raises(sqlite3.Error) as refusal:
        conn.execute("SELEKT")
    assert understood(refusal.value, "x") is refusal.value
