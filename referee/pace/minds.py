"""What simulated people say: orders and plans, chosen by a bot from what their seat may see.

`spoken` gives the orders of one message: as far as their player can foresee what comes of them, and the first
whose outcome nobody knows. `listed`, `scripts` and `standing` are the lines of a plan, in the words that a
person would type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from referee import rules
from referee.bots import Bot
from referee.ids import SeatNo
from referee.plans.cards import musts, powers_of, rank
from referee.plans.questions import FREE
from referee.rules import EDITIONS, Refusal
from referee.rules.catalog import declared
from referee.rules.declared import Habits, Use
from referee.rules.notation import order_text

View = Mapping[str, Any]
#: no message has more orders than that
_MOST = 12
#: own turn: the orders that name a character, and those that name a player for their cards
_STRIKES = frozenset(one.verb for _, one in declared(Use) if one.how == "strike")
_HANDS = frozenset(one.verb for _, one in declared(Use) if one.how == "hands")
_HABITS: Mapping[str, Habits] = {card.name: one for card, one in declared(Habits)}
_NO_HABITS = Habits()


def spoken(state: Any, seat: SeatNo, bot: Bot, rng: Random, names: Sequence[str]) -> str:
    """The orders of one message, "" where the seat is not asked.

    They are tried on a copy, which gives away nothing: each is chosen from the view before it, and after the
    first that reveals anything the message ends.
    """
    told: list[str] = []
    before = rules.whereabouts(state)
    while len(told) < _MOST:
        seen = rules.view(state, seat)
        if "ask" not in seen or rules.whereabouts(state) != before:
            break
        move = bot.choose(seen, rng)
        told.append(order_text(move, names))
        try:
            outcome = rules.play(state, seat, move)
        except Refusal:
            break  # the desk will say so, too
        state = outcome.state
        if not outcome.undoable:
            break
    return "; ".join(told)


def listed(view: View, bot: Bot, rng: Random, *, cast: Sequence[str]) -> str:
    """`prefer …`: all characters that may be passed, in the order in which the bot would take them from a
    full hand.
    """
    left = [name for name in cast if name not in view["faceup"] or view["phase"] != "draft"]
    ranked: list[str] = []
    while left:
        asked = {
            **view,
            "ask": {
                "kind": "pick",
                "number": 0,
                "moves": [["pick", [name]] for name in left],
                "families": [],
            },
        }
        ranked.append(str(bot.choose(asked, rng).args[0]))
        left.remove(ranked[-1])
    return f"prefer {', '.join(ranked)}"


def scripts(view: View, bot: Bot, rng: Random, *, whom: Sequence[str], cast: Sequence[str]) -> list[str]:
    """`when …:` for these characters: what each brings, gathered as the bot would, the dearest district that
    goes; those who do the same share a line.
    """
    gather = (
        bot.choose(
            {
                **view,
                "ask": {"kind": "turn", "number": 0, "moves": [["gold", []], ["cards", []]], "families": []},
            },
            rng,
        ).verb
        if view["deck"]
        else "gold"
    )
    told: dict[str, list[str]] = {}
    for name in whom:
        told.setdefault(_script(name, view, gather, rng, cast), []).append(name)
    return [f"when {' or '.join(names)}: {steps}" for steps, names in told.items()]


def _script(character: str, view: View, gather: str, rng: Random, cast: Sequence[str]) -> str:
    edition = view["edition"]
    others = [p for p in view["players"] if p["seat"] != view["you"]]
    rich = max(others, key=lambda p: (p["hand_size"], -p["seat"]))
    targets = [
        c for c in cast if rank(edition, c) > max(rank(edition, character), 2) and c not in view["faceup"]
    ]
    shapes = powers_of(character, edition)
    verbs = dict.fromkeys(shape.verb for shape in shapes)
    free = [f"try {verb}" for verb in verbs if verb in FREE]
    must = {s.verb for s in shapes if s.verb in musts(edition, character) and s.parts == ("<P>",)}
    aimed = []
    for verb in verbs:
        at_player = verb in must or (verb in _HANDS and rich["hand_size"] > len(view["hand"]) + 1)
        if at_player or (verb in _STRIKES and targets):
            named = rng.choice(targets) if targets else ""
            aimed.append(f"{'' if verb in must else 'try '}{verb} {rich['name'] if at_player else named}")
    steps = [
        *free,
        gather,
        "keep dearest",
        *aimed,
        *["try build dearest"] * _HABITS.get(character, _NO_HABITS).builds,
        "end",
    ]
    return "; ".join(steps)


def standing(edition: str, cast: Sequence[str]) -> list[str]:
    """What is answered once for all, as far as it can be asked in this game."""
    there = {*cast, *(d.name for d, _ in EDITIONS[edition].districts)}
    return [
        "keep dearest always",
        *(one.standing for card, one in _HABITS.items() if one.standing and card in there),
    ]
