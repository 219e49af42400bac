"""What of a mail was left: its writer is told, whatever became of the rest."""

from __future__ import annotations

from contextlib import suppress

from referee.ports import Inbound
from referee.rules.facts import Move
from referee.text import Intent, Reading, read_order
from referee.text.meter import TooCostly

from ..core.unit_of_work import UnitOfWork
from ..people.identity import Speaker
from ..people.replies import answer

#: own words that were not taken for the answer; what stands behind the line where a signature seems to begin
FACTS = {"left", "behind"}
#: this many lines behind a signature are looked at, none of them longer than that; so much is quoted
_LINES, _LONGEST, _QUOTED = 12, 80, 200


def tell(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> None:
    """Say which part was not read, if there is one."""
    unread = str(came.facts.get("left", "")).split("\n")
    with suppress(TooCostly):
        unread += [
            line
            for line in str(came.facts.get("behind", "")).split("\n")[:_LINES]
            if 0 < len(line) <= _LONGEST and _meant(uow, line, speaker.person.language)
        ]
    said = " / ".join(line for line in unread if line)
    if said:
        answer(uow, speaker, came, "part-unread", quoted=said[:_QUOTED])


def _meant(uow: UnitOfWork, line: str, language: str) -> bool:
    """Whether a line reads as an order or a command: signatures are no news."""
    reading = Reading(language=language, own=uow.words.own)
    intent = uow.readings.intent(line, reading, private=True, addressed=False)
    if not isinstance(intent, Intent) or intent.kind in ("chatter", "nothing"):
        return False
    if intent.kind != "orders":
        return True
    with uow.readings.metered():
        return any(
            isinstance(found, Move) or found.code == "no-options"
            for found in (read_order(chunk, reading) for chunk in intent.args["chunks"])
        )
