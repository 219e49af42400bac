"""Telling a league's people what is new: in its rooms, and each by a letter.

A letter of this kind is not what somebody asked for: it waits in quiet hours, goes with the others that
waited, and is not sent to whoever wants to hear of nothing but their own turns (see `notices`), unless it is
about them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from referee.states import EntryState, OutboxState, RoomState
from referee.store import Entry, League, LeagueRole, LeagueRoom, Outbox, Person, Room, Season

from ..core import outbox
from ..core.unit_of_work import Sitting
from ..people import officials
from . import log
from .letter_facts import NewsFacts

#: what can be announced -> the facts it needs besides the league's name;
#: templates/<language>/league_news.toml says each, and knows more that may be left out. Points are text,
#: moments UTC ms.
NEWS: Mapping[str, tuple[str, ...]] = {
    "league-opened": ("season",),  # closes_ms, starts_ms
    "league-closing": ("season", "closes_ms", "people"),
    "league-drawn": ("season", "people", "rounds", "tables"),  # divisions, starts_ms, again
    "league-unseatable": ("season",),  # because
    "league-begun": ("season", "people", "rounds"),
    "league-round": ("season", "round", "rounds", "tables", "ends_ms"),
    "league-bye": ("season", "round"),
    "league-postponed": ("season", "round"),  # until_ms, ends_ms
    "league-waits": ("round", "table", "names"),  # game
    "league-round-over": ("season", "round", "rounds"),  # next_ms
    "league-ruled": ("round", "table"),  # why ("time"), names in order
    "league-void": ("round", "table"),
    "league-replay": ("round", "table", "new_table"),
    "league-replaced": ("round", "table", "out", "into"),
    "league-penalty": ("name", "points"),  # why
    "league-joined": ("season", "name"),  # round
    "league-withdrawn": ("season", "name"),  # round
    "league-removed": ("season", "name"),  # why
    "league-over": ("season",),  # winners, up, down
    "league-season-void": ("season",),
    "league-renamed": ("before",),
    "league-said": ("text",),  # by
}
#: news that the standings go with
WITH_STANDINGS = frozenset({"league-round-over", "league-over"})
#: whoever is in a season in one of these states is told of it
TOLD = (EntryState.SIGNED, EntryState.WAITING, EntryState.PLAYING)
#: who is told besides, of what concerns all
_RUNNING = ("owner", "director")


def announce(
    sitting: Sitting, league: League, code: str, facts: Mapping[str, Any], to: str | Sequence[int] = "all"
) -> int:
    """Tell it; returns how many letters and messages that makes.

    `to`: "all" (the league's rooms, everybody in its latest season, its owner and directors), "rooms" (nobody
    by letter), "division 2" (the rooms, and everybody in that division) or persons by number (they alone;
    what is told to them is about them). `facts` may hold `because` {code, facts}: a sentence of any other
    table that gives the reason. Raises ValueError for a code or facts that can't be worded.
    """
    missing = [name for name in NEWS.get(code, ("a code that can be announced",)) if name not in facts]
    if missing:
        raise ValueError(f"{code} needs {', '.join(missing)}")
    log.automatic(sitting, league, code, facts)
    personal = not isinstance(to, str)
    seasons = sitting.tx.all(Season, league_id=league.id, order="-no", limit=1)
    season = seasons[0] if seasons else None
    division = int(to.split()[1]) if isinstance(to, str) and to.startswith("division ") else 0
    data: dict[str, Any] = {"league": {"id": league.id, "name": league.name}, "about_you": personal}
    if code in WITH_STANDINGS and season is not None:
        data["standings"] = {"season": season.id, "division": division, "round": facts.get("round", 0)}
    told = 0
    if not personal:
        told += sum(
            in_room(sitting, league, watch.room_id, code, facts, data)
            for watch in sitting.tx.all(LeagueRoom, league_id=league.id, order="id")
        )
    for person_id in (
        sorted(set(to)) if not isinstance(to, str) else people(sitting, league, season, to, division)
    ):
        told += to_one(sitting, league, person_id, code, facts, data)
    return told


def people(sitting: Sitting, league: League, season: Season | None, to: str, division: int) -> list[int]:
    """Who gets a letter of it."""
    if to == "rooms":
        return []
    entries = [] if season is None else sitting.tx.all(Entry, season_id=season.id, state=TOLD)
    found = [one.person_id for one in entries if division in (0, one.division)]
    if not division:
        found += [
            officials.now(sitting.tx, one.person_id)
            for one in sitting.tx.all(LeagueRole, league_id=league.id, role=_RUNNING)
        ]
    return sorted(set(found))


def in_room(
    sitting: Sitting, league: League, room_id: int, code: str, facts: Mapping[str, Any], data: dict[str, Any]
) -> bool:
    """Say it in one room; False for one that is closed."""
    room = sitting.tx.get(Room, room_id)
    if room is None or room.state != RoomState.OPEN:
        return False
    outbox.queue(
        sitting,
        NewsFacts(**data, notices=worded(league, code, facts, "UTC")),
        channel=room.channel,
        place=room.place,
        collapse=f"league_news:{league.id}:room {room.id}",
    )
    return True


def to_one(
    sitting: Sitting,
    league: League,
    person_id: int,
    code: str,
    facts: Mapping[str, Any],
    data: dict[str, Any],
) -> bool:
    """Write it to one person; False for one who can't be reached.

    What still waits for them is told in the same letter.
    """
    person = sitting.tx.get(Person, person_id)
    if person is None:
        return False
    name = f"league_news:{league.id}:{person_id}"
    waiting = (
        sitting.tx.one(Outbox, collapse=name, state=OutboxState.QUEUED) if not data["about_you"] else None
    )
    about = data["about_you"] or (waiting is not None and bool(json.loads(waiting.data).get("about_you")))
    outbox.to_person(
        sitting,
        person_id,
        NewsFacts(**{**data, "about_you": about}, notices=worded(league, code, facts, person.zone)),
        collapse=name,
    )
    return outbox.best(sitting, person_id) is not None


def worded(league: League, code: str, facts: Mapping[str, Any], zone: str) -> list[dict[str, Any]]:
    """The sentences of it, as codes with their facts."""
    because = facts.get("because")
    full = {
        "league": league.name,
        "zone": zone,
        **{name: value for name, value in facts.items() if name != "because"},
    }
    return [{"code": code, "facts": full}, *([because] if because else [])]
