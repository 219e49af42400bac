"""A letter's row besides the facts of its kind: what those who carry it have noted there."""

from __future__ import annotations

import json
from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from referee.ids import EventNo
from referee.store import Outbox

F = TypeVar("F", bound=msgspec.Struct)
#: a row's facts and notes as the JSON object that they are stored as, those of other versions included
Stored: TypeAlias = dict[str, Any]


class Notes(msgspec.Struct, omit_defaults=True):
    """What carriers note in a letter's row.

    `since`, `seats`, `taught`: when it was worded, the number of the last event before those that it tells;
    of a letter over several games, up to which event each seat (by its row) is told; its lessons, (part,
    name). `before`: up to which event those seats had been told before it arrived. `held`, `mode`: it was
    held back until then, UTC ms, and how quiet hours are meant. `tried`: channels on which it was refused;
    `soft`: so often it came back for a while; `repeated`: it went out twice.
    """

    since: EventNo | None = None
    seats: dict[str, int] = {}
    before: dict[str, int] = {}
    taught: list[tuple[str, str]] = []
    held: int = 0
    mode: str | None = None
    tried: list[str] = []
    soft: int = 0
    repeated: bool = False


class Again(NamedTuple):
    """A letter on record that goes into the outbox once more: its kind, and all that stands in its row."""

    kind: str
    stored: Stored


def notes(row: Outbox) -> Notes:
    """What was noted in a row."""
    return read(row, Notes)


def noted(row: Outbox, more: Notes) -> Stored:
    """All that stands in a row, with these notes."""
    return {**json.loads(row.data), **msgspec.to_builtins(more)}


def read(row: Outbox, facts: type[F]) -> F:
    """A row's facts, typed.  Raises msgspec.ValidationError where they are other facts."""
    return msgspec.json.decode(row.data, type=facts)
