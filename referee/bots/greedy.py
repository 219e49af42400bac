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
from ..rules.facts import BEAUTIFIED, Move
from ..rules.seams import District
from .answers import families, moves

View = Mapping[str, Any]
#: costs nothing and always brings something
FREE = ("bonus", "draw", "income", "favor", "collect", "sail", "tithe", "study", "spy")


def choose(view: View, rng: Random) -> Move:
    """An answer to the view's open question."""
    offered: dict[str, list[Move]] = {}
    for move in moves(view):
        offered.setdefault(move.verb, []).append(move)
    answer = ANSWERS.get(view["ask"]["kind"], _any)(view, offered, rng)
    return answer or _any(view, offered, rng) or rng.choice(_family_moves(view, rng))


def _any(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    every = [move for found in offered.values() for move in found]
    return rng.choice(every) if every else None


def _family_moves(view: View, rng: Random) -> list[Move]:
    """One move of each choice of cards."""
    return [f.move(tuple(rng.sample(f.cards, f.least))) for f in families(view)]


@lru_cache(maxsize=8)
def _districts(edition: str) -> Mapping[str, District]:
    return {d.name: d for d, _ in EDITIONS[edition].districts}


def _cost(view: View, name: str) -> int:
    """What the card of that name costs; orders may call it "Market beautified"."""
    return _districts(view["edition"])[name.removesuffix(BEAUTIFIED)].cost


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
        "Assassin": 0.8,
        "Thief": max(p["gold"] for p in others) / 3,
        "Magician": (max(p["hand_size"] for p in others) - len(hand)) / 2,
        "King": 0.7 + types.count("noble"),
        "Bishop": 0.3 + types.count("religious"),
        "Merchant": 1.2 + types.count("trade"),
        "Warlord": 0.4 + types.count("military"),
        "Architect": 1.2 + (1.5 if me["gold"] >= 4 and len(_wanted(view)) >= 2 else 0),
        "Patrician": 0.7 + types.count("noble"),
        "Emperor": 0.5 + types.count("noble"),
        "Abbot": 0.6 + types.count("religious"),
        "Cardinal": 0.3 + types.count("religious"),
        "Trader": 0.5 + types.count("trade"),
        "Alchemist": 1.5 if _wanted(view) else 0.3,
        "Navigator": 1.5,
        "Scholar": 1.1,
        "Diplomat": 0.3 + types.count("military"),
        "Marshal": 0.6 + types.count("military"),
        "Queen": 1.0,
        "Wizard": 0.9,
        "Seer": 0.6,
        "Spy": 0.8,
        "Witch": 0.3,
    }
    picks = offered.get("pick", [])
    return max(picks, key=lambda m: worth.get(m.args[0], 0.5) + rng.random(), default=None)


def _keep(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    standing = {d["name"] for d in _me(view)["city"]}

    def worth(move: Move) -> tuple[bool, int]:
        name = move.args[0] if isinstance(move.args[0], str) else move.args[0][0]
        return name not in standing and name not in view["hand"], _cost(view, name)

    return max(offered.get("keep", []), key=worth, default=None)


def _graveyard(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    worth_it = _cost(view, view["destroyed"]) >= 3
    return Move("buy" if worth_it else "pass")


def _turn(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    for verb in FREE:
        if verb in offered:
            return offered[verb][-1 if verb == "sail" and not _wanted(view) else 0]
    if "gold" in offered:
        return _gather(view)
    if "build" in offered:
        return max(offered["build"], key=lambda m: (_cost(view, m.args[0]), -len(m.args)))
    end = offered.get("end", [None])[0]
    return _trouble(view, offered, rng) or _works(view, offered) or _marks(view, rng) or end


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
    if "peek" in offered:
        return max(offered["peek"], key=lambda m: view["players"][m.args[0]]["hand_size"])
    cheap = [
        m
        for m in (*offered.get("destroy", ()), *offered.get("seize", ()))
        if m.args[0] != view["you"]
        and (m.verb == "seize" or _cost(view, m.args[1]) <= 2)
        and len(view["players"][m.args[0]]["city"]) >= len(me["city"])
    ]
    return max(cheap, key=lambda m: view["players"][m.args[0]]["points"], default=None)


def _marks(view: View, rng: Random) -> Move | None:
    """Markers and coins are laid out where there is something to lay them for."""
    rich = _me(view)["gold"] >= 4
    for family in families(view):
        if family.verb in ("warrant", "threaten") or (family.verb == "beautify" and rich):
            return family.move(tuple(rng.sample(family.cards, family.least)))
    return None


def _works(view: View, offered: Mapping[str, list[Move]]) -> Move | None:
    """The own city's workshops: cards that can't be built for gold, spare gold for cards."""
    wanted = _wanted(view)
    for move in offered.get("laboratory", ()):
        if move.args[0] not in wanted or view["hand"].count(move.args[0]) > 1:
            return move
    for move in offered.get("museum", ()):
        if move.args[0] not in wanted or view["hand"].count(move.args[0]) > 1:
            return move
    if "smithy" in offered and not wanted and _me(view)["gold"] >= 4:
        return Move("smithy")
    return None


def _gift(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    """The cheapest card goes back."""
    return min(offered.get("give", []), key=lambda m: _cost(view, m.args[0]), default=None)


def _seen(view: View, offered: Mapping[str, list[Move]], rng: Random) -> Move | None:
    """Of a hand that was looked at, the dearest card, built at once where that can be."""
    every = [*offered.get("build", []), *offered.get("take", [])]
    return max(every, key=lambda m: (m.verb == "build", _cost(view, m.args[0])), default=None)


def _yes(*verbs: str) -> Callable[[View, Mapping[str, list[Move]], Random], Move | None]:
    """The first of these orders that may be given."""
    return lambda view, offered, rng: next((offered[v][0] for v in verbs if v in offered), None)


ANSWERS: Mapping[str, Callable[[View, Mapping[str, list[Move]], Random], Move | None]] = {
    "pick": _pick,
    "keep": _keep,
    "study": _keep,
    "lighthouse": _keep,
    "graveyard": _graveyard,
    "turn": _turn,
    "seer": _gift,
    "wizard": _seen,
    "threat": _yes("bribe"),
    "reveal": _yes("reveal"),
    "warrant": _yes("confiscate", "pass"),
    "hospital": _yes("gold"),
    "theater": _yes("pass"),
}
