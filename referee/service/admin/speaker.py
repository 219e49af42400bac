"""Who speaks as an admin, what is said to them, and what the logbook notes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game
from referee.text import Intent

from ..core import audit_log, outbox
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork
from ..people import replies
from ..people.identity import Speaker

#: the channel of the command line: nothing is ever sent there, `console` reads what was queued
CONSOLE = "console"


class AdminRequest(NamedTuple):
    """An admin's wish: who, what came, and what it says."""

    speaker: Speaker
    came: Inbound
    intent: Intent

    @property
    def args(self) -> Mapping[str, Any]:
        """What the words say."""
        return self.intent.args

    @property
    def name(self) -> str:
        """Who it is, as events and the logbook say it; "" from the command line."""
        return self.speaker.person.name


def named_table(uow: UnitOfWork, asked: AdminRequest) -> Game:
    """The table that is named, or that the answered letter is about.  Raises Refusal."""
    letter = asked.speaker.letter
    number = (
        asked.intent.game if asked.intent.game is not None else None if letter is None else letter.game_id
    )
    if number is None:
        raise Refusal("admin-which-game", usage=f"admin {asked.args.get('act') or asked.args['do']} #17")
    game = uow.tx.get(Game, number)
    if game is None:
        raise Refusal("no-game", game=number)
    return game


def log_admin_act(uow: UnitOfWork, asked: AdminRequest, act: str, **facts: Any) -> None:
    """A line in the logbook of the installation."""
    console = asked.speaker.address.channel == CONSOLE
    audit_log.note(
        uow,
        audit_log.HOUSE,
        None if console else asked.speaker.person.id,
        CONSOLE if console else asked.name,
        act,
        facts,
    )


def answer_admin(uow: UnitOfWork, asked: AdminRequest, code: str, **facts: Any) -> None:
    """Say one thing to the admin, where they spoke."""
    replies.answer(uow, asked.speaker, asked.came, code, **facts)


def show(uow: UnitOfWork, asked: AdminRequest, what: Facts, game: Game | None = None) -> None:
    """Send the admin a letter, in private; what stands in it is looked up when it leaves."""
    outbox.to_person(
        uow,
        asked.speaker.person.id,
        replace(what, answers=asked.came.message_id if asked.came.place is None else ""),
        at=asked.speaker.address,
        game_id=None if game is None else game.id,
    )
