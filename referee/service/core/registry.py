"""What the rooms of the service declare by name: each name once.

A registry is filled while the rooms are imported (`referee.service.rooms`) and only read afterwards. Two
entries of one name are an error at once, which names both modules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Doubled(ValueError):
    """Two modules declare the same name."""


class Registry(Mapping[str, T], Generic[T]):
    """Name -> entry.  `what` says what is declared ("command"), for errors.

    `entries` is the mapping itself: a test that needs another entry puts it there for a while
    (`monkeypatch.setitem(COMMANDS.entries, "status", …)`); nobody else writes to it.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.entries: dict[str, T] = {}
        self._declared: dict[str, str] = {}

    def add(self, name: str, entry: T, module: str) -> None:
        """Declare an entry; `module`: where that is done.  Raises Doubled."""
        if name in self._declared:
            raise Doubled(f"the {self.what} {name!r} is declared in {self._declared[name]} and in {module}")
        self.entries[name], self._declared[name] = entry, module

    def module(self, name: str) -> str:
        """The module that declared an entry.  Raises KeyError."""
        return self._declared[name]

    def __getitem__(self, name: str) -> T:
        return self.entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)
