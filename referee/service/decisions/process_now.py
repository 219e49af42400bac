"""Process now: nobody waits any longer for anyone who is asked.

It costs them no miss; it names the window that it closes.
"""

from __future__ import annotations

from typing import Any

from referee.ids import SeatNo
from referee.policy import at_once
from referee.rules import Refusal
from referee.store import Game

from ..bots import answering
from ..core import outbox
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state, season_pauses
from ..people.letter_facts import PromptFacts
from ..play import bot_turns, clock_news, enacting
from ..time import misses


def may_process(uow: UnitOfWork, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a window that has closed, and in a pause."""
    if season_pauses.stands(game, uow.now_ms):
        raise Refusal("paused-already", game=game.id)
    if int(facts["window"]) != game.question:
        raise Refusal("window-closed", window=int(facts["window"]), open=game.question)


def process(uow: UnitOfWork, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """Their plan answers, else the dullest answer is given, or a stand-in's where nobody waits for them; no
    bot thinks about it.
    """
    table = clock_state.known(uow, game)
    asked = [SeatNo(int(no)) for no in game.asked.split(",")]
    fresh = clock_news.publish(
        uow, game, table, "processed", {**who, "window": facts["window"], "players": asked}, ()
    )
    seats = uow.seats(game.id)
    no = asked[0]
    if seats[no].bot:
        answering.answer(uow, fresh, no, None)
        return
    by = misses.PLAYS[at_once(clock_state.policy_of(game))] if table.seat(no).probation else "clock"
    filed = uow.plans(game.id)
    done = misses.instead(uow, fresh, seats, filed, no, by, bot_turns.quick(uow.settings.bots.stand_in))
    enacting.enact(uow, fresh, seats, done, filed=filed, in_time=True)
    outbox.to_seat(uow, fresh, seats[no], PromptFacts())
