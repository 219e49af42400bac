"""A player who wants the dearest city soon, and does not think further.

Picks the character that pays most now, takes what is free, gathers what is short, builds
the dearest district it can pay, and hurts the leader when that costs next to nothing.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from ..rules.editions import EDITIONS
from ..rules.facts import Move
from ..rules.seams import District
from .answers import families, moves

View = Mapping[str, Any]
FREE = ("bonus", "draw", "income")


def choose(view: View, rng: Random) -> Move:
    """An answer to the view's open question."""
    offered: dict[str, list[Move]] = {}
    for move in moves(view):
        offered.setdefault(move.verb, []).append(move)
    answer = ANSWERS.get(view["ask"]["kind"], _any)(view, offered, rng)
    return answer or _any(view, offered, rng) or rng.choice(_family_moves(view))


def _any(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    every = [move for found in offered.values() for move in found]
    return rng.choice(every) if every else None


def _family_moves(view: View) -> list[Move]:
    return [f.move(f.cards[: f.least]) for f in families(view)]


@lru_cache(maxsize=8)
def _districts(edition: str) -> Mapping[str, District]:
    return {d.name: d for d, _ in EDITIONS[edition].districts}


def _cost(view: View, name: str) -> int:
    return _districts(view["edition"])[name].cost


def _me(view: View) -> Mapping[str, Any]:
    found: Mapping[str, Any] = view["players"][view["you"]]
    return found


def _wanted(view: View) -> list[str]:
    """Hand cards whose name does not stand in the own city."""
    standing = {d["name"] for d in _me(view)["city"]}
    return [name for name in view["hand"] if name not in standing]


def _pick(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    me, hand = _me(view), view["hand"]
    types = [d["type"] for d in me["city"]]
    others = [p for p in view["players"] if p["seat"] != view["you"]]
    worth = {
        "Assassin": 0.8, "Thief": max(p["gold"] for p in others) / 3,
        "Magician": (max(p["hand_size"] for p in others) - len(hand)) / 2,
        "King": 0.7 + types.count("noble"), "Bishop": 0.3 + types.count("religious"),
        "Merchant": 1.2 + types.count("trade"), "Warlord": 0.4 + types.count("military"),
        "Architect": 1.2 + (1.5 if me["gold"] >= 4 and len(_wanted(view)) >= 2 else 0),
    }
    picks = offered.get("pick", [])
    return max(picks, key=lambda m: worth.get(m.args[0], 0.5) + rng.random(), default=None)


def _keep(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    standing = {d["name"] for d in _me(view)["city"]}

    def worth(move: Move) -> tuple[bool, int]:
        name = move.args[0][0]
        return name not in standing and name not in view["hand"], _cost(view, name)

    return max(offered.get("keep", []), key=worth, default=None)


def _graveyard(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    worth_it = _cost(view, view["destroyed"]) >= 3
    return Move("buy" if worth_it else "pass")


def _turn(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    for verb in FREE:
        if verb in offered:
            return offered[verb][0]
    if "gold" in offered:
        return _gather(view)
    if "build" in offered:
        return max(offered["build"], key=lambda m: _cost(view, m.args[0]))
    return _trouble(view, offered, rng) or _works(view, offered) or Move("end")


def _gather(view: View) -> Move:
    me, wanted = _me(view), _wanted(view)
    dear = max((_cost(view, name) for name in wanted), default=0)
    if view["deck"] and (not wanted or (len(wanted) < 2 and me["gold"] >= dear)):
        return Move("cards")
    return Move("gold")


def _trouble(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    """What hurts somebody else, where it is nearly free."""
    for verb in ("kill", "rob"):
        if verb in offered:
            hidden = [m for m in offered[verb] if m.args[0] not in view["faceup"]]
            return rng.choice(hidden or offered[verb])
    me = _me(view)
    if "swap" in offered:
        most = max(offered["swap"], key=lambda m: view["players"][m.args[0]]["hand_size"])
        if view["players"][most.args[0]]["hand_size"] > len(view["hand"]) + 1:
            return most
    cheap = [
        m for m in offered.get("destroy", ())
        if m.args[0] != view["you"] and _cost(view, m.args[1]) <= 2
        and len(view["players"][m.args[0]]["city"]) >= len(me["city"])
    ]
    return max(cheap, key=lambda m: view["players"][m.args[0]]["points"], default=None)


def _works(view: View, offered: Mapping[str, list[Move]]) -> Move | None:
    """The own city's workshops: cards that can't be built for gold, spare gold for cards."""
    wanted = _wanted(view)
    for move in offered.get("laboratory", ()):
        if move.args[0] not in wanted or view["hand"].count(move.args[0]) > 1:
            return move
    if "smithy" in offered and not wanted and _me(view)["gold"] >= 4:
        return Move("smithy")
    return None


ANSWERS: Mapping[str, Callable[[View, Mapping[str, list[Move]], Random], Move | None]] = {
    "pick": _pick, "keep": _keep, "graveyard": _graveyard, "turn": _turn,
}
