"""Saying a statement: prepared once on each connection, its values handed over as PostgreSQL keeps them.

libpq itself, without psycopg's cursors: of the time that an order takes here, they would be a third. The
values are only ever int, str, bytes and None (see `table_layouts`), so nothing is to be adapted.
"""

from __future__ import annotations

import select
import struct
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult

_OIDS = {int: 20, str: 25, bytes: 17}  # int8, text, bytea
_PACKED = struct.Struct(">q").pack
_Spoken = tuple[
    bytes, list[Any], str
]  # a prepared statement's name, its values, and what is gone where it changes nothing
_FINE = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)
_AT_ONCE = 500  # changes that are under way before their results are read
# PostgreSQL's text holds every character but NUL: that one is kept as two, the first of which nobody types
# (U+10FFFF is no character)
_ESCAPE, _NUL = "\U0010ffff", "\x00"


class StatementPipeline:
    """On one connection.  What nobody waits for goes out with the next statement that somebody does."""

    def __init__(self, conn: psycopg.Connection) -> None:
        self._line = conn.pgconn
        self._names: dict[str, bytes] = {}
        self._reads = Transformer(conn)
        self._waiting: list[_Spoken] = []

    def say(self, sql: str, values: Sequence[Any]) -> PGresult:
        """The statement with these values in the places of its `%s`.

        Raises psycopg.Error, LookupError (see `later`), OverflowError for a number of more than 64 bits.
        """
        spoken = self._spoken(sql, values)
        if self._waiting:
            return self._all([spoken])[-1]
        result = self._line.exec_prepared(spoken[0], spoken[1], [1] * len(values), 1)
        if result.status not in _FINE:
            raise self._error(result)
        return result

    def later(self, sql: str, values: Sequence[Any], what: str = "") -> None:
        """The same before the next statement.

        `what`: is gone, and LookupError is raised then, unless it changes one row.
        """
        self._waiting.append(self._spoken(sql, values, what))

    def ascertain(self) -> None:
        """Where something waits that may turn out to be gone: say now what waits.  Raises as `say`."""
        if any(what for _, _, what in self._waiting):
            self.flush()

    def flush(self) -> None:
        """Say now what waits, and hear the answers.  Raises as `say`."""
        if self._waiting:
            self._all([])

    def forget(self) -> None:
        """What waits is never said."""
        self._waiting.clear()

    def repeat(self, sql: str, rows: Sequence[Sequence[Any]]) -> int:
        """The same change for each of these; how many rows were changed.

        All go out before the first answer is waited for. Raises as `say`, for the first that fails; those
        behind it are not done.
        """
        done = 0
        for start in range(0, len(rows), _AT_ONCE):
            part = [self._spoken(sql, values) for values in rows[start : start + _AT_ONCE]]
            done += sum(result.command_tuples or 0 for result in self._all(part)[-len(part) :])
        return done

    def rows(self, result: PGresult) -> list[tuple[Any, ...]]:
        """What a statement brought, as it was written."""
        count = result.ntuples
        if not count:
            return []
        self._reads.set_pgresult(result)
        found: list[tuple[Any, ...]] = self._reads.load_rows(0, count, tuple)
        return read(found) if any(_escaped(row) for row in found) else found

    def _all(self, more: list[_Spoken]) -> list[PGresult]:
        """What waits, then these, in one go; their answers."""
        spoken = [*self._waiting, *more]
        self._waiting.clear()
        line, heard, wrong = self._line, list[PGresult](), None
        line.enter_pipeline_mode()
        for name, values, _ in spoken:
            line.send_query_prepared(name, values, [1] * len(values), 1)
        line.pipeline_sync()
        while line.status != ConnStatus.BAD:
            self._until_heard()
            result = line.get_result()
            if result is None:  # between the answers of two statements
                continue
            if result.status == ExecStatus.PIPELINE_SYNC:
                line.exit_pipeline_mode()
                break
            heard.append(result)
            if wrong is None and result.status not in _FINE:
                wrong = result
        if wrong is not None or line.status == ConnStatus.BAD:
            raise self._error(wrong)
        for (_, _, what), result in zip(spoken, heard, strict=True):
            if what and result.command_tuples != 1:
                raise LookupError(f"{what} is gone")
        return heard

    def _until_heard(self) -> None:
        """Until the next answer is there.

        (To ask libpq for it would wait as well, and let no other thread run meanwhile.)
        """
        line = self._line
        unsent = line.flush()
        while unsent or line.is_busy():
            ears = select.poll()
            ears.register(line.socket, select.POLLIN | (select.POLLOUT if unsent else 0))
            ears.poll()
            line.consume_input()
            unsent = unsent and line.flush()

    def _spoken(self, sql: str, values: Sequence[Any], what: str = "") -> _Spoken:
        return self._names.get(sql) or self._learn(sql, values), [_wired(value) for value in values], what

    def _learn(self, sql: str, values: Sequence[Any]) -> bytes:
        head, *rest = sql.replace("%%", "\0").split("%s")
        numbered = head + "".join(f"${number}{part}" for number, part in enumerate(rest, 1))
        name = f"s{len(self._names)}".encode()
        kinds = [next((oid for kind, oid in _OIDS.items() if isinstance(value, kind)), 0) for value in values]
        result = self._line.prepare(name, numbered.replace("\0", "%").encode(), kinds)
        if result.status not in _FINE:
            raise self._error(result)
        self._names[sql] = name
        return name

    def _error(self, result: PGresult | None) -> psycopg.Error:
        if result is None or not result.error_field(DiagnosticField.SQLSTATE):
            return psycopg.OperationalError("the connection is lost")
        return psycopg.errors.error_from_result(result, encoding="utf-8")


def say(conn: psycopg.Connection, sql: str) -> str:
    """Say something without values, as it stands; the last command's tag.  Raises psycopg.Error."""
    result = conn.pgconn.exec_(sql.encode())
    if result.status in _FINE:
        return (result.command_status or b"").decode()
    if conn.pgconn.status == ConnStatus.BAD:
        raise psycopg.OperationalError("the connection is lost")
    raise psycopg.errors.error_from_result(result, encoding="utf-8")


def _wired(value: Any) -> Any:
    """As it goes over the wire: 8 bytes, UTF-8, the bytes themselves, None for NULL (which psycopg's
    annotations leave out).
    """
    if value is None:
        return None
    if isinstance(value, int):
        try:
            return _PACKED(value)
        except struct.error:
            raise OverflowError("a number of more than 64 bits") from None
    return kept(value).encode() if isinstance(value, str) else bytes(value)


def kept(value: Any) -> Any:
    """A value as PostgreSQL can hold it."""
    if value.__class__ is str and (_NUL in value or _ESCAPE in value):
        return value.replace(_ESCAPE, _ESCAPE + "1").replace(_NUL, _ESCAPE + "0")
    return value


def _escaped(row: tuple[Any, ...]) -> bool:
    return any(value.__class__ is str and _ESCAPE in value for value in row)


def read(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows as they were written."""
    return [
        tuple(
            value.replace(_ESCAPE + "0", _NUL).replace(_ESCAPE + "1", _ESCAPE)
            if value.__class__ is str
            else value
            for value in row
        )
        for row in rows
    ]
