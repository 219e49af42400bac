"""The facts of the letters about leagues.

What a list is worded from is looked up when its channel is ready: such a letter says only which one was asked
for: `of` (the league), `season` and `division` (0: the newest, all), `round`, and by whom (`reader`, None: by
nobody who may be in it; not at all where a room reads it).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from referee.ids import (
    DivisionNo,
    LeagueId,
    LeagueProposalId,
    LeagueReportId,
    PersonId,
    RoundNo,
    SeasonId,
    SeasonNo,
    TableNo,
)

from ..core.letters import Facts, Notice
from ..people import letter_facts as people_facts


class SeasonLine(msgspec.Struct, frozen=True):
    """A season in one line: its number and state, its moments (UTC ms), how many take part and wait, how many
    rounds it has, and how many are over; from when to when it pauses, if that is on or announced.
    """

    no: SeasonNo
    state: str
    closes_ms: int
    starts_ms: int
    ended_ms: int
    people: int
    waiting: int
    rounds: int
    over: int = 0
    pause: tuple[int, int] | None = None


class RoundLine(msgspec.Struct, frozen=True):
    """A round that is on: until when, how many tables it has, and how many of these are not decided."""

    no: RoundNo
    ends_ms: int
    tables: int
    left: int


class LeagueLine(msgspec.Struct, frozen=True):
    """A league as everybody may know it, and what the asker is in it: their role, the state of their entry
    ("": none; "out": knocked out).
    """

    id: LeagueId
    name: str
    closed: bool
    season: SeasonLine | None
    round: RoundLine | None
    role: str
    mine: str


class OfficialLine(msgspec.Struct, frozen=True):
    """Somebody who runs a league."""

    role: str
    name: str


class Group(msgspec.Struct, frozen=True):
    """Those in one state of a season, and the team of each ("": none), () where nobody is in one; `more`: how
    many more there are, who are not named.
    """

    state: str
    names: Sequence[str]
    teams: Sequence[str] = ()
    more: int = 0


class Setting(msgspec.Struct, frozen=True):
    """A league's setting, as it would be typed."""

    key: str
    value: str


class ProposalLine(msgspec.Struct, frozen=True):
    """What waits for a second key, until when (UTC ms); `own`: the reader's key was the first."""

    number: LeagueProposalId
    by: str
    what: str
    due_ms: int
    own: bool


class LogLine(msgspec.Struct, frozen=True):
    """What was done in office."""

    no: int
    at_ms: int
    by: str
    via: str
    what: str


class Named(msgspec.Struct, frozen=True):
    """A league's row, and its name."""

    id: LeagueId
    name: str


class Standing(msgspec.Struct, frozen=True):
    """Which standings: a season's row, a division and a round (0: all, the newest)."""

    season: SeasonId
    division: DivisionNo
    round: RoundNo


class ListFacts(Facts):
    """Leagues in one line each, as the installation or as the console sees them."""

    kind = "league_list"
    leagues: Sequence[LeagueLine]
    house: bool
    console: bool


class CardFacts(Facts):
    """One league with who runs it, and how many rooms it has."""

    kind = "league_card"
    card: LeagueLine
    officials: Sequence[OfficialLine]
    rooms: int
    public: bool
    console: bool


class PeopleFacts(Facts):
    """Everybody in a season (its number, 0: there is none), by their state."""

    kind = "league_people"
    league: str
    season: SeasonNo
    groups: Sequence[Group]


class SettingsFacts(Facts):
    """A league's settings."""

    kind = "league_settings"
    league: str
    settings: Sequence[Setting]


class ProposalsFacts(Facts):
    """What waits for a second key."""

    kind = "league_proposals"
    league: str
    proposals: Sequence[ProposalLine]


class LogFacts(Facts):
    """What was done in office; the first line that does not hold (0: none)."""

    kind = "league_log"
    league: str
    lines: Sequence[LogLine]
    broken: int


class ReportsFacts(Facts):
    """Problems that were reported, by their numbers, and of which league; told: it was just reported, and
    nobody asked.
    """

    kind = "league_reports"
    of: LeagueId
    reports: Sequence[LeagueReportId]
    told: bool = False


class WaitingFacts(Facts):
    """For whom a league's tables wait: all that it says is looked up."""

    kind = "league_waiting"
    of: LeagueId


class InvitationsFacts(Facts):
    """Who is invited to a league's season: all that it says is looked up."""

    kind = "league_invitations"
    of: LeagueId


class AnswersFacts(Facts):
    """What those who joined answered: all that it says is looked up."""

    kind = "league_answers"
    of: LeagueId


class NewsFacts(Facts, kw_only=True):
    """News of a league, with the standings where they belong to it; `about_you`: they are about their
    reader.
    """

    kind = "league_news"
    league: Named
    about_you: bool
    standings: Standing | UnsetType = UNSET
    notices: Sequence[Notice]


class ReadFacts(Facts):
    """What is shown of a season, and to whom."""

    of: LeagueId
    season: SeasonNo
    reader: PersonId | UnsetType | None = UNSET


class StandingsFacts(ReadFacts):
    """Whose standings."""

    kind = "league_standings"
    division: DivisionNo | UnsetType = UNSET


class ScheduleFacts(ReadFacts):
    """Which round's tables."""

    kind = "league_schedule"
    division: DivisionNo | UnsetType = UNSET
    round: RoundNo | UnsetType = UNSET


class StatsFacts(ReadFacts):
    """Which season's figures."""

    kind = "league_stats"


class SeasonsFacts(ReadFacts):
    """Every season of a league."""

    kind = "league_seasons"


class HallFacts(ReadFacts):
    """What people have done in all seasons of a league."""

    kind = "league_hall"


class ExportFacts(ReadFacts):
    """Which season as a file, of which form, of which of its sheets."""

    kind = "league_export"
    form: str | UnsetType = UNSET
    sheet: str | UnsetType = UNSET


class TableFacts(Facts):
    """Which table of a season, by its number there."""

    kind = "league_table"
    of: LeagueId
    season: SeasonNo
    table: TableNo


class PlayerFacts(Facts):
    """Who, by their row."""

    kind = "league_player"
    of: LeagueId
    person: PersonId


class LeagueAnswer(NamedTuple):
    """What the office answers: a letter; `private`: nobody else's business."""

    what: Facts
    private: bool = False


def notice(code: str, **facts: Any) -> LeagueAnswer:
    """An answer of one sentence."""
    return LeagueAnswer(people_facts.notice(code, **facts))
