"""Backups that are compressed, and those that hold only what differs from an earlier one: each comes back as
the database was, and what is damaged or missing is told.
"""

from __future__ import annotations

import errno
import io
import json
import random
from pathlib import Path

import pytest

from referee.service.upkeep.take_backup import kept
from referee.store import Inbox, Store, StoreFull, Tx
from referee.store.backups import BackupFolder, BadBackup, beside, checked, making, taken, unpacked
from referee.store.backups.compression import Base, Broken, Raw, compressed, differing, expanded, remade
from referee.store.backups.manifest import hashed
from tests.store.test_backups import NOW, add, left, names, relisted

DAY = 86_400_000


def fill(url: str, rows: int, first: int = 0) -> None:
    """Messages, each with words of its own."""
    store, dice = Store.open(url), random.Random(first)

    def job(tx: Tx) -> None:
        for number in range(first, first + rows):
            tx.add(
                Inbox,
                channel="mail",
                key=str(number),
                body=dice.randbytes(300).hex().encode(),
                at_ms=1,
                state="done",
            )

    store.write_now(job)
    store.close_now()


def rows(url: str) -> list[object]:
    store = Store.open(url, read_only=True)
    try:
        return store.read_now(lambda tx: tx.all(Inbox, order="id"))
    finally:
        store.close_now()


@pytest.fixture
def shelf(place: str, tmp_path: Path) -> BackupFolder:
    """A folder with a whole backup, proven, of a book of some size."""
    fill(place, 1500)
    folder = BackupFolder(tmp_path / "shelf")
    kept(place, folder.folder, lambda: NOW, full_days=7, workers=1)
    return folder


def test_a_week_of_backups_is_one_whole_and_differences(place: str, shelf: BackupFolder) -> None:
    """Each is proven, small, and restores to what the book was on its day."""
    seen = [rows(place)]
    for day in range(1, 4):
        fill(place, 40, day * 10_000)
        store = Store.open(place)
        store.write_now(
            lambda tx, day=day: tx.drop(Inbox, key=tuple(str(n) for n in range(day * 50, day * 50 + 20)))
        )
        store.close_now()
        seen.append(rows(place))
        made = kept(place, shelf.folder, lambda day=day: NOW + day * DAY, full_days=7, workers=1)
        assert made.manifest.verified_ms
    found = shelf.kept()[::-1]
    assert [one.manifest.packing for one in found] == ["zstd", *["difference"] * 3]
    assert all(one.manifest.size < found[0].manifest.size / 2 for one in found[1:])
    assert found[0].manifest.size < found[0].manifest.raw_size / 1.5
    assert ".diff.zst" in found[1].path.name
    for one, wanted in zip(found, seen, strict=True):
        with unpacked(one.path, place, trial=shelf.folder) as scratch:
            assert rows(scratch.url) == wanted
    assert not left(shelf.folder)
    # and takes the place of the book
    with unpacked(found[2].path, place) as scratch:
        scratch.settle("stamp", aside=True)
    assert rows(place) == seen[2]


def test_an_old_whole_one_is_followed_by_a_whole_one(place: str, shelf: BackupFolder) -> None:
    for day, full_days, packing in ((2, 0, "zstd"), (8, 7, "difference"), (30, 7, "zstd")):
        made = kept(place, shelf.folder, lambda day=day: NOW + day * DAY, full_days=full_days, workers=1)
        assert made.manifest.packing == packing, day


def test_one_that_was_never_proven_is_no_base(place: str, tmp_path: Path) -> None:
    fill(place, 300)
    for day in range(2):
        made = kept(place, tmp_path / "shelf", lambda day=day: NOW + day * DAY, full_days=7, verify=False)
        assert made.manifest.packing == "zstd"


def test_what_others_differ_from_stays_as_long_as_they_do(place: str, shelf: BackupFolder) -> None:
    for day in range(1, 6):
        kept(place, shelf.folder, lambda day=day: NOW + day * DAY, keep=2, full_days=7, workers=1)
    assert [one.manifest.packing for one in shelf.kept()] == ["difference", "difference", "zstd"]
    for day in (9, 10):
        kept(place, shelf.folder, lambda day=day: NOW + day * DAY, keep=2, full_days=7, workers=1)
    assert [one.manifest.packing for one in shelf.kept()] == ["difference", "zstd"]
    assert shelf.kept()[0].manifest.base == shelf.kept()[1].path.name


def test_a_difference_without_what_it_differs_from_is_refused(place: str, shelf: BackupFolder) -> None:
    made = kept(place, shelf.folder, lambda: NOW + DAY, full_days=7, workers=1)
    base = shelf.folder / made.manifest.base
    before = rows(place)
    data = base.read_bytes()
    for harm, code in (
        (lambda: base.unlink(), "baseless"),
        (lambda: base.write_bytes(data[:-5] + b"12345"), "changed"),
        (lambda: (base.write_bytes(data[:-5] + b"12345"), relisted(base)), "baseless"),
        (lambda: beside(base).unlink(), "unlisted"),
    ):
        told = beside(base).read_bytes()
        harm()
        with pytest.raises(BadBackup) as bad, unpacked(made.path, place):
            pass
        assert bad.value.code == code
        base.write_bytes(data)
        beside(base).write_bytes(told)
    assert rows(place) == before
    assert checked(made.path) == made.manifest
    assert not left(shelf.folder)


def test_after_a_damaged_base_comes_a_whole_one(place: str, shelf: BackupFolder) -> None:
    [one] = shelf.kept()
    data = one.path.read_bytes()
    one.path.write_bytes(data[: len(data) // 2] + b"?" + data[len(data) // 2 + 1 :])
    made = kept(place, shelf.folder, lambda: NOW + DAY, full_days=7, workers=1)
    assert made.manifest.packing == "zstd"
    assert made.manifest.verified_ms
    assert not left(shelf.folder)


def test_a_backup_of_before_still_restores(place: str, tmp_path: Path) -> None:
    """Neither compressed nor with any of the new words in its manifest."""
    path = tmp_path / ("old.dump" if place.startswith("postgresql") else "old.db")
    manifest = taken(place, path, NOW)
    assert (manifest.format, manifest.packing) == (1, "")
    told = json.loads(beside(path).read_text())
    for word in ("packing", "raw_size", "raw_sha256", "base", "base_sha256"):
        del told[word]
    beside(path).write_text(json.dumps(told))
    if place.startswith("sqlite"):
        assert path.read_bytes().startswith(b"SQLite format 3")  # any tool opens it
    add(place, "Bo")
    with unpacked(path, place) as scratch:
        scratch.settle("stamp", aside=True)
    assert names(place) == ["Ann"]


def test_a_file_of_one_s_own_may_be_compressed(place: str, tmp_path: Path) -> None:
    made = kept(place, tmp_path / "mine.db.zst", lambda: NOW, workers=1)
    assert made.path.name == "mine.db.zst"
    assert (made.manifest.packing, made.manifest.format) == ("zstd", 2)
    assert made.manifest.verified_ms


def test_more_than_the_manifest_says_is_not_unpacked(place: str, shelf: BackupFolder) -> None:
    """A small file that would fill the disk."""
    [one] = shelf.kept()
    (shelf.folder / "zeros").write_bytes(bytes(80_000_000))
    compressed(shelf.folder / "zeros", one.path)
    assert one.path.stat().st_size < 100_000
    relisted(one.path)
    with pytest.raises(BadBackup, match="more than it says"), unpacked(one.path, place):
        pass


@pytest.mark.parametrize("pages", [True, False])
def test_a_recipe_makes_what_it_was_made_of(tmp_path: Path, pages: bool) -> None:
    """Whatever was moved, put in, taken out, doubled; and what did not change is not told again."""
    dice = random.Random(7)
    lines = [dice.randbytes(dice.randrange(20, 300)).hex().encode() + b"\n" for _ in range(4000)]
    blocks = [dice.randbytes(4096) for _ in range(300)]
    base, new, diff, out = (tmp_path / name for name in ("base", "new", "diff", "out"))
    for change in range(8):
        now = list(blocks if pages else lines)
        for _ in range(change):
            at = dice.randrange(len(now))
            now[at:at] = [dice.randbytes(4096)] if pages else [dice.randbytes(50).hex().encode() + b"\n"]
            now[dice.randrange(len(now))] = now[dice.randrange(len(now))]
            half = dice.randrange(len(now))
            now = now[half:] + now[:half] if change % 2 else now[: len(now) - half % 20]
        new.write_bytes(b"".join(blocks if pages else lines))
        was = compressed(new, base)
        new.write_bytes(b"".join(now) + b"x" * change)
        told, before = differing(new, base, diff, pages=pages)
        assert (told, before) == (Raw(new.stat().st_size, hashed(new)), was)
        with out.open("wb") as into:
            assert remade(diff, Base(base, was.size), into, tmp_path, told.size) == told
        assert out.read_bytes() == new.read_bytes()
        assert diff.stat().st_size < (change + 1) * 150_000
        for cut in (0, 10, diff.stat().st_size // 2):
            (tmp_path / "cut").write_bytes(diff.read_bytes()[:cut])
            with pytest.raises(Broken):
                remade(tmp_path / "cut", Base(base, was.size), io.BytesIO(), tmp_path, told.size)
    with pytest.raises(ValueError, match="more than it says"):
        expanded(base, io.BytesIO(), was.size - 1)


@pytest.mark.parametrize("base", [True, False])
def test_a_full_disk_is_no_damaged_base(
    place: str, shelf: BackupFolder, monkeypatch: pytest.MonkeyPatch, base: bool
) -> None:
    (whole,) = shelf.kept()

    def full(*_: object, **__: object) -> object:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(making, "differing", full)
    monkeypatch.setattr(making, "compressed", full)
    with pytest.raises(StoreFull):
        taken(place, shelf.place(NOW + 1, place), NOW + 1, whole.path if base else None)


def test_a_shelf_without_room_to_try_a_backup_does_not_grow_for_ever(
    place: str, shelf: BackupFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*words: object, **more: object) -> None:
        raise StoreFull(errno.ENOSPC, "no room")

    monkeypatch.setattr("referee.service.upkeep.take_backup.unpacked", full)
    gone = []
    for day in range(1, 6):
        made = kept(place, shelf.folder, lambda day=day: NOW + day * DAY, keep=2, workers=1)
        assert made.unable == "no room"
        gone += made.gone
    assert [one.manifest.made_ms for one in shelf.kept()] == [NOW + 5 * DAY, NOW + 4 * DAY, NOW]
    assert len(gone) == 3
    assert shelf.kept()[-1].manifest.verified_ms, "the newest that was proven stays"


def test_a_clock_that_was_ahead_costs_no_backup_that_is_made_when_it_is_right_again(
    place: str, shelf: BackupFolder
) -> None:
    """The ones from later than now are older than what is made now, and nothing differs from them: by their
    names they would be the newest for as long as the clock was ahead.
    """
    for day in (300, 301):
        kept(place, shelf.folder, lambda day=day: NOW + day * DAY, keep=2, full_days=7, workers=1)
    ahead = [one.path for one in shelf.kept()]
    made = kept(place, shelf.folder, lambda: NOW + DAY, keep=2, full_days=0, workers=1)
    assert made.path.exists()
    assert made.path not in made.gone
    made = kept(place, shelf.folder, lambda: NOW + 2 * DAY, keep=2, full_days=7, workers=1)
    assert [one.manifest.made_ms for one in shelf.kept()] == [NOW + 2 * DAY, NOW + DAY]
    assert made.manifest.base == shelf.kept()[1].path.name
    assert not any(one.exists() for one in ahead)
