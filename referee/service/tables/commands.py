"""Wishes about tables before they are games: new, join, leave, ready, word, bot, start, abandon, watch."""

from __future__ import annotations

from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import AddressState, GameStatus
from referee.store import Game, GameRoom
from referee.text import Wish

from ..core import outbox
from ..core.commands import LINKS, About, Among, Need, command
from ..core.unit_of_work import Sitting, settings_of
from ..notices import reachability
from ..people import chat_rooms, table_roles
from ..people.identity import Speaker
from ..people.replies import answer
from . import alternates, lobby, new_table_menu
from . import questions as questions
from . import rematch as rematch
from .hooks import leaves


@command("new", table=Need.NONE, about=About.PERSON, numberless=True)
def new(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`new classic 5 24h`: a table, watched by the room it was said in.  `new` alone asks."""
    if wish.args.get("menu") and new_table_menu.question(wish.args)[0]:
        new_table_menu.offer(sitting, speaker, came, wish.args)
        return
    new_table_menu.once(sitting, speaker)
    room = chat_rooms.room(sitting, came)
    made = lobby.create(
        sitting, speaker.person, speaker.address if came.place is None else None, room, wish.args
    )
    if room is None and made.status == GameStatus.LOBBY:
        seat = sitting.seats(int(made.id or 0))[0]
        outbox.to_seat(sitting, made, seat, "lobby", at=speaker.address)
    elif speaker.address.state == AddressState.GREEN:
        code_for_host(sitting, speaker, made)


def code_for_host(sitting: Sitting, speaker: Speaker, game: Game) -> None:
    """A table by invitation made in a room: its code is told in private."""
    if (
        game.status == GameStatus.LOBBY
        and table_roles.opened(sitting, speaker, game)
        and settings_of(game)["entry"] == "invite"
    ):
        mine = next(s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id)
        outbox.to_seat(sitting, game, mine, "lobby")


@command("join", among=Among.JOINABLE, about=About.PERSON)
def join(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`join #17`, or `join CODE` at a table by invitation; in a group the private channel may still have to
    be opened.
    """
    code = str(wish.args.get("code") or "")
    if code:
        game = lobby.invited(sitting, code)
    assert game is not None
    if game.status == GameStatus.RUNNING:  # nobody musters there any more: the private channel must be open
        if came.place is not None and press_start(sitting, speaker, came, game):
            return
        if alternates.in_line(sitting, speaker, came, game):
            return
    called = lobby.join(sitting, game, speaker.person, speaker.address if came.place is None else None, code)
    fresh = lobby.reload(sitting, game.id)
    if came.place is not None and press_start(sitting, speaker, came, fresh):
        return
    if pressed(came) or (came.place is not None and not shown(sitting, came, fresh)):
        answer(sitting, speaker, came, "joined", game=game.id, name=called)
    if fresh.status == GameStatus.LOBBY:
        mine = next(s for s in sitting.seats(int(game.id or 0)) if s.person_id == speaker.person.id)
        outbox.to_seat(
            sitting,
            fresh,
            mine,
            "lobby",
            at=speaker.address if came.place is None else None,
            data={"joined": called},
        )


def pressed(came: Inbound) -> bool:
    """Whether a button waits for its answer."""
    return came.what is What.BUTTON and bool(came.facts.get("callback"))


def shown(sitting: Sitting, came: Inbound, game: Game) -> bool:
    """Whether the room shows this table: what changes there can be seen in its living message."""
    room = chat_rooms.room(sitting, came)
    return room is not None and sitting.tx.one(GameRoom, game_id=game.id, room_id=room.id) is not None


def press_start(sitting: Sitting, speaker: Speaker, came: Inbound, game: Game) -> bool:
    """Say that somebody's private channel is not open yet, on the button or in the room.

    False when it is, or when the referee can open it by itself.
    """
    if speaker.address.state == AddressState.GREEN or speaker.address.channel not in sitting.settings.shy:
        return False
    room = chat_rooms.room(sitting, came)
    if pressed(came):
        answer(sitting, speaker, came, "press-start-first", name=speaker.person.name)
    elif room is not None:
        outbox.to_room(
            sitting,
            room,
            "notice",
            game_id=game.id,
            data={
                "notices": [{"code": "press-start-first", "facts": {"name": speaker.person.name}}],
                "start_payload": f"ready_{game.id}",
            },
        )
    return True


def begun(sitting: Sitting, speaker: Speaker, came: Inbound, game: Game) -> None:
    """Tell whoever made the game begin; not one who is asked at once, nor in a room that shows the table."""
    fresh = lobby.reload(sitting, game.id)
    seats = sitting.seats(int(game.id or 0))
    first = [s for s in seats if str(s.no) in fresh.asked.split(",")]
    if pressed(came) or not (
        any(s.person_id == speaker.person.id for s in first) or shown(sitting, came, fresh)
    ):
        answer(sitting, speaker, came, "started", game=game.id, waiting=[s.name for s in first])


@command("leave", among=Among.GATHERING)
def leave(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`leave`: the seat is free again."""
    assert game is not None
    if leaves(sitting, speaker, came, game):
        return
    lobby.leave(sitting, game, speaker.person)
    answer(sitting, speaker, came, "left", game=game.id)


@command("ready", among=Among.GATHERING, repeats=True)
def ready(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`ready`, on a private channel: that is where the prompts will go."""
    assert game is not None
    if came.place is not None:
        answer(sitting, speaker, came, "ready-in-private")
        return
    missing = lobby.ready(sitting, game, speaker.person, speaker.address)
    if missing is None:
        begun(sitting, speaker, came, game)
        return
    free = settings_of(game)["seats"] - len(sitting.seats(int(game.id or 0)))
    answer(sitting, speaker, came, "ready-noted", game=game.id, missing=missing, free=free)
    code_for_host(sitting, speaker, lobby.reload(sitting, game.id))


@command("word", among=Among.GATHERING)
def word(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`word <text>`: goes into the seed; told in private, so that nobody can choose theirs by it."""
    assert game is not None
    if came.place is not None:
        answer(sitting, speaker, came, "word-in-private")
        return
    lobby.word(sitting, game, speaker.person, wish.args["text"])
    answer(sitting, speaker, came, "word-noted", game=game.id)


@command("bot", among=Among.GATHERING, repeats=True)
def bot(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`bot greedy 2`: seats filled with players made of code, by the creator."""
    assert game is not None
    if not table_roles.opened(sitting, speaker, game):
        raise Refusal("only-creator", game=game.id)
    names = lobby.add_bots(sitting, game, wish.args.get("kind") or "greedy", int(wish.args.get("count") or 1))
    if not shown(sitting, came, game):
        answer(sitting, speaker, came, "bots-added", game=game.id, names=names)
    lobby.gathered(sitting, lobby.reload(sitting, game.id))


@command("start", among=Among.GATHERING)
def start(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`start`: the creator begins with who is there, once everybody is ready."""
    if game is None:
        raise Refusal("no-game", game=None)
    missing = lobby.start(sitting, game, key=table_roles.opened(sitting, speaker, game))
    if missing is None:
        begun(sitting, speaker, came, game)
    else:
        answer(sitting, speaker, came, "not-ready", game=game.id, names=missing)


@command("abandon", office=True)
def abandon(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`abandon`: the creator gives the table up."""
    assert game is not None
    if leaves(sitting, speaker, came, game):
        return
    lobby.abandon(sitting, game, speaker.person, key=table_roles.opened(sitting, speaker, game))
    answer(sitting, speaker, came, "abandoned", game=game.id)


@command("watch")
def watch(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`watch #17` in a room: the living table message is shown there too."""
    assert game is not None
    room = chat_rooms.room(sitting, came)
    if room is None:
        raise Refusal("watch-in-room", game=game.id)
    chat_rooms.watch(sitting, room, game)
    answer(sitting, speaker, came, "watching", game=game.id)


@command("unwatch")
def unwatch(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`unwatch` in a room: no more table message there."""
    assert game is not None
    room = chat_rooms.room(sitting, came)
    if room is None:
        raise Refusal("watch-in-room", game=game.id)
    sitting.tx.drop(GameRoom, game_id=game.id, room_id=room.id)
    answer(sitting, speaker, came, "not-watching", game=game.id)


@command("opened", table=Need.NONE, about=About.PERSON, numberless=True)
def opened(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`/start [payload]`: the private channel is open; a deep link may say more."""
    verb, _, rest = str(wish.args.get("payload") or "").partition("_")
    if verb in ("join", "ready") and rest.isdigit():
        found = sitting.tx.get(Game, int(rest))
        if found is None:
            raise Refusal("no-game", game=int(rest))
        seated = any(s.person_id == speaker.person.id for s in sitting.seats(int(rest)))
        if not seated:
            join(sitting, speaker, came, wish, found)
        elif found.status in lobby.GATHERING:
            ready(sitting, speaker, came, wish, found)
        else:
            reachability.asked_again(sitting, int(speaker.person.id or 0))
        return
    link = LINKS.get(verb)
    if link is not None and link(sitting, speaker, came, wish, rest):
        return
    here = [
        (seat, table) for seat, table in sitting.tx.seats_of(int(speaker.person.id or 0), lobby.GATHERING)
    ]
    for seat, table in here:
        outbox.to_rooms(sitting, table)  # it may still say that this private chat is missing
        if table.status == GameStatus.LOBBY:
            outbox.to_seat(sitting, table, seat, "lobby", at=speaker.address)
    if not reachability.asked_again(sitting, int(speaker.person.id or 0)) and not here:
        answer(sitting, speaker, came, "welcome", name=speaker.person.name)
