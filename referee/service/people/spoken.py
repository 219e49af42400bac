"""What rooms may make of words before they are read as a command."""

from __future__ import annotations

from referee.ports import Inbound
from referee.store import Outbox
from referee.text.reading.plan_heads import PlanHead

from ..core.hooks import Question
from ..core.unit_of_work import UnitOfWork
from .identity import Speaker


def _as_it_is(uow: UnitOfWork, speaker: Speaker, text: str) -> str:
    return text


def _left(uow: UnitOfWork, speaker: Speaker, came: Inbound, head: PlanHead) -> bool:
    return False


def _none(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> Outbox | None:
    return None


#: what a number in private, or “back”, stands for that chooses an entry of the last letter; itself where
#: nobody knows
chosen: Question[[UnitOfWork, Speaker, str], str] = Question("chosen", _as_it_is)
#: the menu that somebody opened in a room and that a number said there answers
open_menu: Question[[UnitOfWork, Speaker, Inbound], Outbox | None] = Question("open_menu", _none)
#: whether somebody dealt with what is a plan, or about one
planned: Question[[UnitOfWork, Speaker, Inbound, PlanHead], bool] = Question("planned", _left)
