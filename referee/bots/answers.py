"""The answers that a view offers, as moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..rules.facts import Family, Move


def moves(view: Mapping[str, Any]) -> list[Move]:
    """The single answers on offer."""
    return [Move(verb, _tuples(args)) for verb, args in view["ask"]["moves"]]


def families(view: Mapping[str, Any]) -> list[Family]:
    """The answers that are a choice of cards."""
    return [
        Family(verb, tuple(cards), least, most, _tuples(before), ordered)
        for verb, cards, least, most, before, ordered in view["ask"]["families"]
    ]


def _tuples(args: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(a) if isinstance(a, list) else a for a in args)
