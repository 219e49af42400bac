"""Looking things up in a season: who is in it, its rounds and tables, and what it keeps in mind."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from typing import Any

from referee.ids import ALL_ROUNDS, DivisionNo, PersonId, RoundNo, TableNo
from referee.rules import Refusal, StateError
from referee.states import GOING_ON, EntryState, RoundState, TableState
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

from ..core.unit_of_work import GameBroke, UnitOfWork, json_text
from ..people import officials

#: tables that count
COUNTED = (TableState.OVER, TableState.RULED)
#: a season that is still to come or goes on
ALIVE = GOING_ON


def league_of(uow: UnitOfWork, season: Season) -> League:
    """A season's league."""
    found = uow.tx.get(League, season.league_id)
    assert found is not None
    return found


def fresh(uow: UnitOfWork, season: Season) -> Season:
    """A season as it is now."""
    found = uow.tx.get(Season, season.id)
    assert found is not None
    return found


def latest(uow: UnitOfWork, league: League) -> Season | None:
    """A league's newest season."""
    return next(iter(uow.tx.all(Season, league_id=league.id, order="-no", limit=1)), None)


def current(uow: UnitOfWork, league: League) -> Season:
    """The season that is to come or goes on.  Raises Refusal where there is none."""
    season = latest(uow, league)
    if season is None or season.state not in ALIVE:
        raise Refusal("league-no-season", league=league.name)
    return season


def entry_of(uow: UnitOfWork, season: Season, person_id: PersonId | None) -> Entry | None:
    """Somebody's entry."""
    return uow.tx.one(Entry, season_id=season.id, person_id=person_id)


def entered(uow: UnitOfWork, season: Season, person: Person) -> Entry:
    """Somebody's entry.  Raises Refusal where they are not in the season."""
    entry = entry_of(uow, season, person.id)
    if entry is None or entry.state == EntryState.REFUSED:
        raise Refusal("league-not-in", league=league_of(uow, season).name, name=person.name)
    return entry


def entries(uow: UnitOfWork, season: Season, *states: str) -> list[Entry]:
    """Entries of these states (none named: all), in the order in which people signed up."""
    if not states:
        return uow.tx.all(Entry, season_id=season.id, order="since_ms,id")
    return uow.tx.all(Entry, season_id=season.id, state=states, order="since_ms,id")


def rounds(uow: UnitOfWork, season: Season) -> list[SeasonRound]:
    """A season's rounds, in order."""
    return uow.tx.all(SeasonRound, season_id=season.id, order="no")


def round_of(uow: UnitOfWork, season: Season, no: RoundNo) -> SeasonRound:
    """One round.  Raises Refusal."""
    found = uow.tx.one(SeasonRound, season_id=season.id, no=no)
    if found is None:
        raise Refusal("league-no-round", round=no, rounds=uow.tx.count(SeasonRound, season_id=season.id))
    return found


def tables(
    uow: UnitOfWork, season: Season, round_no: RoundNo = ALL_ROUNDS, *states: str
) -> list[SeasonTable]:
    """Tables in order: of one round or (0) of all, of these states or (none named) of all."""
    equals: dict[str, Any] = {"season_id": season.id}
    equals |= {"round": round_no} if round_no else {}
    equals |= {"state": states} if states else {}
    return uow.tx.all(SeasonTable, order="no", **equals)


def table_of(uow: UnitOfWork, season: Season, no: TableNo) -> SeasonTable:
    """One table.  Raises Refusal."""
    found = uow.tx.one(SeasonTable, season_id=season.id, no=no)
    if found is None:
        raise Refusal("league-no-table", table=no)
    return found


def people_of(table: SeasonTable) -> list[PersonId]:
    """Who was drawn for a table, in seat order."""
    return list(json.loads(table.people))


def sitting(uow: UnitOfWork, table: SeasonTable) -> list[PersonId | None]:
    """Who has its seats now (None: nobody); who was drawn for it, where there are no seats yet."""
    seats = [] if table.game_id is None else uow.seats(table.game_id)
    return [seat.person_id for seat in seats] or [*people_of(table)]


def seated(uow: UnitOfWork, season: Season, round_no: RoundNo, but: TableNo | None = None) -> set[PersonId]:
    """Who has a seat at a table of a round that counts, or may come to; `but`: at any other than that."""
    return {
        who
        for table in tables(uow, season, round_no, *UNDECIDED, *COUNTED)
        for who in sitting(uow, table)
        if who is not None and table.no != but
    }


def game_of(uow: UnitOfWork, table: SeasonTable) -> Game | None:
    """The game of a table, once it gathers."""
    return None if table.game_id is None else uow.tx.get(Game, table.game_id)


def readable(uow: UnitOfWork, game: Game) -> bool:
    """Whether the position of a table that was dealt can be read: not where a newer referee wrote it, or it
    is damaged.
    """
    try:
        uow.states.of(game)
    except (StateError, GameBroke):
        return False
    return True


def mind(season: Season) -> dict[str, Any]:
    """What a season keeps in mind: what its draw came to (`divisions`), what was asked for (`wanted`), what
    was told once (`told`), its end: the last order (`final`) of the divisions that somebody still plays in,
    their numbers (`held`), and those of them in which no table counts (`idle`).
    """
    return dict(json.loads(season.drawn))


def keep(uow: UnitOfWork, season: Season, **facts: Any) -> Season:
    """Keep these in mind, too (None: no longer); the season as it is then."""
    now = fresh(uow, season)
    both = {name: value for name, value in {**mind(now), **facts}.items() if value is not None}
    return uow.tx.renew(Season, now, drawn=json_text(both))


def facts_of(row: SeasonRound | SeasonTable) -> dict[str, Any]:
    """What a round keeps in mind: `byes` (persons), its `choice` of cards, who else it was `told`; a table:
    `later_ms`, see `table_time`.
    """
    return dict(json.loads(row.facts))


def name_of(uow: UnitOfWork, person_id: PersonId) -> str:
    """What somebody is called."""
    person = uow.tx.get(Person, person_id)
    return "" if person is None else person.name


def names_of(uow: UnitOfWork, people: Sequence[PersonId]) -> list[str]:
    """What they are called."""
    return [name_of(uow, one) for one in people]


def in_charge(uow: UnitOfWork, league: League) -> list[PersonId]:
    """Who is told what the office can't settle by itself: its owners and directors."""
    return [
        officials.now(uow.tx, one.person_id)
        for one in uow.tx.all(LeagueRole, league_id=league.id, role=("owner", "director"), order="id")
    ]


def next_round(uow: UnitOfWork, season: Season) -> RoundNo:
    """The first round that is not open yet, 0 where all are."""
    return next((one.no for one in rounds(uow, season) if one.state == RoundState.PLANNED), RoundNo(0))


def lowest(uow: UnitOfWork, season: Season) -> DivisionNo:
    """The division in which latecomers play: the last one that not everybody has left, since nobody has a
    table alone.
    """
    held = uow.tx.column(Entry, "division", season_id=season.id, state=EntryState.PLAYING)
    drawn = uow.tx.column(SeasonDivision, "no", season_id=season.id)
    return max(held, default=max(drawn, default=DivisionNo(1)))


def fresh_seed(uow: UnitOfWork) -> str:
    """Chance for a season, in hex."""
    return (uow.settings.testing.seeds or secrets.token_bytes)(16).hex()
