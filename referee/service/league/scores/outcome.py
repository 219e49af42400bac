"""How a table ended, and why: its result code with its reason.

Most is what its state says; the rest stands in its facts, as `outcome` {code, cause, why}.
"""

from __future__ import annotations

import json
from enum import StrEnum
from typing import NamedTuple

from referee.ids import PersonId, SeatNo
from referee.states import TableState
from referee.store import Game, SeasonTable

from ...core.unit_of_work import UnitOfWork, json_text
from ...deadlines import clock_state
from .. import hooks, lookup

#: the longest reason that is kept
WHY_MOST = 200


class Code(StrEnum):
    """How a table was decided."""

    PLAYED = "played"
    RULED = "ruled"  # by the clock: its time was up
    FORFEIT = "forfeit"  # those who left it, or were declared to have lost it, are last
    ADJUDICATED = "adjudicated"  # an official decided
    VOID = "void"


class Outcome(NamedTuple):
    """How a table ended.

    code   see `Code`, "" while nothing is decided
    cause  what brought it about: time (its time was up), absent (nobody came), given-up (the game was),
           alone (all but one had left), season (the season was called off), "" (see `why`)
    why    what an official said, as it was typed
    """

    code: str
    cause: str = ""
    why: str = ""


_OF_STATE = {
    TableState.OVER: Code.PLAYED,
    TableState.RULED: Code.RULED,
    TableState.VOID: Code.VOID,
}


def of_table(table: SeasonTable) -> Outcome:
    """How a table ended; what is older than reasons has none."""
    usual = _OF_STATE.get(TableState(table.state))
    if usual is None:
        return Outcome("")
    said = json.loads(table.facts).get("outcome")
    return Outcome(usual) if said is None else Outcome(**said)


def decided(uow: UnitOfWork, table: SeasonTable, state: TableState, ended_ms: int, how: Outcome) -> None:
    """Write down that a table ended so."""
    facts = json.loads(table.facts)
    facts["outcome"] = {"code": how.code, "cause": how.cause, "why": how.why[:WHY_MOST]}
    uow.tx.set(SeasonTable, table.id, state=state, ended_ms=ended_ms, facts=json_text(facts))


def left(clocks: clock_state.TableTime, no: SeatNo) -> bool:
    """Whether nobody waits for the person of a seat any more, and it is on offer."""
    return clocks.seat(no).probation and clocks.seat(no).offered


def alone(uow: UnitOfWork, game: Game) -> SeatNo | None:
    """The seat of the one person who stayed where everybody else has left or never came."""
    clocks, seats = clock_state.read_clocks(game), uow.seats(game.id)
    stayed = [seat.no for seat in seats if seat.person_id is not None and not left(clocks, seat.no)]
    return stayed[0] if len(stayed) == 1 < len(seats) else None


def there(uow: UnitOfWork, table: SeasonTable) -> list[PersonId]:
    """Who was at a table that does not count: before it was laid, everybody who was drawn for it; while it
    gathered, who had said so; later, who has its seats and is waited for. In whose place an official put
    somebody else is one of them.
    """
    game = lookup.game_of(uow, table)
    if game is None:
        return lookup.people_of(table)
    clocks, told = clock_state.read_clocks(game), hooks.read_league(game)
    found = [
        seat.person_id
        for seat in uow.seats(game.id)
        if seat.person_id is not None and (not left(clocks, seat.no) if game.snapshot else seat.ready)
    ]
    away = [] if told is None else told.get("left", [])
    return [*found, *(PersonId(int(who)) for who, why in away if why == "substituted" and who not in found)]
