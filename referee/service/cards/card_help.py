"""`rules Thief`: what a card does, and where it is in the game that the question comes from.

`rules`: all cards of that game, or of the classic edition.

Only what everybody at the table may know goes into the answer: cast and deck are public, hands and unrevealed
characters are never looked at.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from referee import rules
from referee.store import Game

from ..core.letters import Facts
from ..core.unit_of_work import StateCache, drawn_for, settings_of

#: the edition to begin with
PLAIN = "classic"


class CardHelpFacts(Facts):
    """Which card is explained, and as it is in which edition, where that was named."""

    kind = "card"
    card: str
    edition: str | UnsetType = UNSET


class AllCardsFacts(Facts):
    """All cards, where none is named."""

    kind = "cards"
    card: str | UnsetType = UNSET
    edition: str | UnsetType = UNSET


def by_itself() -> dict[str, Any]:
    """The cards that somebody sees who plays nowhere yet: those of the classic edition."""
    edition = rules.EDITIONS[PLAIN]
    return {"edition": PLAIN, "cast": edition.cast, "uniques": edition.in_deck(edition.cast, ())}


def here(states: StateCache, game: Game, name: str) -> dict[str, Any] | None:
    """Where that card is in this game: {rank or 0, known (in the cast or the deck), rival (who has the rank
    instead), faceup, shown [names of players who revealed it], unique, cities [names of their owners]}.

    None where the edition has no such card.
    """
    edition = rules.EDITIONS[game.edition]
    ranks = {one.name: one.rank for one in edition.characters}
    types = {one.name: one.type for one, _ in edition.districts}
    cast, uniques = in_game(states, game)
    view = rules.view(states.of(game), None) if game.snapshot else {"faceup": [], "players": []}
    players = view["players"]
    if name in ranks:
        return {
            "rank": ranks[name],
            "known": name in cast,
            "faceup": name in view["faceup"],
            "unique": False,
            "cities": [],
            "rival": next((other for other in cast if ranks[other] == ranks[name] and other != name), ""),
            "shown": [p["name"] for p in players if name in p["revealed"]],
        }
    if name in types:
        cities = [p["name"] for p in players if any(one["name"] == name for one in p["city"])]
        known = types[name] != "unique" or name in uniques or bool(cities)
        return {
            "rank": 0,
            "known": known,
            "faceup": False,
            "rival": "",
            "shown": [],
            "unique": types[name] == "unique",
            "cities": cities,
        }
    return None


def in_game(states: StateCache, game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cast by rank and the unique districts of a game; in the lobby those with every seat taken."""
    if game.snapshot:
        book = rules.rulebook(states.of(game))
        return tuple(book.characters), tuple(book.uniques)
    edition = rules.EDITIONS[game.edition]
    count = int(settings_of(game)["seats"])
    drawn = drawn_for(game, count)
    cast = drawn.cast or edition.usual_cast(count)
    ranks = {one.name: one.rank for one in edition.characters}
    return tuple(sorted(cast, key=lambda name: ranks[name])), tuple(edition.in_deck(cast, drawn.uniques))
