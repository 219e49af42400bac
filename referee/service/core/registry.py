"""What the rooms of the service declare by name: each name once.

A registry is filled while the rooms are imported (`referee.service.rooms`) and only read afterwards. Two
entries of one name are an error at once, which names both modules.
"""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


class DuplicateEntry(ValueError):
    """Two modules declare the same name."""


class Registry(dict[str, T]):
    """Name -> entry.  `what` says what is declared ("command"), for errors.

    A test that needs another entry puts it there for a while (`monkeypatch.setitem(COMMANDS, "status", …)`);
    nobody else writes to it but by `add`.
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what
        self._declared: dict[str, str] = {}

    def add(self, name: str, entry: T, module: str) -> None:
        """Declare an entry; `module`: where that is done.  Raises DuplicateEntry."""
        if name in self._declared:
            raise DuplicateEntry(
                f"the {self.what} {name!r} is declared in {self._declared[name]} and in {module}"
            )
        self[name], self._declared[name] = entry, module

    def module(self, name: str) -> str:
        """The module that declared an entry.  Raises KeyError."""
        return self._declared[name]
