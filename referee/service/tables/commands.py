"""Wishes about tables before they are games: new, join, leave, ready, word, bot, start, abandon, watch."""

from __future__ import annotations

from referee.ids import GameId
from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import AddressState, GameStatus
from referee.store import Game, GameRoom, Room
from referee.text import Intent

from ..core import outbox
from ..core.commands import LINKS, CommandTopic, DefaultTable, HelpTopic, TableNeed, command
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork, settings_of
from ..notices import reachability
from ..people import chat_rooms, onlookers, said_before, table_roles
from ..people.identity import Speaker
from ..people.letter_facts import NoticeFacts
from ..people.replies import answer
from . import alternates, bot_seats, lobby, new_table_menu
from . import questions as questions
from . import rematch as rematch
from .hooks import leaves
from .letter_facts import LobbyFacts

#: what a private chat begins with: (the button, what it stands for)
OFFERED_AT_START = [("learn", "learn"), ("games", "games"), ("new", "new")]
#: that many rooms show one table, and that many where somebody else asks for one more
_ROOMS, _OTHERS_ROOMS = 20, 5
#: no table has a longer number; a database holds none that is much longer
_DIGITS = 9


@command("new", topic=HelpTopic.TABLES, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def new(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`new classic 5 24h`: a table, watched by the room it was said in.  `new` alone asks."""
    if intent.args.get("menu") and new_table_menu.question(intent.args)[0]:
        new_table_menu.send_menu_question(uow, speaker, came, intent.args)
        return
    new_table_menu.check_open(uow, speaker)
    said_before.must_be_new(uow, came)
    room = chat_rooms.room(uow, came)
    made = lobby.create(
        uow, speaker.person, speaker.address if came.place is None else None, room, intent.args
    )
    new_table_menu.end_menu(uow, speaker, room, made)
    if room is None and made.status == GameStatus.LOBBY:
        seat = uow.seats(made.id)[0]
        outbox.to_seat(uow, made, seat, LobbyFacts(), at=speaker.address)
    elif speaker.address.state == AddressState.GREEN:
        code_for_host(uow, speaker, made)


def code_for_host(uow: UnitOfWork, speaker: Speaker, game: Game) -> None:
    """A table by invitation made in a room: its code is told in private."""
    if (
        game.status == GameStatus.LOBBY
        and table_roles.opened_table(uow, speaker, game)
        and settings_of(game)["entry"] == "invite"
    ):
        mine = next(s for s in uow.seats(game.id) if s.person_id == speaker.person.id)
        outbox.to_seat(uow, game, mine, LobbyFacts())


@command("join", topic=HelpTopic.TABLES, among=DefaultTable.JOINABLE, about=CommandTopic.PERSON)
def join(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`join #17`, or `join CODE` at a table by invitation; in a group the private channel may still have to
    be opened.
    """
    code = str(intent.args.get("code") or "")
    if code:
        game = lobby.invited(uow, code)
    assert game is not None
    if not code:
        onlookers.must_be_let_in(uow, speaker, came, game)
    if game.status == GameStatus.RUNNING:  # nobody musters there any more: the private channel must be open
        if came.place is not None and press_start(uow, speaker, came, game):
            return
        if alternates.in_line(uow, speaker, came, game):
            return
    called = lobby.join(uow, game, speaker.person, speaker.address if came.place is None else None, code)
    fresh = lobby.reload(uow, game.id)
    if came.place is not None and press_start(uow, speaker, came, fresh):
        return
    if pressed(came) or (came.place is not None and not shows_table(uow, came, fresh)):
        answer(uow, speaker, came, "joined", game=game.id, name=called)
    if fresh.status == GameStatus.LOBBY:
        mine = next(s for s in uow.seats(game.id) if s.person_id == speaker.person.id)
        outbox.to_seat(
            uow,
            fresh,
            mine,
            LobbyFacts(joined=called),
            at=speaker.address if came.place is None else None,
        )


def pressed(came: Inbound) -> bool:
    """Whether a button waits for its answer."""
    return came.what is What.BUTTON and bool(came.facts.get("callback"))


def shows_table(uow: UnitOfWork, came: Inbound, game: Game) -> bool:
    """Whether the room shows this table: what changes there can be seen in its living message."""
    room = chat_rooms.room(uow, came)
    return room is not None and uow.tx.one(GameRoom, game_id=game.id, room_id=room.id) is not None


def press_start(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> bool:
    """Say that somebody's private channel is not open yet, on the button or in the room.

    False when it is, or when the referee can open it by itself.
    """
    if speaker.address.state == AddressState.GREEN or speaker.address.channel not in uow.settings.shy:
        return False
    room = chat_rooms.room(uow, came)
    if pressed(came):
        answer(uow, speaker, came, "press-start-first", name=speaker.person.name)
    elif room is not None:
        outbox.to_room(
            uow,
            room,
            NoticeFacts(
                [Notice("press-start-first", {"name": speaker.person.name})],
                start_payload=f"ready_{game.id}",
            ),
            game_id=game.id,
        )
    return True


def begun(uow: UnitOfWork, speaker: Speaker, came: Inbound, game: Game) -> None:
    """Tell the person who made the game begin; not one who is asked at once, nor in a room that shows the
    table."""
    fresh = lobby.reload(uow, game.id)
    seats = uow.seats(game.id)
    first = [s for s in seats if str(s.no) in fresh.asked.split(",")]
    if pressed(came) or not (
        any(s.person_id == speaker.person.id for s in first) or shows_table(uow, came, fresh)
    ):
        answer(uow, speaker, came, "started", game=game.id, waiting=[s.name for s in first])


@command("leave", topic=HelpTopic.TABLES, among=DefaultTable.GATHERING)
def leave(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`leave`: the seat is free again."""
    assert game is not None
    if leaves(uow, speaker, came, game):
        return
    lobby.leave_lobby(uow, game, speaker.person)
    answer(uow, speaker, came, "left", game=game.id)


@command("ready", topic=HelpTopic.TABLES, among=DefaultTable.GATHERING, repeats=True)
def ready(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`ready`, on a private channel: that is where the prompts will go."""
    assert game is not None
    if came.place is not None:
        answer(uow, speaker, came, "ready-in-private")
        return
    missing = lobby.ready(uow, game, speaker.person, speaker.address)
    if missing is None:
        begun(uow, speaker, came, game)
        return
    free = settings_of(game)["seats"] - len(uow.seats(game.id))
    answer(uow, speaker, came, "ready-noted", game=game.id, missing=missing, free=free)
    code_for_host(uow, speaker, lobby.reload(uow, game.id))


@command("word", topic=HelpTopic.TABLES, among=DefaultTable.GATHERING)
def word(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`word <text>`: goes into the seed; told in private, so that nobody can choose theirs by it."""
    assert game is not None
    if came.place is not None:
        answer(uow, speaker, came, "word-in-private")
        return
    lobby.word(uow, game, speaker.person, intent.args["text"])
    answer(uow, speaker, came, "word-noted", game=game.id)


@command("bot", topic=HelpTopic.TABLES, among=DefaultTable.GATHERING, repeats=True)
def bot(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`bot strong 2`: seats filled with players made of code, by the creator."""
    assert game is not None
    if not table_roles.opened_table(uow, speaker, game):
        raise Refusal("only-creator", game=game.id)
    said_before.must_be_new(uow, came)
    names = bot_seats.add_bots(uow, game, intent.args.get("kind") or "", int(intent.args.get("count") or 1))
    if not shows_table(uow, came, game):
        answer(uow, speaker, came, "bots-added", game=game.id, names=names)
    lobby.gathered(uow, lobby.reload(uow, game.id))


@command("start", topic=HelpTopic.TABLES, among=DefaultTable.GATHERING)
def start(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`start`: the creator begins with who is there, once everybody is ready."""
    if game is None:
        raise Refusal("no-game", game=None)
    missing = lobby.start(uow, game, key=table_roles.opened_table(uow, speaker, game))
    if missing is None:
        begun(uow, speaker, came, game)
    else:
        answer(uow, speaker, came, "not-ready", game=game.id, names=missing)


@command("abandon", topic=HelpTopic.TABLES, office=True)
def abandon(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`abandon`: the creator gives the table up."""
    assert game is not None
    if leaves(uow, speaker, came, game):
        return
    lobby.abandon(uow, game, speaker.person, key=table_roles.opened_table(uow, speaker, game))
    answer(uow, speaker, came, "abandoned", game=game.id)


@command("watch", topic=HelpTopic.TABLES)
def watch(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`watch #17` in a room: the living table message is shown there too."""
    assert game is not None
    room = chat_rooms.room(uow, came)
    if room is None:
        raise Refusal("watch-in-room", game=game.id)
    _check_watching(uow, speaker, room, game)
    chat_rooms.watch(uow, room, game)
    answer(uow, speaker, came, "watching", game=game.id)


def _check_watching(uow: UnitOfWork, speaker: Speaker, room: Room, game: Game) -> None:
    """Raise Refusal where a room may not show a table: each that does gets letters of every move, and what is
    said there, and makes the table everybody's. So a table that is not for everybody is shown by those who
    play there, or are in charge; and others have only some of the places.
    """
    there = [one.room_id for one in uow.tx.all(GameRoom, game_id=game.id)]
    if room.id in there:
        return
    role = table_roles.role(uow, game, speaker)
    theirs = role.seat is not None or role.key
    if not theirs and not onlookers.is_public(uow.tx, game):
        raise Refusal("watch-private", game=game.id)
    if len(there) >= (_ROOMS if theirs else _OTHERS_ROOMS):
        raise Refusal("watch-many", game=game.id, count=len(there))


@command("unwatch", topic=HelpTopic.TABLES)
def unwatch(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`unwatch` in a room: no more table message there."""
    assert game is not None
    room = chat_rooms.room(uow, came)
    if room is None:
        raise Refusal("watch-in-room", game=game.id)
    uow.tx.drop(GameRoom, game_id=game.id, room_id=room.id)
    answer(uow, speaker, came, "not-watching", game=game.id)


@command("opened", topic=HelpTopic.UNTYPED, table=TableNeed.NONE, about=CommandTopic.PERSON, numberless=True)
def opened(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`/start [payload]`: the private channel is open; a deep link may say more."""
    verb, _, rest = str(intent.args.get("payload") or "").partition("_")
    here = uow.tx.seats_of(speaker.person.id, lobby.GATHERING)
    for _, table in here:
        outbox.to_rooms(uow, table)  # it may still say that this private chat is missing
    if verb in ("join", "ready") and rest.isdigit() and len(rest) <= _DIGITS:
        number = GameId(int(rest))
        found = uow.tx.get(Game, number)
        if found is None:
            raise Refusal("no-game", game=number)
        seated = any(s.person_id == speaker.person.id for s in uow.seats(number))
        if not seated:
            join(uow, speaker, came, intent, found)
        elif found.status in lobby.GATHERING:
            ready(uow, speaker, came, intent, found)
        else:
            reachability.asked_again(uow, speaker.person.id)
        return
    link = LINKS.get(verb)
    if link is not None and link(uow, speaker, came, intent, rest):
        return
    outbox.to_person(
        uow,
        speaker.person.id,
        NoticeFacts([_welcome(uow, speaker)], offers=OFFERED_AT_START),
        at=speaker.address,
    )
    for seat, table in here:
        if table.status == GameStatus.LOBBY:
            outbox.to_seat(uow, table, seat, LobbyFacts(), at=speaker.address)
    reachability.asked_again(uow, speaker.person.id)  # last, where a thumb is: what waits for an answer


def _welcome(uow: UnitOfWork, speaker: Speaker) -> Notice:
    """A stranger is told what all this is, somebody who sits somewhere what waits for them there."""
    mine = uow.tx.seats_of(speaker.person.id, lobby.ALIVE)
    if not mine:
        return Notice("welcome", {"name": speaker.person.name})
    waiting = [game.id for seat, game in mine if reachability.is_awaited(seat, game)]
    return Notice("welcome-back", {"games": [game.id for _, game in mine], "waiting": waiting})
