"""What a letter to a seat says: what only that seat may read, and what it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from referee import rules
from referee.ids import EventNo, QuestionNo, SeatNo
from referee.plans import Stop
from referee.states import DeadlineKind, GameStatus, OutboxState
from referee.store import Deadline, Game, Outbox, Seat
from referee.text import so_far
from referee.text.rendering.plans import stopped

from ..core.composing import LetterContext
from ..core.letter_buttons import keyed
from ..core.letters import traits
from ..core.unit_of_work import names, settings_of, with_bots
from ..people.letter_facts import PromptFacts
from . import confirming, hooks, seat_plans, stepwise
from .letter_facts import HandFacts

#: what tells of the person who had a seat, not of the seat
_OF_PLAYERS = frozenset(
    {
        "back",
        "departed",
        "kicked",
        "miss_forgiven",
        "offered",
        "probation",
        "proposed",
        "seat_offered",
        "seconded",
        "stand_in",
        "taken_over",
        "vacation_began",
        "vacation_ended",
        "voted",
        "withdrawn",
    }
)


def pointless(row: Outbox, game: Game, facts: PromptFacts) -> bool:
    """Whether a letter to a seat has become so before it was worded: it asks what is asked no more, and says
    nothing else.
    """
    begun = (GameStatus.RUNNING, GameStatus.OVER, GameStatus.FROZEN)
    if game.status not in (*begun, *((GameStatus.ABANDONED,) if facts.echo else ())) or not game.snapshot:
        return True
    if game.status == GameStatus.OVER and facts.echo and not (facts.trouble or facts.reply):
        return True  # it waited for a letter that tells it, and the one about the end does
    waits = is_asked(row, game)
    stale = row.question and (not waits or row.question != game.question)
    kind, talks = traits(row.kind), bool(facts.echo or facts.trouble)
    if kind.puts:
        return bool(stale and not talks and not waits)
    return kind.asks and bool(stale or not waits)


def is_asked(row: Outbox, game: Game) -> bool:
    """Whether the game waits for the seat of a letter."""
    return game.status == GameStatus.RUNNING and str(row.seat) in game.asked.split(",")


def seat_facts(ctx: LetterContext, game: Game, since: EventNo) -> dict[str, Any] | None:
    """The seat's view, what happened to it after the event `since`, and what it is asked.

    None when the letter has become pointless.
    """
    row = ctx.row
    assert row.seat is not None
    if pointless(row, game, ctx.read(PromptFacts)):
        return None
    view = with_bots(rules.view(ctx.states.of(game), row.seat), ctx.seats)
    events = ctx.tx.events_since(game, since, row.seat)
    page: dict[str, Any] = {
        "view": view,
        "events": _readers(
            [{"name": e.name, "facts": msgspec.json.decode(e.facts), "no": e.no} for e in events], row.seat
        ),
        "ask": None,
        "final": game.status == GameStatus.OVER,
        "options": [],
        "step": "",
        "due_ms": None,
        "names": names(ctx.seats),
        "edited": False,
    }
    ask = view.get("ask") if is_asked(row, game) else None
    if ask is not None:
        return {**page, **_question(ctx, game, ask, view)}
    # who looks wants to know until when they wait, as any room is told; news alone come too often for it
    looks = row.kind == HandFacts.kind or ctx.read(PromptFacts).fresh
    return {**page, "due_ms": _due_ms(ctx, game)} if looks else page


def _due_ms(ctx: LetterContext, game: Game) -> int | None:
    """Until when the table waits; None where no clock runs."""
    due = ctx.tx.one(Deadline, game_id=game.id, kind=DeadlineKind.ANSWER, done_ms=0)
    return None if due is None or settings_of(game).get("learn") else due.due_ms


def _readers(events: list[dict[str, Any]], no: SeatNo) -> list[dict[str, Any]]:
    """Without what was done by, or to, those who had the reader's seat before: it would be told as theirs."""
    taken = [
        place
        for place, one in enumerate(events)
        if one["name"] == "taken_over" and one["facts"]["seat"] == no
    ]
    if not taken:
        return events
    before = [
        one
        for one in events[: taken[-1]]
        if one["name"] not in _OF_PLAYERS or no not in (one["facts"].get("seat"), one["facts"].get("player"))
    ]
    return before + events[taken[-1] :]


def _question(
    ctx: LetterContext, game: Game, ask: Mapping[str, Any], view: Mapping[str, Any]
) -> dict[str, Any]:
    due = ctx.tx.one(Deadline, game_id=game.id, seat=ctx.row.seat, kind=DeadlineKind.ANSWER, done_ms=0)
    path = stepwise.path_of(ctx.read(PromptFacts), game)
    offers = ctx.words.offers(ask, view, ctx.language, path, f"#{game.id}")
    return {
        "ask": {"kind": ask["kind"], "number": ask["number"]},
        "due_ms": None if due is None or settings_of(game).get("learn") else due.due_ms,
        "within": ctx.markup == "mail" and _shown_this_turn(ctx, game, ask["number"], due),
        "options": keyed(ctx, offers),
        "step": so_far(path, names(ctx.seats)) if path else "",
    }


def _shown_this_turn(ctx: LetterContext, game: Game, number: QuestionNo, clock: Deadline | None) -> bool:
    """Whether the reader has had a question of this turn at this address before the one of that number:
    little has changed, and that letter shows the table.
    """
    row = ctx.row
    # one turn has one clock, whose row keeps the question that it began with
    began = number if clock is None else clock.question
    last = ctx.tx.all(
        Outbox,
        game_id=game.id,
        seat=row.seat,
        channel=row.channel,
        address=row.address,
        kind=row.kind,
        state=OutboxState.SENT,
        order="-question",
        limit=1,
    )
    return any(one.question >= began for one in last)


def prompt(
    ctx: LetterContext, game: Game, seat: Seat, since: EventNo, brought: Sequence[tuple[str, ...]]
) -> dict[str, Any] | None:
    """The same, with all that goes along with a question: why the seat's plan does not answer, lessons, the
    way to its plan. `brought`: the lessons of an earlier wording of this letter.
    """
    page = seat_facts(ctx, game, since)
    if page is None:
        return None
    facts = ctx.read(PromptFacts)
    view, stop = page["view"], facts.stopped
    page["stopped"] = (
        "" if stop is None else stopped(ctx.words, Stop(stop.code, stop.facts), view, ctx.language)
    )
    page["later"] = confirming.waits(ctx.row.channel, ctx.person, seat)
    page["soon"] = page["ask"] is not None and seat_plans.pending(ctx.tx, game, seat.no)
    # before the lessons: until somebody knows it, each order by mail costs a letter
    if (
        page["ask"] is not None
        and not page["step"]
        and not brought
        and any(one["order"] == "gold" for one in page["options"])
    ):
        page["several"] = hooks.several_at_once(ctx, game, seat)
    if page["ask"] is not None and seat.lessons:
        page |= _taught(ctx, game, seat, page, brought)
    page["options"] += _planning(ctx, game, page)
    if page["ask"] is not None and not page["step"] and hooks.hint_open(ctx.tx, game, seat):
        page["options"] += keyed(ctx, [_beside(ctx, game, page, "hint")])
    return page


def _taught(
    ctx: LetterContext,
    game: Game,
    seat: Seat,
    page: Mapping[str, Any],
    brought: Sequence[tuple[str, ...]],
) -> dict[str, Any]:
    """How the seat is taught, and the lessons that come with what it is asked."""
    lessons = list(brought)
    # one thing at a time is explained, and in the middle of an order nothing new
    if not lessons and not page.get("several") and not stepwise.path_of(ctx.read(PromptFacts), game):
        orders = [one["order"] for one in page["options"]]
        lessons += hooks.lessons_due(ctx, game, seat, page["view"], orders)
    return {"teaching": hooks.taught(seat), "guided": hooks.guided(seat), "lessons": lessons}


def _planning(ctx: LetterContext, game: Game, page: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The entry that opens the menu of plans, where a character is picked and where others are waited
    for.
    """
    if (
        game.status != GameStatus.RUNNING
        or page["step"]
        or page.get("guided")
        or (page["ask"] or {}).get("kind", "pick") not in ("pick", "discard")
    ):
        return []
    return keyed(ctx, [_beside(ctx, game, page, "plan")])


def _beside(ctx: LetterContext, game: Game, page: Mapping[str, Any], order: str) -> dict[str, Any]:
    """An entry below the answers that is none."""
    return {
        "n": len(page["options"]) + 1,
        "order": order,
        "label": ctx.words.phrase(f"button-{order}", ctx.language),
        "note": "",
        "leads": False,
        "mailto": ctx.words.mailto(order, f"#{game.id} {order}"),
    }
