"""Moving house: the whole book is there and the same, or nothing is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store import (
    Game,
    GameEvent,
    Inbox,
    OccupiedDatabase,
    OfficeLog,
    Person,
    Seat,
    Store,
    StoreBroken,
    StoreBusy,
    StoreFull,
    Tx,
    moved,
)
from referee.store.backups import taken, unpacked
from referee.store.columns import TableRow
from tests import books
from tests.cli.conftest import run  # noqa: F401 - a fixture
from tests.store import test_killed_packing as games

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
scratch_databases = pytest.importorskip(
    "referee.store.postgres.scratch", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

AWKWARD = "Zoë 🏰 'quoted' \t \\N \x00 \U0010ffff0 end\n"


def filled(tx: Tx) -> None:
    people = [tx.add(Person, name=AWKWARD, created_ms=1_790_000_000_000 + n) for n in range(3)]
    tx.drop(Person, id=people[1])  # a gap in the numbers
    game = tx.add(Game, creator_id=people[0], snapshot=bytes(range(256)), status="running")
    tx.add(Seat, game_id=game, no=0, person_id=None, name="Bot", bot="greedy")
    tx.add_all(
        GameEvent,
        [
            {"game_id": game, "no": n, "to_seat": n % 2 or None, "name": "built", "facts": "{}", "at_ms": n}
            for n in range(5000)
        ],
    )
    tx.add(OfficeLog, scope="house", no=1, at_ms=5, act="block", hash="x")
    tx.add(Inbox, channel="mail", key="k", body=b"", at_ms=2**62)


@pytest.fixture
def source(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path}/book.db"
    store = Store.open(url)
    store.write_now(filled)
    store.close_now()
    return url


@pytest.fixture
def base() -> Iterator[str]:
    """An empty database's name."""
    made = books.server().empty()
    yield made
    books.server().drop(made)


def content(store: Store) -> dict[str, list[object]]:
    classes = TableRow.__subclasses__()
    return {each.__name__: list(store.read_now(lambda tx, each=each: tx.all(each))) for each in classes}  # type: ignore[misc]  # bound


def test_everything_is_there_and_the_numbers_go_on(source: str, base: str) -> None:
    told = dict(moved(source, books.server().url(base)))
    assert told["game_event"] == 5000
    assert told["person"] == 2
    here, there = Store.open(source), Store.open(books.server().url(base))
    assert {name: [tuple(row) for row in rows] for name, rows in content(here).items()} == {
        name: [tuple(row) for row in rows] for name, rows in content(there).items()
    }
    assert len(content(there)) > 30
    assert there.write_now(lambda tx: tx.add(Person, name="new")) == 4
    assert there.write_now(lambda tx: tx.add(Game, creator_id=4)) == 2
    here.close_now()
    there.close_now()


def test_a_target_that_is_not_empty_is_left_alone(source: str, base: str) -> None:
    there = Store.open(books.server().url(base))
    there.write_now(lambda tx: tx.add(Person, name="Bo"))
    with pytest.raises(OccupiedDatabase, match="person"):
        moved(source, books.server().url(base))
    assert there.read_now(lambda tx: tx.column(Person, "name")) == ["Bo"]
    assert there.read_now(lambda tx: tx.count(GameEvent)) == 0
    there.close_now()


def test_a_book_that_is_in_use_is_not_copied(source: str, base: str) -> None:
    here = Store.open(source)
    with pytest.raises(StoreBusy):
        moved(source, books.server().url(base))
    here.close_now()
    assert books.server().ask("SELECT 1 FROM pg_class WHERE relname = 'person'", base) == []


def test_a_copy_that_breaks_off_leaves_nothing(
    source: str, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.store.postgres import copying

    once, tables = copying._table, []

    def breaking(*given):  # type: ignore[no-untyped-def]  # the same signature
        tables.append(given[2].name)
        if len(tables) == 12:
            raise KeyboardInterrupt
        return once(*given)

    monkeypatch.setattr(copying, "_table", breaking)
    with pytest.raises(KeyboardInterrupt):
        moved(source, books.server().url(base))
    there = Store.open(books.server().url(base))
    assert {name for name, rows in content(there).items() if rows} == set()
    there.close_now()
    monkeypatch.undo()
    assert dict(moved(source, books.server().url(base)))["game_event"] == 5000  # and can be done again


def test_a_row_that_comes_back_otherwise_is_found_out(
    source: str, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from referee.store.postgres import copying

    monkeypatch.setattr(
        copying,
        "kept",
        lambda value: value.replace("Zo", "zo").replace("\x00", "") if isinstance(value, str) else value,
    )
    with pytest.raises(StoreBroken, match="person"):
        moved(source, books.server().url(base))
    monkeypatch.undo()
    there = Store.open(books.server().url(base))
    assert there.read_now(lambda tx: tx.count(Person)) == 0
    there.close_now()


def test_a_torn_source_and_a_target_that_is_away(source: str, base: str, tmp_path: Path) -> None:
    with pytest.raises(StoreFull) as told:
        moved(source, "postgresql+psycopg://referee@127.0.0.1:1/none")
    assert told.value.reason == "away"
    book = tmp_path / "book.db"
    with book.open("r+b") as file:
        os.truncate(file.fileno(), book.stat().st_size // 2)
    with pytest.raises(StoreFull):
        moved(source, books.server().url(base))
    assert books.server().ask(
        "SELECT 1 FROM pg_class WHERE relname = 'person'", base
    ) == [] or books.server().ask("SELECT count(*) FROM person", base) == [(0,)]


def test_the_command(run, source: str, base: str) -> None:  # type: ignore[no-untyped-def]  # noqa: F811 - the fixture
    told = run("store", "copy", source, books.server().url(base))
    assert told.exit_code == 0, told.output
    assert "5000" in told.output
    assert "they are the same" in told.output
    told = run("store", "copy", source, books.server().url(base))
    assert told.exit_code == 1
    assert "not empty" in told.output
    told = run("store", "copy", books.server().url(base), source)
    assert told.exit_code == 1
    assert "from a SQLite file" in told.output  # and not that one address is understood, but not the other
    told = run("store", "copy", source, source)
    assert (told.exit_code, "to PostgreSQL" in told.output) == (1, True)


def test_a_packed_game_goes_along_and_reads_as_before(tmp_path: Path, base: str) -> None:
    url = f"sqlite:///{tmp_path}/packed.db"
    store = Store.open(url)
    store.write_now(games.filled)
    before = store.read_now(games.seen)
    for number in (1, 2, 3):
        pack = store.read_now(lambda tx, number=number: tx.packable(number))  # type: ignore[misc]  # bound
        assert store.write_now(lambda tx, pack=pack: tx.pack(pack, 1))  # type: ignore[misc]  # bound
    store.close_now()
    assert dict(moved(url, books.server().url(base)))["packed_game"] == 3
    there = Store.open(books.server().url(base))
    assert there.read_now(games.seen) == before
    there.write_now(lambda tx: tx.unpack(tx.get(Game, 2)) and None)
    assert there.read_now(games.seen) == before
    there.close_now()


def test_what_a_killed_trial_left_is_in_nobodys_way(base: str, tmp_path: Path) -> None:
    """In a container the next one has the same process number, elsewhere another."""
    url, backup = books.server().url(base), tmp_path / "book.dump"
    names = [f"{base[:39]}_{name}" for name in (f"trial_{os.getpid()}", "trial_1", "trial_2")]
    Store.open(url).close_now()
    taken(url, backup, 1)
    for one in names:
        books.server().ask(f'CREATE DATABASE "{one}"')
    books.server().ask(f"COMMENT ON DATABASE \"{names[1]}\" IS '{scratch_databases._MARK}'")
    with unpacked(backup, url, trial=tmp_path) as scratch:
        assert scratch.revision
    left = books.server().ask(f"SELECT datname FROM pg_database WHERE datname LIKE '{base[:39]}\\_%'")
    assert names[-1] in str(left)  # it is none of ours
    assert not [one for one in names[:-1] if f"'{one}'" in str(left)]
    books.server().ask(f'DROP DATABASE "{names[-1]}"')


def test_a_trial_that_lives_is_left_alone(base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, backup = books.server().url(base), tmp_path / "book.dump"
    Store.open(url).close_now()
    taken(url, backup, 1)
    with unpacked(backup, url, trial=tmp_path) as scratch:
        monkeypatch.setattr(os, "getpid", lambda: 1)  # another process
        with unpacked(backup, url, trial=tmp_path) as other:
            assert other.url != scratch.url
            assert other.revision == scratch.revision
