"""What is said to PostgreSQL otherwise than to SQLite.

A new row's number comes back with the insert. Rows that nobody asked to have in an order come in that of
their keys: SQLite gives them nearly so, and PostgreSQL as they lie, which changes with every update. And a
game that a job reads to work on it is locked by the very question.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from referee.store import league_tables
from referee.store.columns import TableRow, keys_of, name_of
from referee.store.statements import MINE, Statements, Where, columns, named, quoted
from referee.store.table_layouts import TableLayout
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
    name_of(each)
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
    f"pk_{name_of(each)}"
    for each in TableRow.__subclasses__()
    if "id" in keys_of(each) and name_of(each) not in _MANY
)
# the row is locked as well: that fails when somebody has changed it since this transaction began, which then
# sees what is old
_LOCKED = (
    "SELECT {columns} FROM game WHERE game.id = %s "
    f"AND pg_try_advisory_xact_lock({GAMES}, game.id::int4) FOR NO KEY UPDATE"
)


class PostgresStatements(Statements):
    """The statements that were written, for psycopg."""

    hole = "%s"

    def asking(self, words: str) -> str:
        """A question with a name, for psycopg."""
        return self.once(words, lambda: words.replace("%", "%%").replace("?", self.hole))

    def insert(self, sheet: TableLayout, width: int, *, unless_there: bool = False) -> str:
        """With the new row's number (0 where rows have none)."""

        def make() -> str:
            names, values = list(sheet.columns[-width:]), [self.hole] * width
            if sheet.numbered and width < len(sheet.columns) and sheet.name not in _MANY:
                own = sheet.columns[0]
                names.append(own)
                values.append(f'(SELECT coalesce(max("{own}"), 0) + 1 FROM "{sheet.name}")')
            words = f"INSERT INTO {sheet.name} ({', '.join(map(quoted, names))}) VALUES ({', '.join(values)})"
            if unless_there:
                # a number that somebody else took at the same moment does not say that such a row is there
                exact = f"pk_{sheet.name}" in FOLLOWING and len(sheet.unique) == 1
                words += f" ON CONFLICT{_in(sheet.unique[0]) if exact else ''} DO NOTHING"
            return f"{words} RETURNING {named(sheet, sheet.columns[0]) if sheet.numbered else 0}"

        return self.once(("add", sheet.name, width, unless_there), make)

    def select(
        self,
        sheet: TableLayout,
        where: Where,
        after: tuple[str, ...] = (),
        order: str = "",
        limited: bool = False,
        only: str = "",
    ) -> str:
        """In the order of the keys unless another one is wanted."""
        return super().select(sheet, where, after, order or sheet.by_key, limited, only)

    def claim(self, sheet: TableLayout, changed: tuple[str, ...], where: Where) -> str:
        """UPDATE of those rows that nobody else has locked.  Values as in `update`."""

        def make() -> str:
            keys = ", ".join(named(sheet, name) for name in sheet.keys)
            free = f"SELECT {keys} FROM {sheet.name}{self._where(sheet, where)}{MINE}"
            ours = f"({keys})" if len(sheet.keys) > 1 else keys
            return f"{self._updated(sheet, changed)} WHERE {ours} IN ({free})"

        return self.once(("claim", sheet.name, changed, where), make)

    def locked(self) -> str:
        """A game by its number, if its lock was to be had."""
        return self.once("a game, locked", lambda: _LOCKED.format(columns=columns(Game)))

    def held(self) -> str:
        """The same, only its number."""
        return self.once("a game, held", lambda: _LOCKED.format(columns="game.id"))


def _in(names: Sequence[str]) -> str:
    return f" ({', '.join(map(quoted, names))})"


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
