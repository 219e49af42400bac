"""`admin …` and `stats`: which word does what, and who may say it, where."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game
from referee.text import Wish

from ..core.commands import COMMANDS, About, Need, command, helps
from ..core.unit_of_work import Sitting
from ..people import replies, table_roles
from ..people.identity import Speaker
from . import blocking, inspect, repair_commands, table_places
from . import speaker as admin_speaker
from .speaker import Asked

Handler = Callable[[Sitting, Asked], None]


@command("admin", table=Need.NONE, about=About.WEIGHTY)
@command("stats", table=Need.NONE, about=About.WEIGHTY)
def admin(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """Whatever an admin asks for, in private; only `move … here` is said in a room.  Raises Refusal."""
    if not table_roles.is_admin(sitting, speaker):
        raise Refusal("not-admin")
    asked = Asked(speaker, came, wish)
    if came.place is not None and not (wish.args["do"] == "move" and not wish.args["room"]):
        replies.answer(sitting, speaker, came, "admin-in-private")
        return
    _DOES[wish.args["do"]](sitting, asked)


@helps("admin")
@helps("stats")
def helped(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`help admin`: about admins' words only for them."""
    admin(sitting, speaker, came, Wish("admin", {"do": "help"}, None, wish.quote), game)


def help_(sitting: Sitting, asked: Asked) -> None:
    """`admin help`."""
    admin_speaker.show(sitting, asked, "help", topic="admin")


def act(sitting: Sitting, asked: Asked) -> None:
    """`admin pause #17`: what a table decides, by the same rules as without the word."""
    name, args = asked.args["act"], dict(asked.args["args"])
    free = name == "second" or args.get("all")
    game = None if free else admin_speaker.table(sitting, asked)
    COMMANDS[name].do(
        sitting,
        asked.speaker,
        asked.came,
        Wish(name, args, None if game is None else game.id, asked.wish.quote),
        game,
    )
    if args.get("window") != 0:  # that only asked which window is open
        admin_speaker.note(sitting, asked, name, **({} if game is None else {"game": game.id}), **args)


def listed(kind: str) -> Handler:
    """A letter that needs nothing but its page."""

    def handle(sitting: Sitting, asked: Asked) -> None:
        admin_speaker.show(
            sitting, asked, kind, state=asked.args.get("state", ""), page=asked.args.get("page", 1)
        )

    handle.__doc__ = f"A letter {kind}."
    return handle


_DOES: Mapping[str, Handler] = {
    "help": help_,
    "act": act,
    "look": inspect.look,
    "move": table_places.move,
    "archive": table_places.archive,
    "unarchive": table_places.unarchive,
    "thaw": table_places.thaw,
    "abandon": table_places.abandon,
    "retry": repair_commands.retry,
    "drop": repair_commands.drop,
    "block": blocking.block,
    "unblock": blocking.unblock,
    **{one: listed(f"admin_{one}") for one in ("games", "letters", "inbox", "blocked", "log", "stats")},
}
