"""What tables are declared with: ids as columns, the base of all table classes, the one that says which id a
table has, and indexes of a part of the rows.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import Index, MetaData, Table, text
from sqlmodel import SQLModel
from sqlmodel.main import get_column_from_field

from referee import ids

K = TypeVar("K", bound=int)

if TYPE_CHECKING:
    from referee.ids import *  # noqa: F403 - all of them, whichever a table needs
else:
    # SQLModel makes a column of a class, and a NewType is none: here each id is the integer that it is
    globals().update(dict.fromkeys(ids.__all__, int))

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class TableRow(SQLModel):
    """What each table's class is made from.

    SQLModel's own `table=True` would map the class for a Session as well, and pydantic would build what
    checks its values: neither is ever used here, and for all tables that is a quarter of a second of each
    start. So a table is made of its class when it is first asked for (`table_of`). (Modules of tables don't
    import `annotations` from `__future__`: to make types of their words again costs as much as all the rest.)
    """

    model_config = {"defer_build": True}


class Numbered(Generic[K]):
    """A table whose rows have a number of type K, `id`, which the database gives."""

    if TYPE_CHECKING:

        @classmethod
        def numbered(cls, number: K, /) -> K:
            """By this the verbs know K (see `verbs.NumberedTable`)."""
            ...


def partial_index(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """An index of the rows for which `where` holds."""
    return Index(name, *columns, unique=unique, sqlite_where=text(where))


@cache
def table_of(model: type[SQLModel]) -> Table:
    """The table that a class declares, with the columns that SQLModel makes of its fields."""
    declared: dict[str, Any] = dict(vars(model))
    columns = []
    for name, field in model.model_fields.items():
        column = get_column_from_field(field)
        column.name = column.key = name
        columns.append(column)
    return Table(
        declared.get("__tablename__", model.__name__.lower()),
        SQLModel.metadata,
        *columns,
        *declared.get("__table_args__", ()),
    )


def all_tables() -> MetaData:
    """All tables, for what has to do with the database as a whole.  Conditions of indexes are said for
    PostgreSQL, too: only here, as its dialect takes a while to load.
    """
    from referee.store import account_tables, league_tables, tables, web_tables  # noqa: F401 - they declare them

    for model in TableRow.__subclasses__():
        for index in table_of(model).indexes:
            index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]
    return SQLModel.metadata
