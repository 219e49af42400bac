"""What a card says of itself to the layers above: plain data beside the card, which they interpret.

A card, an ability or a way lists them in `declares`; `catalog.declared(Question)` gives all of one kind with
the cards that declare them. A `place` orders them where order can be seen; those without one come last, in
the order of the editions.
"""

from __future__ import annotations

from typing import NamedTuple

LAST = 100


class Told(NamedTuple):
    """An event that only this card tells, with its facts, as in facts.FLOW_EVENTS."""

    event: str
    facts: str


class Question(NamedTuple):
    """A question that may be answered once for all (a standing answer of a plan).

    `kinds` of an `Ask`; the verbs that say yes; the one that says no, "" where there is none.
    """

    name: str
    kinds: tuple[str, ...]
    yes: tuple[str, ...]
    no: str = ""
    #: asked while it is somebody else's turn, or nobody's: a script has no answer to it
    off_turn: bool = False
    #: its orders are never given in one's own turn
    apart: bool = False
    #: not the owner of the card is asked, but others: its orders need no card
    of_others: bool = False
    #: its orders where a verb means something else, too, as patterns (see shapes.py); () for any
    forms: tuple[str, ...] = ()
    #: its orders mean something else elsewhere, so an answer begins with the name: "hospital gold always"
    headed: bool = False
    #: it is about a district card, which a condition may name
    with_card: bool = False
    #: it has a price: how a condition compares it, and with which amounts on the menu of plans
    compares: str = ""
    prices: tuple[int, ...] = ()
    #: the answers on the menu of plans, "{player}" for each of the others; (): yes, by price, no, ask me
    offers: tuple[str, ...] = ()
    place: int = LAST


class Within(NamedTuple):
    """An order that answers a question within one's own turn which may not come: a script passes it over
    where it is not asked.
    """

    verb: str


class Free(NamedTuple):
    """An order that costs nothing, brings something for sure, and has no choice in it: a plan takes it before
    `end` where it was forgotten.
    """

    verb: str
    place: int = LAST


class Use(NamedTuple):
    """How a simple player uses an order of the turn: `how` is one of `referee.bots.greedy`:

    take        whenever it is possible; "take last": its last form where nothing in hand could be built
    strike      at a character of whom it is not known that nobody has it
    hands       at the player with the most cards, if those are more than one's own; "look": in any case
    raid        at a district of the leader
    mark        as few cards of the choice as are allowed
    spare card  with a card that could not be built; "spare gold": where there is nothing to build"""

    verb: str
    how: str
    #: at a district of others: it costs no more than that; None: whatever it costs
    most: int | None = None
    #: with so much gold, or more
    gold: int = 0
    place: int = LAST


class Reply(NamedTuple):
    """How a simple player answers a question of that kind: with the first of these orders that may be given,
    or by one of the habits of `referee.bots.greedy`.
    """

    kind: str
    verbs: tuple[str, ...] = ()
    how: str = ""
    #: about a destroyed district that costs so much, the first order, else the second
    cost: int | None = None


class Appeal(NamedTuple):
    """What a character is worth to a simple player who picks: `base`, and what is added to it."""

    base: float = 0.5
    #: one for each district of that type in the own city
    type: str = ""
    #: the largest purse of the others, divided by that
    purse: int = 0
    #: how many cards more the largest hand of the others has, divided by that
    hands: int = 0
    #: instead of `base`, where no card of the hand could be built
    idle: float | None = None
    #: with gold and cards enough for several districts
    builds: float = 0.0


class Habits(NamedTuple):
    """What simulated people write in plans: the answer to the card's question, and how often they build as
    this character.
    """

    standing: str = ""
    builds: int = 1
    place: int = LAST


class Lesson(NamedTuple):
    """What is explained to somebody who plays for the first time, once it is `due`:

    asked    `what`: the kind of the question
    as       the reader has the turn as this character; with `verbs`: while one of them is possible
    done     `what`: an event, done to the reader, whose seat stands under `role`
    named    `what`: an event that names a character of the reader's
    marked   `what`: what the view calls the mark that lies on the reader's character
    """

    due: str
    name: str = ""
    what: str = ""
    verbs: tuple[str, ...] = ()
    role: str = "victim"
    place: int = LAST


Declaration = Told | Question | Within | Free | Use | Reply | Appeal | Habits | Lesson
