"""The letter with a hint, and that hints may be asked for at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee import rules
from referee.rules import EDITIONS
from referee.store import Game
from referee.text.reading.open_question import each_order

from ..core.composing import TABLE_FACTS, Draft, LetterContext
from ..core.letters import LetterTraits, letter
from ..play.letters import reader
from ..play.seat_page import is_asked
from . import advice


@letter(advice.AdviceFacts, LetterTraits(asks=True, urgent=True))
def hint(ctx: LetterContext) -> Draft | None:
    """What strong players would answer; None once the question is open no more."""
    game, seat = ctx.game, reader(ctx)
    if game is None or seat is None or not is_asked(ctx.row, game) or ctx.row.question != game.question:
        return Draft() if game is None else None
    view = rules.view(ctx.states.of(game), seat.no)
    return Draft({"best": advised(ctx, ctx.read(advice.AdviceFacts).best, view), "view": view})


def advised(
    ctx: LetterContext, best: Sequence[advice.Advised], view: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Each answer {label, note: what its card does, chance, type, standing}: `standing` districts of the
    seat's city are of its character's type, where it picks one that has a type.
    """
    known = {one.order_text: one for one in each_order(view["ask"], view)}
    notes = {one["order"]: one.get("note", "") for one in ctx.words.offers(view["ask"], view, ctx.language)}
    types = {card.name: card.type for card in EDITIONS[view["edition"]].characters}
    city = view["players"][view["you"]]["city"]
    found = []
    for one in best:
        picked = known[one.order].move if one.order in known and view["ask"]["kind"] == "pick" else None
        kind = None if picked is None else types.get(picked.args[0])
        found.append(
            {
                "label": ctx.words.label(known.get(one.order, one.order), ctx.language, view),
                "note": notes.get(one.order, ""),
                "chance": one.chance,
                "type": kind or "",
                "standing": sum(kind is not None and district["type"] == kind for district in city),
            }
        )
    return found


def offers_hints(ctx: LetterContext, game: Game) -> Mapping[str, Any]:
    """Whether hints may be asked for there."""
    return {"advice": advice.allowed(game)}


TABLE_FACTS.add("advice", offers_hints, __name__)
