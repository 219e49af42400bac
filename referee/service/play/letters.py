"""The letters of a game that is played: the question, the hand, what happened, how it ended, its record."""

from __future__ import annotations

import json
from typing import Any

from referee import rules
from referee.ids import NO_EVENT, NO_QUESTION, EventNo
from referee.ports import Attachment
from referee.store import Game, Seat

from ..core.composing import Draft, LetterContext, rewritten
from ..core.letter_buttons import button_rows, offered
from ..core.letter_rows import Notes, notes
from ..core.letters import LetterTraits, UnsolicitedDelivery, letter
from ..core.unit_of_work import names
from ..people.letter_facts import OverFacts, PromptFacts
from . import hooks, seat_page
from . import my_stats as my_stats
from .letter_facts import HandFacts, HistoryFacts, RecordFacts
from .records import deal_text, proof, record_text
from .replay import course

#: how it is remembered that somebody was told to give several orders at once (part and name of a lesson)
_SEVERAL = "several"
#: this many events a page of history has where nobody said how many
_PAGE = 20

#: what is told with its moment on a page of history: what was decided
DATED = frozenset(
    {
        "proposed",
        "voted",
        "seconded",
        "withdrawn",
        "carried",
        "refused",
        "lapsed",
        "paused",
        "unpaused",
        "extended",
        "seat_offered",
        "kicked",
        "departed",
        "renamed",
        "rewound",
        "processed",
        "looked",
        "miss_forgiven",
        "gathers_anew",
        "book_restored",
        "ruling",
    }
)


@letter(
    PromptFacts,
    LetterTraits(
        asks=True,
        puts=True,
        urgent=True,
        must_arrive=True,
        entries="question",
        on_page=True,
        picture="question",
        unasked=UnsolicitedDelivery("turns"),
        defaults={"echo": [], "trouble": None},
    ),
)
def prompt(ctx: LetterContext) -> Draft | None:
    """What happened, what the seat sees, and what it is asked."""
    game, seat = ctx.game, reader(ctx)
    if game is None or seat is None:
        return Draft() if game is None else None
    revised = rewritten(ctx)
    before = Notes() if revised is None else notes(revised)
    since = seat.told if revised is None else before.since or NO_EVENT
    if hooks.guided(seat):
        since = seat.told  # a whole game goes through one message: what was read makes room
    same = revised is not None and revised.question == game.question
    brought = before.taught if same else []
    page = seat_page.prompt(ctx, game, seat, since, brought)
    if page is None:
        return None
    edits = "" if revised is None else revised.wire_id
    hinted = ((_SEVERAL, _SEVERAL),) if page.get("several") else ()
    return _asking({**page, "edited": bool(edits)}, since)._replace(
        edits=edits, upto=game.event_no, lessons=(*page.get("lessons", ()), *hinted)
    )


@letter(HandFacts, LetterTraits(entries="question", on_page=True, picture="seat"))
def hand(ctx: LetterContext) -> Draft | None:
    """The seat's own cards."""
    return seat_prompt(ctx)


def seat_prompt(ctx: LetterContext) -> Draft | None:
    """What the seat sees and is asked; None where that is pointless by now."""
    game, seat = ctx.game, reader(ctx)
    if game is None or seat is None:
        return Draft() if game is None else None
    page = seat_page.seat_facts(ctx, game, seat.told)
    return None if page is None else _asking(page, seat.told)


def _asking(page: dict[str, Any], since: EventNo) -> Draft:
    question = NO_QUESTION if page["ask"] is None else page["ask"]["number"]
    return Draft(page, offered(page), since=since, question=question)


def reader(ctx: LetterContext) -> Seat | None:
    """The seat that a letter is for; None where somebody else sits there now."""
    row = ctx.row
    if ctx.game is None or row.seat is None:
        return None
    seat = next((one for one in ctx.seats if one.no == row.seat), None)  # a table that gathers may have fewer
    return seat if seat is not None and row.person_id in (None, seat.person_id) else None


@letter(
    OverFacts,
    LetterTraits(
        urgent=True, must_arrive=True, linked=True, picture="position", unasked=UnsolicitedDelivery("turns")
    ),
)
def over(ctx: LetterContext) -> Draft:
    """How a game ended."""
    game, no = ctx.game, ctx.row.seat
    if game is None:
        return Draft()
    teaching = "" if no is None else hooks.taught(ctx.seats[no])
    if no is None:
        return Draft({**final_facts(ctx, game), "teaching": teaching})
    offers = [one for some in hooks.offered_after(ctx, game) for one in some]
    said = {**final_facts(ctx, game), "teaching": teaching, "offered": [phrase for phrase, _ in offers]}
    return Draft(said, button_rows(ctx, offers), upto=game.event_no)


def final_facts(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """The final score, and what the reader's seat has not been told yet."""
    view, me = rules.view(ctx.states.of(game), None), ctx.context["me"]
    seat = ctx.seats[me["seat"]] if me else None
    events = [] if seat is None else ctx.tx.events_since(game, seat.told, seat.no)
    return {
        "view": view,
        "result": view["result"],
        "seed": game.seed,
        "seed_hash": game.seed_hash,
        "names": names(ctx.seats),
        "words": [one.word for one in ctx.seats],
        "proof": proof(ctx.tx, ctx.states, ctx.now_ms, game),
        "events": [{"name": e.name, "facts": json.loads(e.facts), "no": e.no} for e in events],
    }


@letter(HistoryFacts, LetterTraits(picture="course"))
def history(ctx: LetterContext) -> Draft:
    """What happened publicly, the newest last.

    Orders of the selection phase are secret, so events are told.
    """
    game = ctx.game
    if game is None:
        return Draft()
    most = ctx.read(HistoryFacts).count or _PAGE
    last = ctx.tx.events_since(game, NO_EVENT, None)[-most:]
    events = [
        {
            "name": e.name,
            "facts": json.loads(e.facts),
            "no": e.no,
            **({"at_ms": e.at_ms} if e.name in DATED else {}),
        }
        for e in last
    ]
    return Draft({"events": events, "names": names(ctx.seats), "rounds": course(ctx, game)})


@letter(RecordFacts)
def record(ctx: LetterContext) -> Draft:
    """A game's record, or that of one deal of it."""
    if ctx.game is None:
        return Draft()
    tx, number, deal = ctx.tx, ctx.game.id, ctx.read(RecordFacts).deal
    text = deal_text(tx, number, deal) if deal else record_text(tx, number)
    if not ctx.files or ctx.markup == "mail":  # a mail is a file itself
        return Draft({"record": text.split("\n")})
    name = f"citadels-{number}-{deal}.txt" if deal else f"citadels-{number}.txt"
    file = Attachment(name, "text/plain; charset=utf-8", text.encode())
    return Draft({"record": [], "file": name}, attachments=(file,))
