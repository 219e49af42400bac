"""The draw: what goes into it, and writing down what came of it.

It may take seconds, so it is not worked out in a transaction: `lots` gathers what it needs, somebody else
draws (`referee.league.lots`), and `save_draw` keeps the result if nothing has changed meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from referee import league as sums
from referee.ids import ALL_ROUNDS, DivisionNo, LeagueId, PersonId, RoundNo
from referee.league.lots import Drawn, Lots
from referee.policy import DAY_MS
from referee.rules import Refusal
from referee.states import EntryState, RoundState, SeasonState, TableState
from referee.store import (
    Entry,
    Season,
    SeasonDivision,
    SeasonRound,
    SeasonTable,
    TableResult,
)

from ...core.unit_of_work import UnitOfWork, json_text
from .. import hooks, lookup
from ..announcements import announce
from ..scores import brackets, teams
from ..terms import BALANCED, SWISS, Terms, read_terms
from . import expectations

Facts = dict[str, Any]


def draw(uow: UnitOfWork, season: Season) -> Facts:
    """Close sign-up, and draw as soon as possible.  Raises Refusal where it is drawn already, or can't be."""
    season = lookup.fresh(uow, season)
    league = lookup.league_of(uow, season)
    if season.state != SeasonState.SIGNUP:
        raise Refusal("league-drawn-already", league=league.name, season=season.no)
    people = uow.tx.count(Entry, season_id=season.id, state=EntryState.SIGNED)
    terms = read_terms(season)
    try:
        sums.sizes(people, terms.least, terms.most, terms.wanted)
    except sums.Unseatable as no:
        raise Refusal(no.code, **no.facts) from no
    uow.tx.set(Season, season.id, closes_ms=uow.now_ms)
    lookup.keep(uow, season, wanted="draw", unseatable=None)
    hooks.wake_season(uow, season.id)
    return {"league": league.name, "season": season.no, "people": people}


def redraw(uow: UnitOfWork, season: Season) -> Facts:
    """Draw anew, with another seed: everything before the season begins, later the rounds that are not open
    yet. Raises Refusal.
    """
    season = lookup.fresh(uow, season)
    league = lookup.league_of(uow, season)
    if season.state not in (SeasonState.DRAWN, SeasonState.RUNNING):
        raise Refusal("league-not-drawn", league=league.name, season=season.no)
    if season.state == SeasonState.RUNNING and lookup.next_round(uow, season) == 0:
        raise Refusal("league-no-rounds-left", league=league.name)
    if season.state == SeasonState.RUNNING and read_terms(season).format != BALANCED:
        raise Refusal("league-drawn-when-due", league=league.name, round=lookup.next_round(uow, season))
    uow.tx.set(Season, season.id, seed=lookup.fresh_seed(uow))
    lookup.keep(uow, season, wanted="redraw")
    hooks.wake_season(uow, season.id)
    return {
        "league": league.name,
        "season": season.no,
        "from_round": lookup.next_round(uow, season) if season.state == SeasonState.RUNNING else 1,
        "people": uow.tx.count(Entry, season_id=season.id, state=(EntryState.SIGNED, EntryState.PLAYING)),
    }


def lots(uow: UnitOfWork, season: Season) -> Lots:
    """What the draw of a whole season needs."""
    terms = read_terms(season)
    people = tuple(
        one.person_id for one in lookup.entries(uow, season, EntryState.SIGNED, EntryState.PLAYING)
    )
    last = [
        one
        for one in uow.tx.all(Season, league_id=season.league_id, state=SeasonState.OVER, order="-no")
        if lookup.mind(one).get("final")
    ][:1]
    before = tuple(tuple(group) for one in last for group in lookup.mind(one)["final"])
    idle = tuple(
        place
        for one in last
        for place, no in enumerate(lookup.mind(one).get("held", ()))
        if no in lookup.mind(one)["idle"]
    )
    return Lots(
        people,
        before=before,
        idle=idle,
        games=rated_games(uow, season.league_id),
        size=terms.division,
        up=terms.up,
        down=terms.down,
        rounds=terms.rounds if terms.format == BALANCED else 1,
        least=terms.least,
        most=terms.most,
        wanted=terms.wanted,
        seed=season.seed,
        like=terms.format == SWISS,
        teams=teams.groups(uow, season, terms),
        mark=mark(season, people),
    )


def mark(season: Season, people: Sequence[PersonId]) -> str:
    """What must not have changed when the draw is written down."""
    return hashlib.sha256(
        f"{season.state} {season.seed} {season.settings} {sorted(people)}".encode()
    ).hexdigest()


def rated_games(uow: UnitOfWork, league_id: LeagueId) -> tuple[sums.Played, ...]:
    """Every game of a league's seasons that says something about strength."""
    found: list[sums.Played] = []
    for season in uow.tx.all(
        Season, league_id=league_id, state=(SeasonState.RUNNING, SeasonState.OVER), order="no"
    ):
        for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.OVER, TableState.RULED):
            rows = [
                row
                for row in uow.tx.all(TableResult, table_id=table.id, order="id")
                if '"left"' not in row.flags
            ]
            found.append(
                sums.Played(
                    tuple(row.person_id for row in rows),
                    tuple(row.place for row in rows),
                    table.ended_ms,
                    table.id,
                )
            )
    return tuple(found)


def save_draw(uow: UnitOfWork, season: Season, drawn: Drawn) -> bool:
    """Write a season's draw down; False where something has changed meanwhile, so that it must be drawn
    anew.
    """
    season = lookup.fresh(uow, season)
    again = season.state == SeasonState.DRAWN
    people = [one.person_id for one in lookup.entries(uow, season, EntryState.SIGNED, EntryState.PLAYING)]
    if season.state not in (SeasonState.SIGNUP, SeasonState.DRAWN) or drawn.mark != mark(season, people):
        return False
    terms = expectations.settled(uow, season)
    for table in (SeasonTable, SeasonDivision):
        uow.tx.drop(table, season_id=season.id)
    _divide(uow, season, drawn)
    rows = _rounds(uow, season, drawn, terms)
    uow.tx.set(Season, season.id, state=SeasonState.DRAWN)
    season = lookup.keep(uow, season, divisions=_quality(drawn), wanted=None, unseatable=None)
    announce(
        uow,
        lookup.league_of(uow, season),
        "league-drawn",
        {
            "season": season.no,
            "people": len(people),
            "rounds": len(lookup.rounds(uow, season)),
            "tables": sum(row["round"] == 1 for row in rows),
            "divisions": len(drawn.divisions),
            "starts_ms": season.starts_ms,
            "again": again,
        },
    )
    hooks.wake_season(uow, season.id)
    return True


def _divide(uow: UnitOfWork, season: Season, drawn: Drawn) -> None:
    """The divisions, who plays in which, and how strong the draw took them to be."""
    tx = uow.tx
    divisions = list(enumerate(drawn.divisions, 1))
    tx.add_all(SeasonDivision, [{"season_id": season.id, "no": number} for number, _ in divisions])
    for number, group in divisions:
        tx.change(
            Entry,
            {"season_id": season.id, "person_id": group},
            state=EntryState.PLAYING,
            division=number,
            from_round=1,
        )
    known = {one.person_id: one.id for one in lookup.entries(uow, season, EntryState.PLAYING)}
    strengths = {PersonId(who): strength for who, strength in drawn.strength.items()}
    tx.set_all(
        Entry, {known[who]: {"strength": strength} for who, strength in strengths.items() if who in known}
    )


def _rounds(uow: UnitOfWork, season: Season, drawn: Drawn, terms: Terms) -> list[dict[str, Any]]:
    """The rounds with their dates and byes, and the tables of those that are drawn; the rows of these.

    Rounds that there are already keep their dates, and the byes that officials gave in them: everybody was
    told of these.
    """
    length, kept = terms.round_days * DAY_MS, lookup.rounds(uow, season)
    begins = kept[-1].ends_ms if kept else season.starts_ms or uow.now_ms
    rows: list[dict[str, Any]] = []
    divisions = [DivisionNo(no) for no in range(1, len(drawn.plans) + 1)]
    ready = min((len(plan.rounds) for plan in drawn.plans), default=0)
    many = max((brackets.rounds_of(terms, len(group)) for group in drawn.divisions), default=0)
    for place in range(many):
        byes, tables = _of_round(drawn, divisions, place) if place < ready else ([], [])
        if place < len(kept):
            facts = json_text({**lookup.facts_of(kept[place]), "byes": byes})
            uow.tx.set(SeasonRound, kept[place].id, facts=facts)
        else:
            starts = begins + (place - len(kept)) * length
            uow.tx.add(
                SeasonRound,
                season_id=season.id,
                no=place + 1,
                starts_ms=starts,
                ends_ms=starts + length,
                facts=json_text({"byes": byes}),
            )
        rows += planned(season, RoundNo(place + 1), tables, len(rows))
    for one in kept[many:]:
        uow.tx.drop(SeasonRound, id=one.id)
    uow.tx.add_all(SeasonTable, rows)
    return rows


def _quality(drawn: Drawn) -> list[Facts]:
    """How good the draw of each division is, as its season keeps it."""
    return [
        {
            "no": number,
            "people": len(group),
            "repeats": plan.repeats,
            "bound": plan.bound,
            "proven": plan.proven,
            "seats": plan.seats_imbalance,
            "crowns": plan.crown_imbalance,
        }
        for number, (group, plan) in enumerate(zip(drawn.divisions, drawn.plans, strict=True), 1)
    ]


def _of_round(
    drawn: Drawn, divisions: Sequence[DivisionNo], place: int
) -> tuple[list[int], list[tuple[DivisionNo, sums.Table]]]:
    """Who sits out a round, and its tables with the division of each; `divisions` are the numbers of those
    that were drawn, in their order.
    """
    rounds = [(no, plan.rounds[place]) for no, plan in zip(divisions, drawn.plans, strict=True)]
    byes = [who for _, one in rounds for who in one.byes]
    return byes, [(no, each) for no, one in rounds for each in one.tables]


def planned(
    season: Season, round_no: RoundNo, tables: Sequence[tuple[DivisionNo, sums.Table]], last_no: int
) -> list[dict[str, Any]]:
    """Rows of tables to come, (division, table) each, numbered after `last_no`."""
    return [
        {
            "season_id": season.id,
            "no": last_no + number,
            "division": division,
            "round": round_no,
            "people": json_text(list(table.people)),
            "crown": table.crown,
        }
        for number, (division, table) in enumerate(tables, 1)
    ]


def rest(uow: UnitOfWork, season: Season) -> Lots:
    """What the draw of the rounds that are not open yet needs."""
    terms, first = read_terms(season), lookup.next_round(uow, season)
    playing = lookup.entries(uow, season, EntryState.PLAYING)
    seated, _ = _seated(playing, terms)
    return Lots(
        tuple(who for group in seated.values() for who in group),
        tuple(seated.values()),
        rounds=sum(one.no >= first for one in lookup.rounds(uow, season)),
        least=terms.least,
        most=terms.most,
        wanted=terms.wanted,
        seed=season.seed,
        past=tuple(past(uow, season, number, first) for number in seated),
        teams=teams.groups(uow, season, terms),
        mark=mark(season, [one.person_id for one in playing]),
    )


def _seated(
    playing: Sequence[Entry], terms: Terms
) -> tuple[dict[DivisionNo, tuple[PersonId, ...]], list[PersonId]]:
    """The divisions in which there are enough for a table, with their people; and everybody else."""
    groups = {
        number: tuple(one.person_id for one in playing if one.division == number)
        for number in sorted({one.division for one in playing})
    }
    seated = {number: group for number, group in groups.items() if len(group) >= terms.least}
    return seated, [who for number, group in groups.items() if number not in seated for who in group]


def write_rest(uow: UnitOfWork, season: Season, drawn: Drawn) -> bool:
    """Write down the draw of the rounds that are not open yet; False where something has changed
    meanwhile.
    """
    season = lookup.fresh(uow, season)
    playing = lookup.entries(uow, season, EntryState.PLAYING)
    seated, alone = _seated(playing, read_terms(season))
    divisions = list(seated)
    rows = [one for one in lookup.rounds(uow, season) if one.state == RoundState.PLANNED]
    if drawn.mark != mark(season, [one.person_id for one in playing]) or any(
        len(plan.rounds) != len(rows) for plan in drawn.plans
    ):
        return False
    tx, fresh = uow.tx, list[dict[str, Any]]()
    tx.drop(SeasonTable, season_id=season.id, state=TableState.PLANNED, round=tuple(row.no for row in rows))
    last = max(tx.column(SeasonTable, "no", season_id=season.id), default=0)
    for place, row in enumerate(rows):
        byes, tables = _of_round(drawn, divisions, place)
        tx.set(SeasonRound, row.id, facts=json_text({**lookup.facts_of(row), "byes": [*byes, *alone]}))
        fresh += planned(season, row.no, tables, last + len(fresh))
    tx.add_all(SeasonTable, fresh)
    lookup.keep(uow, season, wanted=None)
    announce(
        uow,
        lookup.league_of(uow, season),
        "league-drawn",
        {
            "season": season.no,
            "people": len(playing),
            "rounds": len(rows),
            "tables": sum(row["round"] == rows[0].no for row in fresh) if rows else 0,
            "divisions": len(divisions),
            "again": True,
        },
    )
    return True


def past(uow: UnitOfWork, season: Season, division: DivisionNo, before: RoundNo) -> sums.EarlierRounds:
    """Who met whom in the rounds before that one."""
    found = []
    for row in lookup.rounds(uow, season):
        if row.no < before:
            tables = [
                one
                for one in lookup.tables(uow, season, row.no)
                if one.division == division and one.state not in (TableState.VOID, TableState.REPLAYED)
            ]
            found.append(
                sums.Round(
                    tuple(
                        sums.Table(tuple(lookup.people_of(one)), one.crown)
                        for one in tables
                        if lookup.people_of(one)
                    ),
                    tuple(lookup.facts_of(row).get("byes", ())),
                )
            )
    return sums.past_of(found)


def unseatable(uow: UnitOfWork, season: Season, no: sums.LeagueFault, seen: str) -> None:
    """It can't be drawn: sign-up stays open, or what was drawn stays, and the person who is in charge hears
    why; once, until something changes. `seen`: the mark of what was to be drawn.
    """
    season = lookup.fresh(uow, season)
    again = season.state != SeasonState.SIGNUP
    about = [no.facts["person"]] if "person" in no.facts else []
    facts = {
        "code": no.code,
        "facts": {
            **no.facts,
            "names": [lookup.name_of(uow, PersonId(int(str(who)))) for who in about],
        },
    }
    before = lookup.mind(season).get("unseatable")
    lookup.keep(uow, season, wanted=None, unseatable=None if again else {**facts, "mark": seen})
    if again:
        hooks.wake_season(uow, season.id)
    if again or before is None or before["code"] != no.code:
        league = lookup.league_of(uow, season)
        announce(
            uow,
            league,
            "league-unseatable",
            {"season": season.no, "again": again, "because": facts},
            lookup.in_charge(uow, league),
        )
