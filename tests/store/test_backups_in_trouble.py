"""A backup that can't be finished, tried or put in place: what is there stays as good as it was."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.store import StoreBusy, StoreFull
from referee.store.backups import BackupFolder, checked, taken, unpacked
from tests.store.test_backups import NOW, add, left, names


@pytest.fixture
def backup(place: str, tmp_path: Path) -> Path:
    """A backup of it."""
    path = BackupFolder(tmp_path).place(NOW, place)
    taken(place, path, NOW)
    return path


@pytest.mark.parametrize("place", ["postgres"], indirect=True)
@pytest.mark.parametrize(
    "said",
    [
        "error: query failed: FATAL:  terminating connection due to administrator command",
        "error: could not execute query: server closed the connection unexpectedly",
        'error: connection to server at "db", port 5432 failed: FATAL:  the database system is shutting down',
    ],
)
def test_a_server_that_goes_away_meanwhile_makes_no_backup_a_broken_one(
    place: str, backup: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    def lost(*words: object, **more: object) -> None:
        raise StoreFull(5, f"pg_restore failed: pg_restore: {said}", "x")

    monkeypatch.setattr("referee.store.postgres.scratch.run", lost)
    with pytest.raises(StoreFull) as told, unpacked(backup, place, trial=backup.parent):
        pass
    assert told.value.reason == "away"


def test_a_file_of_one_s_own_is_whole_until_the_new_one_is(
    place: str, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No room for the few lines beside it: the one of yesterday is as it was."""
    before = checked(backup)
    add(place, "Bea")

    def full(*words: object) -> None:
        raise StoreFull(errno.ENOSPC, "no room")

    monkeypatch.setattr("referee.store.backups.making.written", full)
    with pytest.raises(StoreFull):
        taken(place, backup, NOW + 1)
    assert checked(backup) == before
    assert not left(backup.parent)
    monkeypatch.undo()
    assert taken(place, backup, NOW + 1).rows["person"] == before.rows["person"] + 1
    assert checked(backup).made_ms == NOW + 1
    assert not left(backup.parent)


def test_nobody_restores_under_a_program_that_has_the_file_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's own shell, and whatever only reads.  Its end removed what the next referee had written."""
    monkeypatch.setattr("referee.store.connection.BUSY_MS", 50)
    book, backup = tmp_path / "r.db", tmp_path / "copy.db"
    add(f"sqlite:///{book}", "Ann")
    taken(f"sqlite:///{book}", backup, NOW)
    add(f"sqlite:///{book}", "Bo")
    with closing(sqlite3.connect(book)) as other:
        other.execute("SELECT 1 FROM person").fetchall()
        with (
            pytest.raises(StoreBusy, match="somebody has the database open"),
            unpacked(backup, f"sqlite:///{book}") as scratch,
        ):
            scratch.settle("stamp", aside=True)
        assert [path.name for path in tmp_path.glob("*aside*")] == []
    assert names(f"sqlite:///{book}") == ["Ann", "Bo"]
    with unpacked(backup, f"sqlite:///{book}") as scratch:
        aside = scratch.settle("stamp", aside=True)
    assert names(f"sqlite:///{book}") == ["Ann"]
    assert names(f"sqlite:///{aside}") == ["Ann", "Bo"]
