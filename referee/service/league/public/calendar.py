"""The dates of a league as a calendar (RFC 5545): sign-up ends, rounds begin and end, pauses.

Entries keep their names when they move. What moves them is an act of the office, so its log says when they
changed last.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import NamedTuple

from referee.ids import PersonId, RoundNo
from referee.states import GOING_ON, SeasonState
from referee.store import Entry, League, Season, SeasonRound, Tx
from referee.text import Words, clean

from ...calendar.hooks import CalendarSpan, spans
from ...calendar.ical import moment, span_event
from ...core import tokens
from .. import log, pausing
from ..announcements import TOLD
from ..scores import views

#: how long an entry looks, and how often a program should look again
LENGTH, LOOK_AGAIN = timedelta(minutes=15), timedelta(hours=6)


class CalendarDay(NamedTuple):
    """`what`: closes, starts or ends; of which round (0: of none); when."""

    what: str
    round: RoundNo
    at_ms: int


def days(tx: Tx, season: Season) -> list[CalendarDay]:
    """All dates of a season that are known, in order; those of one that was called off are not."""
    if season.state == SeasonState.VOID:
        return []
    found = [CalendarDay("closes", RoundNo(0), season.closes_ms)] if season.closes_ms else []
    rounds = tx.all(SeasonRound, season_id=season.id, order="no")
    if not rounds and season.starts_ms:
        found.append(CalendarDay("starts", RoundNo(1), season.starts_ms))
    for row in rounds:
        found += [CalendarDay("starts", row.no, row.starts_ms), CalendarDay("ends", row.no, row.ends_ms)]
    return sorted(
        (one._replace(at_ms=pausing.expected(season, one.at_ms)) for one in found if one.at_ms),
        key=lambda one: one.at_ms,
    )


def pauses(tx: Tx, league: League, season: Season) -> list[CalendarSpan]:
    """The pauses of a season, the oldest first; they keep their names when they get another end."""
    house = hashlib.sha256(b"calendar" + tokens.known(tx)).hexdigest()[:16]
    return [
        CalendarSpan(
            f"league-{league.id}-{season.no}-pause-{number}@{house}.citadels-referee",
            one.starts_ms,
            one.ends_ms,
            one.changed,
            season.opened_ms,
            "league_dates.pause",
            {"league": clean(league.name)},
        )
        for number, one in enumerate(pausing.every(season), 1)
    ]


@spans.on
def pauses_of_person(tx: Tx, person_id: PersonId) -> list[CalendarSpan]:
    """The pauses of the seasons that somebody takes part in."""
    found: list[CalendarSpan] = []
    for entry in tx.all(Entry, person_id=person_id, state=TOLD):
        season = tx.get(Season, entry.season_id)
        league = None if season is None else tx.get(League, season.league_id)
        if season is not None and league is not None and season.state in GOING_ON:
            found += pauses(tx, league, season)
    return found


def league_calendar_file(tx: Tx, words: Words, language: str, league: League) -> bytes:
    """The file, UTF-8 with CRLF; the same bytes while nothing changes."""
    # half a second that only those wait for who ask
    from icalendar import Calendar, Event, vDuration

    season = views.season_of(tx, league.id)
    name, house = clean(league.name), hashlib.sha256(b"calendar" + tokens.known(tx)).hexdigest()[:16]
    file = Calendar()
    file.add("prodid", "-//citadels-referee//EN")
    file.add("version", "2.0")
    file.add("method", "PUBLISH")
    file.add("x-wr-calname", name)
    file.add("refresh-interval", LOOK_AGAIN, parameters={"VALUE": "DURATION"})
    # a property that the library does not know: it would write Python's words for the time
    file.add("x-published-ttl", vDuration(LOOK_AGAIN))
    lines = log.lines(tx, log.scope_of(league), 1)
    for day in [] if season is None else days(tx, season):
        assert season is not None
        event, at = Event(), moment(day.at_ms)
        event.add("uid", f"league-{league.id}-{season.no}-{day.what}-{day.round}@{house}.citadels-referee")
        # a program that has the entry already believes it moved only where these grow; the number of the line
        # would not, after a backup was restored
        event.add("sequence", lines[-1].at_ms // 60_000 if lines else 0)
        event.add("dtstamp", moment(lines[-1].at_ms if lines else season.opened_ms))
        event.add("dtstart", at)
        event.add("dtend", at + LENGTH)
        event.add(
            "summary",
            words.phrase(
                f"league_dates.{day.what}", language, league=name, season=season.no, round=day.round
            ),
        )
        event.add("status", "CONFIRMED")
        event.add("transp", "TRANSPARENT")
        file.add_component(event)
    for pause in [] if season is None else pauses(tx, league, season):
        file.add_component(span_event(words, language, pause))
    return bytes(file.to_ical())
