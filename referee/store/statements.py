"""Statements: what the referee says to its database, each written once and then only filled in.

A verb's statement is written from the layout of its table; the questions that have a name are written by hand
where they are asked (`Statements.asking`). What runs is the finished text with positional values on the
database's own driver, so only values that every driver takes as they are may stand in a table
(`table_layouts`).

A *shape* is a statement without its values: verb, table, names of the columns, and which
of them are compared with None or with several values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from referee.store.columns import TableRow
from referee.store.table_layouts import TableLayout, sheet_of

# An equality is its column's name; (name, 0) is IS NULL; (name, n) one of n values; (name, -1) never;
# a number says: the condition of that partial index holds as well.
Part = str | tuple[str, int] | int
Where = tuple[Part, ...]
#: our columns' names that mean something in SQL
_RESERVED = frozenset({"by", "key", "order", "row"})
#: how a job says that a row is its own until it is over, where others pass it over (`claim_queries`)
MINE = " FOR UPDATE SKIP LOCKED"


class Statements:
    """The statements that were written, for SQLite.

    Shared by all transactions; only ever grows, by shapes.
    """

    #: where a value stands
    hole = "?"

    def __init__(self) -> None:
        self._made: dict[Hashable, str] = {}

    def once(self, shape: Hashable, make: Callable[[], str]) -> str:
        """The statement of this shape; `make` writes it the first time."""
        found = self._made.get(shape)
        if found is None:
            found = self._made[shape] = make()
        return found

    def asking(self, words: str) -> str:
        """A question with a name, with "?" where its values stand, as this database's driver wants it."""
        # one job at a time writes: what it reads is its own
        return self.once(words, lambda: words.removesuffix(MINE))

    def insert(self, sheet: TableLayout, width: int, *, unless_there: bool = False) -> str:
        """INSERT of a whole row of `width` values (one less than the columns when the database numbers
        it).
        """
        return self.once(
            ("add", sheet.name, width, unless_there),
            lambda: (
                self._inserted(sheet, sheet.columns[-width:])
                + (" ON CONFLICT DO NOTHING" if unless_there else "")
            ),
        )

    def upsert(self, sheet: TableLayout, given: tuple[str, ...]) -> str:
        """INSERT of a whole row, or UPDATE of the `given` columns of the row with that key."""

        def make() -> str:
            changed = [
                f"{quoted(known(sheet, c))} = excluded.{quoted(c)}" for c in given if c not in sheet.keys
            ]
            words = f"{self._inserted(sheet, sheet.columns)} ON CONFLICT"
            if not changed:
                return f"{words} DO NOTHING"
            return f"{words} ({', '.join(map(quoted, sheet.keys))}) DO UPDATE SET {', '.join(changed)}"

        return self.once(("put", sheet.name, given), make)

    def select(
        self,
        sheet: TableLayout,
        where: Where,
        after: tuple[str, ...] = (),
        order: str = "",
        limited: bool = False,
        only: str = "",
    ) -> str:
        """SELECT of whole rows, or of column `only`.  Values: the wheres, the afters, the limit."""

        def make() -> str:
            names = [only] if only else sheet.columns
            later = [f"{named(sheet, name)} > {self.hole}" for name in after]
            return (
                f"SELECT {', '.join(named(sheet, name) for name in names)} FROM {sheet.name}"
                + self._where(sheet, where, later)
                + _ordered(sheet, order)
                + (f" LIMIT {self.hole}" if limited else "")
            )

        return self.once(("all", sheet.name, where, after, order, limited, only), make)

    def count(self, sheet: TableLayout, where: Where) -> str:
        """SELECT count(*)."""
        return self.once(
            ("count", sheet.name, where),
            lambda: f"SELECT count(*) FROM {sheet.name}{self._where(sheet, where)}",
        )

    def update(self, sheet: TableLayout, changed: tuple[str, ...], where: Where) -> str:
        """UPDATE.  Values: the changed ones, then the wheres."""
        return self.once(
            ("change", sheet.name, changed, where),
            lambda: self._updated(sheet, changed) + self._where(sheet, where),
        )

    def delete(self, sheet: TableLayout, where: Where) -> str:
        """DELETE."""
        return self.once(
            ("drop", sheet.name, where),
            lambda: f"DELETE FROM {sheet.name}{self._where(sheet, where)}",
        )

    def _inserted(self, sheet: TableLayout, columns: Iterable[str]) -> str:
        names = list(columns)
        values = ", ".join([self.hole] * len(names))
        return f"INSERT INTO {sheet.name} ({', '.join(map(quoted, names))}) VALUES ({values})"

    def _updated(self, sheet: TableLayout, changed: tuple[str, ...]) -> str:
        for name in changed:
            known(sheet, name)
        return f"UPDATE {sheet.name} SET {', '.join(f'{quoted(name)} = {self.hole}' for name in changed)}"

    def _where(self, sheet: TableLayout, where: Where, more: Sequence[str] = ()) -> str:
        """What a shape says, and more."""
        conditions = [*(self._condition(sheet, part) for part in where), *more]
        return f" WHERE {' AND '.join(conditions)}" if conditions else ""

    def _condition(self, sheet: TableLayout, part: Part) -> str:
        if isinstance(part, int):
            # SQLite takes a partial index only when its condition stands in the query word for word, not as a
            # value
            return sheet.partials[part].condition
        name, several = part if isinstance(part, tuple) else (part, None)
        column = named(sheet, name)
        if several is None:
            return f"{column} = {self.hole}"
        if several == 0:
            return f"{column} IS NULL"
        return "1 = 0" if several == -1 else f"{column} IN ({', '.join([self.hole] * several)})"


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


def columns(table: type[TableRow]) -> str:
    """All columns of a table, for a question with a name: what it finds are the table's rows."""
    sheet = sheet_of(table)
    return ", ".join(named(sheet, name) for name in sheet.columns)


def named(sheet: TableLayout, name: str) -> str:
    """A column with its table.  Raises TypeError where that has none of the name."""
    return f"{sheet.name}.{quoted(known(sheet, name))}"


def known(sheet: TableLayout, name: str) -> str:
    """The name of a column.  Raises TypeError for anything else: it goes into a statement as it is."""
    if name not in sheet.place:
        raise TypeError(f"{sheet.name} has no column {name}")
    return name


def quoted(name: str) -> str:
    """A column's name as it stands in SQL."""
    return f'"{name}"' if name in _RESERVED else name


def several(count: int) -> str:
    """Holes for that many values, one after the other."""
    return ", ".join("?" * count)


def _ordered(sheet: TableLayout, order: str) -> str:
    names = [
        named(sheet, name.lstrip("-")) + (" DESC" if name.startswith("-") else "")
        for name in filter(None, order.split(","))
    ]
    return f" ORDER BY {', '.join(names)}" if names else ""
