"""What letters about leagues are worded from, looked up when their channel is ready.

Each kind is asked for by a few numbers: `of` (the league), `season` and `division` (0: the newest, all),
`round`, `table`, `person`, `form`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from referee.ports import Attachment
from referee.store import League, Season
from referee.text.rendering import pictures

from ..core.cache import lately
from ..core.unit_of_work import Sitting
from . import careers, exports, standings, statistics, views
from .season_book import Book, opened
from .terms import read

if TYPE_CHECKING:
    from ..outbound.compose import Desk

#: so many rows of people, so many tables and so many pictures a letter has; a mail has room for all
ROWS, TABLES, PICTURES = 60, 24, 2
_ALL = 1_000

Filled = dict[str, Any] | None


def filled(desk: Desk, kind: str, data: Mapping[str, Any]) -> Filled:
    """What a letter of `KINDS` says besides its data, with its `attachments`, and with what draws its
    pictures for a theme (`drawn`); None where there is nothing to say any more.
    """
    return _FILLERS[kind](desk, data)


def book_of(desk: Desk, data: Mapping[str, Any]) -> Book | None:
    """The season that is asked for."""
    league = desk.tx.get(League, int(data["of"]))
    season = None if league is None else views.season_of(desk.tx, league.id, int(data.get("season", 0)))
    return None if league is None or season is None else opened(desk.tx, league, season)


def head(desk: Desk, data: Mapping[str, Any], book: Book | None) -> dict[str, Any]:
    """league {id, name}, season (None: there is none), `url` of its page ("" where there is none)."""
    league = desk.tx.get(League, int(data["of"])) if book is None else book.league
    shown = league is not None and desk.settings.base_url and read(league).visible
    return {
        "league": {"id": data["of"], "name": "" if league is None else league.name},
        "season": None if book is None else views.season_facts(book),
        "url": f"{desk.settings.base_url}/l/{data['of']}" if shown else "",
    }


def _news(desk: Desk, data: Mapping[str, Any]) -> Filled:
    asked = data.get("standings")
    if not asked:
        return {}
    # the same news go to hundreds: what stands with them is reckoned once in a while
    return dict(
        lately(
            desk.states,
            desk.now_ms,
            ("news", asked["season"], asked["division"], asked.get("round", 0)),
            partial(_leaders, desk, asked),
        )
    )


def _leaders(desk: Desk, asked: Mapping[str, int]) -> dict[str, Any]:
    """The first few of the season that the news are about, which may be the newest no more when they are
    read.
    """
    season = desk.tx.get(Season, asked["season"])
    if season is None:
        return {}
    found = (
        _standings(desk, {"of": season.league_id, "season": season.no, "division": asked["division"]}, most=3)
        or {}
    )
    return {name: found.get(name) for name in ("shown", "season", "url")}


def _standings(desk: Desk, data: Mapping[str, Any], most: int = 0) -> Filled:
    """`most`: of each division no more than so many."""
    book = book_of(desk, data)
    if book is None:
        return head(desk, data, None)
    shown = standings.standings(_sitting(desk), book, int(data.get("division", 0)))
    mine = [
        one for one in shown["divisions"] if any(row["person"] == data.get("reader") for row in one["rows"])
    ]
    whole = [{**one} for one in (*mine, *(one for one in shown["divisions"] if one not in mine))][:PICTURES]
    room = most * len(shown["divisions"]) or (_ALL if desk.markup in ("mail", "text") else ROWS)
    each = max(3, room // max(1, len(shown["divisions"])))
    for one in shown["divisions"]:
        one["hidden"], one["rows"] = max(0, len(one["rows"]) - each), one["rows"][:each]
    found = {**head(desk, data, book), "shown": shown}
    return (
        found
        if most or not shown["season"]["round"]
        else {
            **found,
            "drawn": [
                partial(_drawn, desk, book, shown["season"], one, str(data.get("language", "")))
                for one in whole
            ],
        }
    )


def _drawn(
    desk: Desk, book: Book, season: Mapping[str, Any], division: Mapping[str, Any], language: str, theme: str
) -> pictures.Picture:
    """A division's standings, and the places after each round, as a picture."""
    return pictures.standings_picture(
        desk.words,
        language,
        theme,
        book.league.name,
        season,
        division,
        standings.progress(_sitting(desk), book, division["no"]),
    )


def _schedule(desk: Desk, data: Mapping[str, Any]) -> Filled:
    book = book_of(desk, data)
    if book is None:
        return head(desk, data, None)
    season = views.season_facts(book)
    no = int(data.get("round", 0)) or season["open"] or min(season["round"] + 1, season["rounds"])
    found = views.schedule(book, no, int(data.get("division", 0)))
    tables = found[0]["tables"] if found else []
    room = _ALL if desk.markup in ("mail", "text") else TABLES
    rounds = [
        {"no": row.no, "state": row.state, "starts_ms": row.starts_ms, "ends_ms": row.ends_ms}
        for row in book.rounds
    ]
    return {
        **head(desk, data, book),
        "rounds": rounds,
        "round": found[0]["no"] if found else no,
        "tables": tables[:room],
        "hidden": len(tables) - len(tables[:room]),
        "byes": [one["name"] for one in found[0]["byes"]] if found else [],
        "several": len(book.divisions) > 1,
        "mine": careers.tables_of(book, data.get("reader")),
    }


def _table(desk: Desk, data: Mapping[str, Any]) -> Filled:
    book = book_of(desk, data)
    row = None if book is None else next((one for one in book.tables if one.no == int(data["table"])), None)
    if book is None or row is None:
        return {**head(desk, data, book), "table": None, "number": data["table"]}
    return {
        **head(desk, data, book),
        "table": views.table(book, row),
        "number": row.no,
        "several": len(book.divisions) > 1,
    }


def _player(desk: Desk, data: Mapping[str, Any]) -> Filled:
    found = careers.of_person(_sitting(desk), int(data["person"]), league_id=int(data.get("of", 0)))
    return None if found is None else {"player": found}


def _stats(desk: Desk, data: Mapping[str, Any]) -> Filled:
    book = book_of(desk, data)
    if book is None:
        return head(desk, data, None)
    found = statistics.of_season(book)
    room = _ALL if desk.markup in ("mail", "text") else ROWS
    strength = {one["person"]: one for one in statistics.ratings(desk.tx, book.league)}
    people = [
        {**one, "strength": strength[one["person"]]["strength"] if one["person"] in strength else None}
        for one in found["people"][:room]
    ]
    return {
        **head(desk, data, book),
        "stats": {**found, "people": people},
        "hidden": len(found["people"]) - len(people),
    }


def _export(desk: Desk, data: Mapping[str, Any]) -> Filled:
    book, form = book_of(desk, data), str(data.get("form", "csv"))
    if book is None:
        return head(desk, data, None)
    only = str(data.get("sheet") or exports.SHEETS[0])
    sheets = ("",) if form != "csv" else exports.SHEETS if only == exports.SHEETS[0] else (only,)
    files = (
        [exports.written(_sitting(desk), book, form, sheet) for sheet in sheets]
        if desk.markup == "mail"
        else []
    )
    found = head(desk, data, book)
    links = (
        [
            f"{found['url']}/season/{book.season.no}/{f'{sheet}.csv' if sheet else 'season.json'}"
            for sheet in sheets
        ]
        if found["url"]
        else []
    )
    return {
        **found,
        "form": form,
        "files": [one.name for one in files],
        "links": links,
        "attachments": tuple(
            Attachment(one.name, f"{one.media_type}; charset=utf-8", one.data) for one in files
        ),
    }


def _sitting(desk: Desk) -> Sitting:
    return Sitting(desk.tx, desk.now_ms, desk.words, desk.settings, desk.states)


_FILLERS: Mapping[str, Callable[[Desk, Mapping[str, Any]], Filled]] = {
    "league_news": _news,
    "league_standings": _standings,
    "league_schedule": _schedule,
    "league_table": _table,
    "league_player": _player,
    "league_stats": _stats,
    "league_export": _export,
}
#: kinds of letters whose context is filled here
KINDS = frozenset(_FILLERS)
