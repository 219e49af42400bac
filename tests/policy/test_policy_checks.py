"""Policies that can't be played by, and policies as rows."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings

from referee.policy import (
    DAILY,
    PRESETS,
    Policy,
    PolicyError,
    Quiet,
    check,
    check_quiet,
    faults,
    from_json,
    named,
    scaled,
    to_json,
)
from tests.policy.calendars import policies
from tests.seeds import some

WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"move_hours": 0}, "policy-range", "move_hours"),
    ({"move_hours": -3}, "policy-range", "move_hours"),
    ({"move_hours": 31 * 24}, "policy-range", "move_hours"),
    ({"move_hours": float("inf")}, "policy-range", "move_hours"),
    ({"move_hours": float("nan")}, "policy-range", "move_hours"),
    ({"grace_hours": 25}, "policy-order", "grace_hours"),
    ({"grace_hours": 0}, "policy-range", "grace_hours"),
    ({"bank_credit_hours": 73}, "policy-order", "bank_credit_hours"),
    ({"vacation_reserve_hours": 80}, "policy-order", "vacation_reserve_hours"),
    ({"days": ()}, "policy-days", "days"),
    ({"days": (7,)}, "policy-days", "days"),
    ({"zone": "Mars/Olympus"}, "policy-zone", "zone"),
    ({"zone": ""}, "policy-zone", "zone"),
    ({"zone": "../../etc/passwd"}, "policy-zone", "zone"),
    ({"snap_hour": 24}, "policy-hour", "snap_hour"),
    ({"quiet": Quiet(22, 22)}, "policy-quiet", "quiet"),
    ({"quiet": Quiet(20, 9)}, "policy-quiet", "quiet"),
    ({"quiet": Quiet(22, 24)}, "policy-hour", "quiet"),
    ({"quiet": Quiet(22, 7, "loud")}, "policy-mode", "quiet"),
    ({"quiet_most_hours": 24}, "policy-range", "quiet_most_hours"),
    ({"remind_at": (1.5,)}, "policy-share", "remind_at"),
    ({"remind_at": (0.0,)}, "policy-share", "remind_at"),
    ({"misses_excused": 2}, "policy-order", "misses_excused"),
    ({"probation_after": 0}, "policy-range", "probation_after"),
    ({"probation_after": 4}, "policy-order", "probation_after"),
    ({"replace_after": 99}, "policy-range", "replace_after"),
    ({"plan_delay_hours": 2}, "policy-range", "plan_delay_hours"),
    ({"move_hours": 0.5, "grace_hours": 0.5, "plan_delay_hours": 1}, "policy-order", "plan_delay_hours"),
    ({"vacation_days": 61}, "policy-range", "vacation_days"),
    ({"pause_days": 1000}, "policy-range", "pause_days"),
    ({"caretaker": False}, "policy-endless", "caretaker"),
]


@pytest.mark.parametrize(("change", "code", "field"), WRONG)
def test_what_is_wrong_is_named(change: dict[str, Any], code: str, field: str) -> None:
    with pytest.raises(PolicyError) as no:
        check(replace(DAILY, **change))
    assert (no.value.code, no.value.facts["field"]) == (code, field)


def test_all_faults_at_once() -> None:
    found = [
        (one.code, one.facts["field"])
        for one in faults(Policy(move_hours=0, days=(), zone="Nowhere", caretaker=False))
    ]
    assert found == [
        ("policy-range", "move_hours"),
        ("policy-days", "days"),
        ("policy-zone", "zone"),
        ("policy-endless", "caretaker"),
    ]


def test_a_fault_says_what_would_be_right() -> None:
    with pytest.raises(PolicyError) as no:
        check(replace(DAILY, grace_hours=30))
    assert no.value.facts == {"field": "grace_hours", "other": "move_hours", "value": 30, "most": 24}
    with pytest.raises(PolicyError) as no:
        check_quiet(DAILY, 0, 0)
    assert no.value.facts == {"field": "quiet", "value": 24, "most": 12}
    check_quiet(DAILY, 21, 9)


@pytest.mark.parametrize("name", PRESETS)
def test_the_presets_are_sound(name: str) -> None:
    assert named(check(PRESETS[name])) == name
    assert named(replace(PRESETS[name], pause_days=3)) == ""


def test_daily_is_the_table_of_the_specification() -> None:
    row = to_json(DAILY)
    wanted = {
        "move_hours": 24,
        "grace_hours": 12,
        "bank_hours": 72,
        "bank_credit_hours": 6,
        "days": [0, 1, 2, 3, 4, 5, 6],
        "snap_hour": None,
        "remind_at": [0.5, 0.15],
        "vacation_days": 10,
        "misses_excused": 1,
        "probation_after": 2,
        "replace_after": 3,
        "first_round_miss": True,
    }
    assert {key: row[key] for key in wanted} == wanted
    assert tuple(row["quiet"]) == (22, 7, "hold")


def test_a_policy_has_one_spelling() -> None:
    assert Policy(move_hours=20 / 60) == Policy(move_hours=0.33333) == Policy(move_hours=0.3334)
    assert Policy(days=(3, 1, 1)) == Policy(days=(1, 3))
    assert Policy(remind_at=(0.15, 0.5)) == DAILY


@settings(max_examples=some(80), deadline=None, derandomize=True)
@given(policies())
def test_a_row_there_and_back(policy: Policy) -> None:
    assert from_json(json.loads(json.dumps(to_json(policy)))) == policy
    assert set(to_json(policy)) == {"schema", *(one.name for one in fields(Policy))}


def test_an_older_row_lacks_what_it_did_not_know() -> None:
    assert from_json({}) == DAILY
    assert from_json({"schema": 1, "move_hours": 48}) == replace(DAILY, move_hours=48)


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ({"schema": 2}, "policy-schema"),
        ({"schema": "1"}, "policy-schema"),
        ({"schema": True}, "policy-schema"),
        ({"colour": 1}, "policy-field"),
        ({"move_hours": "24"}, "policy-type"),
        ({"move_hours": True}, "policy-type"),
        ({"days": "Mo"}, "policy-type"),
        ({"days": [True]}, "policy-type"),
        ({"quiet": [22]}, "policy-type"),
        ({"caretaker": 1}, "policy-type"),
        ({"zone": 3}, "policy-type"),
        ({"vacation_days": 1.5}, "policy-type"),
        ({"snap_hour": float("nan")}, "policy-type"),
        ({"move_hours": 0}, "policy-range"),
    ],
)
def test_a_row_that_is_none(row: dict[str, Any], code: str) -> None:
    with pytest.raises(PolicyError) as no:
        from_json(row)
    assert no.value.code == code


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("hours", [1 / 60, 0.5, 1, 6, 24, 25, 100, 720])
def test_another_time_for_an_answer_keeps_the_proportions(name: str, hours: float) -> None:
    made = scaled(PRESETS[name], hours)
    assert made.move_hours == pytest.approx(hours)
    if hours >= 0.5:
        assert made.grace_hours / made.move_hours == pytest.approx(
            PRESETS[name].grace_hours / PRESETS[name].move_hours, abs=0.1
        )
    if hours <= 168:
        assert list(faults(replace(made, plan_delay_hours=0))) == []
