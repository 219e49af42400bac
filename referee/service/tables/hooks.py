"""What other rooms make of words about tables."""

from __future__ import annotations

from referee.ports import Inbound
from referee.store import Game

from ..core.hooks import Question
from ..core.speaker import Speaker
from ..core.unit_of_work import UnitOfWork


def _no(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> bool:
    return False


#: somebody wants to leave a table: whether that was seen to
leaves: Question[[UnitOfWork, Speaker, Inbound, Game], bool] = Question("leaves", _no)
