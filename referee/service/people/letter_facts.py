"""The facts of letters that many rooms send."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from referee.ids import NO_LETTER, LetterId, QuestionNo

from ..core.letters import Facts, Notice, Variables


class NoticeFacts(Facts):
    """What is said; the number of the ruling that came to the table (0: none)."""

    kind = "notice"
    notices: Sequence[Notice]
    ruling: int = 0


def notice(code: str, /, **variables: Any) -> NoticeFacts:
    """A letter that says one thing."""
    return NoticeFacts([Notice(code, variables)])


class HelpFacts(Facts):
    """What is explained: a topic, or a command."""

    kind = "help"
    topic: str | UnsetType = UNSET
    command: str | UnsetType = UNSET


class Echo(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that was done, or taken back."""

    order: str
    undone: bool = False


class OrderTrouble(msgspec.Struct, frozen=True):
    """What went wrong with an order: a sentence's code with its variables, the words that it is about, what
    might have been meant, and which orders were not carried out.
    """

    code: str
    facts: Variables
    quote: str = ""
    suggestions: Sequence[str] = ()
    not_done: Sequence[str] = ()


class Place(msgspec.Struct, frozen=True):
    """The place of a big question, by its number, that is shown: what was chosen on the way there (see
    play/stepwise.py).
    """

    question: QuestionNo
    path: Sequence[Any]


class PromptFacts(Facts):
    """What goes along with a question.

    `echo`: the orders done, and those taken back; `trouble`: what went wrong; `step`: which place of a big
    question is shown; `pictured`: with a picture, also where questions have none; `revises`: the letter whose
    place it takes; `explain`: what explains the question is told once more; `fresh`: to somebody who has just
    taken the seat over, whose table has another number for its question, or who asks for the table; `lost`: a
    channel that does not reach the reader any more; `stopped`: why one's plan does not answer.
    """

    kind = "prompt"
    echo: Sequence[Echo] | UnsetType = UNSET
    trouble: OrderTrouble | UnsetType | None = UNSET
    step: Place | UnsetType | None = UNSET
    pictured: bool = False
    revises: LetterId = NO_LETTER
    explain: bool = False
    fresh: bool = False
    lost: str = ""
    stopped: Notice | None = None


class OverFacts(Facts):
    """How a game ended: all that it says is looked up."""

    kind = "over"


class Rematch(msgspec.Struct, frozen=True):
    """Of which game, and who asked for it."""

    game: int
    name: str


class MusterFacts(Facts):
    """Whether it is asked once more, a channel that does not reach the reader any more, and of which game
    this is the rematch.
    """

    kind = "muster"
    again: bool = False
    lost: str = ""
    rematch: Rematch | None = None
