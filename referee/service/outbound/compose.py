"""Making the words of a letter when its channel is ready, from what is true at that moment.

Only views, events and public rows go into the context: a letter can't say what its reader may not know.
A letter that speaks of a question which is gone says only what is still worth saying, or nothing.

Here is what all letters have in common; what one of them says is its composer's (see core/letters.py).
"""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, NamedTuple

from referee.ids import EventNo, QuestionNo
from referee.ports import Button, Letter
from referee.store import Game, Outbox, Person, Seat

from ..core import tokens
from ..core.composing import FINISHERS, TABLE_FACTS, ComposeContext, ComposedLetter, Draft, LetterContext
from ..core.letter_buttons import button_rows, opening
from ..core.letters import LETTERS, Facts, traits
from ..core.unit_of_work import settings_of
from .threads import room_language, thread

_AROUND = tuple(one.name for one in fields(ComposeContext))


class FinishedLetter(NamedTuple):
    """A letter, the number of the last event that it tells, of the last one before those, and of the question
    that it asks (0: none)."""

    letter: Letter
    upto: EventNo
    since: EventNo
    question: QuestionNo
    lessons: tuple[tuple[str, str], ...] = ()  # what it teaches, (part, name)
    seats: dict[str, int] | None = (
        None  # a letter over several games: up to which event each seat (by its row) is told
    )


def compose(composing: ComposeContext, row: Outbox) -> FinishedLetter | None:
    """The words of one outbox row, or None when there is nothing left to say."""
    ctx = occasion_of(composing, row)
    draft = drafted(ctx)
    if draft is None:
        return None
    kind = draft.kind or row.kind
    context = {**ctx.context, **draft.context}
    paused = context["game"] and context["game"].get("paused")
    if paused and context.get("due_ms") and not traits(kind).due_stands:
        context["due_ms"] = None  # when the policy would end the pause is no deadline that anybody has
    letter = _letter(ComposedLetter(ctx, draft, kind, context))
    if letter is None:
        return None
    return FinishedLetter(letter, draft.upto, draft.since, draft.question, draft.lessons, draft.told)


def occasion_of(composing: ComposeContext, row: Outbox) -> LetterContext:
    """A row of the outbox with what belongs to it, as every composer gets it."""
    data = json.loads(row.data)
    game = None if row.game_id is None else composing.tx.get(Game, row.game_id)
    person = None if row.person_id is None else composing.tx.get(Person, row.person_id)
    wished = str(data.pop("language", ""))  # of somebody of whom nothing is known yet
    language = (
        person.language
        if person is not None
        else wished or room_language(composing.tx, row, composing.language)
    )
    context: dict[str, Any] = {
        "language": language,
        "zone": person.zone if person is not None else "UTC",
        "now_ms": composing.now_ms,
        "game": None,
        "me": None,
        "bot_link": composing.settings.bot_link,
        "channel": row.channel,
        "room": bool(row.place),
        **traits(row.kind).defaults,
        **data,
    }
    around = {name: getattr(composing, name) for name in _AROUND} | {"language": language}
    seats = [] if game is None else composing.tx.all(Seat, game_id=game.id, order="no")
    ctx = LetterContext(**around, row=row, data=data, game=game, seats=seats, person=person, context=context)
    if game is not None:
        context |= _about(ctx, game)
    return ctx


def drafted(ctx: LetterContext) -> Draft | None:
    """What the composer of its kind makes of it, None when there is nothing left to say."""
    declared = LETTERS.get(ctx.row.kind)
    return Draft() if declared is None or declared.compose is None else declared.compose(ctx)


def _about(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """The table's name and rules, and the reader's seat."""
    settings, row = settings_of(game), ctx.row
    about: dict[str, Any] = {
        "id": game.id,
        "ref": f"g{game.id}",
        "tag": f"#{game.id}",
        "edition": game.edition,
        "status": game.status,
        "looked": len(settings.get("looked", ())),
        "guided": bool(settings.get("learn")),
    }
    for _, facts in TABLE_FACTS.items():
        about |= facts(ctx, game)
    if row.seat is None or row.person_id is None:
        return {"game": about}
    # by the person: in the lobby seats move up when somebody leaves
    mine = next((seat for seat in ctx.seats if seat.person_id == row.person_id), None)
    return {"game": about} if mine is None else {"game": about, "me": {"seat": mine.no, "name": mine.name}}


def _letter(composition: ComposedLetter) -> Letter | None:
    """The letter in words; None where nothing happened that its reader has to be told."""
    ctx, draft, kind, context = composition
    row, facts = ctx.row, ctx.read(Facts)
    said = ctx.words.letter(kind, ctx.language, ctx.markup, context)
    if not said.text.strip():
        return None
    letter = Letter(
        id=tokens.wire(ctx.key, row.id),
        channel=row.channel,
        text=said.text,
        address=row.address or None,
        place=row.place or None,
        markup=said.markup,
        subject=said.subject,
        buttons=_buttons(ctx, facts, draft),
        edits=draft.edits,
        pin=draft.pin,
        answers=facts.answers or "",
        thread=thread(ctx.tx, row),
        token=tokens.token(ctx.key, row.id),
        ref=context["game"]["ref"] if context["game"] else "",
        quiet=ctx.silent or traits(kind).quiet,
        callback=facts.callback,
        attachments=draft.attachments,
        facts=dict(draft.facts),
    )
    for _, finish in FINISHERS.items():
        letter = finish(composition, letter)
    return letter


def _buttons(ctx: LetterContext, facts: Facts, draft: Draft) -> tuple[tuple[Button, ...], ...]:
    """The buttons that the row itself asks for, else those of the draft."""
    buttons = draft.buttons
    if facts.offers:
        buttons = button_rows(ctx, facts.offers)
    if facts.start_payload:
        buttons = opening(ctx, facts.start_payload)
    return tuple(tuple(row) for row in buttons)
