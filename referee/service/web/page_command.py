"""A table's page on the web, asked for where one writes to the referee.

page #17           its address; of a table that is not for everybody only to those who play there, in private
page private #17   nobody sees it who does not have its address; anyone who plays there may say so
page public #17    everybody may look; anyone who is in charge of the table may say so
"""

from __future__ import annotations

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game, Outbox, Tx
from referee.text import Intent

from ..core.commands import CommandTopic, HelpTopic, command
from ..core.unit_of_work import UnitOfWork
from ..people import table_roles
from ..people.identity import Speaker
from ..people.onlookers import is_public
from ..people.replies import answer
from .site.visibility import path_of


@command("page", topic=HelpTopic.SETTINGS, about=CommandTopic.READ)
def page(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`page …`."""
    assert game is not None
    role = table_roles.role(uow, game, speaker)
    act = intent.args["act"]
    if act == "private" and role.seat is None and not role.key:
        raise Refusal("not-seated", game=game.id)
    if act == "public" and not role.key:
        raise Refusal("no-key", game=game.id)
    if not act and not uow.settings.base_url:
        raise Refusal("page-none", game=game.id)
    if act:
        game = uow.tx.renew(Game, game, page=act)
    public = is_public(uow.tx, game)
    if not uow.settings.base_url:  # what is asked about it by number goes by the same rule
        answer(uow, speaker, came, "page-told", game=game.id, public=public)
        return
    if not public and role.seat is None and not role.key:
        raise Refusal("page-private", game=game.id)
    if not public and came.place is not None:
        answer(uow, speaker, came, "page-in-private", game=game.id)
        return
    answer(
        uow,
        speaker,
        came,
        "page-address",
        game=game.id,
        public=public,
        address=f"{uow.settings.base_url}{path_of(uow.tx, game)}",
    )


def table_link(tx: Tx, base_url: str, game: Game, row: Outbox) -> str:
    """Where the table of a letter can be looked at, "" where its reader may not know: an address with a key
    is for those who play there.
    """
    if not base_url or (row.seat is None and not is_public(tx, game)):
        return ""
    return f"{base_url}{path_of(tx, game)}"
