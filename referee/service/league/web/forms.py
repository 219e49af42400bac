"""Each act of the office as a form: the fields whose words, one after the other, are what would be typed.

A field is filled with what can be chosen (`PartKind`). What stands `before` it is said only where it is
filled. An act that is not here has one field for the rest of its line, with its usage as a hint.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from referee.states import SeasonState


class PartKind(StrEnum):
    """What a field is filled with: `fixed` words; a `person` of the season, any `name`; a `table` or a
    `round` by number; a `number`, `points`, a `day`; a `role`, a `setting` by its key; a `reason`, free
    `text`.
    """

    FIXED = "fixed"
    PERSON = "person"
    NAME = "name"
    TABLE = "table"
    ROUND = "round"
    NUMBER = "number"
    POINTS = "points"
    DAY = "day"
    ROLE = "role"
    SETTING = "setting"
    REASON = "reason"
    TEXT = "text"


class Part(NamedTuple):
    """A field of a form: its kind, the words before it, whether it must be filled."""

    kind: PartKind
    before: str = ""
    must: bool = True


#: what a season must be at; `NONE`: there is none to come or going on
NONE = ""
SIGNUP, DRAWN, RUNNING = SeasonState.SIGNUP, SeasonState.DRAWN, SeasonState.RUNNING
ON, ALWAYS = (SIGNUP, DRAWN, RUNNING), (NONE, SIGNUP, DRAWN, RUNNING)


class OfficeForm(NamedTuple):
    """An act with its fields; `label` names it in the table [league_forms] of leagues.toml. `when`: states of
    the season in which it may be possible; in others it stands behind those.
    """

    act: str
    label: str
    when: Sequence[str]
    parts: Sequence[Part] = ()


_REASON = Part(PartKind.REASON, "because", must=False)
_WHY = Part(PartKind.REASON, "because")
_PERSON, _TABLE = Part(PartKind.PERSON), Part(PartKind.TABLE, "table")
_ROUND = Part(PartKind.ROUND, "round", must=False)

#: group -> its forms, in the order in which they are needed
FORMS: Mapping[str, Sequence[OfficeForm]] = {
    "season": (
        OfficeForm(
            "open",
            "open",
            (NONE,),
            (
                Part(PartKind.NUMBER, "rounds", must=False),
                Part(PartKind.DAY, "until", must=False),
                Part(PartKind.DAY, "start", must=False),
            ),
        ),
        OfficeForm("yes", "yes", (SIGNUP,)),
        OfficeForm("draw", "draw", (SIGNUP,)),
        OfficeForm("start", "start", ON),
        OfficeForm("redraw", "redraw", (DRAWN, RUNNING)),
        OfficeForm("postpone", "postpone", ON, (_ROUND, Part(PartKind.DAY, "until"))),
        OfficeForm(
            "pause",
            "pause",
            ON,
            (Part(PartKind.DAY, "from", must=False), Part(PartKind.DAY, "until"), _REASON),
        ),
        OfficeForm("resume", "resume", ON),
        OfficeForm("void", "void-season", ON, (Part(PartKind.FIXED, "season"), _REASON)),
    ),
    "people": (
        OfficeForm("announce", "announce", ALWAYS, (Part(PartKind.TEXT),)),
        OfficeForm("admit", "admit", ON, (Part(PartKind.NAME),)),
        OfficeForm("invite", "invite", ON, (Part(PartKind.NAME),)),
        OfficeForm("invite", "invite-link", ON, (Part(PartKind.FIXED, "link"),)),
        OfficeForm("revoke", "revoke", ON, (Part(PartKind.NAME, must=False),)),
        OfficeForm("penalty", "penalty", ON, (_PERSON, Part(PartKind.POINTS), _WHY)),
        OfficeForm("bonus", "bonus", ON, (_PERSON, Part(PartKind.POINTS), _WHY)),
        OfficeForm("bye", "bye", (DRAWN, RUNNING), (_PERSON, _ROUND)),
        OfficeForm("remove", "remove", ON, (_PERSON, _WHY)),
    ),
    "tables": (
        OfficeForm(
            "substitute", "substitute", (DRAWN, RUNNING), (_TABLE, _PERSON, Part(PartKind.PERSON, "by"))
        ),
        OfficeForm("rule", "rule-scores", (RUNNING,), (_TABLE, Part(PartKind.FIXED, "by scores"), _REASON)),
        OfficeForm("rule", "rule-names", (RUNNING,), (_TABLE, Part(PartKind.TEXT), _REASON)),
        OfficeForm("extend", "extend", (RUNNING,), (_TABLE, Part(PartKind.DAY, "until", must=False))),
        OfficeForm("replay", "replay", (RUNNING,), (_TABLE,)),
        OfficeForm("void", "void-table", (DRAWN, RUNNING), (_TABLE, _REASON)),
    ),
    "league": (
        OfficeForm("set", "set", ALWAYS, (Part(PartKind.SETTING), Part(PartKind.TEXT))),
        OfficeForm("role", "role", ALWAYS, (Part(PartKind.NAME), Part(PartKind.ROLE))),
        OfficeForm("rename", "rename", ALWAYS, (Part(PartKind.TEXT),)),
        OfficeForm("close", "close", (NONE,)),
    ),
}
#: said elsewhere: where the page shows it anyway, in the room that it is about, on the page of a player, or
#: by buttons of its own
ELSEWHERE = frozenset(
    {
        "new",
        "room",
        "second",
        "refuse",
        "proposals",
        "audit",
        "reports",
        "handled",
        "waiting",
        "invitations",
        "answers",
        "remind",
    }
)
