"""What is printed on a card besides its effect: rank, type, cost.  Looked up in the editions' manifests."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from ...rules.editions import EDITIONS


@cache
def printed(edition: str) -> Mapping[str, Mapping[str, Any]]:
    """Card name -> {cost, type} of a district or {rank, type} of a character; empty for an edition not built."""
    book = EDITIONS.get(edition)
    if book is None:
        return {}
    out: dict[str, Mapping[str, Any]] = {d.name: {"cost": d.cost, "type": d.type} for d, _ in book.districts}
    out.update({c.name: {"rank": c.rank, "type": getattr(c, "type", None)} for c in book.characters})
    return out


def card(name: str, edition: str = "") -> Mapping[str, Any]:
    """One card's {name, cost or rank, type}, from this edition or else from any that has it."""
    for known in (edition, *EDITIONS):
        found = printed(known).get(name)
        if found is not None:
            return {"name": name, **found}
    return {"name": name}
