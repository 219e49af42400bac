"""Rounds: opening one, table by table; putting it off; closing it; the end of the season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee import league as sums
from referee.ids import ALL_ROUNDS, DivisionNo, PersonId, RoundNo
from referee.league.mending import mended
from referee.policy import HOUR_MS
from referee.rules import Refusal
from referee.states import EntryState, RoundState, SeasonState, TableState
from referee.store import Entry, Season, SeasonRound, SeasonTable

from ...core import outbox
from ...core.unit_of_work import UnitOfWork, json_text
from ...play import seat_offers
from .. import hooks, lookup, pausing, same_names
from ..announcements import announce
from ..scores import results, teams
from ..seats import open_tables
from ..terms import KNOCKOUT, Terms, read_terms
from . import draw, formats, overlap

Facts = dict[str, Any]
#: a round that begins so much later or sooner than planned moves those behind it
_MUCH_MS = HOUR_MS
#: this many tables are laid in one transaction
_AT_ONCE = 4


def start(uow: UnitOfWork, season: Season) -> Facts:
    """The season begins now, or as soon as it is drawn.  Raises Refusal."""
    season = lookup.fresh(uow, season)
    league = lookup.league_of(uow, season)
    if season.state not in (SeasonState.SIGNUP, SeasonState.DRAWN):
        raise Refusal("league-begun-already", league=league.name, season=season.no)
    pausing.must_go_on(uow, season)
    facts = draw.draw(uow, season) if season.state == SeasonState.SIGNUP else {}
    uow.tx.set(Season, season.id, starts_ms=uow.now_ms)
    hooks.wake_season(uow, season.id)
    return {**facts, "league": league.name, "season": season.no}


def begin_rounds(uow: UnitOfWork, season: Season) -> None:
    """The first round is due: from now on it runs."""
    uow.tx.set(Season, season.id, state=SeasonState.RUNNING)
    people = uow.tx.count(Entry, season_id=season.id, state=EntryState.PLAYING)
    announce(
        uow,
        lookup.league_of(uow, season),
        "league-begun",
        {"season": season.no, "people": people, "rounds": len(lookup.rounds(uow, season))},
    )


def open_round(uow: UnitOfWork, season: Season) -> Facts:
    """The next round begins now.  Raises Refusal where there is none, or one is still open."""
    season = lookup.fresh(uow, season)
    league, no = lookup.league_of(uow, season), lookup.next_round(uow, season)
    if season.state != SeasonState.RUNNING:
        raise Refusal("league-not-running", league=league.name, season=season.no)
    if not no:
        raise Refusal("league-no-rounds-left", league=league.name)
    pausing.must_go_on(uow, season)
    if not overlap.may_open(uow, season, read_terms(season)):
        still = next(one for one in lookup.rounds(uow, season) if one.state == RoundState.OPEN)
        raise Refusal("league-round-open", league=league.name, round=still.no)
    move_round(uow, season, no, uow.now_ms)
    hooks.wake_season(uow, season.id)
    return {"league": league.name, "season": season.no, "round": no}


def postpone(uow: UnitOfWork, season: Season, round_no: RoundNo, until_ms: int) -> Facts:
    """A round that is open ends later; one that is to come begins later, and those behind it with it.

    Raises Refusal.
    """
    season = lookup.fresh(uow, season)
    league, row = lookup.league_of(uow, season), lookup.round_of(uow, season, round_no)
    if row.state == RoundState.CLOSED:
        raise Refusal("league-round-closed", league=league.name, round=round_no)
    pausing.must_go_on(uow, season)  # dates move with the end of a pause: none can be promised until then
    if until_ms <= uow.now_ms:
        raise Refusal("league-past", at_ms=until_ms)
    if row.state == RoundState.OPEN:
        if until_ms <= row.ends_ms:
            raise Refusal("league-not-later", round=round_no, at_ms=row.ends_ms)
        later = until_ms - row.ends_ms
        uow.tx.set(SeasonRound, row.id, ends_ms=until_ms)
        behind = [one for one in lookup.rounds(uow, season) if one.no > round_no]
        if all(
            one.state == RoundState.PLANNED for one in behind
        ):  # the next one is on: nothing waits for this
            for one in behind:
                uow.tx.set(SeasonRound, one.id, starts_ms=one.starts_ms + later, ends_ms=one.ends_ms + later)
    else:
        if until_ms <= row.starts_ms:  # `start` is what opens a round early
            raise Refusal("league-begin-not-later", round=round_no, at_ms=row.starts_ms)
        move_round(uow, season, round_no, until_ms)
        if round_no == 1:
            uow.tx.set(Season, season.id, starts_ms=until_ms)
    hooks.wake_season(uow, season.id)
    now = lookup.round_of(uow, season, round_no)
    facts = {
        "season": season.no,
        "round": round_no,
        "until_ms": 0 if row.state == RoundState.OPEN else pausing.expected(season, now.starts_ms),
        "ends_ms": pausing.expected(season, now.ends_ms),
    }
    announce(uow, league, "league-postponed", facts)
    return {"league": league.name, **facts}


def postpone_first(uow: UnitOfWork, season: Season, starts_ms: int) -> Facts:
    """While people still sign up: the first round begins on another day.  Raises Refusal."""
    season = lookup.fresh(uow, season)
    league = lookup.league_of(uow, season)
    if starts_ms <= uow.now_ms:
        raise Refusal("league-past", at_ms=starts_ms)
    if season.closes_ms and starts_ms < season.closes_ms:
        raise Refusal("league-starts-early", closes_ms=season.closes_ms, starts_ms=starts_ms)
    uow.tx.set(Season, season.id, starts_ms=starts_ms)
    hooks.wake_season(uow, season.id)
    begins_ms = pausing.expected(season, starts_ms)
    facts = {"season": season.no, "round": RoundNo(1), "until_ms": begins_ms, "ends_ms": 0}
    announce(uow, league, "league-postponed", facts)
    return {"league": league.name, **facts}


def move_round(uow: UnitOfWork, season: Season, round_no: RoundNo, starts_ms: int) -> None:
    """A round begins at another moment; it and those behind it last as long as they would have."""
    by = starts_ms - lookup.round_of(uow, season, round_no).starts_ms
    for one in lookup.rounds(uow, season):
        if one.no >= round_no:
            uow.tx.set(SeasonRound, one.id, starts_ms=one.starts_ms + by, ends_ms=one.ends_ms + by)


def prepare(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound) -> None:
    """A round is due: its tables are mended for those who are there now, and it is open; its tables are laid
    afterwards.
    """
    tx = uow.tx
    if abs(uow.now_ms - row.starts_ms) > _MUCH_MS:
        move_round(uow, season, row.no, uow.now_ms)
    byes: dict[DivisionNo, list[PersonId]] = {}
    divisions = set(tx.column(Entry, "division", season_id=season.id, state=EntryState.PLAYING))
    # tables are planned for a division that everybody has left since
    divisions |= {one.division for one in lookup.tables(uow, season, row.no, TableState.PLANNED)}
    for division in sorted(divisions):
        byes[division] = _mended(uow, season, terms, row, division)
    rest = sorted(who for each in byes.values() for who in each)
    tx.set(
        SeasonRound,
        row.id,
        state=RoundState.OPEN,
        facts=json_text({**lookup.facts_of(row), "byes": rest}),
    )
    now = lookup.round_of(uow, season, row.no)
    league = lookup.league_of(uow, season)
    announce(
        uow,
        league,
        "league-round",
        {
            "season": season.no,
            "round": row.no,
            "rounds": len(lookup.rounds(uow, season)),
            "ends_ms": pausing.expected(season, now.ends_ms),
            "tables": len(lookup.tables(uow, season, row.no, TableState.PLANNED)),
        },
    )
    if rest:
        announce(uow, league, "league-bye", {"season": season.no, "round": row.no}, rest)
    _tell_without_table(uow, season, terms, row, byes)


def _tell_without_table(
    uow: UnitOfWork,
    season: Season,
    terms: Terms,
    row: SeasonRound,
    byes: Mapping[DivisionNo, Sequence[PersonId]],
) -> None:
    """Who is in charge hears of divisions whose people can't be seated: all of them have a bye, and nobody
    had chosen that.
    """
    league, granted = lookup.league_of(uow, season), lookup.facts_of(row).get("granted", ())
    with_tables = {one.division for one in lookup.tables(uow, season, row.no)}
    late = terms.format != KNOCKOUT and lookup.next_round(uow, season) > 0
    for division, people in byes.items():
        left = [who for who in people if who not in granted]
        if left and division not in with_tables:
            facts = {
                "season": season.no,
                "round": row.no,
                "division": division if len(byes) > 1 else 0,
                "people": len(left),
                "least": terms.least,
                "most": terms.most,
                "more": late and division == lookup.lowest(uow, season),
            }
            announce(uow, league, "league-all-byes", facts, lookup.in_charge(uow, league))


def _mended(
    uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound, division: DivisionNo
) -> list[PersonId]:
    """Plan a division's tables of a round for those who are there; who has a bye."""
    tx = uow.tx
    there = {
        one.person_id
        for one in tx.all(Entry, season_id=season.id, state=EntryState.PLAYING, division=division)
        if one.from_round <= row.no
    }
    granted = there & set(lookup.facts_of(row).get("granted", ()))
    there -= granted
    tables = [
        one for one in lookup.tables(uow, season, row.no, TableState.PLANNED) if one.division == division
    ]
    sits = [who for one in tables for who in lookup.people_of(one)]
    void = lookup.tables(uow, season, row.no, TableState.VOID)
    # for them that round is a bye, but for those who were put in at another table
    there -= {who for one in void for who in lookup.people_of(one)} - {*sits}
    resting = [
        who
        for who in lookup.facts_of(row).get("byes", ())
        if tx.count(Entry, season_id=season.id, person_id=who, division=division)
    ]
    if set(sits) | set(resting) == there or lookup.facts_of(row).get("drawn"):  # for those who are there
        return sorted({*resting, *granted})
    before = sums.kept_apart(draw.past(uow, season, division, row.no), teams.groups(uow, season, terms))
    spare = [
        one.person_id
        for one in lookup.entries(uow, season, EntryState.WAITING)
        if outbox.best(uow, one.person_id) is not None
    ]
    planned = sums.Round(
        tuple(sums.Table(tuple(lookup.people_of(one)), one.crown) for one in tables), tuple(resting)
    )
    now = mended(planned, there, least=terms.least, most=terms.most, past=before, spare=spare)
    for who in now.called:
        tx.change(
            Entry,
            {"season_id": season.id, "person_id": who},
            state=EntryState.PLAYING,
            division=division,
            from_round=row.no,
        )
        seat_offers.unasked(uow, PersonId(who))
    for one, table in zip(tables, now.round.tables, strict=False):
        tx.set(SeasonTable, one.id, people=json_text(list(table.people)), crown=table.crown)
    for one in tables[len(now.round.tables) :]:
        tx.drop(SeasonTable, id=one.id)
    fresh = [(division, table) for table in now.round.tables[len(tables) :]]
    tx.add_all(
        SeasonTable,
        draw.planned(
            season, row.no, fresh, max(tx.column(SeasonTable, "no", season_id=season.id), default=0)
        ),
    )
    return sorted({*map(PersonId, now.round.byes), *granted})


def lay(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound) -> bool:
    """Lay a few of an open round's tables; False where all are."""
    waiting = lookup.tables(uow, season, row.no, TableState.PLANNED)[:_AT_ONCE]
    for table in waiting:
        open_tables.open_table(uow, season, terms, row, table)
    return bool(waiting)


def close(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound) -> None:
    """All of a round's tables are decided."""
    uow.tx.set(
        SeasonRound,
        row.id,
        state=RoundState.CLOSED,
        ends_ms=min(row.ends_ms, uow.now_ms) if terms.early else row.ends_ms,
    )
    formats.fit(uow, season, terms, row)
    every = lookup.rounds(uow, season)
    following = next((one for one in every if one.state == RoundState.PLANNED), None)
    on = any(one.state == RoundState.OPEN for one in every)
    if following is None and not on:
        finish(uow, season, terms)
        return
    pause = pausing.on(season, uow.now_ms)
    soonest = uow.now_ms if pause is None else pause.ends_ms
    if following is not None and terms.early and not on and following.starts_ms > soonest:
        move_round(uow, season, following.no, soonest)
    announce(
        uow,
        lookup.league_of(uow, season),
        "league-round-over",
        {
            "season": season.no,
            "round": row.no,
            "rounds": len(every),
            "next_ms": 0
            if following is None
            else max(
                uow.now_ms,
                pausing.expected(season, lookup.round_of(uow, season, following.no).starts_ms),
            ),
        },
    )


def finish(uow: UnitOfWork, season: Season, terms: Terms) -> None:
    """The season is over: its standings are final, and say who rises and falls."""
    divisions = sorted(
        {*uow.tx.column(Entry, "division", season_id=season.id, state=EntryState.PLAYING)} - {0}
    )
    standings = [results.standings(uow, season, one) for one in divisions]
    # those who left and stand by again have results, but no place to rise or fall from
    there = {one.person_id: one.division for one in lookup.entries(uow, season, EntryState.PLAYING)}
    order = [
        [row.person for row in group if there.get(row.person) == no]
        for no, group in zip(divisions, standings, strict=True)
    ]
    # where no table counts nothing is decided: nobody has won there, or rises or falls
    decided = {one.division for one in lookup.tables(uow, season, ALL_ROUNDS, *lookup.COUNTED)}
    rise, fall = sums.crossed(divisions, decided)
    moves = [
        sums.movers(group, terms.up if no in rise else 0, terms.down if no in fall else 0)
        for no, group in zip(divisions, order, strict=True)
    ]
    up, down = ([who for one in moves for who in one[which]] for which in (0, 1))
    lookup.keep(uow, season, final=order, held=divisions, idle=sorted({*divisions} - decided))
    uow.tx.set(Season, season.id, state=SeasonState.OVER, ended_ms=uow.now_ms, due_ms=0)
    top = standings[0] if divisions and divisions[0] in decided else ()
    first = [row for row in top if row.person in order[0]]
    winners = [row.person for row in first if row.rank == first[0].rank]
    alike = same_names.of_season(uow.tx, season.id)
    announce(
        uow,
        lookup.league_of(uow, season),
        "league-over",
        {
            "season": season.no,
            "winners": [alike.get(one) or lookup.name_of(uow, one) for one in winners],
            "up": [alike.get(one) or lookup.name_of(uow, one) for one in up],
            "down": [alike.get(one) or lookup.name_of(uow, one) for one in down],
        },
    )
