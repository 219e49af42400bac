"""What is wrong with what a league asks for: a code and its facts.

The sentences stand in the templates, as those of a refusal.
"""

from __future__ import annotations

from typing import Any


def _again(kind: type[LeagueFault], code: str, facts: dict[str, object]) -> LeagueFault:
    return kind(code, **facts)


class LeagueFault(Exception):
    """`code` names the sentence, `facts` fill it in."""

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it can be told from one process to another."""
        return _again, (type(self), self.code, self.facts)

    def __str__(self) -> str:
        return self.code + "".join(f" {name}={value}" for name, value in self.facts.items())


class Unseatable(LeagueFault):
    """People can't be seated as asked for."""


class PointsFault(LeagueFault):
    """A points table that can't be read, or that does not reach."""
