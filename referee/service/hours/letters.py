"""The letters about hours: each reader's in their own zone, to nobody but those at the table."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from referee.ports import Button
from referee.store import Game

from ..calendar import ical
from ..core import tokens
from ..core.composing import Draft, LetterContext
from ..core.letters import LetterTraits, UnsolicitedDelivery, letter
from . import grid, table_hours
from .letter_facts import HoursFacts, MeetingFacts


@letter(HoursFacts, LetterTraits(unasked=UnsolicitedDelivery("turns")))
def hours(ctx: LetterContext) -> Draft | None:
    """Who can when; None for somebody who does not sit there any more."""
    game, me = ctx.game, ctx.person
    if game is None or me is None or all(one.person_id != me.id for one in ctx.seats):
        return None
    facts = ctx.read(HoursFacts)
    found = _table(ctx, game)
    settled = facts.why == "met" and ctx.files
    files = ical.attached(ctx.tx, ctx.words, me, ctx.key)[1] if settled else ()
    return Draft({**found, "why": facts.why, "by": facts.by}, _buttons(ctx, found), attachments=files)


def _table(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """best [{at_ms, count, not_able [names]}], said and missing (names), agreed [{name, at_ms}], mine [(from,
    to)], meet (0: none), of: how many people there are.
    """
    live, people = table_hours.read_hours(game), table_hours.people_of_seats(ctx.seats)
    names = {one.person_id: one.name for one in ctx.seats}
    can = table_hours.spans_of(ctx.tx, live, people)
    agreed = table_hours.agreed(ctx.tx, live, people)
    me = None if ctx.person is None else ctx.person.id
    return {
        "best": [
            {
                "at_ms": one.at_ms,
                "count": len(one.people),
                "not_able": [names[who] for who in people if who not in one.people],
            }
            for one in grid.best_hours(can, ctx.now_ms)
        ],
        "said": [names[who] for who in people if who in can],
        "missing": [names[who] for who in people if who not in can],
        "agreed": [
            {"name": names[who], "at_ms": at}
            for who, at in sorted(agreed.items(), key=lambda one: (one[1], one[0]))
            if at > ctx.now_ms
        ],
        "mine": [list(span) for who, spans in can.items() if who == me for span in spans],
        "meet": table_hours.meeting(live, ctx.now_ms),
        "of": len(people),
    }


def _buttons(ctx: LetterContext, found: dict[str, Any]) -> list[list[Button]]:
    """The best hours, and those on which others agree, each a tap; none once an hour is settled."""
    if found["meet"] or ctx.game is None:
        return []
    agreed = [int(one["at_ms"]) for one in found["agreed"]]
    hours_ = dict.fromkeys([*agreed, *(int(one["at_ms"]) for one in found["best"])])
    zone = "UTC" if ctx.person is None else ctx.person.zone
    rows = []
    for n, at_ms in enumerate(list(hours_)[: grid.BEST], 1):
        when = datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%MZ")
        rows.append(
            Button(
                label=ctx.words.phrase("live_hours.button", ctx.language, at_ms=at_ms, zone=zone),
                order=f"hours agree {when} #{ctx.game.id}",
                key=tokens.button(ctx.key, ctx.number, n),
            )
        )
    return [[one] for one in rows]


@letter(MeetingFacts, LetterTraits(urgent=True, must_arrive=True, linked=True))
def soon(ctx: LetterContext) -> Draft | None:
    """That the hour is about to begin; None where it is off, or over."""
    game, me = ctx.game, ctx.person
    if game is None or me is None or all(one.person_id != me.id for one in ctx.seats):
        return None
    at_ms = table_hours.meeting(table_hours.read_hours(game), ctx.now_ms)
    return Draft({"at_ms": at_ms}) if at_ms == ctx.read(MeetingFacts).at_ms else None
