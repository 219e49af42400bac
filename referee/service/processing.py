"""Process now: nobody waits any longer for whoever is asked.

It costs them no miss; it names the window that it closes.
"""

from __future__ import annotations

from typing import Any

from referee.policy import at_once
from referee.rules import Refusal
from referee.store import Game

from . import hours, letters, misses, moves, planned, timing
from .sitting import Sitting


def may_process(sitting: Sitting, game: Game, facts: dict[str, Any]) -> None:
    """Raises Refusal for a window that has closed, and in a pause."""
    if timing.paused(timing.read(game)):
        raise Refusal("paused-already", game=game.id)
    if int(facts["window"]) != game.question:
        raise Refusal("window-closed", window=int(facts["window"]), open=game.question)


def process(sitting: Sitting, game: Game, facts: dict[str, Any], who: dict[str, Any]) -> None:
    """Their plan answers, else the dullest answer is given, or a stand-in's where nobody waits for them."""
    table = hours.known(sitting, game)
    asked = [int(no) for no in game.asked.split(",")]
    fresh = misses.publish(
        sitting, game, table, "processed", {**who, "window": facts["window"], "players": asked}, ()
    )
    seats = sitting.seats(int(game.id or 0))
    no = asked[0]
    by = misses.PLAYS[at_once(timing.policy_of(game))] if table.seat(no).probation else "clock"
    moves.enact(sitting, fresh, seats, planned.instead(sitting, fresh, seats, no, by))
    letters.to_seat(sitting, fresh, seats[no], "prompt")
