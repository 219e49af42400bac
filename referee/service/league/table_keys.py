"""Who is in charge of a league's tables: those who run it, but nobody where they play, or gain by it."""

from __future__ import annotations

from referee.ids import LeagueId, PersonId
from referee.store import Game, League, LeagueRole, Season, SeasonTable, Tx

from ..core.unit_of_work import UnitOfWork
from ..people import officials
from ..people.hooks import TableKey, key_turned, keys, looks_on, recused
from . import lookup, roles
from .announcements import TOLD, announce
from .hooks import read_league
from .office.recusal import Involved, Key, Keys, Touched

#: what moderators may do at tables, too: "" is what everybody in charge may
MODERATE = frozenset({"", "pause", "resume", "extend", "offer", "talk"})
#: what moves nobody's points: for "" and talk anybody's key counts, for time only not at one's own table
_HARMLESS = frozenset({"", "talk"})
_TIME = frozenset({"pause", "resume", "extend"})


@keys.on
def in_charge(tx: Tx, game: Game, act: str) -> list[TableKey] | None:
    """Those who run a league are in charge of its tables."""
    told = read_league(game)
    if told is None:
        return None
    needed = roles.MODERATOR if act in MODERATE else roles.DIRECTOR
    return [
        TableKey(one.person_id, one.given_ms)
        for one in tx.all(LeagueRole, league_id=int(told["league"]), order="id")
        if roles.reaches(one.role, needed)
    ]


@recused.on
def has_an_interest(uow: UnitOfWork, game: Game, act: str, person_id: PersonId) -> bool | None:
    """Whether a key does not count, as its person plays at the table, or in its division."""
    keys_here = _keys(uow, game, act)
    if keys_here is None:
        return None
    key = _key(uow, keys_here, person_id)
    return not keys_here.counts(key)


@looks_on.on
def in_its_season(uow: UnitOfWork, game: Game, person_id: PersonId) -> bool | None:
    """Whether somebody may look at a league's table that is in its season: what is played there counts for
    them, too.
    """
    table = None if read_league(game) is None else uow.tx.one(SeasonTable, game_id=game.id)
    season = None if table is None else uow.tx.get(Season, table.season_id)
    entry = None if season is None else lookup.entry_of(uow, season, person_id)
    return None if entry is None else entry.state in TOLD


@key_turned.on
def told_to_all(uow: UnitOfWork, game: Game, act: str, person_id: PersonId) -> None:
    """Somebody with an interest turned a key, as nobody else was left."""
    keys_here, told = _keys(uow, game, act), read_league(game)
    if keys_here is None or told is None or _key(uow, keys_here, person_id).why == Involved.NOT:
        return
    facts = {
        "names": [lookup.name_of(uow, person_id)],
        "round": told["round"],
        "table": told["table"],
        "act": act,
    }
    announce(uow, keys_here.league, "league-last-at-table", facts)


def _keys(uow: UnitOfWork, game: Game, act: str) -> Keys | None:
    """Whose keys count at a league's table for that act; None where anybody's does."""
    told = read_league(game)
    table = None if told is None or act in _HARMLESS else uow.tx.one(SeasonTable, game_id=game.id)
    if told is None or table is None:
        return None
    league, season = uow.tx.get(League, LeagueId(int(told["league"]))), uow.tx.get(Season, table.season_id)
    if league is None or season is None:
        return None
    touched = Touched(season, table=table, division=None if act in _TIME else table.division)
    needed = roles.MODERATOR if act in MODERATE else roles.DIRECTOR
    return Keys(uow, league, act, needed, touched)


def _key(uow: UnitOfWork, keys_here: Keys, person_id: PersonId) -> Key:
    return keys_here.of(person_id, house=officials.now(uow.tx, person_id) in officials.house(uow))
