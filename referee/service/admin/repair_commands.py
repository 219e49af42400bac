"""Letters and messages that went wrong: once more, or never mind."""

from __future__ import annotations

from referee.ids import InboxId, LetterId
from referee.rules import Refusal
from referee.store import Inbox, Outbox

from ..core.unit_of_work import UnitOfWork
from . import repair, speaker
from .speaker import AdminRequest


def retry(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin retry letter 12`, `admin retry message 12`."""
    what, number = asked.args["what"], int(asked.args["number"])
    done = (
        repair.retry_letter(uow, LetterId(number)) if what == "letter" else repair.retry(uow, InboxId(number))
    )
    _told(uow, asked, what, number, done, f"retry-{what}")


def drop(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin drop letter 12`, `admin drop message 12`."""
    what, number = asked.args["what"], int(asked.args["number"])
    done = (
        repair.drop_letter(uow, LetterId(number)) if what == "letter" else repair.drop(uow, InboxId(number))
    )
    _told(uow, asked, what, number, done, f"drop-{what}")


def _told(uow: UnitOfWork, asked: AdminRequest, what: str, number: int, done: bool, act: str) -> None:
    if not done:
        row = uow.tx.get(Outbox, LetterId(number)) if what == "letter" else uow.tx.get(Inbox, InboxId(number))
        raise Refusal("not-mended", what=what, number=number, state="" if row is None else row.state, act=act)
    speaker.log_admin_act(uow, asked, act, number=number)
    speaker.answer_admin(uow, asked, "mended", what=what, number=number, act=act)
