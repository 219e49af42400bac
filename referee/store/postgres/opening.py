"""Opening a book on PostgreSQL: there is no owner, everybody is one."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

from referee.store.errands import Clerk
from referee.store.postgres import backup
from referee.store.postgres.connection import Place
from referee.store.postgres.reader import PostgresReader
from referee.store.postgres.schema import bring_up, require_current
from referee.store.postgres.writer import PostgresWriter


class Opened(NamedTuple):
    """An open book: its name for people, who writes in it (None: it is for reading only), what makes readers, and how it is copied to a file."""

    name: str
    writer: Clerk | None
    reader: Callable[[], Clerk]
    copy: Callable[[Path], None]


def opened(url: str, *, migrate: bool, read_only: bool, durable: bool) -> Opened:
    """Raises a WrongDatabase, StoreFull, or ValueError for an address that is not PostgreSQL's."""
    place = Place(url)
    (bring_up if migrate else require_current)(place)
    writer = None if read_only else PostgresWriter(place, durable=durable)
    return Opened(place.name, writer, partial(PostgresReader, place), lambda target: backup.dump(place, target))
