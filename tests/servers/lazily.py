"""Modules that only a few tests need and that take seconds to load: each worker collects every file."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Lazily:
    """A module that is loaded when something of it is first asked for: not before a test runs. (importlib's
    own LazyLoader loads as soon as pytest looks of what class each name of a file is.)
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest asks each name of a file for `_mock_name` and `__wrapped__`
            raise AttributeError(name)
        return getattr(import_module(self._name), name)
