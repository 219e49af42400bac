"""What everybody may read of a table, as facts for a letter: the position, who sits in its lobby, its cards,
a seat that is offered.
"""

from __future__ import annotations

import json
from typing import Any

from referee import rules
from referee.ids import EventNo, PersonId, SeatNo
from referee.states import AddressState, DeadlineKind, GameStatus
from referee.store import Address, Deadline, Game, Person, Tx

from ..core.composing import ComposeContext, LetterContext
from ..core.letter_buttons import keyed
from ..core.settings import ServiceSettings
from ..core.table_settings import TableSettings
from ..core.unit_of_work import drawn_for, settings_of
from ..people import officials
from ..play import seat_offers

_RECENT = 8


def board_facts(composing: ComposeContext, game: Game) -> dict[str, Any]:
    """The position and the last events."""
    if not game.snapshot:
        return {"view": None, "events": [], "due_ms": None, "waiting": []}
    view = rules.view(composing.states.of(game), None)
    last = composing.tx.events_since(game, EventNo(max(0, game.event_no - 4 * _RECENT)), None)
    due = composing.tx.one(Deadline, game_id=game.id, kind=DeadlineKind.ANSWER, done_ms=0)
    return {
        "view": view,
        "events": [{"name": e.name, "facts": json.loads(e.facts), "no": e.no} for e in last][-_RECENT:],
        "due_ms": None if due is None else due.due_ms,
        "waiting": [view["players"][w["seat"]]["name"] for w in view["waiting"]],
        "names": [p["name"] for p in view["players"]],
    }


def lobby(ctx: LetterContext, game: Game) -> dict[str, Any]:
    """Who sits at a table that has not begun."""
    context, seats = ctx.context, ctx.seats
    table = settings_of(game)
    creator = ctx.tx.get(Person, game.creator_id)
    me = context["me"]["seat"] if context["me"] else None
    return {
        "seats": [
            {"no": s.no + 1, "name": s.name, "bot": s.bot, "ready": bool(s.ready), "me": s.no == me}
            for s in seats
        ],
        "wanted": table["seats"],
        "creator": "" if creator is None else creator.name,
        "seed_hash": game.seed_hash,
        **cast_of_table(game, table),
        "entry": table["entry"],
        "talk": table.get("talk", "open"),
        "options": table["options"],
        "invitation": table.get("code", "") if me is not None else "",
        "host": officials.same(ctx.tx, ctx.row.person_id, game.creator_id),
        "missing_private": [
            s.name
            for s in seats
            if s.person_id is not None and not reachable(ctx.tx, ctx.settings, s.person_id)
        ],
    }


def seat_offer(ctx: LetterContext, game: Game, no: SeatNo) -> dict[str, Any] | None:
    """What somebody may know who is asked to take a seat: what everybody knows, and until when.

    None where it is not theirs to take any more.
    """
    person, words = ctx.person, ctx.words
    asked = seat_offers.open_offer(ctx.tx, game, no)
    if asked is None or person is None or asked.person_id != person.id or game.status != GameStatus.RUNNING:
        return None
    choices = (("take-seat", f"join #{game.id}"), ("leave-seat", f"alternate no #{game.id}"))
    options = [
        {
            "n": n,
            "order": order,
            "label": words.phrase(f"button-{phrase}", ctx.language),
            "mailto": words.mailto(order),
        }
        for n, (phrase, order) in enumerate(choices, 1)
    ]
    return {
        **board_facts(ctx, game),
        "name": ctx.seats[no].name,
        "due_ms": seat_offers.due_ms(game, person, asked.asked_ms),
        "events": [],
        "options": keyed(ctx, options),
    }


def cast_of_table(game: Game, table: TableSettings) -> dict[str, Any]:
    """The cast of a table with that many players as it waits for, and its unique districts; nothing where no
    other are in the box.
    """
    try:
        drawn = drawn_for(game, table["seats"])
    except rules.SetupError:  # cards of an edition that this version does not know any more
        return {}
    if len(rules.EDITIONS[game.edition].characters) == len(rules.EDITIONS[game.edition].cast):
        return {}
    book = rules.rulebook(
        rules.Setup(
            game.edition,
            tuple(f"P{n + 1}" for n in range(table["seats"])),
            cast=drawn.cast,
            uniques=drawn.uniques,
        )
    )
    return {
        "cast": list(book.cast),
        "uniques": sorted(book.uniques),
        "choice": table.get("choice", {}),
        "instead": [list(pair) for pair in drawn.instead],
    }


def reachable(tx: Tx, settings: ServiceSettings, person_id: PersonId) -> bool:
    """Whether a person has been heard in private, or can be written to all the same."""
    return any(usable(settings, one) for one in tx.all(Address, person_id=person_id))


def usable(settings: ServiceSettings, one: Address) -> bool:
    """Whether an address has been heard in private, or can be written to all the same."""
    return one.state == AddressState.GREEN or (
        one.state == AddressState.NEW and one.channel not in settings.shy
    )
