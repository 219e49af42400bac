"""What people may say: each command is declared where it is carried out, with all that the way of a message
needs to know of it.

    @command("status", topic=HelpTopic.PLAY, table=TableNeed.OPTIONAL, about=CommandTopic.READ)
    def status(uow, speaker, came, intent, game) -> None: ...

The words that stand for a command are the reader's (`referee.text.reading`); its kind of wish is the name
here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from referee.ports import Inbound
from referee.store import Game
from referee.text import Intent, Reading

from .registry import Registry
from .speaker import Speaker
from .unit_of_work import UnitOfWork

#: carries a wish out; the game is the table that the wish is about, held against others.  Raises Refusal or
#: SetupError.
Handler = Callable[[UnitOfWork, Speaker, Inbound, Intent, Game | None], None]
H = TypeVar("H", bound=Handler)
#: the words of a message that answers a letter of some kind, as they would be typed without it
Bare = Callable[[Speaker, str, Reading], str]
B = TypeVar("B", bound=Bare)
#: whether what was taken for this wish is like none of its kind
Unread = Callable[[UnitOfWork, Speaker, Intent], bool]

#: does what a deep link asks for, `rest` being what stands behind its verb (`verb_rest`); whether that meant
#: anything
Linked = Callable[[UnitOfWork, Speaker, Inbound, Intent, str], bool]
L = TypeVar("L", bound=Linked)


class TableNeed(StrEnum):
    """Whether a command is about a table."""

    ONE = "one"  # always
    OPTIONAL = "optional"  # where there is one
    NONE = "none"  # never


class DefaultTable(StrEnum):
    """Which of several tables is meant where none is named."""

    MINE = "mine"  # those at which one sits
    GATHERING = "gathering"  # of these, those that gather
    PLAYED = "played"  # of these, those that are being played
    ASKED = "asked"  # of these, those that ask one something
    ENDED = "ended"  # the one at which one sat that ended last
    JOINABLE = "joinable"  # in a room the one that gathers there; in private none


class CommandTopic(StrEnum):
    """What a command is about, which says what an answer by mail may do (people/reply_scope.py)."""

    TABLE = "table"
    READ = "read"  # it only asks, and is answered to the address that is known
    PERSON = "person"  # anyone who says it
    WEIGHTY = "weighty"  # one's accounts, or it opens something


class HelpTopic(StrEnum):
    """Under which topic `help` lists a command, by what somebody wants who looks for it; in this order."""

    PLAY = "play"
    PLAN = "plan"
    TABLES = "tables"
    TIME = "time"
    VOTES = "votes"
    TALK = "talk"
    SETTINGS = "settings"
    LEAGUE = "league"
    HOUSE = "admin"  # told to admins alone
    UNTYPED = ""  # nobody types its name, so it is listed nowhere


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is declared.

    `topic`: where `help` lists it. `office`: an official may do it by their office. `repeats`: it may well be
    said several times running. `numberless`: by mail it is the same whatever numbers stand in it. `unread`
    looks at a wish that was refused.
    """

    name: str
    do: Handler
    topic: HelpTopic
    table: TableNeed = TableNeed.ONE
    among: DefaultTable = DefaultTable.MINE
    about: CommandTopic = CommandTopic.TABLE
    office: bool = False
    repeats: bool = False
    numberless: bool = False
    unread: Unread | None = None


COMMANDS: Registry[Command] = Registry("command")
#: kind of letter -> what plain words in answer to it stand for
ANSWERS: Registry[Bare] = Registry("answer to letters of kind")
#: command -> who tells more of it than `help` does for everybody
HELP: Registry[Handler] = Registry("help about")
#: verb of a deep link -> what it does
LINKS: Registry[Linked] = Registry("deep link")


def command(
    name: str,
    *,
    topic: HelpTopic,
    table: TableNeed = TableNeed.ONE,
    among: DefaultTable = DefaultTable.MINE,
    about: CommandTopic = CommandTopic.TABLE,
    office: bool = False,
    repeats: bool = False,
    numberless: bool = False,
    unread: Unread | None = None,
) -> Callable[[H], H]:
    """Declare what carries a command out (see `Command`)."""

    def declare(do: H) -> H:
        one = Command(name, do, topic, table, among, about, office, repeats, numberless, unread)
        COMMANDS.add(name, one, do.__module__)
        return do

    return declare


def topics() -> dict[str, str]:
    """The topic of each command, by its name."""
    return {one.name: str(one.topic) for one in COMMANDS.values()}


def answers(kind: str) -> Callable[[B], B]:
    """Declare what plain words mean in answer to a letter of that kind."""

    def declare(meant: B) -> B:
        ANSWERS.add(kind, meant, meant.__module__)
        return meant

    return declare


def helps(name: str) -> Callable[[H], H]:
    """Declare who carries out `help` about a command."""

    def declare(do: H) -> H:
        HELP.add(name, do, do.__module__)
        return do

    return declare


def linked(verb: str) -> Callable[[L], L]:
    """Declare what deep links with that verb do."""

    def declare(do: L) -> L:
        LINKS.add(verb, do, do.__module__)
        return do

    return declare
