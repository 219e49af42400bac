"""What other rooms have to say in a person's calendar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from referee.ids import PersonId
from referee.store import Tx

from ..core.hooks import Poll


class CalendarSpan(NamedTuple):
    """Something that lasts (UTC ms): `uid` names it for good, `sequence` counts its changes; called off where
    it has no length. `phrase` and `facts` are its words.
    """

    uid: str
    starts_ms: int
    ends_ms: int
    sequence: int
    noted_ms: int
    phrase: str
    facts: Mapping[str, Any]


#: spans of time that concern a person beside their own deadlines
spans: Poll[[Tx, PersonId], Sequence[CalendarSpan]] = Poll("spans of a person's calendar")


def calendar_spans(tx: Tx, person_id: PersonId) -> list[CalendarSpan]:
    """All of them."""
    return [one for each in spans(tx, person_id) for one in each]
