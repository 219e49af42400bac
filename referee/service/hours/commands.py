"""`hours`: those at a table say when they can, and agree on an hour in which they sit down live.

    hours                         who can when, and the best three hours
    hours Sat 18-22, Sun 10-12    one's own, in one's own zone, in place of what one said before
    hours agree Sat 19:00         one would; when all do, it is in their calendars
    hours off                     one can't: what one said is gone, and so is an hour that was agreed on

It is the table's own business: only those who sit there are told, each in private.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from referee.policy import HOUR_MS
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import GameStatus
from referee.store import Game, Seat
from referee.text import Intent

from ..core import outbox
from ..core.commands import HelpTopic, command
from ..core.table_settings import LiveHours
from ..core.unit_of_work import UnitOfWork
from ..people.identity import Speaker
from ..people.replies import answer
from . import grid, table_hours
from .letter_facts import HoursFacts

#: others at the table are told unasked at most once in this time, but for an hour that is settled
_TOLD_MS = HOUR_MS


@command("hours", topic=HelpTopic.TIME)
def hours(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """Say, agree, take back, or look.  Raises Refusal."""
    assert game is not None
    seats = uow.seats(game.id)
    mine = next((one for one in seats if one.person_id == speaker.person.id), None)
    if mine is None:
        raise Refusal("not-seated", game=game.id)
    if game.status in (GameStatus.OVER, GameStatus.ABANDONED):
        raise Refusal("game-over", game=game.id)
    if len(table_hours.people_of_seats(seats)) < 2:
        raise Refusal("hours-alone", game=game.id)
    act = str(intent.args["act"])
    why = "asked"
    if act == "say":
        why = _said(uow, game, seats, speaker, list(intent.args["windows"]))
    elif act == "agree":
        why = _agreed(uow, game, seats, speaker, dict(intent.args))
    elif act == "off":
        why = _off(uow, game, seats, speaker)
    at = speaker.address if came.place is None else None
    told = replace(HoursFacts(why=why), answers=came.message_id if at else "")
    outbox.to_seat(uow, game, mine, told, at=at, collapse="")
    if at is None or came.facts.get("callback"):
        answer(uow, speaker, came, "hours-in-private", game=game.id)


def _said(
    uow: UnitOfWork, game: Game, seats: list[Seat], speaker: Speaker, windows: list[dict[str, Any]]
) -> str:
    """Somebody's hours, in place of what they said before."""
    found = grid.spans(windows, speaker.person.zone, uow.now_ms)
    if not found:
        raise Refusal("hours-past", days=grid.AHEAD_MS // (24 * HOUR_MS))
    people, live = table_hours.people_of_seats(seats), table_hours.read_hours(game)
    before = table_hours.spans_of(uow.tx, live, people)
    others = table_hours.without(uow.tx, live.get("can", {}), speaker.person.id)
    can = {**others, str(speaker.person.id): found}
    live = {**live, "can": can}
    after = table_hours.spans_of(uow.tx, live, people)
    whole = len(after) == len(people) > len(before)
    if not before or whole:
        live = _tell(uow, game, seats, speaker, live, "all" if whole else "first")
    table_hours.write_hours(uow, game, live)
    return "asked"


def _agreed(uow: UnitOfWork, game: Game, seats: list[Seat], speaker: Speaker, said: dict[str, Any]) -> str:
    """Somebody would sit down then; when all would, that is settled."""
    zone = speaker.person.zone
    at_ms = grid.utc_said(said["utc"]) if "utc" in said else grid.hour_said(said["window"], zone, uow.now_ms)
    if not grid.on_the_grid(at_ms, uow.now_ms):
        raise Refusal("hours-when", days=grid.AHEAD_MS // (24 * HOUR_MS))
    people, live = table_hours.people_of_seats(seats), table_hours.read_hours(game)
    agreed = {str(who): at for who, at in table_hours.agreed(uow.tx, live, people).items()}
    if agreed.get(str(speaker.person.id)) == at_ms:
        return "asked"
    agreed[str(speaker.person.id)] = at_ms
    settled = len(agreed) == len(people) and set(agreed.values()) == {at_ms}
    live = {**live, "agreed": agreed}
    if not settled:
        table_hours.write_hours(uow, game, _tell(uow, game, seats, speaker, live, "agreed"))
        return "asked"
    turns = live.get("turns", 0) + 1
    stands: LiveHours = {**live, "meet": at_ms, "off": False, "turns": turns, "since": uow.now_ms}
    table_hours.write_hours(uow, game, stands)
    table_hours.set_bell(uow, game, at_ms)
    _letters(uow, game, seats, speaker, "met")
    return "met"


def _off(uow: UnitOfWork, game: Game, seats: list[Seat], speaker: Speaker) -> str:
    """Somebody can't; an hour that all had agreed on is off, and all would have to agree anew."""
    live = table_hours.read_hours(game)
    met = table_hours.meeting(live, uow.now_ms)
    can = table_hours.without(uow.tx, live.get("can", {}), speaker.person.id)
    agreed = table_hours.without(uow.tx, live.get("agreed", {}), speaker.person.id)
    fresh: LiveHours = {**live, "can": can, "agreed": {} if met else agreed}
    if met:
        fresh = {**fresh, "off": True, "turns": live.get("turns", 0) + 1, "since": uow.now_ms}
    table_hours.write_hours(uow, game, fresh)
    if met:
        table_hours.set_bell(uow, game, 0)
        _letters(uow, game, seats, speaker, "off")
    return "gone"


def _tell(
    uow: UnitOfWork, game: Game, seats: list[Seat], speaker: Speaker, live: LiveHours, why: str
) -> LiveHours:
    """Tell the others, unless they were told just now: they see all of it with the next letter."""
    if live.get("told", 0) + _TOLD_MS > uow.now_ms and why != "all":
        return live
    _letters(uow, game, seats, speaker, why)
    return {**live, "told": uow.now_ms}


def _letters(uow: UnitOfWork, game: Game, seats: list[Seat], speaker: Speaker, why: str) -> None:
    by = next((one.name for one in seats if one.person_id == speaker.person.id), "")
    for seat in seats:
        if seat.person_id not in (None, speaker.person.id):
            outbox.to_seat(uow, game, seat, HoursFacts(why=why, by=by))
