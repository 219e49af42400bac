"""What letters about leagues are worded from, looked up when their channel is ready.

Each kind is asked for by a few numbers (see letter_facts.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from msgspec import UNSET

from referee.ids import ALL_DIVISIONS, LeagueId, PersonId, RoundNo, SeasonNo
from referee.ports import Attachment
from referee.store import Game, League, Season
from referee.text.rendering import pictures

from ..core.cache import lately
from ..core.composing import TABLE_FACTS, ComposeContext, Composer, Draft, LetterContext
from ..core.letter_buttons import opening
from ..core.letters import Facts, LetterTraits, UnsolicitedDelivery, letter, plain
from ..play.table_league import told_status
from . import hooks, people_letters
from .letter_facts import (
    AnswersFacts,
    CardFacts,
    ExportFacts,
    HallFacts,
    InvitationsFacts,
    ListFacts,
    LogFacts,
    NewsFacts,
    PeopleFacts,
    PlayerFacts,
    ProposalsFacts,
    ReportsFacts,
    ScheduleFacts,
    SeasonsFacts,
    SettingsFacts,
    Standing,
    StandingsFacts,
    StatsFacts,
    TableFacts,
    WaitingFacts,
)
from .people_letters import uow_of
from .public import archive, exports
from .scores import careers, standings, statistics, views
from .scores.season_book import SeasonRows, load_season
from .terms import read_terms

#: this many rows of people, this many tables and this many pictures a letter has; a mail has room for all
ROWS, TABLES, PICTURES = 60, 24, 2
_ALL = 1_000

Filled = dict[str, Any] | None


class Reader(NamedTuple):
    """Who reads a letter (None: a room, the console), in which language."""

    person_id: PersonId | None = None
    language: str = ""


def letter_contents(composing: ComposeContext, facts: Facts, reader: Reader) -> Filled:
    """What a letter says besides its facts, with its `attachments`, and with what draws its pictures for a
    theme (`drawn`): {} for a kind that needs nothing, None where there is nothing to say any more.
    """
    fill = _FILLERS.get(type(facts))
    return {} if fill is None else fill(composing, facts, reader)


def book_of(composing: ComposeContext, of: LeagueId, season_no: SeasonNo) -> SeasonRows | None:
    """The season of a league that is asked for."""
    league = composing.tx.get(League, of)
    season = None if league is None else views.season_of(composing.tx, league.id, season_no)
    return None if league is None or season is None else load_season(composing.tx, league, season)


def head(composing: ComposeContext, of: LeagueId, book: SeasonRows | None) -> dict[str, Any]:
    """league {id, name}, season (None: there is none), `url` of its page ("" where there is none)."""
    league = composing.tx.get(League, of) if book is None else book.league
    shown = league is not None and composing.settings.base_url and read_terms(league).visible
    return {
        "league": {"id": of, "name": "" if league is None else league.name},
        "season": None if book is None else views.season_facts(book),
        "url": f"{composing.settings.base_url}/l/{of}" if shown else "",
    }


def _news(composing: ComposeContext, facts: NewsFacts, reader: Reader) -> Filled:
    asked = facts.standings
    if asked is UNSET:
        return {}
    # the same news go to hundreds: what stands with them is reckoned once in a while
    return dict(
        lately(
            composing.states,
            composing.now_ms,
            ("news", asked.season, asked.division, asked.round),
            partial(_leaders, composing, asked),
        )
    )


def _leaders(composing: ComposeContext, asked: Standing) -> dict[str, Any]:
    """The first few of the season that the news are about, which may be the newest no more when they are
    read.
    """
    season = composing.tx.get(Season, asked.season)
    if season is None:
        return {}
    first = StandingsFacts(season.league_id, season.no, division=asked.division)
    found = _standings(composing, first, Reader(), most=3) or {}
    return {name: found.get(name) for name in ("shown", "season", "url")}


def _standings(composing: ComposeContext, facts: StandingsFacts, reader: Reader, most: int = 0) -> Filled:
    """`most`: of each division no more than that many."""
    book = book_of(composing, facts.of, facts.season)
    if book is None:
        return head(composing, facts.of, None)
    shown = standings.standings(uow_of(composing), book, facts.division or ALL_DIVISIONS)
    mine = [
        one for one in shown["divisions"] if any(row["person"] == reader.person_id for row in one["rows"])
    ]
    whole = [{**one} for one in (*mine, *(one for one in shown["divisions"] if one not in mine))][:PICTURES]
    room = most * len(shown["divisions"]) or (_ALL if composing.markup in ("mail", "text") else ROWS)
    each = max(3, room // max(1, len(shown["divisions"])))
    for one in shown["divisions"]:
        one["hidden"], one["rows"] = max(0, len(one["rows"]) - each), one["rows"][:each]
    found = {**head(composing, facts.of, book), "shown": shown}
    return (
        found
        if most or not shown["season"]["round"]
        else {
            **found,
            "drawn": [
                partial(_drawn, composing, book, shown["season"], one, reader.language) for one in whole
            ],
        }
    )


def _drawn(
    composing: ComposeContext,
    book: SeasonRows,
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
        standings.progress(uow_of(composing), book, division["no"]),
    )


def _schedule(composing: ComposeContext, facts: ScheduleFacts, reader: Reader) -> Filled:
    book = book_of(composing, facts.of, facts.season)
    if book is None:
        return head(composing, facts.of, None)
    season = views.season_facts(book)
    no = (facts.round or 0) or season["open"] or min(season["round"] + 1, season["rounds"])
    found = views.schedule(book, RoundNo(no), facts.division or ALL_DIVISIONS)
    tables = found[0]["tables"] if found else []
    room = _ALL if composing.markup in ("mail", "text") else TABLES
    rounds = [
        {"no": row.no, "state": row.state, "starts_ms": row.starts_ms, "ends_ms": row.ends_ms}
        for row in book.rounds
    ]
    return {
        **head(composing, facts.of, book),
        "rounds": rounds,
        "round": found[0]["no"] if found else no,
        "tables": tables[:room],
        "hidden": len(tables) - len(tables[:room]),
        "byes": [one["name"] for one in found[0]["byes"]] if found else [],
        "waits": found[0]["waits"] if found else 0,
        "format": book.terms.format,
        "several": len(book.divisions) > 1,
        "mine": careers.tables_of(book, reader.person_id),
    }


def _table(composing: ComposeContext, facts: TableFacts, reader: Reader) -> Filled:
    book = book_of(composing, facts.of, facts.season)
    row = None if book is None else next((one for one in book.tables if one.no == facts.table), None)
    if book is None or row is None:
        return {**head(composing, facts.of, book), "table": None, "number": facts.table}
    return {
        **head(composing, facts.of, book),
        "table": views.table_view(book, row),
        "number": row.no,
        "several": len(book.divisions) > 1,
    }


def _player(composing: ComposeContext, facts: PlayerFacts, reader: Reader) -> Filled:
    found = careers.of_person(uow_of(composing), facts.person, league_id=facts.of)
    return None if found is None else {"player": found}


def _stats(composing: ComposeContext, facts: StatsFacts, reader: Reader) -> Filled:
    book = book_of(composing, facts.of, facts.season)
    if book is None:
        return head(composing, facts.of, None)
    found = statistics.of_season(book)
    room = _ALL if composing.markup in ("mail", "text") else ROWS
    strength = {one["person"]: one for one in statistics.ratings(composing.tx, book.league)}
    people = [
        {**one, "strength": strength[one["person"]]["strength"] if one["person"] in strength else None}
        for one in found["people"][:room]
    ]
    return {
        **head(composing, facts.of, book),
        "stats": {**found, "people": people},
        "hidden": len(found["people"]) - len(people),
    }


def _seasons(composing: ComposeContext, facts: SeasonsFacts, reader: Reader) -> Filled:
    league = composing.tx.get(League, facts.of)
    if league is None:
        return None
    room = _ALL if composing.markup in ("mail", "text") else TABLES
    found = archive.seasons(composing.tx, league)
    return {
        **head(composing, facts.of, None),
        "seasons": found[:room],
        "hidden": len(found) - len(found[:room]),
    }


def _hall(composing: ComposeContext, facts: HallFacts, reader: Reader) -> Filled:
    league = composing.tx.get(League, facts.of)
    if league is None:
        return None
    return {**head(composing, facts.of, None), "hall": _famous(composing, league)}


def _famous(composing: ComposeContext, league: League) -> dict[str, Any]:
    """The hall as it was reckoned lately: all results of all seasons are read for it."""
    return dict(
        lately(
            composing.states,
            composing.now_ms,
            ("hall", league.id),
            partial(archive.hall, composing.tx, league),
        )
    )


def _export(composing: ComposeContext, facts: ExportFacts, reader: Reader) -> Filled:
    book, form = book_of(composing, facts.of, facts.season), facts.form or "csv"
    if book is None:
        return head(composing, facts.of, None)
    only = facts.sheet or exports.SHEETS[0]
    sheets = ("",) if form != "csv" else exports.SHEETS if only == exports.SHEETS[0] else (only,)
    files = (
        [exports.export_file(uow_of(composing), book, form, sheet) for sheet in sheets]
        if composing.files
        else []
    )
    found = head(composing, facts.of, book)
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


_FILLERS: Mapping[type[Facts], Callable[[ComposeContext, Any, Reader], Filled]] = {
    NewsFacts: _news,
    StandingsFacts: _standings,
    ScheduleFacts: _schedule,
    TableFacts: _table,
    PlayerFacts: _player,
    StatsFacts: _stats,
    SeasonsFacts: _seasons,
    HallFacts: _hall,
    ExportFacts: _export,
    ReportsFacts: people_letters.of_reports,
    WaitingFacts: people_letters.of_waiting,
    InvitationsFacts: people_letters.of_invitations,
    AnswersFacts: people_letters.of_answers,
}


def _composer(facts: type[Facts]) -> Composer:
    def compose(ctx: LetterContext) -> Draft | None:
        reader = Reader(ctx.row.person_id, ctx.language)
        found = letter_contents(ctx, ctx.read(facts), reader)
        if found is None:
            return None
        files, drawn = found.pop("attachments", ()), found.pop("drawn", ())
        payload = found.pop("payload", "")
        buttons = opening(ctx, payload) if payload else []
        return Draft(found, buttons, attachments=files, drawings=tuple(drawn))

    return compose


#: what goes to one person because of what became of them is told at any hour
_NEWS = LetterTraits(unasked=UnsolicitedDelivery("turns", raised={"about_you": "urgent"}))
#: a problem reaches those who run the league though they want to hear of little; not in their quiet hours
_REPORTS = LetterTraits(unasked=UnsolicitedDelivery("turns", raised={"told": "urgent"}))
_TRAITS: Mapping[type[Facts], LetterTraits] = {NewsFacts: _NEWS, ReportsFacts: _REPORTS}

plain(ListFacts, __name__)
plain(CardFacts, __name__)
plain(PeopleFacts, __name__)
plain(SettingsFacts, __name__)
plain(ProposalsFacts, __name__)
plain(LogFacts, __name__)
for _facts in _FILLERS:
    letter(_facts, _TRAITS.get(_facts, LetterTraits()))(_composer(_facts))


def league_of_table(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """What a table knows of its league, and its status, which is the league's where the office ended it."""
    return {"league": hooks.read_league(game), "status": told_status(game)}


TABLE_FACTS.add("league", league_of_table, __name__)
