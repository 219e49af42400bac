"""Reading a policy, and writing it so that it is read again: `24h free 12h bank 72h days Mo-Fr snap 19:00
Lisbon`.

read_policy("brisk, bank 24h", reading) a Policy, or Trouble: every word must be about time
take_policy("deluxe 5 24h days Mo-Fr", reading) the same out of a line about more; and what is left: "deluxe
5" policy_text(policy) the shortest words that are read as exactly this policy
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from referee.policy import ALL_DAYS, DAILY, PRESETS, Policy, PolicyError, check, filled

from ..folding import clean
from .policy_form import (
    COUNTS,
    DAYS,
    EXAMPLES,
    NONE,
    STANDINS,
    TIMES,
    PolicyForm,
    UnexpectedWord,
    is_little,
    text_of_days,
)
from .policy_terms import said
from .terms import NotUnderstood, Reading
from .zones import zone_at

#: this many words of one line are looked at
_MOST = 160
_WORDS = re.compile(r"[^\s,;]+|,")
_COMMAS = re.compile(r" ?,[ ,]*(?=,)| (?=,)")
_PERCENT = re.compile(r"(?<=\d)\s+%")
_APART = re.compile("(?<=\\w)\\s+[-\u2010-\u2015]\\s+(?=\\w)")


def read_policy(text: str, reading: Reading, base: Policy | None = None) -> Policy | NotUnderstood:
    """The policy that these words say; what they don't say is as in `base` (a preset's name in the words goes
    before; else `daily`).

    Trouble: unknown-word, said-twice, no-such-zone, or a code of `PolicyError` with its facts.
    """
    form = PolicyForm(reading)
    words = _words(_APART.sub("-", text))
    place = 0
    try:
        while place < len(words):
            used = form.take(words[place:])
            if not used and is_little(reading, words[place]):
                used = 1
            if not used:
                return _unknown(reading, words, place)
            place += used
        return _made(form, base)
    except UnexpectedWord as no:
        return no.trouble


def take_policy(
    text: str, reading: Reading, base: Policy | None = None
) -> tuple[Policy | NotUnderstood | None, str]:
    """The policy in a line that speaks of other things too, None where it says nothing about time; and the
    rest of the line.
    """
    words = _words(text)
    form = PolicyForm(reading, mixed=True, random=any(said(reading, word, "setup.random") for word in words))
    rest: list[str] = []
    place = 0
    try:
        while place < len(words):
            used = form.take(words[place:])
            rest += words[place : place + (0 if used else 1)]
            place += used or 1
        left = _COMMAS.sub("", " ".join(rest)).strip(" ,")
        return (_made(form, base) if form.fields or form.preset else None), left
    except UnexpectedWord as no:
        return no.trouble, ""


def _words(text: str) -> list[str]:
    return _WORDS.findall(_PERCENT.sub("%", text))[:_MOST]


def _made(form: PolicyForm, base: Policy | None) -> Policy | NotUnderstood:
    """The policy of a filled form."""
    preset = (
        (PRESETS.get(form.preset) or form.reading.policies[form.preset]) if form.preset else base or DAILY
    )
    try:
        return check(filled(preset, form.fields))
    except PolicyError as no:
        return NotUnderstood(no.code, facts=no.facts)


def _unknown(reading: Reading, words: list[str], place: int) -> NotUnderstood:
    """A word that is none of ours: after an hour of the day it was meant as a zone."""
    if (
        place > 1
        and words[place - 2].isalpha()
        and words[place - 1][:1].isdigit()
        and ":" in words[place - 1]
    ):
        zone, _ = zone_at(reading, words[place:])
        if isinstance(zone, NotUnderstood):
            return zone
    return NotUnderstood(
        "unknown-word", facts={"word": clean(words[place], 40), "place": "policy", "expected": EXAMPLES}
    )


#: fields from which others follow
_LEADING = ("move_hours", "bank_hours", "quiet")


def policy_text(policy: Policy) -> str:
    """The words for a policy, as every language reads them; `read_policy` of them is the policy again."""
    found = [" ".join(_told(name, policy)) for name in PRESETS]
    return min(found, key=len)


def _told(name: str, policy: Policy) -> list[str]:
    """A preset, and whatever must be said so that it becomes this policy."""
    told: dict[str, Any] = {}
    while (made := filled(PRESETS[name], told)) != policy:
        wrong = [one.name for one in fields(Policy) if getattr(made, one.name) != getattr(policy, one.name)]
        first = next((field for field in _LEADING if field in wrong), "")
        told |= {field: getattr(policy, field) for field in wrong if not first or field == first}
        if "caretaker" in told or "bot" in told:
            told |= {"caretaker": policy.caretaker, "bot": policy.bot}
        if "snap_hour" in told and "zone" not in told and policy.snap_hour is not None:
            told["zone"] = policy.zone
    return [name, *(words for field in told if (words := _said(field, policy)))]


def _said(field: str, policy: Policy) -> str:
    """One field in words; "" where another one says it."""
    value = getattr(policy, field)
    nothing = next((key for key, (name, none) in NONE.items() if name == field and none == value), "")
    if nothing and nothing != "caretaker":  # of the stand-ins one word says all
        return f"no {nothing}"
    for key, name in TIMES.items():
        if name == field:
            return time_text(value) if key == "move" else f"{key} {time_text(value)}"
    for key, name in (*DAYS.items(), *COUNTS.items()):
        if name == field:
            return f"{key} {value}d" if key in DAYS else f"{key} {value}"
    if field == "days":
        return "everyday" if value == ALL_DAYS else f"days {text_of_days(value)}"
    if field == "zone":
        return f"zone {value}" if policy.snap_hour is None else f"snap {hour_text(policy.snap_hour)} {value}"
    if field == "quiet":
        return f"quiet {hour_text(value.start)}-{hour_text(value.end)} {value.mode}"
    if field == "remind_at":
        return "remind " + " ".join(f"{round(share * 100)}%" for share in value)
    if field == "caretaker":
        return "standin " + next(
            key for key, both in STANDINS.items() if both == (policy.caretaker, policy.bot)
        )
    return "restart" if field == "first_round_miss" else ""


def time_text(hours: float) -> str:
    """A length as it is typed, exact to the minute: "24h", "90m", "10d" from three days up."""
    minutes = round(hours * 60)
    if minutes % (24 * 60) == 0 and minutes >= 72 * 60:
        return f"{minutes // (24 * 60)}d"
    return f"{minutes}m" if minutes % 60 else f"{minutes // 60}h"


def hour_text(hour: float) -> str:
    """An hour of the day as it is typed: "19:00"."""
    minutes = round(hour * 60)
    return f"{minutes // 60:02}:{minutes % 60:02}"
