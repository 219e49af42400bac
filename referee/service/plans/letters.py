"""The letters about plans."""

from __future__ import annotations

from referee import rules
from referee.plans import Plan
from referee.states import GameStatus
from referee.store import SeatPlan

from ..core.composing import Draft, Occasion, rewritten_id
from ..core.letter_buttons import keyed, offered
from ..core.letters import Traits, letter
from ..play import seat_plans
from . import filing, menu


@letter(filing.PlanFacts, Traits(private=True))
def plan(occasion: Occasion) -> Draft:
    """A plan as it was understood."""
    return Draft(edits=rewritten_id(occasion))


@letter(menu.PlanMenuFacts, Traits(private=True, entries="menu"))
def plan_menu(occasion: Occasion) -> Draft | None:
    """A page of the menu that writes a plan; None where there is nothing to plan any more."""
    row, game, seats = occasion.row, occasion.game, occasion.seats
    if game is None:
        return Draft()
    if game.status != GameStatus.RUNNING or row.seat is None or seats[row.seat].person_id != row.person_id:
        return None
    filed = occasion.tx.one(SeatPlan, game_id=game.id, seat=row.seat)
    page = menu.filled(
        occasion.words,
        occasion.language,
        occasion.states,
        game,
        rules.view(occasion.states.of(game), row.seat),
        Plan() if filed is None else seat_plans.plan_of(filed),
        occasion.data,
    )
    page["options"] = keyed(occasion, page["options"])
    return Draft(page, offered(page), edits=rewritten_id(occasion))
