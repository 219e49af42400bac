"""A person's calendar as a file (RFC 5545): what `calendar` keeps, written with icalendar.

It tells when, and of which game, and nothing else: it lies open on desks and in clouds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from referee.ports import Attachment
from referee.states import CalendarState
from referee.store import CalendarEntry, Person, Tx
from referee.text import Words

from . import hooks
from .hooks import CalendarSpan

if TYPE_CHECKING:
    from icalendar import Event

#: an entry ends when the answer is due, and begins so long before
LENGTH = timedelta(minutes=30)
#: how often programs are asked to look again
LOOK_AGAIN = timedelta(minutes=30)


def calendar_file(
    words: Words,
    person: Person,
    entries: Sequence[CalendarEntry],
    key: bytes,
    spans: Sequence[CalendarSpan] = (),
) -> bytes:
    """The file, UTF-8 with CRLF, the same bytes for the same entries.

    `key`: the installation's secret, so that entries of two referees don't meet.
    """
    # half a second that only those wait for who ask
    from icalendar import Calendar, Event, vDuration

    language, house = person.language, hashlib.sha256(b"calendar" + key).hexdigest()[:16]
    file = Calendar()
    file.add("prodid", "-//citadels-referee//EN")
    file.add("version", "2.0")
    file.add("method", "PUBLISH")
    file.add("x-wr-calname", words.phrase("calendar.name", language))
    file.add("x-wr-timezone", person.zone)
    file.add("refresh-interval", LOOK_AGAIN, parameters={"VALUE": "DURATION"})
    # a property that the library does not know: it would write Python's words for the time
    file.add("x-published-ttl", vDuration(LOOK_AGAIN))
    for entry in entries:
        event, due, changed = Event(), moment(entry.due_ms), moment(entry.changed_ms)
        event.add("uid", f"{entry.game_id}-{entry.since_ms}-{entry.person_id}@{house}.citadels-referee")
        event.add("sequence", entry.sequence)
        event.add("dtstamp", changed)
        event.add("last-modified", changed)
        event.add("dtstart", due - LENGTH)
        event.add("dtend", due)
        event.add("summary", words.phrase("calendar.title", language, game=entry.game_id))
        event.add(
            "description",
            words.phrase(
                f"calendar.{entry.state}", language, game=entry.game_id, due_ms=entry.due_ms, zone=person.zone
            ),
        )
        event.add("status", "CONFIRMED" if entry.state == CalendarState.OPEN else "CANCELLED")
        event.add("class", "PRIVATE")
        event.add("transp", "TRANSPARENT")
        file.add_component(event)
    for one in spans:
        file.add_component(span_event(words, language, one))
    return bytes(file.to_ical())


def span_event(words: Words, language: str, span: CalendarSpan) -> Event:
    """Something that lasts, as an entry."""
    from icalendar import Event

    event = Event()
    event.add("uid", span.uid)
    event.add("sequence", span.sequence)
    event.add("dtstamp", moment(span.noted_ms))
    event.add("dtstart", moment(span.starts_ms))
    event.add("dtend", moment(max(span.ends_ms, span.starts_ms + 60_000)))
    event.add("summary", words.phrase(span.phrase, language, **span.facts))
    event.add("status", "CONFIRMED" if span.ends_ms > span.starts_ms else "CANCELLED")
    event.add("transp", "TRANSPARENT")
    return event


def attached(tx: Tx, words: Words, person: Person, key: bytes) -> tuple[int, tuple[Attachment, ...]]:
    """The file as it goes with a letter, and how many open deadlines are in it."""
    entries = tx.all(CalendarEntry, person_id=person.id, order="due_ms,id")
    file = Attachment(
        "citadels.ics",
        "text/calendar; method=PUBLISH; charset=utf-8",
        calendar_file(words, person, entries, key, hooks.calendar_spans(tx, person.id)),
    )
    return sum(one.state == CalendarState.OPEN for one in entries), (file,)


def moment(at_ms: int) -> datetime:
    """A moment as calendars count: whole seconds of UTC."""
    return datetime.fromtimestamp(at_ms // 1000, UTC)
