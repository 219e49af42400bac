"""Where cards meet the flow of play: the whole list of seams.

A card overrides the few methods its text is about.  *Questions* are pure and return a
value; *moments* happen, and a card that hears one may push a frame that asks somebody.
Three circles of listeners:

    CITY      questions put to the districts that stand in the city concerned
    TABLE     questions put to every card of the game
    MOMENTS   told to every card of the game, in the order that the edition gives

The `Rulebook` knows who overrides what, so what nobody listens to costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from .abilities import Ability, Way
from .declared import Declaration
from .facts import Move, Seat
from .shapes import Shape

if TYPE_CHECKING:
    from random import Random

    from .model import Frame, State

CITY = ("price", "twins", "ransom", "mines", "draws", "keeps", "score", "hand_score")
TABLE = (
    "silenced",
    "spared",
    "pressed",
    "turns",
    "player",
    "sheltered",
    "worth",
    "crowned",
    "marks",
    "redealt",
    "stores",
    "purse",
)
MOMENTS = (
    "drafted",
    "revealed",
    "silent",
    "gathered",
    "building",
    "built",
    "lost",
    "turn_over",
    "round_over",
)

TYPES = ("noble", "religious", "trade", "military", "unique")


class Card:
    """What characters and districts have in common.  `shapes` are the orders that answer
    questions of this card (those of its abilities are declared there)."""

    name: str = ""
    shapes: tuple[Shape, ...] = ()
    abilities: tuple[Ability, ...] = ()
    ways: tuple[Way, ...] = ()
    #: what other layers are to know of it
    declares: tuple[Declaration, ...] = ()
    #: marks of this card that a drawn position may carry; see `place`, `read`
    fields: tuple[str, ...] = ()
    #: those of them that seats carry, not the table
    fields_by_seat: tuple[str, ...] = ()
    #: those of them whose value is a list of district cards; `place` is given their numbers
    fields_of_cards: tuple[str, ...] = ()

    # -- TABLE -----------------------------------------------------------

    def silenced(self, g: State, character: str) -> bool:
        """Whether the holder of that character, being called, says nothing."""
        return False

    def spared(self, g: State, character: str) -> bool:
        """Whether the rank 2 characters can't name that character."""
        return False

    def pressed(self, g: State, character: str) -> bool:
        """Whether the player of that character gathers before anything else."""
        return False

    def turns(self, g: State, seat: Seat, character: str) -> list[Frame] | None:
        """Other frames than the ordinary turn, in order, when that character is called."""
        return None

    def player(self, g: State, character: str) -> Seat | None:
        """Who plays that character's turn this round, where it is not its holder."""
        return None

    def sheltered(self, g: State, victim: Seat, by: Seat) -> bool:
        """Whether rank 8 can't touch the victim's whole city."""
        return False

    def worth(self, g: State, number: int, cost: int) -> int:
        """What that standing district costs, for points and for rank 8; not for building."""
        return cost

    def crowned(self, g: State, seat: Seat) -> None:
        """The crown has come to that seat from another.  Told in the middle of things: a
        card that hears it may not ask anybody."""

    def marks(self, g: State, viewer: Seat | None) -> dict[str, Any]:
        """What the viewer may know of this card's drawers, for the view."""
        return {}

    def redealt(self, g: State, viewer: Seat, rng: Random) -> None:
        """Deal afresh what this card's drawers hide from the viewer."""

    def place(self, g: State, field: str, value: Any, seat: Seat | None) -> None:
        """Put a mark of this card on a drawn position (scenario files): one of `fields`,
        for a seat or for the table.  Raises ValueError with a reason for what can't be."""
        raise NotImplementedError(field)

    def read(self, g: State, field: str, seat: Seat | None) -> Any:
        """The mark as a scenario file writes it."""
        raise NotImplementedError(field)

    def stores(self, g: State) -> tuple[int, ...]:
        """District cards that lie in this card's drawer."""
        return ()

    def restock(self, g: State, numbers: tuple[int, ...]) -> None:
        """Let these lie in this card's drawer instead, as many: for who hears `stores`."""
        raise NotImplementedError(self.name)

    def purse(self, g: State) -> int:
        """Gold that lies on this card."""
        return 0

    # -- MOMENTS ---------------------------------------------------------

    def drafted(self, g: State) -> None:
        """The selection is over, nobody has been called."""

    def revealed(self, g: State, seat: Seat, character: str) -> None:
        """A called character answers; its turn is next."""

    def silent(self, g: State, seat: Seat, character: str) -> None:
        """A character that somebody holds was called, and is silenced."""

    def gathered(self, g: State, seat: Seat) -> None:
        """Resources have been gathered (and what was drawn has been chosen)."""

    def building(self, g: State) -> None:
        """A district has left the hand and is paid for; see the Build frame."""

    def built(self, g: State, seat: Seat, number: int, paid: int) -> None:
        """A built district stands in that seat's city."""

    def lost(self, g: State, victim: Seat, by: Seat) -> None:
        """A district was destroyed and lies in the Loss frame, which says more."""

    def turn_over(self, g: State, seat: Seat) -> None:
        """The seat has ended its turn; the Turn frame is still on the stack."""

    def round_over(self, g: State) -> None:
        """The last rank has been called."""


class Character(Card):
    """A character card.  `type` is that of the districts it earns from, if any."""

    rank: int = 0
    type: str | None = None
    limit: int = 1  # districts built in a turn
    builds: bool = True  # False: nothing at all, what does not count neither
    builds_twins: bool = False  # districts of a name that stands in the city, all turn
    players_from: int = 2  # at how many players the card may be used
    may_lie_faceup: bool = True  # rank 4 may not
    #: the dull answer to a selection takes the smallest of those on offer
    dullness: int = 0

    def counted(self, district: District) -> bool:
        """Whether building that counts toward the limit."""
        return True


class District(Card):
    """A district card.  Plain ones are rows of a table; see cards/districts/plain.py."""

    type: str = "unique"
    cost: int = 0
    spaces: int = 1  # districts it counts as toward completion
    pays: frozenset[str] = frozenset()  # types it counts as for income; empty: its own
    guises: tuple[str, ...] = ()  # types it may count as in the end; empty: its own
    shielded: ClassVar[bool] = False  # rank 8 can't touch it
    counted: ClassVar[bool] = True  # counts toward the building limit
    secret: ClassVar[bool] = False  # its points come from what only its owner sees
    #: as what type other cards' points count it where it has a guise: that guise, or its own
    sincere: bool = False
    own_ways: tuple[Way, ...] = ()  # see Way

    def __init__(self, name: str = "", type: str = "", cost: int | None = None) -> None:
        self.name = name or self.name
        self.type = type or self.type
        self.cost = self.cost if cost is None else cost
        self.pays = self.pays or frozenset({self.type})
        self.guises = self.guises or (self.type,)
        self.order, self.kept = Move("build", (self.name,)), Move("keep", ((self.name,),))

    def forbidden(self, g: State, seat: Seat) -> bool:
        """Whether it can't be built by that seat now, whatever it would pay."""
        return False

    def poses(self, g: State, seat: Seat) -> tuple[str, ...]:
        """The types it may count as in the end, standing in that seat's city."""
        return self.guises

    # -- CITY: asked of the districts standing in the city concerned -------

    def price(self, g: State, seat: Seat, district: District, price: int) -> int:
        """What that district costs the owner of this one to build."""
        return price

    def twins(self, g: State, seat: Seat, district: District) -> bool:
        """Whether a second district of that name may be built."""
        return False

    def ransom(self, g: State, victim: Seat, district: District, fee: int) -> int:
        """What rank 8 pays for using its ability on that district of this city."""
        return fee

    def mines(self, gold: int) -> int:
        """How much gold is taken when gathering gold."""
        return gold

    def draws(self, count: int) -> int:
        """How many cards are drawn when gathering cards."""
        return count

    def keeps(self, drawn: int, keep: int) -> int:
        """How many of the cards drawn are kept."""
        return keep

    def score(self, g: State, seat: Seat, kinds: tuple[str, ...]) -> int:
        """Points at the end, `kinds` being the types the city's districts count as."""
        return 0

    def hand_score(self, g: State, seat: Seat) -> int:
        """Points at the end for this card in the hand; nobody else sees them before."""
        return 0
