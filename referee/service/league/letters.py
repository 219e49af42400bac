"""What letters about leagues are worded from, looked up when their channel is ready.

Each kind is asked for by a few numbers: `of` (the league), `season` and `division` (0: the newest, all),
`round`, `table`, `person`, `form`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from referee.ports import Attachment
from referee.store import Game, League, Season
from referee.text.rendering import pictures

from ..core.cache import lately
from ..core.composing import TABLE_FACTS, Composer, Composing, Draft, Occasion
from ..core.letters import Facts, Traits, Unasked, letter, plain
from ..core.unit_of_work import Sitting
from . import careers, exports, hooks, letter_facts, standings, statistics, views
from .season_book import Book, opened
from .terms import read

#: so many rows of people, so many tables and so many pictures a letter has; a mail has room for all
ROWS, TABLES, PICTURES = 60, 24, 2
_ALL = 1_000

Filled = dict[str, Any] | None


def filled(composing: Composing, kind: str, data: Mapping[str, Any]) -> Filled:
    """What a letter of that kind says besides its data, with its `attachments`, and with what draws its
    pictures for a theme (`drawn`): {} for a kind that needs nothing, None where there is nothing to say any
    more.
    """
    fill = _BY_KIND.get(kind)
    return {} if fill is None else fill(composing, data)


def book_of(composing: Composing, data: Mapping[str, Any]) -> Book | None:
    """The season that is asked for."""
    league = composing.tx.get(League, int(data["of"]))
    season = None if league is None else views.season_of(composing.tx, league.id, int(data.get("season", 0)))
    return None if league is None or season is None else opened(composing.tx, league, season)


def head(composing: Composing, data: Mapping[str, Any], book: Book | None) -> dict[str, Any]:
    """league {id, name}, season (None: there is none), `url` of its page ("" where there is none)."""
    league = composing.tx.get(League, int(data["of"])) if book is None else book.league
    shown = league is not None and composing.settings.base_url and read(league).visible
    return {
        "league": {"id": data["of"], "name": "" if league is None else league.name},
        "season": None if book is None else views.season_facts(book),
        "url": f"{composing.settings.base_url}/l/{data['of']}" if shown else "",
    }


def _news(composing: Composing, data: Mapping[str, Any]) -> Filled:
    asked = data.get("standings")
    if not asked:
        return {}
    # the same news go to hundreds: what stands with them is reckoned once in a while
    return dict(
        lately(
            composing.states,
            composing.now_ms,
            ("news", asked["season"], asked["division"], asked.get("round", 0)),
            partial(_leaders, composing, asked),
        )
    )


def _leaders(composing: Composing, asked: Mapping[str, int]) -> dict[str, Any]:
    """The first few of the season that the news are about, which may be the newest no more when they are
    read.
    """
    season = composing.tx.get(Season, asked["season"])
    if season is None:
        return {}
    found = (
        _standings(
            composing, {"of": season.league_id, "season": season.no, "division": asked["division"]}, most=3
        )
        or {}
    )
    return {name: found.get(name) for name in ("shown", "season", "url")}


def _standings(composing: Composing, data: Mapping[str, Any], most: int = 0) -> Filled:
    """`most`: of each division no more than so many."""
    book = book_of(composing, data)
    if book is None:
        return head(composing, data, None)
    shown = standings.standings(_sitting(composing), book, int(data.get("division", 0)))
    mine = [
        one for one in shown["divisions"] if any(row["person"] == data.get("reader") for row in one["rows"])
    ]
    whole = [{**one} for one in (*mine, *(one for one in shown["divisions"] if one not in mine))][:PICTURES]
    room = most * len(shown["divisions"]) or (_ALL if composing.markup in ("mail", "text") else ROWS)
    each = max(3, room // max(1, len(shown["divisions"])))
    for one in shown["divisions"]:
        one["hidden"], one["rows"] = max(0, len(one["rows"]) - each), one["rows"][:each]
    found = {**head(composing, data, book), "shown": shown}
    return (
        found
        if most or not shown["season"]["round"]
        else {
            **found,
            "drawn": [
                partial(_drawn, composing, book, shown["season"], one, str(data.get("language", "")))
                for one in whole
            ],
        }
    )


def _drawn(
    composing: Composing,
    book: Book,
    season: Mapping[str, Any],
    division: Mapping[str, Any],
    language: str,
    theme: str,
) -> pictures.Picture:
    """A division's standings, and the places after each round, as a picture."""
    return pictures.standings_picture(
        composing.words,
        language,
        theme,
        book.league.name,
        season,
        division,
        standings.progress(_sitting(composing), book, division["no"]),
    )


def _schedule(composing: Composing, data: Mapping[str, Any]) -> Filled:
    book = book_of(composing, data)
    if book is None:
        return head(composing, data, None)
    season = views.season_facts(book)
    no = int(data.get("round", 0)) or season["open"] or min(season["round"] + 1, season["rounds"])
    found = views.schedule(book, no, int(data.get("division", 0)))
    tables = found[0]["tables"] if found else []
    room = _ALL if composing.markup in ("mail", "text") else TABLES
    rounds = [
        {"no": row.no, "state": row.state, "starts_ms": row.starts_ms, "ends_ms": row.ends_ms}
        for row in book.rounds
    ]
    return {
        **head(composing, data, book),
        "rounds": rounds,
        "round": found[0]["no"] if found else no,
        "tables": tables[:room],
        "hidden": len(tables) - len(tables[:room]),
        "byes": [one["name"] for one in found[0]["byes"]] if found else [],
        "several": len(book.divisions) > 1,
        "mine": careers.tables_of(book, data.get("reader")),
    }


def _table(composing: Composing, data: Mapping[str, Any]) -> Filled:
    book = book_of(composing, data)
    row = None if book is None else next((one for one in book.tables if one.no == int(data["table"])), None)
    if book is None or row is None:
        return {**head(composing, data, book), "table": None, "number": data["table"]}
    return {
        **head(composing, data, book),
        "table": views.table(book, row),
        "number": row.no,
        "several": len(book.divisions) > 1,
    }


def _player(composing: Composing, data: Mapping[str, Any]) -> Filled:
    found = careers.of_person(_sitting(composing), int(data["person"]), league_id=int(data.get("of", 0)))
    return None if found is None else {"player": found}


def _stats(composing: Composing, data: Mapping[str, Any]) -> Filled:
    book = book_of(composing, data)
    if book is None:
        return head(composing, data, None)
    found = statistics.of_season(book)
    room = _ALL if composing.markup in ("mail", "text") else ROWS
    strength = {one["person"]: one for one in statistics.ratings(composing.tx, book.league)}
    people = [
        {**one, "strength": strength[one["person"]]["strength"] if one["person"] in strength else None}
        for one in found["people"][:room]
    ]
    return {
        **head(composing, data, book),
        "stats": {**found, "people": people},
        "hidden": len(found["people"]) - len(people),
    }


def _export(composing: Composing, data: Mapping[str, Any]) -> Filled:
    book, form = book_of(composing, data), str(data.get("form", "csv"))
    if book is None:
        return head(composing, data, None)
    only = str(data.get("sheet") or exports.SHEETS[0])
    sheets = ("",) if form != "csv" else exports.SHEETS if only == exports.SHEETS[0] else (only,)
    files = (
        [exports.written(_sitting(composing), book, form, sheet) for sheet in sheets]
        if composing.markup == "mail"
        else []
    )
    found = head(composing, data, book)
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


def _sitting(composing: Composing) -> Sitting:
    return Sitting(composing.tx, composing.now_ms, composing.words, composing.settings, composing.states)


_FILLERS: Mapping[type[Facts], Callable[[Composing, Mapping[str, Any]], Filled]] = {
    letter_facts.NewsFacts: _news,
    letter_facts.StandingsFacts: _standings,
    letter_facts.ScheduleFacts: _schedule,
    letter_facts.TableFacts: _table,
    letter_facts.PlayerFacts: _player,
    letter_facts.StatsFacts: _stats,
    letter_facts.ExportFacts: _export,
}
_BY_KIND = {facts.kind: fill for facts, fill in _FILLERS.items()}


def _composer(kind: str) -> Composer:
    def compose(occasion: Occasion) -> Draft | None:
        asked = {**occasion.data, "reader": occasion.row.person_id, "language": occasion.language}
        found = filled(occasion, kind, asked)
        if found is None:
            return None
        files, drawn = found.pop("attachments", ()), found.pop("drawn", ())
        return Draft(found, attachments=files, drawings=tuple(drawn))

    return compose


#: what goes to one person because of what became of them is told at any hour
_NEWS = Traits(unasked=Unasked("turns", raised={"about_you": "urgent"}))

plain(letter_facts.ListFacts, __name__)
plain(letter_facts.CardFacts, __name__)
plain(letter_facts.PeopleFacts, __name__)
plain(letter_facts.SettingsFacts, __name__)
plain(letter_facts.ProposalsFacts, __name__)
plain(letter_facts.LogFacts, __name__)
for _facts in _FILLERS:
    letter(_facts, _NEWS if _facts is letter_facts.NewsFacts else Traits())(_composer(_facts.kind))


def table(occasion: Occasion, game: Game) -> dict[str, Any]:
    """What a table knows of its league."""
    return {"league": hooks.mine(game)}


TABLE_FACTS.add("league", table, __name__)
