"""A table that rooms enter themselves into: nobody has to know them, and two that want the same name are
found when the service is imported.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Generic[T]):
    """Entries by name.  `what` says in errors what is entered here."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._entries: dict[str, T] = {}
        self._modules: dict[str, str] = {}

    def add(self, name: str, entry: T, module: str) -> None:
        """Enter it.  Raises ValueError, naming both modules, where the name is taken."""
        if name in self._entries:
            raise ValueError(f"{self._what} {name!r} is entered by {self._modules[name]} and by {module}")
        self._entries[name], self._modules[name] = entry, module

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def get(self, name: str) -> T | None:
        """The entry, None where there is none."""
        return self._entries.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def items(self) -> ItemsView[str, T]:
        """Names and entries, in the order in which they were entered."""
        return self._entries.items()
