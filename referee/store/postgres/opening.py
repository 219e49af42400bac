"""Opening a book on PostgreSQL: there is no owner, everybody is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psycopg

from referee.store.bells import Bell
from referee.store.errands import Clerk
from referee.store.errors import OlderDatabase
from referee.store.postgres import backup
from referee.store.postgres.bell import BellLine
from referee.store.postgres.connection import Place
from referee.store.postgres.reader import PostgresReader
from referee.store.postgres.schema import bring_up, opening, require_current
from referee.store.postgres.writer import PostgresWriter


class Opened(NamedTuple):
    """An open book: its name for people, who writes in it (None: it is for reading only), what makes readers,
    how it is copied to a file, and the bell (None: it is for reading only).
    """

    name: str
    writer: Clerk | None
    reader: Callable[[], Clerk]
    copy: Callable[[Path], None]
    bell: Bell | None


def opened(url: str, *, migrate: bool, read_only: bool, durable: bool, who: str = "") -> Opened:
    """Raises a WrongDatabase, StoreFull, StoreBusy where others are at work with an older version, or
    ValueError for an address that is not PostgreSQL's.
    """
    place = Place(url, who)
    writer: Clerk | None = None
    bell: BellLine | None = None
    if read_only:
        require_current(place)
    else:
        bell = _bell(place, migrate=migrate)
        writer = PostgresWriter(place, durable=durable, schema=bell)
    return Opened(
        place.name, writer, partial(PostgresReader, place), lambda target: backup.copied(place, target), bell
    )


def _bell(place: Place, *, migrate: bool) -> BellLine:
    try:
        try:
            return BellLine(place)
        except OlderDatabase:
            if not migrate:
                raise
        bring_up(place)
        return BellLine(place)
    except psycopg.Error as error:
        raise opening(error, place) from error
