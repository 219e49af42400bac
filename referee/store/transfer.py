"""From one database to another: the door to `postgres.copying`, which needs psycopg."""

from __future__ import annotations

from referee.store.store import NEEDS_PSYCOPG, is_psycopg


def moved(source: str, target: str) -> list[tuple[str, int]]:
    """Copy "sqlite:///path" into the empty database at "postgresql+psycopg://…"; each table, and how many
    rows it has now.

    Blocks. Nothing changes where it fails. Raises StoreBusy when a referee runs on the source, a
    WrongDatabase (OccupiedDatabase when the target is not empty), StoreFull, ValueError for other addresses.
    """
    try:
        from referee.store.postgres.copying import copied
    except ImportError as error:
        if not is_psycopg(error):
            raise
        raise ValueError(NEEDS_PSYCOPG) from error
    return [(table, rows) for table, rows in copied(source, target)]
