"""The letter with the turns that cost most."""

from __future__ import annotations

from ..core.composing import Draft, LetterContext
from ..core.letters import LetterTraits, letter
from ..play.letters import reader
from . import judging, telling
from .letter_facts import ReviewFacts


@letter(ReviewFacts, LetterTraits(linked=True))
def review(ctx: LetterContext) -> Draft | None:
    """The worst turns with pictures; None where there is no review any more."""
    game, seat = ctx.game, reader(ctx)
    if ctx.read(ReviewFacts).nobody:
        return Draft({"nobody": True})
    row = None if seat is None else judging.of_seat(ctx.tx, seat.game_id, seat.no)
    if game is None or row is None:
        return Draft() if game is None else None
    found = telling.told(ctx, ctx.tx, game, row, ctx.context["game"]["replay"])
    drawings = telling.drawings(ctx, game, found) if ctx.markup else ()
    return Draft({"turns": found.turns, "judged": found.judged}, drawings=drawings)
