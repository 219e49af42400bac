"""A player who wants the dearest city soon, and does not think further.

Picks the character that pays most now, takes what is free, gathers what is short, builds
the dearest district it can pay, and hurts the leader when that costs next to nothing.
What a card is good for stands beside the card (`Appeal`, `Use`, `Reply` of rules/declared.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from random import Random
from typing import Any

from ..rules.catalog import declared
from ..rules.declared import Appeal, Reply, Use
from ..rules.editions import EDITIONS
from ..rules.facts import BEAUTIFIED, Move
from ..rules.seams import District
from .answers import families, moves

View = Mapping[str, Any]
Offered = Mapping[str, list[Move]]
Answering = Callable[[View, Offered, Random], Move | None]
#: character -> what it is worth to pick
_APPEALS: Mapping[str, Appeal] = {card.name: one for card, one in declared(Appeal)}
_NO_APPEAL = Appeal()
#: so much gold is much
_RICH = 4


def _uses(*how: str) -> Mapping[str, Use]:
    """The orders that are used in these ways, by verb."""
    return {one.verb: one for _, one in declared(Use) if one.how in how}


#: costs nothing and always brings something
_TAKEN = _uses("take", "take last")
_STRIKES, _RAIDS, _MARKS = _uses("strike"), _uses("raid"), _uses("mark")
_HANDS, _LOOKS = _uses("hands"), _uses("look")
_SPARE_CARDS, _SPARE_GOLD = _uses("spare card"), _uses("spare gold")


def choose(view: View, rng: Random) -> Move:
    """An answer to the view's open question."""
    offered: dict[str, list[Move]] = {}
    for move in moves(view):
        offered.setdefault(move.verb, []).append(move)
    answer = ANSWERS.get(view["ask"]["kind"], _any)(view, offered, rng)
    return answer or _any(view, offered, rng) or rng.choice(_family_moves(view, rng))


def _any(view: View, offered: Offered, rng: Random) -> Move | None:
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


def _pick(view: View, offered: Offered, rng: Random) -> Move | None:
    worth = {move.args[0]: _appeal(move.args[0], view) for move in offered.get("pick", [])}
    return max(offered.get("pick", []), key=lambda m: worth[m.args[0]] + rng.random(), default=None)


def _appeal(character: str, view: View) -> float:
    """What it is worth to be that character now."""
    appeal = _APPEALS.get(character, _NO_APPEAL)
    me = _me(view)
    others = [p for p in view["players"] if p["seat"] != view["you"]]
    worth = appeal.base if appeal.idle is None or _wanted(view) else appeal.idle
    if appeal.type:
        worth += [d["type"] for d in me["city"]].count(appeal.type)
    if appeal.purse:
        worth += max(p["gold"] for p in others) / appeal.purse
    if appeal.hands:
        worth += (max(p["hand_size"] for p in others) - len(view["hand"])) / appeal.hands
    if appeal.builds and me["gold"] >= _RICH and len(_wanted(view)) >= 2:
        worth += appeal.builds
    return worth


def _keep(view: View, offered: Offered, rng: Random) -> Move | None:
    standing = {d["name"] for d in _me(view)["city"]}

    def worth(move: Move) -> tuple[bool, int]:
        name = move.args[0] if isinstance(move.args[0], str) else move.args[0][0]
        return name not in standing and name not in view["hand"], _cost(view, name)

    return max(offered.get("keep", []), key=worth, default=None)


def _turn(view: View, offered: Offered, rng: Random) -> Move | None:
    for verb, use in _TAKEN.items():
        if verb in offered:
            return offered[verb][-1 if use.how == "take last" and not _wanted(view) else 0]
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


def _trouble(view: View, offered: Offered, rng: Random) -> Move | None:
    """What hurts somebody else, where it is nearly free."""
    for verb in _STRIKES:
        if verb in offered:
            hidden = [m for m in offered[verb] if m.args[0] not in view["faceup"]]
            return rng.choice(hidden or offered[verb])
    for verb in (*_HANDS, *_LOOKS):
        if verb in offered:
            most = max(offered[verb], key=lambda m: view["players"][m.args[0]]["hand_size"])
            theirs = view["players"][most.args[0]]["hand_size"]
            if verb in _LOOKS or theirs > len(view["hand"]) + 1:
                return most
    cheap = [
        m
        for verb, use in _RAIDS.items()
        for m in offered.get(verb, ())
        if m.args[0] != view["you"]
        and (use.most is None or _cost(view, m.args[1]) <= use.most)
        and len(view["players"][m.args[0]]["city"]) >= len(_me(view)["city"])
    ]
    return max(cheap, key=lambda m: view["players"][m.args[0]]["points"], default=None)


def _marks(view: View, rng: Random) -> Move | None:
    """Markers and coins are laid out where there is something to lay them for; no bluff on one's own."""
    for family in families(view):
        use = _MARKS.get(family.verb)
        if use is not None and _me(view)["gold"] >= use.gold:
            others = tuple(name for name in family.cards if name not in view["characters"])
            cards = others if len(others) >= family.least else family.cards
            return family.move(tuple(rng.sample(cards, family.least)))
    return None


def _works(view: View, offered: Offered) -> Move | None:
    """The own city's workshops: cards that can't be built for gold, spare gold for cards."""
    wanted = _wanted(view)
    for verb in _SPARE_CARDS:
        for move in offered.get(verb, ()):
            if move.args[0] not in wanted or view["hand"].count(move.args[0]) > 1:
                return move
    for verb, use in _SPARE_GOLD.items():
        if verb in offered and not wanted and _me(view)["gold"] >= use.gold:
            return Move(verb)
    return None


def _gift(view: View, offered: Offered, rng: Random) -> Move | None:
    """The cheapest card goes back."""
    return min(offered.get("give", []), key=lambda m: _cost(view, m.args[0]), default=None)


def _seen(view: View, offered: Offered, rng: Random) -> Move | None:
    """Of a hand that was looked at, the dearest card, built at once where that can be."""
    every = [*offered.get("build", []), *offered.get("take", [])]
    return max(every, key=lambda m: (m.verb == "build", _cost(view, m.args[0])), default=None)


def _reply(reply: Reply) -> Answering:
    """How that question is answered."""
    if reply.how:
        return _HABITS[reply.how]
    if reply.cost is not None:
        dear, (yes, no) = reply.cost, reply.verbs
        return lambda view, offered, rng: Move(yes if _cost(view, view["destroyed"]) >= dear else no)
    return lambda view, offered, rng: next((offered[v][0] for v in reply.verbs if v in offered), None)


_HABITS: Mapping[str, Answering] = {"keep": _keep, "gift": _gift, "seen": _seen}
ANSWERS: Mapping[str, Answering] = {
    "pick": _pick,
    "keep": _keep,
    "turn": _turn,
    **{reply.kind: _reply(reply) for _, reply in declared(Reply)},
}
