"""What an answer by mail may do: what its letter asked, and no more.

By mail nothing proves who writes but the token of a letter that went to their address. A letter may be passed
on, or be found years later: so its token is good for that letter's own matter, for so long as `LIFE_MS`; for
anything else that is not weighty while the letter is the newest, or new; for accounts, links that open
something, and whatever is done in office only while it is new. Anyone who is refused is told so in a letter,
and answering that one with the same words is enough. Chat servers vouch for who writes: there nothing of this
holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from referee.ports import Inbound, What
from referee.rules import Refusal
from referee.states import OutboxState
from referee.store import Game, LeagueRole, Outbox
from referee.text import Intent

from ..core.commands import COMMANDS, CommandTopic
from ..core.unit_of_work import UnitOfWork
from . import officials, table_roles
from .identity import Speaker, born, mailed

#: for so long a letter is new
FRESH_MS = 86_400_000


class ReplyScope(StrEnum):
    """What a letter is about."""

    TABLE = "table"  # its own table
    TABLES = "tables"  # all tables of its reader
    PERSON = "person"  # its reader
    QUESTION = "question"  # one question, to be answered by yes or no


#: kind of letter -> what it is about; all others: their table, where they have one, else their reader
SCOPES: Mapping[str, ReplyScope] = {
    "digest": ReplyScope.TABLES,
    "games": ReplyScope.TABLES,
    "link_ask": ReplyScope.QUESTION,
}


def check(
    uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, kind: str, game: Game | None
) -> None:
    """Raises Refusal where an answer by mail asks for more than its letter allows."""
    letter, said = speaker.letter, COMMANDS[kind]
    if (
        letter is None
        or came.what is What.BUTTON
        or not mailed(came)
        or said.about is CommandTopic.READ
        or intent.args.get("answer")
    ):
        return
    of = SCOPES.get(letter.kind, ReplyScope.PERSON if letter.game_id is None else ReplyScope.TABLE)
    if of is ReplyScope.QUESTION:
        raise Refusal("letter-asks-that-only")
    fresh = uow.now_ms - born(letter) <= FRESH_MS
    if not fresh and (said.about is CommandTopic.WEIGHTY or (said.office and _official(uow, speaker))):
        raise Refusal("letter-not-new")
    if fresh or _own(of, letter, said.about, game):
        return
    if not _newest(uow, letter):
        raise Refusal("letter-about-something-else")


def _own(of: ReplyScope, letter: Outbox, about: CommandTopic, game: Game | None) -> bool:
    """Whether a wish is what a letter is about."""
    if about is CommandTopic.PERSON:
        return of is ReplyScope.PERSON or (game is not None and game.id == letter.game_id)
    return of is ReplyScope.TABLES or (
        of is ReplyScope.TABLE and game is not None and game.id == letter.game_id
    )


def _newest(uow: UnitOfWork, letter: Outbox) -> bool:
    """Whether nothing was sent to that address since."""
    after = {"id": letter.id}
    return not uow.tx.all(
        Outbox, channel=letter.channel, address=letter.address, state=OutboxState.SENT, after=after, limit=1
    )


def _official(uow: UnitOfWork, speaker: Speaker) -> bool:
    """Whether somebody has an office that they could act in from here."""
    me = speaker.person.id
    return table_roles.is_admin(uow, speaker) or bool(
        uow.tx.count(LeagueRole, person_id=officials.family(uow.tx, me))
    )
