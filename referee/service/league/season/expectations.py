"""What to expect of a season: how many tables its rounds leave unfinished, and how long they should be.

A season whose days nobody chose takes them from this forecast. One for which somebody chose too few begins
only when a director says `yes` (`agree`): the office asks, reminds, and after `WAITS_MS` without an answer
takes the length that it proposed. Seasons that were opened before there was a forecast have no `expects` in
mind, and nothing of this is about them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from referee import league as sums
from referee.league import forecast
from referee.league.forecast import Lengths
from referee.policy import DAY_MS, PRESETS
from referee.policy import to_json as policy_row
from referee.rules import Refusal
from referee.states import EntryState, SeasonState
from referee.store import Entry, League, Season

from ...core.unit_of_work import UnitOfWork
from .. import hooks, lookup
from ..announcements import announce
from ..terms import DAYS_MOST, Terms, read_terms, text_of

Facts = dict[str, Any]
#: so long a season waits for the word of somebody in charge, who is asked as often
WAITS_MS, ASKS = 3 * DAY_MS, 3
#: simulated people look once a day at least: nobody is late under either, and games are the same
_SAME_AS = {"gentle": "daily"}
#: what is measured beside everything else for a policy of a league's own: plans -> lengths, as JSON
Measured = Mapping[str, Sequence[float]]


class Expectation(NamedTuple):
    """`days` of a round, `chosen` by somebody or as forecast; for each kind of plans the share of tables that
    is `late`, and the days that would do (`enough`). `sure`: measured for the league's policy, and not for
    the one nearest to it.
    """

    days: int
    chosen: bool
    late: Mapping[str, float]
    enough: Mapping[str, int]
    sure: bool
    waits: bool

    @property
    def bad(self) -> bool:
        """Whether the season needs somebody's word to begin: too many tables of those who change nothing."""
        return self.chosen and self.sure and not self.waits and self.late["none"] > forecast.BAD


def expectation(terms: Terms, people: int = 0, measured: Measured | None = None) -> Expectation:
    """What to expect of a season of these terms; `people` 0: as many as make tables of the wanted size."""
    tables = _tables(terms, people)
    overtime = terms.overtime_days
    plans = forecast.PLANS if terms.plans == "all" else forecast.PLANS[:1]
    kinds = {
        one: [(count, kind(terms, size, one, measured)) for size, count in tables.items()] for one in plans
    }
    enough = {one: forecast.enough(kinds[one], overtime, most=DAYS_MOST) for one in plans}
    days = terms.round_days or enough["none"]
    return Expectation(
        days,
        terms.round_days > 0,
        {one: forecast.late(kinds[one], days + overtime) for one in plans},
        enough,
        bool(policy_name(terms) or measured),
        terms.overtime == "wait",
    )


def policy_name(terms: Terms) -> str:
    """The preset that a league's policy is, "" for one of its own."""
    rule = terms.rule()
    return next(
        (name for name, one in PRESETS.items() if replace(one, first_round_miss=False) == rule),
        "",
    )


def _tables(terms: Terms, people: int) -> Counter[int]:
    """How many tables of which size."""
    if people < terms.least:
        return Counter([terms.wanted])
    return Counter(sums.sizes(people, terms.least, terms.most, terms.wanted).tables)


def kind(terms: Terms, size: int, plans: str, measured: Measured | None = None) -> Lengths:
    """How long such tables take: measured for the league's own policy at the wanted size, other sizes in
    proportion; else as under the preset whose time for an answer is nearest."""
    name = policy_name(terms) or min(
        PRESETS, key=lambda one: abs(PRESETS[one].move_hours - terms.rule().move_hours)
    )
    name = _SAME_AS.get(name, name)
    usual = forecast.lengths(terms.edition, size, name, plans)
    if not measured:
        return usual
    own, wanted = Lengths._make(measured[plans]), forecast.lengths(terms.edition, terms.wanted, name, plans)
    return own._replace(median=own.median * usual.median / wanted.median)


def of_season(uow: UnitOfWork, season: Season) -> Expectation:
    """What to expect of a season, by who has signed up so far."""
    terms = read_terms(season)
    people = uow.tx.count(Entry, season_id=season.id, state=(EntryState.SIGNED, EntryState.PLAYING))
    return expectation(terms, people, measured(season, terms))


def measured(season: Season, terms: Terms) -> Measured | None:
    """What was measured for the terms of a season, if it was for these."""
    found = _mind(season).get("measured", {})
    return found.get("plans") if found.get("kind") == kind_of(terms) else None


def kind_of(terms: Terms) -> str:
    """What lengths hang on: another kind must be measured anew."""
    return json.dumps([terms.edition, terms.wanted, policy_row(terms.rule())], sort_keys=True)


def told(what: Expectation) -> Facts:
    """The facts of the sentence `league-forecast`: shares as two numbers (9, of 10 tables)."""
    return {
        "days": what.days,
        "chosen": what.chosen,
        "bad": what.bad,
        "sure": what.sure,
        "waits": what.waits,
        "late": {plans: list(_in_words(share)) for plans, share in what.late.items()},
        "enough": dict(what.enough),
    }


def _in_words(share: float) -> tuple[int, int]:
    """A share as people say it: 9 of 10, 1 of 15; (0, 1) hardly any, (1, 1) all."""
    if share < 0.01:
        return 0, 1
    if share > 0.97:
        return 1, 1
    return (1, round(1 / share)) if share < 0.35 else (round(share * 10), 10)


def reason(uow: UnitOfWork, season: Season) -> Facts:
    """The forecast of a season as a sentence that goes with another."""
    return {"code": "league-forecast", "facts": told(of_season(uow, season))}


def expect(uow: UnitOfWork, league: League) -> Facts:
    """Sign-up has been opened: from now on the season keeps its forecast in mind.

    Returns what is said of it; where it is bad, those in charge are asked.
    """
    season = lookup.current(uow, league)
    remember(uow, season)
    return told(of_season(uow, lookup.fresh(uow, season)))


def remember(uow: UnitOfWork, season: Season, **facts: Any) -> Season:
    """Keep these with the season's forecast."""
    return lookup.keep(uow, season, expects={**_mind(lookup.fresh(uow, season)), **facts})


def _mind(season: Season) -> Facts:
    return dict(lookup.mind(season).get("expects", {}))


def held(uow: UnitOfWork, season: Season) -> bool:
    """Whether a season that is open for sign-up waits for somebody's word because of its forecast."""
    mind = lookup.mind(season)
    return (
        season.state == SeasonState.SIGNUP
        and "expects" in mind
        and mind["expects"].get("yes") != _agreed(read_terms(season))
        and of_season(uow, season).bad
    )


def _agreed(terms: Terms) -> str:
    """What a `yes` is about: with other terms it is asked for again."""
    return f"{terms.round_days} {terms.overtime_days} {kind_of(terms)}"


def check(uow: UnitOfWork, season: Season) -> None:
    """Raises Refusal for a season that waits for a `yes`."""
    season = lookup.fresh(uow, season)
    if held(uow, season):
        raise Refusal(
            "league-forecast-bad",
            league=lookup.league_of(uow, season).name,
            season=season.no,
            forecast=told(of_season(uow, season)),
        )


def agree(uow: UnitOfWork, season: Season) -> Facts:
    """Somebody in charge wants the season as it is.  Raises Refusal where nothing asks for that."""
    season, league = lookup.fresh(uow, season), lookup.league_of(uow, season)
    if not held(uow, season):
        raise Refusal("league-forecast-fine", league=league.name, season=season.no)
    what = of_season(uow, season)
    remember(uow, season, yes=_agreed(read_terms(season)))
    hooks.wake_season(uow, season.id)
    return {"league": league.name, "season": season.no, "forecast": told(what)}


def request_yes(uow: UnitOfWork, season: Season) -> bool:
    """A step of the office's clock: sign-up is over, and the season waits for somebody's word. Those in
    charge are asked each day; after that the season takes the length that was proposed, and everybody hears
    so.
    """
    mind, league = _mind(season), lookup.league_of(uow, season)
    asks, next_ms = int(mind.get("asks", 0)), int(mind.get("next_ms", 0))
    if next_ms > uow.now_ms:
        return False
    if asks >= ASKS:
        what = of_season(uow, season)
        terms = replace(read_terms(season), round_days=what.enough["none"])
        uow.tx.set(Season, season.id, settings=text_of(terms))
        remember(uow, season, yes=_agreed(terms))
        announce(
            uow,
            league,
            "league-forecast-taken",
            {"season": season.no, "days": terms.round_days, "before": what.days},
        )
        return True
    announce(
        uow,
        league,
        "league-forecast-asks",
        {"season": season.no, "last": asks + 1 == ASKS, "because": reason(uow, season)},
        lookup.in_charge(uow, league),
        [("yes", f"league #{league.id} yes"), ("as-forecast", f"league #{league.id} set days as forecast")],
    )
    remember(uow, season, asks=asks + 1, next_ms=uow.now_ms + WAITS_MS // ASKS)
    return True


def next_ms(season: Season) -> int:
    """When somebody in charge is asked again, 0 where nobody was."""
    return int(_mind(season).get("next_ms", 0))


def settled(uow: UnitOfWork, season: Season) -> Terms:
    """The season is drawn: from now on its days are a number. Its terms as they are then."""
    terms = read_terms(season)
    if terms.round_days:
        return terms
    terms = replace(terms, round_days=of_season(uow, season).days)
    uow.tx.set(Season, season.id, settings=text_of(terms))
    return terms
