"""What reading needs, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from referee.ids import GameId
from referee.policy import Policy

from ..folders import languages, nearest
from ..lexicon import Lexicon, lexicon


class CardNames(Protocol):
    """Whatever knows the names of the cards that a game is played with: a Rulebook, or `Cards`."""

    @property
    def characters(self) -> Iterable[str]: ...
    @property
    def districts(self) -> Iterable[str]: ...


@dataclass(frozen=True, slots=True)
class Cards:
    """The names, as printed in orders, of the cards that a game is played with.  Empty: all known."""

    characters: tuple[str, ...] = ()
    districts: tuple[str, ...] = ()


_ALL = Cards()


@dataclass(frozen=True, slots=True)
class Reading:
    """In whose words, and before which question, a message is read.

    `language` may be whatever a client says ("pt-BR", "de"): the nearest one there is is taken. `names` are
    the players' names by seat, `ask` and `view` the view's own (JSON shapes: moves are ``[verb, args]``),
    None where nobody is asked. `numbers` says whether a bare number may stand for an option: only of the
    question that the person has before them. `own` are the admin's template folders, `policies` those that
    the installation has given a name. `shown` gives what stands on the buttons of the question, each label
    with its entry (rendering.words `shown`); None where that is not known.
    """

    language: str = "en"
    names: Sequence[str] = ()
    ask: Mapping[str, Any] | None = None
    view: Mapping[str, Any] | None = None
    cards: CardNames = Cards()
    numbers: bool = True
    own: tuple[Any, ...] = ()
    policies: Mapping[str, Policy] = field(default_factory=dict)
    shown: Callable[[], Sequence[tuple[str, Any]]] | None = None

    def __post_init__(self) -> None:
        known = languages(tuple(self.own))
        if self.language not in known:
            object.__setattr__(self, "language", nearest(self.language, known))

    @property
    def plain(self) -> bool:
        """Whether nothing but language and templates counts: no question, no names, no choice of cards."""
        return (
            self.ask is None and self.view is None and not self.names and self.numbers and self.cards == _ALL
        )

    @property
    def lexicon(self) -> Lexicon:
        """The words of this language."""
        return lexicon(self.language, self.own)


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Why nothing was understood; nothing has changed.

    `code` is a phrase of templates/ (see `TROUBLES`), `facts` what it needs.  `quote` is what could not
    be read.  `candidates` are the canonical orders it might have meant, if it reads two ways;
    `suggestions` the nearest legal ones, at most three.  `step`: it is the label of an entry that opens into
    more of them (sheet.py).
    """

    code: str
    quote: str = ""
    suggestions: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    game: GameId | None = None
    step: Any = None


@dataclass(frozen=True, slots=True)
class Intent:
    """What a message wants.  `kind` is "orders" (args: chunks), "chatter" (talk that is none of the
    referee's business), "nothing" (empty) or a command of the lexicon; `game` the number after "#",
    if one was given; `quote` the words as they came, on one line."""

    kind: str
    args: Mapping[str, Any] = field(default_factory=dict)
    game: GameId | None = None
    quote: str = ""


#: codes of words that are like no order at all, whatever is asked
LIKE_NO_ORDER = frozenset({"unreadable", "courtesy"})
#: every code of a Trouble, with its facts
TROUBLES: Mapping[str, str] = {
    "unreadable": "no order begins like this",
    "courtesy": "asked: nothing but a greeting, thanks or the like; whether the writer is asked something",
    "question": "it ends in a question mark, so it is no order; the order is suggested",
    "ambiguous": "candidates: it reads two ways",
    "incomplete": "verb, forms: the order needs more than its verb",
    "unknown-name": "verb, word, forms: no card or player of that name fits there",
    "absent": "name: a card that is not in this game; instead: who has its rank here",
    "no-such-option": "number, last: the question has fewer options",
    "no-options": "nothing is asked, so a number means nothing",
    "number-later": "number: options change after the first order, so a number may only stand first",
    "option-needs-cards": "verb: this option needs the names of cards",
    "taken-back": "word: it answers nothing, and may take back the orders before it",
    "line-too-long": "most: letters a line may have",
    "too-many-orders": "most: orders a message may have",
    "too-many-words": "command, words, signs: how many an order (command '') or a command may have",
    "message-too-long": "count, most: letters a message may have",
    "too-costly": "reading it took more of the processor's time than one message may cost",
    "talk-long": "count, most: letters that may be said at once",
    "command-alone": "command: a command stands alone in its message",
    "missing": "command, usage: a command without what it needs",
    "unknown-word": "word, place, expected: what would be right there",
    "takes-nothing": "command, word: what stands behind a command that takes the number of a table at most",
    "said-twice": "word, place: two different answers to one thing",
    "out-of-range": "word, place, least, most",
    "vacation-range": "word, days",
    "vacation-until": "word: it names no day",
    "no-such-card": "word, near",
    "several-cards": "word, near: it might be any of these",
    "no-such-zone": "word, near",
    "pictures-how": "word",
    "no-such-language": "word, known: those there are, with what is typed for each",
    "no-such-topic": "word, topics",
}


def missing(command: str, reading: Reading) -> NotUnderstood:
    """What a command needs behind it is not there; says how it is used."""
    usage = reading.lexicon.entry("commands", command).get("usage", command)
    return NotUnderstood("missing", facts={"command": command, "usage": usage})
