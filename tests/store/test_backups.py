"""Backups with their manifests: taken, checked, unpacked, put in place; and what is not restored, by one
clear word each.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.store import MissingDatabase, OccupiedDatabase, Person, Store, StoreBusy
from referee.store.backups import BackupFolder, BadBackup, beside, checked, taken, unpacked, written
from referee.store.backups.manifest import hashed
from referee.store.migrate import bring_up, revisions
from tests import books

NOW = 1_790_000_000_000


@pytest.fixture
def backup(place: str, tmp_path: Path) -> Path:
    """A backup of it."""
    path = BackupFolder(tmp_path).place(NOW, place)
    taken(place, path, NOW)
    return path


def names(url: str) -> list[str]:
    store = Store.open(url, read_only=True)
    try:
        found: list[str] = store.read_now(lambda tx: tx.column(Person, "name", order="id"))
        return found
    finally:
        store.close_now()


def add(url: str, name: str) -> None:
    store = Store.open(url)
    store.write_now(lambda tx: tx.add(Person, name=name))
    store.close_now()


def left(folder: Path) -> set[str]:
    """What lies there and should not, after whatever went wrong."""
    return {
        path.name
        for path in folder.rglob("*")
        if ".part" in path.name or ".restoring" in path.name or ".trial" in path.name
    }


def databases() -> set[str]:
    """Of the PostgreSQL of this session that were made on the way."""
    return {
        str(name)
        for (name,) in books.server().ask("SELECT datname FROM pg_database")
        if "_restoring_" in str(name) or "_trial_" in str(name)
    }


def test_a_backup_says_what_it_is(place: str, backup: Path) -> None:
    manifest = checked(backup)
    assert (manifest.revision, manifest.made_ms, manifest.rows["person"], manifest.live) == (
        revisions()[-1],
        NOW,
        1,
        0,
    )
    assert manifest.database == ("postgresql" if place.startswith("postgresql") else "sqlite")
    assert (manifest.size, manifest.sha256, manifest.verified_ms) == (
        backup.stat().st_size,
        hashed(backup),
        0,
    )
    assert [path.stat().st_mode & 0o077 for path in (backup, beside(backup))] == [0, 0]
    assert "Ann" not in beside(backup).read_text()


def test_what_is_unpacked_takes_the_place_and_what_was_there_stays_aside(
    place: str, backup: Path, tmp_path: Path
) -> None:
    add(place, "Bo")
    with unpacked(backup, place) as scratch:
        assert names(scratch.url) == ["Ann"]
        assert scratch.revision == revisions()[-1]
        aside = scratch.settle("stamp", aside=True)
    assert names(place) == ["Ann"]
    other = f"sqlite:///{aside}" if place.startswith("sqlite") else place.rpartition("/")[0] + "/" + aside
    assert "stamp" in aside
    assert names(other) == ["Ann", "Bo"]
    assert not left(tmp_path)
    if place.startswith("postgresql"):
        assert databases() == set()
        books.server().drop(aside)


def test_a_full_place_is_refused_and_left_alone(place: str, backup: Path, tmp_path: Path) -> None:
    add(place, "Bo")
    with pytest.raises(OccupiedDatabase), unpacked(backup, place) as scratch:
        scratch.free(aside=False)
    with pytest.raises(OccupiedDatabase), unpacked(backup, place) as scratch:
        scratch.settle("stamp", aside=False)
    assert names(place) == ["Ann", "Bo"]
    assert not left(tmp_path)


def test_an_empty_or_missing_place_needs_no_word(place: str, backup: Path, tmp_path: Path) -> None:
    served = place.startswith("postgresql")
    empty = books.address(tmp_path / "empty.db", postgres=served)
    Store.open(empty).close_now()
    missing = place.rpartition("/")[0] + "/" + "new_one" if served else f"sqlite:///{tmp_path}/deep/new.db"
    for url in (empty, missing):
        with unpacked(backup, url) as scratch:
            assert scratch.settle("stamp", aside=False) == "" or not served
        assert names(url) == ["Ann"]
    if served:
        books.server().drop("new_one")


def test_nobody_restores_under_somebody_who_has_it_open(
    place: str, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if place.startswith("postgresql"):
        monkeypatch.setattr("referee.store.postgres.scratch.PATIENCE_S", 0.1)
    store = Store.open(place)
    try:
        with pytest.raises(StoreBusy), unpacked(backup, place):
            pass
    finally:
        store.close_now()
    assert names(place) == ["Ann"]


def relisted(backup: Path, **changes: object) -> None:
    """Let the manifest say what is there now, and something else besides."""
    text = json.loads(beside(backup).read_text())
    beside(backup).write_text(
        json.dumps({**text, "size": backup.stat().st_size, "sha256": hashed(backup), **changes})
    )


def torn(where: Callable[[int], int]) -> Callable[[Path], None]:
    def tear(path: Path) -> None:
        os.truncate(path, where(path.stat().st_size))

    return tear


def flipped(where: Callable[[int], int]) -> Callable[[Path], None]:
    def flip(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(where(path.stat().st_size))
            byte = file.read(1)
            file.seek(-1, 1)
            file.write(bytes([byte[0] ^ 0x40]))

    return flip


@pytest.mark.parametrize(
    "harm",
    [
        torn(lambda size: 0),
        torn(lambda size: 10),
        torn(lambda size: size // 2),
        torn(lambda size: size - 5000),
    ],
    ids=["nothing left", "in the header", "in the middle", "at the end"],
)
def test_a_torn_file_is_refused(
    place: str, backup: Path, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    harm(backup)
    with pytest.raises(BadBackup) as bad, unpacked(backup, place):
        pass
    assert bad.value.code == "short"
    relisted(backup)  # even where somebody made the manifest fit
    with pytest.raises(BadBackup) as bad, unpacked(backup, place):
        pass
    assert bad.value.code in ("broken", "foreign", "rows")
    assert names(place) == ["Ann"]
    assert not left(tmp_path)
    if place.startswith("postgresql"):
        assert databases() == set()


@pytest.mark.parametrize(
    "harm",
    [flipped(lambda size: 20), flipped(lambda size: size // 2), flipped(lambda size: size - 1)],
    ids=["first", "middle", "last"],
)
def test_a_flipped_byte_is_noticed(place: str, backup: Path, harm: Callable[[Path], None]) -> None:
    harm(backup)
    with pytest.raises(BadBackup) as bad, unpacked(backup, place):
        pass
    assert bad.value.code == "changed"
    assert names(place) == ["Ann"]


def test_a_file_of_nobody_s_is_refused(place: str, backup: Path, tmp_path: Path) -> None:
    cases: dict[str, Callable[[], object]] = {
        "missing": backup.unlink,
        "unlisted": lambda: beside(backup).unlink(),
        "illegible": lambda: beside(backup).write_text("{"),
        "newer": lambda: relisted(backup, revision="9999"),
        "rows": lambda: relisted(backup, rows={"person": 7}),
        "other-database": lambda: relisted(
            backup, database="sqlite" if place.startswith("postgresql") else "postgresql"
        ),
    }
    for code, harm in cases.items():
        shutil.rmtree(tmp_path / "kept", ignore_errors=True)
        (tmp_path / "kept").mkdir()
        for path in (backup, beside(backup)):
            shutil.copy(path, tmp_path / "kept")
        harm()
        with pytest.raises(BadBackup) as bad, unpacked(backup, place):
            pass
        assert bad.value.code == code
        for path in (tmp_path / "kept").iterdir():
            shutil.copy(path, tmp_path)
    (tmp_path / f"{backup.name}.json").write_text(
        json.dumps({**json.loads(beside(backup).read_text()), "what": "a cake"})
    )
    with pytest.raises(BadBackup, match="a cake"), unpacked(backup, place):
        pass
    assert names(place) == ["Ann"]


def test_another_program_s_database_is_none(tmp_path: Path) -> None:
    backup, other = tmp_path / "other.db", tmp_path / "r.db"
    add(f"sqlite:///{other}", "Ann")
    manifest = taken(f"sqlite:///{other}", backup, NOW)
    backup.unlink()
    with closing(sqlite3.connect(backup)) as conn:
        conn.execute("CREATE TABLE recipes (name)")
    written(backup, manifest)
    relisted(backup)
    with pytest.raises(BadBackup) as bad, unpacked(backup, f"sqlite:///{other}"):
        pass
    assert bad.value.code == "foreign"


def test_an_older_book_is_backed_up_as_it_is_and_brought_up_where_it_is_unpacked(tmp_path: Path) -> None:
    """Before an upgrade it is the new version that takes the backup."""
    book, backup = tmp_path / "r.db", tmp_path / "old.db"
    add(f"sqlite:///{book}", "Ann")
    bring_up(book, "0009")
    manifest = taken(f"sqlite:///{book}", backup, NOW)
    assert manifest.revision == "0009"
    with unpacked(backup, f"sqlite:///{book}", trial=tmp_path) as scratch:
        assert scratch.revision == revisions()[-1]
        assert names(scratch.url) == ["Ann"]
    with closing(sqlite3.connect(book)) as conn:
        assert conn.execute("SELECT version_num FROM alembic_version").fetchone() == ("0009",)


def test_there_is_nothing_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(MissingDatabase):
        taken(f"sqlite:///{tmp_path}/none.db", tmp_path / "copy.db", NOW)
    (tmp_path / "blank.db").touch()
    with pytest.raises(MissingDatabase):
        taken(f"sqlite:///{tmp_path}/blank.db", tmp_path / "copy.db", NOW)
    assert not (tmp_path / "copy.db").exists()


def test_a_wal_that_was_left_is_not_taken_for_the_new_book_s(tmp_path: Path) -> None:
    """Somebody deleted the database alone: what lies beside it would be played into whatever comes there
    next.
    """
    book, backup = tmp_path / "r.db", tmp_path / "copy.db"
    add(f"sqlite:///{book}", "Ann")
    taken(f"sqlite:///{book}", backup, NOW)
    store = Store.open(f"sqlite:///{book}")
    store.write_now(lambda tx: tx.add(Person, name="Bo"))
    wal = Path(f"{book}-wal").read_bytes()
    store.close_now()
    book.unlink()
    Path(f"{book}-wal").write_bytes(wal)
    with unpacked(backup, f"sqlite:///{book}") as scratch:
        assert scratch.settle("stamp", aside=False) == ""
    assert names(f"sqlite:///{book}") == ["Ann"]
    assert (tmp_path / "r.aside-stamp.db-wal").read_bytes() == wal


def test_what_root_restores_belongs_to_whom_the_old_one_did(tmp_path: Path) -> None:
    if os.geteuid():
        pytest.skip("left out: only root can give a file away")
    book, backup = tmp_path / "book" / "r.db", tmp_path / "copy.db"
    add(f"sqlite:///{book}", "Ann")
    taken(f"sqlite:///{book}", backup, NOW)
    os.chown(book, 12345, 12346)
    with unpacked(backup, f"sqlite:///{book}") as scratch:
        scratch.settle("stamp", aside=True)
    Path(f"{book}.lock").unlink()
    book.unlink()
    os.chown(book.parent, 23456, 23456)
    with unpacked(backup, f"sqlite:///{book}") as scratch:
        scratch.settle("stamp", aside=False)
    assert {path.stat().st_uid for path in (book, Path(f"{book}.lock"))} == {23456}
    assert (book.parent / "r.aside-stamp.db").stat().st_uid == 12345
    assert book.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("second_names", [True, False], ids=["second names", "a file system without them"])
def test_one_is_in_place_at_any_moment_and_nothing_that_was_put_aside_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, second_names: bool
) -> None:
    """A restore that was cut short has left a file aside, perhaps in the same second."""
    book, backup = tmp_path / "r.db", tmp_path / "copy.db"
    add(f"sqlite:///{book}", "Ann")
    taken(f"sqlite:///{book}", backup, NOW)
    there = []
    really = os.replace

    def seen(*how: Path) -> None:
        really(*how)
        there.append(book.exists())

    def refused(*_: Path) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "replace", seen)
    if not second_names:
        monkeypatch.setattr(os, "link", refused)
    asides = []
    for name in ("Bo", "Caio", "Dee"):
        add(f"sqlite:///{book}", name)
        with unpacked(backup, f"sqlite:///{book}") as scratch:
            asides.append(scratch.settle("stamp", aside=True))
    assert there
    assert all(there)
    assert [names(f"sqlite:///{aside}") for aside in asides] == [
        ["Ann", one] for one in ("Bo", "Caio", "Dee")
    ]
    assert not left(tmp_path)


def test_a_damaged_book_is_moved_aside_as_it_is(tmp_path: Path) -> None:
    """That is what backups are for."""
    book, backup = tmp_path / "r.db", tmp_path / "copy.db"
    add(f"sqlite:///{book}", "Ann")
    taken(f"sqlite:///{book}", backup, NOW)
    book.write_bytes(b"not a database any more" * 1000)
    with pytest.raises(OccupiedDatabase), unpacked(backup, f"sqlite:///{book}") as scratch:
        scratch.settle("stamp", aside=False)
    with unpacked(backup, f"sqlite:///{book}") as scratch:
        aside = scratch.settle("stamp", aside=True)
    assert names(f"sqlite:///{book}") == ["Ann"]
    assert Path(aside).read_bytes().startswith(b"not a database")


def test_a_shelf_keeps_the_newest_and_the_newest_that_was_proven(tmp_path: Path) -> None:
    book, shelf = tmp_path / "r.db", BackupFolder(tmp_path / "shelf")
    add(f"sqlite:///{book}", "Ann")
    with shelf.held():
        with pytest.raises(StoreBusy), BackupFolder(tmp_path / "shelf").held():
            pass
        for hour in range(5):
            path = shelf.place(NOW + hour * 3_600_000, f"sqlite:///{book}")
            manifest = taken(f"sqlite:///{book}", path, NOW + hour * 3_600_000)
            if hour == 1:
                from msgspec.structs import replace

                written(path, replace(manifest, verified_ms=NOW))
    stranger = tmp_path / "shelf" / "citadels-of-mine.txt"
    stranger.write_text("keep me")
    (tmp_path / "shelf" / "citadels-20200101T000000Z.db").write_text(
        "no manifest: never finished, not counted"
    )
    assert [one.manifest.made_ms for one in shelf.kept()] == [
        NOW + hour * 3_600_000 for hour in (4, 3, 2, 1, 0)
    ]
    gone = shelf.thinned(2, NOW + 86_400_000)
    assert [one.manifest.made_ms for one in shelf.kept()] == [NOW + hour * 3_600_000 for hour in (4, 3, 1)]
    assert len(gone) == 2
    assert not any(path.exists() or beside(path).exists() for path in gone)
    assert stranger.read_text() == "keep me"
    assert shelf.thinned(2, NOW + 86_400_000) == []


def test_what_a_killed_backup_left_is_cleared_away(tmp_path: Path) -> None:
    shelf = BackupFolder(tmp_path)
    for what in ("part", "part-journal", "trial", "trial-wal"):
        (tmp_path / f".citadels-20260101T000000Z.db.{what}").write_text("half")
    for what in ("part-raw.part", "trial.part"):  # what such a one is made from
        (tmp_path / f"..citadels-20260101T000000Z.db.{what}").write_text("half")
    with shelf.held():
        assert not left(tmp_path)
