"""Telling the admins: whatever they must know is kept in the table of alerts, and written to every one of
their addresses.
"""

from __future__ import annotations

import json
from typing import Any

from referee.store import Alert

from . import outbox
from .letters import Facts
from .unit_of_work import Sitting

_DAY_MS = 86_400_000


class AlertFacts(Facts):
    """What an admin must know."""

    kind = "alert"
    code: str
    facts: dict[str, Any]


def alert_daily(sitting: Sitting, code: str, **facts: Any) -> None:
    """The same, once a day for the same facts."""
    last = sitting.tx.all(Alert, code=code, facts=json.dumps(facts), order="-id", limit=1)
    if not last or sitting.now_ms - last[0].at_ms >= _DAY_MS:
        alert(sitting, code, **facts)


def alert(sitting: Sitting, code: str, **facts: Any) -> None:
    """Something an admin must know."""
    sitting.tx.add(Alert, code=code, facts=json.dumps(facts), at_ms=sitting.now_ms)
    for channel, address in sitting.settings.admins:
        found = sitting.tx.whose(channel, address)
        outbox.queue(
            sitting,
            AlertFacts(code=code, facts=facts),
            channel=channel,
            address=address,
            person_id=None if found is None else found[0].id,
            collapse=f"alert:{code}:{channel}:{address}",
        )
