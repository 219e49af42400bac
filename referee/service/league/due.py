"""What a season does by its own clock: one step after the other, each in a transaction of its own, until
nothing is due.

    signup -> drawn -> running (round by round) -> over

A step looks at how things are and does the next thing that is due; it can be done twice without harm, and a
season goes on after a restart where it stood. The draw itself is worked out elsewhere (`Lots`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from referee.ids import ALL_ROUNDS, NO_GAME, SeasonId
from referee.league import LeagueFault
from referee.league.lots import Drawn, Lots
from referee.policy import DAY_MS, HOUR_MS, Span, before
from referee.states import EntryState, GameStatus, RoundState, SeasonState, TableState
from referee.store import Game, Season, SeasonRound, SeasonTable

from ..core.alerts import alert, alert_daily
from ..core.due import GIVEN_BACK, SET_BACK, TIMERS, BackgroundJob, Timer
from ..core.table_settings import TableLeague
from ..core.unit_of_work import UnitOfWork
from . import hooks, lookup, pausing
from .announcements import announce
from .office import rulings, two_keys
from .scores import results
from .season import (
    draw,
    draw_worker,
    expectations,
    forecast_worker,
    formats,
    outages,
    overlap,
    rounds,
    table_time,
)
from .seats import absences, gathering
from .terms import BALANCED, Terms, read_terms

#: so long a season that breaks is left alone
_REST_MS = HOUR_MS
#: this many tables are looked at in one transaction
_AT_ONCE = 4
#: a draw that nobody has heard of for so long was lost with its process
_DRAW_MS = 10 * 60_000


def advance(uow: UnitOfWork, row: Season) -> Lots | None:
    """Do the next thing that is due in a season, if nobody else does, and set when it is looked at again.

    Returns what is to be drawn, if that is what is due.
    """
    if uow.tx.change(Season, {"id": row.id, "due_ms": row.due_ms}, due_ms=0) == 0:
        return None
    season = lookup.fresh(uow, row)
    if season.state not in STEPS:
        return None
    wanted = None if expectations.held(uow, season) else draws(uow, season)
    if wanted is not None:
        uow.tx.set(Season, season.id, due_ms=uow.now_ms + _DRAW_MS)
        return wanted
    more = pausing.step(uow, season) or STEPS[season.state](uow, season, read_terms(season))
    now = lookup.fresh(uow, row)
    if now.state in STEPS and not now.due_ms:
        uow.tx.set(Season, season.id, due_ms=uow.now_ms if more else upcoming(uow, now))
    uow.wakes.add("clock")
    return None


def save_drawn(uow: UnitOfWork, season_id: SeasonId, lots: Lots, what: Drawn | LeagueFault) -> None:
    """The draw has been worked out: keep it, or say why there is none."""
    season = uow.tx.get(Season, season_id)
    if season is None or season.state not in (SeasonState.SIGNUP, SeasonState.DRAWN, SeasonState.RUNNING):
        return
    by_round = season.state == SeasonState.RUNNING and read_terms(season).format != BALANCED
    if not by_round and season.state != SeasonState.SIGNUP and not lookup.mind(season).get("wanted"):
        return  # it was worked out twice: something woke the season meanwhile, or another process was faster
    if by_round:
        formats.save_round(uow, season, None if isinstance(what, LeagueFault) else what, lots.mark)
    elif isinstance(what, LeagueFault):
        draw.unseatable(uow, season, what, lots.mark)
    elif season.state == SeasonState.RUNNING:
        draw.write_rest(uow, season, what)
    else:
        draw.save_draw(uow, season, what)
    hooks.wake_season(uow, season_id)


def broke(uow: UnitOfWork, season_id: SeasonId) -> None:
    """A step broke: leave that season alone for a while, and call an admin."""
    uow.tx.set(Season, season_id, due_ms=uow.now_ms + _REST_MS)
    alert(uow, "season-broke", season=season_id)


def draws(uow: UnitOfWork, season: Season) -> Lots | None:
    """What is to be drawn, if anything is."""
    mind = lookup.mind(season)
    if season.state == SeasonState.SIGNUP and _over(uow, season):
        lots = draw.lots(uow, season)
        return lots if mind.get("wanted") or mind.get("unseatable", {}).get("mark") != lots.mark else None
    if season.state == SeasonState.DRAWN and mind.get("wanted"):
        return draw.lots(uow, season)
    if season.state == SeasonState.RUNNING:
        if mind.get("wanted"):
            return draw.rest(uow, season)
        return formats.due_round(uow, season, read_terms(season))
    return None


def _signup(uow: UnitOfWork, season: Season, terms: Terms) -> bool:
    """A day before the end people hear of it once; after it a season with a bad forecast waits for a word."""
    told = lookup.mind(season).get("told", [])
    if "closing" not in told and _closing_ms(season) and _closing_ms(season) <= uow.now_ms < season.closes_ms:
        lookup.keep(uow, season, told=[*told, "closing"])
        people = len(lookup.entries(uow, season, EntryState.SIGNED))
        announce(
            uow,
            lookup.league_of(uow, season),
            "league-closing",
            {"season": season.no, "closes_ms": season.closes_ms, "people": people},
        )
    return _over(uow, season) and expectations.held(uow, season) and expectations.request_yes(uow, season)


def _over(uow: UnitOfWork, season: Season) -> bool:
    """Whether a draw is due."""
    return bool(lookup.mind(season).get("wanted")) or 0 < season.closes_ms <= uow.now_ms


def _closing_ms(season: Season) -> int:
    """When people are reminded; 0 where sign-up is not open for longer than that."""
    return season.closes_ms - DAY_MS if season.closes_ms - season.opened_ms > 2 * DAY_MS else 0


def _drawn(uow: UnitOfWork, season: Season, terms: Terms) -> bool:
    if not 0 < season.starts_ms <= uow.now_ms:
        return False
    rounds.begin_rounds(uow, season)
    return True


def _running(uow: UnitOfWork, season: Season, terms: Terms) -> bool:
    """The first of these that has something to do does it."""
    if absences.charged(uow, season) or absences.released(uow, season):
        return True
    if _ended(uow, season) or _late(uow, season, terms):
        return True
    every = lookup.rounds(uow, season)
    # two, where they overlap or a table of an earlier one is played again
    here = [one for one in every if one.state == RoundState.OPEN]
    if any(do(uow, season, terms, row) for do in (rounds.lay, _overtime, _closed) for row in here):
        return True
    following = next((one for one in every if one.state == RoundState.PLANNED), None)
    if following is None:
        if not here:
            rounds.finish(uow, season, terms)
        return False
    if following.starts_ms > uow.now_ms or not overlap.may_open(uow, season, terms):
        return False
    rounds.prepare(uow, season, terms, following)
    return True


def _ended(uow: UnitOfWork, season: Season) -> bool:
    """Games that are over become results."""
    tables = lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING, TableState.PLAYING)
    numbers = tuple(one.game_id or NO_GAME for one in tables)
    status = dict(
        zip(
            uow.tx.column(Game, "id", id=numbers, order="id"),
            uow.tx.column(Game, "status", id=numbers, order="id"),
            strict=True,
        )
    )
    done = 0
    for table in tables:
        if status.get(table.game_id) not in (None, GameStatus.OVER, GameStatus.ABANDONED):
            continue
        game = lookup.game_of(uow, table)
        if game is None or game.status != GameStatus.OVER:
            rulings.void(uow, season, table, cause="given-up")
        elif _unreadable(uow, season, table, game):
            continue
        else:
            results.took_place(uow, season, table, game)
        done += 1
        if done == _AT_ONCE:
            break
    return done > 0


def _late(uow: UnitOfWork, season: Season, terms: Terms) -> bool:
    """Tables that have gathered for long enough."""
    done = 0
    for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING):
        game = lookup.game_of(uow, table)
        told = None if game is None else hooks.read_league(game)
        if game is None or told is None or game.status != GameStatus.MUSTERING:
            continue
        if told["until"] <= uow.now_ms:
            gathering.close_gathering(uow, season, table, game, terms)
        elif not told.get("reminded") and _half_ms(season, told, terms) <= uow.now_ms:
            gathering.remind(uow, season, table, game, terms)
        else:
            continue
        done += 1
        if done == _AT_ONCE:
            break
    return done > 0


def _half_ms(season: Season, told: TableLeague, terms: Terms) -> int:
    """When half of the time is left in which a table gathers; never in a pause."""
    pauses = [Span(*one) for one in pausing.spans(season)]
    return before(pauses, int(told["until"]), terms.late_hours * HOUR_MS // 2)


def _overtime(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound) -> bool:
    """A round has lasted too long: a table that is not finished is decided as it stands."""
    for table in lookup.tables(uow, season, row.no, TableState.GATHERING, TableState.PLAYING):
        at = table_time.ruled_ms(terms, row, table)
        if not at or at > uow.now_ms:
            continue
        game = lookup.game_of(uow, table)
        if game is None or not game.snapshot:
            rulings.void(uow, season, table, cause="time")
        elif _unreadable(uow, season, table, game):
            continue
        else:
            rulings.rule(uow, season, table, cause="time")
        return True
    return False


def _unreadable(uow: UnitOfWork, season: Season, table: SeasonTable, game: Game) -> bool:
    """Whether a table can't be decided since nobody can read its position: it waits for somebody in charge,
    an admin hears of it once a day, and all other tables go on.
    """
    if lookup.readable(uow, game):
        return False
    league = lookup.league_of(uow, season)
    alert_daily(uow, "table-unreadable", league=league.name, table=table.no, game=game.id)
    return True


def _closed(uow: UnitOfWork, season: Season, terms: Terms, row: SeasonRound) -> bool:
    """All tables of a round are decided, and its time has come."""
    if lookup.tables(uow, season, row.no, *lookup.UNDECIDED):
        return False
    every = lookup.rounds(uow, season)
    if any(one.state == RoundState.OPEN and one.no < row.no for one in every):  # in order
        return False
    last = not any(one.state == RoundState.PLANNED for one in every)
    # where nobody had a table nothing has finished early: who left may still come back for the next round
    early = terms.early and bool(lookup.tables(uow, season, row.no))
    if not (last or early or row.ends_ms <= uow.now_ms):
        return False
    if last and two_keys.holds_until(uow, season, row):
        return False
    rounds.close(uow, season, terms, row)
    return True


def upcoming(uow: UnitOfWork, season: Season) -> int:
    """When a season must be looked at next, by itself; 0: only when something happens."""
    terms, now = read_terms(season), uow.now_ms
    if season.state == SeasonState.SIGNUP:
        moments = [
            season.closes_ms,
            *([] if "closing" in lookup.mind(season).get("told", []) else [_closing_ms(season)]),
            expectations.next_ms(season),
        ]
    elif season.state == SeasonState.DRAWN:
        moments = [season.starts_ms]
    else:
        moments = []
        rows = lookup.rounds(uow, season)
        here = [one for one in rows if one.state == RoundState.OPEN]
        moments += [one.starts_ms for one in rows if one.state == RoundState.PLANNED][:1]
        for row in here:
            undecided = lookup.tables(uow, season, row.no, *lookup.UNDECIDED)
            moments += [row.ends_ms, *(table_time.ruled_ms(terms, row, one) for one in undecided)]
            moments += [now + DAY_MS] if undecided else []  # one that could not be read may be mended by then
            moments += [two_keys.holds_until(uow, season, row)]
        for table in lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING):
            game = lookup.game_of(uow, table)
            told = None if game is None else hooks.read_league(game)
            if told is not None:
                moments += [told["until"], *([] if told.get("reminded") else [_half_ms(season, told, terms)])]
    moments += pausing.moments(season)
    return min((at for at in moments if at > now), default=0)


STEPS: Mapping[str, Callable[[UnitOfWork, Season, Terms], bool]] = {
    SeasonState.SIGNUP: _signup,
    SeasonState.DRAWN: _drawn,
    SeasonState.RUNNING: _running,
}


def _ring(uow: UnitOfWork, row: Season) -> BackgroundJob | None:
    """One step; a draw, or how long games take, is worked out beside everything else."""
    lots, number = advance(uow, row), row.id
    if lots is None:
        return forecast_worker.job(uow, number)
    return BackgroundJob(
        f"the draw of season {number}",
        lambda: draw_worker.worked(lots),
        lambda desk, what: save_drawn(desk, number, lots, what),
    )


TIMERS.add(
    "season",
    Timer(
        lambda tx: tx.next_season_ms(),
        lambda tx, now_ms, but: tx.next_season(now_ms, but),
        _ring,
        lambda uow, row: broke(uow, row.id),
    ),
    __name__,
)
GIVEN_BACK.add("seasons", outages.extend_seasons, __name__)
SET_BACK.add("seasons", outages.take_back, __name__)
