"""Verbs: how a job reads and changes tables.  Fifteen verbs, the same for every table and every database.

A table is named by its SQLModel class; what comes back is a light read-only row with the table's columns
(to the type checker it is the class itself).  An equality takes one value, None (IS NULL) or
several in a tuple (IN; an empty one matches nothing).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar, overload

from sqlmodel import SQLModel

from referee.store.statements import Prepared, Statements, shape_of
from referee.store.table_layouts import TableLayout, sheet_of

M = TypeVar("M", bound=SQLModel)
M_co = TypeVar("M_co", bound=SQLModel, covariant=True)
K = TypeVar("K", bound=int)


class NumberedTable(Protocol[M_co, K]):
    """A class of rows M with numbers of type K, as `columns.Numbered` declares it."""

    def numbered(self, number: K, /) -> K: ...
    def __call__(self, *args: Any, **values: Any) -> M_co: ...


class BasicOperations(ABC):
    """What a job can do.  A database provides `_ask`, `_tell`, `_many` and `_new`.

    Every verb raises TypeError for an unknown column or a value of the wrong kind, StoreConflict where a rule
    of the tables is broken, StoreFull when the disk fails.
    """

    def __init__(self, statements: Statements) -> None:
        self._statements = statements
        self._quick: dict[tuple[Any, ...], tuple[tuple[type, ...], Prepared]] = {}

    @abstractmethod
    def _ask(self, prepared: Prepared, values: Sequence[Any]) -> list[Any]:
        """All result rows, as tuples."""

    @abstractmethod
    def _tell(self, prepared: Prepared, values: Sequence[Any]) -> int:
        """Change something; how many rows."""

    @abstractmethod
    def _many(self, prepared: Prepared, rows: Sequence[Sequence[Any]]) -> int:
        """The same change with other values, once for each; how many rows."""

    @abstractmethod
    def _new(self, prepared: Prepared, values: Sequence[Any]) -> int | None:
        """Add a row; its number, or None when it was there already."""

    @overload
    def add(self, table: NumberedTable[M, K], /, **values: Any) -> K: ...
    @overload
    def add(self, table: type[SQLModel], /, **values: Any) -> int: ...
    def add(self, table: Any, /, **values: Any) -> int:
        """A new row, the class's defaults filled in; its number (for a table keyed by a word: of no
        meaning).
        """
        sheet = sheet_of(table)
        row = sheet.row(values)
        number = self._new(self._statements.insert(sheet, len(row)), row)
        assert number is not None
        return number

    def add_all(self, table: type[SQLModel], rows: Sequence[Mapping[str, Any]], /) -> None:
        """`add` several rows, each with the same columns given, in this order."""
        sheet = sheet_of(table)
        full = [sheet.row(values) for values in rows]
        if not full:
            return
        if len(set(map(len, full))) > 1:
            raise TypeError(f"{sheet.name}: some of these rows have a number and some have none")
        self._later(self._statements.insert(sheet, len(full[0])), full)

    def note(self, table: type[SQLModel], /, **values: Any) -> None:
        """`add` a row whose number nobody asks for: where the database is far away nobody waits for it."""
        sheet = sheet_of(table)
        row = sheet.row(values)
        self._later(self._statements.insert(sheet, len(row)), [row])

    @overload
    def add_new(self, table: NumberedTable[M, K], /, **values: Any) -> K | None: ...
    @overload
    def add_new(self, table: type[SQLModel], /, **values: Any) -> int | None: ...
    def add_new(self, table: Any, /, **values: Any) -> int | None:
        """`add`, or None when a row with the same key (any unique one) is there already."""
        sheet = sheet_of(table)
        row = sheet.row(values)
        return self._new(self._statements.insert(sheet, len(row), unless_there=True), row)

    def put(self, table: type[SQLModel], /, **values: Any) -> None:
        """A new row, or these `values` put into the row that has this primary key (which must be among
        them).
        """
        sheet = sheet_of(table)
        if not values.keys() >= set(sheet.keys):
            raise TypeError(f"{sheet.name}: put needs {', '.join(sheet.keys)}")
        self._tell(self._statements.upsert(sheet, tuple(values)), sheet.row(values))

    @overload
    def get(self, table: NumberedTable[M, K], key: K | None, /) -> M | None: ...
    @overload
    def get(self, table: type[M], key: str, /) -> M | None: ...
    def get(self, table: Any, key: Any, /) -> Any:
        """The row with this primary key (None is nobody's)."""
        return self.one(table, **{sheet_of(table).key(): key})

    def one(self, table: type[M], /, **equals: Any) -> M | None:
        """The first matching row by primary key, or None."""
        sheet = sheet_of(table)
        rows = self._found(table, sheet.by_key, 1, None, equals)
        return sheet.make(rows[0]) if rows else None

    def all(
        self,
        table: type[M],
        /,
        *,
        order: str = "",
        limit: int = 0,
        after: Mapping[str, int] | None = None,
        **equals: Any,
    ) -> list[M]:
        """Matching rows.

        `order`: columns separated by commas, "-" in front for downwards ("round,-no").  `limit` 0: all.
        `after` {"no": 5}: only rows with no > 5.
        """
        sheet = sheet_of(table)
        return list(map(sheet.make, self._found(table, order, limit, after, equals)))

    def column(
        self,
        table: type[SQLModel],
        name: str,
        /,
        *,
        order: str = "",
        limit: int = 0,
        after: Mapping[str, int] | None = None,
        **equals: Any,
    ) -> list[Any]:
        """One column of the matching rows: for lists of games without their snapshots."""
        return [value for (value,) in self._found(table, order, limit, after, equals, name)]

    def count(self, table: type[SQLModel], /, **equals: Any) -> int:
        """How many rows match."""
        sheet = sheet_of(table)
        values: list[Any] = []
        number = self._ask(self._statements.count(sheet, shape_of(sheet, equals, values)), values)[0][0]
        return int(number)

    @overload
    def set(self, table: NumberedTable[M, K], key: K | None, /, **values: Any) -> bool: ...
    @overload
    def set(self, table: type[SQLModel], key: str, /, **values: Any) -> bool: ...
    def set(self, table: Any, key: Any, /, **values: Any) -> bool:
        """Put `values` into the row with this primary key; False when there is none (None is nobody's)."""
        return self.change(table, {sheet_of(table).key(): key}, **values) > 0

    @overload
    def set_all(self, table: NumberedTable[M, K], changed: Mapping[K, Mapping[str, Any]], /) -> int: ...
    @overload
    def set_all(self, table: type[SQLModel], changed: Mapping[str, Mapping[str, Any]], /) -> int: ...
    def set_all(self, table: Any, changed: Mapping[Any, Mapping[str, Any]], /) -> int:
        """`set` for several primary keys, the same columns for each; how many of the rows there are."""
        sheet = sheet_of(table)
        columns = next((tuple(values) for values in changed.values()), ())
        rows = []
        for key, values in changed.items():
            if tuple(values) != columns:
                raise TypeError(f"{sheet.name}: the same columns must be given for every row")
            for name, value in values.items():
                sheet.check(name, value)
            given = list(values.values())
            shape = shape_of(sheet, {sheet.key(): key}, given)
            rows.append(given)
        return self._many(self._statements.update(sheet, columns, shape), rows) if columns else 0

    def change(self, table: type[SQLModel], where: Mapping[str, Any], /, **values: Any) -> int:
        """Put `values` into every matching row; how many.

        The compare-and-set: 0 means somebody was first.
        """
        sheet = sheet_of(table)
        if not values:
            return self.count(table, **where)
        return self._tell(*self._changing(sheet, where, values))

    def renew(self, table: type[M], row: M, /, **values: Any) -> M:
        """Put `values` into a row that this transaction has read; the row as it is now, without reading it
        again.

        Raises LookupError when it is no longer there; where the database is far away, that comes with a later
        verb or with the commit.
        """
        sheet = sheet_of(table)
        key = sheet.key()
        if values:
            self._surely(*self._changing(sheet, {key: getattr(row, key)}, values), repr(row))
        fresh: M = row._replace(**values)  # type: ignore[attr-defined]  # a row is a named tuple
        return fresh

    def drop(self, table: type[SQLModel], /, **equals: Any) -> int:
        """Delete the matching rows; how many."""
        sheet = sheet_of(table)
        values: list[Any] = []
        return self._tell(self._statements.delete(sheet, shape_of(sheet, equals, values)), values)

    def _changing(
        self, sheet: TableLayout, where: Mapping[str, Any], values: Mapping[str, Any]
    ) -> tuple[Prepared, list[Any]]:
        """An UPDATE, and the values it takes."""
        names, given = tuple(values), list(values.values())
        if tuple(map(type, given)) != sheet.usual(names).kinds:
            for name, value in values.items():
                sheet.check(name, value)
        shape = shape_of(sheet, where, given)
        return self._statements.update(sheet, names, shape), given

    def _later(self, prepared: Prepared, rows: Sequence[Sequence[Any]]) -> None:
        """Rows to be added before anything else is asked, or at the end."""
        if len(rows) == 1:
            self._tell(prepared, rows[0])
        else:
            self._many(prepared, rows)

    def _surely(self, prepared: Prepared, values: Sequence[Any], what: str) -> None:
        """The same of a change to one row, which must be there."""
        if not self._tell(prepared, values):
            raise LookupError(f"{what} is gone")

    def _found(
        self,
        table: type[SQLModel],
        order: str,
        limit: int,
        after: Mapping[str, int] | None,
        equals: Mapping[str, Any],
        only: str = "",
    ) -> list[Any]:
        sheet = sheet_of(table)
        again = (sheet.name, order, limit > 0, only, *equals) if after is None else ()
        quick = self._quick.get(again)
        if quick is not None and tuple(map(type, equals.values())) == quick[0]:
            return self._ask(quick[1], (*equals.values(), limit) if limit else (*equals.values(),))
        values: list[Any] = []
        where = shape_of(sheet, equals, values)
        # plain values, no partial index: the same again next time
        if again and where == tuple(equals) and not sheet.usual(tuple(equals)).concerned:
            self._quick[again] = (
                tuple(map(type, equals.values())),
                self._statements.select(sheet, where, (), order, limit > 0, only),
            )
        later = after or {}
        values += later.values()
        if limit:
            values.append(limit)
        return self._ask(self._statements.select(sheet, where, tuple(later), order, limit > 0, only), values)
