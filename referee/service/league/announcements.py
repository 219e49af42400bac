"""Telling a league's people what is new: in its rooms, and each by a letter.

A letter of this kind is not what somebody asked for: it waits in quiet hours, goes with the others that
waited, and is not sent to the person who wants to hear of nothing but their own turns (see `notices`), unless
it is about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from referee.ids import DivisionNo, PersonId, RoomId
from referee.states import EntryState, OutboxState, RoomState
from referee.store import Entry, League, LeagueRole, LeagueRoom, Outbox, Person, Room, Season

from ..core import outbox
from ..core.letter_rows import read
from ..core.letters import Notice
from ..core.unit_of_work import UnitOfWork
from ..people import officials
from . import log
from .letter_facts import Named, NewsFacts, Standing

#: what can be announced -> the facts it needs besides the league's name;
#: templates/<language>/league_news.toml says each, and knows more that may be left out. Points are text,
#: moments UTC ms.
NEWS: Mapping[str, tuple[str, ...]] = {
    "league-opened": ("season",),  # closes_ms, starts_ms
    "league-closing": ("season", "closes_ms", "people"),
    "league-drawn": ("season", "people", "rounds", "tables"),  # divisions, starts_ms, again
    "league-unseatable": ("season",),  # again, because
    "league-measured": ("season",),  # because
    "league-forecast-asks": ("season",),  # last, because
    "league-forecast-taken": ("season", "days", "before"),
    "league-begun": ("season", "people", "rounds"),
    "league-round": ("season", "round", "rounds", "tables", "ends_ms"),
    "league-bye": ("season", "round"),
    "league-all-byes": ("season", "round", "division", "people", "least", "most", "more"),
    "league-out": ("season", "round", "advance"),
    "league-again": ("season", "before"),  # closes_ms, starts_ms
    "league-postponed": ("season", "round"),  # until_ms, ends_ms
    "league-extended": ("round", "table", "until_ms"),  # game
    "league-pause": ("season", "from_ms", "until_ms", "ahead"),  # why
    "league-pause-begins": ("season", "until_ms"),
    "league-resumed": ("season", "from_ms", "early"),  # until_ms
    "league-waits": ("round", "table", "names"),  # game, bot
    "league-round-over": ("season", "round", "rounds"),  # next_ms
    "league-ruled": ("round", "table"),  # result, cause, why, names in order, lost
    "league-void": ("round", "table"),  # cause, why
    "league-replay": ("round", "table", "new_table"),
    "league-replaced": ("round", "table", "out", "into"),
    "league-penalty": ("name", "points"),  # why
    "league-bonus": ("name", "points", "why"),
    "league-joined": ("season", "name"),  # round
    "league-withdrawn": ("season", "name"),  # round
    "league-removed": ("season", "name"),  # why
    "league-over": ("season",),  # winners, up, down
    "league-season-void": ("season",),
    "league-last-resort": ("names",),  # because: the act
    "league-last-at-table": ("names", "round", "table", "act"),
    "league-renamed": ("before",),
    "league-said": ("text",),  # by
}
#: news that the standings go with
WITH_STANDINGS = frozenset({"league-round-over", "league-over"})
#: anyone who is in a season in one of these states is told of it
TOLD = (EntryState.SIGNED, EntryState.WAITING, EntryState.PLAYING)
#: this many people are looked up at once
_AT_ONCE = 200
#: who is told besides, of what concerns all
_RUNNING = ("owner", "director")


def announce(
    uow: UnitOfWork,
    league: League,
    code: str,
    facts: Mapping[str, Any],
    to: str | Sequence[PersonId] = "all",
    offers: Sequence[tuple[str, str]] = (),
) -> int:
    """Tell it; returns how many letters and messages that makes.

    `to`: "all" (the league's rooms, everybody in its latest season, its owner and directors), "rooms" (nobody
    by letter), "division 2" (the rooms, and everybody in that division) or persons by number (they alone;
    what is told to them is about them). `facts` may hold `because` {code, facts}: a sentence of any other
    table that gives the reason; `offers` are buttons below it. Raises ValueError for a code or facts that
    can't be worded.
    """
    missing = [name for name in NEWS.get(code, ("a code that can be announced",)) if name not in facts]
    if missing:
        raise ValueError(f"{code} needs {', '.join(missing)}")
    log.automatic(uow, league, code, facts)
    personal = not isinstance(to, str)
    seasons = uow.tx.all(Season, league_id=league.id, order="-no", limit=1)
    season = seasons[0] if seasons else None
    named = to.split()[1] if isinstance(to, str) and to.startswith("division ") else "0"
    division = DivisionNo(int(named))
    shown = (
        Standing(season.id, division, facts.get("round", 0))
        if code in WITH_STANDINGS and season is not None
        else UNSET
    )
    news = NewsFacts(league=Named(league.id, league.name), about_you=personal, standings=shown, notices=[])
    if offers:
        news = replace(news, offers=list(offers))
    told = 0
    if not personal:
        told += sum(
            in_room(uow, league, watch.room_id, code, facts, news)
            for watch in uow.tx.all(LeagueRoom, league_id=league.id, order="id")
        )
    listed = sorted(set(to)) if not isinstance(to, str) else people(uow, league, season, to, division)
    return told + to_each(uow, league, listed, code, facts, news)


def people(
    uow: UnitOfWork, league: League, season: Season | None, to: str, division: DivisionNo
) -> list[PersonId]:
    """Who gets a letter of it."""
    if to == "rooms":
        return []
    entries = [] if season is None else uow.tx.all(Entry, season_id=season.id, state=TOLD)
    found = [one.person_id for one in entries if division in (0, one.division)]
    if not division:
        found += [
            officials.now(uow.tx, one.person_id)
            for one in uow.tx.all(LeagueRole, league_id=league.id, role=_RUNNING)
        ]
    return sorted(set(found))


def in_room(
    uow: UnitOfWork, league: League, room_id: RoomId, code: str, facts: Mapping[str, Any], news: NewsFacts
) -> bool:
    """Say it in one room; False for one that is closed."""
    room = uow.tx.get(Room, room_id)
    if room is None or room.state != RoomState.OPEN:
        return False
    outbox.queue(
        uow,
        replace(news, notices=announcement_lines(league, code, facts, "UTC")),
        channel=room.channel,
        place=room.place,
        collapse=f"league_news:{league.id}:room {room.id}",
    )
    return True


def to_each(
    uow: UnitOfWork,
    league: League,
    listed: Sequence[PersonId],
    code: str,
    facts: Mapping[str, Any],
    news: NewsFacts,
) -> int:
    """Write it to each of these; how many of them can be reached. What still waits for somebody is told in
    the same letter.

    What is to be known of them is asked at once: where the database is far away, hundreds of people would
    keep others waiting for seconds.
    """
    told = 0
    for start in range(0, len(listed), _AT_ONCE):
        part = tuple(listed[start : start + _AT_ONCE])
        names = {who: f"league_news:{league.id}:{who}" for who in part}
        rows = uow.tx.all(Outbox, collapse=tuple(names.values()), state=OutboxState.QUEUED)
        queued = {row.collapse: row for row in rows}
        found = uow.tx.all(Person, id=part, order="id")
        best = outbox.best_of_each(uow, found)
        told += len(best)
        for person in found:
            name = names[person.id]
            waiting = queued.get(name)
            about = news.about_you or (waiting is not None and read(waiting, NewsFacts).about_you)
            lines = announcement_lines(league, code, facts, person.zone)
            outbox.to_person(
                uow,
                person.id,
                replace(news, about_you=about, notices=lines),
                known=outbox.Known(best.get(person.id), waiting),
                collapse=name,
            )
    return told


def announcement_lines(league: League, code: str, facts: Mapping[str, Any], zone: str) -> list[Notice]:
    """The sentences of it."""
    because = facts.get("because")
    full = {
        "league": league.name,
        "zone": zone,
        **{name: value for name, value in facts.items() if name != "because"},
    }
    return [Notice(code, full), *([Notice(because["code"], because["facts"])] if because else [])]
