"""What came of a game: its people and what they did and got while it ran, and the row that is made of it in
the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from referee.ids import NO_GAME, GameId
from referee.policy import Policy
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Deal, Game, Journal, Tx

from . import watch
from .people import DAY_MS, Person


class GameRow(NamedTuple):
    """What came of one game.  `visits`: looks at which somebody had something to say; `looks`: all of them,
    while the game ran;
        `typed`: messages that people wrote; `letters`: those that they got, `most`: the most that one of them
          got in 24 hours from the game's
        beginning on, `night`: those that came between 22 and 7 o'clock where they live, to somebody who had
          not just written; `asked`: questions put to somebody whom no plan
        answered for, `planned`: orders that a plan gave, `stops`: plans that stopped; `misses`: answers that
          did not come in time, `stood`: turns
        played by a stand-in; `refused`: orders and plans that the referee did not take.  Days are 24 hours:
          `days` from the first question to the last
    score, `last_days` those of the last deal (a miss in the first round makes a table gather anew),
    `bound_days` what the policy allows that.
    """

    game: int
    finished: bool
    days: float
    last_days: float
    bound_days: float
    rounds: int
    orders: int
    players: int
    gone: int
    deals: int
    looks: int
    visits: int
    typed: int
    letters: int
    most: int
    night: int
    asked: int
    planned: int
    stops: int
    misses: int
    stood: int
    refused: int


@dataclass(slots=True)
class PlayerAccount:
    """What one player has done and got.

    `listed` and `scripted`: for which round a list and scripts were last filed, `hand`: the hand then.
    """

    person: Person
    looks: Iterator[int]
    listed: int = 0
    scripted: int = 0
    hand: tuple[str, ...] = ()
    whom: tuple[str, ...] = ()
    stands: bool = False
    deal: str = ""
    looked: int = 0
    visits: int = 0
    called: bool = False
    night: int = 0
    wrote: int = 0
    typed: int = 0
    letters: list[int] = field(default_factory=list)


@dataclass(slots=True)
class TableAccount:
    """One game and its people."""

    number: int
    places: list[PlayerAccount]
    seed: bytes
    game_id: GameId = NO_GAME
    begun_ms: int = 0
    moved_ms: int = 0
    asked: set[int] = field(default_factory=set)
    stops: int = 0
    refused: int = 0
    row: GameRow | None = None


def account(tx: Tx, table: TableAccount, rule: Policy, players: int, now_ms: int) -> GameRow:
    """The row of a game that is over, or that nobody begins any more.  Raises LawBroken."""
    game = tx.get(Game, table.game_id)
    assert game is not None
    places, over = table.places, game.status == GameStatus.OVER
    bound = watch.over(tx, game, rule, players) if game.ended_ms else 0
    ended = game.ended_ms or now_ms
    journal = tx.all(Journal, game_id=game.id, undone=0)
    by_day = [[(at - table.begun_ms) // DAY_MS for at in place.letters] for place in places]
    return GameRow(
        game=table.number,
        finished=over,
        days=(ended - table.begun_ms) / DAY_MS,
        last_days=(game.ended_ms - game.started_ms) / DAY_MS if over else 0.0,
        bound_days=bound / DAY_MS,
        rounds=game.round,
        orders=len(journal),
        players=len(places),
        gone=sum(not place.person.here(ended) for place in places),
        deals=1 + tx.count(Deal, game_id=game.id),
        looks=sum(place.looked for place in places),
        visits=sum(place.visits for place in places),
        typed=sum(place.typed for place in places),
        letters=sum(len(place.letters) for place in places),
        most=max(days.count(day) for days in by_day for day in {*days, 0}),
        night=sum(place.night for place in places),
        asked=len(table.asked),
        planned=sum(one.by == "plan" for one in journal),
        stops=table.stops,
        misses=tx.count(Deadline, game_id=game.id, kind=DeadlineKind.MISSED),
        stood=tx.count(Deadline, game_id=game.id, kind=DeadlineKind.STOOD),
        refused=table.refused,
    )
