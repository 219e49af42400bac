"""A policy as a row of plain values (JSON both ways)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from .checking import PolicyError, check
from .policy import SCHEMA, Policy, Quiet

_NAMES = tuple(one.name for one in fields(Policy))
_PLAIN = Policy()


def to_json(policy: Policy) -> dict[str, Any]:
    """Every field by its name, and `schema`; only lists, texts, numbers, true, false and null."""
    row: dict[str, Any] = {"schema": SCHEMA}
    for name in _NAMES:
        value = getattr(policy, name)
        row[name] = list(value) if isinstance(value, tuple) else value
    return row


def from_json(row: Mapping[str, Any]) -> Policy:
    """The policy of a row; what an older row does not say is as in the preset `daily`.

    Raises PolicyError: `policy-schema` for one written by a newer referee, `policy-field` for a field that
    there is not, `policy-type` for a value that fits nowhere, and whatever `check` finds.
    """
    schema = row.get("schema", SCHEMA)
    if isinstance(schema, bool) or not isinstance(schema, int) or not 1 <= schema <= SCHEMA:
        raise PolicyError("policy-schema", value=schema, most=SCHEMA)
    known: dict[str, Any] = {}
    for name, value in row.items():
        if name == "schema":
            continue
        if name not in _NAMES:
            raise PolicyError("policy-field", field=str(name), known=_NAMES)
        known[name] = _fitting(name, value)
    return check(Policy(**known))


def _fitting(name: str, value: Any) -> Any:
    """A value as its field wants it."""
    plain = getattr(_PLAIN, name)
    if name == "quiet" or name == "snap_hour":
        if value is None:
            return None
        if name == "snap_hour":
            return _number(name, value)
        if not isinstance(value, list | tuple) or len(value) != 3 or not isinstance(value[2], str):
            raise PolicyError("policy-type", field=name, value=value)
        return Quiet(_number(name, value[0]), _number(name, value[1]), value[2])
    if name == "days" or name == "remind_at":
        if not isinstance(value, list | tuple):
            raise PolicyError("policy-type", field=name, value=value)
        return tuple(_whole(name, one) if name == "days" else _number(name, one) for one in value)
    if isinstance(plain, bool | str):
        if not isinstance(value, type(plain)):
            raise PolicyError("policy-type", field=name, value=value)
        return value
    return _number(name, value) if name.endswith("_hours") else _whole(name, value)


def _number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise PolicyError("policy-type", field=name, value=value)
    return value


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise PolicyError("policy-type", field=name, value=value)
    return value
