"""What somebody did who is involved in it, as nobody else was left: everybody in the season is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.store import League

from ...core.unit_of_work import UnitOfWork
from ..announcements import announce
from .recusal import Involved, Key


def tell(
    uow: UnitOfWork, league: League, act: str, facts: Mapping[str, Any], keys: Sequence[tuple[Key, str]]
) -> None:
    """Tell it, where one of these keys (with the names of who turned them) was not free."""
    names = [by for key, by in keys if key.why != Involved.NOT]
    if names:
        because = {"code": f"league_acts.{act}", "facts": dict(facts)}
        announce(uow, league, "league-last-resort", {"names": names, "because": because})
