"""What letters tell of a table's clock."""

from __future__ import annotations

from typing import Any

from referee.store import Game
from referee.text import days_and_nights, policy_line

from ..core.composing import TABLE_FACTS, LetterContext
from . import clock_state, season_pauses


def clock(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """The table's policy in a line, with what the reader's bank has left; what does not count for the reader;
    whether the table's clocks stand, until when its season pauses (0: it does not), and whether nobody waits
    there.
    """
    policy = clock_state.policy_of(game)
    table = clock_state.read_clocks(game)
    left = table.seat(ctx.row.seat).bank if ctx.row.seat is not None else -1
    bank = left if left >= 0 else None
    line = policy_line(ctx.words, policy, ctx.language, bank_ms=bank)
    quiet = policy.quiet if ctx.person is None else clock_state.quiet_hours(ctx.person.quiet, policy.quiet)
    return {
        "policy": {"line": line, "bot": policy.bot, **days_and_nights(policy, quiet)},
        "paused": clock_state.paused(table),
        "held_ms": season_pauses.until(table, ctx.now_ms),
        "alone": clock_state.when_away(game, ctx.seats) is not clock_state.WhenAway.GOES_ON,
    }


TABLE_FACTS.add("clock", clock, __name__)
