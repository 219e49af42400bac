"""Pauses of a season: from a moment on all its tables stand still and its dates come later, until another one
that is known.

    ahead -> on -> over         what a pause is at; one that is taken back before it begins has no length

The pauses of a season are kept with it. Each of its tables has a copy of when they are, by which its clocks
reckon, so that nothing has to be done to the tables when a pause ends. `step` brings the copies up to what
the season says, a few tables at a time: a process that is killed meanwhile goes on where it stood.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from referee.ids import ALL_ROUNDS, NO_GAME
from referee.policy import DAY_MS
from referee.rules import Refusal
from referee.states import RoundState, SeasonState, TableState
from referee.store import Game, Season, SeasonRound, SeasonTable

from ..core.unit_of_work import UnitOfWork, json_text, settings_of
from ..deadlines import season_pauses
from ..decisions import standstill
from . import hooks, lookup
from .announcements import announce

Facts = dict[str, Any]
#: how long one pause may last, all of a season together, and how far ahead one may begin
LONGEST_MS, TOGETHER_MS, AHEAD_MS = 60 * DAY_MS, 120 * DAY_MS, 200 * DAY_MS
#: this many tables stand still in one transaction
_AT_ONCE = 4
AHEAD, ON, OVER = "ahead", "on", "over"


class Pause(NamedTuple):
    """One pause (UTC ms); `moved`: by how much the season's dates have been moved for it so far; `state`:
    ahead, on or over, as people were told; `changed`: how often it got another end.
    """

    starts_ms: int
    ends_ms: int
    moved_ms: int = 0
    state: str = AHEAD
    changed: int = 0


def every(season: Season) -> list[Pause]:
    """The pauses of a season, the oldest first."""
    return [Pause(*one) for one in lookup.mind(season).get("pauses", ())]


def spans(season: Season) -> list[tuple[int, int]]:
    """The same as its tables have them."""
    return [(one.starts_ms, one.ends_ms) for one in every(season)]


def latest(season: Season) -> Pause | None:
    """The pause that is on or announced."""
    return next((one for one in every(season)[-1:] if one.state != OVER), None)


def shown(season: Season) -> tuple[int, int] | None:
    """From when to when that pause is, UTC ms."""
    found = latest(season)
    return None if found is None else (found.starts_ms, found.ends_ms)


def on(season: Season, now_ms: int) -> Pause | None:
    """The pause that is on at a moment."""
    return next((one for one in every(season) if one.starts_ms <= now_ms < one.ends_ms), None)


def begins_ms(season: Season, now_ms: int) -> int:
    """When time counts again for what begins now: after a pause by which dates have been moved."""
    found = on(season, now_ms)
    return now_ms if found is None else max(now_ms, found.starts_ms + found.moved_ms)


def expected(season: Season, at_ms: int) -> int:
    """When something will be that is planned for a moment, by the pause that is announced."""
    ahead = latest(season)
    if ahead is None or not at_ms or at_ms < ahead.starts_ms or ahead.moved_ms:
        return at_ms
    return at_ms + ahead.ends_ms - ahead.starts_ms


def must_go_on(uow: UnitOfWork, season: Season) -> None:
    """Raises Refusal while the season pauses."""
    pause = on(season, uow.now_ms)
    if pause is not None:
        raise Refusal("league-pauses", league=lookup.league_of(uow, season).name, until_ms=pause.ends_ms)


def pause(uow: UnitOfWork, season: Season, starts_ms: int, ends_ms: int, why: str) -> Facts:
    """Pause from a moment on (0: from now on) until another one; a pause that is on gets another end.

    Raises Refusal.
    """
    season, now = lookup.fresh(uow, season), uow.now_ms
    league, had = lookup.league_of(uow, season), latest(season)
    if had is not None and (had.state == AHEAD or starts_ms):
        raise Refusal("league-pause-already", league=league.name, from_ms=had.starts_ms, until_ms=had.ends_ms)
    begins = had.starts_ms if had is not None else starts_ms or now
    _bounded(season, Pause(begins, ends_ms), now)
    moved, changed = (0, 0) if had is None else (had.moved_ms, had.changed + 1)
    fresh = Pause(begins, ends_ms, moved, AHEAD if begins > now else ON, changed)
    facts = {
        "season": season.no,
        "from_ms": fresh.starts_ms,
        "until_ms": fresh.ends_ms,
        "ahead": fresh.state == AHEAD,
        "why": why,
    }
    _keep(uow, season, [*(every(season) if had is None else every(season)[:-1]), fresh])
    announce(uow, league, "league-pause", facts)
    return {"league": league.name, **facts}


def _bounded(season: Season, wanted: Pause, now_ms: int) -> None:
    """Raises Refusal for a pause that is too long, too far ahead, or one too many."""
    if wanted.ends_ms <= max(now_ms, wanted.starts_ms):
        raise Refusal("league-pause-order", from_ms=wanted.starts_ms, until_ms=wanted.ends_ms)
    if wanted.starts_ms > now_ms + AHEAD_MS:
        raise Refusal("league-pause-far", from_ms=wanted.starts_ms, days=AHEAD_MS // DAY_MS)
    length = wanted.ends_ms - wanted.starts_ms
    before = sum(one.ends_ms - one.starts_ms for one in every(season) if one.starts_ms != wanted.starts_ms)
    # "60 days" are said with their last minute
    if length > LONGEST_MS + DAY_MS or before + length > TOGETHER_MS + DAY_MS:
        raise Refusal(
            "league-pause-long",
            days=-(-length // DAY_MS),
            most=LONGEST_MS // DAY_MS,
            before=before // DAY_MS,
            together=TOGETHER_MS // DAY_MS,
        )


def resume(uow: UnitOfWork, season: Season) -> Facts:
    """End a pause early, or take back one that is announced.  Raises Refusal."""
    season = lookup.fresh(uow, season)
    league, had = lookup.league_of(uow, season), latest(season)
    if had is None or had.ends_ms <= uow.now_ms:
        raise Refusal("league-not-paused", league=league.name)
    begun = had.starts_ms <= uow.now_ms
    facts = {
        "season": season.no,
        "early": begun,
        "taken_back": not begun,
        "from_ms": had.starts_ms,
        "until_ms": had.ends_ms,
    }
    end = uow.now_ms if begun else had.starts_ms
    season = _keep(
        uow, season, [*every(season)[:-1], had._replace(ends_ms=end, state=OVER, changed=had.changed + 1)]
    )
    _move_dates(uow, season)
    announce(uow, league, "league-resumed", facts)
    return {"league": league.name, **facts}


def _keep(uow: UnitOfWork, season: Season, pauses: Sequence[Pause]) -> Season:
    """These are its pauses now: what is known of vacations follows at once, its tables one by one."""
    standstill.vacations(
        uow,
        f"league:{season.league_id}:{season.no}",
        spans(season),
        [(one.starts_ms, one.ends_ms) for one in pauses],
    )
    season = lookup.keep(uow, season, pauses=[list(one) for one in pauses])
    hooks.wake_season(uow, season.id)
    return season


def step(uow: UnitOfWork, season: Season) -> bool:
    """Do what is due about a season's pauses; whether there was anything."""
    if not every(season):
        return False
    return _spread(uow, season) or _move_dates(uow, season) or _told(uow, season)


def moments(season: Season) -> list[int]:
    """When a pause begins or ends."""
    found = latest(season)
    return [] if found is None else [found.starts_ms, found.ends_ms]


def _spread(uow: UnitOfWork, season: Season) -> bool:
    """A few tables that do not know yet of the season's pauses as they are hear of them."""
    pauses, done = spans(season), 0
    tables = lookup.tables(uow, season, ALL_ROUNDS, TableState.GATHERING, TableState.PLAYING)
    numbers = tuple(one.game_id or NO_GAME for one in tables)
    known = dict(
        zip(
            uow.tx.column(Game, "id", id=numbers, order="id"),
            uow.tx.column(Game, "clocks", id=numbers, order="id"),
            strict=True,
        )
    )
    for table in tables:
        clocks = known.get(table.game_id or NO_GAME)
        if clocks is not None and season_pauses.laid_down(clocks) != pauses:
            _stand_still(uow, table, pauses)
            done += 1
        if done == _AT_ONCE:
            break
    return done > 0


def _stand_still(uow: UnitOfWork, table: SeasonTable, pauses: list[tuple[int, int]]) -> None:
    """One table: its clocks, and until when it waits for everybody to be ready."""
    game = lookup.game_of(uow, table)
    told = None if game is None else hooks.read_league(game)
    if game is None or told is None:
        return
    until = told["until"]
    for old, new in standstill.changes(season_pauses.laid_down(game.clocks), pauses):
        until += new.end - old.end if until >= old.end else 0
    settings = settings_of(game)
    settings["league"]["until"] = until
    game = uow.tx.renew(Game, game, settings=json_text(settings))
    standstill.stand_still(uow, game, pauses)


def _move_dates(uow: UnitOfWork, season: Season) -> bool:
    """A pause that has begun moves all that is still to come by its length; one that has got another end
    moves it on, or back.
    """
    pauses = every(season)
    for place, one in enumerate(pauses):
        wanted = one.ends_ms - one.starts_ms if one.starts_ms <= uow.now_ms else 0
        later = wanted - one.moved_ms
        if not later:
            continue
        since = one.starts_ms + one.moved_ms
        begun = season.state not in (SeasonState.SIGNUP, SeasonState.DRAWN)
        dates = {
            name: at + later
            for name in ("closes_ms", "starts_ms")
            if (at := getattr(season, name)) >= since and not begun
        }
        if dates:
            uow.tx.set(Season, season.id, **dates)
        for row in lookup.rounds(uow, season):
            if row.state == RoundState.OPEN:
                uow.tx.set(SeasonRound, row.id, ends_ms=row.ends_ms + later)
            elif row.state == RoundState.PLANNED:
                uow.tx.set(SeasonRound, row.id, starts_ms=row.starts_ms + later, ends_ms=row.ends_ms + later)
        pauses[place] = one._replace(moved_ms=wanted)
        lookup.keep(uow, season, pauses=[list(each) for each in pauses])
        return True
    return False


def _told(uow: UnitOfWork, season: Season) -> bool:
    """A pause begins or ends by itself: everybody hears so."""
    pauses = every(season)
    for place, one in enumerate(pauses):
        if one.state == AHEAD and one.starts_ms <= uow.now_ms:
            code, state = "league-pause-begins", ON
        elif one.state == ON and one.ends_ms <= uow.now_ms:
            code, state = "league-resumed", OVER
        else:
            continue
        pauses[place] = one._replace(state=state)
        lookup.keep(uow, season, pauses=[list(each) for each in pauses])
        facts = {"season": season.no, "from_ms": one.starts_ms, "until_ms": one.ends_ms}
        announce(uow, lookup.league_of(uow, season), code, {**facts, "early": False})
        return True
    return False
