"""What is said to PostgreSQL otherwise than to SQLite.

A new row's number comes back with the insert.  Rows that nobody asked to have in an order come in that of their keys: SQLite
gives them nearly so, and PostgreSQL as they lie, which changes with every update.  And a game that a job reads to work on it is
locked by the very question.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, func, literal_column, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.sql.expression import ClauseElement

from referee.store.sheets import Sheet, sheet_of
from referee.store.statements import Prepared, Statements, Where
from referee.store.tables import Game

#: the first of an advisory lock's two numbers: what kind of thing the second one names
GAMES, STEPS = 0x0C17, 0x0C18
_game = sheet_of(Game).table
_LOCKED = select(*_game.columns, func.pg_try_advisory_xact_lock(literal_column(str(GAMES)), literal_column("game.id::int4"))).where(
    _game.c.id == bindparam("id", type_=_game.c.id.type))


class PostgresStatements(Statements):
    """The compiled statements, for psycopg."""

    def __init__(self) -> None:
        # the bare dialect: the one for psycopg casts each value to what SQLAlchemy thinks its column is, a number of 32 bits among others
        super().__init__(PGDialect(paramstyle="format"))  # type: ignore[no-untyped-call]  # not annotated in SQLAlchemy

    def insert(self, sheet: Sheet, width: int, *, unless_there: bool = False) -> Prepared:
        """With the new row's number (0 where rows have none)."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            columns = sheet.columns[-width:]
            statement = postgresql.insert(sheet.table).values({c: bindparam(c, type_=sheet.table.c[c].type) for c in columns})
            if unless_there:
                statement = statement.on_conflict_do_nothing()
            number: Any = sheet.table.c[sheet.columns[0]] if sheet.numbered else literal_column("0")
            return statement.returning(number), columns

        return self.once(("add", sheet.name, width, unless_there), make)

    def select(self, sheet: Sheet, where: Where, after: tuple[str, ...] = (), order: str = "", limited: bool = False, only: str = "") -> Prepared:
        """In the order of the keys unless another one is wanted."""
        return super().select(sheet, where, after, order or sheet.by_key, limited, only)

    def locked(self) -> Prepared:
        """A game by its number, and whether its lock was to be had."""
        return self.once("a game, locked", lambda: (_LOCKED, ["id"]))


def holding(games: Sequence[int]) -> str:
    """SQL that waits until this session holds the locks of these games, in their order."""
    return "; ".join(f"SELECT pg_advisory_lock({GAMES}, {int(game)})" for game in games)


def letting_go(games: Sequence[int]) -> str:
    """SQL that gives them back."""
    return "; ".join(f"SELECT pg_advisory_unlock({GAMES}, {int(game)})" for game in games)


