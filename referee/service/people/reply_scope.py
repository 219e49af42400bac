"""What an answer by mail may do: what its letter asked, and no more.

By mail nothing proves who writes but the token of a letter that went to their address. A letter may be passed
on, or be found years later: so its token is good for that letter's own matter, for so long as `LIFE_MS`; for
anything else that is not weighty while the letter is the newest, or new; for accounts, links that open
something, and whatever is done in office only while it is new. Whoever is refused is told so in a letter, and
answering that one with the same words is enough. Chat servers vouch for who writes: there nothing of this
holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import OutboxState
from referee.store import Game, LeagueRole, Outbox
from referee.text import Wish

from ..core.commands import COMMANDS, About
from ..core.unit_of_work import Sitting
from . import officials, table_roles
from .identity import Speaker, born, mailed

#: for so long a letter is new
FRESH_MS = 86_400_000


class Scope(StrEnum):
    """What a letter is about."""

    TABLE = "table"  # its own table
    TABLES = "tables"  # all tables of its reader
    PERSON = "person"  # its reader
    QUESTION = "question"  # one question, to be answered by yes or no


#: kind of letter -> what it is about; all others: their table, where they have one, else their reader
SCOPES: Mapping[str, Scope] = {"digest": Scope.TABLES, "games": Scope.TABLES, "link_ask": Scope.QUESTION}


def check(
    sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, kind: str, game: Game | None
) -> None:
    """Raises Refusal where an answer by mail asks for more than its letter allows."""
    letter, said = speaker.letter, COMMANDS[kind]
    if (
        letter is None
        or came.what is What.BUTTON
        or not mailed(came)
        or said.about is About.READ
        or wish.args.get("answer")
    ):
        return
    of = SCOPES.get(letter.kind, Scope.PERSON if letter.game_id is None else Scope.TABLE)
    if of is Scope.QUESTION:
        raise Refusal("letter-asks-that-only")
    fresh = sitting.now_ms - born(letter) <= FRESH_MS
    if not fresh and (said.about is About.WEIGHTY or (said.office and _official(sitting, speaker))):
        raise Refusal("letter-not-new")
    if fresh or _own(of, letter, said.about, game):
        return
    if not _newest(sitting, letter):
        raise Refusal("letter-about-something-else")


def _own(of: Scope, letter: Outbox, about: About, game: Game | None) -> bool:
    """Whether a wish is what a letter is about."""
    if about is About.PERSON:
        return of is Scope.PERSON or (game is not None and game.id == letter.game_id)
    return of is Scope.TABLES or (of is Scope.TABLE and game is not None and game.id == letter.game_id)


def _newest(sitting: Sitting, letter: Outbox) -> bool:
    """Whether nothing was sent to that address since."""
    after = {"id": int(letter.id or 0)}
    return not sitting.tx.all(
        Outbox, channel=letter.channel, address=letter.address, state=OutboxState.SENT, after=after, limit=1
    )


def _official(sitting: Sitting, speaker: Speaker) -> bool:
    """Whether somebody has an office that they could act in from here."""
    me = int(speaker.person.id or 0)
    return table_roles.is_admin(sitting, speaker) or bool(
        sitting.tx.count(LeagueRole, person_id=officials.family(sitting.tx, me))
    )
