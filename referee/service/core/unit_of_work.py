"""What every part of the desk needs while it handles one message: the open transaction, the hour, the house.

A `Sitting` lives as long as one transaction.  Whatever it writes is on disk together or not
at all; whatever it remembers beyond that (states already decoded) is only a copy.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from referee import rules
from referee.rules import lists
from referee.rules.rulings import today
from referee.store import Game, GameEvent, Person, Seat, Tx
from referee.text.reading.limits import READING_MS

from .breakage import playing
from .reading_budget import Readings

if TYPE_CHECKING:
    from referee.text import Words


@dataclass(frozen=True, slots=True)
class ForTesting:
    """What only tests, simulations and benches set; a house that serves has it as it stands here.

    `bell` off leaves the clock to whoever calls `Clocks.ring`, `breaker` off acts upon every miss, however
    many there are. `alone`: no other process shares the book, whatever it is kept in. `seeds` throws the dice
    of new tables (so many bytes; None: the machine's own, which nobody can foresee). `reading_ms`: what
    reading one message may take of the processor's time, more where nothing may depend on it.
    """

    bell: bool = True
    breaker: bool = True
    alone: bool = False
    seeds: Callable[[int], bytes] | None = None
    reading_ms: float = READING_MS


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What an admin may set about the referee itself.  Hours are hours of wall time.

    `admins` are (channel, address) pairs that are told of trouble, `admin_entries` the same by people: the
    addresses of one entry are one person's. `bot_link` is the deep link to the Telegram bot ("{bot}" stands
    for its name), "" where there is none. On the `shy` channels nobody can be written to before they wrote.
    `channels` are those that are on; () for all. `base_url` is what links to our own pages begin with, ""
    where there are none. `messages_per_minute` and `…_hour` are what one person may write (0: as much as
    they like), strangers less; `kilobytes_per_…` how long all of it may be and `processor_ms_per_…` how much
    of the processor's time it may cost, both counted where messages are; `newcomers_per_hour` how many
    unknown senders may turn up while that is counted. The words of what was said longer than `words_days`
    days ago are forgotten (0: never). `language`: what those are spoken to in whose wire tells none.
    `pictures`: letters show the table, where their channel and reader will have it. `parking`: the folder of
    what could not be read (None: beside the book, where that is a file).
    """

    move_hours: float = 24.0
    admins: tuple[tuple[str, str], ...] = ()
    admin_entries: tuple[tuple[tuple[str, str], ...], ...] = ()
    bot_link: str = "https://t.me/{bot}?start="
    shy: tuple[str, ...] = ("telegram",)
    channels: tuple[str, ...] = ()
    sweep_seconds: float = 30.0
    games_per_person: int = 20
    base_url: str = ""
    messages_per_minute: int = 0
    messages_per_hour: int = 0
    kilobytes_per_minute: int = 0
    kilobytes_per_hour: int = 0
    processor_ms_per_minute: int = 0
    processor_ms_per_hour: int = 0
    newcomers_per_hour: int = 0
    words_days: int = 0
    language: str = "en"
    pictures: bool = False
    parking: Path | None = None
    testing: ForTesting = ForTesting()


class States:
    """Decoded games, newest last.  Keyed by the very bytes of the snapshot, so that a rolled back
    transaction or an undo can never leave a wrong state behind."""

    def __init__(self, room: int = 512) -> None:
        self._room = room
        self._kept: OrderedDict[int, tuple[bytes, Any, tuple[rules.Ask, ...] | None]] = OrderedDict()

    def of(self, game: Game) -> Any:
        """The state of a running game.

        Raises StateError, with the game among its facts, for one that can't be read.
        """
        assert game.id is not None
        kept = self._kept.get(game.id)
        if kept is not None and kept[0] == game.snapshot:
            self._kept.move_to_end(game.id)
            return kept[1]
        try:
            with playing(game.id):
                state = rules.load(json.loads(game.snapshot))
        except rules.StateError as error:
            error.facts["game"] = game.id
            raise
        self.keep(game.id, game.snapshot, state)
        return state

    def waiting(self, game: Game) -> tuple[rules.Ask, ...]:
        """The questions that wait in a running game."""
        state = self.of(game)
        kept = self._kept.get(int(game.id or 0))
        if kept is not None and kept[1] is state and kept[2] is not None:
            return kept[2]
        with playing(game.id):
            return rules.asks(state)

    def keep(
        self, game_id: int, snapshot: bytes, state: Any, waiting: tuple[rules.Ask, ...] | None = None
    ) -> None:
        """Remember what was just written, with the questions of that state where they are at hand."""
        self._kept[game_id] = (snapshot, state, waiting)
        self._kept.move_to_end(game_id)
        while len(self._kept) > self._room:
            self._kept.popitem(last=False)


@dataclass(slots=True)
class Sitting:
    """One transaction's work.  `wakes` tells the loops what changed: "post", "clock", "desk"."""

    tx: Tx
    now_ms: int
    words: Words
    settings: ServiceSettings
    states: States
    wakes: set[str] = field(default_factory=set)
    people: dict[int, Person] = field(
        default_factory=dict
    )  # whose rows were read, and are not changed, by this job
    readings: Readings = field(default_factory=Readings)  # of the message that is handled
    inbox_id: int | None = None  # the number of the message that is handled
    about: dict[str, Any] = field(
        default_factory=dict
    )  # for the log's line: game, seat, wish; never words or cards

    def seats(self, game_id: int) -> list[Seat]:
        """The seats of a table in clockwise order."""
        return self.tx.all(Seat, game_id=game_id, order="no")


def written(value: Any) -> str:
    """Plain values as the JSON text of a column."""
    return msgspec.json.encode(value).decode()


def names(seats: list[Seat]) -> list[str]:
    """The in-game names by seat number."""
    return [seat.name for seat in seats]


def settings_of(game: Game) -> dict[str, Any]:
    """The table's own settings: seats, hours, policy, entry, options; choice, what was asked for of the
    cards; and once it was dealt, cast and uniques, rulings and ruled (see rulings.py); at a table of a
    league, what it knows of that (league_facts.py) and who has the first crown.
    """
    found: dict[str, Any] = msgspec.json.decode(game.settings)
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
        rulings=tuple(table.get("rulings", ())) if game.snapshot else today(),
    )


def drawn_for(game: Game, players: int) -> lists.Drawn:
    """The cards of a table: as they were dealt, or what its creator asked for comes to with so many players.
    Raises SetupError where it comes to nothing."""
    table = settings_of(game)
    if "cast" in table:
        return lists.Drawn(tuple(table["cast"]), tuple(table["uniques"]))
    return lists.choose(
        game.edition, players, lists.choice_of(table.get("choice", {})), bytes.fromhex(game.seed)
    )


def told(
    sitting: Sitting, game_id: int, number: int, name: str, facts: Mapping[str, Any], to: int | None = None
) -> dict[str, Any]:
    """One event under the given number, as a row to be written."""
    return {
        "game_id": game_id,
        "no": number,
        "to_seat": to,
        "name": name,
        "facts": written(facts),
        "at_ms": sitting.now_ms,
    }


def tell(
    sitting: Sitting, game_id: int, number: int, name: str, facts: dict[str, Any], to: int | None = None
) -> None:
    """Write one event under the given number."""
    sitting.tx.add(GameEvent, **told(sitting, game_id, number, name, facts, to))
