"""What the calendar asks about hours that were agreed on, and what becomes of hours with a game, a seat or
an account.
"""

from __future__ import annotations

from typing import Any

from referee.ids import PersonId
from referee.policy import HOUR_MS
from referee.states import ALIVE, ENDED
from referee.store import Game, Person, Tx

from ..accounts.hooks import deleting, exported
from ..calendar.hooks import CalendarSpan, spans
from ..core import outbox
from ..core.table_settings import LiveHours
from ..core.unit_of_work import UnitOfWork, json_text, settings_of
from ..people import officials
from ..play.hooks import game_over, seat_taken
from . import table_hours
from .letter_facts import HoursFacts


@spans.on
def agreed_hours(tx: Tx, person_id: PersonId) -> list[CalendarSpan]:
    """The hours for which somebody is to sit down; one that is off has no length, nor has one of a game that
    ended before it.
    """
    found = []
    for _, game in tx.seats_of(person_id, (*ALIVE, *ENDED)):
        live = table_hours.read_hours(game)
        at_ms = int(live.get("meet", 0))
        if at_ms:
            end_ms = at_ms if live.get("off") else at_ms + HOUR_MS
            turns, since_ms = live.get("turns", 0), live.get("since", 0)
            facts = {"game": game.id}
            uid = f"live-{game.id}-{game.seed_hash[:12]}@citadels-referee"
            found.append(CalendarSpan(uid, at_ms, end_ms, turns, since_ms, "calendar.live-title", facts))
    return found


@seat_taken.on
def told_of_hour(uow: UnitOfWork, game: Game, person_id: PersonId) -> None:
    """Who takes a seat over hears of an hour that stands: else the reminder would be the first they hear of
    it.
    """
    now = uow.tx.get(Game, game.id)
    if now is not None and table_hours.meeting(table_hours.read_hours(now), uow.now_ms):
        for seat in uow.seats(game.id):
            if seat.person_id == person_id:
                outbox.to_seat(uow, now, seat, HoursFacts(why="asked"))


@game_over.on
def forget_hours(uow: UnitOfWork, game: Game) -> None:
    """Nobody sits down there any more; of an hour to come it stays known that it is off, for calendars that
    were told of it.
    """
    now = uow.tx.get(Game, game.id)
    live: LiveHours = {} if now is None else table_hours.read_hours(now)
    if now is not None and live:
        table = {name: value for name, value in settings_of(now).items() if name != "live"}
        if table_hours.meeting(live, uow.now_ms):
            turns = live.get("turns", 0) + 1
            table["live"] = {"meet": live["meet"], "off": True, "turns": turns, "since": uow.now_ms}
        uow.tx.set(Game, game.id, settings=json_text(table))
        table_hours.set_bell(uow, now, 0)


@deleting.on
def hours_of_nobody(uow: UnitOfWork, person: Person) -> None:
    """What they said is gone with their account, also where they had lost their seat; an hour on which all
    agreed stands for the others.
    """
    mine = {str(one) for one in officials.family(uow.tx, person.id)}
    for number in uow.tx.games_set(ALIVE, "live"):
        game = uow.tx.get(Game, number)
        live = {} if game is None else table_hours.read_hours(game)
        if game is not None and mine & {*live.get("can", ()), *live.get("agreed", ())}:
            can = {who: spans for who, spans in live.get("can", {}).items() if who not in mine}
            agreed = {who: at for who, at in live.get("agreed", {}).items() if who not in mine}
            table_hours.write_hours(uow, game, {**live, "can": can, "agreed": agreed})


@exported.on
def hours_told(tx: Tx, person_id: PersonId) -> dict[str, Any]:
    """Their hours at each table, for the file of all their data."""
    found = [
        {"table": game.id, "from_ms": start, "to_ms": end}
        for _, game in tx.seats_of(person_id, ALIVE)
        for start, end in table_hours.spans_of(tx, table_hours.read_hours(game), [person_id]).get(
            person_id, ()
        )
    ]
    return {"hours": found}
