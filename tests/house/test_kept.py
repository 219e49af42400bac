"""What is kept from one start to the next is never older than what it was read from, and may be missing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee import kept


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(kept, "_place", [tmp_path / "kept"])
    return tmp_path / "kept" / "words"


@pytest.fixture
def words(tmp_path: Path) -> Path:
    return written(tmp_path / "words.toml", 'hello = "Hello"')


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_second_start_reads_what_was_kept(
    place: Path, words: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kept.toml(words) == {"hello": "Hello"}
    assert len(list(place.iterdir())) == 1
    monkeypatch.setattr(kept, "_read", lambda path: pytest.fail("read again"))
    assert kept.toml(words) == {"hello": "Hello"}


def test_a_file_that_changed_is_read_again(place: Path, words: Path) -> None:
    assert kept.toml(words) == {"hello": "Hello"}
    there = words.stat()
    written(words, 'hello = "Salve"')
    os.utime(words, ns=(there.st_atime_ns, there.st_mtime_ns + 1))
    assert kept.toml(words) == {"hello": "Salve"}
    written(words, 'hello = "Saudations"')
    os.utime(words, ns=(there.st_atime_ns, there.st_mtime_ns + 1))
    assert kept.toml(words) == {"hello": "Saudations"}
    assert len(list(place.iterdir())) == 1


@pytest.mark.parametrize("broken", [b"", b"nonsense", b"\xff" * 100, b"(\x02\x00\x00\x00"])
def test_what_broke_is_read_as_if_nothing_were_kept(place: Path, words: Path, broken: bytes) -> None:
    kept.toml(words)
    (file,) = place.iterdir()
    file.write_bytes(broken)
    assert kept.toml(words) == {"hello": "Hello"}
    assert file.read_bytes() != broken


def test_where_there_is_no_place_nothing_is_kept(place: Path, words: Path) -> None:
    written(place.parent, "a file where the folder should be")
    assert kept.toml(words) == {"hello": "Hello"}


def test_a_folder_to_which_others_may_write_is_left_alone(place: Path, words: Path) -> None:
    kept.toml(words)
    (file,) = place.iterdir()
    file.write_bytes(b"planted")
    place.parent.chmod(0o777)
    assert kept.folder("words") is None
    assert kept.toml(words) == {"hello": "Hello"}
    assert file.read_bytes() == b"planted"
    place.parent.chmod(0o700)
    assert kept.folder("words") == place


def test_another_users_folder_is_left_alone(
    place: Path, words: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.toml(words)
    monkeypatch.setattr(os, "geteuid", lambda: place.parent.stat().st_uid + 1)
    assert kept.folder("words") is None
    assert kept.toml(words) == {"hello": "Hello"}


def test_nobody_but_a_command_keeps_anything(words: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_place", [])  # of a process that said nothing; tests/conftest.py did
    assert kept.folder("words") is None
    assert kept.toml(words) == {"hello": "Hello"}
