"""The same steps on PostgreSQL: complete, reversible, whole or not at all, and done by one of those who start
at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.store import (
    MissingDatabase,
    NewerDatabase,
    OlderDatabase,
    Person,
    Store,
    StoreFull,
    StrangeDatabase,
)
from referee.store.columns import all_tables
from referee.store.migrate import revisions
from tests import books
from tests.store.test_migrations import breaking, with_steps_of

servers = pytest.importorskip(
    "tests.servers.postgres", reason="psycopg is not installed", exc_type=ImportError
)
pytestmark = pytest.mark.skipif(bool(servers.missing()), reason=servers.missing() or "-")

from referee.store.postgres.connection import ServerAddress  # noqa: E402 - only where psycopg is installed
from referee.store.postgres.dialect import engine  # noqa: E402 - as above
from referee.store.postgres.schema import bring_up, revision_of  # noqa: E402 - as above

SCHEMA = """
SELECT 'column', c.table_name, c.ordinal_position::text, c.column_name,
  concat_ws(' ', c.data_type, c.collation_name, c.is_nullable, c.is_identity, c.column_default)
  FROM information_schema.columns c WHERE c.table_schema = 'public'
UNION ALL SELECT 'index', tablename, '', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'constraint', conrelid::regclass::text, '', conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', tgrelid::regclass::text, '', tgname, pg_get_triggerdef(oid)
  FROM pg_trigger WHERE NOT tgisinternal
"""
OURS = ("alembic_version", "store_ticket")


def schema(base: str) -> set[tuple[object, ...]]:
    return {row for row in books.server().ask(SCHEMA, base) if row[1] not in OURS}


@pytest.fixture
def empty() -> Iterator[Callable[[], str]]:
    """Makes a new, empty database; its name."""
    made: list[str] = []

    def make() -> str:
        made.append(books.server().empty())
        return made[-1]

    yield make
    for base in made:
        books.server().drop(base)


def url(base: str) -> str:
    return books.server().url(base)


def test_the_steps_lead_to_exactly_what_the_classes_say(empty: Callable[[], str]) -> None:
    steps, direct = empty(), empty()
    bring_up(ServerAddress(url(steps)))
    motor = engine(ServerAddress(url(direct)))
    all_tables().create_all(motor)
    motor.dispose()
    assert len(schema(direct)) > 200
    assert schema(steps) == schema(direct)


def test_every_number_is_wide_and_every_word_sorted_by_its_bytes(empty: Callable[[], str]) -> None:
    base = empty()
    bring_up(ServerAddress(url(base)))
    kinds = {str(row[4]).split(" NO")[0].split(" YES")[0] for row in schema(base) if row[0] == "column"}
    assert kinds == {"bigint", "bytea", "text C"}


def test_up_down_and_up_again(empty: Callable[[], str]) -> None:
    place = ServerAddress(url(empty()))
    base = place.name.rpartition("/")[2]
    assert revision_of(place) == ""
    bring_up(place)
    full = schema(base)
    assert revision_of(place) == revisions()[-1]
    bring_up(place, "base")
    assert schema(base) == set()
    bring_up(place)
    assert schema(base) == full


def test_a_newer_database_is_refused_by_everybody(empty: Callable[[], str]) -> None:
    base = empty()
    bring_up(ServerAddress(url(base)))
    books.server().ask("UPDATE alembic_version SET version_num = '9999'", base)
    for how in ({}, {"guest": True}, {"read_only": True}, {"migrate": False}):
        with pytest.raises(NewerDatabase, match=r"9999.*upgrade the referee"):
            Store.open(url(base), **how)


def test_an_older_database_is_brought_up_only_by_who_may(empty: Callable[[], str]) -> None:
    base = empty()
    for how in ({"guest": True}, {"read_only": True}, {"migrate": False}):
        with pytest.raises(OlderDatabase):
            Store.open(url(base), **how)
    store = Store.open(url(base))
    assert store.write_now(lambda tx: tx.add(Person, name="Ann")) == 1
    store.close_now()


def test_somebody_else_s_database_is_refused_and_left_alone(empty: Callable[[], str]) -> None:
    base = empty()
    books.server().ask("CREATE TABLE recipes (name text)", base)
    with pytest.raises(StrangeDatabase):
        Store.open(url(base))
    assert {row[1] for row in schema(base)} == {"recipes"}


def test_a_database_that_is_not_there_and_a_server_that_is_not_there() -> None:
    with pytest.raises(MissingDatabase, match="createdb"):
        Store.open(url("nowhere"))
    with pytest.raises(StoreFull) as told:
        Store.open("postgresql+psycopg://referee@127.0.0.1:1/none")
    assert told.value.reason == "away"


@pytest.mark.parametrize(
    "wrong",
    [
        "postgresql+psycopg://",
        "postgresql+asyncpg://a/b",
        "postgresql+psycopg://a/b?colour=red",
        "postgresql+psycopg://a:x/b",
    ],
)
def test_an_address_that_is_none(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"understood|address"):
        Store.open(wrong)


def test_of_several_that_start_at_once_one_migrates(empty: Callable[[], str]) -> None:
    base = empty()
    opened: list[Store] = []
    threads = [threading.Thread(target=lambda: opened.append(Store.open(url(base)))) for _ in range(3)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(opened) == 3
    for store in opened:
        store.write_now(lambda tx: tx.add(Person, name="Ann"))
    assert opened[0].read_now(lambda tx: tx.count(Person)) == 3
    for store in opened:
        store.close_now()


@pytest.mark.parametrize(
    ("end", "words"),
    [("raise RuntimeError('half way')", "half way"), ("op.execute('SELECT 1 / 0')", "division")],
)
def test_a_step_that_fails_leaves_the_book_as_it_was(
    empty: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, words: str
) -> None:
    base = empty()
    place = ServerAddress(url(base))
    bring_up(place)
    before = schema(base)
    number = breaking(tmp_path / "steps", end)
    with monkeypatch.context() as patched:
        with_steps_of(tmp_path / "steps", number, patched)
        patched.setattr("referee.store.postgres.schema.revisions", lambda: [*revisions(), number])
        with pytest.raises(Exception, match=words):
            bring_up(place)
    assert (schema(base), revision_of(place)) == (before, revisions()[-1])
