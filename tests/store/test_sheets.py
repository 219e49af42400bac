"""What may be a table: values that every driver takes as they are."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

import pytest

from referee.store import Deadline, Outbox, tables
from referee.store.columns import Index, TableRow, columns_of
from referee.store.postgres.statements import PostgresStatements
from referee.store.statements import Statements
from referee.store.table_layouts import TableLayout, sheet_of


class Colour(StrEnum):
    """A kind of value that is a text, but not as it is."""

    RED = "red"


def fake(columns: dict[str, Any], **said: Any) -> Any:
    """A class like those of tables, which no table is made of."""
    return type("Fake", (), {"__annotations__": {"id": int, **columns}, **said})


@pytest.mark.parametrize("kind", [datetime, dict, Colour, bool, int | str])
def test_a_column_that_needs_conversion_is_refused(kind: Any) -> None:
    with pytest.raises(TypeError, match=r"fake\.bad: .* neither int, str nor bytes"):
        TableLayout(fake({"bad": kind}))


@pytest.mark.parametrize("default", [lambda: 1, "1", b""])
def test_a_default_that_is_computed_or_of_another_kind_is_refused(default: Any) -> None:
    with pytest.raises(TypeError, match=r"fake\.at: only plain values"):
        TableLayout(fake({"at": int}, at=default))


def test_a_partial_index_must_say_its_condition_simply() -> None:
    with pytest.raises(TypeError, match="may only say"):
        TableLayout(fake({"a": int}, __table_args__=(Index("ix", "a", where="a > 3"),)))


def test_what_is_no_column_gets_into_no_statement() -> None:
    sheet, written = sheet_of(Deadline), Statements()
    for bad in ("due", "due_ms = 0; DROP TABLE game"):
        for write in (
            lambda bad=bad: written.select(sheet, (bad,)),
            lambda bad=bad: written.select(sheet, (), order=f"-{bad}"),
            lambda bad=bad: written.select(sheet, (), after=(bad,)),
            lambda bad=bad: written.select(sheet, (), only=bad),
            lambda bad=bad: written.update(sheet, (bad,), ()),
            lambda bad=bad: written.upsert(sheet, ("id", bad)),
            lambda bad=bad: written.delete(sheet, ((bad, 0),)),
        ):
            with pytest.raises(TypeError, match="has no column"):
                write()


def test_columns_come_in_the_order_of_their_class_with_what_it_says() -> None:
    found = {column.name: column for column in columns_of(Deadline)}
    assert list(found) == ["id", "game_id", "seat", "question", "kind", "due_ms", "done_ms"]
    assert found["id"].primary
    assert found["game_id"].foreign == "game.id"
    assert (found["kind"].kind, found["kind"].default, found["done_ms"].default) == (str, None, 0)


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
        pg.insert(sheet, len(sheet.columns) - 1, unless_there=True),
        pg.upsert(sheet, ("id", "due_ms")),
        pg.select(sheet, ("game_id", ("seat", 2), 0), ("id",), "-due_ms", True),
        pg.update(sheet, ("done_ms",), ("id",)),
    ]
    assert "ON CONFLICT DO NOTHING" in made[0]
    assert "DO UPDATE SET due_ms = excluded.due_ms" in made[1]
    assert made[2].count("%s") == 5
    assert "done_ms = 0" in made[2]
    assert made[3].count("%s") == 2
