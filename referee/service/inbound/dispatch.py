"""Dispatch: one message at a time, from the inbox to whatever follows from it.

    handle(row)  who speaks  ->  which table  ->  what they wish  ->  do it, answer them

All of it happens in the transaction that marks the inbox row done. What a person got wrong is rolled back and
answered with a code; what breaks in us is raised: the row is tried three times and then set aside.
"""

from __future__ import annotations

from dataclasses import replace

from referee import rules
from referee.ids import GameId, InboxId
from referee.ports import Inbound, What
from referee.rules import Refusal, SetupError
from referee.states import ALIVE, GATHERING, GameStatus, InboxState
from referee.store import Game, GameRoom, Inbox, Room
from referee.text import Intent, NotUnderstood, Reading, as_number, commands_elsewhere, commands_meant
from referee.text.meter import TooCostly
from referee.text.reading.limits import CHATTER, message_too_long
from referee.text.reading.plan_heads import is_tap

from ..core import outbox
from ..core.commands import ANSWERS, COMMANDS, Command, DefaultTable, TableNeed
from ..core.named_policies import NamedPolicies
from ..core.unit_of_work import UnitOfWork, broken_game
from ..notices import channel_events, reachability
from ..people import autoreplies, chat_rooms, identity, onlookers, reply_scope
from ..people.identity import Speaker
from ..people.replies import alert, answer
from ..people.spoken import chosen, planned
from ..play import freeze, moves
from . import menus, other_languages, unread_part

TRIES = 3
#: what is said to play or to sit down tells nothing to anybody else, whatever table it names
_OF_SEATS = (DefaultTable.ASKED, DefaultTable.JOINABLE)


def handle(uow: UnitOfWork, inbox_id: InboxId, came: Inbound) -> None:
    """Do what one message asks for.  Raises Refusal or SetupError for a wish that can't be
    granted: undo what it wrote, then `decline`."""
    uow.inbox_id = inbox_id
    if unheard(came):
        return
    if came.facts.get("anonymous"):
        channel_events.anonymous(uow, came)
    elif came.what in (What.MESSAGE, What.BUTTON):
        try:
            spoken(uow, came)
        except TooCostly:
            if spoken_to(came):
                raise Refusal("too-costly", unread=True) from None
    else:
        channel_events.reported(uow, came)


def unheard(came: Inbound) -> bool:
    """Whether it was said in a room, to others, and is too long to be an order: nothing is looked up for
    it.
    """
    return (
        came.what is What.MESSAGE
        and came.place is not None
        and len(came.text) > CHATTER
        and not spoken_to(came)
    )


def spoken_to(came: Inbound) -> bool:
    """Whether a message means us: in private all do, in a room a command, or what mentions us."""
    return came.place is None or bool(came.facts.get("mentioned")) or came.text.lstrip()[:1] in ("/", "!")


def spoken(uow: UnitOfWork, came: Inbound) -> None:
    """A person's words or a pressed button."""
    speaker = identify_speaker(uow, came)
    if speaker is None:
        return
    if came.facts.get("encrypted"):
        channel_events.encrypted(uow, speaker, came)
        return
    text = came.text
    if came.what is What.BUTTON:
        if not speaker.order:
            answer(uow, speaker, came, "old-button")
            return
        if foreign(uow, speaker, came):
            return
        text = speaker.order
    elif unfit := unreadable(came):
        puzzled(uow, speaker, came, unfit.code, **unfit.facts)
        return
    elif came.place is not None and (entry := menus.entry(uow, speaker, came)):
        if not foreign(uow, speaker, came):
            wished(uow, speaker, came, entry, chosen=True)
        return
    if came.facts.get("attachments") or came.facts.get("attachment"):
        if not text.strip():
            puzzled(uow, speaker, came, "attachment-ignored")
            return
        answer(uow, speaker, came, "attachment-ignored")
    name_unread_part(uow, speaker, came)
    text = in_full(uow, speaker, came, text)
    head = uow.readings.plan_head(text, came.place is None, speaker.person.language, uow.words.own)
    if not (head.begins and planned(uow, speaker, came, head)):
        wished(uow, speaker, came, text)


def unreadable(came: Inbound) -> NotUnderstood | None:
    """Why a message is not read at all: it is too large, too long, empty, or somebody else's words."""
    if came.facts.get("forwarded"):
        return NotUnderstood("forwarded", "")
    if came.facts.get("too_large"):
        return NotUnderstood("too-large", "", facts={"bytes": came.facts["too_large"]})
    if came.facts.get("empty"):
        return NotUnderstood("empty-mail", "", facts={"files": came.facts.get("attachments", 0)})
    return message_too_long(came.text)


def foreign(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> bool:
    """Whether the answered letter offers what it does to somebody else."""
    letter = speaker.letter
    return letter is not None and menus.is_foreign(uow, speaker, came, letter)


def name_unread_part(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> None:
    """Say which part of a mail was not read, if there is one."""
    if came.facts.keys() & unread_part.FACTS:
        unread_part.tell(uow, speaker, came)


def in_full(uow: UnitOfWork, speaker: Speaker, came: Inbound, text: str) -> str:
    """The words of a message as they would be typed by somebody who answers no letter: a plain yes, a number
    stand for more.
    """
    if came.what is What.BUTTON:
        return text
    bare = None if speaker.letter is None else ANSWERS.get(speaker.letter.kind)
    if bare is not None:
        text = bare(speaker, text, Reading(language=speaker.person.language, own=uow.words.own))
    if came.place is None:
        reading = Reading(language=speaker.person.language, own=uow.words.own)
        tapped = as_number(text, reading)
        if is_tap(tapped, reading) and (meant := chosen(uow, speaker, tapped)) != tapped:
            return meant
    return text if speaker.letter is None else menus.labelled(speaker.letter, text) or text


def wished(uow: UnitOfWork, speaker: Speaker, came: Inbound, text: str, *, chosen: bool = False) -> None:
    """Read a command or orders, and do what they say.

    `chosen`: it is what an entry of a menu stands for, though no button was pressed.
    """
    from_button = chosen or came.what is What.BUTTON
    reading, addressed = before(uow, speaker, came), from_button or bool(came.facts.get("mentioned"))
    intent = uow.readings.intent(
        text, reading, private=came.place is None or from_button, addressed=addressed
    )
    if unclear(intent) and (others := commands_elsewhere(text, reading)):
        intent = other_languages.otherwise(uow, text, others, intent, came, addressed=addressed)
    if isinstance(intent, NotUnderstood):
        puzzled(
            uow,
            speaker,
            came,
            intent.code,
            **{**intent.facts, "quote": intent.quote, "suggestions": list(intent.suggestions)},
        )
        return
    if intent.kind == "chatter" or (intent.kind == "nothing" and came.place is not None and not addressed):
        return
    said = COMMANDS[first_word(intent, came)]
    if not said.repeats and autoreplies.is_repeat(uow, speaker, came, said):
        return
    try:
        said.do(uow, speaker, came, intent, find_table(uow, speaker, came, intent, said))
    except Refusal as no:
        # there is no such table, or no seat: whether it was like an order at all is for `decline` to know
        if said.unread is not None and said.unread(uow, speaker, intent):
            no.facts |= {"unread": True, "suggestions": list(commands_meant(text, reading))}
        raise


def unclear(intent: Intent | NotUnderstood) -> bool:
    """Whether what was read begins like no command."""
    return (
        intent.code == "unknown-command"
        if isinstance(intent, NotUnderstood)
        else intent.kind in ("orders", "chatter")
    )


def find_table(
    uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, said: Command
) -> Game | None:
    """The table that a wish is about, held against others (see `which`)."""
    game = which(uow, speaker, came, intent, said)
    if game is not None:
        uow.tx.hold(game)
        if said.among not in _OF_SEATS:
            onlookers.check(uow, speaker, came, game)
    if speaker.letter is not None:
        reply_scope.check(uow, speaker, came, intent, said.name, game)
    uow.about |= {"wish": said.name, "game": None if game is None else game.id}
    return game


def puzzled(uow: UnitOfWork, speaker: Speaker, came: Inbound, code: str, **facts: object) -> None:
    """Answer what means nothing here, unless its sender seems to be a program that would only write again."""
    if not autoreplies.note_unreadable(uow, speaker, came):
        answer(uow, speaker, came, code, **facts)


def identify_speaker(uow: UnitOfWork, came: Inbound) -> Speaker | None:
    """Who speaks.

    Somebody who was out of reach and writes in private is there again: they get what they missed. One who
    writes by mail gets what could wait till now.
    """
    speaker = identity.speaker(uow, came)
    if speaker is not None and came.channel in outbox.LETTERBOXES:
        outbox.hasten(uow, came.channel, speaker.address.address)
    if speaker is not None and came.place is None and speaker.address.state in reachability.GONE:
        reachability.back(uow, speaker.person.id)
    return speaker


def decline(uow: UnitOfWork, inbox_id: InboxId, came: Inbound, no: Refusal | SetupError) -> None:
    """Answer a wish that was refused.  What it had begun to write is already undone."""
    uow.tx.set(
        Inbox, inbox_id, error=no.code
    )  # whether a copy of it is the second one (people/said_before.py)
    speaker = identify_speaker(uow, came)
    if speaker is None:
        return
    nothing = "unread" in no.facts
    if not (autoreplies.note_unreadable if nothing else autoreplies.is_repeat)(uow, speaker, came):
        answer(
            uow,
            speaker,
            came,
            no.code,
            **{name: fact for name, fact in no.facts.items() if name != "unread"},
        )
        name_unread_part(uow, speaker, came)  # what had been said of it is undone, too


def out_of_time(uow: UnitOfWork, inbox_id: InboxId, came: Inbound, game_id: GameId) -> None:
    """A message for a game that a newer referee wrote: it stands still, and the person who wrote is told."""
    freeze.freeze(uow, game_id)
    decline(uow, inbox_id, came, Refusal("frozen", game=game_id))


def before(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> Reading:
    """What the reader may take for granted.

    In a room only somebody who is asked just now can have meant an order.
    """
    bare = Reading(language=speaker.person.language, own=uow.words.own, policies=NamedPolicies(uow.tx))
    if came.place is None:
        return bare
    asked = [
        (seat, game)
        for seat, game in uow.tx.seats_of(speaker.person.id, (GameStatus.RUNNING,))
        if str(seat.no) in game.asked.split(",")
    ]
    if len(asked) != 1:
        return bare
    seat, game = asked[0]
    called = [s.name for s in uow.seats(game.id)]
    state = uow.states.of(game)
    ask = next((a for a in rules.asks(state) if a.seat == seat.no), None)
    return replace(
        moves.reading(state, ask, called, speaker.person.language, own=uow.words.own),
        policies=bare.policies,
    )


def first_word(intent: Intent, came: Inbound) -> str:
    """`/start` on a private channel opens it (Telegram sends that by itself); anywhere else `start` begins a
    game.
    """
    if intent.kind == "start" and (
        intent.args.get("payload") or (came.place is None and came.text.strip() == "/start")
    ):
        return "opened"
    return intent.kind


def which(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, said: Command) -> Game | None:
    """The table a wish is about: named, or of the letter it answers, or of the room, or the only one it can
    be.
    """
    if said.table is TableNeed.NONE or intent.args.get("code") or intent.args.get("all"):
        return None
    if intent.game is not None:
        return existing(uow, intent.game)
    if speaker.letter is not None and speaker.letter.game_id is not None:  # a page's address may name any
        return existing(uow, speaker.letter.game_id)
    room = None if came.place is None else chat_rooms.room(uow, came)
    if said.among is DefaultTable.ENDED:
        return last_ended(uow, speaker, room, said)
    mine = uow.tx.seats_of(speaker.person.id, ALIVE)
    if room is not None:
        return of_room(uow, room, {g.id for _, g in mine}, said)
    if said.among is DefaultTable.JOINABLE:
        return choose([], said)
    asked = [g for seat, g in mine if said.among is DefaultTable.ASKED and str(seat.no) in g.asked.split(",")]
    return choose(asked or concerned([g for _, g in mine], said), said)


def concerned(tables: list[Game], said: Command) -> list[Game]:
    """Those that a wish can be about; all of them where it can be about none, so that it is said why."""
    if said.among is DefaultTable.GATHERING:
        found = [one for one in tables if one.status in GATHERING]
    elif said.among in (DefaultTable.PLAYED, DefaultTable.ASKED):
        found = [one for one in tables if one.status == GameStatus.RUNNING]
    else:
        found = tables
    return found or tables


def existing(uow: UnitOfWork, number: GameId) -> Game:
    """A table by its number.  Raises Refusal."""
    game = uow.tx.get(Game, number)
    if game is None:
        raise Refusal("no-game", game=number)
    return game


def last_ended(uow: UnitOfWork, speaker: Speaker, room: Room | None, said: Command) -> Game:
    """Of the tables at which somebody sat, in a room of those that it showed, the one that was over last.
    Raises Refusal.
    """
    here = None if room is None else {row.game_id for row in uow.tx.all(GameRoom, room_id=room.id)}
    for packed in (False, True):  # what is packed was over before all else
        mine = [game for _, game in uow.tx.seats_of(speaker.person.id, (GameStatus.OVER,), packed=packed)]
        mine = [game for game in mine if here is None or game.id in here]
        if mine:
            return max(mine, key=lambda one: (one.ended_ms, one.id))
    raise Refusal("no-ended-game", command=said.name)


def of_room(uow: UnitOfWork, room: Room, mine: set[GameId], said: Command) -> Game | None:
    """The table that is meant in a room: the only one that it shows, or the only one of those at which the
    speaker sits.
    """
    here = [uow.tx.get(Game, w.game_id) for w in uow.tx.all(GameRoom, room_id=room.id)]
    found = [g for g in here if g is not None and g.status in ALIVE]
    joins = said.among is DefaultTable.JOINABLE
    if joins:
        found = [g for g in found if g.status == GameStatus.LOBBY] or found
    found = concerned(found, said)
    own = [g for g in found if g.id in mine]
    if len(found) != 1 and len(own) == 1 and not joins:
        return own[0]
    return choose(found, said)


def choose(found: list[Game], said: Command) -> Game | None:
    """The only one, none where the command can do without, else the question which."""
    if len(found) == 1:
        return found[0]
    if said.table is TableNeed.OPTIONAL and not found:
        return None
    if not found:
        raise Refusal("no-game", game=None)
    raise Refusal("which-game", games=[g.id for g in found])


def failed(uow: UnitOfWork, inbox_id: InboxId, why: str, broken: Exception | None = None) -> None:
    """Handling broke: count it; the third time the row is set aside, and the admin told.

    A game is frozen only where it was its own position that broke: anyone who finds a message that breaks us
    must not stop a clock with it.
    """
    row = uow.tx.get(Inbox, inbox_id)
    if row is None or row.state != InboxState.NEW:
        return
    tries = row.tries + 1
    shunt = tries >= TRIES
    uow.tx.set(
        Inbox, inbox_id, tries=tries, error=why[:500], state=InboxState.SHUNTED if shunt else InboxState.NEW
    )
    if not shunt:
        return
    game = freeze.stand_still(uow, broken_game(broken))
    alert(uow, "shunted", inbox=inbox_id, game=None if game is None else game.id)


def set_aside(uow: UnitOfWork, inbox_id: InboxId, why: str) -> None:
    """A message that can't even be read: for the admin to look at."""
    uow.tx.set(Inbox, inbox_id, state=InboxState.SHUNTED, error=why[:500])
    alert(uow, "shunted", inbox=inbox_id, game=None)
