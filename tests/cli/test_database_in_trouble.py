"""A database that can't be used now: a command says so in a sentence, and promises nothing that it does not
do.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.store import Store, writer
from referee.store.locks import WriteLock
from tests.cli.conftest import Run

URL = "postgresql+psycopg://referee@127.0.0.1:1/none"


@pytest.mark.parametrize("language", ["en_US.UTF-8", "pt_BR.UTF-8"])
@pytest.mark.parametrize(
    "words",
    [("store", "copy", "sqlite:///{book}", URL), ("games",), ("backup", "{folder}")],
    ids=lambda w: w[0],
)
def test_nothing_is_tried_again(
    run: Run, tmp_path: Path, words: tuple[str, ...], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg")
    monkeypatch.setenv("LC_ALL", language)
    (tmp_path / "book.db").touch()
    (tmp_path / "r.toml").write_text(f"[store]\nurl = '{URL}'\n[terminal]\n")
    line = [one.format(book=tmp_path / "book.db", folder=tmp_path / "backups") for one in words]
    done = run(*line, *(() if words[0] == "store" else ("-c", tmp_path / "r.toml")))
    assert done.exit_code == 1
    assert ("can't be reached" if language.startswith("en") else "não responde") in done.stderr
    for promised in ("again", "de novo", "Errno", "erro 111"):
        assert promised not in done.stderr


@pytest.mark.parametrize(
    "words", [("games", "--pause", 1), ("admin", "block", "telegram:5"), ("league", "say", "audit")]
)
def test_who_does_not_get_a_turn_is_told(
    run: Run, tmp_path: Path, words: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A referee that is stopped in the midst of a commit, or a slow disk."""
    monkeypatch.setattr(writer, "BUSY_MS", 50)
    book = tmp_path / "book.db"
    Store.open(f"sqlite:///{book}").close_now()
    (tmp_path / "r.toml").write_text(f"[store]\nurl = 'sqlite:///{book}'\n[terminal]\n")
    with WriteLock(book, 1.0).held():
        done = run(*words, "-c", tmp_path / "r.toml")
    assert done.exit_code == 1
    assert "Nothing was done" in done.stderr
    assert "another process is writing to the database and does not let go" in done.stderr
