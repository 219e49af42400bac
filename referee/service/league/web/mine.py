"""The page of a league for those who play in it, or might: take part, where one plays, what a place would
mean, what it is played by, who runs it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from referee.ids import LeagueId, PersonId, TableNo
from referee.league.prospects import prospects
from referee.states import EntryState, SeasonState, TableState
from referee.store import Entry, League, Person, Season, SeasonTable
from referee.text import clean

from ...core.cache import lately
from ...core.unit_of_work import UnitOfWork
from ...web.own import hooks
from ...web.site.page_cache import PageContext, Wanted
from .. import lookup, onlookers, roles, settings
from ..public.pages import number, season_book, uow
from ..scores import results, views
from ..scores.season_book import NAME_MOST, SeasonRows
from ..terms import read_terms
from .reader import reader_of

#: states of a table at which one still plays
_ON = (TableState.PLANNED, TableState.GATHERING, TableState.PLAYING)


def facts(look: PageContext, person: Person, wanted: Wanted) -> dict[str, Any] | None:
    """league, role, officials, season, dates, settings {key: words}, mine (the state of one's entry), acts
    (the words of what one can do about it), tables (one's own that are not decided), standing {rank, points,
    played} and prospects [{place, rank}], None before there are any.

    None for a league that is not there, or is no business of theirs.
    """
    league = look.tx.get(League, LeagueId(number(wanted, "league")))
    one = uow(look)
    if league is None or not onlookers.concerns(one, league, reader_of(one, person)):
        return None
    season = lookup.latest(one, league)
    book = None if season is None else season_book(look, league, season)
    entry = None if season is None else lookup.entry_of(one, season, person.id)
    own = (
        []
        if book is None
        else [row for row in book.tables if row.state in _ON and person.id in book.people[row.id]]
    )
    return {
        "league": views.league_facts(league),
        "path": f"{look.root}/l/{league.id}",
        "public": read_terms(league).visible,
        "role": roles.role_of(look.tx, league, reader_of(one, person)),
        "officials": [
            {"role": held, "name": clean(name, NAME_MOST)} for held, name in roles.officials(look.tx, league)
        ],
        "season": None if book is None else views.season_facts(book),
        "dates": [] if book is None else views.next_dates(list(book.rounds), look.now_ms),
        "settings": settings.all_told(read_terms(season or league)),
        "mine": "" if entry is None else entry.state,
        "acts": [] if season is None else [f"league #{league.id} {act}" for act in open_acts(season, entry)],
        "tables": [] if book is None else [views.table_view(book, row) for row in own],
        **_standing(look, one, season, entry, book, own),
    }


def open_acts(season: Season, entry: Entry | None) -> list[str]:
    """What somebody can do about their place in a season: join, alternate, leave."""
    state = "" if entry is None else entry.state
    if season.state not in lookup.ALIVE or state == EntryState.REMOVED:
        return []
    if state in (EntryState.SIGNED, EntryState.PLAYING):
        return ["leave"]
    late = season.state != SeasonState.SIGNUP and not read_terms(season).joins
    others = ["leave"] if state == EntryState.WAITING else ["alternate"]
    return [*([] if late else ["join"]), *others]


def _standing(
    look: PageContext,
    one: UnitOfWork,
    season: Season | None,
    entry: Entry | None,
    book: SeasonRows | None,
    own: list[SeasonTable],
) -> dict[str, Any]:
    """Where one stands, and what each place at one's table would make of it."""
    found: dict[str, Any] = {"standing": None, "prospects": [], "at": TableNo(0)}
    if season is None or entry is None or book is None or not entry.division:
        return found
    rows = lately(
        look.states,
        look.now_ms,
        ("own standings", season.id, entry.division),
        partial(results.standings, one, season, entry.division),
    )
    mine = next((row for row in rows if row.person == entry.person_id and row.played), None)
    if mine is not None:
        found["standing"] = {
            "rank": mine.rank,
            "points": views.points_text(mine.points),
            "played": mine.played,
        }
    playing = next((row for row in own if row.state == TableState.PLAYING), None)
    if playing is not None:
        people = [PersonId(who) for who in book.people[playing.id]]
        worth = book.terms.table().of(len(people))
        ranks = prospects({row.person: row.points for row in rows}, people, worth, entry.person_id)
        found |= {
            "prospects": [{"place": place, "rank": rank} for place, rank in enumerate(ranks, 1)],
            "at": playing.no,
        }
    return found


def all_of_mine(look: PageContext, person: Person, wanted: Wanted) -> dict[str, Any] | None:
    """leagues [{id, name, season, role, mine}]: those that somebody runs or is in first, then those that are
    open to all.
    """
    one = uow(look)
    who = reader_of(one, person)
    found = []
    for league in look.tx.all(League, closed_ms=0, order="id"):
        season = lookup.latest(one, league)
        entry = None if season is None else lookup.entry_of(one, season, person.id)
        if not onlookers.concerns(one, league, who):
            continue
        found.append(
            {
                **views.league_facts(league),
                "season": None if season is None else views.brief(look.tx, season),
                "role": roles.role_of(look.tx, league, who),
                "mine": "" if entry is None else entry.state,
            }
        )
    found.sort(key=lambda row: not (row["role"] or row["mine"]))
    return {"leagues": found}


hooks.MORE.add("my_leagues", hooks.OwnPage((), all_of_mine), __name__)
hooks.MORE.add("my_league", hooks.OwnPage(("league",), facts), __name__)
