"""A table of named entries to which every room adds its own."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator
from typing import Generic, TypeVar, overload

T = TypeVar("T")
D = TypeVar("D")


class Registry(Generic[T]):
    """Entries by name, in the order in which they were added. `what`: what the entries are, for errors."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._entries: dict[str, T] = {}
        self._modules: dict[str, str] = {}

    def add(self, name: str, entry: T, module: str) -> None:
        """Add the entry of a module.

        Raises ValueError where the name is taken: it names the module that has it and the one that wants it.
        """
        if name in self._entries:
            raise ValueError(f"{self._what} {name!r} is declared in {self._modules[name]} and in {module}")
        self._entries[name] = entry
        self._modules[name] = module

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    @overload
    def get(self, name: str) -> T | None: ...

    @overload
    def get(self, name: str, default: D) -> T | D: ...

    def get(self, name: str, default: D | None = None) -> T | D | None:
        """The entry of that name, the default where there is none."""
        return self._entries.get(name, default)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def items(self) -> ItemsView[str, T]:
        """The names with their entries."""
        return self._entries.items()
