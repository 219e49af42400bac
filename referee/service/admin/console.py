"""What the command line does on the databases: the words of `admin …`, said by the person who has a shell on
the machine and answered as in chat; lists for its own tables; and what is put right by a number.

What is only looked up is read beside a running referee; anything else is one transaction, in which the
letters to the console are worded and taken out again. The console is one key, and nobody's in particular: a
second one must be a person's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from referee.ids import AddressId, GameId, InboxId, LetterId, PersonId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import AddressState, GameStatus, InboxState
from referee.store import Address, Game, Inbox, Meta, Outbox, Person, Tx
from referee.text import Intent, NotUnderstood, Reading, Words, read_intent

from ..core import audit_log, tokens
from ..core.composing import ComposeContext
from ..core.letters import Facts, traits
from ..core.settings import ServiceSettings
from ..core.unit_of_work import Shell, StateCache, UnitOfWork, json_text
from ..deadlines import open_proposals
from ..decisions.acts import ACTS
from ..inbound.inbox_row import decode
from ..inbound.reception import lane
from ..outbound.compose import compose, drafted, occasion_of
from ..people.identity import Speaker
from ..people.letter_facts import HelpFacts
from . import commands, repair
from .inspect import LookFacts
from .lists import LISTS
from .speaker import CONSOLE

#: what changes nothing
_SHOWN = (*LISTS, "look", "help")


class UnreadableCommand(Exception):
    """The words could not be read: `trouble` says why."""

    def __init__(self, trouble: NotUnderstood) -> None:
        super().__init__(trouble.code)
        self.trouble = trouble


def parse_command(line: str, words: Words, language: str = "en") -> Intent:
    """What `admin …` wants, in the words of a language or in English.  Raises UnreadableCommand."""
    intent = read_intent(
        f"admin {' '.join(line.split())}", Reading(language=language, own=words.own), private=True
    )
    if isinstance(intent, NotUnderstood):
        raise UnreadableCommand(intent)
    return intent


def only_looks(intent: Intent) -> bool:
    """Whether nothing is changed by it."""
    return intent.args["do"] in _SHOWN and not intent.args.get("hidden")


def look_up(tx: Tx, intent: Intent, shell: Shell) -> str:
    """What an admin is shown who only looks.  Raises Refusal."""
    made = compose(_composing(tx, shell, b""), _row(tx, intent))
    return "" if made is None else made.letter.text


def figures(tx: Tx, intent: Intent, shell: Shell) -> dict[str, Any] | None:
    """The same as plain values, for programs; None for what has none."""
    row = _row(tx, intent)
    if row.game_id is not None:
        return None
    draft = drafted(occasion_of(_composing(tx, shell, b""), row))
    return None if draft is None else dict(draft.context) or None


def carry_out(tx: Tx, intent: Intent, shell: Shell) -> str:
    """Do what is asked for; what the console is told of it.

    Raises Refusal or SetupError: let the transaction fall, nothing is to be kept.
    """
    uow = shell.uow(tx)
    person = console_person(uow, shell.language)
    speaker = Speaker(
        person,
        Address(
            id=AddressId(0), person_id=person.id, channel=CONSOLE, address=CONSOLE, state=AddressState.GREEN
        ),
    )
    came = Inbound(channel=CONSOLE, key="", address=CONSOLE, at_ms=shell.now_ms)
    commands.admin(uow, speaker, came, intent, None)
    composing = _composing(tx, shell, tokens.secret(tx))
    told = [compose(composing, row) for row in tx.all(Outbox, channel=CONSOLE, order="id")]
    tx.drop(Outbox, channel=CONSOLE)
    return "\n\n".join(one.letter.text for one in told if one is not None)


def console_person(uow: UnitOfWork, language: str = "en") -> Person:
    """The console as a person without an address: it has a key, and no letter ever goes there.

    It reads the shell's language.
    """
    known = uow.tx.get(Meta, CONSOLE)
    person = None if known is None else uow.tx.get(Person, PersonId(int(known.value)))
    if person is None:
        number = uow.tx.add(Person, name="", admin=1, language=language, created_ms=uow.now_ms)
        uow.tx.put(Meta, name=CONSOLE, value=str(number))
        person = uow.tx.get(Person, number)
    elif person.language != language:
        uow.tx.change(Person, {"id": person.id}, language=language)
        person = uow.tx.get(Person, person.id)
    assert person is not None
    return person


def _composing(tx: Tx, shell: Shell, key: bytes) -> ComposeContext:
    return ComposeContext(
        tx,
        shell.now_ms,
        shell.words,
        shell.settings,
        StateCache(),
        "text",
        False,
        key,
        language=shell.language,
    )


def _row(tx: Tx, intent: Intent) -> Outbox:
    """The letter that shows what is asked for.

    Raises Refusal for a table that is not named, or that there is not.
    """
    looks = intent.args["do"] == "look"
    if looks and (intent.game is None or tx.get(Game, intent.game) is None):
        raise Refusal(
            "no-game" if intent.game is not None else "admin-which-game",
            game=intent.game,
            usage="admin look #17",
        )
    what = _what(intent)
    return Outbox(
        id=LetterId(0),
        channel=CONSOLE,
        address=CONSOLE,
        kind=what.kind,
        game_id=intent.game if looks else None,
        data=json_text(what),
    )


def _what(intent: Intent) -> Facts:
    """The letter that shows what is asked for."""
    match intent.args["do"]:
        case "look":
            return LookFacts()
        case "help":
            return HelpFacts(topic="admin")
        case name:
            return LISTS[name](**{key: intent.args[key] for key in ("state", "page") if key in intent.args})


#: what is put right by a number, as the logbook calls it -> what does it; False where there is nothing to do
MENDS: Mapping[str, Callable[[UnitOfWork, Any], bool]] = {
    "retry-message": repair.retry,
    "drop-message": repair.drop,
    "retry-letter": repair.retry_letter,
    "drop-letter": repair.drop_letter,
    "thaw": repair.thaw,
}


def mend(tx: Tx, act: str, number: int, shell: Shell) -> bool:
    """Put a message, a letter or a game right, and note it in the logbook of the installation.

    False where it is nothing that this can be done to.
    """
    if not MENDS[act](shell.uow(tx), number):
        return False
    log_act(tx, shell.now_ms, act, **{"game" if act == "thaw" else "number": number})
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
    log_act(tx, now_ms, "retry-message", number=number)
    return True


def decide(tx: Tx, game_id: GameId, act: str, shell: Shell) -> bool:
    """Let a table pause, or go on again ("pause", "resume"), as an admin who does not play there.

    False where that is not possible.
    """
    uow = shell.uow(tx)
    game = tx.get(Game, game_id)
    if game is None or game.status != GameStatus.RUNNING:
        return False
    try:
        ACTS[act].check(uow, game, {})
    except Refusal:
        return False
    open_proposals.done_otherwise(uow, game_id, act, {})
    ACTS[act].do(uow, game, {}, {"seat": None, "by": ""})
    return True


def log_act(tx: Tx, now_ms: int, act: str, **facts: Any) -> None:
    """A line in the logbook of the installation: done from the command line."""
    uow = UnitOfWork(tx, now_ms, Words(()), ServiceSettings(), StateCache())  # a line depends on no setting
    audit_log.note(uow, audit_log.HOUSE, None, CONSOLE, act, facts)


def messages_aside(tx: Tx) -> list[dict[str, Any]]:
    """Messages that could not be handled: id, channel, key, at_ms, tries, error."""
    return [
        {"id": r.id, "channel": r.channel, "key": r.key, "at_ms": r.at_ms, "tries": r.tries, "error": r.error}
        for r in tx.all(Inbox, state=InboxState.SHUNTED, order="id")
    ]


def message(tx: Tx, inbox_id: InboxId) -> dict[str, Any] | None:
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
