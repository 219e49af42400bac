"""`admin …` and `stats`: which word does what, and who may say it, where."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.ports import Inbound
from referee.rules import Refusal
from referee.store import Game
from referee.text import Wish

from .. import answers, charge, deciding, replies
from ..people import Speaker
from ..sitting import Sitting
from . import blocking, housing, looking, repairing, speaking
from .speaking import Asked

Handler = Callable[[Sitting, Asked], None]


def admin(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """Whatever an admin asks for, in private; only `move … here` is said in a room.  Raises Refusal."""
    if not charge.is_admin(sitting, speaker):
        raise Refusal("not-admin")
    asked = Asked(speaker, came, wish)
    if came.place is not None and not (wish.args["do"] == "move" and not wish.args["room"]):
        replies.answer(sitting, speaker, came, "admin-in-private")
        return
    _DOES[wish.args["do"]](sitting, asked)


def helped(sitting: Sitting, speaker: Speaker, came: Inbound, wish: Wish, game: Game | None) -> None:
    """`help`; about admins' words only for them."""
    if wish.args.get("command") in ("admin", "stats"):
        admin(sitting, speaker, came, Wish("admin", {"do": "help"}, None, wish.quote), game)
    else:
        answers.WISHES["help"](sitting, speaker, came, wish, game)


def help_(sitting: Sitting, asked: Asked) -> None:
    """`admin help`."""
    speaking.show(sitting, asked, "help", topic="admin")


def act(sitting: Sitting, asked: Asked) -> None:
    """`admin pause #17`: what a table decides, by the same rules as without the word."""
    name, args = asked.args["act"], dict(asked.args["args"])
    free = name == "second" or args.get("all")
    game = None if free else speaking.table(sitting, asked)
    deciding.WISHES[name](
        sitting,
        asked.speaker,
        asked.came,
        Wish(name, args, None if game is None else game.id, asked.wish.quote),
        game,
    )
    if args.get("window") != 0:  # that only asked which window is open
        speaking.note(sitting, asked, name, **({} if game is None else {"game": game.id}), **args)


def listed(kind: str) -> Handler:
    """A letter that needs nothing but its page."""

    def handle(sitting: Sitting, asked: Asked) -> None:
        speaking.show(sitting, asked, kind, state=asked.args.get("state", ""), page=asked.args.get("page", 1))

    handle.__doc__ = f"A letter {kind}."
    return handle


_DOES: Mapping[str, Handler] = {
    "help": help_,
    "act": act,
    "look": looking.look,
    "move": housing.move,
    "archive": housing.archive,
    "unarchive": housing.unarchive,
    "thaw": housing.thaw,
    "abandon": housing.abandon,
    "retry": repairing.retry,
    "drop": repairing.drop,
    "block": blocking.block,
    "unblock": blocking.unblock,
    **{one: listed(f"admin_{one}") for one in ("games", "letters", "inbox", "blocked", "log", "stats")},
}

WISHES: dict[str, Callable[[Sitting, Speaker, Inbound, Wish, Game | None], None]] = {
    "admin": admin,
    "stats": admin,
    "help": helped,
}
