"""What officials decide: a table's places, that it does not count or is played again, byes, who plays in
whose place; and the end of a season before its time.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.ids import ALL_ROUNDS, PersonId, RoundNo
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

from ...core import outbox
from ...core.unit_of_work import UnitOfWork, json_text, settings_of
from ...deadlines import clock_state, open_proposals
from ...deadlines import rows as deadlines_rows
from ...people.letter_facts import notice
from ...play import seat_offers
from ...play.hooks import game_over
from ...tables import takeover
from .. import hooks, lookup, pausing
from ..announcements import announce
from ..scores import brackets, outcome, results, table_places
from ..scores.outcome import Code, Outcome
from ..seats import absences, gathering
from ..terms import KNOCKOUT, read_terms

Facts = dict[str, Any]


def rule(
    uow: UnitOfWork,
    season: Season,
    table: SeasonTable,
    order: Sequence[str] | str = "scores",
    *,
    forfeit: bool = False,
    cause: str = "",
    why: str = "",
) -> Facts:
    """Decide a table's places: by the scores as everybody sees them ("scores"), or in the order of these
    names, the best first; `forfeit`: those who are named share the last places, all others stand as the
    scores do. `cause` "time": the clock decides, else an official does, and says `why`. A game that goes on
    ends with it. Raises Refusal.
    """
    league = lookup.league_of(uow, season)
    if table.state not in (TableState.GATHERING, TableState.PLAYING, TableState.OVER, TableState.RULED):
        raise Refusal("league-table-state", table=table.no, state=table.state)
    brackets.settled(uow, season, table)
    game = lookup.game_of(uow, table)
    places, how, lost = _verdict(uow, season, table, game, order, forfeit, Outcome("", cause, why))
    if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
        end_game(uow, game, "league-table-ruled", table)
    results.ruled(uow, season, table, game, places, how, lost)
    hooks.wake_season(uow, season.id)
    names, came = _names(uow, table), results.places(uow, table)
    announce(
        uow,
        league,
        "league-ruled",
        {
            "season": season.no,
            "round": table.round,
            "table": table.no,
            "result": how.code,
            "cause": how.cause,
            "why": why,
            "names": names,
            "lost": [table_places.called(uow, table, game)[no] for no in sorted(lost)],
            "places": came,
        },
        f"division {table.division}",
    )
    return {
        "league": league.name,
        "season": season.no,
        "round": table.round,
        "table": table.no,
        "names": names,
        "places": came,
        "by": "forfeit" if forfeit else "scores" if order == "scores" else "names",
        "against_scores": order != "scores",
    }


def _verdict(
    uow: UnitOfWork,
    season: Season,
    table: SeasonTable,
    game: Game | None,
    order: Sequence[str] | str,
    forfeit: bool,
    how: Outcome,
) -> tuple[table_places.Places, Outcome, set[int]]:
    """Places, how they came about, and the seats that forfeit the table."""
    winner = results.stayed(uow, season, game) if how.cause == "time" else None
    if winner is not None:
        places = table_places.won(table_places.by_scores(uow, table, game), winner)
        return places, Outcome(Code.FORFEIT, "alone"), set()
    if forfeit:
        lost = table_places.named(uow, table, game, order)
        return table_places.without(uow, table, game, lost), how._replace(code=Code.FORFEIT), lost
    if order == "scores":
        code = Code.RULED if how.cause == "time" else Code.ADJUDICATED
        return table_places.by_scores(uow, table, game), how._replace(code=code), set()
    return table_places.in_order(uow, table, game, order), how._replace(code=Code.ADJUDICATED), set()


def _names(uow: UnitOfWork, table: SeasonTable) -> list[str]:
    rows = [
        row
        for row in uow.tx.all(TableResult, table_id=table.id, order="place,id")
        if '"left"' not in row.flags
    ]
    return lookup.names_of(uow, [row.person_id for row in rows])


def void(uow: UnitOfWork, season: Season, table: SeasonTable, *, cause: str = "", why: str = "") -> Facts:
    """A table does not count; for those who were there it is a bye. `cause`, `why`: see `Outcome`.

    A game that goes on ends with it. Raises Refusal.
    """
    league, was = lookup.league_of(uow, season), table.state
    if was not in (
        TableState.PLANNED,
        TableState.GATHERING,
        TableState.PLAYING,
        TableState.OVER,
        TableState.RULED,
    ):
        raise Refusal("league-table-state", table=table.no, state=was)
    brackets.settled(uow, season, table)
    game = lookup.game_of(uow, table)
    if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
        end_game(uow, game, "league-table-void", table)
    uow.tx.drop(TableResult, table_id=table.id)
    outcome.decided(uow, table, TableState.VOID, uow.now_ms, Outcome(Code.VOID, cause, why))
    hooks.wake_season(uow, season.id)
    announce(
        uow,
        league,
        "league-void",
        {"season": season.no, "round": table.round, "table": table.no, "cause": cause, "why": why},
        f"division {table.division}",
    )
    return {"league": league.name, "season": season.no, "round": table.round, "table": table.no, "was": was}


def replay(uow: UnitOfWork, season: Season, table: SeasonTable) -> Facts:
    """A table is played again by those of it who are still in the season; what it came to does not count.

    Its round is open until the new table is decided. Raises Refusal.
    """
    league = lookup.league_of(uow, season)
    if season.state != SeasonState.RUNNING or table.state in (TableState.PLANNED, TableState.REPLAYED):
        raise Refusal("league-table-state", table=table.no, state=table.state)
    brackets.settled(uow, season, table)
    seats = _to_sit_again(uow, season, table)
    people = [who for who in seats if who is not None]
    if len(people) < max(2, read_terms(season).least):
        raise Refusal("league-too-few-left", table=table.no, people=len(people))
    game = lookup.game_of(uow, table)
    if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
        end_game(uow, game, "league-table-void", table)
    tx, crown = uow.tx, seats[table.crown]
    tx.drop(TableResult, table_id=table.id)
    tx.set(SeasonTable, table.id, state=TableState.REPLAYED, ended_ms=uow.now_ms)
    no = max(tx.column(SeasonTable, "no", season_id=season.id)) + 1
    tx.add(
        SeasonTable,
        season_id=season.id,
        no=no,
        division=table.division,
        round=table.round,
        people=json_text(people),
        crown=0 if crown is None else people.index(crown),
        replays=table.id,
    )
    row = lookup.round_of(uow, season, table.round)
    if row.state == RoundState.CLOSED:
        tx.set(
            SeasonRound,
            row.id,
            state=RoundState.OPEN,
            ends_ms=max(row.ends_ms, pausing.begins_ms(season, uow.now_ms) + row.ends_ms - row.starts_ms),
        )
    hooks.wake_season(uow, season.id)
    announce(
        uow,
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


def _to_sit_again(uow: UnitOfWork, season: Season, table: SeasonTable) -> list[PersonId | None]:
    """Who plays a table again, by its seats: the one who has the seat, else the one who was drawn for it, if
    they are still in the season and have no seat at another table of that round, nor a bye in it; None:
    neither.
    """
    drawn = lookup.people_of(table)
    sits = lookup.sitting(uow, table)
    there = {one.person_id for one in lookup.entries(uow, season, EntryState.PLAYING)}
    there -= lookup.seated(uow, season, table.round, table.no)
    rests = lookup.facts_of(lookup.round_of(uow, season, table.round))
    there -= {*rests.get("byes", ()), *rests.get("granted", ())}
    return [
        next((who for who in pair if who is not None and who in there), None)
        for pair in zip(sits if len(sits) == len(drawn) else drawn, drawn, strict=True)
    ]


def bye(uow: UnitOfWork, season: Season, person: Person, round_no: RoundNo) -> Facts:
    """Somebody has no table in a round that is not open yet.  Raises Refusal."""
    league, row = lookup.league_of(uow, season), lookup.round_of(uow, season, round_no)
    entry = lookup.entered(uow, season, person)
    if read_terms(season).format == KNOCKOUT:
        raise Refusal("league-knockout-bye", league=league.name)
    if row.state != RoundState.PLANNED:
        raise Refusal("league-round-begun", league=league.name, round=round_no)
    if person.id in lookup.facts_of(row).get("granted", ()):
        raise Refusal("league-bye-already", name=person.name, round=round_no)
    _rests(uow, season, round_no, person.id)
    hooks.wake_season(uow, season.id)
    announce(uow, league, "league-bye", {"season": season.no, "round": round_no}, [entry.person_id])
    return {
        "league": league.name,
        "season": season.no,
        "round": round_no,
        "name": person.name,
        "person": person.id,
    }


def _rests(uow: UnitOfWork, season: Season, round_no: RoundNo, who: PersonId) -> None:
    """Somebody has a bye in a round, by an official's word."""
    row = lookup.round_of(uow, season, round_no)
    facts = lookup.facts_of(row)
    name = "granted" if row.state == RoundState.PLANNED else "byes"
    uow.tx.set(SeasonRound, row.id, facts=json_text({**facts, name: [*facts.get(name, ()), who]}))


def substitute(uow: UnitOfWork, season: Season, table: SeasonTable, out: Person, into: Person) -> Facts:
    """Somebody plays at a table in another's place from now on, whatever that table is at.

    Raises Refusal.
    """
    league = lookup.league_of(uow, season)
    game, people = lookup.game_of(uow, table), lookup.people_of(table)
    if table.state not in (TableState.PLANNED, TableState.GATHERING, TableState.PLAYING):
        raise Refusal("league-table-state", table=table.no, state=table.state)
    seats = [] if game is None else uow.seats(game.id)
    sits = [seat.person_id for seat in seats] or people
    if out.id not in sits:
        raise Refusal(
            "league-not-there",
            name=out.name,
            table=table.no,
            names=lookup.names_of(uow, [one for one in sits if one is not None]),
        )
    if into.id in sits:
        raise Refusal("league-there-already", name=into.name, table=table.no)
    entry = lookup.entry_of(uow, season, into.id)
    if entry is None or entry.state not in (EntryState.WAITING, EntryState.PLAYING, EntryState.SIGNED):
        raise Refusal("league-not-in", league=league.name, name=into.name)
    if into.id in lookup.seated(uow, season, table.round):  # also where they have played already: it counts
        raise Refusal("league-plays-elsewhere", name=into.name, round=table.round)
    if game is None:
        uow.tx.set(
            SeasonTable,
            table.id,
            people=json_text([into.id if one == out.id else one for one in people]),
        )
        absences.enrolled(uow, season, table, into, table.round)
        _rests(uow, season, table.round, out.id)
    elif game.status == GameStatus.MUSTERING:
        hooks.left(uow, game, out.id, "substituted")
        gathering.swapped(uow, table, game, next(seat for seat in seats if seat.person_id == out.id), into)
        absences.enrolled(uow, season, table, into)
    else:
        seat = next(seat for seat in seats if seat.person_id == out.id)
        absences.enrolled(uow, season, table, into)
        takeover.put(uow, game, into, None, seat, "substituted")
    hooks.plays_after_all(uow, season.id, table.round, into.id)
    facts = {"round": table.round, "table": table.no, "out": out.name, "into": into.name}
    announce(uow, league, "league-replaced", facts, [out.id, into.id])
    return {"league": league.name, "season": season.no, **facts}


def void_season(uow: UnitOfWork, season: Season) -> Facts:
    """A season is called off: its games end, its results do not count.  Raises Refusal."""
    season = lookup.fresh(uow, season)
    league = lookup.league_of(uow, season)
    if season.state == SeasonState.VOID:
        raise Refusal("league-season-over", league=league.name, season=season.no)
    for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING, TableState.PLAYING):
        game = lookup.game_of(uow, table)
        if game is not None and game.status in (GameStatus.MUSTERING, GameStatus.RUNNING, GameStatus.FROZEN):
            end_game(uow, game, "league-table-void", table)
        outcome.decided(uow, table, TableState.VOID, uow.now_ms, Outcome(Code.VOID, "season"))
    was = season.state
    uow.tx.set(Season, season.id, state=SeasonState.VOID, ended_ms=uow.now_ms, due_ms=0)
    announce(uow, league, "league-season-void", {"season": season.no})
    return {"league": league.name, "season": season.no, "was": was}


def end_game(uow: UnitOfWork, game: Game, code: str, table: SeasonTable) -> None:
    """A table's game ends by the office's word: nothing rings any more, nobody is asked, everybody there
    hears why.
    """
    told = hooks.read_league(game)
    for no, one in clock_state.read_clocks(game).seats.items():
        if one.offered:
            seat_offers.withdraw_offers(uow, game, no)
    deadlines_rows.stop(uow, game.id)
    open_proposals.moot(uow, game.id)
    settings = settings_of(game)
    settings["league"]["ended"] = "void" if code == "league-table-void" else "ruled"
    fresh = uow.tx.renew(
        Game,
        game,
        status=GameStatus.ABANDONED,
        ended_ms=uow.now_ms,
        question=0,
        asked="",
        settings=json_text(settings),
    )
    game_over(uow, fresh)
    for seat in uow.seats(game.id):
        outbox.to_seat(
            uow,
            fresh,
            seat,
            notice(code, game=game.id, league="" if told is None else told["name"], table=table.no),
        )
    outbox.to_rooms(uow, fresh)
