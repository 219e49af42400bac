"""Marks: what stands for all that somebody sees of a table, so that it can be told when that is another than
before.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any, NamedTuple

from referee import rules
from referee.ids import NOBODY, GameId, PersonId, SeatNo
from referee.states import DeadlineKind, GameStatus, ProposalState
from referee.store import Deadline, Game, Proposal, Seat, SeatPlan, Tx

from ..core import tokens
from ..core.unit_of_work import StateCache
from ..deadlines import clock_state
from ..play import seat_plans


class Audience(NamedTuple):
    """Who sees the same: everybody (no seat), or the person in a seat."""

    game: GameId
    seat: SeatNo | None = None
    person: PersonId = NOBODY


def mark(tx: Tx, states: StateCache, audience: Audience) -> str | None:
    """What stands for all that an audience sees of its table now: another one whenever that is another.

    None where they see nothing of it.

    It is signed, so that it tells nothing but that.
    """
    game = tx.get(Game, audience.game)
    if game is None:
        return None
    seats = tx.all(Seat, game_id=game.id, order="no")
    if audience.seat is not None and (
        audience.seat >= len(seats) or seats[audience.seat].person_id != audience.person
    ):
        return None
    due = (
        tx.one(Deadline, game_id=game.id, kind=DeadlineKind.ANSWER, done_ms=0)
        if game.status == GameStatus.RUNNING
        else None
    )
    sees: list[Any] = [
        game.status,
        [(one.name, one.bot, one.ready, one.person_id is None) for one in seats],
        None if due is None else due.due_ms,
        clock_state.paused(clock_state.read_clocks(game)),
        game.settings if audience.seat is not None else _public_settings(game),
    ]
    for whom in (None,) if audience.seat is None else (None, audience.seat):
        last = tx.last_events(game, whom, 1)
        sees.append([(one.name, one.facts, one.at_ms, one.no) for one in last])
    if game.snapshot:
        view = rules.view(states.of(game), audience.seat)
        # no page for everybody shows the number of a question; that of a seat has it in its forms
        if audience.seat is None:
            view["waiting"] = [(one["seat"], one["kind"]) for one in view["waiting"]]
        sees.append(view)
    if audience.seat is not None:
        row = tx.one(SeatPlan, game_id=game.id, seat=audience.seat)
        sees.append(None if row is None else (row.data, seat_plans.pending(tx, game, audience.seat)))
        open_now = tx.all(Proposal, game_id=game.id, state=ProposalState.OPEN, order="id")
        sees.append([(one.id, json.loads(one.answers).get(str(audience.seat))) for one in open_now])
    told = json.dumps(sees, sort_keys=True, default=str).encode()
    return hmac.new(tokens.secret(tx), b"mark" + told, hashlib.sha256).hexdigest()[:24]


def _public_settings(game: Game) -> str:
    """A table's settings without the hours that its people told each other: nobody else learns when."""
    if '"live"' not in game.settings:
        return game.settings
    return json.dumps({name: value for name, value in json.loads(game.settings).items() if name != "live"})
