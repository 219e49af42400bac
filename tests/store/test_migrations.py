"""The schema's steps: complete, reversible, whole or not at all, and found wherever the package lies."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from referee.store import NewerDatabase, OlderDatabase, Person, Store, StrangeDatabase
from referee.store.columns import all_tables
from referee.store.connection import touch
from referee.store.migrate import bring_up, revision_of, revisions
from referee.store.migrations import engine as migrations_engine

ROOT = Path(__file__).parents[2]


def schema(path: Path) -> set[tuple[str, ...]]:
    """Every table and index of a file, as SQLite remembers them; the order of a table's constraints does not
    count.
    """
    with closing(sqlite3.connect(path)) as conn:
        rows = conn.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'alembic_version'"
        ).fetchall()
    said = set()
    for (sql,) in rows:
        head, _, rest = " ".join(sql.replace('"', "").split()).partition(" (")
        parts = [part.strip() for part in re.split(r",(?![^(]*\))", rest.strip().removesuffix(")"))]
        said.add((head, *sorted(parts, key=lambda part: part if part.startswith("CONSTRAINT") else "")))
    return said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A new database at the last step."""
    book = tmp_path / "book.db"
    touch(book)
    bring_up(book)
    return book


def test_the_steps_lead_to_exactly_what_the_classes_say(path: Path, tmp_path: Path) -> None:
    """Compared as text, so that keys, names, order of columns and conditions of indexes all count."""
    direct = create_engine(f"sqlite:///{tmp_path}/direct.db")
    all_tables().create_all(direct)
    direct.dispose()
    wanted = schema(tmp_path / "direct.db")
    assert len(wanted) >= 30
    assert schema(path) == wanted


def test_alembic_has_nothing_to_add(path: Path) -> None:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as conn:
        assert compare_metadata(MigrationContext.configure(conn), all_tables()) == []
    engine.dispose()


def test_up_down_and_up_again(path: Path) -> None:
    full = schema(path)
    assert revision_of(path) == revisions()[-1]
    bring_up(path, "base")
    assert schema(path) == set()
    bring_up(path)
    assert schema(path) == full


def test_revisions_are_numbered_without_a_gap() -> None:
    assert revisions() == [f"{n + 1:04}" for n in range(len(revisions()))]


def test_every_index_that_has_a_condition_has_it_on_postgresql_too() -> None:
    conditions = [index.dialect_options for table in all_tables().tables.values() for index in table.indexes]
    assert len(conditions) > 8
    for options in conditions:
        assert str(options["sqlite"]["where"]) == str(options["postgresql"]["where"])


def test_a_newer_database_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as conn, conn:
        conn.execute("UPDATE alembic_version SET version_num = '9999'")
    before = path.read_bytes()
    for how in ({}, {"guest": True}, {"read_only": True}, {"migrate": False}):
        with pytest.raises(NewerDatabase, match=r"9999.*upgrade the referee"):
            Store.open(f"sqlite:///{path}", **how)
    assert path.read_bytes() == before


def test_an_older_database_is_brought_up_only_by_its_owner(path: Path) -> None:
    bring_up(path, "base")
    for how in ({"guest": True}, {"read_only": True}, {"migrate": False}):
        with pytest.raises(OlderDatabase):
            Store.open(f"sqlite:///{path}", **how)
    store = Store.open(f"sqlite:///{path}")
    assert store.write_now(lambda tx: tx.add(Person, name="Ann")) == 1
    store.close_now()


def test_somebody_else_s_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as conn:
        conn.execute("CREATE TABLE recipes (name)")
    text = tmp_path / "text.db"
    text.write_text("Dear diary, " * 100)
    for file in (other, text):
        before = file.read_bytes()
        with pytest.raises(StrangeDatabase):
            Store.open(f"sqlite:///{file}")
        assert file.read_bytes() == before


STEP = '''
"""A step that breaks off half way."""
from alembic import op
import os, signal, sqlalchemy as sa
revision, down_revision, branch_labels, depends_on = "{number}", "{last}", None, None

def upgrade():
    op.create_table("half", sa.Column("id", sa.Integer(), primary_key=True))
    with op.batch_alter_table("person") as batch:
        batch.add_column(sa.Column("colour", sa.String(), nullable=False, server_default="red"))
    op.execute("UPDATE person SET name = 'gone'")
    {end}

def downgrade():
    op.drop_table("half")
'''


def breaking(folder: Path, end: str) -> str:
    """Put a next step that ends with `end` into `folder`; its number."""
    folder.mkdir()
    number = f"{len(revisions()) + 1:04}"
    (folder / f"{number}_breaks.py").write_text(STEP.format(number=number, last=revisions()[-1], end=end))
    return number


def with_steps_of(folder: Path, number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the referee know the steps in `folder` as well."""
    known, config = revisions(), migrations_engine.config

    def wider(connection):  # type: ignore[no-untyped-def]  # the same signature as config
        settings = config(connection)
        own = Path(migrations_engine.__file__).parent / "versions"
        settings.set_main_option("version_locations", f"{own}{os.pathsep}{folder}")
        return settings

    monkeypatch.setattr(migrations_engine, "config", wider)
    monkeypatch.setattr("referee.store.migrate.revisions", lambda: [*known, number])


@pytest.fixture
def with_ann(path: Path) -> Path:
    """A database with somebody in it."""
    store = Store.open(f"sqlite:///{path}")
    store.write_now(lambda tx: tx.add(Person, name="Ann"))
    store.close_now()
    return path


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("raise RuntimeError('half way')", "half way"),
        (
            (
                "op.execute('INSERT INTO seat (game_id, no, bot, name, ready, word, told, misses, "
                "channel) VALUES (77, 0, 0, 0, 0, 0, 0, 0, 0)')"
            ),
            "refer to nothing",
        ),
    ],
)
def test_a_step_that_fails_leaves_the_book_as_it_was(
    with_ann: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: str, words: str
) -> None:
    before, at = schema(with_ann), revision_of(with_ann)
    number = breaking(tmp_path / "steps", end)
    with monkeypatch.context() as patched:
        with_steps_of(tmp_path / "steps", number, patched)
        with pytest.raises(Exception, match=words):
            Store.open(f"sqlite:///{with_ann}")
    assert (schema(with_ann), revision_of(with_ann)) == (before, at)
    store = Store.open(f"sqlite:///{with_ann}")
    assert store.read_now(lambda tx: tx.column(Person, "name")) == ["Ann"]
    store.close_now()


def test_a_good_step_keeps_what_is_in_the_book(
    with_ann: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same step, ended well: proves that the failing ones failed for the right reason."""
    number = breaking(tmp_path / "steps", "pass")
    with_steps_of(tmp_path / "steps", number, monkeypatch)
    Store.open(f"sqlite:///{with_ann}").close_now()
    assert revision_of(with_ann) == number
    with closing(sqlite3.connect(with_ann)) as conn:
        assert conn.execute("SELECT name, colour FROM person").fetchall() == [("gone", "red")]


def test_a_migration_killed_half_way_rolls_back(with_ann: Path, tmp_path: Path) -> None:
    before, at = schema(with_ann), revision_of(with_ann)
    number = breaking(tmp_path / "steps", "os.kill(os.getpid(), signal.SIGKILL)")
    program = (
        "import sys, pathlib, pytest\n"
        "from tests.store.test_migrations import bring_up, with_steps_of\n"
        "book, steps, number = sys.argv[1:]\n"
        "with_steps_of(pathlib.Path(steps), number, pytest.MonkeyPatch())\n"
        "bring_up(pathlib.Path(book))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(with_ann), str(tmp_path / "steps"), number],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == -signal.SIGKILL
    assert (schema(with_ann), revision_of(with_ann)) == (before, at)
    with closing(sqlite3.connect(with_ann)) as conn:
        assert conn.execute("SELECT name FROM person").fetchall() == [("Ann",)]
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def elsewhere(site: Path, *arguments: str) -> str:
    """Run Python with nothing of this folder in reach but a copy of the package; what it printed."""
    command = [sys.executable, "-P", *arguments]
    done = subprocess.run(
        command, cwd=site.parent, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(site)}
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of the package elsewhere, as an installed wheel is."""
    shutil.copytree(
        ROOT / "referee", tmp_path / "site" / "referee", ignore=shutil.ignore_patterns("__pycache__")
    )
    return tmp_path / "site"


MAKE = """
import sys
from referee.store import Person, Store
store = Store.open(sys.argv[1])
print(store.write_now(lambda tx: tx.add(Person, name="Ann")), sys.modules["referee"].__file__)
store.close_now()
"""


def test_the_steps_travel_with_the_package(site: Path, tmp_path: Path) -> None:
    said = elsewhere(site, "-c", MAKE, f"sqlite:///{tmp_path}/new.db")
    assert said.split() == ["1", str(site / "referee" / "__init__.py")]


def test_a_changed_class_is_drafted_as_the_next_step(site: Path, tmp_path: Path) -> None:
    """`python -m referee.store.migrations` writes a step that a database made before then takes."""
    url = f"sqlite:///{tmp_path}/book.db"
    elsewhere(site, "-c", MAKE, url)
    with (site / "referee" / "store" / "tables.py").open("a") as tables:
        tables.write(
            '\n\nclass Hat(TableRow):\n    """A hat."""\n\n    id: '
            "int | None = Field(default=None, primary_key=True)\n    name: str\n"
        )
    elsewhere(site, "-m", "referee.store.migrations", "Hats are remembered")
    number = f"{len(revisions()) + 1:04}"
    (step,) = (site / "referee" / "store" / "migrations" / "versions").glob(f"{number}_*.py")
    assert step.read_text().startswith('"""Hats are remembered.')
    assert elsewhere(site, "-c", MAKE, url).split()[0] == "2"
    assert revision_of(tmp_path / "book.db") == number
    assert any(entry[0] == "CREATE TABLE hat" for entry in schema(tmp_path / "book.db"))
