"""Saying a statement: prepared once on each connection, its values handed over as PostgreSQL keeps them.

libpq itself, without psycopg's cursors: of the time that an order takes here, they would be a third.  The values are only ever int, str, bytes and
None (see `sheets`), so nothing is to be adapted.
"""
from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq import ConnStatus, DiagnosticField, ExecStatus
from psycopg.pq.abc import PGresult

_OIDS = {int: 20, str: 25, bytes: 17}       # int8, text, bytea
_PACKED = struct.Struct(">q").pack
_FINE = (ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK)
_AT_ONCE = 500                              # changes that are under way before their results are read
# PostgreSQL's text holds every character but NUL: that one is kept as two, the first of which nobody types (U+10FFFF is no character)
_ESCAPE, _NUL = "\U0010ffff", "\x00"


class Voice:
    """On one connection."""

    def __init__(self, conn: psycopg.Connection) -> None:
        self._line = conn.pgconn
        self._names: dict[str, bytes] = {}
        self._reads = Transformer(conn)

    def say(self, sql: str, values: Sequence[Any]) -> PGresult:
        """The statement with these values in the places of its `%s`.  Raises psycopg.Error, OverflowError for a number of more than 64 bits."""
        name = self._names.get(sql) or self._learn(sql, values)
        result = self._line.exec_prepared(name, [_wired(value) for value in values], [1] * len(values), 1)
        if result.status not in _FINE:
            raise self._error(result)
        return result

    def repeat(self, sql: str, rows: Sequence[Sequence[Any]]) -> int:
        """The same change for each of these; how many rows were changed.  All go out before the first answer is waited for.
        Raises as `say`, for the first that fails; those behind it are not done."""
        if len(rows) == 1:
            return self.say(sql, rows[0]).command_tuples or 0
        done = 0
        for start in range(0, len(rows), _AT_ONCE):
            done += self._repeat(sql, rows[start:start + _AT_ONCE])
        return done

    def rows(self, result: PGresult) -> list[tuple[Any, ...]]:
        """What a statement brought, as it was written."""
        count = result.ntuples
        if not count:
            return []
        self._reads.set_pgresult(result)
        found: list[tuple[Any, ...]] = self._reads.load_rows(0, count, tuple)
        return read(found) if any(_escaped(row) for row in found) else found

    def _repeat(self, sql: str, rows: Sequence[Sequence[Any]]) -> int:
        name = self._names.get(sql) or self._learn(sql, rows[0])
        full = [[_wired(value) for value in values] for values in rows]
        line, done, wrong = self._line, 0, None
        line.enter_pipeline_mode()
        for values in full:
            line.send_query_prepared(name, values, [1] * len(values), 1)
        line.pipeline_sync()
        while line.status != ConnStatus.BAD:
            result = line.get_result()
            if result is None:                      # between the answers of two statements
                continue
            if result.status == ExecStatus.PIPELINE_SYNC:
                line.exit_pipeline_mode()
                break
            if result.status in _FINE:
                done += result.command_tuples or 0
            elif wrong is None and result.status != ExecStatus.PIPELINE_ABORTED:
                wrong = result
        if wrong is not None or line.status == ConnStatus.BAD:
            raise self._error(wrong)
        return done

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
    """As it goes over the wire: 8 bytes, UTF-8, the bytes themselves, None for NULL (which psycopg's annotations leave out)."""
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
    return [tuple(value.replace(_ESCAPE + "0", _NUL).replace(_ESCAPE + "1", _ESCAPE) if value.__class__ is str else value for value in row) for row in rows]
