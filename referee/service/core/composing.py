"""What composing a letter needs, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from referee.ids import NO_EVENT, NO_LETTER, NO_QUESTION, EventNo, LetterId, QuestionNo
from referee.ports import Attachment, Button, Letter
from referee.store import Game, Outbox, Person, Seat, Tx

from .letter_rows import Stored
from .registry import Registry
from .settings import ServiceSettings
from .unit_of_work import StateCache

if TYPE_CHECKING:
    from referee.text import Words
    from referee.text.rendering import pictures

S = TypeVar("S", bound=msgspec.Struct)
#: makes a picture for a theme
Drawing: TypeAlias = "Callable[[str], pictures.Picture]"


@dataclass(frozen=True, slots=True)
class ComposeContext:
    """What composing needs besides the letter's row: an open transaction, the hour (UTC ms), the settings,
    the channel's markup and whether it can rewrite what it has sent.
    """

    tx: Tx
    now_ms: int
    words: Words
    settings: ServiceSettings
    states: StateCache
    markup: str
    rewrites: bool
    key: bytes
    silent: bool = False  # ring nobody with it
    language: str = "en"  # of what is for nobody and no room in particular: the command line's

    @property
    def files(self) -> bool:
        """Whether a letter may bring files with it."""
        return self.markup in self.settings.files


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterContext(ComposeContext):
    """One letter that is to be composed: its row, the row's facts, its game with the seats in order (None and
    [] without one), its reader (None: a room, or nobody that is known).

    `language` is the reader's. `context` is what every letter says: who reads it, where, and of which table;
    over it the row's facts.
    """

    row: Outbox
    data: Stored
    game: Game | None
    seats: list[Seat]
    person: Person | None
    context: dict[str, Any]

    def read(self, facts: type[S]) -> S:
        """The row's facts, typed.  Raises msgspec.ValidationError where they are other facts."""
        return msgspec.convert(self.data, facts)

    @property
    def number(self) -> LetterId:
        """The row's number."""
        return self.row.id


class Draft(NamedTuple):
    """What a composer makes of a letter.

    `context`: what it adds to the letter's; `edits`: the wire id of the letter whose place it takes;
    `upto`, `since`: the numbers of the last event that it tells, and of the last one before those;
    `question`: which question it asks (0: none); `lessons`: what it teaches, (part, name); `told`: of a
    letter over several games, up to which event each seat (by its row) is told; `kind`: as what it is
    rendered, "" for its own; `brief`: under a picture its words are brief; `facts`: for the adapter.
    """

    context: Mapping[str, Any] = MappingProxyType({})
    buttons: Sequence[Sequence[Button]] = ()
    edits: str = ""
    pin: bool = False
    attachments: tuple[Attachment, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    upto: EventNo = NO_EVENT
    since: EventNo = NO_EVENT
    question: QuestionNo = NO_QUESTION
    lessons: tuple[tuple[str, str], ...] = ()
    told: dict[str, int] | None = None
    kind: str = ""
    brief: bool = False
    facts: Mapping[str, Any] = MappingProxyType({})


#: makes the draft of a letter; None where there is nothing left to say
Composer = Callable[[LetterContext], Draft | None]


class ComposedLetter(NamedTuple):
    """A letter that has words: what it was composed from, what was made of it, as what it was rendered, from
    which context.
    """

    ctx: LetterContext
    draft: Draft
    kind: str
    context: Mapping[str, Any]


#: what rooms tell of a table in every letter about it: (letter, its game) -> keys of the context's `game`
TABLE_FACTS: Registry[Callable[[LetterContext, Game], Mapping[str, Any]]] = Registry("facts of a table")
#: what rooms add to a letter that has words: a picture, a link
FINISHERS: Registry[Callable[[ComposedLetter, Letter], Letter]] = Registry("finisher of letters")


class Revising(msgspec.Struct):
    """Of the facts of some kinds: the letter whose place it takes (0: none)."""

    revises: LetterId = NO_LETTER


def rewritten(ctx: LetterContext) -> Outbox | None:
    """The letter whose place this one takes, where the channel can rewrite it."""
    revised = ctx.read(Revising).revises
    return ctx.tx.get(Outbox, revised) if ctx.rewrites else None


def rewritten_id(ctx: LetterContext) -> str:
    """Its wire id, "" for none."""
    older = rewritten(ctx)
    return "" if older is None else older.wire_id
