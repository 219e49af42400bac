"""The kinds of letters: each room declares its own in its `letters.py`.

@letter(VoteFacts, Traits(due_stands=True))   a composer: makes a draft of an occasion; its facts are typed
def vote(occasion: Occasion) -> Draft | None: …

@letter("status")                             the same, of a kind whose rows have no facts of their own
plain("looked", __name__)                     what its row says is all that it needs

Whatever is particular about a kind on its way is one of its traits, so that nobody else knows kinds by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple

import msgspec

from .composing import Composer
from .registry import Registry

_NONE: Mapping[str, Any] = MappingProxyType({})


class Unasked(NamedTuple):
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


class Traits(NamedTuple):
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
    living: bool = False
    spans: bool = False
    entries: Literal["", "question", "menu"] = ""
    on_page: bool = False
    linked: bool = False
    picture: Literal["", "position", "course", "seat", "question"] = ""
    due_stands: bool = False
    unasked: Unasked | None = None
    defaults: Mapping[str, Any] = _NONE


class Facts(msgspec.Struct, omit_defaults=True):
    """The facts of a kind's rows, as its senders give them and its composer reads them.

    In the row they are a JSON object with the fields in their order; one that is what it is by default is
    left out. What any row may have besides (`answers`, `reply` …) is no field where composing does not need
    it.
    """

    kind: ClassVar[str]


class Kind(NamedTuple):
    """A kind of letter: what is particular about it, its composer (None: it needs none), the facts of its
    rows (None: they are plain values, or none).
    """

    traits: Traits
    compose: Composer | None
    facts: type[Facts] | None = None


#: every kind of letter that this version sends
LETTERS: Registry[Kind] = Registry("letter")
_ORDINARY = Traits()


def letter(what: str | type[Facts], traits: Traits = _ORDINARY) -> Callable[[Composer], Composer]:
    """Declare a kind with its composer.  Raises ValueError where the kind is declared already."""

    def declare(compose: Composer) -> Composer:
        _declare(what, traits, compose, compose.__module__)
        return compose

    return declare


def plain(what: str | type[Facts], module: str, traits: Traits = _ORDINARY) -> None:
    """Declare a kind that needs no composing.  Raises ValueError where the kind is declared already."""
    _declare(what, traits, None, module)


def _declare(what: str | type[Facts], traits: Traits, compose: Composer | None, module: str) -> None:
    name, facts = (what, None) if isinstance(what, str) else (what.kind, what)
    LETTERS.add(name, Kind(traits, compose, facts), module)


def queued(what: str | Facts, data: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
    """The kind of a letter, and its facts as plain values."""
    if isinstance(what, str):
        return what, data or {}
    return what.kind, {**msgspec.to_builtins(what), **(data or {})}


def traits(kind: str) -> Traits:
    """What is particular about a kind; nothing about one of another version, whose letters still wait."""
    found = LETTERS.get(kind)
    return _ORDINARY if found is None else found.traits


def numbered() -> tuple[str, ...]:
    """The kinds whose entries a bare number may mean."""
    return tuple(name for name, kind in LETTERS.items() if kind.traits.entries)
