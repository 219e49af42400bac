"""The letters of a game that is played: the question, the hand, what happened, how it ended, its record."""

from __future__ import annotations

import json
from typing import Any

from referee import rules
from referee.store import Game, Seat

from ..core.composing import Draft, Occasion, rewritten
from ..core.letter_buttons import offered, worded
from ..core.letters import Traits, Unasked, letter
from ..core.unit_of_work import names
from ..people.letter_facts import PromptFacts
from . import hooks, seat_page
from .records import deal_text, proof, record_text
from .replay import course

#: so many events a page of history has where nobody said how many
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
    Traits(
        asks=True,
        puts=True,
        urgent=True,
        must_arrive=True,
        entries="question",
        on_page=True,
        picture="question",
        unasked=Unasked("turns"),
        defaults={"echo": [], "trouble": None},
    ),
)
def prompt(occasion: Occasion) -> Draft | None:
    """What happened, what the seat sees, and what it is asked."""
    game, seat = occasion.game, reader(occasion)
    if game is None or seat is None:
        return Draft() if game is None else None
    revised = rewritten(occasion)
    before = {} if revised is None else json.loads(revised.data)
    since = seat.told if revised is None else int(before.get("since", 0))
    if hooks.guided(seat):
        since = seat.told  # a whole game goes through one message: what was read makes room
    same = revised is not None and revised.question == game.question
    brought = [tuple(one) for one in before.get("taught", ())] if same else []
    page = seat_page.prompt(occasion, game, seat, since, brought)
    if page is None:
        return None
    edits = "" if revised is None else revised.wire_id
    return _asking({**page, "edited": bool(edits)}, since)._replace(
        edits=edits, upto=game.event_no, lessons=tuple(page.get("lessons", ()))
    )


@letter("hand", Traits(entries="question", on_page=True, picture="seat"))
def hand(occasion: Occasion) -> Draft | None:
    """The seat's own cards."""
    return shown(occasion)


def shown(occasion: Occasion) -> Draft | None:
    """What the seat sees and is asked; None where that is pointless by now."""
    game, seat = occasion.game, reader(occasion)
    if game is None or seat is None:
        return Draft() if game is None else None
    page = seat_page.shown(occasion, game, seat.told)
    return None if page is None else _asking(page, seat.told)


def _asking(page: dict[str, Any], since: int) -> Draft:
    question = 0 if page["ask"] is None else page["ask"]["number"]
    return Draft(page, offered(page), since=since, question=question)


def reader(occasion: Occasion) -> Seat | None:
    """The seat that a letter is for; None where somebody else sits there now."""
    row = occasion.row
    if occasion.game is None or row.seat is None:
        return None
    seat = occasion.seats[row.seat]
    return seat if row.person_id in (None, seat.person_id) else None


@letter(
    "over", Traits(urgent=True, must_arrive=True, linked=True, picture="position", unasked=Unasked("turns"))
)
def over(occasion: Occasion) -> Draft:
    """How a game ended."""
    game, no = occasion.game, occasion.row.seat
    if game is None:
        return Draft()
    teaching = "" if no is None else hooks.taught(occasion.seats[no])
    if no is None:
        return Draft({**ended(occasion, game), "teaching": teaching})
    offers = [one for some in hooks.offered_after(occasion, game) for one in some]
    said = {**ended(occasion, game), "teaching": teaching, "again": bool(offers)}
    return Draft(said, worded(occasion, offers), upto=game.event_no)


def ended(occasion: Occasion, game: Game) -> dict[str, Any]:
    """The final score, and what the reader's seat has not been told yet."""
    view, me = rules.view(occasion.states.of(game), None), occasion.context["me"]
    seat = occasion.seats[me["seat"]] if me else None
    events = [] if seat is None else occasion.tx.events_since(int(game.id or 0), seat.told, seat.no)
    return {
        "view": view,
        "result": view["result"],
        "seed": game.seed,
        "seed_hash": game.seed_hash,
        "names": names(occasion.seats),
        "words": [one.word for one in occasion.seats],
        "proof": proof(occasion.tx, occasion.states, occasion.now_ms, game),
        "events": [{"name": e.name, "facts": json.loads(e.facts), "no": e.no} for e in events],
    }


@letter("history", Traits(picture="course"))
def history(occasion: Occasion) -> Draft:
    """What happened publicly, the newest last.

    Orders of the selection phase are secret, so events are told.
    """
    game = occasion.game
    if game is None:
        return Draft()
    most = int(occasion.data.get("count") or _PAGE)
    last = occasion.tx.events_since(int(game.id or 0), 0, None)[-most:]
    events = [
        {
            "name": e.name,
            "facts": json.loads(e.facts),
            "no": e.no,
            **({"at_ms": e.at_ms} if e.name in DATED else {}),
        }
        for e in last
    ]
    return Draft({"events": events, "names": names(occasion.seats), "rounds": course(occasion, game)})


@letter("record")
def record(occasion: Occasion) -> Draft:
    """A game's record, or that of one deal of it."""
    if occasion.game is None:
        return Draft()
    tx, number, deal = occasion.tx, int(occasion.game.id or 0), occasion.data.get("deal")
    text = deal_text(tx, number, int(deal)) if deal else record_text(tx, number)
    return Draft({"record": text.split("\n")})
