"""Commands that only ask about tables: status, hand, history, who, games, record."""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Deal, Game
from referee.text import Wish

from ..core import outbox
from ..core.commands import About, Need, command
from ..core.unit_of_work import Sitting
from ..people.identity import Speaker
from ..people.replies import answer_with
from ..play.prompts import again


@command("status", table=Need.OPTIONAL, about=About.READ)
def status(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`status`: in private one's whole prompt again, in a room the public table; without a table, all of
    one's games.
    """
    if game is None:
        answer_with(sitting, speaker, came, "games", wish, game)
        return
    seat = next((s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id), None)
    if came.place is None and seat is not None and game.status == GameStatus.RUNNING:
        again(sitting, speaker, game, seat, pictured=True)
    elif came.place is None and seat is not None and game.status == GameStatus.MUSTERING and not seat.ready:
        outbox.to_seat(sitting, game, seat, "muster", at=speaker.address)
    else:
        answer_with(sitting, speaker, came, "status", wish, game)


@command("hand", table=Need.OPTIONAL, about=About.READ)
def hand(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`hand`: one's own cards, in private only, also when asked for in a room."""
    if game is None:
        raise Refusal("no-game", game=None)
    seat = next((s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    if game.status in (GameStatus.LOBBY, GameStatus.MUSTERING):
        raise Refusal("not-started", game=game.id)
    if game.status != GameStatus.RUNNING:
        raise Refusal("frozen" if game.status == GameStatus.FROZEN else "game-over", game=game.id)
    outbox.to_seat(sitting, game, seat, "hand", at=speaker.address if came.place is None else None)


@command("record", about=About.READ)
def record(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`record #17`: the whole game as a text that anybody can check.

    It holds everybody's orders: not before the end.
    """
    if game is None:
        raise Refusal("no-game", game=None)
    deal = int(wish.args.get("deal") or 0)
    if deal and sitting.tx.one(Deal, game_id=game.id, no=deal) is None:
        raise Refusal("no-such-deal", game=game.id, deal=deal)
    if game.status != GameStatus.OVER and not deal:
        raise Refusal("record-later", game=game.id)
    answer_with(sitting, speaker, came, "record", wish, game)


@command("history", table=Need.OPTIONAL, about=About.READ)
def history(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`history`: what happened lately."""
    answer_with(sitting, speaker, came, "history", wish, game)


@command("who", table=Need.OPTIONAL, about=About.READ)
def who(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`who`: who sits at the table."""
    answer_with(sitting, speaker, came, "who", wish, game)


@command("games", table=Need.NONE, about=About.READ, numberless=True)
def games(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`games`: all of one's tables."""
    answer_with(sitting, speaker, came, "games", wish, game)
