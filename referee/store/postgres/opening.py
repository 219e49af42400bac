"""Opening a database on PostgreSQL: there is no owner, everybody is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import psycopg

from referee.store.errors import OlderDatabase
from referee.store.jobs import JobThread
from referee.store.notifiers import ChangeNotifier
from referee.store.postgres import backup
from referee.store.postgres.connection import ServerAddress
from referee.store.postgres.notifier import PostgresNotifier
from referee.store.postgres.reader import PostgresReader
from referee.store.postgres.schema import bring_up, opening, require_current
from referee.store.postgres.writer import PostgresWriter


class OpenedStore(NamedTuple):
    """An open database: its name for people, who writes in it (None: it is for reading only), what makes
    readers, how it is copied to a file, and the bell (None: it is for reading only).
    """

    name: str
    writer: JobThread | None
    reader: Callable[[], JobThread]
    copy: Callable[[Path], None]
    bell: ChangeNotifier | None


def opened(url: str, *, migrate: bool, read_only: bool, durable: bool, who: str = "") -> OpenedStore:
    """Raises a WrongDatabase, StoreFull, StoreBusy where others are at work with an older version, or
    ValueError for an address that is not PostgreSQL's.
    """
    place = ServerAddress(url, who)
    writer: JobThread | None = None
    bell: PostgresNotifier | None = None
    if read_only:
        require_current(place)
    else:
        bell = _bell(place, migrate=migrate)
        writer = PostgresWriter(place, durable=durable, schema=bell)
    return OpenedStore(
        place.name, writer, partial(PostgresReader, place), lambda target: backup.copied(place, target), bell
    )


def _bell(place: ServerAddress, *, migrate: bool) -> PostgresNotifier:
    try:
        try:
            return PostgresNotifier(place)
        except OlderDatabase:
            if not migrate:
                raise
        bring_up(place)
        return PostgresNotifier(place)
    except psycopg.Error as error:
        raise opening(error, place) from error
