"""What the command line does on the books: the words of `admin …`, said by whoever has a shell on the machine
and answered as in chat; lists for its own tables; and what is put right by a number.

What is only looked up is read beside a running referee; anything else is one transaction, in which the
letters to the console are worded and taken out again. The console is one key, and nobody's in particular: a
second one must be a person's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import AddressState, GameStatus, InboxState
from referee.store import Address, Game, Inbox, Meta, Outbox, Person, Seat, Tx
from referee.text import Reading, Trouble, Wish, Words, read_wish

from ..core import audit_log, tokens
from ..core.composing import Composing
from ..core.context import Shell
from ..core.letters import traits
from ..core.unit_of_work import ServiceSettings, Sitting, States, names
from ..deadlines import open_proposals
from ..decisions.acts import ACTS
from ..inbound.dispatch import decode
from ..inbound.inbox_row import lane
from ..outbound.compose import compose, drafted, occasion_of
from ..people.identity import Speaker
from . import commands, repair
from .speaker import CONSOLE

#: what changes nothing, and the letter that shows it
_SHOWN = {
    "games": "admin_games",
    "look": "admin_look",
    "letters": "admin_letters",
    "inbox": "admin_inbox",
    "blocked": "admin_blocked",
    "log": "admin_log",
    "stats": "admin_stats",
    "help": "help",
}


class Unread(Exception):
    """The words could not be read: `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.code)
        self.trouble = trouble


def read(line: str, words: Words, language: str = "en") -> Wish:
    """What `admin …` wants, in the words of a language or in English.  Raises Unread."""
    wish = read_wish(
        f"admin {' '.join(line.split())}", Reading(language=language, own=words.own), private=True
    )
    if isinstance(wish, Trouble):
        raise Unread(wish)
    return wish


def only_looks(wish: Wish) -> bool:
    """Whether nothing is changed by it."""
    return wish.args["do"] in _SHOWN and not wish.args.get("hidden")


def look_up(tx: Tx, wish: Wish, shell: Shell) -> str:
    """What an admin is shown who only looks.  Raises Refusal."""
    made = compose(_composing(tx, shell, b""), _row(tx, wish))
    return "" if made is None else made.letter.text


def figures(tx: Tx, wish: Wish, shell: Shell) -> dict[str, Any] | None:
    """The same as plain values, for programs; None for what has none."""
    row = _row(tx, wish)
    if row.game_id is not None:
        return None
    draft = drafted(occasion_of(_composing(tx, shell, b""), row))
    return None if draft is None else dict(draft.context) or None


def carry_out(tx: Tx, wish: Wish, shell: Shell) -> str:
    """Do what is asked for; what the console is told of it.

    Raises Refusal or SetupError: let the transaction fall, nothing is to be kept.
    """
    sitting = shell.sitting(tx)
    person = who(sitting, shell.language)
    speaker = Speaker(
        person,
        Address(person_id=int(person.id or 0), channel=CONSOLE, address=CONSOLE, state=AddressState.GREEN),
    )
    came = Inbound(channel=CONSOLE, key="", address=CONSOLE, at_ms=shell.now_ms)
    commands.admin(sitting, speaker, came, wish, None)
    composing = _composing(tx, shell, tokens.secret(tx))
    told = [compose(composing, row) for row in tx.all(Outbox, channel=CONSOLE, order="id")]
    tx.drop(Outbox, channel=CONSOLE)
    return "\n\n".join(one.letter.text for one in told if one is not None)


def who(sitting: Sitting, language: str = "en") -> Person:
    """The console as a person without an address: it has a key, and no letter ever goes there.

    It reads the shell's language.
    """
    known = sitting.tx.get(Meta, CONSOLE)
    person = None if known is None else sitting.tx.get(Person, int(known.value))
    if person is None:
        number = sitting.tx.add(Person, name="", admin=1, language=language, created_ms=sitting.now_ms)
        sitting.tx.put(Meta, name=CONSOLE, value=str(number))
        person = sitting.tx.get(Person, number)
    elif person.language != language:
        sitting.tx.change(Person, {"id": person.id}, language=language)
        person = sitting.tx.get(Person, int(person.id or 0))
    assert person is not None
    return person


def _composing(tx: Tx, shell: Shell, key: bytes) -> Composing:
    return Composing(
        tx,
        shell.now_ms,
        shell.words,
        shell.settings,
        States(),
        "text",
        False,
        key,
        language=shell.language,
    )


def _row(tx: Tx, wish: Wish) -> Outbox:
    """The letter that shows what is asked for.

    Raises Refusal for a table that is not named, or that there is not.
    """
    looks = wish.args["do"] == "look"
    if looks and (wish.game is None or tx.get(Game, wish.game) is None):
        raise Refusal(
            "no-game" if wish.game is not None else "admin-which-game", game=wish.game, usage="admin look #17"
        )
    data = (
        {"topic": "admin"}
        if wish.args["do"] == "help"
        else {key: wish.args[key] for key in ("state", "page") if key in wish.args}
    )
    return Outbox(
        id=0,
        channel=CONSOLE,
        address=CONSOLE,
        kind=_SHOWN[wish.args["do"]],
        game_id=wish.game if looks else None,
        data=json.dumps(data),
    )


#: what is put right by a number, as the logbook calls it -> what does it; False where there is nothing to do
MENDS: Mapping[str, Callable[[Sitting, int], bool]] = {
    "retry-message": repair.retry,
    "drop-message": repair.drop,
    "retry-letter": repair.retry_letter,
    "drop-letter": repair.drop_letter,
    "thaw": repair.thaw,
}


def mend(tx: Tx, act: str, number: int, now_ms: int) -> bool:
    """Put a message, a letter or a game right, and note it in the logbook of the house.

    False where it is nothing that this can be done to.
    """
    if not MENDS[act](_sitting(tx, now_ms), number):
        return False
    note(tx, now_ms, act, **{"game" if act == "thaw" else "number": number})
    return True


def bring(tx: Tx, came: Inbound, now_ms: int) -> bool:
    """A message that was parked, into the inbox after all.  False when it is there already."""
    number = tx.add_new(
        Inbox,
        channel=came.channel,
        key=came.key,
        body=msgspec.json.encode(came),
        at_ms=came.at_ms or now_ms,
        state=InboxState.NEW,
        lane=lane(came),
    )
    if number is None:
        return False
    note(tx, now_ms, "retry-message", number=number)
    return True


def decide(tx: Tx, game_id: int, act: str, now_ms: int) -> bool:
    """Let a table pause, or go on again ("pause", "resume"), as an admin who does not play there.

    False where that is not possible.
    """
    sitting = _sitting(tx, now_ms)
    game = tx.get(Game, game_id)
    if game is None or game.status != GameStatus.RUNNING:
        return False
    try:
        ACTS[act].check(sitting, game, {})
    except Refusal:
        return False
    open_proposals.moot(sitting, game_id, act)
    ACTS[act].do(sitting, game, {}, {"seat": None, "by": ""})
    return True


def note(tx: Tx, now_ms: int, act: str, **facts: Any) -> None:
    """A line in the logbook of the house: done from the command line."""
    audit_log.note(_sitting(tx, now_ms), audit_log.HOUSE, None, CONSOLE, act, facts)


def messages_aside(tx: Tx) -> list[dict[str, Any]]:
    """Messages that could not be handled: id, channel, key, at_ms, tries, error."""
    return [
        {"id": r.id, "channel": r.channel, "key": r.key, "at_ms": r.at_ms, "tries": r.tries, "error": r.error}
        for r in tx.all(Inbox, state=InboxState.SHUNTED, order="id")
    ]


def message(tx: Tx, inbox_id: int) -> dict[str, Any] | None:
    """One message, as it arrived."""
    row = tx.get(Inbox, inbox_id)
    if row is None:
        return None
    came = decode(row.body)
    return {
        "id": row.id,
        "state": row.state,
        "channel": row.channel,
        "key": row.key,
        "at_ms": row.at_ms,
        "tries": row.tries,
        "error": row.error,
        "what": came.what.value,
        "address": came.address,
        "place": came.place or "",
        "text": came.text,
    }


def outgoing(tx: Tx, state: str = "", limit: int = 50) -> list[dict[str, Any]]:
    """Letters, newest first: id, state, kind, channel, to, game, tries, error, created_ms, sent_ms."""
    found = (
        tx.all(Outbox, order="-id", limit=limit, state=state)
        if state
        else tx.all(Outbox, order="-id", limit=limit)
    )
    return [letter_row(r) for r in found]


def letter_row(row: Outbox) -> dict[str, Any]:
    """One letter without its words; what somebody plans has no kind."""
    return {
        "id": row.id,
        "state": row.state,
        "kind": "-" if traits(row.kind).private else row.kind,
        "channel": row.channel,
        "to": row.address or row.place,
        "game": row.game_id,
        "tries": row.tries,
        "error": row.error,
        "created_ms": row.created_ms,
        "sent_ms": row.sent_ms,
    }


def games(tx: Tx, status: str = "") -> list[dict[str, Any]]:
    """Tables: id, status, edition, round, players, asked; not those that were put away."""
    found = (
        tx.all(Game, order="id", status=status, archived_ms=0)
        if status
        else tx.all(Game, order="id", archived_ms=0)
    )
    return [
        {
            "id": g.id,
            "status": g.status,
            "edition": g.edition,
            "round": g.round,
            "asked": g.asked,
            "players": names(tx.all(Seat, game_id=g.id, order="no")),
        }
        for g in found
    ]


def _sitting(tx: Tx, now_ms: int) -> Sitting:
    return Sitting(tx, now_ms, Words(()), ServiceSettings(), States())
