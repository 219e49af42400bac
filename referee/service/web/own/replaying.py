"""A finished game step by step, as a seat saw it: its hand, what it was told alone, what it picked from.

For the person who has that seat at the end, also of what somebody else saw there before: the cards came with
the seat. While the game is played nobody has such a page; after it the record is open to everybody.
"""

from __future__ import annotations

from typing import Any

from referee.ids import GameId, PersonId
from referee.states import GameStatus
from referee.store import Game, Person, Seat
from referee.text.rendering.cards import card

from ...core.unit_of_work import names
from ...play.replay import GameRows, ReplayEvent, whole
from ..site.history import HistoryCache, step_facts
from ..site.page_cache import PageContext
from ..site.table import about
from ..site.visibility import path_of
from .seat import seat_of

#: the pasts of this many seats are kept
KEPT = 16


def finished(look: PageContext, person_id: PersonId, game_id: GameId) -> tuple[Game, Seat] | None:
    """The finished game that somebody may look at from their seat, and that seat."""
    found = seat_of(look, person_id, game_id)
    return found if found is not None and found[0].status == GameStatus.OVER and found[0].snapshot else None


def rows_to_unroll(look: PageContext, shelf: HistoryCache, game: Game, seat: Seat) -> GameRows | None:
    """What is to be played again before the page can be made; None where nothing is."""
    past = shelf.known(game.id, seat.no)
    return whole(look.tx, game) if past is None or past.upto != game.event_no else None


def replay_facts(
    look: PageContext, shelf: HistoryCache, person: Person, game: Game, seat: Seat, wanted: int
) -> dict[str, Any] | None:
    """What the page of a step is filled with (0: the last one); None for a step that there is not.  The past
    is known.
    """
    past = shelf.known(game.id, seat.no)
    steps = () if past is None else past.steps
    step = wanted or len(steps)
    if not 1 <= step <= len(steps):
        return None
    seats = look.tx.all(Seat, game_id=game.id, order="no")
    players = names(seats)

    def worded(told: tuple[ReplayEvent, ...]) -> list[str]:
        lines = [look.words.event(one.name, one.facts, look.language, players, seat.no) for one in told]
        return [line for line in lines if line]

    found = about(look, game, seats, {}) | step_facts(look, game, steps, step, worded)
    view = found["view"] or {}
    return found | {
        "zone": person.zone,
        "me_seat": seat.no,
        "path": look.root + path_of(look.tx, game),
        "hand": [card(name, view["edition"]) for name in view.get("hand", ())],
        "picks": steps[step - 1].picks,
    }
