"""What everybody may read of a table, as facts for a letter: the position, who sits in its lobby, its cards,
a seat that is offered.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from referee import rules
from referee.store import Address, Deadline, Game, Outbox, Person, Seat

from ..core import tokens
from ..core.unit_of_work import drawn_for, settings_of
from ..people import officials
from ..play import seat_offers

if TYPE_CHECKING:
    from ..outbound.compose import Desk

_RECENT = 8


def public(desk: Desk, game: Game, context: dict[str, Any]) -> None:
    """Fill in what everybody may read."""
    if not game.snapshot:
        context |= {"view": None, "events": [], "due_ms": None, "waiting": []}
        return
    view = rules.view(desk.states.of(game), None)
    last = desk.tx.events_since(int(game.id or 0), max(0, game.event_no - 4 * _RECENT), None)
    due = desk.tx.one(Deadline, game_id=game.id, kind="answer", done_ms=0)
    context |= {
        "view": view,
        "events": [{"name": e.name, "facts": json.loads(e.facts), "no": e.no} for e in last][-_RECENT:],
        "due_ms": None if due is None else due.due_ms,
        "waiting": [view["players"][w["seat"]]["name"] for w in view["waiting"]],
        "names": [p["name"] for p in view["players"]],
    }


def lobby(desk: Desk, row: Outbox, game: Game, seats: list[Seat], context: dict[str, Any]) -> None:
    """Fill in who sits at a table that has not begun."""
    table = settings_of(game)
    creator = desk.tx.get(Person, game.creator_id)
    me = context["me"]["seat"] if context["me"] else None
    context |= {
        "seats": [
            {"no": s.no + 1, "name": s.name, "bot": s.bot, "ready": bool(s.ready), "me": s.no == me}
            for s in seats
        ],
        "wanted": table["seats"],
        "creator": "" if creator is None else creator.name,
        "seed_hash": game.seed_hash,
        **cards(game, table),
        "entry": table["entry"],
        "talk": table.get("talk", "open"),
        "options": table["options"],
        "invitation": table.get("code", "") if me is not None else "",
        "host": officials.same(desk.tx, row.person_id, game.creator_id),
        "missing_private": [
            s.name for s in seats if s.person_id is not None and not reachable(desk, s.person_id)
        ],
    }


def seat_offer(
    desk: Desk, row: Outbox, game: Game, seats: list[Seat], context: dict[str, Any], no: int
) -> bool:
    """Fill in what somebody may know who is asked to take a seat: what everybody knows, and until when.

    False where it is not theirs to take any more.
    """
    asked = seat_offers.open_offer(desk.tx, game, no)
    person = None if row.person_id is None else desk.tx.get(Person, row.person_id)
    if asked is None or person is None or asked.person_id != person.id or game.status != "running":
        return False
    public(desk, game, context)
    tag = context["game"]["tag"]
    choices = (("take-seat", f"join {tag}"), ("leave-seat", f"alternate no {tag}"))
    context |= {
        "name": seats[no].name,
        "due_ms": seat_offers.due_ms(game, person, asked.asked_ms),
        "events": [],
        "options": [
            {
                "n": n,
                "order": order,
                "label": desk.words.phrase(f"button-{phrase}", context["language"]),
                "mailto": desk.words.mailto(order),
                "key": tokens.button(desk.key, int(row.id or 0), n),
            }
            for n, (phrase, order) in enumerate(choices, 1)
        ],
    }
    return True


def cards(game: Game, table: dict[str, Any]) -> dict[str, Any]:
    """The cast of a table with so many players as it waits for, and its unique districts; nothing where no
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


def reachable(desk: Desk, person_id: int) -> bool:
    """Whether a person has been heard in private, or can be written to all the same."""
    return any(
        a.state == "green" or (a.state == "new" and a.channel not in desk.settings.shy)
        for a in desk.tx.all(Address, person_id=person_id)
    )
