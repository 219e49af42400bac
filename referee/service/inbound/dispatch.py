"""The desk: one message at a time, from the inbox to whatever follows from it.

    handle(row)  who speaks  ->  which table  ->  what they wish  ->  do it, answer them

All of it happens in the transaction that marks the inbox row done. What a person got wrong is rolled back and
answered with a code; what breaks in us is raised: the row is tried three times and then set aside.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from referee import rules
from referee.ports import Inbound, What
from referee.rules import Refusal, SetupError
from referee.store import Game, GameRoom, Inbox, Outbox
from referee.text import Reading, Trouble, Wish
from referee.text.meter import TooCostly
from referee.text.reading.limits import message_too_long

from ..accounts import commands
from ..admin import commands as administering
from ..calendar import commands as calendar_commands
from ..core.breakage import broken_game
from ..core.named_policies import NamedPolicies
from ..core.unit_of_work import Sitting, names
from ..decisions import commands as decisions_commands
from ..league import chat as office
from ..notices import channel_events, reachability
from ..notices import commands as notices_commands
from ..people import chat_rooms, identity, language_command
from ..people.identity import Speaker
from ..people.replies import again, alert, answer
from ..pictures import commands as pictures_commands
from ..plans import filing, menu, seat_plans
from ..play import freeze, moves, stepwise
from ..tables import alternates, lobby, new_table_menu, questions
from ..tables import commands as tables_commands
from ..talk import commands as talk_commands
from ..teaching import commands as teaching_commands
from ..time import commands as time_commands
from ..web import commands as web_commands
from ..web import page_command
from . import autoreplies, read_ahead, reply_scope

Handler = Callable[[Sitting, Speaker, Inbound, Wish, Game | None], None]
TRIES = 3
#: so many signs tell whether something is like an order
_ORDER = 80


def decode(body: bytes) -> Inbound:
    """An inbox row's body as what arrived.  Raises msgspec.DecodeError or UnicodeDecodeError."""
    try:
        return msgspec.json.decode(body, type=Inbound)
    except RecursionError:
        raise msgspec.DecodeError("nested too deep") from None


def handle(sitting: Sitting, inbox_id: int, came: Inbound) -> None:
    """Do what one message asks for.  Raises Refusal or SetupError for a wish that can't be
    granted: undo what it wrote, then `decline`."""
    if read_ahead.unheard(came):
        return
    if came.what in (What.MESSAGE, What.BUTTON):
        try:
            spoken(sitting, came, inbox_id)
        except TooCostly:
            if read_ahead.spoken_to(came):
                raise Refusal("too-costly", unread=True) from None
    else:
        channel_events.reported(sitting, came)


def spoken(sitting: Sitting, came: Inbound, inbox_id: int) -> None:
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
    from_button = came.what is What.BUTTON
    if speaker.letter is not None and speaker.letter.kind == "vote" and not from_button:
        text = decisions_commands.bare(
            speaker, text, Reading(language=speaker.person.language, own=sitting.words.own)
        )
    elif speaker.letter is not None and speaker.letter.kind == "link_ask" and not from_button:
        text = commands.bare(speaker, text, Reading(language=speaker.person.language, own=sitting.words.own))
    if came.place is None and not from_button:
        text = new_table_menu.numbered(sitting, speaker, text)
    if (not from_button or menu.concerns(speaker)) and filing.heard(sitting, speaker, came, text):
        return
    reading, addressed = before(sitting, speaker, came), from_button or bool(came.facts.get("mentioned"))
    wish = read_ahead.wished(
        sitting, text, reading, private=came.place is None or from_button, addressed=addressed
    )
    wish = language_command.otherwise(sitting, text, reading, wish, came, addressed=addressed)
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
    if kind == "orders":
        try:
            orders(sitting, speaker, came, wish, table(sitting, speaker, came, wish, kind), inbox_id)
        except Refusal as no:
            # there is no such table, or no seat: whether it was like an order at all is for `decline` to know
            if unread(sitting, speaker, wish):
                no.facts["unread"] = True
            raise
    else:
        game = table(sitting, speaker, came, wish, kind)
        WISHES[kind](sitting, speaker, came, wish, game)


def table(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, kind: str) -> Game | None:
    """The table that a wish is about, held against others (see `which`)."""
    game = which(sitting, speaker, came, wish, kind)
    if game is not None:
        sitting.tx.hold(game)
    reply_scope.check(sitting, speaker, came, wish, kind, game)
    sitting.about |= {"wish": kind, "game": None if game is None else game.id}
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
        for seat, game in sitting.tx.seats_of(int(speaker.person.id or 0), ("running",))
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


def which(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, kind: str) -> Game | None:
    """The table a wish is about: named, or of the letter it answers, or of the room, or the only one it can
    be.
    """
    if kind in FREE or wish.args.get("code") or wish.args.get("all"):
        return None
    if wish.game is not None:
        game = sitting.tx.get(Game, wish.game)
        if game is None:
            raise Refusal("no-game", game=wish.game)
        return game
    if speaker.letter is not None and speaker.letter.game_id is not None:
        game = sitting.tx.get(Game, speaker.letter.game_id)
        if game is None:  # a page's address may name any
            raise Refusal("no-game", game=speaker.letter.game_id)
        return game
    mine = sitting.tx.seats_of(int(speaker.person.id or 0), lobby.ALIVE)
    room = chat_rooms.room(sitting, came)
    if room is not None:
        here = [sitting.tx.get(Game, w.game_id) for w in sitting.tx.all(GameRoom, room_id=room.id)]
        found = [g for g in here if g is not None and g.status in lobby.ALIVE]
        if wish.kind == "join":
            found = [g for g in found if g.status == "lobby"] or found
        if len(found) == 1:
            return found[0]
        own = [g for g in found if any(g.id == m.id for _, m in mine)]
        if len(own) == 1 and wish.kind != "join":
            return own[0]
        return choose(found, wish)
    if wish.kind == "join":
        return choose([], wish)
    asked = [g for seat, g in mine if str(seat.no) in g.asked.split(",")]
    if wish.kind in ("orders", "undo") and len(asked) == 1:
        return asked[0]
    if wish.kind in ("ready", "word", "start", "leave", "bot"):
        gathering = [g for _, g in mine if g.status in lobby.GATHERING]
        return choose(gathering or [g for _, g in mine], wish)
    return choose([g for _, g in mine], wish)


def choose(found: list[Game], wish: Wish) -> Game | None:
    """The only one, none where the wish can do without, else the question which."""
    if len(found) == 1:
        return found[0]
    if wish.kind in OPTIONAL and not found:
        return None
    if not found:
        raise Refusal("no-game", game=None)
    raise Refusal("which-game", games=[g.id for g in found])


def orders(
    sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None, inbox_id: int
) -> None:
    """Moves in a game.  Only in private, only for one's own seat, only for the question that is open."""
    assert game is not None
    if came.place is not None and came.what is not What.BUTTON:
        answer(sitting, speaker, came, "orders-in-private")
        return
    seats = sitting.seats(int(game.id or 0))
    seat = next((s for s in seats if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    if game.status != "running":
        raise Refusal(
            {"over": "game-over", "abandoned": "game-over", "frozen": "frozen"}.get(
                game.status, "not-started"
            ),
            game=game.id,
        )
    if outdated(speaker.letter, game):
        if unanswered(sitting, speaker, came, wish):
            return
        if came.what is What.BUTTON and came.facts.get("callback"):
            answer(sitting, speaker, came, "old-button")
        again(
            sitting,
            speaker,
            game,
            seat,
            {
                "code": "old-question",
                "facts": {},
                "quote": wish.quote,
                "suggestions": [],
                "not_done": list(wish.args["chunks"]),
            },
        )
        return
    state = sitting.states.of(game)
    chunks, path = stepwise.meant(sitting, speaker, game, wish.args["chunks"])
    waiting = sitting.states.waiting(game)
    ask = (
        next((one for one in waiting if one.seat == seat.no), None)
        if len(chunks) == 1 and stepwise.by_letter(chunks)
        else None
    )
    onward = None if ask is None else stepwise.leads(ask, chunks[0], names(seats), path)
    if onward is not None:
        again(
            sitting, speaker, game, seat, pressed=came.what is What.BUTTON, step=stepwise.place(game, onward)
        )
        return
    filed = seat_plans.of(sitting, game.id)
    sitting.people[int(speaker.person.id or 0)] = speaker.person
    done = moves.attempt(
        state,
        seats,
        seat.no,
        chunks,
        speaker.person.language,
        sitting.words.own,
        waiting,
        free=seat_plans.takes_free(filed.get(seat.no)),
        metered=sitting.readings.metered,
    )
    sitting.about |= {
        "seat": seat.no,
        "moves": len(done.steps),
        "refused": done.trouble["code"] if done.trouble else "",
    }
    echo = [{"order": s.order} for s in done.steps if s.by == "person"]
    if done.trouble and not done.steps and unanswered(sitting, speaker, came, wish):
        return
    if done.steps:
        autoreplies.moved(sitting, speaker)
        game = moves.enact(
            sitting, game, seats, done, inbox_id=inbox_id, actor=seat.no, at=speaker.address, filed=filed
        )
    again(sitting, speaker, game, seat, done.trouble, echo, pressed=came.what is What.BUTTON)


def unanswered(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish) -> bool:
    """Whether an order that could not be carried out is left without an answer: nothing like an order time
    and again, or the same.
    """
    return (autoreplies.lost if unread(sitting, speaker, wish) else autoreplies.again)(sitting, speaker, came)


def unread(sitting: Sitting, speaker: Speaker, wish: Wish) -> bool:
    """Whether what was taken for orders begins like none.  No order is longer than what is looked at."""
    return moves.unread(wish.args["chunks"][0][:_ORDER], speaker.person.language, sitting.words.own)


def outdated(letter: Outbox | None, game: Game) -> bool:
    """Whether the answered letter asked a question that is no longer open."""
    return letter is not None and letter.game_id == game.id and letter.question not in (0, game.question)


def undo(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """Take the last order back, while nothing was revealed and nobody else was asked."""
    assert game is not None
    seats = sitting.seats(int(game.id or 0))
    seat = next((s for s in seats if s.person_id == speaker.person.id), None)
    if seat is None:
        raise Refusal("not-seated", game=game.id)
    order = moves.undo(sitting, game, seat.no)
    if order is None:
        raise Refusal("cannot-undo")
    again(sitting, speaker, lobby.reload(sitting, game.id), seat, echo=[{"order": order, "undone": True}])


def failed(sitting: Sitting, inbox_id: int, why: str, broken: Exception | None = None) -> None:
    """Handling broke: count it; the third time the row is set aside, and the admin told.

    A game is frozen only where it was its own position that broke: whoever finds a message that breaks us
    must not stop a clock with it.
    """
    row = sitting.tx.get(Inbox, inbox_id)
    if row is None or row.state != "new":
        return
    tries = row.tries + 1
    shunt = tries >= TRIES
    sitting.tx.set(Inbox, inbox_id, tries=tries, error=why[:500], state="shunted" if shunt else "new")
    if not shunt:
        return
    game = freeze.stand_still(sitting, broken_game(broken))
    alert(sitting, "shunted", inbox=inbox_id, game=None if game is None else game.id)


def set_aside(sitting: Sitting, inbox_id: int, why: str) -> None:
    """A message that can't even be read: for the admin to look at."""
    sitting.tx.set(Inbox, inbox_id, state="shunted", error=why[:500])
    alert(sitting, "shunted", inbox=inbox_id, game=None)


WISHES: dict[str, Handler] = {
    "undo": undo,
    **tables_commands.WISHES,
    **questions.WISHES,
    **commands.WISHES,
    **time_commands.WISHES,
    **filing.WISHES,
    **decisions_commands.WISHES,
    **talk_commands.WISHES,
    **calendar_commands.WISHES,
    **notices_commands.WISHES,
    **alternates.WISHES,
    **office.WISHES,
    **administering.WISHES,
    **pictures_commands.WISHES,
    **language_command.WISHES,
    **web_commands.WISHES,
    **page_command.WISHES,
    **teaching_commands.WISHES,
}
#: wishes that are about no table at all
FREE = frozenset(
    {
        "new",
        "rematch",
        "games",
        "help",
        "rules",
        "link",
        "accounts",
        "unlink",
        "name",
        "zone",
        "language",
        "pictures",
        "prefer",
        "opened",
        "nothing",
        "quiet",
        "vacation",
        "here",
        "notify",
        "unsubscribe",
        "subscribe",
        "calendar",
        "web",
        "vote",
        "second",
        "alternate",
        "admin",
        "stats",
        "league",
        "learn",
        "hints",
        "skip lessons",
    }
)
#: wishes that can do without a table
OPTIONAL = frozenset({"status", "who", "history", "hand"})
