"""What a table keeps of its people's hours (its settings, `live`), by persons: who comes to a seat later has
said nothing yet, and an account that was joined keeps what it said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from referee.ids import PersonId
from referee.policy import HOUR_MS
from referee.states import DeadlineKind
from referee.store import Deadline, Game, Seat, Tx

from ..core.table_settings import LiveHours
from ..core.unit_of_work import UnitOfWork, json_text, settings_of
from ..people import officials
from . import grid
from .grid import Span

#: a reminder comes so long before the hour
BEFORE_MS = HOUR_MS // 6
#: an hour that was agreed on is told for so long after it began
SHOWN_MS = HOUR_MS
T = TypeVar("T")


def read_hours(game: Game) -> LiveHours:
    """What the table knows of hours."""
    return settings_of(game).get("live", {}) if '"live"' in game.settings else {}


def write_hours(uow: UnitOfWork, game: Game, live: LiveHours) -> Game:
    """Keep it; spans that are over are forgotten, and so is an hour that nobody agrees on."""
    kept = {who: [one for one in spans if one[1] > uow.now_ms] for who, spans in live.get("can", {}).items()}
    table = settings_of(game)
    fresh: LiveHours = {**live, "can": {who: spans for who, spans in kept.items() if spans}}
    return uow.tx.renew(Game, game, settings=json_text({**table, "live": fresh}))


def people_of_seats(seats: Iterable[Seat]) -> list[PersonId]:
    """Who sits there, bots left out."""
    return [one.person_id for one in seats if one.person_id is not None]


def spans_of(tx: Tx, live: LiveHours, people: Iterable[PersonId]) -> dict[PersonId, list[Span]]:
    """The spans of those who sit there and said any."""
    here = set(people)
    found: dict[PersonId, list[Span]] = {}
    for who, spans in live.get("can", {}).items():
        now = officials.now(tx, PersonId(int(who)))
        if now in here:
            found[now] = [*found.get(now, ()), *((int(start), int(end)) for start, end in spans)]
    return {who: grid.joined(spans) for who, spans in found.items()}


def without(tx: Tx, said: Mapping[str, T], person_id: PersonId) -> dict[str, T]:
    """What others said: nothing of somebody's, nor of an account that was joined to theirs."""
    return {who: what for who, what in said.items() if not officials.same(tx, PersonId(int(who)), person_id)}


def agreed(tx: Tx, live: LiveHours, people: Iterable[PersonId]) -> dict[PersonId, int]:
    """The hour on which each of those who sit there agrees."""
    here = set(people)
    found = ((officials.now(tx, PersonId(int(who))), int(at)) for who, at in live.get("agreed", {}).items())
    return {who: at_ms for who, at_ms in found if who in here}


def meeting(live: LiveHours, now_ms: int) -> int:
    """The hour on which all have agreed (UTC ms), while it is not long over; 0 for none."""
    at_ms = 0 if live.get("off") else int(live.get("meet", 0))
    return at_ms if at_ms + SHOWN_MS > now_ms else 0


def set_bell(uow: UnitOfWork, game: Game, at_ms: int) -> None:
    """Ring before that hour, and for no other; 0: not at all."""
    uow.tx.change(
        Deadline, {"game_id": game.id, "kind": DeadlineKind.MEETING, "done_ms": 0}, done_ms=uow.now_ms
    )
    if at_ms - BEFORE_MS > uow.now_ms:
        uow.tx.add(
            Deadline,
            game_id=game.id,
            seat=-1,
            question=0,
            kind=DeadlineKind.MEETING,
            due_ms=at_ms - BEFORE_MS,
        )
        uow.wakes.add("clock")
