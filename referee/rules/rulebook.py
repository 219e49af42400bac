"""One table's cards, indexed.  Shared by all games of the same setup, never copied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from .facts import Move
from .flow_verbs import FLOW
from .seams import CITY, MOMENTS, TABLE, Card, Character, District
from .shapes import Shape, table

if TYPE_CHECKING:
    from .facts import Seat
    from .model import State
    from .setup import Setup


class Plan(NamedTuple):
    """A selection phase.  `steps` are ("pick" | "discard" | "random" | "take facedown", place),
    place counting clockwise from the crown; what is left in the end goes facedown."""

    faceup: int
    steps: tuple[tuple[str, int], ...]
    facedown_first: bool = False


class Edition:
    """A manifest: which cards, how many, which constants, who answers first.

    Subclasses live in `editions`; see classic.py for what each field is.
    """

    name: str = ""
    least: int = 2
    most: int = 7
    hand: int = 4
    gold: int = 2
    characters: tuple[Character, ...] = ()
    cast: tuple[str, ...] = ()
    districts: tuple[tuple[District, int], ...] = ()
    uniques: tuple[str, ...] = ()
    #: option -> values allowed
    options: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    #: moment -> names of the cards that hear it first, in order
    order: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    #: how many of the unique districts are in the deck; None: see `check`
    uniques_wanted: int | None = None
    #: rounds in a row without a build after which the game is given up, unless that is switched off
    standstill: int = 12

    def plan(self, players: int, cast: int) -> Plan:
        raise NotImplementedError(self.name)

    def complete_at(self, setup: Setup) -> int:
        raise NotImplementedError(self.name)

    def ninth(self, players: int) -> str:
        """Whether a rank 9 character is played with: "must", "may" or "never"."""
        return "never"

    def usual_cast(self, players: int) -> tuple[str, ...]:
        """The characters where the table names none."""
        return self.cast

    def max_city(self, cast: tuple[str, ...], uniques: tuple[str, ...]) -> int | None:
        """The most districts that may be built in a city of such a table, where it says nothing else."""
        return None

    def in_deck(self, cast: tuple[str, ...], uniques: tuple[str, ...]) -> tuple[str, ...]:
        """The unique districts that are shuffled in, of those that the table names."""
        return uniques or self.uniques

    def tie(self, g: State, seat: Seat, points: Mapping[str, int]) -> tuple[int, ...]:
        """Who is before whom where the scores are equal: the highest rank revealed in the
        last round; the killed have revealed none (ruling 15), but for an heir (49)."""
        return (max((g.rules.characters[c].rank for c in g.players[seat].revealed), default=0),)

    def check(self, setup: Setup) -> None:
        """Raise SetupError for what is special to this edition."""


class Rulebook:
    """`characters` and `districts` by name; `callings` the cast by rank; `on` and `at`
    the listeners of each seam; `shapes` the orders that exist in this game, `owners` the cards
    that give an ability, by its verb; `fields` the card of each mark that a drawn position may carry.

    `districts` are all of the edition; `in_play` those that can come to a city: the ordinary
    ones, the `uniques` of the deck, and `also` what a drawn position holds beside them."""

    def __init__(
        self,
        edition: Edition,
        cast: tuple[str, ...],
        uniques: tuple[str, ...],
        also: frozenset[str] = frozenset(),
    ) -> None:
        known = {c.name: c for c in edition.characters}
        self.edition = edition
        self.uniques = uniques
        self.also = also - {*uniques}
        self.callings = sorted((known[name] for name in cast), key=lambda c: c.rank)
        self.characters: dict[str, Character] = {c.name: c for c in self.callings}
        self.place = {c.name: place for place, c in enumerate(self.callings)}  # of a character among them
        self.districts: dict[str, District] = {d.name: d for d, _ in edition.districts}
        self.copies: dict[str, int] = {d.name: n for d, n in edition.districts}
        listening = {
            d.name: d
            for d, _ in edition.districts
            if d.type != "unique" or d.name in uniques or d.name in also
        }
        self.in_play = tuple(listening.values())
        self.on = {seam: self._listeners(seam) for seam in TABLE + MOMENTS}
        self.at = {seam: frozenset(d for d in self.in_play if _hears(d, seam)) for seam in CITY}
        self.knowing_ways = frozenset(d for d in self.in_play if d.ways)
        self.has_ways = any(c.ways for c in (*self.callings, *self.in_play)) or any(
            d.own_ways for d in self.in_play
        )
        self.picks = {c.name: Move("pick", (c.name,)) for c in self.callings}
        self.naming: dict[str, list[Move]] = {}  # orders that name a character, by verb
        self.limited = frozenset(d for d in self.in_play if type(d).forbidden is not District.forbidden)
        every: tuple[Card, ...] = (*self.callings, *self.districts.values())
        self.shapes = table([*FLOW, *(shape for card in every for shape in spoken(card))])
        self.owners = self._owners(every)
        self.fields: Mapping[str, Card] = {field: card for card in every for field in card.fields}
        #: with whom something may be built when the limit is reached
        free = any(not d.counted for d in self.in_play)
        self.lenient = frozenset(c for c in self.callings if free or type(c).counted is not Character.counted)
        self.musts = {c.name: tuple(a for a in c.abilities if a.must) for c in self.callings}
        self.max_city = edition.max_city(cast, (*uniques, *self.also))
        self.sized = any(d.spaces != 1 for d in self.in_play)
        self._deck = tuple(
            d
            for d, copies in edition.districts
            if d.type != "unique" or d.name in uniques
            for _ in range(copies)
        )
        self._plans: dict[int, Plan] = {}

    def _listeners(self, seam: str) -> tuple[Card, ...]:
        cards: list[Card] = [*self.callings, *self.in_play]
        first = {name: place for place, name in enumerate(self.edition.order.get(seam, ()))}
        heard = [c for c in cards if _hears(c, seam)]
        return tuple(sorted(heard, key=lambda c: first.get(c.name, len(first))))

    def _owners(self, cards: Iterable[Card]) -> Mapping[str, tuple[str, ...]]:
        out: dict[str, tuple[str, ...]] = {}
        for card in cards:
            for verb in {s.verb for a in card.abilities for s in a.shapes}:
                out[verb] = (*out.get(verb, ()), card.name)
        return out

    def ways_of(self, move: Move) -> tuple[str, ...]:
        """The cards that know a way to build of that order's shape."""
        districts = [(d, (*d.ways, *d.own_ways)) for d in self.districts.values()]
        return tuple(
            card.name
            for card, ways in (*((c, c.ways) for c in self.callings), *districts)
            if any(shape.fits(move.args) for way in ways for shape in way.shapes)
        )

    @property
    def cast(self) -> tuple[str, ...]:
        """The names of the characters, by rank."""
        return tuple(self.characters)

    def deck(self) -> tuple[District, ...]:
        """The district cards of a game, before they are shuffled."""
        return self._deck

    def plan(self, players: int) -> Plan:
        """The selection phase of that number of players."""
        if players not in self._plans:
            self._plans[players] = self.edition.plan(players, len(self.callings))
        return self._plans[players]


def spoken(card: Card) -> list[Shape]:
    """Every order that this card brings into the game."""
    ways = (*card.ways, *card.own_ways) if isinstance(card, District) else card.ways
    return [
        *card.shapes,
        *(s for a in card.abilities for s in a.shapes),
        *(s for w in ways for s in w.shapes),
    ]


def _hears(card: Card, seam: str) -> bool:
    base = District if seam in CITY else Card
    return getattr(type(card), seam) is not getattr(base, seam)
