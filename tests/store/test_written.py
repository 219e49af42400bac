"""The statements that we write ourselves are those that SQLAlchemy writes for the same tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import and_, bindparam, delete, func, select, text, true, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.sql.expression import ClauseElement

from referee.store.columns import TableRow
from referee.store.postgres.statements import PostgresStatements
from referee.store.schema import table_of
from referee.store.statements import Statements, Where, quoted
from referee.store.table_layouts import TableLayout, sheet_of

TABLES = TableRow.__subclasses__()
DIALECTS: list[tuple[Statements, Any, Any]] = [
    (Statements(), sqlite.dialect(paramstyle="qmark"), sqlite.insert),
    (PostgresStatements(), PGDialect(paramstyle="format"), postgresql.insert),  # type: ignore[no-untyped-call]  # not annotated in SQLAlchemy
]


def alike(words: str) -> str:
    """A statement without what is only another way of writing it."""
    words = (
        words.replace('"', "")
        .replace("LIMIT ? OFFSET ?", "LIMIT ?")
        .replace("count(*) AS count_1", "count(*)")
    )
    words = re.sub(
        r" WHERE (1 = 1|true)\b( AND)?", lambda found: " WHERE" if found[2] else "", " ".join(words.split())
    )
    return re.sub(r"(\w)=(\?|%s)", r"\1 = \2", words)


def shapes(sheet: TableLayout) -> Iterator[Where]:
    first, second, last = sheet.columns[0], sheet.columns[1], sheet.columns[-1]
    yield from ((), (first,), (last, second), ((first, 0),), ((second, 4), first), ((second, -1), first))
    yield from ((first, number) for number in range(len(sheet.partials)))


def conditions(table: Any, sheet: TableLayout, where: Where) -> ClauseElement:
    said: list[Any] = []
    for part in where:
        if isinstance(part, int):
            said.append(text(sheet.partials[part].condition))
            continue
        name, several = part if isinstance(part, tuple) else (part, None)
        column = table.c[name]
        if several is None:
            said.append(column == bindparam(f"w_{name}", type_=column.type))
        elif several == -1:
            said.append(text("1 = 0"))
        else:
            many = [bindparam(f"w_{name}_{n}", type_=column.type) for n in range(several)]
            said.append(column.in_(many) if many else column.is_(None))
    return and_(true(), *said)


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
@pytest.mark.parametrize(("ours", "dialect", "insert"), DIALECTS, ids=["sqlite", "postgresql"])
def test_it_is_what_sqlalchemy_writes(ours: Statements, dialect: Any, insert: Any, model: Any) -> None:
    table, sheet = table_of(model), sheet_of(model)

    def theirs(statement: Any) -> str:
        return alike(str(statement.compile(dialect=dialect)))

    def value(name: str, prefix: str = "") -> Any:
        return bindparam(f"{prefix}{name}", type_=table.c[name].type)

    whole = insert(table).values({name: value(name) for name in sheet.columns})
    if isinstance(ours, PostgresStatements):  # tells the number of the new row
        number = table.c[sheet.columns[0]] if sheet.numbered else text("0")
        assert alike(ours.insert(sheet, len(sheet.columns))) == theirs(whole.returning(number))
    else:
        assert alike(ours.insert(sheet, len(sheet.columns))) == theirs(whole)
        there = theirs(whole.on_conflict_do_nothing())
        assert alike(ours.insert(sheet, len(sheet.columns), unless_there=True)) == there
    later = {name: whole.excluded[name] for name in sheet.columns if name not in sheet.keys}
    instead = whole.on_conflict_do_update(index_elements=list(sheet.keys), set_=later)
    assert alike(ours.upsert(sheet, sheet.columns)) == theirs(instead)
    assert alike(ours.upsert(sheet, sheet.keys)) == theirs(whole.on_conflict_do_nothing())
    for where in shapes(sheet):
        meant, last = conditions(table, sheet, where), table.c[sheet.columns[-1]]
        found = select(table).where(meant, last > value(last.name, "a_"))
        found = found.order_by(last.desc(), table.c[sheet.columns[0]]).limit(bindparam("limit"))
        order = f"-{last.name},{sheet.columns[0]}"
        assert alike(ours.select(sheet, where, (last.name,), order, True)) == theirs(found)
        only = select(last).where(meant).order_by(table.c[sheet.columns[0]])
        assert alike(ours.select(sheet, where, (), sheet.columns[0], False, last.name)) == theirs(only)
        counted = select(func.count()).select_from(table).where(meant)
        assert alike(ours.count(sheet, where)) == theirs(counted)
        changed = update(table).ordered_values((last, value(last.name, "v_"))).where(meant)
        assert alike(ours.update(sheet, (last.name,), where)) == theirs(changed)
        assert alike(ours.delete(sheet, where)) == theirs(delete(table).where(meant))


@pytest.mark.parametrize("dialect", [each[1] for each in DIALECTS], ids=["sqlite", "postgresql"])
def test_every_name_that_means_something_to_a_database_is_quoted(dialect: Any) -> None:
    quote = dialect.identifier_preparer.quote
    for model in TABLES:
        sheet = sheet_of(model)
        assert quote(sheet.name) == sheet.name
        assert [name for name in sheet.columns if quote(name) != name and quoted(name) == name] == []
