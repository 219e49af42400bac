"""What officials decide: a table's places, that it does not count or is played again, byes, who plays in
whose place; and the end of a season before its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee import rules
from referee.rules import Refusal
from referee.states import EntryState, GameStatus, RoundState, SeasonState, TableState
from referee.store import (
    Game,
    Person,
    Season,
    SeasonRound,
    SeasonTable,
    TableResult,
)

from ..core import outbox
from ..core.unit_of_work import Sitting, written
from ..deadlines import clock_state, open_proposals
from ..deadlines import rows as deadlines_rows
from ..people.replies import notices
from ..play import seat_offers
from ..tables import takeover
from ..tables.seat_names import fold
from . import absences, gathering, hooks, lookup, results
from .announcements import announce

Facts = dict[str, Any]


def rule(
    sitting: Sitting,
    season: Season,
    table: SeasonTable,
    order: Sequence[str] | str = "scores",
    *,
    why: str = "",
) -> Facts:
    """Decide a table's places: by the scores as everybody sees them ("scores"), or in the order of these
    names, the best first. A game that goes on ends with it. Raises Refusal.
    """
    league = lookup.league_of(sitting, season)
    if table.state not in (TableState.GATHERING, TableState.PLAYING, TableState.OVER, TableState.RULED):
        raise Refusal("league-table-state", table=table.no, state=table.state)
    game = lookup.game_of(sitting, table)
    if (game is None or not game.snapshot) and order == "scores":
        raise Refusal("league-no-scores", table=table.no)
    scores = (
        rules.places(sitting.states.of(game), public=game.status != GameStatus.OVER)
        if game is not None and game.snapshot
        else ()
    )
    places = (
        scores if order == "scores" else in_order(sitting, table, game, order, [score for _, score in scores])
    )
    if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
        ended(sitting, game, "league-table-ruled", table)
    results.ruled(sitting, season, table, game, places)
    hooks.due(sitting, season.id)
    names = _names(sitting, table)
    announce(
        sitting,
        league,
        "league-ruled",
        {"round": table.round, "table": table.no, "why": why, "names": names},
        f"division {table.division}",
    )
    return {
        "league": league.name,
        "season": season.no,
        "round": table.round,
        "table": table.no,
        "names": names,
        "by": "scores" if order == "scores" else "names",
        "against_scores": order != "scores",
    }


def in_order(
    sitting: Sitting, table: SeasonTable, game: Game | None, order: Sequence[str] | str, scores: list[int]
) -> list[tuple[int, int]]:
    """(place, score) of each seat, from names.

    Raises Refusal for names that are not all of those at the table, each once.
    """
    seats = [] if game is None else sitting.seats(int(game.id or 0))
    called = [seat.name for seat in seats] or lookup.names_of(sitting, lookup.people_of(table))
    people = lookup.names_of(sitting, [int(seat.person_id or 0) for seat in seats]) if seats else called
    found: list[int] = []
    for name in order:
        fits = [
            no
            for no in range(len(called))
            if fold(name) and fold(name) in (fold(called[no]), fold(people[no]))
        ]
        fits = fits or [
            no for no in range(len(called)) if fold(name) and fold(called[no]).startswith(fold(name))
        ]
        if len(fits) != 1 or fits[0] in found:
            raise Refusal("league-order", table=table.no, name=name, names=called)
        found.append(fits[0])
    if len(found) != len(called):
        raise Refusal("league-order", table=table.no, name="", names=called)
    return [(found.index(no) + 1, scores[no] if scores else 0) for no in range(len(called))]


def _names(sitting: Sitting, table: SeasonTable) -> list[str]:
    rows = [
        row
        for row in sitting.tx.all(TableResult, table_id=table.id, order="place,id")
        if '"left"' not in row.flags
    ]
    return lookup.names_of(sitting, [row.person_id for row in rows])


def void(sitting: Sitting, season: Season, table: SeasonTable) -> Facts:
    """A table does not count; for those who were there it is a bye.

    A game that goes on ends with it. Raises Refusal.
    """
    league, was = lookup.league_of(sitting, season), table.state
    if was not in (
        TableState.PLANNED,
        TableState.GATHERING,
        TableState.PLAYING,
        TableState.OVER,
        TableState.RULED,
    ):
        raise Refusal("league-table-state", table=table.no, state=was)
    game = lookup.game_of(sitting, table)
    if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
        ended(sitting, game, "league-table-void", table)
    sitting.tx.drop(TableResult, table_id=table.id)
    sitting.tx.set(SeasonTable, table.id, state=TableState.VOID, ended_ms=sitting.now_ms)
    hooks.due(sitting, season.id)
    announce(
        sitting,
        league,
        "league-void",
        {"round": table.round, "table": table.no},
        f"division {table.division}",
    )
    return {"league": league.name, "season": season.no, "round": table.round, "table": table.no, "was": was}


def replay(sitting: Sitting, season: Season, table: SeasonTable) -> Facts:
    """A table is played again by those of it who are still in the season; what it came to does not count.

    Its round is open until the new table is decided. Raises Refusal.
    """
    league = lookup.league_of(sitting, season)
    if season.state != SeasonState.RUNNING or table.state in (TableState.PLANNED, TableState.REPLAYED):
        raise Refusal("league-table-state", table=table.no, state=table.state)
    people = [
        one
        for one in lookup.people_of(table)
        if (entry := lookup.entry_of(sitting, season, one)) is not None and entry.state == EntryState.PLAYING
    ]
    if len(people) < 2:
        raise Refusal("league-too-few-left", table=table.no, people=len(people))
    game = lookup.game_of(sitting, table)
    if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
        ended(sitting, game, "league-table-void", table)
    tx, crown = sitting.tx, lookup.people_of(table)[table.crown]
    tx.drop(TableResult, table_id=table.id)
    tx.set(SeasonTable, table.id, state=TableState.REPLAYED, ended_ms=sitting.now_ms)
    no = max(tx.column(SeasonTable, "no", season_id=season.id)) + 1
    tx.add(
        SeasonTable,
        season_id=season.id,
        no=no,
        division=table.division,
        round=table.round,
        people=written(people),
        crown=people.index(crown) if crown in people else 0,
        replays=table.id,
    )
    row = lookup.round_of(sitting, season, table.round)
    if row.state == RoundState.CLOSED:
        tx.set(
            SeasonRound,
            row.id,
            state=RoundState.OPEN,
            ends_ms=max(row.ends_ms, sitting.now_ms + (row.ends_ms - row.starts_ms)),
        )
    hooks.due(sitting, season.id)
    announce(
        sitting,
        league,
        "league-replay",
        {"round": table.round, "table": table.no, "new_table": no},
        f"division {table.division}",
    )
    return {
        "league": league.name,
        "season": season.no,
        "round": table.round,
        "table": table.no,
        "new_table": no,
    }


def bye(sitting: Sitting, season: Season, person: Person, round_no: int) -> Facts:
    """Somebody has no table in a round that is not open yet.  Raises Refusal."""
    league, row = lookup.league_of(sitting, season), lookup.round_of(sitting, season, round_no)
    entry = lookup.entered(sitting, season, person)
    if row.state != RoundState.PLANNED:
        raise Refusal("league-round-begun", league=league.name, round=round_no)
    if person.id in lookup.facts_of(row).get("granted", ()):
        raise Refusal("league-bye-already", name=person.name, round=round_no)
    _rests(sitting, season, round_no, int(person.id or 0))
    hooks.due(sitting, season.id)
    announce(sitting, league, "league-bye", {"season": season.no, "round": round_no}, [entry.person_id])
    return {
        "league": league.name,
        "season": season.no,
        "round": round_no,
        "name": person.name,
        "person": person.id,
    }


def _rests(sitting: Sitting, season: Season, round_no: int, who: int) -> None:
    """Somebody has a bye in a round, by an official's word."""
    row = lookup.round_of(sitting, season, round_no)
    facts = lookup.facts_of(row)
    name = "granted" if row.state == RoundState.PLANNED else "byes"
    sitting.tx.set(SeasonRound, row.id, facts=written({**facts, name: [*facts.get(name, ()), who]}))


def substitute(sitting: Sitting, season: Season, table: SeasonTable, out: Person, into: Person) -> Facts:
    """Somebody plays at a table in another's place from now on, whatever that table is at.

    Raises Refusal.
    """
    league = lookup.league_of(sitting, season)
    game, people = lookup.game_of(sitting, table), lookup.people_of(table)
    if table.state not in (TableState.PLANNED, TableState.GATHERING, TableState.PLAYING):
        raise Refusal("league-table-state", table=table.no, state=table.state)
    seats = [] if game is None else sitting.seats(int(game.id or 0))
    sits = [seat.person_id for seat in seats] or people
    if out.id not in sits:
        raise Refusal(
            "league-not-there",
            name=out.name,
            table=table.no,
            names=lookup.names_of(sitting, [int(one) for one in sits if one is not None]),
        )
    if into.id in sits:
        raise Refusal("league-there-already", name=into.name, table=table.no)
    entry = lookup.entry_of(sitting, season, into.id)
    if entry is None or entry.state not in (EntryState.WAITING, EntryState.PLAYING, EntryState.SIGNED):
        raise Refusal("league-not-in", league=league.name, name=into.name)
    if any(
        into.id in lookup.people_of(one)
        for one in lookup.tables(
            sitting, season, table.round, TableState.PLANNED, TableState.GATHERING, TableState.PLAYING
        )
    ):
        raise Refusal("league-plays-elsewhere", name=into.name, round=table.round)
    if game is None:
        sitting.tx.set(
            SeasonTable,
            table.id,
            people=written([int(into.id or 0) if one == out.id else one for one in people]),
        )
        absences.enrolled(sitting, season, table, into, table.round)
        _rests(sitting, season, table.round, int(out.id or 0))
    elif game.status == GameStatus.MUSTERING:
        hooks.left(sitting, game, out.id, "substituted")
        gathering.swapped(
            sitting, table, game, next(seat for seat in seats if seat.person_id == out.id), into
        )
        absences.enrolled(sitting, season, table, into)
    else:
        seat = next(seat for seat in seats if seat.person_id == out.id)
        absences.enrolled(sitting, season, table, into)
        takeover.put(sitting, game, into, None, seat, "substituted")
    facts = {"round": table.round, "table": table.no, "out": out.name, "into": into.name}
    announce(sitting, league, "league-replaced", facts, [int(out.id or 0), int(into.id or 0)])
    return {"league": league.name, "season": season.no, **facts}


def void_season(sitting: Sitting, season: Season) -> Facts:
    """A season is called off: its games end, its results do not count.  Raises Refusal."""
    season = lookup.fresh(sitting, season)
    league = lookup.league_of(sitting, season)
    if season.state == SeasonState.VOID:
        raise Refusal("league-season-over", league=league.name, season=season.no)
    for table in lookup.tables(sitting, season, 0, TableState.GATHERING, TableState.PLAYING):
        game = lookup.game_of(sitting, table)
        if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
            ended(sitting, game, "league-table-void", table)
        sitting.tx.set(SeasonTable, table.id, state=TableState.VOID, ended_ms=sitting.now_ms)
    was = season.state
    sitting.tx.set(Season, season.id, state=SeasonState.VOID, ended_ms=sitting.now_ms, due_ms=0)
    announce(sitting, league, "league-season-void", {"season": season.no})
    return {"league": league.name, "season": season.no, "was": was}


def ended(sitting: Sitting, game: Game, code: str, table: SeasonTable) -> None:
    """A table's game ends by the office's word: nothing rings any more, nobody is asked, everybody there
    hears why.
    """
    told = hooks.mine(game) or {}
    for no, one in clock_state.read(game).seats.items():
        if one.offered:
            seat_offers.over(sitting, game, no)
    deadlines_rows.stop(sitting, int(game.id or 0))
    open_proposals.moot(sitting, game.id)
    fresh = sitting.tx.renew(
        Game, game, status=GameStatus.ABANDONED, ended_ms=sitting.now_ms, question=0, asked=""
    )
    for seat in sitting.seats(int(game.id or 0)):
        outbox.to_seat(
            sitting,
            fresh,
            seat,
            "notice",
            data=notices(code, game=game.id, league=told.get("name", ""), table=table.no),
        )
    outbox.to_rooms(sitting, fresh)
