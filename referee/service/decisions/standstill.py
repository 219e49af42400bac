"""A table stands still with its whole season, by pauses of which begin and end are known: its clocks reckon
with them, and need nobody when they end.

Those who run the season say which pauses there are. Answers are taken meanwhile; a pause that the table has
decided on itself is another matter, and stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from referee.ids import ProposalId
from referee.policy import Span, repaused
from referee.states import DeadlineKind, GameStatus
from referee.store import Deadline, Game, Proposal, SeasonTime

from ..core import outbox
from ..core.unit_of_work import UnitOfWork, json_text
from ..deadlines import clock_state, season_pauses
from ..play import clock_news, seat_offers
from . import pause

#: the pauses of a season, the oldest first: (from, until), UTC ms
Pauses: TypeAlias = Sequence[tuple[int, int]]
#: what is counted by the wall, and therefore moved
_BY_THE_WALL = (DeadlineKind.VOTE, DeadlineKind.PLAN)


def changes(was: Pauses, now: Pauses) -> Iterator[tuple[Span, Span]]:
    """Which pauses have another end than they had; a new one had none: it ended as it began."""
    for place, (start, end) in enumerate(now):
        old = Span(*was[place]) if place < len(was) else Span(start, start)
        if old.end != end:
            yield old, Span(start, end)


def stand_still(uow: UnitOfWork, game: Game, pauses: Pauses) -> None:
    """These are the pauses of its season; one that is there already may have got another end."""
    table = clock_state.known(uow, game)
    found = list(changes(table.held, pauses))
    for old, new in found:
        for seat in table.seats.values():
            seat.vacations = [
                (one.start, one.end) for one in repaused((Span(*each) for each in seat.vacations), old, new)
            ]
        _move(uow, game, old.end, new.end - old.end)
    before = season_pauses.until(table, uow.now_ms)
    table.held = list(pauses)
    until = season_pauses.until(table, uow.now_ms)
    if game.status != GameStatus.RUNNING:
        outbox.to_rooms(uow, uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table)))
        return
    if bool(before) != bool(until):
        event, who = ("paused", "season") if until else ("unpaused", "season")
        fresh = clock_news.publish(uow, game, table, event, {"seat": None, "by": "", "why": who})
    else:
        fresh = uow.tx.renew(Game, game, clocks=clock_state.encode_clocks(table))
        clock_state.again(uow, fresh)
        outbox.to_rooms(uow, fresh)
    seat_offers.redate_offers(uow, fresh)
    pause.refresh_questions(uow, fresh)


def _move(uow: UnitOfWork, game: Game, since_ms: int, later_ms: int) -> None:
    """What comes after a moment comes so much later, or sooner."""
    for row in uow.tx.all(Deadline, game_id=game.id, kind=_BY_THE_WALL, done_ms=0):
        if row.due_ms >= since_ms:
            uow.tx.set(Deadline, row.id, due_ms=row.due_ms + later_ms)
            if row.kind == DeadlineKind.VOTE:
                uow.tx.set(Proposal, ProposalId(row.question), due_ms=row.due_ms + later_ms)
    uow.wakes.add("clock")


def vacations(uow: UnitOfWork, season: str, was: Pauses, now: Pauses) -> None:
    """What is kept of everybody's vacation in a season (its name at its tables), for the tables to come."""
    for row in uow.tx.all(SeasonTime, season=season):
        spans = [Span(int(start), int(end)) for start, end in json.loads(row.vacations)]
        for old, new in changes(was, now):
            spans = list(repaused(spans, old, new))
        text = json_text([(one.start, one.end) for one in spans])
        if text != row.vacations:
            uow.tx.set(SeasonTime, row.id, vacations=text)
