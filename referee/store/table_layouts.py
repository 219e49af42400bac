"""Sheets: what one table looks like to the statements, worked out once from its SQLModel class.

A sheet knows the columns in their order, the kind of value each holds, what is filled in when nothing is
said, and the partial indexes.  Rows come back as named tuples with the table's columns: light,
read-only, and with nothing of SQLAlchemy's bookkeeping behind them.

Only int, str and bytes are let in.  Compiled statements skip SQLAlchemy's conversions, so a table with
another kind of column is refused when its sheet is made; and since SQLite would keep a
word in a number's column without complaint, every value's kind is checked here.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Column, Integer, LargeBinary, String, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import SQLModel

from referee.store.columns import table_of

_DIALECT = sqlite.dialect()
_TERM = re.compile(r"(\w+) (=|<>) ('[^']*'|\d+)")


class IndexTerm(NamedTuple):
    """One term of a partial index's condition: column, whether it must equal or differ, the value."""

    column: str
    equal: bool
    value: str | int


class PartialIndex(NamedTuple):
    """The condition of partial indexes: SQLite uses them only where the query says it literally."""

    condition: str
    terms: tuple[IndexTerm, ...]

    def follows(self, equals: Mapping[str, Any]) -> bool:
        """Whether rows that satisfy `equals` all satisfy it."""
        for column, equal, value in self.terms:
            asked = equals.get(column)
            if not isinstance(asked, (str, int)) or (asked == value) is not equal:
                return False
        return True


class FilterPlan(NamedTuple):
    """What was worked out once about equalities of the same columns, each with one plain value: the `kinds`
    these must have, the partial indexes that may be `concerned`, and for each choice of those that are: the
    statement's shape, and the places of the values it takes.
    """

    kinds: tuple[type | None, ...]
    concerned: tuple[int, ...]
    shapes: dict[tuple[int, ...], tuple[tuple[str | int, ...], tuple[int, ...]]]


class TableLayout:
    """One table's columns, kinds, defaults and partial indexes."""

    def __init__(self, table: Table) -> None:
        """Raises TypeError for a table with a column that is neither int, str nor bytes."""
        self.table = table
        self.name = table.name
        self.columns = tuple(column.name for column in table.columns)
        self.place = {name: n for n, name in enumerate(self.columns)}
        self.kinds = {column.name: _kind(column) for column in table.columns}
        self.may_be_none = frozenset(column.name for column in table.columns if column.nullable)
        self.keys = tuple(column.name for column in table.primary_key.columns)
        own = table.autoincrement_column
        self.numbered = own is not None  # the database gives the number of a new row
        if own is not None and self.columns[0] != own.name:
            raise TypeError(f"{self.name}: the row's number must be the first column")
        self.blank = [_default(column) for column in table.columns]
        self.required = frozenset(
            column.name
            for column, value in zip(table.columns, self.blank, strict=True)
            if value is None and not column.nullable and column is not own
        )
        self.partials = tuple(_partials(table))
        indexes = [(index, index.dialect_options["sqlite"]["where"]) for index in table.indexes]
        #: the columns of indexes of all rows; of the others their condition's number, and the first column
        self._wide = [
            [column.name for column in index.columns] for index, condition in indexes if condition is None
        ]
        numbers = {partial.condition: number for number, partial in enumerate(self.partials)}
        self._narrow = [
            (numbers[str(condition)], next(iter(index.columns)).name)
            for index, condition in indexes
            if condition is not None
        ]
        self.make = _rows(self.name, self.columns, self.keys)
        self.by_key = ",".join(self.keys)  # the order of the primary key
        self._plans: dict[tuple[str, ...], tuple[tuple[int, ...], tuple[type, ...]]] = {}
        self._usual: dict[tuple[str, ...], FilterPlan] = {}

    def row(self, values: Mapping[str, Any]) -> list[Any]:
        """A new row's values in column order, defaults filled in, without the number when it is to be given.

        Raises TypeError for an unknown column, a missing one, or a value of the wrong kind.
        """
        names = tuple(values)
        places, kinds = self._plans.get(names) or self._plan(names)
        row = self.blank.copy()
        given = tuple(values.values())
        if tuple(map(type, given)) != kinds:
            for name, value in values.items():
                self.check(name, value)
        for place, value in zip(places, given):  # noqa: B905  # of one length, and the strict zip is the slower one
            row[place] = value
        if self.numbered and row[0] is None:
            del row[0]
        return row

    def _plan(self, names: tuple[str, ...]) -> tuple[tuple[int, ...], tuple[type, ...]]:
        """Where the values of these columns go, and of what kind each must be; worked out once for the same
        names.
        """
        for name in names:
            if name not in self.place:
                raise TypeError(f"{self.name} has no column {name}")
        if not self.required <= set(names):
            raise TypeError(f"{self.name}: nothing said for {', '.join(sorted(self.required - set(names)))}")
        self._plans[names] = plan = (
            tuple(self.place[name] for name in names),
            tuple(self.kinds[name] for name in names),
        )
        return plan

    def usual(self, names: tuple[str, ...]) -> FilterPlan:
        """What is known of equalities of these columns."""
        found = self._usual.get(names)
        if found is None:
            # partial indexes whose condition could follow, by number
            concerned = tuple(
                n
                for n, partial in enumerate(self.partials)
                if all(term.column in names for term in partial.terms)
            )
            found = self._usual[names] = FilterPlan(
                tuple(map(self.kinds.get, names)),
                concerned,
                {} if concerned else {(): (names, tuple(range(len(names))))},
            )
        return found

    def literal(self, matched: Iterable[int]) -> set[str]:
        """The columns whose value stands in the conditions of these partial indexes."""
        return {term.column for n in matched for term in self.partials[n].terms if term.equal}

    def misleading(self, where: Iterable[object]) -> set[str]:
        """The columns of a statement's shape that would lead SQLite to a bad plan.

        It takes an index of two columns for better than a partial one, though the partial index's condition
        holds for all rows that the second column is asked for (the deadlines of a kind that are open, for
        those of a game). And a value that a partial index's condition could name makes it look at the value,
        and compile the statement anew at each use (8 x slower).
        """
        parts = list(where)
        names = {part for part in parts if isinstance(part, str)}
        literal = self.literal(part for part in parts if isinstance(part, int))
        found = {
            term.column
            for partial in self.partials
            for term in partial.terms
            if term.equal and not any(term.column in index for index in self._wide)
        }
        for condition, first in self._narrow:
            if first in names and condition in parts:
                found |= {index[0] for index in self._wide if first not in index and literal & {*index[1:]}}
        return found & names

    def check(self, name: str, value: object) -> None:
        """Raises TypeError unless `value` may stand in column `name`."""
        kind = self.kinds.get(name)
        if value.__class__ is kind:
            return
        if kind is None:
            raise TypeError(f"{self.name} has no column {name}")
        if value is None and (name in self.may_be_none or (self.numbered and name == self.columns[0])):
            return
        if not isinstance(value, kind):
            raise TypeError(f"{self.name}.{name} holds {kind.__name__}, not {type(value).__name__}")

    def key(self) -> str:
        """The name of the primary key's one column.  Raises TypeError where it has several."""
        if len(self.keys) != 1:
            raise TypeError(f"{self.name} has a key of {len(self.keys)} columns: ask by their values")
        return self.keys[0]


@cache
def sheet_of(model: type[SQLModel]) -> TableLayout:
    """The sheet of a table class, made once."""
    return TableLayout(table_of(model))


def _kind(column: Column[Any]) -> type:
    declared = column.type
    if (
        isinstance(declared, TypeDecorator)
        and type(declared).process_bind_param is TypeDecorator.process_bind_param
    ):
        declared = declared.impl_instance  # SQLModel's AutoString: a String that converts nothing
    for family, kind in ((Integer, int), (String, str), (LargeBinary, bytes)):
        if isinstance(declared, family) and (kind is bytes or _as_it_is(declared)):
            return kind
    raise TypeError(f"{column}: {column.type!r} needs conversion, which compiled statements skip")


def _rows(name: str, columns: tuple[str, ...], keys: tuple[str, ...]) -> Callable[[Iterable[Any]], Any]:
    """What makes rows (to the type checker Any: a row stands for its class).

    A row shows only its key when it is printed: seeds, snapshots and addresses must not reach a log by
    accident.
    """

    def shown(row: Any) -> str:
        return f"<{name} {' '.join(str(getattr(row, key)) for key in keys)}>"

    kind: Any = type(name, (namedtuple(name, columns),), {"__slots__": (), "__repr__": shown})
    make: Callable[[Iterable[Any]], Any] = kind._make
    return make


def _as_it_is(declared: TypeEngine[Any]) -> bool:
    """Whether SQLAlchemy would hand values through.

    (For bytes it wraps and unwraps, which sqlite3 does by itself.)
    """
    there = declared.dialect_impl(_DIALECT)
    return there.bind_processor(_DIALECT) is None and there.result_processor(_DIALECT, None) is None


def _default(column: Column[Any]) -> Any:
    default = column.default
    if default is None:
        return None
    if not default.is_scalar:
        raise TypeError(f"{column}: only plain values may be defaults")
    return default.arg  # type: ignore[attr-defined]  # a scalar default has it


def _partials(table: Table) -> list[PartialIndex]:
    found: dict[str, PartialIndex] = {}  # several indexes may share a condition
    for index in sorted(table.indexes, key=lambda index: str(index.name)):
        condition = index.dialect_options["sqlite"]["where"]
        if condition is None:
            continue
        parts = str(condition).split(" AND ")
        terms = [_TERM.fullmatch(part) for part in parts]
        if not all(terms):
            raise TypeError(f"{index.name}: a condition may only say `column = value` and `column <> value`")
        found[str(condition)] = PartialIndex(
            str(condition),
            tuple(
                IndexTerm(t[1], t[2] == "=", t[3].strip("'") if t[3].startswith("'") else int(t[3]))
                for t in terms
                if t
            ),
        )
    return list(found.values())
