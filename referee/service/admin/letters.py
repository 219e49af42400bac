"""An admin's letters, made from what is looked up when they leave: from a reader's connection, so that nobody
who plays waits for it.
"""

from __future__ import annotations

from typing import Any

from ..core.alerts import AlertFacts
from ..core.composing import Composer, Draft, Occasion
from ..core.letters import Traits, letter, plain
from . import figures, inspect, lists

plain(AlertFacts, __name__)
plain(inspect.LookedFacts, __name__)  # to a table: an admin saw hidden cards


def _listed(kind: str, filled: lists.Filler) -> Composer:
    def compose(occasion: Occasion) -> Draft:
        return Draft(filled(occasion, occasion.data))

    return letter(kind)(compose)


_listed("admin_games", lists.games)
_listed("admin_letters", lists.letters)
_listed("admin_inbox", lists.inbox)
_listed("admin_blocked", lists.blocked)
_listed("admin_log", lists.log)


@letter("admin_stats")
def stats(occasion: Occasion) -> Draft:
    """The figures of the house."""
    return Draft(figures.plain(figures.figures(occasion.tx, occasion.now_ms)))


@letter("admin_look")
def look(occasion: Occasion) -> Draft | None:
    """A table without its hidden cards; None where there is none any more."""
    game = occasion.game
    return None if game is None else Draft(inspect.public(occasion, game, occasion.seats))


@letter("admin_hidden", Traits(secret=True))
def hidden(occasion: Occasion) -> Draft | None:
    """A table's hidden cards; None where it is no longer played at."""
    game = occasion.game
    found: dict[str, Any] | None = (
        None if game is None else inspect.cards(occasion, game, occasion.seats, occasion.data["of"])
    )
    return None if found is None else Draft(found)
