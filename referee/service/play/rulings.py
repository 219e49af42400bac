"""Rulings that come to games which are being played (`referee.rules.rulings`): brought to each once when a
newer referee starts, and told.

A table's settings hold under which rulings it was dealt ("rulings") and which came to it since, each with the
number of the last order before it ("ruled"). What was played stands; the journal is played again under the
rules of its time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from referee import rules
from referee.ids import NO_GAME, EventNo, GameId, SeatNo
from referee.rules import Move, record
from referee.rules.notation import read_order
from referee.rules.rulings import for_running
from referee.states import GameStatus
from referee.store import Game, Journal, Meta, Seat, Store, StoreFull, Tx, Undo

from ..core import outbox
from ..core.alarms import Alarm
from ..core.letters import Notice
from ..core.unit_of_work import TableEvent, UnitOfWork, json_text, names, settings_of, setup_of, tell_all
from ..people.letter_facts import NoticeFacts
from ..people.replies import alert
from . import bot_turns, enacting, moves

log = logging.getLogger(__name__)
#: up to which rulings every running game has been brought
_NAME = "rulings"
#: this many games are looked for at a time
_BATCH = 200


def came(game: Game) -> list[tuple[int, int]]:
    """(ruling, number of the last order before it): what came to a table since its deal, the first first."""
    return [(int(ruling), int(after)) for ruling, after in settings_of(game).get("ruled", ())]


def missing(game: Game) -> list[int]:
    """The rulings for running games that have not come to this one."""
    table = settings_of(game)
    has = {*table.get("rulings", ()), *(ruling for ruling, _ in came(game))}
    return [number for number in for_running() if number not in has]


def under(game: Game, state: Any) -> Any:
    """An earlier position of the game under the rulings that have come to it since."""
    for ruling, _ in came(game):
        state = rules.ruled(state, ruling).state
    return state


def orders(
    game: Game, seats: Sequence[Seat], lines: Sequence[Journal]
) -> Iterator[tuple[SeatNo, Move] | record.Ruled]:
    """A journal as a record is made of it: its orders, and where a ruling came.

    Raises Refusal for what is no order, SetupError.
    """
    called, book = names(list(seats)), rules.rulebook(setup_of(game, list(seats)))
    marks = came(game)
    for line in lines:
        while marks and marks[0][1] < line.no:
            yield record.Ruled(marks.pop(0)[0])
        yield line.seat, read_order(line.order, called, book)
    for ruling, _ in marks:
        yield record.Ruled(ruling)


def bring(uow: UnitOfWork, game: Game) -> bool:
    """Let the rulings come to a running table that have not yet, and tell everybody there.

    False where there are none. An order given before can't be taken back any more.
    """
    numbers = missing(game)
    if not numbers:
        return False
    tx, number = uow.tx, game.id
    state = uow.states.of(game)
    events: list[TableEvent] = []
    for ruling in numbers:
        outcome = rules.ruled(state, ruling)
        state = outcome.state
        events.append(("ruling", {"ruling": ruling}, None))
        events += [(e.name, e.facts, e.to) for e in outcome.events]
    done, seats = moves.OrderAttempt(state), uow.seats(number)
    if state.stack and not any(one.moves or one.families for one in done.waiting):
        raise LookupError(f"under ruling {numbers[-1]} the open question of game {number} has no answer")
    tell_all(uow, number, EventNo(game.event_no + 1), events)
    tx.drop(Undo, game_id=number)
    snapshot = uow.states.encoded(number, state, done.waiting)
    settings = {**settings_of(game), "ruled": [*came(game), *((ruling, game.move_no) for ruling in numbers)]}
    first = done.waiting[0].number if done.waiting else 0
    fresh = tx.renew(
        Game,
        game,
        settings=json_text(settings),
        snapshot=snapshot,
        event_no=game.event_no + len(events),
        round=state.round,
        question=first,
        asked=",".join(str(one.seat) for one in done.waiting),
    )
    bot_turns.let_bots(done, seats)
    fresh = enacting.enact(uow, fresh, seats, done)
    for ruling in numbers:
        said = NoticeFacts([Notice(f"ruling-{ruling}", {"game": number})], ruling=ruling)
        for seat in seats:
            outbox.to_seat(uow, fresh, seat, said)
        outbox.to_rooms(uow, fresh, said)
    return True


class RulesUpgrade:
    """Goes to every running game once, when the referee starts."""

    def __init__(
        self, store: Store, sit: Callable[[Tx], UnitOfWork], woke: Callable[[UnitOfWork], None], alarm: Alarm
    ) -> None:
        self._store, self._sit, self._woke, self._alarm = store, sit, woke, alarm

    async def run(self) -> None:
        """`once`, as soon as there is room on the disk."""
        await self._alarm.until_written(self.once)

    async def once(self) -> int:
        """Bring what is due to every running game, each in a transaction of its own; to how many it came.

        Broken off, it is gone on with at the next start. A game that a ruling would break stays as it is, and
        the admin hears of it.
        """
        wanted = for_running()
        if not wanted:
            return 0
        meta = await self._store.read(lambda tx: tx.get(Meta, _NAME))
        if meta is not None and meta.value == _said(wanted):
            return 0
        changed, last = 0, NO_GAME
        while numbers := await self._store.read(partial(_running, last=last)):
            for number in numbers:
                changed += await self._one(number)
            last = numbers[-1]
        await self._store.write(lambda tx: tx.put(Meta, name=_NAME, value=_said(wanted)))
        if changed:
            log.info("rulings %s came to %s games", _said(wanted), changed)
        return changed

    async def _one(self, number: GameId) -> bool:
        try:
            uow, changed = await self._store.write(partial(self._bring, number=number))
        except StoreFull:
            raise
        except Exception:
            # whatever a ruling breaks: the other games are brought on, this one stays as it was
            log.exception("a ruling could not come to game %s", number)
            uow, changed = await self._store.write(partial(self._broke, number=number)), False
        self._woke(uow)
        return changed

    def _bring(self, tx: Tx, number: GameId) -> tuple[UnitOfWork, bool]:
        uow = self._sit(tx)
        game = tx.get(Game, number)
        return uow, game is not None and game.status == GameStatus.RUNNING and bring(uow, game)

    def _broke(self, tx: Tx, number: GameId) -> UnitOfWork:
        uow = self._sit(tx)
        alert(uow, "ruling-broke", game=number)
        return uow


def _running(tx: Tx, last: GameId) -> list[GameId]:
    found: list[GameId] = tx.column(
        Game, "id", status=GameStatus.RUNNING, after={"id": last}, order="id", limit=_BATCH
    )
    return found


def _said(numbers: Sequence[int]) -> str:
    return ",".join(map(str, numbers))
