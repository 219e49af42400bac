"""Room that rows have left goes back to the disk: from a new file while it is served, from an older one once
it was written anew.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.store import Bookmark, Inbox, MissingDatabase, Store, StoreBusy, Tx
from referee.store.compacting import SMALL, compacted, gives_back, small_written_anew

ROWS = 4_000


def filled(path: Path) -> Store:
    """A file with rows, of which nine of ten went again."""
    store = Store.open(f"sqlite:///{path}")

    def fill(tx: Tx) -> None:
        for number in range(ROWS):
            tx.add(Inbox, channel="mail", key=str(number), body=b"x" * 1000, at_ms=1, state="done")

    store.write_now(fill)
    store.write_now(lambda tx: tx.drop(Inbox, id=tuple(n for n in range(1, ROWS) if n % 10)))
    return store


def old(path: Path) -> None:
    """A file as older referees made it."""
    Store.open(f"sqlite:///{path}").close_now()
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA auto_vacuum = NONE")
        conn.execute("VACUUM")
    assert not gives_back(path)


def rows(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return conn.execute("SELECT * FROM inbox ORDER BY id").fetchall()


def test_a_new_file_gives_pages_back_while_it_is_served(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    store = filled(path)
    assert gives_back(path)
    spare, pages = store.read_now(lambda tx: tx.spare_pages())
    assert spare > 700
    for _ in range(3):
        store.write_now(lambda tx: tx.give_back(50))
    assert store.read_now(lambda tx: tx.spare_pages()) == (spare - 150, pages - 150)
    with pytest.raises(TypeError):
        store.read_now(lambda tx: tx.give_back(1))
    while store.read_now(lambda tx: tx.spare_pages())[0]:
        store.write_now(lambda tx: tx.give_back(50))
    store.close_now()
    assert (pages - spare - 3) * 4096 < path.stat().st_size <= (pages - spare) * 4096
    assert len(rows(path)) == ROWS // 10


def test_what_is_given_back_in_a_job_that_fails_stays(tmp_path: Path) -> None:
    store = filled(tmp_path / "book.db")
    before = store.read_now(lambda tx: tx.spare_pages())

    def breaks(tx: Tx) -> None:
        tx.give_back(50)
        raise KeyError

    with pytest.raises(KeyError):
        store.write_now(breaks)
    assert store.read_now(lambda tx: tx.spare_pages()) == before
    store.close_now()


def test_an_old_file_is_left_alone_until_it_was_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    old(path)
    store = filled(path)
    assert store.read_now(lambda tx: tx.spare_pages()) == (0, 0)
    with pytest.raises(StoreBusy):  # its owner serves from it
        compacted(f"sqlite:///{path}")
    store.close_now()
    before = rows(path)
    found = compacted(f"sqlite:///{path}")
    assert found.before == found.before > 3_000_000
    assert found.after < found.before / 4
    assert path.stat().st_size == found.after
    assert rows(path) == before
    assert gives_back(path)
    Store.open(f"sqlite:///{path}").close_now()


def test_a_small_file_is_written_anew_when_it_is_brought_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = tmp_path / "small.db", tmp_path / "large.db"
    for path in (small, large):
        old(path)
        filled(path).close_now()
    before = rows(small)
    assert small.stat().st_size < SMALL
    small_written_anew(small)
    assert gives_back(small)
    assert rows(small) == before
    monkeypatch.setattr("referee.store.compacting.SMALL", 1_000_000)
    small_written_anew(large)
    assert not gives_back(large)


def test_there_is_nothing_to_compact(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabase):
        compacted(f"sqlite:///{tmp_path}/none.db")


def test_postgresql_gives_room_back_when_nobody_is_at_work(url: str) -> None:
    store, dice = Store.open(url), random.Random(1)

    def fill(tx: Tx) -> None:
        for number in range(3_000):
            tx.add(Inbox, channel="mail", key=str(number), body=dice.randbytes(2048), at_ms=1, state="done")

    store.write_now(fill)
    store.write_now(lambda tx: tx.drop(Inbox, channel="mail"))
    store.write_now(lambda tx: tx.put(Bookmark, channel="a", name="b", value="c"))
    with pytest.raises(StoreBusy):
        compacted(url)
    store.close_now()
    found = compacted(url)
    assert found.after < found.before - 4_000_000
    store = Store.open(url)
    assert store.read_now(lambda tx: tx.one(Bookmark, channel="a", name="b")) is not None
    store.close_now()
