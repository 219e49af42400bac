"""For anyone who changes tables.py: `python -m referee.store.migrations "what changed"` drafts the next step.

The draft compares the tables with a fresh database at the last step. Read it before you commit it: alembic
sees columns, keys and indexes, but not the conditions of partial indexes, and new NOT NULL columns need a
`server_default`.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from alembic import command

from referee.store.columns import all_tables
from referee.store.connection import touch
from referee.store.migrate import bring_up, revisions
from referee.store.migrations.engine import config, engine


def draft(message: str) -> None:
    """Write the next file into `versions`."""
    known = revisions()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "draft.db"
        touch(path)
        if known:
            bring_up(path)
        all_tables()  # the tables, as their classes are now
        motor = engine(path)
        with motor.connect() as connection:
            command.revision(config(connection), message, autogenerate=True, rev_id=f"{len(known) + 1:04}")
        motor.dispose()


if __name__ == "__main__":
    draft(" ".join(sys.argv[1:]))
