"""What is asked of other rooms where two persons become one, and what they are told."""

from __future__ import annotations

from collections.abc import Iterable

from referee.ids import PersonId, SeasonId
from referee.store import Tx

from ..core.hooks import Hook, Question


def _nothing(tx: Tx, one: int, other: int) -> str:
    return ""


#: why two persons can't become one, as a code; "": they can
barred: Question[[Tx, PersonId, PersonId], str] = Question("barred", _nothing)
#: in these seasons a person goes by another number from now on: seasons, old, new
renumbered: Hook[[Tx, Iterable[SeasonId], PersonId, PersonId]] = Hook("renumbered")
