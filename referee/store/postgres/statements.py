"""What is said to PostgreSQL otherwise than to SQLite.

A new row's number comes back with the insert. Rows that nobody asked to have in an order come in that of
their keys: SQLite gives them nearly so, and PostgreSQL as they lie, which changes with every update. And a
game that a job reads to work on it is locked by the very question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    UniqueConstraint,
    and_,
    bindparam,
    func,
    literal_column,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql.base import PGDialect
from sqlalchemy.sql.expression import ClauseElement

from referee.store import league_tables
from referee.store.columns import all_tables
from referee.store.statements import Cells, Prepared, Statements, Where, conditions_of
from referee.store.table_layouts import TableLayout, sheet_of
from referee.store.tables import Game

#: a lock's kind and number, as PostgreSQL's advisory locks have them
Lock = tuple[int, int]
GAMES, STEPS, SCHEMA = 0x0C17, 0x0C18, 0x0C19
#: who changes something that has to do with more than one game or person
HOUSE: Lock = (0x0C16, 0)
#: what such a one does to the installation's own row, and what the row is
CLAIMED = "UPDATE store_ticket SET no = no + 1 WHERE writer = 'house'"
HOUSE_ROW = "INSERT INTO store_ticket VALUES ('house', 0, 0, 'infinity') ON CONFLICT DO NOTHING"
_OF_ALL = frozenset(
    {
        "link_code",
        "account_join",
        "wrong_code",
        "alternate",
        "seat_offer",
        "season_time",
        "policy_row",
        "blocked",
    }
) | {
    sheet_of(each).name
    for each in vars(league_tables).values()
    if isinstance(each, type) and each.__module__ == league_tables.__name__
}
# Rows that come all day long take their numbers from a counter, which leaves gaps where a job was run again.
# All others follow the last one, as on SQLite: people read some of these numbers, and of two who come at once
# one is run again.
_MANY = frozenset(
    {
        "inbox",
        "outbox",
        "journal",
        "game_event",
        "deadline",
        "undo",
        "seat_plan",
        "calendar_entry",
        "alert",
        "talker",
        "web_session",
        "web_link",
    }
)
#: what PostgreSQL calls the keys of those others: that one of them is taken says only that somebody else came
#: at the same moment
FOLLOWING = frozenset(
    f"pk_{name}"
    for name, each in all_tables().tables.items()
    if "id" in each.primary_key.columns and name not in _MANY
)
_game = sheet_of(Game).table
# the row is locked as well: that fails when somebody has changed it since this transaction began, which then
# sees what is old
_LOCKED = (
    select(*_game.columns)
    .where(
        _game.c.id == bindparam("id", type_=_game.c.id.type),
        func.pg_try_advisory_xact_lock(literal_column(str(GAMES)), literal_column("game.id::int4")),
    )
    .with_for_update(key_share=True)
)
_HELD = _LOCKED.with_only_columns(_game.c.id)


class PostgresStatements(Statements):
    """The compiled statements, for psycopg."""

    _insert = staticmethod(postgresql.insert)

    def __init__(self) -> None:
        # the bare dialect: the one for psycopg casts each value to what SQLAlchemy thinks its column is, a
        # number of 32 bits among others
        super().__init__(PGDialect(paramstyle="format"))  # type: ignore[no-untyped-call]  # not annotated in SQLAlchemy

    def insert(self, sheet: TableLayout, width: int, *, unless_there: bool = False) -> Prepared:
        """With the new row's number (0 where rows have none)."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            columns = sheet.columns[-width:]
            values: dict[str, Any] = {c: bindparam(c, type_=sheet.table.c[c].type) for c in columns}
            if sheet.numbered and width < len(sheet.columns) and sheet.name not in _MANY:
                values[sheet.columns[0]] = literal_column(
                    f'(SELECT coalesce(max("{sheet.columns[0]}"), 0) + 1 '  # noqa: S608 - our own names
                    f'FROM "{sheet.name}")'
                )
            statement = postgresql.insert(sheet.table).values(values)
            if unless_there:
                known = [each for each in sheet.table.constraints if isinstance(each, UniqueConstraint)]
                # a number that somebody else took at the same moment does not say that such a row is there
                named = (
                    [each.name for each in known[0].columns]
                    if f"pk_{sheet.name}" in FOLLOWING and len(known) == 1
                    else None
                )
                statement = statement.on_conflict_do_nothing(index_elements=named)
            number: Any = sheet.table.c[sheet.columns[0]] if sheet.numbered else literal_column("0")
            return statement.returning(number), columns

        return self.once(("add", sheet.name, width, unless_there), make)

    def select(
        self,
        sheet: TableLayout,
        where: Where,
        after: tuple[str, ...] = (),
        order: str = "",
        limited: bool = False,
        only: str = "",
    ) -> Prepared:
        """In the order of the keys unless another one is wanted."""
        return super().select(sheet, where, after, order or sheet.by_key, limited, only)

    def _conditions(self, sheet: TableLayout, where: Where) -> tuple[list[ColumnElement[bool]], Cells]:
        """PostgreSQL counts what its indexes hold, and is misled by none."""
        return conditions_of(sheet, where)

    def claim(self, sheet: TableLayout, changed: tuple[str, ...], where: Where) -> Prepared:
        """UPDATE of those rows that nobody else has locked.  Values as in `update`."""

        def make() -> tuple[ClauseElement, Sequence[str]]:
            conditions, cells = self._conditions(sheet, where)
            keys = [sheet.table.c[name] for name in sheet.keys]
            free = select(*keys).where(and_(True, *conditions)).with_for_update(skip_locked=True)
            new = [(sheet.table.c[c], bindparam(f"v_{c}", type_=sheet.table.c[c].type)) for c in changed]
            statement = (
                update(sheet.table)
                .ordered_values(*new)
                .where(tuple_(*keys).in_(free) if len(keys) > 1 else keys[0].in_(free))
            )
            return statement, [*(f"v_{c}" for c in changed), *(name for name, _ in cells)]

        return self.once(("claim", sheet.name, changed, where), make)

    def locked(self) -> Prepared:
        """A game by its number, if its lock was to be had."""
        return self.once("a game, locked", lambda: (_LOCKED, ["id"]))

    def held(self) -> Prepared:
        """The same, only its number."""
        return self.once("a game, held", lambda: (_HELD, ["id"]))


@lru_cache(maxsize=4096)
def changes(sql: str) -> tuple[bool, bool]:
    """Whether a change is to a table that concerns the whole installation, and whether it is of a game."""
    words = sql.split(maxsplit=3)
    table = words[2 if words[0] in ("INSERT", "DELETE") else 1].strip('"')
    return table in _OF_ALL, words[:2] == ["UPDATE", "game"]


def holding(locks: Sequence[Lock]) -> str:
    """SQL that waits until this session holds these, in their order."""
    return "; ".join(f"SELECT pg_advisory_lock({kind}, {number})" for kind, number in locks)


def letting_go(locks: Sequence[Lock]) -> str:
    """SQL that gives them back."""
    return "; ".join(f"SELECT pg_advisory_unlock({kind}, {number})" for kind, number in locks)


def touching(games: Iterable[int]) -> list[tuple[str, tuple[int]]]:
    """What marks games as changed, for anyone who began to look at them before our commit."""
    return [("UPDATE game SET question = question WHERE id = %s", (number,)) for number in sorted(games)]
