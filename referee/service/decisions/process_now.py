"""Process now: nobody waits any longer for whoever is asked.

It costs them no miss; it names the window that it closes.
"""

from __future__ import annotations

from typing import Any

from referee.policy import at_once
from referee.rules import Refusal
from referee.store import Game

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..deadlines import clock_state, rows
from ..plans import run_plan
from ..play import clock_news, enacting
from ..time import misses


def may_process(sitting: Sitting, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a window that has closed, and in a pause."""
    if clock_state.paused(clock_state.read(game)):
        raise Refusal("paused-already", game=game.id)
    if int(facts["window"]) != game.question:
        raise Refusal("window-closed", window=int(facts["window"]), open=game.question)


def process(sitting: Sitting, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """Their plan answers, else the dullest answer is given, or a stand-in's where nobody waits for them."""
    table = rows.known(sitting, game)
    asked = [int(no) for no in game.asked.split(",")]
    fresh = clock_news.publish(
        sitting, game, table, "processed", {**who, "window": facts["window"], "players": asked}, ()
    )
    seats = sitting.seats(int(game.id or 0))
    no = asked[0]
    by = misses.PLAYS[at_once(clock_state.policy_of(game))] if table.seat(no).probation else "clock"
    enacting.enact(sitting, fresh, seats, run_plan.instead(sitting, fresh, seats, no, by))
    outbox.to_seat(sitting, fresh, seats[no], "prompt")
