"""A backup that can't be finished or tried: the one that is there stays as good as it was."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from referee.store import StoreFull
from referee.store.backups import BackupFolder, checked, taken, unpacked
from tests.store.test_backups import NOW, add, left


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
