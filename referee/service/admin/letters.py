"""An admin's letters, made from what is looked up when they leave: from a reader's connection, so that nobody
who plays waits for it.
"""

from __future__ import annotations

from ..core.alerts import AlertFacts
from ..core.composing import Composer, Draft, LetterContext
from ..core.letters import LetterTraits, letter, plain
from . import figures, inspect, lists

plain(AlertFacts, __name__)
plain(inspect.LookedFacts, __name__)  # to a table: an admin saw hidden cards


def _listed(facts: type[lists.ListedFacts], filled: lists.Filler) -> Composer:
    def compose(ctx: LetterContext) -> Draft:
        return Draft(filled(ctx, ctx.read(facts)))

    return letter(facts)(compose)


_listed(lists.GamesListFacts, lists.games_page)
_listed(lists.LettersListFacts, lists.letters)
_listed(lists.InboxListFacts, lists.inbox)
_listed(lists.BlockedListFacts, lists.blocked)
_listed(lists.LogListFacts, lists.log)


@letter(lists.AdminStatsFacts)
def stats(ctx: LetterContext) -> Draft:
    """The figures of the installation."""
    return Draft(figures.figures_for_letter(figures.figures(ctx.tx, ctx.now_ms)))


@letter(inspect.LookFacts)
def look(ctx: LetterContext) -> Draft | None:
    """A table without its hidden cards; None where there is none any more."""
    game = ctx.game
    return None if game is None else Draft(inspect.public_table(ctx, game, ctx.seats))


@letter(inspect.HiddenFacts, LetterTraits(secret=True))
def hidden(ctx: LetterContext) -> Draft | None:
    """A table's hidden cards; None where it is no longer played at."""
    game, of = ctx.game, ctx.read(inspect.HiddenFacts).of
    found = None if game is None else inspect.hidden_cards(ctx, game, ctx.seats, of)
    return None if found is None else Draft(found)
