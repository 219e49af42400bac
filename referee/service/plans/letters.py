"""The letters about plans."""

from __future__ import annotations

from referee import rules
from referee.plans import Plan
from referee.states import GameStatus
from referee.store import SeatPlan

from ..core.composing import Draft, LetterContext, rewritten_id
from ..core.letter_buttons import keyed, offered
from ..core.letters import LetterTraits, letter
from ..play import seat_plans
from ..play.letter_facts import PlanFacts, PlanMenuFacts
from . import menu


@letter(PlanFacts, LetterTraits(private=True))
def plan(ctx: LetterContext) -> Draft:
    """A plan as it was understood."""
    return Draft(edits=rewritten_id(ctx))


@letter(PlanMenuFacts, LetterTraits(private=True, entries="menu"))
def plan_menu(ctx: LetterContext) -> Draft | None:
    """A page of the menu that writes a plan; None where there is nothing to plan any more."""
    row, game, seats = ctx.row, ctx.game, ctx.seats
    if game is None:
        return Draft()
    if game.status != GameStatus.RUNNING or row.seat is None or seats[row.seat].person_id != row.person_id:
        return None
    filed = ctx.tx.one(SeatPlan, game_id=game.id, seat=row.seat)
    page = menu.menu_contents(
        ctx.words,
        ctx.language,
        ctx.states,
        game,
        rules.view(ctx.states.of(game), row.seat),
        Plan() if filed is None else seat_plans.plan_of(filed),
        menu.walk_of(ctx.read(PlanMenuFacts)),
    )
    page["options"] = keyed(ctx, page["options"])
    return Draft(page, offered(page), edits=rewritten_id(ctx))
