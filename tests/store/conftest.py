"""A book of its own for every test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import Game, Person, Store, Tx
from tests import books

#: what holds of every database; the other files, and tests marked `sqlite`, are about SQLite's file
BOTH = (
    "test_verbs",
    "test_named",
    "test_writer",
    "test_quick_questions",
    "test_office_log",
    "test_leases",
    "test_claiming",
    "test_waiting",
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "store" in metafunc.fixturenames:
        both = metafunc.module.__name__.rpartition(".")[
            2
        ] in BOTH and not metafunc.definition.get_closest_marker("sqlite")
        metafunc.parametrize("store", ["sqlite", "postgres"] if both else ["sqlite"], indirect=True)


@pytest.fixture
def store(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Store]:
    """An open, empty store, as `serve` has it."""
    if request.param == "postgres":
        postgres = pytest.importorskip(
            "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
        )
        if postgres.missing():
            pytest.skip(postgres.missing())
    opened = Store.open(books.address(tmp_path / "book.db", postgres=request.param == "postgres"))
    yield opened
    opened.close_now()
    books.forget()


@pytest.fixture
def game(store: Store) -> int:
    """The number of a running game, created by person 1."""

    def job(tx: Tx) -> int:
        return tx.add(Game, creator_id=tx.add(Person, name="Ann"), status="running")

    return store.write_now(job)


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    """Of an empty book on PostgreSQL."""
    yield books.address(tmp_path / "book.db", postgres=True)
    books.forget()


@pytest.fixture
def shared(url: str) -> Iterator[Store]:
    """With one game in it, of person 1."""
    store = Store.open(url)
    store.write_now(lambda tx: tx.add(Game, creator_id=tx.add(Person, name="Ann"), status="running"))
    yield store
    store.close_now()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 4 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    if (
        os.geteuid()
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], capture_output=True
        ).returncode
    ):
        pytest.skip("left out: a really full disk, only root may mount one")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a book with Ann in it."""
    if request.param == "postgres":
        postgres = pytest.importorskip(
            "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
        )
        if postgres.missing():
            pytest.skip(postgres.missing())
    url = books.address(tmp_path / "book" / "r.db", postgres=request.param == "postgres")
    store = Store.open(url)
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    store.close_now()
    yield url
    books.forget()
