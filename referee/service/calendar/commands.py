"""Calendars: one entry for each open deadline of a person, over all their games.

    calendar         a link to it, where there are web pages; it is told once, and only its fingerprint is
      kept; and a file of it, where the channel takes files
    calendar new     another link; the old one ends
    calendar mail    the same as a file, by mail
    calendar off     no link any more

What the calendar last told is kept, so that it says the same until something changes, and a change moves the
entry.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Any, NamedTuple

from referee.ids import GameId, PersonId, RowId
from referee.ports import Inbound
from referee.rules import Refusal
from referee.states import CalendarState, DeadlineKind, GameStatus
from referee.store import Address, CalendarEntry, CalendarLink, Deadline, Game, Person, Tx
from referee.text import Intent

from ..core import outbox
from ..core.commands import CommandTopic, HelpTopic, TableNeed, command
from ..core.letters import Facts
from ..core.unit_of_work import UnitOfWork
from ..deadlines import clock_state
from ..people.identity import Speaker
from ..people.replies import answer
from . import hooks

_DAY_MS = 86_400_000
#: what has ended is told as cancelled for so long
ENDED_MS = 7 * _DAY_MS


class OpenDeadline(NamedTuple):
    """An open deadline: the game, when the turn began (which names the entry), when the answer is due."""

    game_id: GameId
    since_ms: int
    due_ms: int


class CalendarLinkFacts(Facts):
    """The secret address of a calendar, and whether it takes another one's place."""

    kind = "calendar_link"
    link: str
    again: bool


class CalendarFileFacts(Facts):
    """One's deadlines as a file: all that it says is looked up."""

    kind = "calendar_file"


@command("calendar", topic=HelpTopic.TIME, table=TableNeed.NONE, about=CommandTopic.WEIGHTY)
def calendar(uow: UnitOfWork, speaker: Speaker, came: Inbound, intent: Intent, game: Game | None) -> None:
    """`calendar`, `calendar new`, `calendar mail`, `calendar off`."""
    if came.place is not None:
        answer(uow, speaker, came, "calendar-in-private")
        return
    me = speaker.person.id
    link = uow.tx.one(CalendarLink, person_id=me)
    match str(intent.args["act"]):
        case "mail":
            mailed(uow, speaker, came)
        case "off":
            uow.tx.drop(CalendarLink, person_id=me)
            answer(uow, speaker, came, "calendar-off", had=link is not None)
        case act if not uow.settings.base_url:
            if act or speaker.address.channel not in uow.settings.files:
                raise Refusal("calendar-no-web", act=act)
            if not filed(uow, speaker, speaker.address):
                answer(uow, speaker, came, "calendar-empty")
        case "" if link is not None:
            filed(uow, speaker, speaker.address)
            answer(uow, speaker, came, "calendar-known", made_ms=link.made_ms, zone=speaker.person.zone)
        case _:
            uow.tx.drop(CalendarLink, person_id=me)
            token = secrets.token_urlsafe(24)
            uow.tx.add(CalendarLink, person_id=me, token_hash=fingerprint(token), made_ms=uow.now_ms)
            outbox.to_person(
                uow,
                me,
                CalendarLinkFacts(
                    link=f"{uow.settings.base_url}/calendar/{token}.ics", again=link is not None
                ),
                at=speaker.address,
            )
            filed(uow, speaker, speaker.address)


def filed(uow: UnitOfWork, speaker: Speaker, at: Address) -> bool:
    """Send the calendar as a file to an address, where that takes files; False where it would be empty."""
    me = speaker.person.id
    refresh(uow.tx, me, uow.now_ms)
    found = uow.tx.count(CalendarEntry, person_id=me) > 0 or bool(hooks.calendar_spans(uow.tx, me))
    if found and at.channel in uow.settings.files:
        outbox.to_person(uow, me, CalendarFileFacts(), at=at, collapse=f"calendar_file:{me}:{at.channel}")
    return found


def mailed(uow: UnitOfWork, speaker: Speaker, came: Inbound) -> None:
    """Send the calendar as a file to the person's mail address.  Raises Refusal."""
    me = speaker.person.id
    at = next((one for one in outbox.addresses(uow, me) if one.channel == "mail"), None)
    if at is None:
        raise Refusal("calendar-no-mail", channel=came.channel)
    if not filed(uow, speaker, at):
        answer(uow, speaker, came, "calendar-empty")
        return
    if came.channel != "mail":
        answer(uow, speaker, came, "calendar-mailed", address=at.address)


def fingerprint(token: str) -> str:
    """How a link's token is kept."""
    return hashlib.sha256(b"calendar" + token.encode()).hexdigest()


def whose(tx: Tx, token: str) -> Person | None:
    """The person whose calendar a token opens; None for a token that opens none."""
    row = tx.one(CalendarLink, token_hash=fingerprint(token))
    return None if row is None else tx.get(Person, row.person_id)


def open_now(tx: Tx, person_id: PersonId) -> list[OpenDeadline]:
    """What is asked of a person now, and has an end in sight."""
    found = []
    for seat, game in tx.seats_of(person_id, (GameStatus.RUNNING,)):
        if str(seat.no) in game.asked.split(","):
            row = tx.one(Deadline, game_id=game.id, seat=seat.no, kind=DeadlineKind.ANSWER, done_ms=0)
            if row is not None:
                found.append(
                    OpenDeadline(game.id, clock_state.read_clocks(game).seat(seat.no).asked, row.due_ms)
                )
    return found


def refresh(tx: Tx, person_id: PersonId, now_ms: int) -> None:
    """Bring a person's entries up to what is open now."""
    for key, values in changes(tx, person_id, now_ms):
        if key is None:
            tx.add(CalendarEntry, person_id=person_id, **values)
        elif values:
            tx.set(CalendarEntry, key, **values)
        else:
            tx.drop(CalendarEntry, id=key)


def changes(tx: Tx, person_id: PersonId, now_ms: int) -> list[tuple[RowId | None, dict[str, Any]]]:
    """What `refresh` would write: entries that are new (None), others (by number) with their new values, {}
    for those to be forgotten.
    """
    known = {
        (row.game_id, row.since_ms): row for row in tx.all(CalendarEntry, person_id=person_id, order="id")
    }
    found: list[tuple[RowId | None, dict[str, Any]]] = []
    for due in open_now(tx, person_id):
        row = known.pop((due.game_id, due.since_ms), None)
        if row is None:
            found.append((None, {**due._asdict(), "changed_ms": now_ms}))
        elif (row.due_ms, row.state) != (due.due_ms, CalendarState.OPEN):
            found.append(
                (
                    row.id,
                    {
                        "due_ms": due.due_ms,
                        "state": CalendarState.OPEN,
                        "sequence": row.sequence + 1,
                        "changed_ms": now_ms,
                    },
                )
            )
    for row in known.values():
        if row.state == CalendarState.OPEN:
            found.append(
                (row.id, {"state": CalendarState.ENDED, "sequence": row.sequence + 1, "changed_ms": now_ms})
            )
        elif now_ms - row.changed_ms > ENDED_MS:
            found.append((row.id, {}))
    return found
