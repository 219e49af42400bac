"""The command line as one who speaks: the words of `admin …`, said by whoever has a shell on the machine, and
what they are answered.

What is only looked up is read beside a running referee; anything else is one transaction, in which the
letters to the console are worded and taken out again. The console is one key, and nobody's in particular: a
second one must be a person's.
"""

from __future__ import annotations

import json
from typing import Any

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Address, Game, Meta, Outbox, Person, Tx
from referee.text import Reading, Trouble, Wish, Words, read_wish

from ..core import tokens
from ..core.composing import Composing
from ..core.unit_of_work import ServiceSettings, Sitting, States
from ..outbound.compose import compose, drafted, occasion_of
from ..people.identity import Speaker
from . import commands
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


def shown(
    tx: Tx, wish: Wish, now_ms: int, words: Words, settings: ServiceSettings, language: str = "en"
) -> str:
    """What an admin is shown who only looks.  Raises Refusal."""
    made = compose(_composing(tx, now_ms, words, settings, b"", language), _row(tx, wish))
    return "" if made is None else made.letter.text


def figures(
    tx: Tx, wish: Wish, now_ms: int, words: Words, settings: ServiceSettings, language: str = "en"
) -> dict[str, Any] | None:
    """The same as plain values, for programs; None for what has none."""
    row = _row(tx, wish)
    if row.game_id is not None:
        return None
    draft = drafted(occasion_of(_composing(tx, now_ms, words, settings, b"", language), row))
    return None if draft is None else dict(draft.context) or None


def done(
    tx: Tx, wish: Wish, now_ms: int, words: Words, settings: ServiceSettings, language: str = "en"
) -> str:
    """Do what is asked for; what the console is told of it.

    Raises Refusal or SetupError: let the transaction fall, nothing is to be kept.
    """
    sitting = Sitting(tx, now_ms, words, settings, States())
    person = who(sitting, language)
    speaker = Speaker(
        person, Address(person_id=int(person.id or 0), channel=CONSOLE, address=CONSOLE, state="green")
    )
    commands.admin(
        sitting, speaker, Inbound(channel=CONSOLE, key="", address=CONSOLE, at_ms=now_ms), wish, None
    )
    composing = _composing(tx, now_ms, words, settings, tokens.secret(tx), language)
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


def _composing(
    tx: Tx, now_ms: int, words: Words, settings: ServiceSettings, key: bytes, language: str = "en"
) -> Composing:
    return Composing(tx, now_ms, words, settings, States(), "text", False, key, language=language)


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
