"""Admins who look like one person in two entries: keys are counted by entry, so one person would turn
both.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import TYPE_CHECKING

from referee.ports import Finding
from referee.store import Store, StoreBusy, StoreFull, Tx, WrongDatabase

if TYPE_CHECKING:
    from referee.config import Configuration

Entry = tuple[tuple[str, str], ...]


def twice(config: Configuration) -> Iterator[Finding]:
    """A warning for each two entries that look like one person's: by the names in their addresses, or by what
    the database knows of them.
    """
    entries = config.referee.admin_entries()
    if len(entries) < 2:
        return
    known = _known(config.store.url, entries)
    for (one, mine), (other, theirs) in combinations(zip(entries, known, strict=True), 2):
        if _names(one) & _names(other) or mine & theirs:
            yield Finding("warn", "admin-twice", {"first": _written(one), "second": _written(other)})


def _names(entry: Entry) -> set[str]:
    """What stands in the addresses before the domain, without what was added to it; a shared address is one
    name, too.
    """
    found = set()
    for channel, address in entry:
        local = (
            address.casefold()
            .lstrip("@")
            .split("@")[0]
            .split(":")[0]
            .partition("+")[0]
            .replace(".", "")
            .replace("-", "")
            .replace("_", "")
        )
        found |= (
            {local, f"{channel}:{address.casefold()}"}
            if local not in ("admin", "referee", "root", "postmaster", "info")
            else {f"{channel}:{address.casefold()}"}
        )
    return found


def _known(url: str, entries: tuple[Entry, ...]) -> list[set[str]]:
    """The persons and their names behind each entry; nothing where there is no database yet, or it can't be
    read now.
    """
    try:
        store = Store.open(url, read_only=True)
    except (WrongDatabase, StoreBusy, StoreFull, OSError, ValueError):  # told by `database`
        return [set() for _ in entries]
    try:
        return store.read_now(lambda tx: [_people(tx, entry) for entry in entries])
    finally:
        store.close_now()


def _people(tx: Tx, entry: Entry) -> set[str]:
    found = set()
    for channel, address in entry:
        whose = tx.whose(channel, address)
        if whose is not None:
            found |= {f"#{whose[0].id}", "".join(whose[0].name.casefold().split())}
    return found


def _written(entry: Entry) -> str:
    return ", ".join(f"{channel}:{address}" for channel, address in entry)
