"""What people may say about plans: a plan itself, or `plan`, which shows one's own or opens the menu."""

from __future__ import annotations

from referee.ids import GameId
from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game
from referee.text import Intent
from referee.text.reading.plan_heads import PlanHead

from ..core import outbox
from ..core.commands import DefaultTable, HelpTopic, command
from ..core.unit_of_work import UnitOfWork
from ..people import autoreplies, reply_scope
from ..people.identity import Speaker
from ..people.replies import answer
from ..people.spoken import planned
from . import filing, menu


@planned.on
def take_plan(uow: UnitOfWork, speaker: Speaker, came: Inbound, head: PlanHead) -> bool | None:
    """Deal with a message that is a plan, or asks for one's plan; None for what means something else here."""
    if came.what is What.BUTTON and not menu.concerns(speaker):
        return None
    words = "" if menu.is_late_press(speaker, came) else head.chosen
    if came.place is not None:
        if head.asks:
            return None  # a word for the menu, like any other command
        if came.facts.get("mentioned"):
            answer(uow, speaker, came, "orders-in-private")
        return True if came.facts.get("mentioned") else None
    uow.about |= {"wish": "orders", "game": None}  # anyone who reads the log learns of no plan
    game = which(uow, speaker, head.number)
    reply_scope.check(uow, speaker, came, Intent("plan", {}), "plan", game)
    uow.tx.hold(game)
    uow.about["game"] = game.id
    seat = filing.speaker_seat(uow, speaker, game)
    if head.asks:
        if not autoreplies.is_repeat(uow, speaker, came):
            menu.send_menu(uow, speaker, game, seat)
    elif words is not None:
        filing.walked(uow, speaker, came, game, seat, words)
    else:
        filing.file(uow, speaker, came, game, uow.seats(game.id), seat, head.body)
    return True


def which(uow: UnitOfWork, speaker: Speaker, number: GameId | None) -> Game:
    """The table that a plan is for."""
    if number is None and speaker.letter is not None:
        number = speaker.letter.game_id
    if number is not None:
        game = uow.tx.get(Game, number)
        if game is None:
            raise Refusal("no-game", game=number)
        return game
    mine = [game for _, game in uow.tx.seats_of(speaker.person.id, (GameStatus.RUNNING,))]
    mine = mine or [
        game
        for _, game in uow.tx.seats_of(
            speaker.person.id, (GameStatus.LOBBY, GameStatus.MUSTERING, GameStatus.FROZEN)
        )
    ]
    if not mine:
        raise Refusal("no-game", game=None)
    if len(mine) > 1:
        raise Refusal("which-game", games=[game.id for game in mine])
    return mine[0]


@command("plan", topic=HelpTopic.PLAN, among=DefaultTable.PLAYED)
def elsewhere(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`plan` in a room: the menu opens in private."""
    if game is None:
        raise Refusal("no-game", game=None)
    seat = filing.speaker_seat(uow, speaker, game)
    menu.send_menu(
        uow,
        speaker,
        game,
        seat,
        at=speaker.address if came.place is None else outbox.best(uow, speaker.person.id, seat),
    )
    if came.place is not None:
        answer(uow, speaker, came, "plan-in-private")
