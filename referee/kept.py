"""What is made anew at each start and is always the same, kept in a folder from one start to the next: words
as they were read, the code of layouts.  A command keeps them in the user's cache; nobody else keeps anything.

What is kept there is only ever quicker: where it is missing, older than what it was made of, or broken, it is
made as if nobody kept it.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

_place: list[Path] = []  # where it is kept, if anywhere


def keep_in(folder: Path | None) -> None:
    """Keep what is made from now on in a folder that is this user's alone; None: keep nothing."""
    _place[:] = [] if folder is None else [folder]


def folder(name: str) -> Path | None:
    """Where things of a kind are kept; None where nothing is.  It need not be there yet.

    What is kept is code, or is read like code: a folder that is another user's, or that anybody may write
    to, is left alone (a root shell may well have somebody else's HOME).
    """
    return _place[0] / name if _place and _is_ours(_place[0]) else None


def _is_ours(place: Path) -> bool:
    try:
        there = place.stat()
    except OSError:
        return True  # not there yet: it will be ours
    return there.st_uid == os.geteuid() and not there.st_mode & stat.S_IWOTH


def toml(path: Path) -> Mapping[str, Any]:
    """A TOML file of ours, read; to read all that a start needs takes a tenth of a second.

    Raises OSError, tomllib.TOMLDecodeError.
    """
    place = folder("words")
    if place is None:
        return _read(path)
    there = path.stat()
    state = (str(path), there.st_mtime_ns, there.st_size)
    # marshal is Python's own, for its own compiled files: each version has its form
    file = place / f"{sha256(state[0].encode()).hexdigest()[:32]}.{sys.implementation.cache_tag}"
    with suppress(OSError, EOFError, ValueError, TypeError):
        was, data = marshal.loads(file.read_bytes())  # noqa: S302 - written by us, in a folder of this user's
        if was == state:
            found: Mapping[str, Any] = data
            return found
    data = _read(path)
    with suppress(OSError, ValueError):  # no place for it, or something in it that marshal does not know
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = file.with_suffix(f".{id(data)}.new")
        fresh.write_bytes(marshal.dumps((state, data)))
        fresh.replace(file)  # whole, or not at all
    return data


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
