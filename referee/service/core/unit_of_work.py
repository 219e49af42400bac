"""What every handler needs while it handles one message: the open transaction, the hour, the settings,
the games at hand, what the message is read as.

A `UnitOfWork` lives as long as one transaction.  Whatever it writes is on disk together or not
at all; whatever it remembers beyond that (states already decoded) is only a copy.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from referee import rules
from referee.ids import NO_GAME, EventNo, GameId, InboxId, PersonId, SeatNo
from referee.rules import Refusal, SetupError, StateError, lists
from referee.rules.rulings import today
from referee.store import Game, GameEvent, Person, Seat, SeatPlan, StoreConflict, StoreFull, Tx
from referee.text import Intent, NotUnderstood, Reading, read_intent
from referee.text.meter import TooCostly, metered
from referee.text.reading.limits import READING_MS
from referee.text.reading.plan_heads import SHORT, PlanHead, plan_head

from .settings import ServiceSettings
from .table_settings import TableSettings

if TYPE_CHECKING:
    from referee.store import Store
    from referee.text import Words

    from .alarms import Alarm

#: what a table is told: its name, its facts, the only seat that hears of it (None: all do)
TableEvent = tuple[str, Mapping[str, Any], SeatNo | None]
T = TypeVar("T")
_TOO_COSTLY = object()


class GameBroke(Exception):
    """Loading or playing a game's position broke; `game_id`: whose."""

    def __init__(self, game_id: GameId, why: str) -> None:
        super().__init__(f"game {game_id}: {why}")
        self.game_id = game_id


@contextmanager
def playing(game_id: GameId | None) -> Iterator[None]:
    """Within, only this game's position is worked on: what breaks, breaks in it.

    That is the only thing for which a game is frozen. A message that breaks something else (the reading of
    it, a letter, an account) is set aside, and every game goes on: else the person who finds a message that
    breaks us could stop their own clock with it. A refusal is no breakage.
    """
    try:
        yield
    except (Refusal, SetupError, StateError, GameBroke, StoreFull, StoreConflict):
        raise
    except Exception as broken:  # whatever the rules may raise: it is this game that broke
        if game_id is None:
            raise
        raise GameBroke(game_id, f"{type(broken).__name__}: {broken}") from broken


def broken_game(error: BaseException | None) -> GameId:
    """The game that broke, 0 where none did."""
    if isinstance(error, GameBroke):
        return error.game_id
    return GameId(int(error.facts.get("game", 0))) if isinstance(error, StateError) else NO_GAME


class StateCache:
    """Decoded games, newest last.  Keyed by the very bytes of the snapshot, so that a rolled back
    transaction or an undo can never leave a wrong state behind."""

    def __init__(self, room: int = 512) -> None:
        self._room = room
        self._kept: OrderedDict[GameId, tuple[bytes, Any, tuple[rules.Ask, ...] | None]] = OrderedDict()

    def of(self, game: Game) -> Any:
        """The state of a running game.

        Raises StateError, with the game among its facts, for one that can't be read.
        """
        kept = self._kept.get(game.id)
        if kept is not None and kept[0] == game.snapshot:
            self._kept.move_to_end(game.id)
            return kept[1]
        try:
            with playing(game.id):
                state = rules.load(msgspec.json.decode(game.snapshot))
        except StateError as error:
            error.facts["game"] = game.id
            raise
        self.keep(game.id, game.snapshot, state)
        return state

    def position(self, game: Game) -> tuple[Any, tuple[rules.Ask, ...]]:
        """The state of a running game, and the questions that wait in it.  Raises StateError, as `of`."""
        state = self.of(game)
        kept = self._kept.get(game.id)
        if kept is not None and kept[1] is state and kept[2] is not None:
            return state, kept[2]
        with playing(game.id):
            return state, rules.asks(state)

    def encoded(self, game_id: GameId, state: Any, waiting: tuple[rules.Ask, ...] | None = None) -> bytes:
        """The snapshot of a state that is about to be written.  It is remembered, with the questions of that
        state where they are at hand.
        """
        snapshot = encoded(state)
        self.keep(game_id, snapshot, state, waiting)
        return snapshot

    def keep(
        self, game_id: GameId, snapshot: bytes, state: Any, waiting: tuple[rules.Ask, ...] | None = None
    ) -> None:
        """Remember a state and its snapshot."""
        self._kept[game_id] = (snapshot, state, waiting)
        self._kept.move_to_end(game_id)
        while len(self._kept) > self._room:
            self._kept.popitem(last=False)


@dataclass(slots=True)
class Readings:
    """What one message is read as; each reading is made once.

    A long message is read before the writer is entered (`inbound.read_ahead`, on a reader's thread): what was
    found is taken along, and nobody waits for it. `most_ms`: what all readings may take of the processor's
    time; then the message is refused in words. `spent_ms`: what they took so far.
    """

    most_ms: float = READING_MS
    spent_ms: float = 0.0
    _found: dict[Hashable, Any] = field(default_factory=dict, init=False)

    def of(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was read under that key, else read now.

        Raises TooCostly, then and ever after, where that takes too long.
        """
        if key not in self._found:
            try:
                with self.metered():
                    self._found[key] = make()
            except TooCostly:
                self._found[key] = _TOO_COSTLY
        found = self._found[key]
        if found is _TOO_COSTLY:
            raise TooCostly
        made: T = found
        return made

    def intent(
        self, text: str, reading: Reading, *, private: bool, addressed: bool
    ) -> Intent | NotUnderstood:
        """What a message wants.  Raises TooCostly."""

        def read() -> Intent | NotUnderstood:
            return read_intent(text, reading, private=private, addressed=addressed)

        if reading.ask is not None:  # in a room, by somebody who is asked: what it means depends on that
            with self.metered():
                return read()
        return self.of(("wish", text, reading.language, private, addressed), read)

    def plan_head(self, text: str, private: bool, language: str, own: tuple[Any, ...]) -> PlanHead:
        """What a message has to do with plans.  Raises TooCostly."""
        if len(text) <= SHORT:
            return plan_head(text, private, language, own)
        return self.of(
            ("look", text, private, language), lambda: plan_head.__wrapped__(text, private, language, own)
        )

    def metered(self) -> metered:
        """What is read within counts."""
        return metered(self.most_ms - self.spent_ms, self._spend)

    def _spend(self, milliseconds: float) -> None:
        self.spent_ms += milliseconds


@dataclass(slots=True)
class MissAllowance:
    """How many deadlines may still be missed before `until_ms` (UTC) without a new count of the day's misses
    (`time/misses.py`). One for the process: what another process lets pass meanwhile is not known here.
    """

    left: int = 0
    until_ms: int = 0


@dataclass(slots=True)
class UnitOfWork:
    """One transaction's work.  `wakes` tells the loops what changed: "post", "clock", "desk", "bots"."""

    tx: Tx
    now_ms: int
    words: Words
    settings: ServiceSettings
    states: StateCache
    wakes: set[str] = field(default_factory=set)
    people: dict[PersonId, Person] = field(
        default_factory=dict
    )  # whose rows were read, and are not changed, by this job
    readings: Readings = field(default_factory=Readings)  # of the message that is handled
    allowance: MissAllowance = field(default_factory=MissAllowance)
    inbox_id: InboxId | None = None  # the number of the message that is handled
    about: dict[str, Any] = field(
        default_factory=dict
    )  # for the log's line: game, seat, wish; never words or cards
    told: set[tuple[PersonId | None, str, str]] = field(
        default_factory=set
    )  # to whom letters were queued by this job: the person (None: a room), channel, place

    def seats(self, game_id: GameId) -> list[Seat]:
        """The seats of a table in clockwise order."""
        return self.tx.all(Seat, game_id=game_id, order="no")

    def plans(self, game_id: GameId | None) -> dict[SeatNo, SeatPlan]:
        """The plans of a table by seat."""
        return {row.seat: row for row in self.tx.all(SeatPlan, game_id=game_id)}


@dataclass(frozen=True, slots=True)
class Context:
    """What every loop of the running referee works with: made once, and handed to each part that needs it.

    `clock_ms` is UTC wall time in milliseconds, `states` the games at hand in the store's writer, `woke` must
    be called with every `UnitOfWork` once its transaction is over.
    """

    store: Store
    words: Words
    settings: ServiceSettings
    clock_ms: Callable[[], int]
    states: StateCache
    woke: Callable[[UnitOfWork], None]
    alarm: Alarm
    allowance: MissAllowance = field(default_factory=MissAllowance)

    def uow(self, tx: Tx) -> UnitOfWork:
        """The unit of work of one transaction, in a job of the store's writer."""
        readings = Readings(self.settings.testing.reading_ms)
        return UnitOfWork(
            tx,
            self.clock_ms(),
            self.words,
            self.settings,
            self.states,
            readings=readings,
            allowance=self.allowance,
        )


class Shell(NamedTuple):
    """What the command line has: the words, the settings, the hour in UTC milliseconds, and the language that
    its user reads.
    """

    words: Words
    settings: ServiceSettings
    now_ms: int
    language: str = "en"

    def uow(self, tx: Tx) -> UnitOfWork:
        """The unit of work of one transaction, with no game at hand."""
        return UnitOfWork(tx, self.now_ms, self.words, self.settings, StateCache())


def encoded(state: Any) -> bytes:
    """A state as the bytes of a snapshot."""
    return msgspec.json.encode(rules.dump(state, shared=True))


def json_text(value: Any) -> str:
    """Plain values as the JSON text of a column."""
    return msgspec.json.encode(value).decode()


def names(seats: list[Seat]) -> list[str]:
    """The in-game names by seat number."""
    return [seat.name for seat in seats]


def with_bots(view: dict[str, Any], seats: Sequence[Seat]) -> dict[str, Any]:
    """The same view, which says of each player made of code of what level and manner it is."""
    for player in view["players"]:
        player["bot"] = seats[player["seat"]].bot
    return view


def settings_of(game: Game) -> TableSettings:
    """The table's own settings."""
    found: TableSettings = msgspec.json.decode(game.settings)
    return found


def talk_mode(game: Game) -> str:
    """How one may talk at a table now: a mode of `referee.text.reading.talking`."""
    table = settings_of(game)
    return str(table.get("talk_now") or table.get("talk") or "open")


def setup_of(game: Game, seats: list[Seat]) -> rules.Setup:
    """The rules' own words for this table."""
    table = settings_of(game)
    drawn = drawn_for(game, len(seats))
    return rules.Setup(
        edition=game.edition,
        players=tuple(names(seats)),
        options=table["options"],
        cast=drawn.cast,
        uniques=drawn.uniques,
        crown=table.get("crown"),
        rulings=_rulings(game, table),
    )


def _rulings(game: Game, table: TableSettings) -> tuple[int, ...]:
    """Those under which a table was dealt, or would be now."""
    return tuple(table.get("rulings", ())) if game.snapshot else today()


def drawn_for(game: Game, players: int) -> lists.Drawn:
    """The cards of a table: as they were dealt, or what its creator asked for comes to with that many
    players. Raises SetupError where it comes to nothing."""
    table = settings_of(game)
    if "cast" in table:
        return lists.Drawn(tuple(table["cast"]), tuple(table["uniques"]))
    choice = lists.choice_of(table.get("choice", {}))
    return lists.choose(game.edition, players, choice, bytes.fromhex(game.seed), _rulings(game, table))


def write_event(
    uow: UnitOfWork,
    game_id: GameId,
    number: EventNo,
    name: str,
    facts: Mapping[str, Any],
    to: SeatNo | None = None,
) -> None:
    """Write one event under the given number; `to`: the only seat that hears of it."""
    tell_all(uow, game_id, number, [(name, facts, to)])


def tell_all(uow: UnitOfWork, game_id: GameId, number: EventNo, events: Iterable[TableEvent]) -> None:
    """Write several under the numbers from the given one on."""
    uow.tx.add_all(
        GameEvent,
        [
            {
                "game_id": game_id,
                "no": no,
                "to_seat": to,
                "name": name,
                "facts": json_text(facts),
                "at_ms": uow.now_ms,
            }
            for no, (name, facts, to) in enumerate(events, number)
        ],
    )
