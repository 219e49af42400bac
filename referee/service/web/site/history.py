"""A table step by step: what happened, and how everything stood then, as everybody could see it; and the
record once the game is over.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any

from referee.ids import EventNo, GameId, MoveNo, SeatNo
from referee.states import GameStatus
from referee.store import Game, Seat, Tx

from ...cards.card_help import in_game
from ...core.unit_of_work import StateCache, names
from ...play.records import record_text
from ...play.replay import GameHistory, GameRows, ReplayEvent, ReplayStep, unrolled, whole
from .characters import character_row
from .comments import comment_facts, comments_version
from .page_cache import PageContext, PageSpec, Wanted
from .table import about
from .visibility import visible_table

#: this many tables' pasts are kept, of half a megabyte each
KEPT = 64
#: after a game was played again the next one waits this many times as long: whatever strangers ask for, they
#: take a quarter of a processor
_REST = 3
#: after these a past is not gone on with but played again from the beginning: another deal, and what is no
#: longer as it was read
_ANEW = frozenset({"gathers_anew", "miss_forgiven", "renamed"})


class HistoryCache:
    """The pasts of the tables that were looked at last, as everybody saw them, or a seat did."""

    def __init__(
        self,
        room: int = KEPT,
        clock_s: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._room, self._clock_s, self._pause = room, clock_s, pause
        self._pasts: OrderedDict[tuple[GameId, SeatNo | None], GameHistory] = OrderedDict()
        self._playing, self._free = asyncio.Lock(), 0.0

    def put(self, game_id: GameId, past: GameHistory, seat: SeatNo | None = None) -> None:
        """Keep a past, however it was made."""
        self._pasts[game_id, seat] = past
        self._pasts.move_to_end((game_id, seat))
        while len(self._pasts) > self._room:
            self._pasts.popitem(last=False)

    def known(self, game_id: GameId, seat: SeatNo | None, players: list[str]) -> GameHistory | None:
        """A past as far as it was followed; none under other names, which somebody may have given up."""
        past = self._pasts.get((game_id, seat))
        return past if past is not None and past.players == players else None

    async def play_again(self, rows: GameRows, seat: SeatNo | None = None) -> None:
        """Make a past that is not known up to these rows, in a thread of its own and one at a time, no matter
        who asks for how many.
        """
        async with self._playing:
            past = self.known(rows.game.id, seat, names(rows.seats))
            if past is None or past.upto < rows.game.event_no:
                await self._pause(self._free - self._clock_s())
                began = self._clock_s()
                self.put(rows.game.id, await asyncio.to_thread(unrolled, rows, seat), seat)
                ended = self._clock_s()
                self._free = ended + _REST * (ended - began)

    def now(self, tx: Tx, game: Game, states: StateCache | None = None) -> GameHistory:
        """A table's past up to now.  In the store's reader for visitors only."""
        number, seats = game.id, tx.all(Seat, game_id=game.id, order="no")
        past = self.known(number, None, names(seats))
        if past is not None and past.upto < game.event_no:
            events = tx.events_of(game, EventNo(past.upto))
            if past.whole and not any(one.name in _ANEW for one in events):
                past.follow(
                    GameRows(
                        game,
                        seats,
                        tx.orders_of(game, MoveNo(past.line)),
                        events,
                    ),
                    None if states is None else states.of(game),
                )
            else:
                past = None
        if past is None or past.upto > game.event_no:
            past = unrolled(whole(tx, game))
        self.put(number, past)
        return past


def rows_to_unroll(tx: Tx, shelf: HistoryCache, wanted: Wanted, *, ended: bool = False) -> GameRows | None:
    """What is to be unrolled before a page of the past can be made, anywhere but in the reader, where other
    pages would wait for it; None where nothing is.  `ended`: the page tells the past of a finished game only.
    """
    game = visible_table(tx, wanted)
    if game is None or not game.snapshot or (ended and game.status != GameStatus.OVER):
        return None
    called = names(tx.all(Seat, game_id=game.id, order="no"))
    return whole(tx, game) if shelf.known(game.id, None, called) is None else None


def pages(shelf: HistoryCache) -> dict[str, PageSpec]:
    """The pages of the past, over the pasts of this shelf."""

    def version(look: PageContext, wanted: Wanted) -> Hashable | None:
        game = visible_table(look.tx, wanted)
        if game is None or not game.snapshot:
            return None
        past = shelf.now(look.tx, game, look.states)
        return game.status, past.upto, tuple(past.players), comments_version(look.tx, game)

    def facts(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
        game = visible_table(look.tx, wanted)
        if game is None:
            return None
        steps = shelf.now(look.tx, game, look.states).steps
        step = number_of(wanted) if wanted.get("step") else len(steps)
        if not 1 <= step <= len(steps):
            return None
        seats = look.tx.all(Seat, game_id=game.id, order="no")
        players = tuple(names(seats))
        return {
            **about(look, game, seats, wanted),
            **step_facts(look, game, steps, step, lambda told: step_sentences(look, game.id, told, players)),
            **comment_facts(look.tx, game, steps, step, players),
        }

    def record(look: PageContext, wanted: Wanted) -> tuple[str, str] | None:
        game = visible_table(look.tx, wanted)
        if game is None or game.status != GameStatus.OVER:
            return None  # while it is played the orders are secrets
        return f"citadels-{game.id}.txt", record_text(look.tx, game.id)

    def done(look: PageContext, wanted: Wanted) -> Hashable | None:
        game = visible_table(look.tx, wanted)
        return None if game is None else (game.status, game.event_no, game.settings)

    return {
        "history": PageSpec(("game", "key", "step"), version, facts),
        "record": PageSpec(("game", "key"), done, file=record),
    }


def number_of(wanted: Wanted) -> int:
    """The step that is wanted, 0 for none."""
    said = wanted.get("step", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) <= 6 else 0


def step_facts(
    look: PageContext,
    game: Game,
    steps: Sequence[ReplayStep],
    step: int,
    worded: Callable[[tuple[ReplayEvent, ...]], list[str]],
) -> dict[str, Any]:
    """What a page of step number `step` is filled with, beside who sits there; `worded` makes its
    sentences.
    """
    here = steps[step - 1]
    view = here.view
    firsts = {one.round: n for n, one in reversed(list(enumerate(steps, 1)))}
    return {
        "step": step,
        "last": len(steps),
        "at_ms": here.told[-1].at_ms,
        "view": view,
        "characters": [] if view is None else character_row(view, in_game(look.states, game)[0]),
        "lines": worded(here.told),
        "round": here.round,
        "rounds": dict(sorted(firsts.items())),
        "steps": [
            {"no": n, "lines": worded(one.told)} for n, one in enumerate(steps, 1) if one.round == here.round
        ],
    }


def step_sentences(
    look: PageContext, game_id: GameId, told: tuple[ReplayEvent, ...], players: tuple[str, ...]
) -> list[str]:
    """The sentences of a step."""
    lines = [look.event(game_id, one.no, one.name, one.facts, players) for one in told]
    return [line for line in lines if line]
