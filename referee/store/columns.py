"""What tables are declared with: ids as columns, the base of all table classes, the one that says which id a
table has, and what keeps rows apart or finds them.

These are declarations and nothing else. What a job needs of them is worked out in `table_layouts`, the tables
of SQLAlchemy that the steps of the schema are compared with in `schema`; so a start that changes no schema
loads no SQLAlchemy, which is a quarter of a second of work.  (Modules of tables don't import `annotations`
from `__future__`: what stands behind a column's name is looked at as it is.)
"""

from __future__ import annotations

from collections import namedtuple
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, get_args

from referee import ids

K = TypeVar("K", bound=int)

if TYPE_CHECKING:
    from referee.ids import *  # noqa: F403 - all of them, whichever a table needs
else:
    # a NewType is no kind of value: here each id is the integer that it is
    globals().update(dict.fromkeys(ids.__all__, int))


class Column(NamedTuple):
    """One column, as its table's class declares it.

    `kind`: int, str or bytes; `none`: it may be empty. `default`: what a new row has where nothing is said,
    None where something must be said. `foreign` "person.id": which row of which table it names.
    `server_default`: what rows have that were there before the column was.
    """

    name: str = ""
    kind: type = int
    none: bool = False
    default: Any = None
    primary: bool = False
    foreign: str = ""
    indexed: bool = False
    unique: bool = False
    server_default: str | None = None


def Field(
    *,
    default: Any = None,
    primary_key: bool = False,
    foreign_key: str = "",
    index: bool = False,
    unique: bool = False,
    sa_column_kwargs: dict[str, str] | None = None,
) -> Any:
    """What is to be said of a column besides its kind."""
    server = None if sa_column_kwargs is None else sa_column_kwargs["server_default"]
    return Column("", int, False, default, primary_key, foreign_key, index, unique, server)


class UniqueConstraint:
    """No two rows have the same in all these columns."""

    def __init__(self, *columns: str) -> None:
        self.columns = columns


class Index:
    """What rows are found by; `where`: only those for which this holds."""

    def __init__(self, name: str, *columns: str, unique: bool = False, where: str = "") -> None:
        self.name, self.columns, self.unique, self.where = name, columns, unique, where


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of the rows for which `where` holds."""
    return Index(name, *columns, unique=unique, where=where)


class _TableClass(type):
    """The kind of those classes: by a metaclass the type checker sees that they can be keys."""


class TableRow(metaclass=_TableClass):
    """What each table's class is made from: its annotations are the columns, in their order.

    What a class gives when it is called is a row as the store gives them, a named tuple of the class's
    columns (to the type checker it is the class itself): for letters and people that stand in no database.
    """

    if TYPE_CHECKING:

        def __init__(self, *args: Any, **values: Any) -> None: ...
    else:

        def __new__(cls, **values: Any) -> Any:
            """With the class's defaults, and None where nothing is said."""
            given = {column.name: column.default for column in columns_of(cls)} | values
            return rows_of(cls)(**given)


class Numbered(Generic[K]):
    """A table whose rows have a number of type K, `id`, which the database gives."""

    if TYPE_CHECKING:

        @classmethod
        def numbered(cls, number: K, /) -> K:
            """By this the verbs know K (see `operations.NumberedTable`)."""
            ...


def name_of(model: type[TableRow]) -> str:
    """What its table is called."""
    return str(vars(model).get("__tablename__", model.__name__.lower()))


@cache
def columns_of(model: type[TableRow]) -> tuple[Column, ...]:
    """The columns that a class declares.

    Raises TypeError for one that holds anything but int, str and bytes, or whose default is computed.
    """
    return tuple(_column(name, kind, model) for name, kind in model.__annotations__.items())


@cache
def rows_of(model: type[TableRow]) -> Any:
    """The kind of its rows, a named tuple.

    A row shows only its key when it is printed: seeds, snapshots and addresses must not reach a log by
    accident.
    """
    keys = keys_of(model)

    def shown(row: Any) -> str:
        return f"<{type(row).__name__} {' '.join(str(getattr(row, key)) for key in keys)}>"

    names = [column.name for column in columns_of(model)]
    plain: Any = namedtuple("plain", names)  # type: ignore[misc]  # its class tells the names
    return type(name_of(model), (plain,), {"__slots__": (), "__repr__": shown})


def keys_of(model: type[TableRow]) -> tuple[str, ...]:
    """The columns of the primary key."""
    return tuple(column.name for column in columns_of(model) if column.primary)


def indexes_of(model: type[TableRow]) -> list[Index]:
    """Its indexes but for those that keep rows apart."""
    own = [
        Index(f"ix_{name_of(model)}_{column.name}", column.name)
        for column in columns_of(model)
        if column.indexed
    ]
    return own + [one for one in _arguments(model) if isinstance(one, Index)]


def unique_of(model: type[TableRow]) -> list[tuple[str, ...]]:
    """The columns in which no two rows are the same, but for the primary key."""
    own = [(column.name,) for column in columns_of(model) if column.unique]
    return own + [one.columns for one in _arguments(model) if isinstance(one, UniqueConstraint)]


def _arguments(model: type[TableRow]) -> tuple[object, ...]:
    found: tuple[object, ...] = vars(model).get("__table_args__", ())
    return found


def _column(name: str, kind: Any, model: type[TableRow]) -> Column:
    none = isinstance(kind, UnionType) and type(None) in get_args(kind)
    if none:
        (kind,) = (one for one in get_args(kind) if one is not type(None))
    if kind not in (int, str, bytes):
        raise TypeError(f"{name_of(model)}.{name}: {kind!r} is neither int, str nor bytes")
    said = vars(model).get(name, Column())
    if not isinstance(said, Column):
        said = Column(default=said)
    if said.default is not None and not isinstance(said.default, kind):
        raise TypeError(f"{name_of(model)}.{name}: only plain values may be defaults, of the column's kind")
    return said._replace(name=name, kind=kind, none=none)
