"""`admin …` and `stats`: which word does what, and who may say it, where."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game
from referee.text import Intent

from ..core.commands import COMMANDS, CommandTopic, HelpTopic, TableNeed, command, helps
from ..core.unit_of_work import UnitOfWork
from ..people import replies, table_roles
from ..people.identity import Speaker
from ..people.letter_facts import HelpFacts
from . import blocking, inspect, lists, repair_commands, table_places
from . import speaker as admin_speaker
from .speaker import AdminRequest

Handler = Callable[[UnitOfWork, AdminRequest], None]


@command("admin", topic=HelpTopic.HOUSE, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
@command("stats", topic=HelpTopic.HOUSE, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def admin(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Whatever an admin asks for, in private; only `move … here` is said in a room.  Raises Refusal."""
    if not table_roles.is_admin(uow, speaker):
        raise Refusal("not-admin")
    asked = AdminRequest(speaker, came, intent)
    if came.place is not None and not (intent.args["do"] == "move" and not intent.args["room"]):
        replies.answer(uow, speaker, came, "admin-in-private")
        return
    _DOES[intent.args["do"]](uow, asked)


@helps("admin")
@helps("stats")
def helped(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`help admin`: about admins' words only for them."""
    admin(uow, speaker, came, Intent("admin", {"do": "help"}, None, intent.quote), game)


def help_(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin help`."""
    admin_speaker.show(uow, asked, HelpFacts(topic="admin"))


def act(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin pause #17`: what a table decides, by the same rules as without the word."""
    name, args = asked.args["act"], dict(asked.args["args"])
    free = name == "second" or args.get("all")
    game = None if free else admin_speaker.named_table(uow, asked)
    COMMANDS[name].do(
        uow,
        asked.speaker,
        asked.came,
        Intent(name, args, None if game is None else game.id, asked.intent.quote),
        game,
    )
    if args.get("window") != 0:  # that only asked which window is open
        admin_speaker.log_admin_act(uow, asked, name, **({} if game is None else {"game": game.id}), **args)


def listed(kind: type[lists.ListedFacts]) -> Handler:
    """A letter that needs nothing but its page."""

    def handle(uow: UnitOfWork, asked: AdminRequest) -> None:
        page = kind(state=asked.args.get("state", ""), page=asked.args.get("page", 1))
        admin_speaker.show(uow, asked, page)

    handle.__doc__ = f"A letter {kind.kind}."
    return handle


_DOES: Mapping[str, Handler] = {
    "help": help_,
    "act": act,
    "look": inspect.show_table,
    "move": table_places.move,
    "archive": table_places.archive,
    "unarchive": table_places.unarchive,
    "thaw": table_places.thaw,
    "abandon": table_places.abandon,
    "retry": repair_commands.retry,
    "drop": repair_commands.drop,
    "block": blocking.block,
    "unblock": blocking.unblock,
    **{name: listed(kind) for name, kind in lists.LISTS.items()},
}
