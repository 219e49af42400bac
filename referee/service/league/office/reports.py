"""A player reports a problem: who hears of it, who may read it, and how its reporter hears what became of it.

It reaches the moderators who don't play at the table that it is about; where there is none, owners and
directors; where they all play there, the admins of the house; where nobody at all is left, everybody in
charge. Its reporter is named to those readers alone. No line of the league's log tells who reported what.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.ids import ALL_ROUNDS, NO_GAME, GameId, LeagueReportId, PersonId, RoundNo, SeasonNo, TableNo
from referee.policy import DAY_MS
from referee.rules import Refusal
from referee.states import ReportState, TableState
from referee.store import Game, League, LeagueReport, LeagueRole, Season, SeasonTable

from ...core import outbox
from ...core.own_numbers import add_numbered
from ...core.unit_of_work import UnitOfWork
from ...people import officials
from ...people.letter_facts import notice as sentence
from ...web.site.visibility import path_of
from .. import hooks, lookup
from ..letter_facts import LeagueAnswer, ReportsFacts, notice
from ..roles import DIRECTOR, MODERATOR, OWNER, Official
from . import two_keys, waiting

#: the most reports that somebody sends in a day, in all leagues together
A_DAY = 3
#: the most open ones that are shown at once
SHOWN = 40
#: the buttons below the question what happened: a problem of the words, and its label's phrase
_OFFERED = (("silent", "report-silent"), ("rude", "report-rude"), ("broken", "report-broken"))


class ReportView(msgspec.Struct, frozen=True):
    """A report as an official reads it.

    by who reported it, `at_ms` when (UTC), `text` in their own words; season, round, table: numbers, 0 where
    it is about no table; `state` the table's; game 0 and url "" where there is no game, or no page of it;
    `awaited`: who is asked there now, and since when (see waiting.py).
    """

    number: LeagueReportId
    by: str
    at_ms: int
    text: str
    season: SeasonNo
    round: RoundNo
    table: TableNo
    state: str
    game: GameId
    url: str
    awaited: list[waiting.AwaitedPerson]


def said(
    uow: UnitOfWork, who: Official, league: League, args: Mapping[str, Any], about: GameId
) -> LeagueAnswer:
    """`report table 12 …`, `report …`: sent, or (without words) the question what happened.

    about: the game of the room, or of the letter that was answered (0: none). Raises Refusal.
    """
    season = lookup.latest(uow, league)
    if who.person is None:
        raise Refusal("league-console-nobody")
    if season is None:
        raise Refusal("league-no-season", league=league.name)
    lookup.entered(uow, season, who.person)
    table = _table(uow, season, who.person.id, TableNo(int(args["table"])), about)
    number = 0 if table is None else table.no
    if not args["text"]:
        prefix = f"league #{league.id} report" + (f" table {number}" if number else "")
        asked = notice("league-report-what", league=league.name, table=number)
        offers = [(label, f"{prefix} {problem}") for problem, label in _OFFERED]
        return LeagueAnswer(replace(asked.what, offers=offers), private=True)
    text = str(args["text"])
    if args["problem"]:
        text = uow.words.phrase(f"league_problems.{args['problem']}", who.language)
    told = send(uow, league, season, table, who.person.id, text)
    return notice("league-did-report", league=league.name, table=number, count=told)._replace(private=True)


def _table(
    uow: UnitOfWork, season: Season, me: PersonId, number: TableNo, about: GameId
) -> SeasonTable | None:
    """The table that is meant: the one that was named, else the one of the room or letter, else one's own;
    None where somebody plays at none. Raises Refusal where it might be one of several.
    """
    if number:
        return lookup.table_of(uow, season, number)
    here = uow.tx.one(SeasonTable, season_id=season.id, game_id=about) if about else None
    if here is not None:
        return here
    mine = [
        one
        for one in lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING, TableState.PLAYING)
        if me in people_at(uow, one)
    ]
    if len(mine) > 1:
        raise Refusal("league-report-which", tables=[one.no for one in mine])
    return mine[0] if mine else None


def send(
    uow: UnitOfWork, league: League, season: Season, table: SeasonTable | None, me: PersonId, text: str
) -> int:
    """Write a report down and tell those who read it; how many these are.  Raises Refusal.

    One of the same day that is open, in the same words, is that one: a button is soon tapped twice.
    """
    since_ms = uow.now_ms - DAY_MS
    every = uow.tx.all(LeagueReport, person_id=officials.family(uow.tx, me))
    mine = [one for one in every if one.at_ms > since_ms]
    about = None if table is None else table.id
    for old in mine:
        if (old.season_id, old.table_id, old.text, old.state) == (season.id, about, text, ReportState.OPEN):
            return len(readers(uow, league, old))
    if len(mine) >= A_DAY:
        raise Refusal("league-report-often", most=A_DAY)
    number = add_numbered(
        uow.tx,
        LeagueReport,
        league_id=league.id,
        season_id=season.id,
        table_id=about,
        game_id=None if table is None else table.game_id,
        person_id=me,
        text=text,
        at_ms=uow.now_ms,
    )
    row = uow.tx.get(LeagueReport, LeagueReportId(number))
    assert row is not None
    told = readers(uow, league, row)
    for one in told:
        facts = ReportsFacts(of=league.id, reports=[row.id], told=True)
        offered = replace(facts, offers=[("report-handled", f"league #{league.id} handled {row.id}")])
        outbox.to_person(uow, one, offered, collapse=f"league-report:{row.id}:{one}")
    return len(told)


def people_at(uow: UnitOfWork, table: SeasonTable) -> set[PersonId]:
    """Who plays at a table or ever did, by the numbers that they go by now."""
    game = lookup.game_of(uow, table)
    told = None if game is None else hooks.read_league(game)
    seats = [] if game is None else [one.person_id for one in uow.seats(game.id)]
    left = [] if told is None else [PersonId(int(who)) for who, _ in told.get("left", ())]
    found = {*lookup.people_of(table), *seats, *left}
    return {officials.now(uow.tx, one) for one in found if one is not None}


def involved(uow: UnitOfWork, report: LeagueReport) -> set[PersonId]:
    """Who reads a report only where nobody else is left: who sent it, and who plays at its table."""
    table = None if report.table_id is None else uow.tx.get(SeasonTable, report.table_id)
    there = set() if table is None else people_at(uow, table)
    return there | {officials.now(uow.tx, report.person_id)}


def readers(uow: UnitOfWork, league: League, report: LeagueReport) -> list[PersonId]:
    """Who is told of a report, the nearest to it first: see the top of this file."""
    circles = (
        _holding(uow, league, MODERATOR),
        _holding(uow, league, OWNER, DIRECTOR),
        officials.house(uow),
    )
    apart = {officials.key(uow, one) for one in involved(uow, report)}
    for circle in circles:
        free = {one for one in circle if officials.key(uow, one) not in apart}
        if free:
            return sorted(free)
    return sorted(set().union(*circles))


def _holding(uow: UnitOfWork, league: League, *roles: str) -> set[PersonId]:
    return {
        officials.now(uow.tx, one.person_id)
        for one in uow.tx.all(LeagueRole, league_id=league.id, role=roles)
    }


def may_read(uow: UnitOfWork, league: League, who: Official, report: LeagueReport) -> bool:
    """Whether somebody with a role in the league may read a report: not the person who sent it, nor one who
    plays at its table, as long as there is anybody else in charge.
    """
    apart = {officials.key(uow, one) for one in involved(uow, report)}
    if who.person is None or who.number not in apart:
        return True
    everybody = _holding(uow, league, MODERATOR, OWNER, DIRECTOR) | officials.house(uow)
    return all(officials.key(uow, one) in apart for one in everybody)


def open_reports(uow: UnitOfWork, league: League, who: Official) -> list[LeagueReport]:
    """The open reports of a league that somebody with a role there may read, the oldest first."""
    rows = uow.tx.all(LeagueReport, league_id=league.id, state=ReportState.OPEN, order="id")
    return [one for one in rows if may_read(uow, league, who, one)][:SHOWN]


def views(uow: UnitOfWork, numbers: Iterable[LeagueReportId]) -> list[ReportView]:
    """Reports as an official reads them; one that is gone is left out."""
    rows = (uow.tx.get(LeagueReport, one) for one in numbers)
    return [_view(uow, one) for one in rows if one is not None]


def _view(uow: UnitOfWork, row: LeagueReport) -> ReportView:
    tx = uow.tx
    season = None if row.season_id is None else tx.get(Season, row.season_id)
    table = None if row.table_id is None else tx.get(SeasonTable, row.table_id)
    game = None if table is None or table.game_id is None else tx.get(Game, table.game_id)
    base = uow.settings.base_url
    return ReportView(
        row.id,
        lookup.name_of(uow, row.person_id),
        row.at_ms,
        row.text,
        SeasonNo(0) if season is None else season.no,
        RoundNo(0) if table is None else table.round,
        TableNo(0) if table is None else table.no,
        "" if table is None else table.state,
        NO_GAME if game is None else game.id,
        f"{base}{path_of(tx, game)}" if game is not None and base else "",
        [] if game is None else waiting.awaited(uow, game),
    )


def handled(
    uow: UnitOfWork, league: League, who: Official, number: LeagueReportId, why: str
) -> dict[str, Any]:
    """Close a report, and tell its reporter the answer.  Raises Refusal for one that there is not, or that
    is not theirs to read.
    """
    row = uow.tx.get(LeagueReport, number)
    if row is None or row.league_id != league.id or not may_read(uow, league, who, row):
        raise Refusal("league-no-report", number=number)
    where = {"id": row.id, "state": ReportState.OPEN}
    done = {"state": ReportState.CLOSED, "closed_ms": uow.now_ms, "closed_by": who.person_id, "answer": why}
    if not uow.tx.change(LeagueReport, where, **done):
        raise Refusal("league-report-closed", number=number)
    two_keys.wake_latest(uow, league)
    table = None if row.table_id is None else uow.tx.get(SeasonTable, row.table_id)
    facts = {"league": league.name, "number": number, "table": 0 if table is None else table.no}
    outbox.to_person(uow, row.person_id, sentence("league-report-handled", **facts, by=who.by, why=why))
    return facts
