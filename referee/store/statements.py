"""Statements: what the referee says to its database, each compiled once and then only filled in.

SQLAlchemy Core writes the SQL from the tables; what runs is the finished text with positional values on the
database's own driver. Measured (spec/libraries.md): as fast as hand-written SQL, where the same through a
Session is six times slower. The price is that SQLAlchemy's conversions of values don't run, so a statement
that would need one is refused (`prepare`).

A *shape* is a statement without its values: verb, table, names of the columns, and which
of them are compared with None or with several values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Table,
    UnaryExpression,
    and_,
    bindparam,
    delete,
    func,
    select,
    text,
    update,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Dialect
from sqlalchemy.sql.expression import ClauseElement
from sqlalchemy.sql.operators import custom_op

from referee.store.table_layouts import TableLayout

# An equality is its column's name; (name, 0) is IS NULL; (name, n) one of n values; (name, -1) never;
# a number says: the condition of that partial index holds as well.
Part = str | tuple[str, int] | int
Where = tuple[Part, ...]
Cells = list[tuple[str, str]]  # (the value's name in the statement, its column)
#: `+column` is the column's value, which no index knows
_PLUS: custom_op[Any] = custom_op("+")


class Prepared(NamedTuple):
    """SQL with positional values; `tail` are constants that follow the caller's values."""

    sql: str
    tail: tuple[Any, ...]


def prepare(statement: ClauseElement, names: Sequence[str], dialect: Dialect) -> Prepared:
    """Compile for values given in the order of `names`.

    Raises TypeError when a value would need SQLAlchemy's conversion, or when `names` are not the statement's
    values in order.
    """
    compiled = statement.compile(dialect=dialect)
    converted = sorted(
        n
        for n, b in compiled.binds.items()  # type: ignore[attr-defined]  # SQLCompiler has it
        if b.type.dialect_impl(dialect).bind_processor(dialect)
    )
    if converted:
        raise TypeError(f"these values need conversion, which compiled statements skip: {converted}")
    order = tuple(compiled.positiontup or ())  # type: ignore[attr-defined]  # SQLCompiler has it
    told, rest = order[: len(names)], order[len(names) :]
    tail = tuple(compiled.params[name] for name in rest)
    if told != tuple(names) or None in tail:
        raise TypeError(f"the statement takes {order}, not {tuple(names)}")
    return Prepared(str(compiled), tail)


class Statements:
    """The compiled statements of one dialect.  Shared by all transactions; only ever grows, by shapes."""

    #: INSERT with what to do where such a row is there: each dialect has its own
    _insert: Callable[[Table], Any] = staticmethod(sqlite.insert)

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._made: dict[Hashable, Prepared] = {}

    def once(self, shape: Hashable, make: Callable[[], tuple[ClauseElement, Sequence[str]]]) -> Prepared:
        """The statement of this shape; `make` builds it the first time."""
        found = self._made.get(shape)
        if found is None:
            found = self._made[shape] = prepare(*make(), self._dialect)
        return found

    def insert(self, sheet: TableLayout, width: int, *, unless_there: bool = False) -> Prepared:
        """INSERT of a whole row of `width` values (one less than the columns when the database numbers
        it).
        """

        def make() -> tuple[ClauseElement, Sequence[str]]:
            columns = sheet.columns[-width:]
            statement = self._insert(sheet.table).values({c: _bind(sheet, c, c) for c in columns})
            return (statement.on_conflict_do_nothing() if unless_there else statement), columns

        return self.once(("add", sheet.name, width, unless_there), make)

    def upsert(self, sheet: TableLayout, given: tuple[str, ...]) -> Prepared:
        """INSERT of a whole row, or UPDATE of the `given` columns of the row with that key."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            statement = self._insert(sheet.table).values({c: _bind(sheet, c, c) for c in sheet.columns})
            changed = {c: statement.excluded[c] for c in given if c not in sheet.keys}
            if not changed:
                return statement.on_conflict_do_nothing(), sheet.columns
            return statement.on_conflict_do_update(
                index_elements=list(sheet.keys), set_=changed
            ), sheet.columns

        return self.once(("put", sheet.name, given), make)

    def select(
        self,
        sheet: TableLayout,
        where: Where,
        after: tuple[str, ...] = (),
        order: str = "",
        limited: bool = False,
        only: str = "",
    ) -> Prepared:
        """SELECT of whole rows, or of column `only`.  Values: the wheres, the afters, the limit."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            conditions, cells = self._conditions(sheet, where)
            for name in after:
                cells.append((f"a_{name}", name))
                conditions.append(sheet.table.c[name] > _bind(sheet, f"a_{name}", name))
            statement = select(sheet.table.c[only] if only else sheet.table).where(and_(True, *conditions))
            for name in filter(None, order.split(",")):
                column = sheet.table.c[name.lstrip("-")]
                statement = statement.order_by(column.desc() if name.startswith("-") else column)
            names = [name for name, _ in cells]
            return (statement.limit(bindparam("limit")), [*names, "limit"]) if limited else (statement, names)

        return self.once(("all", sheet.name, where, after, order, limited, only), make)

    def count(self, sheet: TableLayout, where: Where) -> Prepared:
        """SELECT count(*)."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            conditions, cells = self._conditions(sheet, where)
            return select(func.count()).select_from(sheet.table).where(and_(True, *conditions)), [
                name for name, _ in cells
            ]

        return self.once(("count", sheet.name, where), make)

    def update(self, sheet: TableLayout, changed: tuple[str, ...], where: Where) -> Prepared:
        """UPDATE.  Values: the changed ones, then the wheres."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            conditions, cells = self._conditions(sheet, where)
            new = [(sheet.table.c[c], _bind(sheet, f"v_{c}", c)) for c in changed]
            statement = update(sheet.table).ordered_values(*new).where(and_(True, *conditions))
            return statement, [*(f"v_{c}" for c in changed), *(name for name, _ in cells)]

        return self.once(("change", sheet.name, changed, where), make)

    def delete(self, sheet: TableLayout, where: Where) -> Prepared:
        """DELETE."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            conditions, cells = self._conditions(sheet, where)
            return delete(sheet.table).where(and_(True, *conditions)), [name for name, _ in cells]

        return self.once(("drop", sheet.name, where), make)

    def _conditions(self, sheet: TableLayout, where: Where) -> tuple[list[ColumnElement[bool]], Cells]:
        """What a shape says to this database, and the values it takes."""
        return conditions_of(sheet, where, sheet.misleading(where))


def shape_of(sheet: TableLayout, equals: Mapping[str, Any], values: list[Any]) -> Where:
    """The shape of `equals`; its values are appended to `values`.

    Several values are padded to a power of two by repeating the last, so that shapes stay few.
    """
    names = tuple(equals)
    usual = sheet.usual(names)
    matched = (
        tuple([n for n in usual.concerned if sheet.partials[n].follows(equals)]) if usual.concerned else ()
    )
    # what a partial index's condition says literally is not said once more with a value: SQLite would look at
    # the value to choose an index, and compile the statement anew at each use (10 x slower)
    given = tuple(equals.values())
    if tuple(map(type, given)) == usual.kinds:  # plain values, as nearly always
        found = usual.shapes.get(matched)
        if found is None:
            literal = sheet.literal(matched)
            places = tuple(place for place, name in enumerate(names) if name not in literal)
            found = usual.shapes[matched] = (*(names[place] for place in places), *matched), places
        known, places = found
        values += given if len(places) == len(given) else [given[place] for place in places]
        return known
    literal = sheet.literal(matched)
    shape: list[Part] = []
    for name, value in equals.items():
        if value is None:
            if name not in sheet.kinds:
                raise TypeError(f"{sheet.name} has no column {name}")
            shape.append((name, 0))
        elif isinstance(value, (tuple, list, set, frozenset)):
            several = list(value)
            for one in several:
                sheet.check(name, one)
            if several:
                several += several[-1:] * ((1 << (len(several) - 1).bit_length()) - len(several))
            shape.append((name, len(several) or -1))
            values += several
        else:
            sheet.check(name, value)
            if name not in literal:
                shape.append(name)
                values.append(value)
    return (*shape, *matched)


def _bind(sheet: TableLayout, name: str, column: str) -> ColumnElement[Any]:
    return bindparam(name, type_=sheet.table.c[column].type)


def conditions_of(
    sheet: TableLayout, where: Where, misleading: Collection[str] = ()
) -> tuple[list[ColumnElement[bool]], Cells]:
    """What a shape says, and the values it takes; SQLite takes no index for the columns that are
    `misleading`.
    """
    conditions: list[ColumnElement[bool]] = []
    cells: Cells = []
    for part in where:
        if isinstance(part, int):
            # SQLite takes a partial index only when its condition stands in the query word for word, not as a
            # value
            conditions.append(text(sheet.partials[part].condition))  # type: ignore[arg-type]  # and_ takes a text
            continue
        name, several = part if isinstance(part, tuple) else (part, None)
        column = sheet.table.c[name]
        if several is None:
            cells.append((f"w_{name}", name))
            compared = UnaryExpression(column, operator=_PLUS) if name in misleading else column
            conditions.append(compared == _bind(sheet, f"w_{name}", name))
        elif several == 0:
            conditions.append(column.is_(None))
        elif several == -1:
            # in words: `false()` would swallow the conditions beside it, and with them their values
            conditions.append(text("1 = 0"))  # type: ignore[arg-type]  # and_ takes a text
        else:
            mine = [f"w_{name}_{n}" for n in range(several)]
            cells += [(m, name) for m in mine]
            conditions.append(column.in_([_bind(sheet, m, name) for m in mine]))
    return conditions, cells
