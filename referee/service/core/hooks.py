"""What rooms tell and ask each other without knowing who listens.

A hook is declared by its caller; a room that has to do with it registers with `@hook.on`, while
the rooms are imported. So a room can be taken out of the program: then nobody listens, and questions have
their default.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P]):
    """Something happens: all who listen are told, in the order in which their rooms are imported.

    Where it is declared as a guard, listeners may raise Refusal. `listeners` is a plain list, so that a test
    can replace it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.listeners: list[Callable[P, None]] = []

    def on(self, listener: Callable[P, None]) -> Callable[P, None]:
        """Listen."""
        self.listeners.append(listener)
        return listener

    def __call__(self, *args: P.args, **named: P.kwargs) -> None:
        for listener in self.listeners:
            listener(*args, **named)


class Question(Generic[P, R]):
    """Something is asked: the first answer that is not None counts, else the default."""

    def __init__(self, name: str, default: Callable[P, R]) -> None:
        self.name, self.default = name, default
        self.listeners: list[Callable[P, R | None]] = []

    def on(self, listener: Callable[P, R | None]) -> Callable[P, R | None]:
        """Answer it, or with None leave it to others."""
        self.listeners.append(listener)
        return listener

    def __call__(self, *args: P.args, **named: P.kwargs) -> R:
        for listener in self.listeners:
            said = listener(*args, **named)
            if said is not None:
                return said
        return self.default(*args, **named)


class Poll(Generic[P, R]):
    """Something is asked of all who listen: every answer counts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.listeners: list[Callable[P, R]] = []

    def on(self, listener: Callable[P, R]) -> Callable[P, R]:
        """Answer it, too."""
        self.listeners.append(listener)
        return listener

    def __call__(self, *args: P.args, **named: P.kwargs) -> list[R]:
        return [listener(*args, **named) for listener in self.listeners]
