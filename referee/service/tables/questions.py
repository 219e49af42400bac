"""Commands that only ask about tables: status, hand, history, who, games, record."""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GATHERING, GameStatus
from referee.store import Game, GameRoom
from referee.text import Intent

from ..core import outbox
from ..core.commands import CommandTopic, DefaultTable, HelpTopic, TableNeed, command
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork, settings_of
from ..people import chat_rooms
from ..people.identity import Speaker
from ..people.letter_facts import MusterFacts, NoticeFacts
from ..people.replies import answer_with
from ..play.commands import prompt_again
from ..play.letter_facts import HandFacts, HistoryFacts, RecordFacts
from ..play.table_league import told_status
from .letter_facts import GamesFacts, StatusFacts, WhoFacts


@command("status", topic=HelpTopic.PLAY, table=TableNeed.OPTIONAL, about=CommandTopic.READ)
def status(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`status`: in private one's whole prompt again, in a room the public table; without a table, all of
    one's games.
    """
    if game is None:
        answer_with(uow, speaker, came, GamesFacts(), game)
        return
    seat = next((s for s in uow.seats(game.id) if s.person_id == speaker.person.id), None)
    if came.place is None and seat is not None and game.status == GameStatus.RUNNING:
        prompt_again(uow, speaker, game, seat, pictured=True)
    elif came.place is None and seat is not None and game.status == GameStatus.MUSTERING and not seat.ready:
        outbox.to_seat(uow, game, seat, MusterFacts(), at=speaker.address)
    elif game.status not in GATHERING or not _told_where(uow, speaker, came, game):
        answer_with(uow, speaker, came, StatusFacts(), game)


def _told_where(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> bool:
    """Point at the lobby that stands in this room already, and renew it: two of them with buttons would be
    one too many. False where there is none.
    """
    room = chat_rooms.room(uow, came)
    watch = None if room is None else uow.tx.one(GameRoom, game_id=game.id, room_id=room.id)
    if room is None or watch is None or not watch.wire_id:
        return False
    seats = uow.seats(game.id)
    facts = {
        "game": game.id,
        "free": settings_of(game)["seats"] - len(seats),
        "missing": [one.name for one in seats if not one.ready]
        if game.status == GameStatus.MUSTERING
        else [],
    }
    outbox.to_rooms(uow, game)
    above = NoticeFacts([Notice("lobby-above", facts)], answers=watch.wire_id, asker=speaker.person.id)
    outbox.to_room(uow, room, above, game_id=game.id)
    return True


@command(
    "hand",
    topic=HelpTopic.PLAY,
    table=TableNeed.OPTIONAL,
    among=DefaultTable.PLAYED,
    about=CommandTopic.READ,
)
def hand(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`hand`: one's own cards, in private only, also when asked for in a room."""
    if game is None:
        raise Refusal("no-game", game=None)
    seat = next((s for s in uow.seats(game.id) if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    if game.status in (GameStatus.LOBBY, GameStatus.MUSTERING):
        raise Refusal("not-started", game=game.id)
    if game.status != GameStatus.RUNNING:
        raise Refusal("frozen" if game.status == GameStatus.FROZEN else "game-over", game=game.id)
    outbox.to_seat(uow, game, seat, HandFacts(), at=speaker.address if came.place is None else None)


@command("record", topic=HelpTopic.PLAY, about=CommandTopic.READ)
def record(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`record #17`: the whole game as a text that anybody can check.

    It holds everybody's orders: not before the end.
    """
    if game is None:
        raise Refusal("no-game", game=None)
    deal = int(intent.args.get("deal") or 0)
    if deal and all(one.no != deal for one in uow.tx.deals_of(game)):
        raise Refusal("no-such-deal", game=game.id, deal=deal)
    if told_status(game) in ("ruled", "void") and not deal:
        raise Refusal("record-ruled", game=game.id)
    if game.status != GameStatus.OVER and not deal:
        raise Refusal("record-later", game=game.id)
    answer_with(uow, speaker, came, RecordFacts(deal=deal), game)


@command("history", topic=HelpTopic.PLAY, table=TableNeed.OPTIONAL, about=CommandTopic.READ)
def history(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`history`: what happened lately."""
    answer_with(uow, speaker, came, HistoryFacts(**intent.args), game)


@command("who", topic=HelpTopic.PLAY, table=TableNeed.OPTIONAL, about=CommandTopic.READ)
def who(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`who`: who sits at the table."""
    answer_with(uow, speaker, came, WhoFacts(), game)


@command("games", topic=HelpTopic.TABLES, table=TableNeed.NONE, about=CommandTopic.READ, numberless=True)
def games(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`games`: all of one's tables."""
    answer_with(uow, speaker, came, GamesFacts(), game)
