"""Sheets: what one table looks like to the statements, worked out once from its class.

A sheet knows the columns in their order, the kind of value each holds, what is filled in when nothing is
said, and the partial indexes.  Rows come back as named tuples with the table's columns: light and read-only.

Only int, str and bytes are let in, which every driver takes as they are; and since SQLite would keep a
word in a number's column without complaint, every value's kind is checked here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

from referee.store.columns import (
    Column,
    TableRow,
    columns_of,
    indexes_of,
    keys_of,
    name_of,
    rows_of,
    unique_of,
)

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

    def __init__(self, model: type[TableRow]) -> None:
        """Raises TypeError for a class that no table can be made of."""
        declared = columns_of(model)
        self.name = name_of(model)
        self.columns = tuple(column.name for column in declared)
        self.place = {name: n for n, name in enumerate(self.columns)}
        self.kinds = {column.name: column.kind for column in declared}
        self.may_be_none = frozenset(column.name for column in declared if column.none)
        self.keys = keys_of(model)
        #: of what columns no two rows have the same, besides the keys
        self.unique = tuple(unique_of(model))
        # the database gives the number of a new row
        self.numbered = len(self.keys) == 1 and self.kinds[self.keys[0]] is int and _own(declared)
        if self.numbered and self.columns[0] != self.keys[0]:
            raise TypeError(f"{self.name}: the row's number must be the first column")
        self.blank = [column.default for column in declared]
        self.required = frozenset(
            column.name
            for column in declared
            if column.default is None and not column.none and not (self.numbered and column.primary)
        )
        self.partials = tuple(_partials(model))
        #: what makes rows (to the type checker Any: a row stands for its class)
        self.make: Callable[[Iterable[Any]], Any] = rows_of(model)._make
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
def sheet_of(model: type[TableRow]) -> TableLayout:
    """The sheet of a table class, made once."""
    return TableLayout(model)


def _own(declared: Iterable[Column]) -> bool:
    """Whether the key is the row's own number, and not another row's."""
    return not any(column.primary and column.foreign for column in declared)


def _partials(model: type[TableRow]) -> list[PartialIndex]:
    found: dict[str, PartialIndex] = {}  # several indexes may share a condition
    for index in sorted(indexes_of(model), key=lambda index: index.name):
        if not index.where:
            continue
        terms = [_TERM.fullmatch(part) for part in index.where.split(" AND ")]
        if not all(terms):
            raise TypeError(f"{index.name}: a condition may only say `column = value` and `column <> value`")
        found[index.where] = PartialIndex(
            index.where,
            tuple(
                IndexTerm(t[1], t[2] == "=", t[3].strip("'") if t[3].startswith("'") else int(t[3]))
                for t in terms
                if t
            ),
        )
    return list(found.values())
