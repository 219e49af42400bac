"""Reading the fields of a scenario: the right kind of value, or a reason why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..rulebook import Rulebook
from ..seams import Card


class ScenarioError(Exception):
    """Data that does not fit: `source` file, `scenario`, `reason`.  `code` is "format", or
    "unknown-edition" where the edition is not built in this program."""

    def __init__(self, reason: str, code: str = "format", source: str = "-", scenario: str = "-") -> None:
        super().__init__(source, scenario, reason)
        self.source, self.scenario, self.reason, self.code = source, scenario, reason, code

    def __str__(self) -> str:
        return f"{self.source}: {self.scenario}: {self.reason}"

    def at(self, source: str, scenario: str) -> ScenarioError:
        """The same, with file and scenario named."""
        return ScenarioError(self.reason, self.code, source, scenario)


def mapping(value: object, what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise ScenarioError(f"{what}: names with values are expected")
    return value


def only(fields: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    names = list(known)
    for field in fields:
        if field not in names:
            raise ScenarioError(f"{what}: no field {field!r}; known: {', '.join(names)}")


def text(value: object, what: str) -> str:
    if not isinstance(value, str) or not value:
        raise ScenarioError(f"{what}: a text is expected")
    return value


def strings(value: object, what: str, known: Iterable[str] | None = None) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise ScenarioError(f"{what}: a list of names is expected")
    for name in value:
        if known is not None and name not in known:
            raise ScenarioError(f"{what}: {name!r} is not in this game")
    return list(value)


def whole(value: object, what: str, least: int = 0) -> int:
    if type(value) is not int or value < least:
        raise ScenarioError(f"{what}: a whole number from {least} is expected")
    return value


def one_or_more(value: object, what: str, known: Iterable[str]) -> list[str]:
    """A name or a list of names."""
    return strings([value] if isinstance(value, str) else value, what, list(known))


def by_seat(rules: Rulebook) -> tuple[str, ...]:
    """The marks of this game's cards that seats carry."""
    return tuple(f for f in reversed([*rules.fields]) if f in rules.fields[f].fields_by_seat)


def of_table(rules: Rulebook) -> tuple[str, ...]:
    """The marks that the table carries and whose value can be looked at."""
    seen = (f for f, card in rules.fields.items() if type(card).read is not Card.read)
    return tuple(f for f in seen if f not in rules.fields[f].fields_by_seat)
