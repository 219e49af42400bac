"""The tables as SQLAlchemy has them: for the steps of the schema and for what copies a whole database.  Jobs
need none of it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import (
    DDL,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    event,
    text,
)

from referee.store import columns
from referee.store.league_tables import OfficeLog

_TYPES = {int: Integer, str: String, bytes: LargeBinary}
_METADATA = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


@cache
def table_of(model: type[columns.TableRow]) -> Table:
    """The table that a class declares."""
    made = Table(
        columns.name_of(model),
        _METADATA,
        *map(_column, columns.columns_of(model)),
        *(UniqueConstraint(*names) for names in columns.unique_of(model)),
        *map(_index, columns.indexes_of(model)),
    )
    if model is OfficeLog:
        _only_grows(made)
    return made


def all_tables() -> MetaData:
    """All tables, for what has to do with the database as a whole."""
    for model in columns.TableRow.__subclasses__():
        table_of(model)
    return _METADATA


def _column(one: columns.Column) -> Column[Any]:
    foreign = (ForeignKey(one.foreign),) if one.foreign else ()
    return Column(
        one.name,
        _TYPES[one.kind](),
        *foreign,
        primary_key=one.primary,
        nullable=one.none,
        server_default=one.server_default,
    )


def _index(one: columns.Index) -> Index:
    where: dict[str, Any] = {}
    if one.where:
        where = {"sqlite_where": text(one.where), "postgresql_where": text(one.where)}
    return Index(one.name, *one.columns, unique=one.unique, **where)


def _only_grows(log: Table) -> None:
    """Nobody changes a line of the log of what was done in office, or takes one out."""
    for verb in ("UPDATE", "DELETE"):
        name = f"{log.name}_no_{verb.lower()}"
        begins = f"CREATE TRIGGER {name} BEFORE {verb} ON {log.name}"
        words = {
            "sqlite": (f"{begins} BEGIN SELECT RAISE(ABORT, 'the office log only grows'); END",),
            "postgresql": (
                f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'the office log only grows' USING ERRCODE = "
                "'integrity_constraint_violation'; END $$",
                f"{begins} FOR EACH ROW EXECUTE FUNCTION {name}()",
            ),
        }
        for dialect, several in words.items():
            for said in several:
                made = DDL(said)  # type: ignore[no-untyped-call]  # SQLAlchemy gives it no types
                event.listen(log, "after_create", made.execute_if(dialect=dialect))
