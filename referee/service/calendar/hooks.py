"""What other rooms tell a person's calendar besides what is asked of them."""

from __future__ import annotations

from typing import NamedTuple

from referee.ids import GameId, PersonId
from referee.states import CalendarState
from referee.store import Tx

from ..core.hooks import Poll


class CalendarMoment(NamedTuple):
    """What stands in a calendar: the game, since when (which names the entry), until when (UTC ms); `state`
    open: an answer is due then, live: an hour at the table that ends then.
    """

    game_id: GameId
    since_ms: int
    due_ms: int
    state: str = CalendarState.OPEN


#: the hours at which somebody has said that they will be there, now being that moment
appointments: Poll[[Tx, PersonId, int], list[CalendarMoment]] = Poll("appointments")
