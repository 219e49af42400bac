"""What people may say about cards: `rules`, `rules Thief`."""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE
from referee.store import Game, GameRoom
from referee.text import Wish

from ..core import outbox
from ..core.commands import About, Need, command
from ..core.unit_of_work import Sitting
from ..people import chat_rooms
from ..people.identity import Speaker


@command("rules", table=Need.NONE, about=About.READ, numberless=True)
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
        found = [game for _, game in sitting.tx.seats_of(int(speaker.person.id or 0), ALIVE)]
    alive = [game for game in found if game is not None and game.status in ALIVE]
    return alive[0] if len(alive) == 1 else None
