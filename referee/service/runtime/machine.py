"""What the figures tell of the machine and the installation."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as of
from pathlib import Path


def free_bytes(book: Path | None) -> int | None:
    """Room beside a SQLite file; None where there is none, or it can't be seen."""
    if book is None:
        return None
    try:
        return shutil.disk_usage(book.parent).free
    except OSError:
        return None


@cache
def version() -> str:
    """The installed version; "?" where nothing was installed."""
    try:
        return of("citadels-referee")
    except PackageNotFoundError:
        return "?"
