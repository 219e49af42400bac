"""How the installation does: tables, people, messages and letters by day and channel, what waits, what is
late."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from referee.policy import DAY_MS
from referee.states import ENDED, GameStatus, InboxState, OutboxState
from referee.store import (
    Address,
    Blocked,
    DayCount,
    Game,
    Inbox,
    Meta,
    Outbox,
    Person,
    Tx,
)

from .speaker import CONSOLE

STATES = tuple(GameStatus)
#: a deadline that should have rung longer ago is late: the bell rings at once, the sweep every half minute
LATE_MS = 60_000
DAYS = 7


def figures(tx: Tx, now_ms: int) -> dict[str, Any]:
    """Everything as plain values; moments are UTC milliseconds, lengths seconds, days "2026-11-21" (UTC), the
    last one not yet over.

    games {state: n}, archived, people, addresses {channel: n}, blocked, days [{day, messages, letters}],
    channels [{channel, messages, sent, failed, unknown, waiting}] of the last 24 hours, waiting (letters that
    could go), oldest_s (since when the oldest does), inbox {new, shunted, refused}, failed {failed, unknown},
    late (deadlines), answered and missed of the last 24 hours.
    """
    today = now_ms // DAY_MS
    messages, letters = (
        tx.counted(Inbox, (today - DAYS + 1) * DAY_MS),
        tx.counted(Outbox, (today - DAYS + 1) * DAY_MS),
    )
    lately_in, lately_out = tx.counted(Inbox, now_ms - DAY_MS), tx.counted(Outbox, now_ms - DAY_MS)
    unsent = tx.unsent(now_ms)
    answers = tx.answered_since(max(0, now_ms - DAY_MS))
    by_channel = _addresses(tx)
    names = sorted({one.channel for one in (*lately_in, *lately_out)} | set(unsent) | set(by_channel))
    return {
        "now_ms": now_ms,
        "games": {state: tx.count(Game, status=state) for state in STATES},
        "archived": tx.count(Game, status=ENDED) - tx.count(Game, status=ENDED, archived_ms=0),
        "people": tx.count(Person) - tx.count(Meta, name=CONSOLE),
        "addresses": by_channel,
        "blocked": tx.count(Blocked),
        "days": [
            {
                "day": _day(day),
                "messages": _sum(messages, day=day),
                "letters": _sum(letters, day=day, but=OutboxState.DROPPED),
            }
            for day in range(today - DAYS + 1, today + 1)
        ],
        "channels": [
            {
                "channel": name,
                "messages": _sum(lately_in, channel=name),
                "sent": _sum(lately_out, channel=name, state=OutboxState.SENT),
                "failed": _sum(lately_out, channel=name, state=OutboxState.FAILED),
                "unknown": _sum(lately_out, channel=name, state=OutboxState.UNKNOWN),
                "waiting": unsent.get(name, (0, 0))[0],
            }
            for name in names
        ],
        "waiting": sum(count for count, _ in unsent.values()),
        "oldest_s": max((max(0, now_ms - oldest) // 1000 for _, oldest in unsent.values()), default=0),
        "inbox": {state: tx.count(Inbox, state=state) for state in (InboxState.NEW, InboxState.SHUNTED)}
        | {"refused": _sum(lately_in, state=InboxState.REFUSED)},
        "failed": {
            state: tx.count(Outbox, state=state) for state in (OutboxState.FAILED, OutboxState.UNKNOWN)
        },
        "late": tx.late(now_ms - LATE_MS),
        "answered": answers.get("answer", 0),
        "missed": answers.get("missed", 0),
    }


def _addresses(tx: Tx) -> dict[str, int]:
    found: dict[str, int] = {}
    for channel in tx.column(Address, "channel"):
        found[channel] = found.get(channel, 0) + 1
    return dict(sorted(found.items()))


def _sum(rows: list[DayCount], *, but: str = "", **equals: Any) -> int:
    return sum(
        one.rows
        for one in rows
        if one.state != but and all(getattr(one, name) == value for name, value in equals.items())
    )


def _day(number: int) -> str:
    return datetime.fromtimestamp(number * DAY_MS / 1000, UTC).strftime("%Y-%m-%d")


def figures_for_letter(found: Mapping[str, Any]) -> dict[str, Any]:
    """The same for a letter: without days on which nothing happened at all."""
    return {**found, "days": [one for one in found["days"] if one["messages"] or one["letters"]]}
