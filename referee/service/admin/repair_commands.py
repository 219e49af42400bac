"""Letters and messages that went wrong: once more, or never mind."""

from __future__ import annotations

from referee.rules import Refusal
from referee.store import Inbox, Outbox

from ..core.unit_of_work import Sitting
from . import repair, speaker
from .speaker import Asked


def retry(sitting: Sitting, asked: Asked) -> None:
    """`admin retry letter 12`, `admin retry message 12`."""
    what, number = asked.args["what"], int(asked.args["number"])
    done = repair.retry_letter(sitting, number) if what == "letter" else repair.retry(sitting, number)
    _told(sitting, asked, what, number, done, f"retry-{what}")


def drop(sitting: Sitting, asked: Asked) -> None:
    """`admin drop letter 12`, `admin drop message 12`."""
    what, number = asked.args["what"], int(asked.args["number"])
    done = repair.drop_letter(sitting, number) if what == "letter" else repair.drop(sitting, number)
    _told(sitting, asked, what, number, done, f"drop-{what}")


def _told(sitting: Sitting, asked: Asked, what: str, number: int, done: bool, act: str) -> None:
    if not done:
        row = sitting.tx.get(Outbox, number) if what == "letter" else sitting.tx.get(Inbox, number)
        raise Refusal("not-mended", what=what, number=number, state="" if row is None else row.state, act=act)
    speaker.note(sitting, asked, act, number=number)
    speaker.answer(sitting, asked, "mended", what=what, number=number, act=act)
