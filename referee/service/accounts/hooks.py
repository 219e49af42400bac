"""What is asked of other rooms where two persons become one or somebody deletes their account, and what they
are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from referee.ids import PersonId, SeasonId
from referee.store import Person, Tx

from ..core.hooks import Hook, Poll, Question
from ..core.unit_of_work import UnitOfWork


def _nothing(tx: Tx, one: int, other: int) -> str:
    return ""


#: why two persons can't become one, as a code; "": they can
barred: Question[[Tx, PersonId, PersonId], str] = Question("barred", _nothing)
#: in these seasons a person goes by another number from now on: seasons, old, new
renumbered: Hook[[Tx, Iterable[SeasonId], PersonId, PersonId]] = Hook("renumbered")
#: guard, raises Refusal: may this person delete their account now?
may_delete: Hook[[UnitOfWork, Person]] = Hook("may delete")
#: this person's account is being deleted: what they have elsewhere ends; their name is still known
deleting: Hook[[UnitOfWork, Person]] = Hook("deleting")
#: what else is kept about a person, for the file of all their data: names and plain values
exported: Poll[[Tx, PersonId], Mapping[str, Any]] = Poll("exported")
