"""Telling the admins: whatever they must know is kept in the table of alerts, and written to every one of
their addresses.
"""

from __future__ import annotations

import json
from typing import Any

from referee.store import Alert

from . import outbox
from .letters import Facts, Variables
from .unit_of_work import UnitOfWork

_DAY_MS = 86_400_000


class AlertFacts(Facts):
    """What an admin must know."""

    kind = "alert"
    code: str
    facts: Variables


def alert_daily(uow: UnitOfWork, code: str, **facts: Any) -> bool:
    """The same, once a day for the same facts; whether it was told now."""
    last = uow.tx.all(Alert, code=code, facts=json.dumps(facts), order="-id", limit=1)
    due = not last or uow.now_ms - last[0].at_ms >= _DAY_MS
    if due:
        alert(uow, code, **facts)
    return due


def alert(uow: UnitOfWork, code: str, **facts: Any) -> None:
    """Something an admin must know."""
    uow.tx.add(Alert, code=code, facts=json.dumps(facts), at_ms=uow.now_ms)
    for channel, address in uow.settings.admins:
        found = uow.tx.whose(channel, address)
        outbox.queue(
            uow,
            AlertFacts(code=code, facts=facts),
            channel=channel,
            address=address,
            person_id=None if found is None else found[0].id,
            collapse=f"alert:{code}:{channel}:{address}",
        )
