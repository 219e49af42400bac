"""Looking at one table: as anybody may see it, with its clocks and letters; or, where it must be, at hidden
cards.

A look at hidden cards is an event of the table that stays for ever. Its players and rooms are told at once,
and by whom and why; it stands in the table's own settings, so that every page and letter about it can say so.
Anyone who plays there may not.
"""

from __future__ import annotations

import json
from typing import Any

from referee import rules
from referee.ids import EventNo, SeatNo
from referee.rules import Refusal
from referee.states import AddressState, GameStatus, OutboxState, ProposalState
from referee.store import Address, Deadline, Game, GameRoom, Outbox, Person, Proposal, Room, Seat

from ..core import outbox
from ..core.composing import ComposeContext
from ..core.letters import Facts, traits
from ..core.unit_of_work import UnitOfWork, json_text, settings_of, write_event
from ..deadlines import clock_state
from ..decisions import unseat
from ..people import officials, recusal, table_roles
from . import speaker
from .speaker import AdminRequest

#: what of a table's deadlines an admin is told; that a plan will answer is its player's secret
_SHOWN = ("answer", "remind", "vacation", "pause", "gather")
_EVENTS = 8


class LookedFacts(Facts):
    """Who saw hidden cards, whose (None: everybody's), and why; the names by seat."""

    kind = "looked"
    seat: SeatNo | None
    by: str
    of: int | None
    because: str
    names: list[str]


class LookFacts(Facts):
    """A table without its hidden cards: all that it says is looked up."""

    kind = "admin_look"


class HiddenFacts(Facts):
    """Whose hidden cards: of a seat, None: everybody's."""

    kind = "admin_hidden"
    of: int | None


def show_table(uow: UnitOfWork, asked: AdminRequest) -> None:
    """`admin look #17`, `admin look #17 hidden Ana because …`."""
    game = speaker.named_table(uow, asked)
    if asked.args["hidden"]:
        hidden(uow, asked, game)
    else:
        speaker.show(uow, asked, LookFacts(), game)


def hidden(uow: UnitOfWork, asked: AdminRequest, game: Game) -> None:
    """Show hidden cards, and tell everybody.

    Without a reason it is only asked whether that is meant. Raises Refusal.
    """
    if game.status not in (GameStatus.RUNNING, GameStatus.FROZEN):
        raise Refusal(
            "not-started" if game.status in (GameStatus.LOBBY, GameStatus.MUSTERING) else "game-over",
            game=game.id,
        )
    seats = uow.seats(game.id)
    if officials.key(uow, asked.speaker.person.id) in table_roles.playing(uow, game):
        raise Refusal("look-plays", game=game.id)
    whose = unseat.find_seat(uow, game, asked.args["player"]) if asked.args["player"] else None
    name = "" if whose is None else whose.name
    if not asked.args["because"]:
        speaker.answer_admin(uow, asked, "look-confirm", game=game.id, name=name)
        return
    facts = {
        "seat": None,
        "by": asked.name,
        "of": None if whose is None else whose.no,
        "because": asked.args["because"],
    }
    write_event(uow, game.id, EventNo(game.event_no + 1), "looked", facts)
    table = settings_of(game)
    looked = [*table.get("looked", ()), {**facts, "person": asked.speaker.person.id, "at_ms": uow.now_ms}]
    fresh = uow.tx.renew(
        Game, game, event_no=game.event_no + 1, settings=json_text({**table, "looked": looked})
    )
    speaker.log_admin_act(uow, asked, recusal.ACT, game=game.id, of=name, because=facts["because"])
    told = LookedFacts(
        seat=None,
        by=asked.name,
        of=facts["of"],
        because=facts["because"],
        names=[seat.name for seat in seats],
    )
    for seat in seats:
        outbox.to_seat(uow, fresh, seat, told, collapse="")
    outbox.to_rooms(uow, fresh, told)
    outbox.to_rooms(uow, fresh)
    speaker.show(uow, asked, HiddenFacts(of=facts["of"]), fresh)


def public_table(composing: ComposeContext, game: Game, seats: list[Seat]) -> dict[str, Any]:
    """What an admin sees of a table without a hidden card: the public view, its people, clocks, votes, rooms,
    and the letters that failed.
    """
    number = game.id
    table, policy = clock_state.read_clocks(game), clock_state.policy_of(game)
    creator = composing.tx.get(Person, game.creator_id)
    view = rules.view(composing.states.of(game), None) if game.snapshot else None
    last = composing.tx.events_since(game, EventNo(max(0, game.event_no - 4 * _EVENTS)), None)[-_EVENTS:]
    rings = composing.tx.all(Deadline, game_id=number, done_ms=0, order="due_ms")
    due = [row for row in rings if row.kind in _SHOWN]
    rooms = [composing.tx.get(Room, row.room_id) for row in composing.tx.all(GameRoom, game_id=number)]
    bad = composing.tx.all(
        Outbox, game_id=number, state=(OutboxState.FAILED, OutboxState.UNKNOWN), order="-id", limit=10
    )
    names = [seat.name for seat in seats]
    return {
        "view": view,
        "names": names,
        "events": [{"name": e.name, "facts": json.loads(e.facts), "no": e.no} for e in last],
        "about": {
            "creator": "" if creator is None else creator.name,
            "window": game.question if game.status == GameStatus.RUNNING else 0,
            "round": game.round,
            "created_ms": game.created_ms,
            "archived": bool(game.archived_ms),
            "misses_of": policy.probation_after,
        },
        "seated": [
            {
                "name": seat.name,
                "bot": seat.bot,
                "ready": bool(seat.ready),
                "addresses": _addresses(composing, seat),
                **_standing(table, seat),
            }
            for seat in seats
        ],
        "rings": [
            {
                "kind": row.kind,
                "name": names[row.seat] if 0 <= row.seat < len(names) else "",
                "due_ms": row.due_ms,
            }
            for row in due
        ],
        "votes": [
            {"number": row.id, "act": row.act, "due_ms": row.due_ms}
            for row in composing.tx.all(Proposal, game_id=number, state=ProposalState.OPEN, order="id")
        ],
        "rooms": [
            f"{room.channel}:{room.place}" + (f" ({room.name})" if room.name else "")
            for room in rooms
            if room is not None
        ],
        "bad": [letter(row) for row in bad],
        "looked": settings_of(game).get("looked", []),
    }


def hidden_cards(
    composing: ComposeContext, game: Game, seats: list[Seat], of: int | None
) -> dict[str, Any] | None:
    """Hands and characters as they lie now: of one seat, or of all.

    None where the table is no longer played at.
    """
    if game.status not in (GameStatus.RUNNING, GameStatus.FROZEN):
        return None
    state = composing.states.of(game)
    views = [(seat, rules.view(state, seat.no)) for seat in seats if of in (None, seat.no)]
    return {
        "names": [seat.name for seat in seats],
        "hands": [
            {"name": seat.name, "hand": list(view["hand"]), "characters": list(view["characters"])}
            for seat, view in views
        ],
    }


def letter(row: Outbox) -> dict[str, Any]:
    """A letter without its words."""
    return {
        "id": row.id,
        "kind": "" if traits(row.kind).private else row.kind,
        "state": row.state,
        "channel": row.channel,
        "to": row.address or row.place,
        "game": row.game_id,
        "tries": row.tries,
        "error": row.error,
        "at_ms": row.created_ms,
    }


def _addresses(composing: ComposeContext, seat: Seat) -> list[str]:
    if seat.person_id is None:
        return []
    return [
        f"{one.channel}:{one.address}"
        + (f" ({one.state})" if one.state not in (AddressState.GREEN, AddressState.NEW) else "")
        for one in composing.tx.all(Address, person_id=seat.person_id, order="id")
    ]


def _standing(table: clock_state.TableTime, seat: Seat) -> dict[str, Any]:
    one = table.seats.get(seat.no, clock_state.SeatTime())
    away = any(end >= clock_state.OPEN for _, end in one.vacations)
    return {
        "misses": one.misses,
        "probation": one.probation,
        "offered": one.offered,
        "away": away,
        "empty": seat.person_id is None and not seat.bot,
        "unreachable": any(end >= clock_state.OPEN for _, end in one.unreachable),
    }
