"""Looking things up in a season: who is in it, its rounds and tables, and what it keeps in mind."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

from referee.rules import Refusal
from referee.states import GOING_ON, EntryState, RoundState
from referee.states import UNDECIDED as UNDECIDED
from referee.store import (
    Entry,
    Game,
    League,
    LeagueRole,
    Person,
    Season,
    SeasonDivision,
    SeasonRound,
    SeasonTable,
)

from ..core.unit_of_work import Sitting, written
from ..people import officials

#: tables at which nothing is decided yet
#: a season that is still to come or goes on
ALIVE = GOING_ON


def league_of(sitting: Sitting, season: Season) -> League:
    """A season's league."""
    found = sitting.tx.get(League, season.league_id)
    assert found is not None
    return found


def fresh(sitting: Sitting, season: Season) -> Season:
    """A season as it is now."""
    found = sitting.tx.get(Season, season.id)
    assert found is not None
    return found


def latest(sitting: Sitting, league: League) -> Season | None:
    """A league's newest season."""
    return next(iter(sitting.tx.all(Season, league_id=league.id, order="-no", limit=1)), None)


def current(sitting: Sitting, league: League) -> Season:
    """The season that is to come or goes on.  Raises Refusal where there is none."""
    season = latest(sitting, league)
    if season is None or season.state not in ALIVE:
        raise Refusal("league-no-season", league=league.name)
    return season


def entry_of(sitting: Sitting, season: Season, person_id: int | None) -> Entry | None:
    """Somebody's entry."""
    return sitting.tx.one(Entry, season_id=season.id, person_id=person_id)


def entered(sitting: Sitting, season: Season, person: Person) -> Entry:
    """Somebody's entry.  Raises Refusal where they are not in the season."""
    entry = entry_of(sitting, season, person.id)
    if entry is None or entry.state == EntryState.REFUSED:
        raise Refusal("league-not-in", league=league_of(sitting, season).name, name=person.name)
    return entry


def entries(sitting: Sitting, season: Season, *states: str) -> list[Entry]:
    """Entries of these states (none named: all), in the order in which people signed up."""
    if not states:
        return sitting.tx.all(Entry, season_id=season.id, order="since_ms,id")
    return sitting.tx.all(Entry, season_id=season.id, state=states, order="since_ms,id")


def rounds(sitting: Sitting, season: Season) -> list[SeasonRound]:
    """A season's rounds, in order."""
    return sitting.tx.all(SeasonRound, season_id=season.id, order="no")


def round_of(sitting: Sitting, season: Season, no: int) -> SeasonRound:
    """One round.  Raises Refusal."""
    found = sitting.tx.one(SeasonRound, season_id=season.id, no=no)
    if found is None:
        raise Refusal("league-no-round", round=no, rounds=sitting.tx.count(SeasonRound, season_id=season.id))
    return found


def tables(sitting: Sitting, season: Season, round_no: int = 0, *states: str) -> list[SeasonTable]:
    """Tables in order: of one round or (0) of all, of these states or (none named) of all."""
    equals: dict[str, Any] = {"season_id": season.id}
    equals |= {"round": round_no} if round_no else {}
    equals |= {"state": states} if states else {}
    return sitting.tx.all(SeasonTable, order="no", **equals)


def table_of(sitting: Sitting, season: Season, no: int) -> SeasonTable:
    """One table.  Raises Refusal."""
    found = sitting.tx.one(SeasonTable, season_id=season.id, no=no)
    if found is None:
        raise Refusal("league-no-table", table=no)
    return found


def people_of(table: SeasonTable) -> list[int]:
    """Who was drawn for a table, in seat order."""
    return list(json.loads(table.people))


def game_of(sitting: Sitting, table: SeasonTable) -> Game | None:
    """The game of a table, once it gathers."""
    return None if table.game_id is None else sitting.tx.get(Game, table.game_id)


def mind(season: Season) -> dict[str, Any]:
    """What a season keeps in mind: what its draw came to (`divisions`), what was asked for (`wanted`), what
    was told once (`told`), its end (`final`).
    """
    return dict(json.loads(season.drawn))


def keep(sitting: Sitting, season: Season, **facts: Any) -> Season:
    """Keep these in mind, too (None: no longer); the season as it is then."""
    now = fresh(sitting, season)
    both = {name: value for name, value in {**mind(now), **facts}.items() if value is not None}
    return sitting.tx.renew(Season, now, drawn=written(both))


def facts_of(row: SeasonRound) -> dict[str, Any]:
    """What a round keeps in mind: `byes` (persons), its `choice` of cards, who else it was `told`."""
    return dict(json.loads(row.facts))


def name_of(sitting: Sitting, person_id: int) -> str:
    """What somebody is called."""
    person = sitting.tx.get(Person, person_id)
    return "" if person is None else person.name


def names_of(sitting: Sitting, people: Sequence[int]) -> list[str]:
    """What they are called."""
    return [name_of(sitting, one) for one in people]


def in_charge(sitting: Sitting, league: League) -> list[int]:
    """Who is told what the office can't settle by itself: its owners and directors."""
    return [
        officials.now(sitting.tx, one.person_id)
        for one in sitting.tx.all(LeagueRole, league_id=league.id, role=("owner", "director"), order="id")
    ]


def next_round(sitting: Sitting, season: Season) -> int:
    """The first round that is not open yet, 0 where all are."""
    return next((one.no for one in rounds(sitting, season) if one.state == RoundState.PLANNED), 0)


def lowest(sitting: Sitting, season: Season) -> int:
    """The division in which latecomers play: the last one."""
    return max(sitting.tx.column(SeasonDivision, "no", season_id=season.id), default=1)


def fresh_seed(sitting: Sitting) -> str:
    """Chance for a season, in hex."""
    return (sitting.settings.testing.seeds or secrets.token_bytes)(16).hex()
