"""New books quickly: migrated once a process, then copied.

For every test that needs a store and not its migrations.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from referee.store import Store


@cache
def _blank() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        Store.open(f"sqlite:///{folder}/blank.db").close_now()
        return Path(folder, "blank.db").read_bytes()


def fresh(path: Path) -> str:
    """Put a new, empty database at `path`; its URL for `Store.open`."""
    path.write_bytes(_blank())
    path.chmod(0o600)
    return f"sqlite:///{path}"
