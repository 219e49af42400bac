"""What rooms may make of words before they are read as a command."""

from __future__ import annotations

from referee.ports import Inbound
from referee.text.reading.plan_heads import PlanHead

from ..core.hooks import Question
from ..core.unit_of_work import UnitOfWork
from .identity import Speaker


def _as_it_is(uow: UnitOfWork, speaker: Speaker, text: str) -> str:
    return text


def _left(uow: UnitOfWork, speaker: Speaker, came: Inbound, head: PlanHead) -> bool:
    return False


#: what a number in private stands for that chooses an entry of the last letter; itself where nobody knows
chosen: Question[[UnitOfWork, Speaker, str], str] = Question("chosen", _as_it_is)
#: whether somebody dealt with what is a plan, or about one
planned: Question[[UnitOfWork, Speaker, Inbound, PlanHead], bool] = Question("planned", _left)
