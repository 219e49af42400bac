"""What may be a table: the guard that lets compiled statements skip SQLAlchemy's conversions."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import pytest
from sqlalchemy import (
    JSON,
    Column,
    DateTime,
    Enum,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    select,
    text,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeEngine

from referee.store import Deadline, Outbox, tables
from referee.store.columns import TableRow
from referee.store.postgres.statements import PostgresStatements
from referee.store.statements import prepare
from referee.store.table_layouts import TableLayout, sheet_of

DIALECT = sqlite.dialect(paramstyle="qmark")


class Colour(StrEnum):
    """A kind of column that SQLAlchemy stores by name."""

    RED = "red"


def fake(*columns: Column[Any] | Index) -> Table:
    """A table of no class."""
    return Table("fake", MetaData(), Column("id", Integer, primary_key=True), *columns)


@pytest.mark.parametrize("kind", [DateTime(), JSON(), Enum(Colour)])
def test_a_column_that_needs_conversion_is_refused(kind: TypeEngine[Any]) -> None:
    column = Column("bad", kind)
    with pytest.raises(TypeError, match="needs conversion"):
        TableLayout(fake(column))


def test_a_default_that_is_computed_is_refused() -> None:
    with pytest.raises(TypeError, match="plain values"):
        TableLayout(fake(Column("at", Integer, default=lambda: 1)))


def test_a_partial_index_must_say_its_condition_simply() -> None:
    with pytest.raises(TypeError, match="may only say"):
        TableLayout(fake(Column("a", Integer), Index("ix", "a", sqlite_where=text("a > 3"))))


def test_the_statement_s_values_are_checked_too() -> None:
    table = Table("fake", MetaData(), Column("at", DateTime()), Column("j", JSON()), Column("s", String()))
    with pytest.raises(TypeError, match=r"\['at', 'j'\]"):
        prepare(
            table.insert().values(at=bindparam("at"), j=bindparam("j"), s=bindparam("s")),
            ["at", "j", "s"],
            DIALECT,
        )
    with pytest.raises(TypeError, match="takes"):
        prepare(select(table).where(table.c.s == bindparam("s")), ["t"], DIALECT)
    with pytest.raises(TypeError, match="conversion"):
        prepare(select(table).where(table.c.at > datetime(2026, 1, 1, tzinfo=UTC)), [], DIALECT)


def test_every_table_of_the_referee_passes() -> None:
    classes = [
        c
        for c in vars(tables).values()
        if isinstance(c, type) and issubclass(c, TableRow) and c is not TableRow
    ]
    assert len(classes) >= 17
    for each in classes:
        sheet = sheet_of(each)
        assert set(sheet.kinds.values()) <= {int, str, bytes}


def test_a_partial_index_is_named_only_where_its_condition_follows() -> None:
    (due,) = sheet_of(Deadline).partials
    assert due.follows({"done_ms": 0})
    assert due.follows({"done_ms": 0, "seat": 1})
    assert not due.follows({"done_ms": 5})
    assert not due.follows({"done_ms": (0, 5)})
    assert not due.follows({})
    found = {
        p.condition for p in sheet_of(Outbox).partials if p.follows({"state": "queued", "collapse": "g1"})
    }
    assert found == {"state = 'queued'", "collapse <> ''", "state = 'queued' AND collapse <> ''"}
    assert {p.condition for p in sheet_of(Outbox).partials if p.follows({"wire_id": ""})} == set()


def test_the_same_shapes_compile_for_postgresql() -> None:
    pg = PostgresStatements()
    sheet = sheet_of(Deadline)
    made = [
        pg.insert(sheet, len(sheet.columns) - 1, unless_there=True).sql,
        pg.upsert(sheet, ("id", "due_ms")).sql,
        pg.select(sheet, ("game_id", ("seat", 2), 0), ("id",), "-due_ms", True).sql,
        pg.update(sheet, ("done_ms",), ("id",)).sql,
    ]
    assert "ON CONFLICT DO NOTHING" in made[0]
    assert "DO UPDATE SET due_ms = excluded.due_ms" in made[1]
    assert made[2].count("%s") == 5
    assert "done_ms = 0" in made[2]
    assert made[3].count("%s") == 2
