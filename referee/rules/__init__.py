"""The game: pure, synchronous, no clock, dice, files, logs or network.

outcome = new_game(Setup("classic", ("Ana", "Bea", "Cy", "Dan")), seed)
outcome = play(outcome.state, seat, move)          # or raises Refusal, state untouched
view(outcome.state, seat), asks(outcome.state), legal(outcome.state, seat)
"""

from __future__ import annotations

from .audit import AuditError, audit
from .catalog import EVENTS
from .codec import StateError, dump, load
from .dealing import Known
from .editions import EDITIONS
from .facts import (
    REFUSALS,
    SETUP_ERRORS,
    Ask,
    Event,
    Family,
    Move,
    Outcome,
    Refusal,
    Seat,
    SetupError,
)
from .game import as_kept, asked_anew, asks, dull, legal, new_game, places, play, rulebook, ruled, scores
from .knowledge import another
from .model import State
from .rulebook import Rulebook
from .setup import Setup
from .view import still_picking, view, whereabouts

__all__ = [
    "EDITIONS",
    "EVENTS",
    "REFUSALS",
    "SETUP_ERRORS",
    "Ask",
    "AuditError",
    "Event",
    "Family",
    "Known",
    "Move",
    "Outcome",
    "Refusal",
    "Rulebook",
    "Seat",
    "Setup",
    "SetupError",
    "State",
    "StateError",
    "another",
    "as_kept",
    "asked_anew",
    "asks",
    "audit",
    "dull",
    "dump",
    "legal",
    "load",
    "new_game",
    "places",
    "play",
    "rulebook",
    "ruled",
    "scores",
    "still_picking",
    "view",
    "whereabouts",
]
