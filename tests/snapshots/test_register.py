"""The register of shapes: no frame, slot or field changes without a step, and nothing that was ever saved
becomes unreadable.
"""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import codec
from referee.store.migrate import revisions
from tests.snapshots import register


def shape(**frames: list[str]) -> dict[str, Any]:
    return {
        "frames": {"round": ["step"], **frames},
        "state": ["stack"],
        "player": ["gold"],
        "setup": ["edition"],
    }


def test_todays_frames_are_those_that_are_registered() -> None:
    known = register.known()
    assert codec.SCHEMA in known, "a new schema: run `make snapshots`"
    older = {number: one for number, one in known.items() if number < codec.SCHEMA}
    then = known[codec.SCHEMA]
    assert len(then["cards"]) > 60
    fresh = register.of_new_cards(then)
    assert register.faults(then, register.today(), older, codec.ALIASES, fresh) == []
    assert len(register.today()["frames"]) >= 20


def test_there_is_a_step_from_every_schema_to_the_next() -> None:
    assert sorted(register.known()) == list(range(1, codec.SCHEMA + 1))
    assert sorted(codec.STEPS) == list(range(1, codec.SCHEMA))


def test_a_new_schema_came_with_a_step_of_the_store() -> None:
    """An older referee, which can't read such games, then refuses to start on the book."""
    book = [shape["book"] for number, shape in sorted(register.known().items()) if number >= 3]
    assert book == sorted(set(book)), (
        "raise the book's revision with the schema, by an empty step: docs/engineers/changing.md"
    )
    assert set(book) <= set(revisions())


def test_aliases_lead_to_frames_that_exist_and_shadow_none() -> None:
    frames = register.today()["frames"]
    assert [old for old, new in codec.ALIASES.items() if new not in frames or old in frames] == []


@pytest.mark.parametrize(
    ("then", "now", "words"),
    [
        (
            shape(keep=["seat"]),
            shape(keep=["seat", "count"]),
            ["'keep'", "['seat']", "['seat', 'count']", "raise SCHEMA", "make snapshots"],
        ),
        (shape(keep=["seat"]), shape(), ["'keep' is gone", "ALIASES"]),
        (shape(), shape(peek=[]), ["'peek' is new", "STEPS"]),
        (
            shape(),
            {**shape(), "player": ["coins"]},
            ["player", "'gold'", "'coins'", "docs/engineers/changing.md"],
        ),
    ],
)
def test_a_change_without_a_step_is_told_with_what_to_do(
    then: dict[str, Any], now: dict[str, Any], words: list[str]
) -> None:
    (said,) = register.faults(then, now, {}, {})
    assert [word for word in words if word not in said] == []


def test_a_new_frame_needs_no_step_where_its_card_is_new() -> None:
    then = register.known()[codec.SCHEMA]
    younger = {**then, "cards": [card for card in then["cards"] if card != "Graveyard"]}
    assert register.of_new_cards(younger) - register.of_new_cards(then) == {"graveyard"}
    now = register.today()
    frames = {code: slots for code, slots in then["frames"].items() if code != "graveyard"}
    before = {**then, "frames": frames}
    fresh = register.of_new_cards(younger)
    assert register.faults(before, now, {}, {}, fresh) == []
    assert len(register.faults(before, now, {}, {}, fresh - {"graveyard"})) == 1


def test_a_frame_of_an_old_schema_needs_a_class_or_an_alias() -> None:
    older = {1: shape(ponder=["seat"])}
    (said,) = register.faults(shape(), shape(), older, {})
    assert "'ponder' of schema 1" in said
    assert "ALIASES" in said
    assert register.faults(shape(), shape(), older, {"ponder": "round"}) == []
