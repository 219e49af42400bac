"""Policies as they are typed and told: the text is the policy."""

from __future__ import annotations

import shutil
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.policy import DAILY, HOUR_MS, PRESETS, Policy, PolicyError, Quiet, check, faults, filled
from referee.text import Cards, NotUnderstood, Reading, Words, fold, lexicon
from referee.text.folders import shipped
from referee.text.policy_words import policy_words
from referee.text.reading.policy import policy_text, read_policy, take_policy
from referee.text.reading.policy_form import NONE, TIMES
from referee.text.rendering.policies import explain, policy_line
from tests.policy.calendars import at, policies
from tests.policy.test_policy_checks import WRONG
from tests.seeds import some

READING = Reading()
WORDS = Words(strict=True)
COMMON = settings(max_examples=some(80), deadline=None, derandomize=True)
LISBON = replace(DAILY, snap_hour=19, zone="Europe/Lisbon")


@COMMON
@given(policies())
def test_what_is_written_is_read_again(policy: Policy) -> None:
    assert read_policy(policy_text(policy), READING) == policy


@COMMON
@given(policies())
def test_what_is_written_in_portuguese_is_read_again_also_in_english(policy: Policy) -> None:
    own = policy_words(lexicon("pt_BR"), policy_text(policy))
    assert not set(own.split()) & {
        "daily",
        "gentle",
        "brisk",
        "live",
        "no",
        "bank",
        "free",
        "days",
        "quiet",
        "remind",
        "snap",
        "zone",
        "vacation",
        "nights",
        "standin",
        "Mo",
        "Fr",
    }
    for language, text in (
        ("pt_BR", own),
        ("pt_BR", policy_text(policy)),
        ("pt_BR", own.upper() if policy.zone == "UTC" else own),
    ):
        assert read_policy(text, Reading(language)) == policy, text
    assert policy_words(lexicon("en"), policy_text(policy)) == policy_text(policy)


def test_a_policy_in_portuguese_in_full() -> None:
    policy = replace(
        LISBON, days=(0, 1, 2, 3, 4), quiet=Quiet(22.5, 7, "digest"), remind_at=(0.5, 0.25), vacation_days=0
    )
    said = policy_words(lexicon("pt_BR"), policy_text(policy))
    assert said == (
        "diário silêncio 22:30-07:00 resumo dias seg-sex prazo 19:00 Europe/Lisbon lembrar 50% 25% sem férias"
    )
    assert explain(WORDS, policy, "pt_BR")[-1] == f"Como se escreve: “{said}”"
    assert explain(WORDS, PRESETS["live"], "pt_BR")[-1] == "Como se escreve: “ao vivo”"


@pytest.mark.parametrize("language", WORDS.languages)
@pytest.mark.parametrize("name", PRESETS)
def test_no_line_is_cut_off(name: str, language: str) -> None:
    """A notice shows so much of a line and no more: "… and does nothing to"."""
    for line in explain(WORDS, PRESETS[name], language):
        assert WORDS.phrase("policy-part", language, line=line) == line


@COMMON
@given(policies())
def test_it_is_read_again_among_other_words(policy: Policy) -> None:
    read, rest = take_policy(f"deluxe cunning agents 5 {policy_text(policy)}, with Park", READING)
    assert read == policy
    assert fold(rest) == fold("deluxe cunning agents 5, with Park")


@COMMON
@given(policies())
def test_the_one_line_says_the_clock(policy: Policy) -> None:
    policy = replace(policy, zone="Europe/Lisbon")
    read = read_policy(policy_line(WORDS, policy), READING, base=policy)
    assert isinstance(read, Policy), (policy_line(WORDS, policy), read)
    assert read == policy


@COMMON
@given(policies(), policies())
def test_two_policies_are_told_apart(one: Policy, other: Policy) -> None:
    assert (explain(WORDS, one) == explain(WORDS, other)) == (one == other)
    assert (policy_text(one) == policy_text(other)) == (one == other)


CHANGES: dict[str, Any] = {
    "move_hours": 25,
    "grace_hours": 11,
    "bank_hours": 71,
    "bank_credit_hours": 5,
    "days": (0, 1),
    "zone": "Europe/Lisbon",
    "snap_hour": 19,
    "quiet": Quiet(22, 7, "digest"),
    "quiet_most_hours": 11,
    "remind_at": (0.5,),
    "vacation_days": 9,
    "vacation_reserve_hours": 5,
    "misses_excused": 0,
    "probation_after": 3,
    "replace_after": 4,
    "first_round_miss": False,
    "alternate_hours": 23,
    "unreachable_hours": 23,
    "pause_days": 13,
    "plan_delay_hours": 0.5,
    "caretaker": True,
    "bot": True,
}


def test_every_field_is_told_in_a_sentence() -> None:
    assert set(CHANGES) == {one.name for one in fields(Policy)}
    usual = explain(WORDS, DAILY)[:-1]
    for name, value in CHANGES.items():
        if name == "caretaker":  # not without somebody else
            assert (
                explain(WORDS, replace(DAILY, caretaker=False, bot=True))[:-1]
                != explain(WORDS, replace(DAILY, bot=True))[:-1]
            )
            continue
        assert explain(WORDS, replace(DAILY, **{name: value}))[:-1] != usual, name
    for line in (
        *usual,
        *explain(WORDS, PRESETS["live"])[:-1],
        *explain(WORDS, replace(LISBON, bank_hours=0, remind_at=(), first_round_miss=False))[:-1],
    ):
        assert line.endswith("."), line
        assert line[0].isupper() or line[0].isdigit()


@pytest.mark.parametrize(
    ("typed", "policy"),
    [
        ("", DAILY),
        ("24h", DAILY),
        ("daily", DAILY),
        ("pace gentle", PRESETS["gentle"]),
        ("live", PRESETS["live"]),
        ("bank 48h", replace(DAILY, bank_hours=48)),
        ("48h bank", replace(DAILY, bank_hours=48)),
        ("no bank", replace(DAILY, bank_hours=0, bank_credit_hours=0, vacation_reserve_hours=0)),
        ("days Mo-Fr", replace(DAILY, days=(0, 1, 2, 3, 4))),
        ("weekdays", replace(DAILY, days=(0, 1, 2, 3, 4))),
        ("Fr-Mo", replace(DAILY, days=(0, 4, 5, 6))),
        ("days monday, wed and ", replace(DAILY, days=(0, 2))),
        ("days Mo-We, Sa", replace(DAILY, days=(0, 1, 2, 5))),
        ("snap 19:00 Lisbon", LISBON),
        ("snap 7pm Europe/Lisbon", LISBON),
        ("deadlines at 19:00", None),
        ("snap 19 zone Lisbon", LISBON),
        ("snap 19:30 New York", replace(DAILY, snap_hour=19.5, zone="America/New_York")),
        ("no snap", DAILY),
        ("quiet 23-8", replace(DAILY, quiet=Quiet(23, 8))),
        ("quiet 22:30-7am digest", replace(DAILY, quiet=Quiet(22.5, 7, "digest"))),
        ("quiet 10-7am", replace(DAILY, quiet=Quiet(22, 7))),
        ("quiet 11pm-6", replace(DAILY, quiet=Quiet(23, 6))),
        ("quiet 0-7am", replace(DAILY, quiet=Quiet(0, 7))),
        ("no quiet", replace(DAILY, quiet=None)),
        ("live quiet 23-7", replace(PRESETS["live"], quiet=Quiet(23, 7), quiet_most_hours=8)),
        ("no nights", replace(DAILY, quiet=None, quiet_most_hours=0)),
        ("remind 60 %, 10 %", replace(DAILY, remind_at=(0.6, 0.1))),
        ("no reminders", replace(DAILY, remind_at=())),
        ("vacation 5 days", replace(DAILY, vacation_days=5)),
        ("vacation 5", replace(DAILY, vacation_days=5)),
        ("no holidays", replace(DAILY, vacation_days=0)),
        ("12h", filled(DAILY, {"move_hours": 12})),
        ("brisk 1h 30m", filled(PRESETS["brisk"], {"move_hours": 1.5})),
        ("1.5 hours", filled(DAILY, {"move_hours": 1.5})),
        (
            "excuse 0 probation 1 replace 2 no restart",
            replace(DAILY, misses_excused=0, probation_after=1, replace_after=2, first_round_miss=False),
        ),
        ("standin bot", replace(DAILY, caretaker=False, bot=True)),
        ("Stand-in: either", replace(DAILY, bot=True)),
    ],
)
def test_what_people_type(typed: str, policy: Policy | None) -> None:
    assert read_policy(typed, READING) == (policy or replace(DAILY, snap_hour=19))


def test_another_time_takes_the_rest_along() -> None:
    half = read_policy("12h", READING)
    assert isinstance(half, Policy)
    assert (half.grace_hours, half.bank_hours, half.bank_credit_hours) == (6, 36, 3)


@pytest.mark.parametrize(
    ("typed", "code", "facts"),
    [
        ("hello", "unknown-word", {"word": "hello"}),
        ("24h banana", "unknown-word", {"word": "banana"}),
        ("bank", "unknown-word", {"word": "bank"}),
        ("24h 48h", "said-twice", {"place": "move_hours"}),
        ("daily live", "said-twice", {"place": "pace"}),
        ("0h", "policy-range", {"field": "move_hours"}),
        ("quiet 0-0", "policy-quiet", {"value": 24}),
        ("quiet 22-22", "policy-quiet", {}),
        ("quiet 20-10", "policy-quiet", {"most": 12}),
        ("quiet 22-24", "policy-hour", {}),
        ("no days", "policy-days", {}),
        ("days", "policy-days", {}),
        ("zone Mars", "no-such-zone", {"word": "Mars"}),
        ("snap 19:00 Lisbonn", "no-such-zone", {"near": ("Europe/Lisbon", "Europe/London")}),
        ("snap 25:00", "policy-hour", {}),
        ("remind 100%", "policy-share", {"value": 1.0}),
        ("remind 0%", "policy-share", {}),
        ("free 30h", "policy-order", {"field": "grace_hours", "most": 24}),
        ("excuse 2", "policy-order", {}),
        ("99999 days", "policy-range", {}),
        ("no free", "policy-range", {"field": "grace_hours"}),
        ("standin nobody", "policy-endless", {}),
        ("no caretaker", "policy-endless", {}),
    ],
)
def test_what_cannot_be_is_said(typed: str, code: str, facts: dict[str, Any]) -> None:
    no = read_policy(typed, READING)
    assert isinstance(no, NotUnderstood)
    assert no.code == code
    assert no.facts.items() >= facts.items()
    said = WORDS.phrase(no.code, "en", **no.facts)
    assert said.rstrip("”").endswith((".", "?"))


@pytest.mark.parametrize(
    ("line", "rest", "policy"),
    [
        ("deluxe cunning agents 24h days Mo-Fr", "deluxe cunning agents", "daily days Mo-Fr"),
        ("classic 5", "classic 5", ""),
        ("random, but gentle, with 9 characters", "random, but gentle, with 9 characters", ""),
        ("classic gentle 5", "classic 5", "gentle"),
        ("deluxe random pace gentle", "deluxe random", "gentle"),
        (
            "tenacious delegates with Patrician, Theater, 4 players, 2 days, invite",
            "tenacious delegates with Patrician, Theater, 4 players, invite",
            "daily 48h",
        ),
        ("classic 5 complete 8 with 2 bots", "classic 5 complete 8 with 2 bots", ""),
        ("deluxe bank 48h", "deluxe", "daily bank 48h"),
    ],
)
def test_out_of_the_line_for_a_new_table(line: str, rest: str, policy: str) -> None:
    read, left = take_policy(line, READING)
    assert left == rest
    assert read == (read_policy(policy, READING) if policy else None)


def test_another_language_reads_its_own_words_and_the_printed_ones(tmp_path: Path) -> None:
    shutil.copytree(shipped() / "en", tmp_path / "pt_BR")
    path = tmp_path / "pt_BR" / "lexicon.toml"
    path.write_text(
        path.read_text()
        .replace('free = ["free", "grace"]', 'free = ["livre"]')
        .replace('Mo = ["mon", "monday", "mondays"]', 'Mo = ["seg", "segunda"]')
        .replace('hours = ["h", "hour", "hours", "hr", "hrs"]', 'hours = ["hora", "horas"]')
    )
    there = Reading(language="pt_BR", own=(tmp_path,))
    assert read_policy("24 horas, livre 6 horas, seg-Fr", there) == replace(
        DAILY, grace_hours=6, days=(0, 1, 2, 3, 4)
    )
    assert read_policy("livre 6h", READING) != read_policy("livre 6h", there)
    for policy in (*PRESETS.values(), replace(LISBON, grace_hours=6, days=(0, 2))):
        assert read_policy(policy_text(policy), there) == policy


def test_no_word_of_ours_is_a_card() -> None:
    lex = lexicon("en")
    ours = {
        fold(word)
        for key in (*TIMES, *NONE, *PRESETS, "weekdays", "standin")
        for word in lex.words(key, "policy")
    } - {"gentle"}
    cards = {
        part
        for kind in ("characters", "districts", "lists", "editions", "bots")
        for key in lex.keys(kind)
        for name in lex.spellings(kind, key)
        for part in fold(name).split()
    }
    assert len(ours) > 20
    assert len(cards) > 80
    assert ours & cards == set()
    assert Cards() == READING.cards


@COMMON
@given(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            [
                "24h",
                "bank",
                "days",
                "Mo-Fr",
                "quiet",
                "22-07",
                "snap",
                "19:00",
                "no",
                ",",
                "zone",
                "remind",
                "50%",
                "free",
                "7",
            ]
        ),
        max_size=8,
    ),
)
def test_no_words_break_the_reader(text: str, words: list[str]) -> None:
    for typed in (text, " ".join(words), f"{' '.join(words)} {text}"):
        read = read_policy(typed, READING)
        assert isinstance(read, Policy | NotUnderstood)
        if isinstance(read, Policy):
            assert check(read) is read
        take_policy(typed, READING)


@pytest.mark.parametrize("change", [one[0] for one in WRONG], ids=lambda change: "-".join(change))
def test_every_fault_has_its_sentence(change: dict[str, Any]) -> None:
    for fault in faults(replace(DAILY, **change)):
        said = WORDS.phrase(fault.code, "en", **fault.facts)
        assert said.rstrip("”").endswith("."), said
        assert said[0].isupper() or said[0].isdigit() or said[0] == "“"


def test_faults_in_full() -> None:
    def said(no: PolicyError) -> str:
        return WORDS.phrase(no.code, "en", **no.facts)

    found = [
        said(next(iter(faults(replace(DAILY, **change)))))
        for change in ({"grace_hours": 30}, {"quiet": Quiet(0, 0)}, {"move_hours": 0}, {"misses_excused": 2})
    ]
    assert found == [
        "The free part of an answer can't be more than the time for an answer allows: 24h at most.",
        "24h of quiet a day are too many: 12h at most, else nobody could ever be asked.",
        "The time for an answer can be 1m to 30 days.",
        (
            "The number of excused misses can't be more than the misses after which nobody waits "
            "allows: 1 at most."
        ),
    ]


def test_the_one_line() -> None:
    assert policy_line(WORDS, DAILY) == "24h a move, first 12h free, your bank 3 days"
    asked = policy_line(
        WORDS, DAILY, zone="Europe/Lisbon", due_ms=at("2026-06-02T18:00"), bank_ms=60 * HOUR_MS + 59 * 60_000
    )
    assert asked == "24h a move, first 12h free, your bank 60h; now until Tue 2 Jun 19:00 Lisbon"
    assert (
        policy_line(WORDS, replace(LISBON, days=(0, 1, 2, 3, 4)), bank_ms=0)
        == "24h a move, first 12h free, your bank empty, on Mo-Fr, deadlines 19:00 Lisbon"
    )
    assert policy_line(WORDS, DAILY, bank_ms=61 * 60_000).endswith("your bank 61m")
    assert (
        policy_line(WORDS, replace(DAILY, bank_hours=0, move_hours=30.5), due_ms=None)
        == "30h 30m a move; now the clock stands still"
    )
