"""What stands in the settings of a table (a JSON object in its row), by name and type.

They are changed by writing a copy with the changes over it, so that what another version keeps there stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NotRequired, TypeAlias, TypedDict

from referee.ids import GameId, LeagueId, PersonId, SeasonId, SeatNo

#: options of the rules, as `rules.Setup` takes them
RuleOptions: TypeAlias = Mapping[str, Any]
#: what was asked for of the cards, as `rules.lists.choice_of` takes it
CardChoice: TypeAlias = Mapping[str, Any]
#: a policy's row, as `policy.from_json` takes it
PolicyRow: TypeAlias = Mapping[str, Any]


class TableLeague(TypedDict):
    """What a table knows of its league.

    `no`: the season's number; `until`: when it begins without those who are not there, UTC ms; `left`:
    (person, why) of those who left a seat (no show, withdrawn, replaced, kicked, substituted); `charged`: for
    that many of them it has been seen to what it costs; `ended`: the office ended its game before its end
    (ruled, void).
    """

    league: LeagueId
    name: str
    season: SeasonId
    no: int
    round: int
    table: int
    division: int
    plans: str
    until: int
    tries: int
    left: NotRequired[Sequence[tuple[PersonId, str]]]
    charged: NotRequired[int]
    reminded: NotRequired[bool]
    ended: NotRequired[str]


class HiddenLook(TypedDict):
    """An admin saw hidden cards: whose (a seat, None: everybody's), by whom, why and when (UTC ms)."""

    seat: SeatNo | None
    by: str
    of: int | None
    because: str
    person: PersonId
    at_ms: int


class LiveHours(TypedDict):
    """Hours in which those at a table can sit down live, UTC milliseconds, by a person's number as text.

    `can`: spans [from, to) of each; `agreed`: the hour on which each agrees; `meet`: the one on which all
    have agreed, `off`: it stands no more, `turns`: how often that changed, `since`: when it last did; `told`:
    when the others were last told unasked.
    """

    can: NotRequired[Mapping[str, Sequence[tuple[int, int]]]]
    agreed: NotRequired[Mapping[str, int]]
    meet: NotRequired[int]
    off: NotRequired[bool]
    turns: NotRequired[int]
    since: NotRequired[int]
    told: NotRequired[int]


class TableSettings(TypedDict):
    """The settings of a table.

    `hours`: those for an answer; `entry`: open, invite or closed, `code` then the invitation's; `talk`:
    how one may talk there, `talk_now`: since somebody chose otherwise; `learn`: a guided game; `advice`:
    hints may be asked for; `season`: of which league; `laid`: how many seats it had before it began with
    fewer; `cast`, `uniques`, `rulings`, `ruled`: since it was dealt (see play/rulings.py); `crown`: who
    has the first; `rematches`: the tables at which it was asked to be played again; `live`: when its
    people can sit down together.
    """

    seats: int
    hours: float
    policy: PolicyRow
    options: RuleOptions
    entry: str
    talk: NotRequired[str]
    talk_now: NotRequired[str]
    learn: NotRequired[int]
    advice: NotRequired[int]
    season: NotRequired[str]
    choice: NotRequired[CardChoice]
    code: NotRequired[str]
    laid: NotRequired[int]
    cast: NotRequired[Sequence[str]]
    uniques: NotRequired[Sequence[str]]
    rulings: NotRequired[Sequence[int]]
    ruled: NotRequired[Sequence[tuple[int, int]]]
    crown: NotRequired[int]
    looked: NotRequired[Sequence[HiddenLook]]
    rematches: NotRequired[Sequence[GameId]]
    league: NotRequired[TableLeague]
    live: NotRequired[LiveHours]
