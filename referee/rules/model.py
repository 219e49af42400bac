"""The table: everything that a game is made of, as plain data.

Nothing here knows a rule.  A `State` can be copied, compared, written as JSON and read
back at any moment, also in the middle of somebody's turn.  What is in progress is a stack
of `Frame`s: the round at the bottom, above it the call, a turn, a build, a question.

A district card is a number, its place in `State.cards`; the same number for ever, wherever
it lies.  Character cards are their names: there is one of each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from .facts import NO_FIGURES, Event, Family, Figures, Move, Refusal, Seat, made
from .rulings import FIRST

if TYPE_CHECKING:
    from .rulebook import Rulebook
    from .seams import District
    from .setup import Setup

Option = Move | Family
F = TypeVar("F", bound="Frame")
SLOTS = (MemberDescriptorType, GetSetDescriptorType)  # of an interpreted class, of a compiled one


class Player:
    """One seat's things.  `characters` are those held, `revealed` those shown this round."""

    __slots__ = ("characters", "city", "gold", "hand", "revealed")

    def __init__(self) -> None:
        self.gold = 0
        self.hand: list[int] = []
        self.city: list[int] = []
        self.characters: tuple[str, ...] = ()
        self.revealed: tuple[str, ...] = ()

    def copy(self) -> Player:
        new = Player.__new__(Player)
        new.gold, new.hand, new.city = self.gold, self.hand[:], self.city[:]
        new.characters, new.revealed = self.characters, self.revealed
        return new


class State:
    """One game.  Mutable inside the rules; at the door (`play`) only copies are changed.

    `bank` counts what the bank has paid out and got back: gold on the table plus bank is 0.
    `round_drawer` and `game_drawer` hold facts that belong to cards, by card name; the
    first is emptied after each round (a turn's own drawer is in its frame).  Their values
    are JSON values, replaced, never changed.  `number` is that of the open question.

    A copy shares players and deck with its original.  So `players` are for reading, and are changed through
    `own` only; the deck is replaced, never changed.
    """

    __slots__ = (
        "answers",
        "bank",
        "called",
        "cards",
        "completed",
        "crown",
        "deck",
        "events",
        "facedown",
        "faceup",
        "game_drawer",
        "goal",
        "number",
        "owned",
        "phase",
        "players",
        "quiet",
        "result",
        "round",
        "round_drawer",
        "rules",
        "rulings",
        "sealed",
        "seed",
        "setup",
        "stack",
    )

    def __init__(self, rules: Rulebook, setup: Setup, seed: bytes, cards: tuple[District, ...]) -> None:
        self.rules, self.setup, self.seed, self.cards = rules, setup, seed, cards
        self.rulings = setup.rulings  # those that hold now: see `holds`
        self.players = [Player() for _ in setup.players]
        self.owned = (1 << len(self.players)) - 1  # the seats whose things no other state shares, as bits
        self.deck: list[int] = []
        self.bank = 0
        self.crown: Seat = 0
        self.round = 1
        self.phase = "draft"  # draft | turns | over
        self.called: int | None = None  # the rank whose turn it is
        self.faceup: tuple[str, ...] = ()
        self.facedown: tuple[str, ...] = ()
        self.completed: tuple[Seat, ...] = ()  # in the order in which cities were completed
        self.goal = rules.edition.complete_at(setup)  # districts that complete a city
        self.quiet = 1  # rounds since somebody built, this one too
        self.round_drawer: dict[str, Any] = {}
        self.game_drawer: dict[str, Any] = {}
        self.stack: list[Frame] = []
        self.number = 1
        self.result: Mapping[str, Any] | None = None
        self.answers: list[Option] | None = None  # of the open question, once somebody looked; see flow.table
        self.events: list[Event] | None = None  # None: nobody is listening
        self.sealed = False  # something was revealed, drawn or shuffled

    def copy(self) -> State:
        new = State.__new__(State)
        new.rules, new.setup, new.seed = self.rules, self.setup, self.seed
        new.cards, new.rulings = self.cards, self.rulings
        new.players = self.players[:]
        self.owned = new.owned = 0
        new.deck, new.bank, new.crown = self.deck, self.bank, self.crown
        new.round, new.phase, new.called = self.round, self.phase, self.called
        new.faceup, new.facedown, new.completed = self.faceup, self.facedown, self.completed
        new.goal, new.quiet = self.goal, self.quiet
        new.number, new.result = self.number, self.result
        new.round_drawer, new.game_drawer = self.round_drawer.copy(), self.game_drawer.copy()
        new.stack = [f if f.shared else f.copy() for f in self.stack]
        new.answers, new.events, new.sealed = None, None, False
        return new

    def own(self, seat: Seat) -> Player:
        """That player's things, to be changed: from now on no other state shares them."""
        if not self.owned >> seat & 1:
            self.players[seat] = self.players[seat].copy()
            self.owned |= 1 << seat
        return self.players[seat]

    # -- reading ---------------------------------------------------------

    def holds(self, ruling: int) -> bool:
        """Whether that ruling holds in this game by now (docs/players/rulings.md, rulings.py)."""
        return ruling <= FIRST or ruling in self.rulings

    def holder(self, character: str) -> Seat | None:
        """Who holds that character card, if anybody."""
        for seat, player in enumerate(self.players):
            if character in player.characters:
                return seat
        return None

    def names(self, numbers: list[int] | tuple[int, ...]) -> list[str]:
        cards = self.cards
        return [cards[n].name for n in numbers]

    def find(self, numbers: list[int] | tuple[int, ...], name: str) -> int:
        """The first of these cards that bears that name; the caller knows there is one."""
        cards = self.cards
        for number in numbers:
            if cards[number].name == name:
                return number
        raise LookupError(name)

    def top(self, kind: type[F]) -> F:
        """The innermost frame of that kind; the caller knows there is one."""
        for frame in reversed(self.stack):
            if isinstance(frame, kind):
                return frame
        raise LookupError(kind.__name__)

    # -- telling ---------------------------------------------------------

    def tell(self, name: str, to: Seat | None = None, /, **facts: Any) -> None:
        if self.events is not None:
            self.events.append(made(Event, (name, to, facts)))

    def tell_cards(self, name: str, to: Seat, numbers: Iterable[int]) -> None:
        """Tell one seat which cards; their names are looked up only if somebody listens."""
        if self.events is not None:
            self.events.append(made(Event, (name, to, {"cards": self.names(list(numbers))})))


class Frame:
    """One thing in progress.  Its slots hold JSON values (tuples for lists) that are
    replaced, never changed; a frame refers to seats, numbers and names, never to objects.

    A frame either asks (`asked` gives a seat) or goes on by itself (`advance`).
    """

    __slots__: tuple[str, ...] = ()
    #: how the frame is called in a stored game; never changed, see codec.ALIASES
    code: ClassVar[str] = ""
    #: the verbs that may answer its question
    verbs: ClassVar[frozenset[str]] = frozenset()
    #: asked although there may be one answer only, because silence would tell a secret (`end`
    #: aside, which is always asked for, records and scenarios don't write that answer)
    hushed: ClassVar[bool] = False

    #: replaced when it goes on, never changed, so copies of a state share it
    shared: ClassVar[bool] = False

    registry: ClassVar[dict[str, type[Frame]]] = {}
    #: the names of its slots, in alphabetical order: all that a frame is made of
    held: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        # what the class holds, not `__slots__`: a compiled class has no such attribute
        cls.held = tuple(
            sorted([name for name, thing in vars(cls).items() if type(thing) in SLOTS and name[0] != "_"])
        )
        if cls.code:
            Frame.registry[cls.code] = cls
        if MemberDescriptorType in map(type, vars(cls).values()):  # a compiled class brings its own
            cls.copy = _copier(cls)  # type: ignore[assignment]  # as a dataclass writes its methods

    def copy(self: F) -> F:
        new = self.__class__.__new__(self.__class__)
        for slot in self.held:
            setattr(new, slot, getattr(self, slot))
        return new

    def asked(self, g: State) -> Seat | None:
        """Who must decide now; None: nobody, `advance`."""
        return None

    def advance(self, g: State) -> None:
        raise NotImplementedError(self.code)

    def kind(self, g: State) -> str:
        """The name of the question."""
        return self.code

    def options(self, g: State) -> list[Option]:
        """Every legal answer, each once; many like ones as a `Family`."""
        raise NotImplementedError(self.code)

    def take(self, g: State, move: Move) -> None:
        """Do one of `options`."""
        raise NotImplementedError(self.code)

    def why_not(self, g: State, move: Move) -> Refusal:
        """Why that answer, which is not among `options`, is not."""
        raise NotImplementedError(self.code)

    def dull(self, g: State) -> Move:
        """The answer given for somebody who gives none."""
        raise NotImplementedError(self.code)

    def figures(self, g: State, move: Move) -> Figures:
        """What that answer, one of `options`, would give and cost now: for its button."""
        return NO_FIGURES

    def shows(self, g: State) -> dict[str, Any]:
        """What the one who is asked may see because of this question, for the view."""
        return {}

    def sees(self, g: State) -> tuple[int, ...]:
        """District cards in others' hands that the one who is asked has before their eyes."""
        return ()

    def holds(self) -> tuple[int, ...]:
        """District cards that lie nowhere but here."""
        return ()

    def hold(self, numbers: tuple[int, ...]) -> None:
        """Hold these instead, as many: somebody imagines what lies here unseen."""
        raise NotImplementedError(self.code)

    def holds_characters(self) -> tuple[str, ...]:
        """Character cards that lie nowhere but here."""
        return ()

    def holds_openly(self) -> bool:
        """Whether everybody has seen the cards of `holds`."""
        return False


def _copier(kind: type[Frame]) -> Callable[[Any], Any]:
    """The method `copy` of that class with every slot by its name: a door copies three frames an order, and
    going through the names costs three times as much."""
    lines = [
        "def copy(self):",
        "    new = make(kind)",
        *(f"    new.{slot} = self.{slot}" for slot in kind.held),
    ]
    found: dict[str, Any] = {"make": object.__new__, "kind": kind}
    exec("\n".join([*lines, "    return new"]), found)  # noqa: S102 - of names in our own source
    copy: Callable[[Any], Any] = found["copy"]
    return copy


def unreachable(what: object) -> NoReturn:
    """Breakage of ours, never a player's mistake."""
    raise AssertionError(what)
