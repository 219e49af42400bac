"""What people may say about cards: `rules`, `rules Thief`."""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import ALIVE
from referee.store import Game, GameRoom
from referee.text import Intent

from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.unit_of_work import UnitOfWork
from ..people import chat_rooms, onlookers
from ..people.identity import Speaker
from ..people.replies import answer_with
from .card_help import AllCardsFacts, CardHelpFacts


@command("rules", topic=HelpTopic.PLAY, table=TableNeed.NONE, about=CommandTopic.READ, numberless=True)
def card(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`rules <card>` or `rules`, where it was asked.

    Which game is meant is guessed, never asked: the answer serves without one.
    """
    game = about(uow, speaker, came, intent)
    kind = CardHelpFacts if intent.args["card"] else AllCardsFacts
    answer_with(uow, speaker, came, kind(**intent.args), game, of_seat=False)


def about(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent) -> Game | None:
    """The game named, or of the letter that is answered, or the only one of the room or of the person."""
    if intent.game is not None:
        game = uow.tx.get(Game, intent.game)
        if game is None:
            raise Refusal("no-game", game=intent.game)
        onlookers.check(uow, speaker, came, game)
        return game
    if speaker.letter is not None and speaker.letter.game_id is not None:  # a page's address may name any
        game = uow.tx.get(Game, speaker.letter.game_id)
        return game if game is not None and onlookers.may_know(uow, speaker, came, game) else None
    room = chat_rooms.room(uow, came)
    if room is not None:
        found = [uow.tx.get(Game, w.game_id) for w in uow.tx.all(GameRoom, room_id=room.id)]
    else:
        found = [game for _, game in uow.tx.seats_of(speaker.person.id, ALIVE)]
    alive = [game for game in found if game is not None and game.status in ALIVE]
    return alive[0] if len(alive) == 1 else None
