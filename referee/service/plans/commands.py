"""What people may say about plans: a plan itself, or `plan`, which shows one's own or opens the menu."""

from __future__ import annotations

from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game
from referee.text import Wish

from ..core import outbox
from ..core.commands import command
from ..core.unit_of_work import Sitting
from ..people import autoreplies, reply_scope
from ..people.identity import Speaker
from ..people.replies import answer
from ..people.spoken import taken
from . import filing, menu


@taken.on
def heard(sitting: Sitting, speaker: Speaker, came: Inbound, text: str) -> bool | None:
    """Deal with a message that is a plan, or asks for one's plan; None for any other."""
    if came.what is What.BUTTON and not menu.concerns(speaker):
        return None
    begins, asks, words, number, body = filing.looked(
        sitting, text, came.place is None, speaker.person.language
    )
    if not begins:
        return None
    if menu.late(speaker, came):
        words = ""
    if came.place is not None:
        if asks:
            return None  # a word for the menu, like any other command
        if came.facts.get("mentioned"):
            answer(sitting, speaker, came, "orders-in-private")
        return True if came.facts.get("mentioned") else None
    sitting.about |= {"wish": "orders", "game": None}  # whoever reads the log learns of no plan
    game = which(sitting, speaker, number)
    reply_scope.check(sitting, speaker, came, Wish("plan", {}), "plan", game)
    sitting.tx.hold(game)
    sitting.about["game"] = game.id
    seat = filing.seated(sitting, speaker, game)
    if asks:
        if not autoreplies.again(sitting, speaker, came):
            menu.offer(sitting, speaker, game, seat)
    elif words is not None:
        filing.walked(sitting, speaker, came, game, seat, words)
    else:
        filing.file(sitting, speaker, came, game, sitting.seats(int(game.id or 0)), seat, body)
    return True


def which(sitting: Sitting, speaker: Speaker, number: int | None) -> Game:
    """The table that a plan is for."""
    if number is None and speaker.letter is not None:
        number = speaker.letter.game_id
    if number is not None:
        game = sitting.tx.get(Game, number)
        if game is None:
            raise Refusal("no-game", game=number)
        return game
    mine = [game for _, game in sitting.tx.seats_of(int(speaker.person.id or 0), (GameStatus.RUNNING,))]
    mine = mine or [
        game
        for _, game in sitting.tx.seats_of(
            int(speaker.person.id or 0), (GameStatus.LOBBY, GameStatus.MUSTERING, GameStatus.FROZEN)
        )
    ]
    if not mine:
        raise Refusal("no-game", game=None)
    if len(mine) > 1:
        raise Refusal("which-game", games=[game.id for game in mine])
    return mine[0]


@command("plan")
def elsewhere(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`plan` in a room: the menu opens in private."""
    if game is None:
        raise Refusal("no-game", game=None)
    seat = filing.seated(sitting, speaker, game)
    menu.offer(
        sitting,
        speaker,
        game,
        seat,
        at=speaker.address if came.place is None else outbox.best(sitting, int(speaker.person.id or 0), seat),
    )
    if came.place is not None:
        answer(sitting, speaker, came, "plan-in-private")
