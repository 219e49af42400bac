"""Several at one book: one owner, guests that write a little, readers that only look."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from referee.store import Heartbeat, MissingDatabase, Person, Store, StoreBusy, StoreFull
from referee.store.locks import WriteLock
from tests.store.postgres_children import increment

ROOT = Path(__file__).parents[2]


def test_a_second_referee_is_refused_and_told_who_is_first(store: Store) -> None:
    with pytest.raises(StoreBusy, match=f"process {os.getpid()}"):
        Store.open(store.url)
    assert store.write_now(lambda tx: tx.add(Person, name="Ann")) == 1


def test_the_right_to_serve_ends_with_the_owner(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/book.db"
    for _ in range(3):
        Store.open(url).close_now()
    (tmp_path / "book.db").write_bytes(b"nonsense" * 100)
    for _ in range(2):  # a failed opening leaves nothing locked
        with pytest.raises(Exception, match="not a database"):
            Store.open(url)


def test_a_guest_and_the_owner_lose_nothing_to_each_other(store: Store) -> None:
    """Read-modify-write from two processes at once, while the owner checkpoints."""
    child = [sys.executable, str(Path(__file__).with_name("guest_child.py")), store.url, "150"]

    mine, both = 0, False
    with subprocess.Popen(child, env={**os.environ, "PYTHONPATH": str(ROOT)}) as guest:
        while guest.poll() is None:
            both = store.write_now(increment) > mine + 1 or both
            mine += 1
    assert guest.returncode == 0
    assert both  # they did meet
    row = store.read_now(lambda tx: tx.get(Heartbeat, "counter"))
    assert row is not None
    assert row.at_ms == mine + 150


def test_a_guest_sees_what_the_owner_wrote_and_the_other_way_round(store: Store) -> None:
    guest = Store.open(store.url, guest=True)
    looking = Store.open(store.url, read_only=True)
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    guest.write_now(lambda tx: tx.add(Person, name="Bo"))
    for each in (store, guest, looking):
        assert each.read_now(lambda tx: tx.column(Person, "name", order="id")) == ["Ann", "Bo"]
    guest.close_now()
    looking.close_now()
    assert store.path.with_name("book.db-wal").exists()  # a guest that leaves takes nothing with it


def test_two_names_for_one_file_are_one_book(store: Store, tmp_path: Path) -> None:
    (tmp_path / "other.db").symlink_to(store.path)
    with pytest.raises(StoreBusy):
        Store.open(f"sqlite:///{tmp_path}/other.db")


def test_a_relative_path_stays_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    store = Store.open("sqlite:///book.db")
    monkeypatch.chdir(tmp_path / "elsewhere")
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    assert store.read_now(lambda tx: tx.count(Person)) == 1
    store.close_now()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_who_only_looks_can_t_write(store: Store) -> None:
    looking = Store.open(store.url, read_only=True)
    with pytest.raises(StoreFull, match="reading only"):
        looking.write_now(lambda tx: tx.add(Person, name="x"))
    copy = store.path.with_name("copy.db")
    looking.backup_now(copy)  # a copy changes nothing
    assert copy.is_file()
    looking.close_now()


@pytest.mark.parametrize("how", [{"guest": True}, {"read_only": True}, {"migrate": False}])
def test_only_the_owner_makes_a_database(tmp_path: Path, how: dict[str, bool]) -> None:
    with pytest.raises(MissingDatabase):
        Store.open(f"sqlite:///{tmp_path}/book.db", **how)
    assert not (tmp_path / "book.db").exists()


def test_one_who_does_not_let_go_of_the_turn(store: Store) -> None:
    first, second = WriteLock(store.path, 0.05), WriteLock(store.path, 0.05)
    with first.held(), pytest.raises(StoreBusy, match="does not let go"), second.held():
        pytest.fail("two turns at once")
    with second.held():
        pass
    first.end()
    second.end()


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "postgresql://a/b", "sqlite:///a.db?mode=ro"]
)
def test_other_addresses_are_refused(url: str) -> None:
    with pytest.raises(ValueError, match="only sqlite:///path"):
        Store.open(url)


def test_a_path_with_awkward_letters(tmp_path: Path) -> None:
    path = tmp_path / "Zoë's 100% #1" / "böok.db"
    store = Store.open(f"sqlite:///{path}")
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    assert store.path.samefile(path)
    assert path.stat().st_size > 0
    store.close_now()


def test_nobody_else_may_read_the_files(store: Store) -> None:
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    files = list(store.path.parent.glob("book.db*"))
    assert {f.name for f in files} >= {"book.db", "book.db-wal", "book.db.lock", "book.db.turn"}
    assert {f.stat().st_mode & 0o077 for f in files} == {0}
