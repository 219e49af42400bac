"""`rules Thief`: what a card does, and where it is in the game that the question comes from.

`rules`: all cards of that game, or of the classic edition.

Only what everybody at the table may know goes into the answer: cast and deck are public, hands and unrevealed
characters are never looked at.
"""

from __future__ import annotations

from typing import Any

from referee import rules
from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game, GameRoom
from referee.text import Wish

from ..core import outbox
from ..core.unit_of_work import Sitting, States, drawn_for, settings_of
from ..people import chat_rooms
from ..people.identity import Speaker

#: the edition to begin with
PLAIN = "classic"


def card(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`rules <card>` or `rules`, where it was asked.

    Which game is meant is guessed, never asked: the answer serves without one.
    """
    game = about(sitting, speaker, came, wish)
    kind = "card" if wish.args["card"] else "cards"
    data = {**wish.args, "answers": came.message_id}
    room = chat_rooms.room(sitting, came)
    if room is not None:
        outbox.to_room(sitting, room, kind, data=data, game_id=None if game is None else game.id)
    else:
        outbox.to_person(
            sitting,
            int(speaker.person.id or 0),
            kind,
            at=speaker.address,
            data=data,
            game_id=None if game is None else game.id,
        )


def about(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish) -> Game | None:
    """The game named, or of the letter that is answered, or the only one of the room or of the person."""
    if wish.game is not None:
        game = sitting.tx.get(Game, wish.game)
        if game is None:
            raise Refusal("no-game", game=wish.game)
        return game
    if speaker.letter is not None and speaker.letter.game_id is not None:
        return sitting.tx.get(Game, speaker.letter.game_id)
    room = chat_rooms.room(sitting, came)
    if room is not None:
        found = [sitting.tx.get(Game, w.game_id) for w in sitting.tx.all(GameRoom, room_id=room.id)]
    else:
        found = [game for _, game in sitting.tx.seats_of(int(speaker.person.id or 0), chat_rooms.ACTIVE)]
    alive = [game for game in found if game is not None and game.status in chat_rooms.ACTIVE]
    return alive[0] if len(alive) == 1 else None


def by_itself() -> dict[str, Any]:
    """The cards that somebody sees who plays nowhere yet: those of the classic edition."""
    edition = rules.EDITIONS[PLAIN]
    return {"edition": PLAIN, "cast": edition.cast, "uniques": edition.in_deck(edition.cast, ())}


def here(states: States, game: Game, name: str) -> dict[str, Any] | None:
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


def in_game(states: States, game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
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
