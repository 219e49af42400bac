"""A bot's pause: at slow tables a bot that picks takes a few minutes, as a person would.

Only there, and only where another person picks after the bots than who answered last: nobody has a letter
more for it, and whose turn it is next is no secret. Everywhere else bots answer at once, since a person may
be asked again right after them. One pause is made for all bots that pick one after the other. Whether there
is one, and how long it is, depends on what everybody at the table knows, and on the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from referee import rules
from referee.ids import QuestionNo, SeatNo
from referee.policy import HOUR_MS, Policy
from referee.store import Game, Journal, Seat

from ..core.unit_of_work import UnitOfWork, settings_of

#: a table where an answer may take less is a quick one
_SLOW_HOURS = 6
#: people sit together from so long before an hour on which they agreed, and for so long after it
_BEFORE_MS, _AFTER_MS = HOUR_MS // 6, 6 * HOUR_MS


def has_pauses(uow: UnitOfWork, game: Game, seats: Sequence[Seat], policy: Policy) -> bool:
    """Whether the bots of a table make any: at a slow one, with several people who don't sit together now."""
    if not uow.settings.bots.pause_minutes:
        return False
    if sum(not seat.bot for seat in seats) < 2 or policy.move_hours < _SLOW_HOURS:
        return False
    live = settings_of(game).get("live", {})
    meet_ms = 0 if live.get("off") else live.get("meet", 0)
    return not meet_ms - _BEFORE_MS <= uow.now_ms < meet_ms + _AFTER_MS


def pauses(state: Any, seats: Sequence[Seat], last: SeatNo) -> bool:
    """Whether a bot that is asked now, after an answer for the seat `last`, pauses before its own."""
    person = next((no for no in rules.still_picking(state) if not seats[no].bot), None)
    return person is not None and person != last and not seats[last].bot


def pause_ms(uow: UnitOfWork, game: Game, seats: Sequence[Seat], policy: Policy, question: QuestionNo) -> int:
    """How long it is for the open question, 0 for none."""
    if not has_pauses(uow, game, seats, policy):
        return 0
    last = uow.tx.all(Journal, game_id=game.id, undone=0, order="-no", limit=1)
    if not last or not pauses(uow.states.of(game), seats, last[0].seat):
        return 0
    share = Random(f"pause:{game.id}:{question}").uniform(0.5, 1.5)
    return round(uow.settings.bots.pause_minutes * 60_000 * share)
