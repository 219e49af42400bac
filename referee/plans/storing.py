"""A plan written as JSON, and read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .model import SCHEMA, AskIf, Draft, Fact, Order, Plan, Script, Standing, Step


class PlanError(ValueError):
    """JSON that is no plan of a schema that is known."""


def dump(plan: Plan) -> dict[str, Any]:
    """A plan as JSON values, with the number of its schema."""
    return {"schema": SCHEMA, **{name: _plain(getattr(plan, name)) for name in Plan._fields}}


def load(data: Mapping[str, Any]) -> Plan:
    """The plan of such JSON.  Raises PlanError."""
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        raise PlanError(f"not a plan of schema {SCHEMA}")
    try:
        return Plan(
            tuple(_made(Draft, {"verb": "pick", **row}, condition=_condition) for row in data["drafts"]),
            tuple(_made(Script, row, steps=_steps) for row in data["scripts"]),
            tuple(_made(Standing, row, order=_order, condition=_condition) for row in data["standing"]),
            tuple(_made(AskIf, row, condition=_condition) for row in data["asks"]),
            data["free"],
            _frozen(data["cancels"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PlanError(str(error)) from error


def _plain(value: Any) -> Any:
    """Named tuples as mappings, other tuples as lists."""
    if hasattr(value, "_fields"):
        return {name: _plain(getattr(value, name)) for name in value._fields}
    return [_plain(v) for v in value] if isinstance(value, tuple) else value


def _made(kind: Any, row: Any, **readers: Callable[[Any], Any]) -> Any:
    """One entry out of its mapping; every field must be there and no other."""
    if not isinstance(row, Mapping) or set(row) != set(kind._fields):
        raise ValueError(f"no {kind.__name__}: {row!r}")
    return kind(**{name: readers.get(name, _frozen)(value) for name, value in row.items()})


def _condition(rows: Any) -> tuple[Fact, ...]:
    return tuple(_made(Fact, row) for row in rows)


def _steps(rows: Any) -> tuple[Step, ...]:
    return tuple(_made(Step, row, orders=lambda orders: tuple(map(_order, orders))) for row in rows)


def _order(row: Any) -> Order:
    made: Order = _made(Order, row)
    return made


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list | tuple) else value
