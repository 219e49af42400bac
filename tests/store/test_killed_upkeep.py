"""Killed with SIGKILL in the midst of bringing a large book up, of a backup, of a restore: old or new is
there, never between; and disks that are full.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.store import Person, Store, StoreFull
from referee.store.backups import BackupFolder, beside, checked, taken, unpacked
from referee.store.migrate import bring_up, revision_of, revisions
from tests import books

ROOT = Path(__file__).parents[2]
OLD, NOW, ROWS = "0003", 1_790_000_000_000, 30_000
#: how long after it has begun it is killed, seconds
MOMENTS = (0.0, 0.03, 0.08, 0.15, 0.25)

CHILD = {
    "sqlite": (
        "from referee.store.migrate import bring_up\nimport alembic.command, pathlib\nwhere = "
        "pathlib.Path(sys.argv[1])"
    ),
    "postgres": (
        "from referee.store.postgres.schema import bring_up\nfrom referee.store.postgres.connection "
        "import ServerAddress\nimport alembic.command\nwhere = ServerAddress(sys.argv[1])"
    ),
    "backup": "from referee.store import backup\nfrom referee.store.backups import taken\nimport "
    "pathlib\nbackup.PAGES, backup.PAUSE_S = 8, 0.0005\n"
    "where, target = sys.argv[1:]\nbring_up = lambda where: taken(where, pathlib.Path(target), 1)",
    "restore": "from referee.store.backups import unpacked\nimport pathlib\nwhere, target = sys.argv[1:]\n"
    "def bring_up(where):\n    with unpacked(pathlib.Path(target), where) as scratch:\n        "
    "scratch.settle('x', aside=True)",
}


#: has imported everything, and for each line bears a child that does it and is killed: a program, its words,
#: how long after it began
NURSERY = """
import contextlib, json, os, signal, sys, time, traceback
import alembic.command, referee.store.migrate, referee.store.backup, referee.store.backups
with contextlib.suppress(ImportError):  # no PostgreSQL here
    import referee.store.postgres.connection, referee.store.postgres.schema
for line in sys.stdin:
    program, sys.argv[1:], after_s = json.loads(line)
    begun, begins = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            names = {}
            exec(program, names)
            os.write(begins, b"!")
            names["bring_up"](names["where"])
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(begins)
    os.read(begun, 1)
    os.close(begun)
    time.sleep(after_s)
    os.kill(child, signal.SIGKILL)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.fixture
def killed() -> Iterator[Callable[..., bool]]:
    """`killed(what, *words, after_s=…)` runs a child that does it, and kills it so long after it began;
    whether it was killed before its end.
    """
    with subprocess.Popen(
        [sys.executable, "-c", NURSERY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as nursery:
        says, hears = nursery.stdout, nursery.stdin
        assert says is not None
        assert hears is not None

        def one(what: str, *words: str, after_s: float) -> bool:
            hears.write(json.dumps([f"import sys\n{CHILD[what]}", words, after_s]) + "\n")
            hears.flush()
            ended = int(says.readline())
            assert ended in (0, -signal.SIGKILL)
            return ended != 0

        yield one


def large(path: Path) -> None:
    """A book of long ago with many people in it."""
    path.touch(0o600)
    bring_up(path, OLD)
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.executemany(
            (
                "INSERT INTO person (id, name, language, zone, prefer, admin, created_ms) VALUES (?, ?, "
                "'en', 'UTC', '', 0, 0)"
            ),
            ((number, f"P{number}") for number in range(1, ROWS + 1)),
        )
        conn.executemany(
            "INSERT INTO game (id, status, edition, settings, creator_id, seed, seed_hash, snapshot, "
            "question, asked, move_no, event_no, round, created_ms,"
            " started_ms, ended_ms) VALUES (?, 'over', 'classic', '{}', ?, '', '', x'00', 0, '', 0, 0, 0, "
            "0, 0, 0)",
            ((number, number) for number in range(1, ROWS + 1)),
        )


def sound(path: Path) -> str:
    """The step at which a file stands; everything is in it, and nothing of another step."""
    at = revision_of(path)
    with closing(sqlite3.connect(path)) as conn:
        assert conn.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert conn.execute(
            "SELECT (SELECT count(*) FROM person), (SELECT count(*) FROM game)"
        ).fetchone() == (ROWS, ROWS)
        tables = {name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        columns = {row[1] for row in conn.execute("PRAGMA table_info(game)")}
    new = at == revisions()[-1]
    assert ("league" in tables, "lease" in tables, "archived_ms" in columns) == (new, new, new)
    return at


def test_a_migration_of_a_large_book_killed_anywhere(killed: Callable[..., bool], tmp_path: Path) -> None:
    book = tmp_path / "r.db"
    large(book)
    cut = [sound(book) == OLD for after in MOMENTS if killed("sqlite", str(book), after_s=after)]
    assert any(cut), "it was never killed in the midst of it"
    store = Store.open(f"sqlite:///{book}")
    assert store.read_now(lambda tx: tx.count(Person)) == ROWS
    store.close_now()
    assert sound(book) == revisions()[-1]


def test_a_migration_on_a_server_killed_anywhere(killed: Callable[..., bool], tmp_path: Path) -> None:
    postgres = pytest.importorskip(
        "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
    )
    if postgres.missing():
        pytest.skip(postgres.missing())
    from referee.store.postgres.connection import ServerAddress
    from referee.store.postgres.schema import bring_up as up
    from referee.store.postgres.schema import revision_of as at

    base = books.server().empty()
    url = books.server().url(base)
    up(ServerAddress(url), OLD)
    books.server().ask(
        (
            f"INSERT INTO person (name, language, zone, prefer, admin, created_ms) SELECT 'P', 'en', "
            f"'UTC', '', 0, 0 FROM generate_series(1, {ROWS})"
        ),
        base,
    )
    cut = 0
    for after in MOMENTS:
        if not killed("postgres", url, after_s=after):
            break
        while books.server().ask(f"SELECT 1 FROM pg_stat_activity WHERE datname = '{base}'"):
            time.sleep(0.02)  # the server notices in its own time that nobody is there any more
        cut += at(ServerAddress(url)) == OLD
        tables = {
            name for (name,) in books.server().ask("SELECT relname FROM pg_class WHERE relkind = 'r'", base)
        }
        assert ("league" in tables, "lease" in tables) == ((at(ServerAddress(url)) != OLD,) * 2)
    assert cut, "it was never killed in the midst of it"
    store = Store.open(url)
    assert store.read_now(lambda tx: tx.count(Person)) == ROWS
    store.close_now()
    books.server().drop(base)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Of this version, with enough in it to be in the midst of."""
    path = tmp_path / "book" / "r.db"
    store = Store.open(f"sqlite:///{path}")
    store.write_now(
        lambda tx: tx.add_all(Person, [{"name": f"P{number}" * 20} for number in range(ROWS // 2)])
    )
    store.close_now()
    return path


def people(path: Path) -> int:
    store = Store.open(f"sqlite:///{path}", read_only=True)
    try:
        return store.read_now(lambda tx: tx.count(Person))
    finally:
        store.close_now()


def test_a_backup_killed_anywhere_is_there_or_not(
    killed: Callable[..., bool], book: Path, tmp_path: Path
) -> None:
    shelf, cut = BackupFolder(tmp_path / "kept"), 0
    for turn, after in enumerate(MOMENTS):
        with shelf.held():
            path = shelf.place(NOW + turn * 60_000, "sqlite:///")
        cut += killed("backup", f"sqlite:///{book}", str(path), after_s=after)
        assert all(checked(one.path).rows["person"] == ROWS // 2 for one in shelf.kept())
        assert path.exists() or not beside(path).exists()
    assert cut, "it was never killed in the midst of it"
    assert people(book) == ROWS // 2
    with shelf.held():
        assert not list(shelf.folder.glob(".*citadels*"))


def test_a_restore_killed_anywhere_leaves_the_old_book_or_the_new_one(
    killed: Callable[..., bool], book: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "copy.db"
    taken(f"sqlite:///{book}", backup, NOW)
    store = Store.open(f"sqlite:///{book}")
    store.write_now(lambda tx: tx.add(Person, name="later"))
    store.close_now()
    cut = 0
    for after in MOMENTS:
        cut += killed("restore", f"sqlite:///{book}", str(backup), after_s=after)
        assert people(book) in (ROWS // 2, ROWS // 2 + 1)
    assert cut, "it was never killed in the midst of it"
    with unpacked(backup, f"sqlite:///{book}") as scratch:
        scratch.settle("last", aside=True)
    assert people(book) == ROWS // 2
    assert not [path for path in book.parent.iterdir() if ".restoring" in path.name]


@pytest.fixture
def no_room() -> Iterator[None]:
    """No file may grow beyond a megabyte: to SQLite and the system that is a disk with an error, and anybody
    can set it.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    signal.signal(signal.SIGXFSZ, before)


def tighten() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))


def loosen() -> None:
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


@pytest.mark.usefixtures("no_room")
def test_no_room_for_a_backup(book: Path, tmp_path: Path) -> None:
    tighten()
    with pytest.raises(StoreFull):
        taken(f"sqlite:///{book}", tmp_path / "copy.db", NOW)
    loosen()
    assert [path.name for path in tmp_path.iterdir()] == ["book"]
    assert people(book) == ROWS // 2


@pytest.mark.usefixtures("no_room")
def test_no_room_for_a_restore(book: Path, tmp_path: Path) -> None:
    backup = tmp_path / "copy.db"
    taken(f"sqlite:///{book}", backup, NOW)
    tighten()
    with pytest.raises(StoreFull), unpacked(backup, f"sqlite:///{book}") as scratch:
        scratch.settle("x", aside=True)
    loosen()
    assert people(book) == ROWS // 2
    assert not [path for path in book.parent.iterdir() if ".restoring" in path.name or "aside" in path.name]


def test_a_really_full_disk_on_either_side(book: Path, small_disk: Path, tmp_path: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 3_000_000)
    with pytest.raises(StoreFull) as told:
        taken(f"sqlite:///{book}", small_disk / "copy.db", NOW)
    assert told.value.reason == "full"
    assert [path.name for path in small_disk.iterdir()] == ["ballast"]
    backup = tmp_path / "copy.db"
    taken(f"sqlite:///{book}", backup, NOW)
    with pytest.raises(StoreFull) as told, unpacked(backup, f"sqlite:///{small_disk}/r.db"):
        pass
    assert told.value.reason == "full"
    assert not (small_disk / "r.db").exists()
    assert not [path for path in small_disk.iterdir() if path.name not in ("ballast", "r.db.lock")]
    ballast.unlink()
    with unpacked(backup, f"sqlite:///{small_disk}/r.db") as scratch:
        scratch.settle("x", aside=False)
    assert people(small_disk / "r.db") == ROWS // 2
