"""What rooms may make of words before they are read as a command."""

from __future__ import annotations

from referee.ports import Inbound

from ..core.hooks import Question
from ..core.unit_of_work import Sitting
from .identity import Speaker


def _as_it_is(sitting: Sitting, speaker: Speaker, text: str) -> str:
    return text


def _left(sitting: Sitting, speaker: Speaker, came: Inbound, text: str) -> bool:
    return False


#: what words in private stand for that choose an entry of the last letter; they themselves where nobody knows
chosen: Question[[Sitting, Speaker, str], str] = Question("chosen", _as_it_is)
#: whether somebody dealt with words that are no command
taken: Question[[Sitting, Speaker, Inbound, str], bool] = Question("taken", _left)
