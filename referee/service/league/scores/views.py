"""What a league shows: plain facts of its schedule and its tables, without secrets.

Points are text ("1.5"), moments epoch ms, people {person, name}.

season_facts  which season, and how far it is          schedule  rounds and their tables
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee import league as sums
from referee.ids import ALL_DIVISIONS, ALL_ROUNDS, DivisionNo, LeagueId, RoundNo
from referee.states import EntryState, RoundState, TableState
from referee.store import (
    Entry,
    League,
    Season,
    SeasonRound,
    SeasonTable,
    Tx,
)
from referee.text import clean

from .. import pausing
from ..terms import BALANCED, read_terms
from . import outcome, results
from .outcome import Code
from .season_book import SeasonRows, flags_of

#: states of a table that have places
DECIDED = (TableState.OVER, TableState.RULED)


def season_of(tx: Tx, league_id: LeagueId | None, no: int = 0) -> Season | None:
    """A season by its number, or (0) the newest."""
    if no:
        return tx.one(Season, league_id=league_id, no=no)
    return next(iter(tx.all(Season, league_id=league_id, order="-no", limit=1)), None)


def season_facts(book: SeasonRows) -> dict[str, Any]:
    """no, state, `round`: the last one that is over, `open`: the one that is played (0: none), rounds,
    people, and its dates.
    """
    season = book.season
    closed = [row.no for row in book.rounds if row.state == RoundState.CLOSED]
    running = [row.no for row in book.rounds if row.state == RoundState.OPEN]
    return {
        "no": season.no,
        "state": season.state,
        "round": max(closed, default=0),
        "open": max(running, default=0),
        "rounds": len(book.rounds) or book.terms.rounds_known,
        "people": sum(one.state in (EntryState.SIGNED, EntryState.PLAYING) for one in book.entries),
        "waiting": sum(one.state == EntryState.WAITING for one in book.entries),
        "opened_ms": season.opened_ms,
        "closes_ms": pausing.expected(season, season.closes_ms),
        "starts_ms": pausing.expected(season, season.starts_ms),
        "ended_ms": season.ended_ms,
        "pause": pausing.shown(season),
    }


def brief(tx: Tx, season: Season) -> dict[str, Any]:
    """The same without reading the whole season."""
    rounds = tx.all(SeasonRound, season_id=season.id)
    return {
        "no": season.no,
        "state": season.state,
        "round": max((row.no for row in rounds if row.state == RoundState.CLOSED), default=0),
        "open": max((row.no for row in rounds if row.state == RoundState.OPEN), default=0),
        "rounds": len(rounds) or read_terms(season).rounds_known,
        "people": tx.count(Entry, season_id=season.id, state=(EntryState.SIGNED, EntryState.PLAYING)),
        "waiting": tx.count(Entry, season_id=season.id, state=EntryState.WAITING),
        "opened_ms": season.opened_ms,
        "closes_ms": pausing.expected(season, season.closes_ms),
        "starts_ms": pausing.expected(season, season.starts_ms),
        "ended_ms": season.ended_ms,
        "pause": pausing.shown(season),
    }


def league_facts(league: League) -> dict[str, Any]:
    """id and name."""
    return {"id": league.id, "name": clean(league.name), "closed": league.closed_ms > 0}


def schedule(
    book: SeasonRows, round_no: RoundNo = ALL_ROUNDS, division: DivisionNo = ALL_DIVISIONS
) -> list[dict[str, Any]]:
    """Rounds with their tables and byes; one round, one division, or (0) all of them."""
    byes = book.byes()
    member = {one.person_id: one.division for one in book.entries}
    return [
        {
            "no": row.no,
            "state": row.state,
            "starts_ms": row.starts_ms,
            "ends_ms": row.ends_ms,
            "waits": drawn_after(book, row),
            "byes": [
                {"person": who, "name": book.name(who)}
                for who in byes.get(row.no, ())
                if division in (0, member.get(who, 0))
            ],
            "tables": [
                table_view(book, one)
                for one in book.tables
                if one.round == row.no and division in (0, one.division) and one.state != TableState.REPLAYED
            ],
        }
        for row in book.rounds
        if round_no in (0, row.no)
    ]


def drawn_after(book: SeasonRows, row: SeasonRound) -> int:
    """The round after which that one is drawn, 0 where it is drawn."""
    due = book.terms.format != BALANCED and row.state == RoundState.PLANNED and row.no > 1
    return row.no - 1 if due and not any(one.round == row.no for one in book.tables) else 0


def table_view(book: SeasonRows, row: SeasonTable) -> dict[str, Any]:
    """One table: no, division, round, state, `result`: its code, with cause and why (see `Outcome`; "" while
    nothing is decided), seats, game (its number, None before it gathers), people in seat order, or the best
    first once it is decided.
    """
    found = book.results.get(row.id, ()) if row.state in DECIDED else ()
    people, how = book.people[row.id], outcome.of_table(row)
    return {
        "no": row.no,
        "division": row.division,
        "round": row.round,
        "state": row.state,
        "result": how.code,
        "cause": how.cause,
        "why": clean(how.why),
        "seats": len(people),
        "game": row.game_id,
        "ended_ms": row.ended_ms,
        "replays": next((one.no for one in book.tables if one.id == row.replays), 0) if row.replays else 0,
        "people": table_results(book, row)
        if found
        else [
            {
                "person": who,
                "name": book.name(who),
                "crown": at == row.crown,
                "place": 0,
                "score": 0,
                "flags": [],
            }
            for at, who in enumerate(people)
        ],
    }


def table_results(book: SeasonRows, row: SeasonTable) -> list[dict[str, Any]]:
    """How everybody did at a table, the best first: place, score of the game, the points for it, the share
    (None: it gives none), and what is to be known besides.
    """
    rows = book.results.get(row.id, ())
    known = [(one, results.as_result(row, one)) for one in rows]
    terms, how = results.stated(book.season, book.terms), outcome.of_table(row)
    worth: dict[int, tuple[Any, Any]] = {}
    for number in {found.table for _, found in known if found is not None}:
        at = [(one.id, found) for one, found in known if found is not None and found.table == number]
        counted = [found for _, found in at]
        for (key, _), points, share in zip(
            at, sums.given(counted, terms), sums.shares(counted, terms), strict=True
        ):
            worth[key] = points, share
    return [
        {
            "person": one.person_id,
            "name": book.name(one.person_id),
            "crown": False,
            "place": one.place,
            "score": one.score,
            "points": points_text(worth[one.id][0]) if one.id in worth else "",
            "share": round(float(worth[one.id][1]), 4)
            if one.id in worth and worth[one.id][1] is not None
            else None,
            "flags": flag_names(flags_of(one), how.code),
        }
        for one in rows
    ]


def flag_names(flags: Mapping[str, Any], code: str = "") -> list[str]:
    """What of a result is told: left, lost (they forfeit it), abandoned, took_over; ruled, adjudicated or
    forfeit, where its table was decided otherwise than by playing.
    """
    known = {"lost": flags.get("forfeit"), **flags}
    found = [name for name in ("left", "lost", "abandoned", "took_over") if known.get(name)]
    return [*found, *([code] if code in (Code.RULED, Code.ADJUDICATED, Code.FORFEIT) else [])]


def next_dates(rounds: list[SeasonRound], now_ms: int) -> list[dict[str, Any]]:
    """What is to come of the rounds' dates, the nearest first: {no, what: starts or ends, at_ms}."""
    found = [
        {"no": row.no, "what": what, "at_ms": at}
        for row in rounds
        if row.state != RoundState.CLOSED
        for what, at in (("starts", row.starts_ms), ("ends", row.ends_ms))
        if at > now_ms
    ]
    return sorted(found, key=lambda one: int(str(one["at_ms"])))


def points_text(worth: Any) -> str:
    """Points as people write them."""
    return f"-{sums.shown(-worth)}" if worth < 0 else sums.shown(worth)
