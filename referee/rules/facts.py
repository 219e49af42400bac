"""The public words of the rules: what goes in, what comes out, and how it is refused.

Everything here is plain, immutable data.  Seats are numbers 0 .. n-1 in
clockwise order; cards are named by their English names as printed in orders
("Town Hall", "Warlord"), so that nothing outside the rules needs a card id.

    play(state, seat, move) -> Outcome       or raises Refusal, state untouched
    asks(state)             -> who must decide now, and what may be answered
    view(state, seat)       -> all that this seat may know; seat None: the public
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from referee.ids import QuestionNo, SeatNo

#: a seat among the rules, which count round the table with it; what they ask and tell names a SeatNo
Seat = int
#: what follows a district's name in an order that means the raised one of two (notation: <B>)
BEAUTIFIED = " beautified"


#: makes a NamedTuple of its class and a tuple of its fields, without the constructor that is written in
#: Python; only where one is made with every order
made = tuple.__new__


class Move(NamedTuple):
    """One order, complete in itself: ``Move("destroy", (2, "Market"))``.

    ``args`` holds seats (int), card names (str), numbers, or tuples of card names.
    The canonical text of a move is made and read by `referee.rules.notation`.
    """

    verb: str
    args: tuple[Any, ...] = ()


#: the move of a verb and its arguments, made once: what is on offer is offered again and again
move_of = lru_cache(maxsize=1 << 14)(Move)


class Family(NamedTuple):
    """Many similar moves offered at once: `verb` with `least`..`most` of `cards`.

    Offered instead of listing every subset of a hand ("redraw Temple, Market").
    `move(chosen)` is one of them, `chosen` being a non-empty tuple drawn from `cards`;
    `before` are the arguments that stand before it ("build Palace borrowing Bea giving …").
    `ordered`: the order of the chosen means something ("threaten King, Bishop").
    """

    verb: str
    cards: tuple[str, ...]
    least: int
    most: int
    before: tuple[Any, ...] = ()
    ordered: bool = False

    def move(self, chosen: tuple[str, ...]) -> Move:
        return made(Move, (self.verb, (*self.before, chosen)))


class Figures(NamedTuple):
    """What an order would give and cost as things stand, None where it says nothing of it: gold gained,
    cards seen and how many of them are kept, the price to be paid.  Never more than the player may know.
    """

    gold: int | None = None
    cards: int | None = None
    kept: int | None = None
    price: int | None = None


#: those of an order that moves nothing that could be counted
NO_FIGURES = Figures()


class Ask(NamedTuple):
    """The game waits for `seat`.  `kind` names the question ("pick", "turn",
    "keep", "graveyard", …); `number` counts the questions of this game from 1, so
    an answer can say which question it answers.  `moves` are all single legal
    answers; `families` the ones offered as a choice of cards.
    """

    seat: SeatNo
    kind: str
    number: QuestionNo
    moves: tuple[Move, ...]
    families: tuple[Family, ...] = ()


class Event(NamedTuple):
    """Something that happened.  `to` is None for everybody, else the one seat
    that may know.  `facts` are JSON values; the names are listed in
    `catalog.EVENTS`.
    """

    name: str
    to: SeatNo | None
    facts: Mapping[str, Any]


class Outcome(NamedTuple):
    """What a move led to.  `undoable` is False as soon as anything was revealed,
    drawn or shuffled, or somebody else has been asked (notation: `undo`).
    """

    state: Any
    events: tuple[Event, ...]
    asks: tuple[Ask, ...]
    undoable: bool


class Refusal(Exception):
    """The player's mistake, never ours.  `code` is stable (see `REFUSALS`); `facts`
    are what a sentence about it needs.  The sentence is made in the reader's language.
    """

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


#: every reason for which an order is refused, with the facts it carries
REFUSALS: Mapping[str, str] = {
    "over": "the game is over",
    "not-asked": "seat: somebody else is asked now (waiting: seats)",
    "wrong-question": "verb: this order does not answer the present question (kind)",
    "unknown-verb": "verb",
    "malformed": "verb, expected: the arguments do not fit the verb",
    "unknown-card": "name: no such card in this game",
    "unknown-player": "name",
    "not-offered": "card: this character is not among those to choose from",
    "gather-first": "verb: resources are gathered before building or ending",
    "gathered": "resources have been gathered this turn",
    "used": "source: that ability or effect (a key of it) has been used this turn",
    "not-your-power": "verb, needs: the character or district that could",
    "not-in-hand": "card",
    "not-in-city": "card, player",
    "too-often": "card, have: the order names it more often than that player has it",
    "too-poor": "price, gold",
    "identical": "card, player: a district of that name stands there",
    "limit": "limit: the building limit of this turn is reached",
    "full": "most: the city may have no more districts (option max_city)",
    "cannot-build": "card",
    "no-target": "target, why: that character or player can't be named here",
    "complete": "player: that city is complete",
    "protected": "card, player, by: which card protects it",
    "no-effect": "verb: the order would do nothing at all",
    "must": "verb: something that must be done first is left",
    "count": "least, most: so many cards are asked for",
    "split": "count: gold and cards together must be that many; most: cards among them",
}


class SetupError(Exception):
    """A table that can't be set up.  `code` out of `SETUP_ERRORS`, `facts` as there."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts = facts


#: every reason for which a table is not set up, with the facts it carries
SETUP_ERRORS: Mapping[str, str] = {
    "unknown-edition": "edition, known: the editions that are built",
    "player-count": "players, least, most",
    "names": "name: empty, several lines, or used twice",
    "unknown-option": "option, known",
    "option-value": "option, value, allowed",
    "cast": "why: unknown (known, edition) | twice | rank (other) | missing (rank, choices) | ninth-needed "
    "(choices) | "
    "ninth-refused | players (least) | bonus (bonus: names, count, wanted); name; players",
    "uniques": "why: unknown (known, edition) | twice | size (count, wanted) | bonus (count, wanted); name",
    "list": "why: list (known: the lists of that edition) | card: no card of that edition; name, edition",
    "crown": "crown: no such seat",
}

#: what the flow tells, or several cards, with the facts; what only one card tells is declared there (`Told`);
#: all of it is in catalog.EVENTS. "private" ones go to the one seat concerned.
#: seat, other, victim, winners: seats · gold, paid, count, points: numbers · the rest: names as printed
FLOW_EVENTS: Mapping[str, str] = {
    "started": "players, edition",
    "round_began": "round, crown",
    "faceup": "characters: discarded faceup before the selection (not told where there are none)",
    "picked": "seat",
    "chose": "private: character",
    "put_away": "seat, count: character cards laid aside facedown by that player",
    "put_away_card": "private: character",
    "put_away_unseen": "a character card laid aside at random, facedown",
    "called": "rank, character: nobody answered",
    "revealed": "seat, character",
    "crowned": "seat, why: start | king | heir | given",
    "took_gold": "seat, gold: gathering",
    "drew": "seat, count: gathering",
    "shown": "private: cards to choose from",
    "kept": "seat, count",
    "kept_cards": "private: cards",
    "income": "seat, gold, count: districts counted, type",
    "card_income": "seat, count: cards, type",
    "bonus": "seat, gold",
    "extra_cards": "seat, count",
    "cards_gained": "private: cards",
    "new_hand": "private, to both: cards",
    "built": "seat, district, paid",
    "destroyed": "seat, victim, district, paid",
    "city_complete": "seat, first: whether it is the first one",
    "turn_ended": "seat, character",
    "heir_revealed": "seat, character",
    "hand_seen": "private: cards of that hand",
    "card_given": "private: other, cards given to that player",
    "card_received": "private: other, cards got from that player",
    "standstill": "rounds: so long nobody has built; the game ends",
    "game_over": "reason: city | standstill; scores, winners",
}
