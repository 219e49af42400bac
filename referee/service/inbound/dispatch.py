"""The desk: one message at a time, from the inbox to whatever follows from it.

    handle(row)  who speaks  ->  which table  ->  what they wish  ->  do it, answer them

All of it happens in the transaction that marks the inbox row done. What a person got wrong is rolled back and
answered with a code; what breaks in us is raised: the row is tried three times and then set aside.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from referee import rules
from referee.ports import Inbound, What
from referee.rules import Refusal, SetupError
from referee.states import ALIVE, GATHERING, GameStatus, InboxState
from referee.store import Game, GameRoom, Inbox, Room
from referee.text import Reading, Trouble, Wish
from referee.text.meter import TooCostly
from referee.text.reading.limits import message_too_long

from ..core.breakage import broken_game
from ..core.commands import ANSWERS, COMMANDS, Among, Command, Need
from ..core.named_policies import NamedPolicies
from ..core.unit_of_work import Sitting
from ..notices import channel_events, reachability
from ..people import autoreplies, chat_rooms, identity, reply_scope
from ..people.identity import Speaker
from ..people.replies import alert, answer
from ..people.spoken import chosen, taken
from ..play import freeze, moves
from . import other_languages, read_ahead

TRIES = 3


def decode(body: bytes) -> Inbound:
    """An inbox row's body as what arrived.  Raises msgspec.DecodeError or UnicodeDecodeError."""
    try:
        return msgspec.json.decode(body, type=Inbound)
    except RecursionError:
        raise msgspec.DecodeError("nested too deep") from None


def handle(sitting: Sitting, inbox_id: int, came: Inbound) -> None:
    """Do what one message asks for.  Raises Refusal or SetupError for a wish that can't be
    granted: undo what it wrote, then `decline`."""
    sitting.inbox_id = inbox_id
    if read_ahead.unheard(came):
        return
    if came.what in (What.MESSAGE, What.BUTTON):
        try:
            spoken(sitting, came)
        except TooCostly:
            if read_ahead.spoken_to(came):
                raise Refusal("too-costly", unread=True) from None
    else:
        channel_events.reported(sitting, came)


def spoken(sitting: Sitting, came: Inbound) -> None:
    """A person's words or a pressed button."""
    speaker = heard(sitting, came)
    if speaker is None:
        return
    if came.facts.get("encrypted"):
        answer(sitting, speaker, came, "encrypted-room")
        return
    text = came.text
    if came.what is What.BUTTON:
        if not speaker.order:
            answer(sitting, speaker, came, "old-button")
            return
        owner = speaker.letter.person_id if speaker.letter is not None else None
        if owner is not None and owner != speaker.person.id:
            answer(sitting, speaker, came, "foreign-button")
            return
        text = speaker.order
    elif came.facts.get("too_large"):
        puzzled(sitting, speaker, came, "too-large", bytes=came.facts["too_large"])
        return
    elif came.facts.get("empty"):
        puzzled(sitting, speaker, came, "empty-mail")
        return
    elif long := message_too_long(text):
        puzzled(sitting, speaker, came, long.code, **long.facts)
        return
    if came.facts.get("attachments") or came.facts.get("attachment"):
        if not text.strip():
            puzzled(sitting, speaker, came, "attachment-ignored")
            return
        answer(sitting, speaker, came, "attachment-ignored")
    text = in_full(sitting, speaker, came, text)
    if not taken(sitting, speaker, came, text):
        wished(sitting, speaker, came, text)


def in_full(sitting: Sitting, speaker: Speaker, came: Inbound, text: str) -> str:
    """The words of a message as they would be typed by somebody who answers no letter: a plain yes, a number
    stand for more.
    """
    if came.what is What.BUTTON:
        return text
    bare = None if speaker.letter is None else ANSWERS.get(speaker.letter.kind)
    if bare is not None:
        text = bare(speaker, text, Reading(language=speaker.person.language, own=sitting.words.own))
    return chosen(sitting, speaker, text) if came.place is None else text


def wished(sitting: Sitting, speaker: Speaker, came: Inbound, text: str) -> None:
    """Read a command or orders, and do what they say."""
    from_button = came.what is What.BUTTON
    reading, addressed = before(sitting, speaker, came), from_button or bool(came.facts.get("mentioned"))
    wish = read_ahead.wished(
        sitting, text, reading, private=came.place is None or from_button, addressed=addressed
    )
    wish = other_languages.otherwise(sitting, text, reading, wish, came, addressed=addressed)
    if isinstance(wish, Trouble):
        puzzled(
            sitting,
            speaker,
            came,
            wish.code,
            **{**wish.facts, "quote": wish.quote, "suggestions": list(wish.suggestions)},
        )
        return
    if wish.kind == "chatter" or (wish.kind == "nothing" and came.place is not None):
        return
    kind = first_word(wish, came)
    if autoreplies.again(sitting, speaker, came, kind):
        return
    said = COMMANDS[kind]
    try:
        said.do(sitting, speaker, came, wish, table(sitting, speaker, came, wish, said))
    except Refusal as no:
        # there is no such table, or no seat: whether it was like an order at all is for `decline` to know
        if said.unread is not None and said.unread(sitting, speaker, wish):
            no.facts["unread"] = True
        raise


def table(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, said: Command) -> Game | None:
    """The table that a wish is about, held against others (see `which`)."""
    game = which(sitting, speaker, came, wish, said)
    if game is not None:
        sitting.tx.hold(game)
    reply_scope.check(sitting, speaker, came, wish, said.name, game)
    sitting.about |= {"wish": said.name, "game": None if game is None else game.id}
    return game


def puzzled(sitting: Sitting, speaker: Speaker, came: Inbound, code: str, **facts: object) -> None:
    """Answer what means nothing here, unless its sender seems to be a program that would only write again."""
    if not autoreplies.lost(sitting, speaker, came):
        answer(sitting, speaker, came, code, **facts)


def heard(sitting: Sitting, came: Inbound) -> Speaker | None:
    """Who speaks.

    Somebody who was out of reach and writes in private is there again: they get what they missed.
    """
    speaker = identity.speaker(sitting, came)
    if speaker is not None and came.place is None and speaker.address.state in reachability.GONE:
        reachability.back(sitting, int(speaker.person.id or 0))
    return speaker


def decline(sitting: Sitting, inbox_id: int, came: Inbound, no: Refusal | SetupError) -> None:
    """Answer a wish that was refused.  What it had begun to write is already undone."""
    speaker = heard(sitting, came)
    if speaker is None:
        return
    nothing = "unread" in no.facts
    if not (autoreplies.lost if nothing else autoreplies.again)(sitting, speaker, came):
        answer(
            sitting,
            speaker,
            came,
            no.code,
            **{name: fact for name, fact in no.facts.items() if name != "unread"},
        )


def out_of_time(sitting: Sitting, inbox_id: int, came: Inbound, game_id: int) -> None:
    """A message for a game that a newer referee wrote: it stands still, and whoever wrote is told."""
    freeze.freeze(sitting, game_id)
    decline(sitting, inbox_id, came, Refusal("frozen", game=game_id))


def before(sitting: Sitting, speaker: Speaker, came: Inbound) -> Reading:
    """What the reader may take for granted.

    In a room only somebody who is asked just now can have meant an order.
    """
    bare = Reading(
        language=speaker.person.language, own=sitting.words.own, policies=NamedPolicies(sitting.tx)
    )
    if came.place is None:
        return bare
    asked = [
        (seat, game)
        for seat, game in sitting.tx.seats_of(int(speaker.person.id or 0), (GameStatus.RUNNING,))
        if str(seat.no) in game.asked.split(",")
    ]
    if len(asked) != 1:
        return bare
    seat, game = asked[0]
    called = [s.name for s in sitting.seats(int(game.id or 0))]
    state = sitting.states.of(game)
    ask = next((a for a in rules.asks(state) if a.seat == seat.no), None)
    return replace(
        moves.reading(state, ask, called, speaker.person.language, own=sitting.words.own),
        policies=bare.policies,
    )


def first_word(wish: Wish, came: Inbound) -> str:
    """`/start` on a private channel opens it (Telegram sends that by itself); anywhere else `start` begins a
    game.
    """
    if wish.kind == "start" and (
        wish.args.get("payload") or (came.place is None and came.text.strip() == "/start")
    ):
        return "opened"
    return wish.kind


def which(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, said: Command) -> Game | None:
    """The table a wish is about: named, or of the letter it answers, or of the room, or the only one it can
    be.
    """
    if said.table is Need.NONE or wish.args.get("code") or wish.args.get("all"):
        return None
    if wish.game is not None:
        return existing(sitting, wish.game)
    if speaker.letter is not None and speaker.letter.game_id is not None:  # a page's address may name any
        return existing(sitting, speaker.letter.game_id)
    room = chat_rooms.room(sitting, came)
    if said.among is Among.ENDED:
        return last_ended(sitting, speaker, room)
    mine = sitting.tx.seats_of(int(speaker.person.id or 0), ALIVE)
    if room is not None:
        return of_room(sitting, room, {g.id for _, g in mine}, said)
    if said.among is Among.JOINABLE:
        return choose([], said)
    if said.among is Among.ASKED:
        asked = [g for seat, g in mine if str(seat.no) in g.asked.split(",")]
        if len(asked) == 1:
            return asked[0]
    if said.among is Among.GATHERING:
        gathering = [g for _, g in mine if g.status in GATHERING]
        return choose(gathering or [g for _, g in mine], said)
    return choose([g for _, g in mine], said)


def existing(sitting: Sitting, number: int) -> Game:
    """A table by its number.  Raises Refusal."""
    game = sitting.tx.get(Game, number)
    if game is None:
        raise Refusal("no-game", game=number)
    return game


def last_ended(sitting: Sitting, speaker: Speaker, room: Room | None) -> Game:
    """Of the tables at which somebody sat, in a room of those that it showed, the one that was over last.
    Raises Refusal.
    """
    here = None if room is None else {row.game_id for row in sitting.tx.all(GameRoom, room_id=room.id)}
    mine = [game for _, game in sitting.tx.seats_of(int(speaker.person.id or 0), (GameStatus.OVER,))]
    mine = [game for game in mine if here is None or game.id in here]
    if not mine:
        raise Refusal("no-ended-game")
    return max(mine, key=lambda one: (one.ended_ms, one.id))


def of_room(sitting: Sitting, room: Room, mine: set[int | None], said: Command) -> Game | None:
    """The table that is meant in a room: the only one that it shows, or the only one of those at which the
    speaker sits.
    """
    here = [sitting.tx.get(Game, w.game_id) for w in sitting.tx.all(GameRoom, room_id=room.id)]
    found = [g for g in here if g is not None and g.status in ALIVE]
    joins = said.among is Among.JOINABLE
    if joins:
        found = [g for g in found if g.status == GameStatus.LOBBY] or found
    own = [g for g in found if g.id in mine]
    if len(found) != 1 and len(own) == 1 and not joins:
        return own[0]
    return choose(found, said)


def choose(found: list[Game], said: Command) -> Game | None:
    """The only one, none where the command can do without, else the question which."""
    if len(found) == 1:
        return found[0]
    if said.table is Need.OPTIONAL and not found:
        return None
    if not found:
        raise Refusal("no-game", game=None)
    raise Refusal("which-game", games=[g.id for g in found])


def failed(sitting: Sitting, inbox_id: int, why: str, broken: Exception | None = None) -> None:
    """Handling broke: count it; the third time the row is set aside, and the admin told.

    A game is frozen only where it was its own position that broke: whoever finds a message that breaks us
    must not stop a clock with it.
    """
    row = sitting.tx.get(Inbox, inbox_id)
    if row is None or row.state != InboxState.NEW:
        return
    tries = row.tries + 1
    shunt = tries >= TRIES
    sitting.tx.set(
        Inbox, inbox_id, tries=tries, error=why[:500], state=InboxState.SHUNTED if shunt else InboxState.NEW
    )
    if not shunt:
        return
    game = freeze.stand_still(sitting, broken_game(broken))
    alert(sitting, "shunted", inbox=inbox_id, game=None if game is None else game.id)


def set_aside(sitting: Sitting, inbox_id: int, why: str) -> None:
    """A message that can't even be read: for the admin to look at."""
    sitting.tx.set(Inbox, inbox_id, state=InboxState.SHUNTED, error=why[:500])
    alert(sitting, "shunted", inbox=inbox_id, game=None)
