"""The facts of letters about a game that other rooms send: its seats' cards, what happened, its record, and
plans.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from referee.ids import NO_LETTER, LetterId

from ..core.letters import Facts


class HandFacts(Facts):
    """The seat's own cards: all that it says is looked up."""

    kind = "hand"


class HistoryFacts(Facts):
    """How many events are told."""

    kind = "history"
    count: int | UnsetType = UNSET


class RecordFacts(Facts):
    """Which deal of the game, 0 for the one that was played."""

    kind = "record"
    deal: int | UnsetType = UNSET


class PlanTrouble(msgspec.Struct, frozen=True):
    """What is wrong with a line of a plan: a sentence, the words that it is about, what might have been
    meant.
    """

    line: str
    quote: str
    suggestions: Sequence[str]


class PlanFacts(Facts):
    """A plan as it was understood (sentences), or what is wrong with its lines and nothing filed; whether it
    was filed just now, whether it will answer what is asked now, why it does not; the letter whose place this
    takes (0: none).
    """

    kind = "plan"
    understood: list[str]
    troubles: Sequence[PlanTrouble]
    filed: bool
    soon: bool
    stopped: str
    revises: LetterId = NO_LETTER


class Walked(msgspec.Struct, frozen=True):
    """Where somebody is in the menu: a `Walk`, as letters keep it."""

    page: str
    lines: Sequence[tuple[str, str]]
    listed: Sequence[str]
    who: str
    verb: str
    args: Sequence[Any]


class PlanMenuFacts(Facts):
    """Where somebody is in the menu, and the letter whose place the page takes (0: none)."""

    kind = "plan_menu"
    walk: Walked
    revises: LetterId = NO_LETTER
