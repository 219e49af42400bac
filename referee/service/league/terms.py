"""What a league plays by: one row of settings, with what is usual, checked as a whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from referee import league as sums
from referee.policy import DAILY, Policy, from_json, to_json
from referee.rules import EDITIONS, Refusal, SetupError
from referee.rules.lists import choice_of
from referee.store import League, Season

from ..core.table_settings import CardChoice, PolicyRow, RuleOptions
from ..core.unit_of_work import json_text
from ..tables import lobby

#: what a season can have
ROUNDS_MOST = 60
DAYS_MOST = 180
#: the tie-breaks that may be named, beside points, which come first, and the lot, which comes last
TIEBREAKS = ("wins", "score share", "head to head")
#: how its rounds are drawn: all at once; each by the standings so far; among those who go on
BALANCED, SWISS, KNOCKOUT = FORMATS = ("balanced", "swiss", "knockout")
#: the most people in a team
TEAM_MOST = 12
#: the most questions that are asked of those who join, and the most letters of each
QUESTIONS_MOST, QUESTION_LONGEST = 3, 120
#: how new seasons are reckoned, and what is usual in them; each keeps the form it was opened with
FORM = 2
#: what was usual in an earlier form, where that was something else; a season that names none is of the first
_BEFORE: Mapping[int, Mapping[str, Any]] = {1: {"points": "6/4/3/2/1/0/0", "round_days": 14}}
#: a season's cards don't hang on the seed with which a table is tried
_SEED = b"\0" * 32


@dataclass(frozen=True)
class Terms:
    """A league's settings.

    - `choice`: the cards, as `lists.Choice.facts` has them; `each_round`: what chance decides of them is
      drawn once a round, for all its tables
    - `policy`: a policy's row; {}: `daily`
    - `plans`: all, or no lists: no preference list may be filed at a table of this league
    - `least`, `most`, `wanted`: people at a table
    - `points`: for each place, and `bye`: average, or points, as people write them
    - `round_days`: from a round's start to its end, 0: as forecast; `late_hours`: how long a table waits for
      everybody to be ready
    - `overtime`: rule: that many days after the end the office rules what is not finished by the scores as
      they stand; wait: it waits
    - `early`: the next round begins as soon as the last table has finished; `overlap`: it begins on its day
      though tables are still played
    - `abandonment`, `withdrawal`: points that it costs
    - `strikes`: after that many tables abandoned somebody is out of the season
    - `green`: only who has been heard in private; `reliability`: percent of answers in time, 0: not asked
      for, which counts from that many `answers` on
    - `division`: the most people in one, 0: all in one; `up`, `down`: that many rise and fall
    - `joins`: one may join when the season has begun
    - `visible`: strangers may see it on the web
    - `holidays`: on public holidays of these places no clock runs
    - `format`: one of `FORMATS`; `advance`: that many of each table go on in a cup
    - `team`: the most people in a team, 0: no teams; `team_best`: that many of each count, 0: all
    - `entry`: open, or invited: who may join was invited; `questions`: asked of those who join
    - `substitutes`: first come, or by rating: who is asked first for a seat
    - `form`: see `FORM`
    """

    edition: str = "classic"
    choice: CardChoice = field(default_factory=dict)
    each_round: bool = False
    options: RuleOptions = field(default_factory=dict)
    talk: str = ""
    policy: PolicyRow = field(default_factory=dict)
    plans: str = "all"
    least: int = 4
    most: int = 7
    wanted: int = 5
    points: str = sums.BY_SIZE
    tiebreaks: tuple[str, ...] = TIEBREAKS
    bye: str = "average"
    rounds: int = 5
    round_days: int = 0
    late_hours: int = 48
    overtime: str = "rule"
    overtime_days: int = 3
    early: bool = False
    overlap: bool = False
    abandonment: str = "2"
    withdrawal: str = "0"
    strikes: int = 1
    green: bool = True
    reliability: int = 0
    answers: int = 10
    division: int = 0
    up: int = 2
    down: int = 2
    joins: bool = True
    visible: bool = True
    holidays: tuple[str, ...] = ()
    format: str = BALANCED
    advance: int = 2
    team: int = 0
    team_best: int = 0
    entry: str = "open"
    questions: tuple[str, ...] = ()
    substitutes: str = "first come"
    form: int = FORM

    @property
    def rounds_known(self) -> int:
        """The rounds of a season before anybody has signed up; 0: as many as its people make."""
        return 0 if self.format == KNOCKOUT else self.rounds

    def rule(self) -> Policy:
        """Its policy: a table of a league never gathers anew, since its round goes on."""
        return _rule(json.dumps(self.policy)) if self.policy else replace(DAILY, first_round_miss=False)

    def table(self) -> sums.Points:
        """Its points for places."""
        return sums.read_points(self.points)

    def points_told(self) -> str:
        """The same in words, for every size of its tables."""
        return sums.told(self.table(), range(self.least, self.most + 1))


@lru_cache(maxsize=64)
def _rule(policy: str) -> Policy:
    """The rule of that row: to check it takes a millisecond, and each look at a league asks for it."""
    return replace(from_json(json.loads(policy)), first_round_miss=False)


def read_terms(row: League | Season) -> Terms:
    """What a league's or a season's row says; what it does not say is usual, for a season what was usual when
    it was opened.
    """
    said = json.loads(row.settings)
    said["form"] = said.get("form", 1) if hasattr(row, "league_id") else FORM  # rows are of no class of ours
    known = {one.name for one in fields(Terms)}
    kept: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in said.items()
        if name in known
    }
    return Terms(**{**_BEFORE.get(kept["form"], {}), **kept})


def text_of(terms: Terms) -> str:
    """The column's text: the form, and what is not usual in it."""
    usual = {**asdict(Terms()), **_BEFORE.get(terms.form, {})}
    said = {name: value for name, value in asdict(terms).items() if value != usual[name]}
    return json_text({**said, "form": terms.form})


def checked(terms: Terms) -> Terms:
    """The same.  Raises Refusal where no season can be played so."""
    if terms.edition not in EDITIONS:
        raise Refusal("league-edition", name=terms.edition, known=sorted(EDITIONS))
    if not 2 <= terms.least <= terms.wanted <= terms.most:
        raise Refusal("league-sizes", least=terms.least, most=terms.most, wanted=terms.wanted)
    within("rounds", terms.rounds, 1, ROUNDS_MOST)
    within("days", terms.round_days, 0, DAYS_MOST)
    within("late", terms.late_hours, 1, 24 * DAYS_MOST)
    within("overtime", terms.overtime_days, 0, DAYS_MOST)
    within("reliability", terms.reliability, 0, 100)
    within("answers", terms.answers, 1, 10_000)
    within("strikes", terms.strikes, 1, ROUNDS_MOST)
    within("up", terms.up, 0, 100)
    within("down", terms.down, 0, 100)
    if terms.division and terms.division < terms.least:
        raise Refusal("league-division-small", size=terms.division, least=terms.least)
    if terms.format == KNOCKOUT and not 1 <= terms.advance < terms.least:
        raise Refusal("league-advance", advance=terms.advance, least=terms.least)
    within("teams", terms.team, 0, TEAM_MOST)
    if terms.team == 1 or terms.team_best > terms.team:
        raise Refusal("league-teams", size=terms.team, best=terms.team_best)
    for size in range(terms.least, terms.most + 1):
        try:
            lobby.allowed(terms.edition, size, terms.options, choice_of(terms.choice), _SEED)
        except SetupError as no:
            raise Refusal(no.code, **no.facts) from no
    try:
        sums.reaches(terms.table(), range(terms.least, terms.most + 1))
    except sums.PointsFault as no:
        raise Refusal(no.code, **no.facts) from no
    for name in ("abandonment", "withdrawal"):
        points(getattr(terms, name), name)
    if terms.bye != "average":
        points(terms.bye, "bye")
    return terms


def within(name: str, value: int, least: int, most: int) -> None:
    """Raises Refusal for a number that is out of bounds."""
    if not least <= value <= most:
        raise Refusal("league-number", key=name, value=value, least=least, most=most)


def points(text: str, key: str) -> Fraction:
    """Points as people write them: 2, 1.5 or 1,5.  Raises Refusal."""
    try:
        (worth,) = sums.points_table(text).places
    except (sums.PointsFault, ValueError) as no:
        raise Refusal("league-points", key=key, value=text[:40]) from no
    return worth


def hundredths(worth: Fraction) -> int:
    """Points as penalties keep them."""
    return round(worth * 100)


def row_of(policy: Policy) -> dict[str, Any]:
    """A policy as the settings keep it."""
    return to_json(replace(policy, first_round_miss=False))
