"""The log of what was done in office, and whether it is whole.

    note(uow, "house", person, "root", "block", {…})    one more line
    broken(tx, "house")                                     the number of the first line that does not hold, 0
      for none

The database itself refuses to change or remove a line; anyone who edits the file from outside breaks the
chain of hashes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from referee.ids import PersonId
from referee.store import OfficeLog, Tx

from .unit_of_work import UnitOfWork, json_text

#: what an admin did to the installation itself, or at any of its tables
HOUSE = "house"


def note(
    uow: UnitOfWork, scope: str, person_id: PersonId | None, by: str, act: str, facts: Mapping[str, Any]
) -> int:
    """Write one line: who did what, to what.

    `scope`: house, or "league:3"; `person_id` None: from the console, or the clock. Returns its number.
    """
    last = uow.tx.all(OfficeLog, scope=scope, order="-no", limit=1)
    before, no = (last[0].hash, last[0].no + 1) if last else ("", 1)
    text = json_text(dict(facts))
    uow.tx.add(
        OfficeLog,
        scope=scope,
        no=no,
        at_ms=uow.now_ms,
        person_id=person_id,
        by=by,
        act=act,
        facts=text,
        hash=digest(before, scope, no, uow.now_ms, person_id, by, act, text),
    )
    return no


def digest(before: str, *words: object) -> str:
    """The hash of a line, in hex: SHA-256 over the hash of the line before it and its own columns, as a JSON
    list.
    """
    return hashlib.sha256(
        json.dumps([before, *words], ensure_ascii=False, separators=(",", ":")).encode()
    ).hexdigest()


def broken(tx: Tx, scope: str) -> int:
    """The number of the first line that was changed, or before which one is missing; 0 where the log is
    whole. A log that was cut off at its end looks whole: keep the last hash elsewhere.
    """
    before = ""
    for wanted, row in enumerate(tx.all(OfficeLog, scope=scope, order="no"), 1):
        if row.no != wanted or row.hash != digest(
            before, scope, row.no, row.at_ms, row.person_id, row.by, row.act, row.facts
        ):
            return wanted
        before = row.hash
    return 0
