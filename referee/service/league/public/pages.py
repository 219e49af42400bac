"""Leagues for strangers: which there are, their standings and schedules, a player's record.

Leagues that are not visible don't exist here.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any
from zlib import crc32

from referee.ids import ALL_DIVISIONS, DivisionNo, GameId, LeagueId, PersonId, RoundNo
from referee.states import EntryState, TablePage
from referee.store import Game, League, Season, SeasonTable, Tx
from referee.text import clean

from ...core.cache import FRESH_MS, lately
from ...core.unit_of_work import UnitOfWork
from ...play.table_league import read_league
from ...web.site import hooks
from ...web.site.page_cache import PageContext, PageSpec, Wanted
from ..scores import careers, outcome, statistics, views
from ..scores import standings as league_standings
from ..scores.season_book import SeasonRows, load_season, parts
from ..terms import read_terms
from . import archive

#: this many rows of standings and this many tables stand on one page
ROWS, TABLES = 60, 60


def uow(look: PageContext) -> UnitOfWork:
    """A unit of work that writes nothing."""
    return UnitOfWork(look.tx, look.now_ms, look.words, look.settings, look.states)


def league_of(tx: Tx, wanted: Wanted) -> League | None:
    """The league of an address, if strangers may see it."""
    league = tx.get(League, LeagueId(int(wanted["league"])))
    return league if league is not None and read_terms(league).visible else None


def season_of(tx: Tx, wanted: Wanted) -> tuple[League, Season] | None:
    """The season of an address: the one that is named, or the newest."""
    league = league_of(tx, wanted)
    season = None if league is None else views.season_of(tx, league.id, number(wanted, "season"))
    return None if league is None or season is None else (league, season)


def number(wanted: Wanted, name: str, usual: int = 0) -> int:
    """A number of the address, `usual` where there is none; -1 for what is no number."""
    said = wanted.get(name, "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 7 else usual if not said else -1


def span(look: PageContext, *names: object) -> int:
    """A number that is another one each `FRESH_MS`, for each of the names at another moment."""
    return (look.now_ms + crc32(repr(names).encode()) % FRESH_MS) // FRESH_MS


def fresh(look: PageContext, wanted: Wanted) -> Hashable | None:
    """The same for a few seconds."""
    return span(look)


def of_league(look: PageContext, wanted: Wanted) -> Hashable | None:
    """The same for a few seconds, for leagues that are there."""
    return (
        None
        if league_of(look.tx, wanted) is None
        or min(number(wanted, one) for one in ("season", "division", "round", "page")) < 0
        else span(look, *sorted(wanted.items()))
    )


def of_player(look: PageContext, wanted: Wanted) -> Hashable | None:
    """The same, for people who were in a league that strangers may see."""
    seen = tuple(
        season.id for _, season, _ in careers.entries(look.tx, PersonId(int(wanted["person"])), public=True)
    )
    return (span(look, *sorted(wanted.items())), seen) if seen else None


def all_leagues(look: PageContext, wanted: Wanted) -> dict[str, Any]:
    """leagues [{id, name, closed, season}], those that go on first."""
    found = []
    for league in look.tx.all(League, order="closed_ms,id"):
        season = views.season_of(look.tx, league.id)
        if read_terms(league).visible:
            found.append(
                {
                    **views.league_facts(league),
                    "season": None if season is None else views.brief(look.tx, season),
                }
            )
    return {"leagues": sorted(found, key=lambda one: bool(one["closed"]))}


def _common(look: PageContext, league: League, season: Season | None) -> dict[str, Any]:
    seasons = [
        {"no": one.no, "state": one.state} for one in look.tx.all(Season, league_id=league.id, order="-no")
    ]
    return {
        "league": views.league_facts(league),
        "path": f"{look.root}/l/{league.id}",
        "seasons": seasons,
        "season": None,
        "latest": season is not None and [season.no] == [one["no"] for one in seasons[:1]],
    }


def standings(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """The league's own page: its newest season, or the one that is named; a long one a division, or a part of
    a division, at a time.
    """
    league = league_of(look.tx, wanted)
    found = season_of(look.tx, wanted)
    if league is None or (found is None and number(wanted, "season")):
        return None
    if found is None:
        return _common(look, league, None)
    book = season_book(look, *found)
    numbers = [row.no for row in book.divisions]
    division = DivisionNo(number(wanted, "division"))
    long = sum(one.state == EntryState.PLAYING for one in book.entries) > ROWS
    if division and division not in numbers:
        return None
    division = division or (numbers[0] if long and numbers else ALL_DIVISIONS)
    shown = lately(
        look.states,
        look.now_ms,
        ("standings", book.season.id, division),
        partial(league_standings.standings, uow(look), book, division),
    )
    page, pages = number(wanted, "page", 1), 1
    if not division and page != 1:
        return None
    if division:
        rows = shown["divisions"][0]["rows"]
        pages = max(1, -(-len(rows) // ROWS))
        if not 1 <= page <= pages:
            return None
        shown = {
            **shown,
            "divisions": [{**shown["divisions"][0], "rows": rows[(page - 1) * ROWS : page * ROWS]}],
        }
    return {
        **_common(look, *found),
        "season": shown["season"],
        "shown": shown,
        "division": division,
        "page": page,
        "pages": pages,
        "dates": views.next_dates(list(book.rounds), look.now_ms),
        "divisions": [{"no": row.no, "name": row.name} for row in book.divisions],
        "all": lately(
            look.states, look.now_ms, ("figures", book.season.id), partial(statistics.of_season, book)
        )["all"],
        "own": f"{look.root}/l/{league.id}/season/{book.season.no}",
    }


def schedule(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """One round's tables, one division of it where there are many; the dates of all rounds."""
    found = season_of(look.tx, wanted)
    league = league_of(look.tx, wanted)
    if league is None or (found is None and number(wanted, "season")):
        return None
    if found is None:
        return {**_common(look, league, None), "rounds": []}
    book = season_book(look, *found)
    season = views.season_facts(book)
    no = number(wanted, "round") or season["open"] or min(season["round"] + 1, season["rounds"])
    numbers = [row.no for row in book.divisions]
    division = DivisionNo(number(wanted, "division"))
    if (book.rounds and not 1 <= no <= len(book.rounds)) or (division and division not in numbers):
        return None
    many = sum(one.round == no for one in book.tables) > TABLES
    division = division or (numbers[0] if many and len(numbers) > 1 else ALL_DIVISIONS)
    picked = views.schedule(book, RoundNo(no), division)
    open_to_all = public_tables(
        look.tx, [one["game"] for row in picked for one in row["tables"] if one["game"]]
    )
    return {
        **_common(look, *found),
        "season": season,
        "round": no,
        "division": division,
        "several": len(numbers) > 1,
        "divisions": [{"no": row.no, "name": row.name} for row in book.divisions],
        "rounds": [
            {"no": row.no, "state": row.state, "starts_ms": row.starts_ms, "ends_ms": row.ends_ms}
            for row in book.rounds
        ],
        "waits": picked[0]["waits"] if picked else 0,
        "format": book.terms.format,
        "tables": [{**one, "shown": one["game"] in open_to_all} for row in picked for one in row["tables"]],
        "byes": [one for row in picked for one in row["byes"]],
    }


def public_tables(tx: Tx, games: list[GameId]) -> set[GameId]:
    """Those of these tables that have a page for everybody."""
    found: set[GameId] = set()
    for part in parts(sorted(games)):
        found |= set(tx.column(Game, "id", id=part, page=TablePage.PUBLIC))
    return found


def strength(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """How strong everybody in a league seems, which is what divisions are seeded by."""
    league = league_of(look.tx, wanted)
    if league is None:
        return None
    rows = lately(
        look.states, look.now_ms, ("strength", league.id), partial(statistics.ratings, look.tx, league)
    )
    page, pages = number(wanted, "page", 1), max(1, -(-len(rows) // ROWS))
    if not 1 <= page <= pages:
        return None
    return {
        **_common(look, league, views.season_of(look.tx, league.id)),
        "rows": rows[(page - 1) * ROWS : page * ROWS],
        "first": (page - 1) * ROWS + 1,
        "page": page,
        "pages": pages,
    }


def hall(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """Every season with who came first, and who did most in all of them."""
    league = league_of(look.tx, wanted)
    if league is None:
        return None
    return {
        **_common(look, league, views.season_of(look.tx, league.id)),
        "archive": lately(
            look.states, look.now_ms, ("seasons", league.id), partial(archive.seasons, look.tx, league)
        ),
        "hall": lately(look.states, look.now_ms, ("hall", league.id), partial(archive.hall, look.tx, league)),
    }


def player(look: PageContext, wanted: Wanted) -> dict[str, Any] | None:
    """What somebody has done in leagues that strangers may see; nobody who has done nothing there."""
    found = careers.of_person(
        uow(look),
        PersonId(int(wanted["person"])),
        public=True,
        lately=partial(lately, look.states, look.now_ms),
    )
    if found is None or not found["seasons"]:
        return None
    open_to_all = public_tables(look.tx, [one["game"] for one in found["results"] if one["game"]])
    return {
        **found,
        "results": [{**one, "shown": one["game"] in open_to_all} for one in found["results"]],
        "root_": look.root,
    }


def book_of(look: PageContext, wanted: Wanted) -> SeasonRows | None:
    """The season that a file is about."""
    found = season_of(look.tx, wanted)
    return None if found is None else season_book(look, *found)


def season_book(look: PageContext, league: League, season: Season) -> SeasonRows:
    """A season as it was read lately."""
    return lately(
        look.states, look.now_ms, ("book", season.id), partial(load_season, look.tx, league, season)
    )


@hooks.league_of.on
def of_table(look: PageContext, game: Game) -> dict[str, Any] | None:
    """The league that a table is played in, if strangers may see it: id, name, season, round, table, and how
    and why it was decided (result, cause, why).
    """
    told = read_league(game)
    row = None if told is None else look.tx.get(League, LeagueId(int(told["league"])))
    if told is None or row is None or not read_terms(row).visible:
        return None
    table = look.tx.one(SeasonTable, game_id=game.id)
    how = outcome.Outcome("") if table is None else outcome.of_table(table)
    return {
        "id": row.id,
        "name": clean(row.name, 60),
        "season": told["no"],
        "round": told["round"],
        "table": told["table"],
        "result": how.code,
        "cause": how.cause,
        "why": clean(how.why),
    }


_SEASON = ("league", "season", "division", "page")
PAGES = {
    "leagues": PageSpec((), fresh, all_leagues),
    "league": PageSpec(_SEASON, of_league, standings),
    "league_schedule": PageSpec((*_SEASON, "round"), of_league, schedule),
    "league_strength": PageSpec(("league", "page"), of_league, strength),
    "league_hall": PageSpec(("league",), of_league, hall),
    "player": PageSpec(("person",), of_player, player),
}
for _name, _page in PAGES.items():
    hooks.MORE.add(_name, _page, __name__)
