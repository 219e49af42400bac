"""The facts of the letters about leagues.

What a list is worded from is looked up when its channel is ready: such a letter says only which one was asked
for: `of` (the league), `season` and `division` (0: the newest, all), `round`, and by whom (`reader`, None: by
nobody who may be in it).
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from ..core.letters import Facts


class ListFacts(Facts):
    """Leagues in one line each (see `questions.summary`), as the house or as the console sees them."""

    kind = "league_list"
    leagues: list[dict[str, Any]]
    house: bool
    console: bool


class CardFacts(Facts):
    """One league with who runs it {role, name}, and how many rooms it has."""

    kind = "league_card"
    card: dict[str, Any]
    officials: list[dict[str, str]]
    rooms: int
    public: bool
    console: bool


class PeopleFacts(Facts):
    """Everybody in a season (its number, 0: there is none), {state, names}."""

    kind = "league_people"
    league: str
    season: int
    groups: list[dict[str, Any]]


class SettingsFacts(Facts):
    """A league's settings, {key, value}."""

    kind = "league_settings"
    league: str
    settings: list[dict[str, Any]]


class ProposalsFacts(Facts):
    """What waits for a second key, {number, by, what, due_ms, own}."""

    kind = "league_proposals"
    league: str
    proposals: list[dict[str, Any]]


class LogFacts(Facts):
    """What was done in office, {no, at_ms, by, via, what}; the first line that does not hold (0: none)."""

    kind = "league_log"
    league: str
    lines: list[dict[str, Any]]
    broken: int


class NewsFacts(Facts, kw_only=True):
    """News of a league {id, name}, with the standings {season, division, round} where they belong to it;
    `about_you`: they are about their reader.
    """

    kind = "league_news"
    league: dict[str, Any]
    about_you: bool
    standings: dict[str, int] | UnsetType = UNSET
    notices: list[dict[str, Any]]


class StandingsFacts(Facts):
    """Whose standings."""

    kind = "league_standings"
    of: int
    season: int
    reader: int | None
    division: int | UnsetType = UNSET


class ScheduleFacts(Facts):
    """Which round's tables."""

    kind = "league_schedule"
    of: int
    season: int
    reader: int | None
    division: int | UnsetType = UNSET
    round: int | UnsetType = UNSET


class StatsFacts(Facts):
    """Which season's figures."""

    kind = "league_stats"
    of: int
    season: int
    reader: int | None


class ExportFacts(Facts):
    """Which season as a file, of which form, of which of its sheets."""

    kind = "league_export"
    of: int
    season: int
    reader: int | None
    form: str | UnsetType = UNSET
    sheet: str | UnsetType = UNSET


class TableFacts(Facts):
    """Which table of a season, by its number there."""

    kind = "league_table"
    of: int
    season: int
    table: int


class PlayerFacts(Facts):
    """Who, by their row."""

    kind = "league_player"
    of: int
    person: int
