"""Rows of several tables as one compressed value, and back.

Column by column, since what stands in one column is alike: numbers as the difference from the row before.
That is half of what the same rows come to one after the other. In front stands a SHA-256, so that a damaged
value is found and never read. zlib, as each Python brings it: what is packed today must be opened in ten
years.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import msgspec
from sqlmodel import SQLModel

from referee.store.table_layouts import sheet_of

_LEVEL = 9
_HASH = hashlib.sha256().digest_size
#: what stands behind a column's name where differences are kept
_STEPS = "+"

Parts = dict[type[SQLModel], list[Any]]


class DamagedPack(ValueError):
    """A packed value that is not what was written."""


def packed(parts: Mapping[type[SQLModel], Sequence[Any]], without: frozenset[str]) -> bytes:
    """Rows of these tables, but for the columns `without`.  Tables with bytes can't be packed (TypeError)."""
    tables = {sheet_of(table).name: _columns(table, rows, without) for table, rows in parts.items() if rows}
    data = zlib.compress(msgspec.json.encode(tables), _LEVEL)
    return hashlib.sha256(data).digest() + data


def opened(value: bytes, tables: Sequence[type[SQLModel]], **given: Any) -> Parts:
    """The rows of these tables, in the order in which they were packed.

    `given` fills columns that were left out; what else is missing has its table's default, 0 or None. Raises
    DamagedPack.
    """
    if not sound(value):
        raise DamagedPack("a packed game is damaged: its checksum does not fit")
    held: dict[str, dict[str, list[Any]]] = msgspec.json.decode(zlib.decompress(value[_HASH:]))
    return {table: _rows(table, held.get(sheet_of(table).name, {}), given) for table in tables}


def sound(value: bytes) -> bool:
    """Whether a packed value is what was written."""
    return hashlib.sha256(value[_HASH:]).digest() == value[:_HASH]


def _columns(table: type[SQLModel], rows: Sequence[Any], without: frozenset[str]) -> dict[str, list[Any]]:
    sheet, found = sheet_of(table), {}
    for name, column in zip(sheet.columns, zip(*rows, strict=True), strict=True):
        if name in without:
            continue
        if sheet.kinds[name] is bytes:
            raise TypeError(f"{sheet.name}.{name} holds bytes, which are not packed")
        if sheet.kinds[name] is int and name not in sheet.may_be_none:
            found[name + _STEPS] = [column[0], *(after - before for before, after in pairwise(column))]
        else:
            found[name] = list(column)
    return found


def _rows(table: type[SQLModel], held: Mapping[str, list[Any]], given: Mapping[str, Any]) -> list[Any]:
    if not held:
        return []
    sheet, count = sheet_of(table), len(next(iter(held.values())))
    columns: list[Sequence[Any]] = []
    for name, blank in zip(sheet.columns, sheet.blank, strict=True):
        if name + _STEPS in held:
            columns.append(list(accumulate(held[name + _STEPS])))
        elif name in held:
            columns.append(held[name])
        else:
            usual = 0 if blank is None and name not in sheet.may_be_none else blank
            columns.append([given.get(name, usual)] * count)
    return [sheet.make(row) for row in zip(*columns, strict=True)]
