"""What must hold: each field of `expect` becomes a comparison with a state.

A comparison gives the difference as a text, empty where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..facts import Move, Refusal, Seat
from ..flow.table import offered
from ..game import asks
from ..model import State
from ..notation import read_order
from ..rulebook import Rulebook
from ..setup import Setup
from .fields import ScenarioError, by_seat, mapping, of_table, one_or_more, only, strings, whole
from .position import seat_of

Comparison = Callable[[State], str]
PHASES = ("draft", "turns", "over")
PARTS = ("districts", "all_types", "first_complete", "complete", "unique")
TABLE = (
    "crown",
    "to_move",
    "legal",
    "illegal",
    "phase",
    "called",
    "faceup",
    "choices",
    "deck_bottom",
    "deck_size",
    "winner",
    "round",
)
SEAT = ("gold", "hand", "hand_size", "character", "city", "score", "points")


def comparisons(value: object, setup: Setup, rules: Rulebook) -> list[tuple[str, Comparison]]:
    """The comparisons of one `expect`, each with the name of its field."""
    fields = mapping(value, "expect")
    only(fields, (*TABLE, *of_table(rules), *setup.players), "expect")
    out: list[tuple[str, Comparison]] = []
    for field, wanted in fields.items():
        if field in setup.players:
            row = mapping(wanted, field)
            only(row, (*SEAT, *by_seat(rules)), field)
            seat = setup.players.index(field)
            out += [(f"{field}, {key}", _of_seat(key, seat, v, rules)) for key, v in row.items()]
        elif field in ("legal", "illegal"):
            out += _orders(field, mapping(wanted, field), setup)
        else:
            out.append((field, _of_table(field, wanted, setup, rules)))
    return out


def _same(wanted: object, found: Callable[[State], object]) -> Comparison:
    def compare(g: State) -> str:
        is_now = found(g)
        return "" if is_now == wanted else f"is {is_now}, not {wanted}"

    return compare


def _of_table(field: str, wanted: Any, setup: Setup, rules: Rulebook) -> Comparison:
    players = setup.players
    if field == "crown":
        return _same(players[seat_of(setup, wanted, field)], lambda g: players[g.crown])
    if field in ("to_move", "winner"):
        names = sorted(one_or_more(wanted if wanted is not None else [], field, players))
        if field == "winner":
            return _same(names, lambda g: sorted(players[s] for s in (g.result or {}).get("winners", ())))
        return _same(names, lambda g: sorted(players[a.seat] for a in asks(g)))
    if field == "phase":
        if wanted not in PHASES:
            raise ScenarioError(f"phase: one of {', '.join(PHASES)}")
        return _same(wanted, lambda g: g.phase)
    if field == "called":
        return _same(None if wanted is None else whole(wanted, field, 1), lambda g: g.called)
    if field == "faceup":
        return _same(sorted(strings(wanted, field, rules.characters)), lambda g: sorted(g.faceup))
    if field == "choices":
        return _same(sorted(strings(wanted, field, rules.characters)), _choices)
    if field == "deck_bottom":
        cards = strings(wanted, field, rules.districts)
        return _same(cards, lambda g: g.names(g.deck)[len(g.deck) - len(cards) :] if cards else [])
    if field == "deck_size":
        return _same(whole(wanted, field), lambda g: len(g.deck))
    if field == "round":
        return _same(whole(wanted, field, 1), lambda g: g.round)
    return _same(wanted, lambda g: g.rules.fields[field].read(g, field, None))


def _choices(g: State) -> list[str]:
    return sorted(m.args[0] for a in asks(g) for m in a.moves if m.verb == "pick")


def _of_seat(field: str, seat: Seat, wanted: Any, rules: Rulebook) -> Comparison:
    if field == "gold":
        return _same(whole(wanted, field), lambda g: g.players[seat].gold)
    if field == "hand":
        return _same(
            sorted(strings(wanted, field, rules.districts)), lambda g: sorted(g.names(g.players[seat].hand))
        )
    if field == "hand_size":
        return _same(whole(wanted, field), lambda g: len(g.players[seat].hand))
    if field == "city":
        return _same(
            sorted(strings(wanted, field, rules.districts)), lambda g: sorted(g.names(g.players[seat].city))
        )
    if field == "character":
        return _same(
            sorted(one_or_more(wanted, field, rules.characters)), lambda g: sorted(g.players[seat].characters)
        )
    if field == "score":
        return _same(whole(wanted, field), lambda g: _row(g, seat).get("score", "open: the game is not over"))
    if field == "points":
        parts = mapping(wanted, field)
        only(parts, PARTS, field)
        for part, n in parts.items():
            whole(n, f"points, {part}")
        return _same(dict(parts), lambda g: {p: _row(g, seat).get("points", {}).get(p) for p in parts})
    cards = sorted(strings(wanted, field, rules.districts))  # what lies there, in any order
    return _same(cards, lambda g: sorted(g.rules.fields[field].read(g, field, seat)))


def _row(g: State, seat: Seat) -> Mapping[str, Any]:
    return g.result["scores"][seat] if g.result else {}


def _orders(field: str, wanted: Mapping[str, Any], setup: Setup) -> list[tuple[str, Comparison]]:
    out = []
    for name, orders in wanted.items():
        seat = seat_of(setup, name, field)
        for order in strings(orders, f"{field}, {name}"):
            out.append((f"{field}, {name}", _order(seat, order, legal=field == "legal")))
    return out


def _order(seat: Seat, order: str, *, legal: bool) -> Comparison:
    def compare(g: State) -> str:
        if may(g, seat, order) is legal:
            return ""
        return f"{order!r} is {'not ' if legal else ''}legal"

    return compare


def may(g: State, seat: Seat, order: str) -> bool:
    """Whether the seat is asked and that order is one of its answers."""
    if seat not in [a.seat for a in asks(g)]:
        return False
    try:
        move: Move = read_order(order, g.setup.players, g.rules)
    except Refusal:
        return False
    return offered(g, g.stack[-1], move) is not None
