"""A policy in words: one line for every prompt, and each part of it in full."""

from __future__ import annotations

from typing import Any

from referee.policy import Policy, Quiet

from ..lexicon import Lexicon
from ..policy_words import policy_words
from ..reading.policy import hour_text, policy_text
from ..reading.policy_form import text_of_days
from .times import span
from .words import Words


def length(hours: float, lex: Lexicon) -> str:
    """A length of time exact to the minute, in the words of a lexicon: "24h", "3 days", "30h 10m"."""
    minutes = round(hours * 60)
    if minutes % 60 and minutes > 120:
        return f"{span(minutes // 60, lex.language, lex)} {span(minutes % 60 / 60, lex.language, lex)}"
    return span(minutes / 60, lex.language, lex)


def policy_line(
    words: Words,
    policy: Policy,
    language: str = "en",
    *,
    zone: str = "UTC",
    due_ms: int | None = 0,
    bank_ms: int | None = None,
) -> str:
    """`24h a move, first 12h free, your bank 60h; now until Tue 2 Jun 19:00 Lisbon`, without a full stop.

    `bank_ms`: what the reader has left (None: a full bank). `due_ms`: until when they may answer, 0 where
    nothing is asked, None while the clock stands still without an end in sight. `zone`: the reader's.
    """
    language = words.language(language)
    lex = words.lexicon(language)
    bank = (
        policy.bank_hours
        if bank_ms is None
        else bank_ms // (60_000 if bank_ms < 7_200_000 else 3_600_000) / (60 if bank_ms < 7_200_000 else 1)
    )
    facts: dict[str, Any] = {
        "move": length(policy.move_hours, lex),
        "grace": "",
        "bank": "",
        "days": "",
        "hour": "",
        "zone": policy.zone,
    }
    if policy.bank_hours:
        facts["grace"] = length(policy.grace_hours, lex)
        facts["bank"] = length(bank, lex) if bank else words.phrase("policy.empty", language)
    if len(policy.days) < 7:
        facts["days"] = text_of_days(policy.days)
    if policy.snap_hour is not None:
        facts["hour"] = hour_text(policy.snap_hour)
    line = words.phrase("policy.line", language, **facts)
    if due_ms == 0:
        return line
    return words.phrase(
        "policy.standing" if due_ms is None else "policy.until",
        language,
        line=line,
        due_ms=due_ms,
        reader=zone,
    )


def days_and_nights(policy: Policy, quiet: Quiet | None) -> dict[str, Any]:
    """What does not count for a player with these quiet hours, as the sentence about a deadline says it:
    `nights`; and `days`, those that do count, "" where all do.
    """
    return {
        "nights": quiet is not None and policy.quiet_most_hours > 0,
        "days": text_of_days(policy.days) if len(policy.days) < 7 else "",
    }


def explain(words: Words, policy: Policy, language: str = "en") -> list[str]:
    """Every part of a policy as a sentence; the last line is how it is typed."""
    language = words.language(language)
    lex = words.lexicon(language)
    said: list[str] = []

    def say(code: str, **facts: Any) -> None:
        said.append(words.phrase(f"policy.{code}", language, **facts))

    def long(hours: float) -> str:
        return length(hours, lex)

    say("move", move=long(policy.move_hours))
    if policy.bank_hours:
        say(
            "bank",
            grace=long(policy.grace_hours),
            bank=long(policy.bank_hours),
            credit=long(policy.bank_credit_hours),
        )
    else:
        say("bankless")
    say("days", days="" if len(policy.days) == 7 else text_of_days(policy.days), zone=policy.zone)
    if policy.snap_hour is None:
        say("snapless")
    else:
        say("snap", hour=hour_text(policy.snap_hour))
    if policy.quiet is None:
        say("quietless")
    else:
        say(
            "quiet",
            start=hour_text(policy.quiet.start),
            end=hour_text(policy.quiet.end),
            mode=policy.quiet.mode,
        )
    say("nights" if policy.quiet_most_hours else "nightless", most=long(policy.quiet_most_hours))
    say(
        "remind" if policy.remind_at else "remindless",
        shares=[f"{round(share * 100)} %" for share in policy.remind_at],
    )
    reserve = long(policy.vacation_reserve_hours) if policy.bank_hours else ""
    say("vacation" if policy.vacation_days else "vacationless", count=policy.vacation_days, reserve=reserve)
    say("unreachable" if policy.unreachable_hours else "unreachableless", more=long(policy.unreachable_hours))
    say(
        "misses",
        excused=policy.misses_excused,
        probation=policy.probation_after,
        replace=policy.replace_after,
        alternate=long(policy.alternate_hours),
    )
    say("first" if policy.first_round_miss else "firstless")
    say("standin", caretaker=policy.caretaker, bot=policy.bot)
    say("pause", count=policy.pause_days)
    say("plans" if policy.plan_delay_hours else "planless", delay=long(policy.plan_delay_hours))
    say("words", words=policy_words(lex, policy_text(policy)))
    return said
