"""A person's calendar as a file (RFC 5545): what `calendar` keeps, written with icalendar.

It tells when, and of which game, and nothing else: it lies open on desks and in clouds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from referee.ports import Attachment
from referee.states import CalendarState
from referee.store import CalendarEntry, Person, Tx
from referee.text import Words

#: an entry ends when the answer is due, and begins so long before
LENGTH = timedelta(minutes=30)
#: an hour at a table that all have agreed on
LIVE_LENGTH = timedelta(hours=1)
#: how often programs are asked to look again
LOOK_AGAIN = timedelta(minutes=30)


def calendar_file(words: Words, person: Person, entries: Sequence[CalendarEntry], key: bytes) -> bytes:
    """The file, UTF-8 with CRLF, the same bytes for the same entries.

    `key`: the installation's secret, so that entries of two referees don't meet.
    """
    # half a second that only those wait for who ask
    from icalendar import Calendar, Event

    language, house = person.language, hashlib.sha256(b"calendar" + key).hexdigest()[:16]
    file = Calendar()
    file.add("prodid", "-//citadels-referee//EN")
    file.add("version", "2.0")
    file.add("method", "PUBLISH")
    file.add("x-wr-calname", words.phrase("calendar.name", language))
    file.add("x-wr-timezone", person.zone)
    file.add("refresh-interval", LOOK_AGAIN, parameters={"VALUE": "DURATION"})
    file.add("x-published-ttl", LOOK_AGAIN)
    for entry in entries:
        event, due, changed = Event(), moment(entry.due_ms), moment(entry.changed_ms)
        event.add("uid", f"{entry.game_id}-{entry.since_ms}-{entry.person_id}@{house}.citadels-referee")
        event.add("sequence", entry.sequence)
        event.add("dtstamp", changed)
        event.add("last-modified", changed)
        live = entry.state == CalendarState.LIVE
        event.add("dtstart", due - (LIVE_LENGTH if live else LENGTH))
        event.add("dtend", due)
        event.add(
            "summary",
            words.phrase("calendar.live-title" if live else "calendar.title", language, game=entry.game_id),
        )
        event.add(
            "description",
            words.phrase(
                f"calendar.{entry.state}", language, game=entry.game_id, due_ms=entry.due_ms, zone=person.zone
            ),
        )
        event.add("status", "CANCELLED" if entry.state == CalendarState.ENDED else "CONFIRMED")
        event.add("class", "PRIVATE")
        event.add("transp", "OPAQUE" if live else "TRANSPARENT")
        file.add_component(event)
    return bytes(file.to_ical())


def attached(tx: Tx, words: Words, person: Person, key: bytes) -> tuple[int, tuple[Attachment, ...]]:
    """The file as it goes with a letter, and how many open deadlines are in it."""
    entries = tx.all(CalendarEntry, person_id=person.id, order="due_ms,id")
    file = Attachment(
        "citadels.ics",
        "text/calendar; method=PUBLISH; charset=utf-8",
        calendar_file(words, person, entries, key),
    )
    return sum(one.state != CalendarState.ENDED for one in entries), (file,)


def moment(at_ms: int) -> datetime:
    """A moment as calendars count: whole seconds of UTC."""
    return datetime.fromtimestamp(at_ms // 1000, UTC)
