"""The kinds of letters: each room declares its own in its `letters.py`.

class VoteFacts(Facts):                             a kind: its name, and the facts that its senders give
    kind = "vote"
    proposal: int

@letter(VoteFacts, LetterTraits(due_stands=True))   its composer: makes a draft
def vote(ctx: LetterContext) -> Draft | None: …

plain(LookedFacts, __name__)                        a kind whose row says all that it needs

A kind is a class: where it is queued, compared or declared, it is named by that, and its name is written out
only there. Whatever is particular about a kind on its way is one of its traits, so that nobody else knows
kinds by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from referee.ids import NOBODY, PersonId

from .composing import Composer
from .registry import Registry

_NONE: Mapping[str, Any] = MappingProxyType({})


class UnsolicitedDelivery(NamedTuple):
    """How a letter leaves that nobody asked for (see notices/delivery_rules.py).

    `level`: the last level of what a person wants to hear at which it is still told; `raised`: another level
    where a fact of the row is set; `gathered`: the letter over all games can stand for it.
    """

    level: Literal["all", "turns", "urgent", "off"]
    raised: Mapping[str, str] = _NONE
    gathered: bool = True
    seat_only: bool = False  # only what was said of that one game keeps it back
    copies: bool = False  # a copy of an answer: unasked, though it follows from what somebody said
    timed: bool = False  # it comes at an hour that the reader chose: in quiet hours it rings nobody
    speech: bool = False  # the words of other players: no clock hangs on it


class LetterTraits(NamedTuple):
    """What is particular about a kind of letter.

    asks          it speaks of an open question and dies with it
    puts          it puts that question: the seat's clock counts from its arrival, a reminder follows it
    secret        it holds a secret that nobody keeps: once it has left, its words are forgotten
    private       not even an admin's lists name its kind: that there is one tells what its reader plans
    quiet         it rings nobody
    urgent        it goes before others of its channel
    must_arrive   it is worth another channel, or another try, where its own may not have taken it
    bound         it goes to its address or to nobody
    toast         it answers a pressed button, on the button
    askers        its buttons are for its asker alone, in a room, too
    living        one message of a room, kept up to date
    spans         it is about all of its reader's games, whatever becomes of their seats
    entries       a bare number answers it: a question's entries, or a menu's
    on_page       its reader's own web page draws its entries itself
    linked        it ends with a link to the table's page
    picture       of the position as everybody sees it, of the points so far, as the seat sees it, or as the
                  seat sees it where the letter stands by itself
    due_stands    what it wants falls due also while its game is paused
    defaults      facts that its row need not have
    """

    asks: bool = False
    puts: bool = False
    secret: bool = False
    private: bool = False
    quiet: bool = False
    urgent: bool = False
    must_arrive: bool = False
    bound: bool = False
    toast: bool = False
    askers: bool = False
    living: bool = False
    spans: bool = False
    entries: Literal["", "question", "menu"] = ""
    on_page: bool = False
    linked: bool = False
    picture: Literal["", "position", "course", "seat", "question"] = ""
    due_stands: bool = False
    unasked: UnsolicitedDelivery | None = None
    defaults: Mapping[str, Any] = _NONE


#: the variables of a sentence, as its words call them: text, numbers, and lists and objects of these. Which
#: ones there are hangs on the sentence's code; the tests of words check them.
Variables: TypeAlias = Mapping[str, Any]


class Notice(msgspec.Struct, frozen=True):
    """One sentence: its code, and its variables."""

    code: str
    facts: Variables = {}


class Facts(msgspec.Struct, omit_defaults=True, kw_only=True):
    """The facts of a kind's rows, as its senders give them and its composer reads them; here those that a
    letter of any kind may have.

    In the row they are a JSON object: a kind's own fields in their order, then these; one that is what it is
    by default is left out. A row may have others besides: what its carriers note (core/letter_rows.py), what
    another version knew.

    `callback`: the press of a button that this answers (the wire's id); `start_payload`: of a button that
    opens the private chat; `answers`: the message that this answers; `to`: the name spoken to in a room;
    `offers`: buttons below it, (phrase, what it stands for); `reply`: somebody is there and waits for it;
    `language`: of somebody of whom nothing is known yet; `asker`: in a room, the person whom it answers
    (0: nobody).
    """

    kind: ClassVar[str]
    callback: str = ""
    start_payload: str = ""
    answers: str | UnsetType = UNSET
    to: str | UnsetType = UNSET
    offers: Sequence[tuple[str, str]] | UnsetType = UNSET
    reply: bool = False
    language: str = ""
    asker: PersonId = NOBODY


class LetterSpec(NamedTuple):
    """A kind of letter: what is particular about it, its composer (None: it needs none), the facts of its
    rows.
    """

    traits: LetterTraits
    compose: Composer | None
    facts: type[Facts]


#: every kind of letter that this version sends
LETTERS: Registry[LetterSpec] = Registry("letter")
_ORDINARY = LetterTraits()


def letter(facts: type[Facts], traits: LetterTraits = _ORDINARY) -> Callable[[Composer], Composer]:
    """Declare a kind with its composer.  Raises ValueError where the kind is declared already."""

    def declare(compose: Composer) -> Composer:
        LETTERS.add(facts.kind, LetterSpec(traits, compose, facts), compose.__module__)
        return compose

    return declare


def plain(facts: type[Facts], module: str, traits: LetterTraits = _ORDINARY) -> None:
    """Declare a kind that needs no composing.  Raises ValueError where the kind is declared already."""
    LETTERS.add(facts.kind, LetterSpec(traits, None, facts), module)


def traits(kind: str) -> LetterTraits:
    """What is particular about a kind; nothing about one of another version, whose letters still wait."""
    found = LETTERS.get(kind)
    return _ORDINARY if found is None else found.traits


def numbered() -> tuple[str, ...]:
    """The kinds whose entries a bare number may mean."""
    return tuple(name for name, kind in LETTERS.items() if kind.traits.entries)
