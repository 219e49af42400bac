"""A game of bots for anybody to look at: the real rules, a move every few seconds, kept nowhere.

It goes on only while somebody looks, one move for all who do. After the end its score stands for a while;
then another game begins.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee import rules
from referee.bots import BOTS
from referee.rules import Ask, Outcome, Refusal, Setup

#: the edition that is shown, and what the bots are called
EDITION, PLAYERS = "classic", ("Flora", "Marco", "Nina", "Tito")
#: seconds from one move to the next, and how many moves' time the end of a game is shown
PACE_S, END = 3.0, 7
#: the first game that somebody sees is this many rounds old: there are cities to look at
_ROUND = 3
#: this many events are told of; this many pages hear of each move
_EVENTS, LISTENERS = 24, 100
#: no game has as many moves
_MOST = 5_000


class DemoPosition(NamedTuple):
    """A moment of the game: what everybody may see, and what happened (number, name, facts), oldest first."""

    mark: str
    number: int
    view: Mapping[str, Any]
    cast: tuple[str, ...]
    events: tuple[tuple[int, str, Mapping[str, Any]], ...]


@dataclass(slots=True)
class _Game:
    """The game as it is played."""

    number: int
    state: Any
    dice: random.Random
    moves: int = 0
    told: deque[tuple[int, str, Mapping[str, Any]]] = field(default_factory=lambda: deque(maxlen=_EVENTS))
    count: int = 0

    def play(self, upto: int) -> None:
        """One move, and on until all have picked; or until that round has come."""
        for _ in range(_MOST):
            asked = rules.asks(self.state)
            if not asked:
                return
            self._move(asked[0])
            view = rules.view(self.state, None)
            if view["phase"] != "draft" and view["round"] >= upto:
                return

    def _move(self, ask: Ask) -> None:
        """What a bot answers; the dullest order where the rules refuse that."""
        self.moves += 1
        chosen = BOTS["greedy"].choose(rules.view(self.state, ask.seat), self.dice)
        try:
            self.tell(rules.play(self.state, ask.seat, chosen))
        except Refusal:
            self.tell(rules.play(self.state, ask.seat, rules.dull(self.state, ask.seat)))

    def tell(self, outcome: Outcome) -> None:
        """Take over where a move led, and what of it everybody saw."""
        self.state = outcome.state
        for event in outcome.events:
            if event.to is None:
                self.count += 1
                self.told.append((self.count, event.name, event.facts))


class Demo:
    """The one game of the house; `now_s` is a clock that never goes back."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        self.pace_s, self._now_s, self._due_s = PACE_S, now_s, 0.0
        self._game: _Game | None = None
        self._lock = asyncio.Lock()
        self._seen: DemoPosition | None = None
        self._listeners = set[DemoStream]()

    @property
    def listeners(self) -> int:
        """How many pages hear of its moves."""
        return len(self._listeners)

    async def listen(self) -> DemoStream | None:
        """Hear of its moves; None where as many pages do as may."""
        if self.listeners >= LISTENERS:
            return None
        stream = DemoStream(self, (await self.position()).mark, self._listeners.discard)
        self._listeners.add(stream)
        return stream

    async def position(self) -> DemoPosition:
        """How it stands now; a move that is due is played first, in a thread of its own."""
        async with self._lock:
            if self._seen is None or self._now_s() >= self._due_s:
                self._seen = await asyncio.to_thread(self._next)
                over = "result" in self._seen.view
                self._due_s = self._now_s() + self.pace_s * (END if over else 1)
            return self._seen

    @property
    def seen(self) -> DemoPosition:
        """How it stood when somebody asked last."""
        assert self._seen is not None
        return self._seen

    def wait_s(self) -> float:
        """How long it is until the next move."""
        return max(0.05, self._due_s - self._now_s())

    def _next(self) -> DemoPosition:
        """Play on to the next moment that is worth a look: who picks which character in secret is none."""
        game = self._game
        if game is None or not rules.asks(game.state):
            first, number = game is None, 1 if game is None else game.number + 1
            game = self._game = _dealt(number)
            game.play(_ROUND if first else 1)
        else:
            game.play(0)
        view = rules.view(game.state, None)
        cast = tuple(rules.rulebook(game.state).characters)
        return DemoPosition(f"d{game.number}m{game.moves}", game.number, view, cast, tuple(game.told))


class DemoStream:
    """One page that shows the game (`referee.ports.Stream`)."""

    def __init__(self, demo: Demo, mark: str, gone: Callable[[DemoStream], None]) -> None:
        self.mark = mark
        self._demo, self._gone = demo, gone

    async def changed(self) -> str | None:
        """Wait for the next move."""
        while True:
            await asyncio.sleep(self._demo.wait_s())
            found = await self._demo.position()
            if found.mark != self.mark:
                self.mark = found.mark
                return self.mark

    def close(self) -> None:
        """Nobody listens any more."""
        self._gone(self)


def _dealt(number: int) -> _Game:
    outcome = rules.new_game(Setup(edition=EDITION, players=PLAYERS), number.to_bytes(32, "big"))
    game = _Game(number, outcome.state, random.Random(number))
    game.tell(outcome)
    return game
