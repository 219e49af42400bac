"""What a seat may know.

Default-deny: everything shown is named here or by the frame that asks; nothing is taken
out of the state by leaving the rest away.  All values are JSON values.
"""

from __future__ import annotations

from typing import Any

from .facts import Family, Seat
from .flow.draft import Draft
from .flow.scoring import points
from .flow.standing import cost_of
from .game import asks
from .model import State


def view(state: State, seat: Seat | None) -> dict[str, Any]:
    """The table as that seat sees it; None: as the public sees it.

    edition, round, phase, crown, called, deck (cards in it), faceup, complete_at, waiting [{seat, kind,
    number}], players [{seat, name, gold, hand_size, city [{name, cost, type, raised (gold on it)}], revealed,
    complete, points}], you, hand, characters, the marks of cards (killed, robbed); and where they apply:
    picking, drawn, destroyed, ask {kind, number, moves [[verb, [args]]], families [[verb, [cards], least,
    most, [arguments before], ordered]], figures [[gold, cards, kept, price] of each move]}, result {reason,
    scores, winners}.
    """
    open_asks = asks(state)
    me = state.players[seat] if seat is not None else None
    seen: dict[str, Any] = {
        "edition": state.setup.edition,
        "round": state.round,
        "phase": state.phase,
        "crown": state.crown,
        "called": state.called,
        "deck": len(state.deck),
        "faceup": list(state.faceup),
        "complete_at": state.goal,
        "waiting": [{"seat": a.seat, "kind": a.kind, "number": a.number} for a in open_asks],
        "players": [_player(state, other) for other in range(len(state.players))],
        "you": seat,
        "hand": state.names(me.hand) if me else [],
        "characters": list(me.characters) if me else [],
    }
    for card in state.rules.on["marks"]:
        seen.update(card.marks(state, seat))
    for ask in open_asks:
        if ask.seat == seat:
            seen.update(state.stack[-1].shows(state))
            seen["ask"] = {
                "kind": ask.kind,
                "number": ask.number,
                "moves": [[m.verb, _plain(m.args)] for m in ask.moves],
                "families": [_family(f) for f in ask.families],
                "figures": [list(state.stack[-1].figures(state, m)) for m in ask.moves],
            }
    if state.result is not None:
        seen["result"] = _plain(state.result)
    return seen


def still_picking(g: State) -> tuple[Seat, ...]:
    """The seats that are asked before this selection of characters is over, in order; () at other times.

    Everybody knows that order.
    """
    frame = g.stack[-1] if g.stack else None
    return frame.still_asked(g) if isinstance(frame, Draft) else ()


def whereabouts(state: State) -> tuple[int, str, int | None]:
    """Round, phase and rank called, as everybody sees them."""
    return state.round, state.phase, state.called


def _family(f: Family) -> list[Any]:
    return [f.verb, list(f.cards), f.least, f.most, _plain(f.before), f.ordered]


def _player(state: State, seat: Seat) -> dict[str, Any]:
    player = state.players[seat]
    return {
        "seat": seat,
        "name": state.setup.players[seat],
        "gold": player.gold,
        "hand_size": len(player.hand),
        "city": [_district(state, n) for n in player.city],
        "revealed": list(player.revealed),
        "complete": seat in state.completed,
        "points": sum(points(state, seat, public=True).values()),
    }


def _district(state: State, number: int) -> dict[str, Any]:
    """A standing district, with what it costs there; one that was raised says so."""
    district, cost = state.cards[number], cost_of(state, number)
    shown: dict[str, Any] = {"name": district.name, "cost": cost, "type": district.type}
    if cost > district.cost:
        shown["raised"] = cost - district.cost
    return shown


def _plain(value: Any) -> Any:
    """JSON values only: lists for tuples, a fresh copy."""
    if isinstance(value, dict):
        return {key: _plain(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value
