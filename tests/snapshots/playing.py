"""Playing a position on, always the same way, and saying in few characters how it went.

What is compared across versions is what players meet: the questions with all their answers, and the end. How
a state looks inside, the order in which answers are listed, and how things are told may change from version
to version; none of it is in a trail.
"""

from __future__ import annotations

import hashlib
import json
from random import Random
from typing import Any, NamedTuple

from referee.rules import Move, State, asks, play
from referee.rules.facts import Family
from referee.rules.notation import order_text

#: so many orders share one mark of a trail
STRIDE = 8


class Trail(NamedTuple):
    """How a game went on: so many `orders`, a `marks` of one letter for each eight of them, and what it came
    to.
    """

    orders: int
    marks: str
    end: dict[str, Any]

    def facts(self) -> dict[str, Any]:
        """As JSON values."""
        return dict(self._asdict())


def question(state: State) -> list[str]:
    """The open question as lines that don't depend on the order of its answers: who, what, and each
    answer.
    """
    (ask,) = asks(state)
    names = state.setup.players
    single = [order_text(move, names) for move in ask.moves]
    return [f"{names[ask.seat]}: {ask.kind}", *sorted([*single, *map(_many, ask.families)])]


def _many(family: Family) -> str:
    kind = "ordered " if family.ordered else ""
    return f"{family.verb} {list(family.before)} {family.least}-{family.most} of {kind}{sorted(family.cards)}"


def answer(state: State, dice: Random) -> tuple[int, Move]:
    """One answer out of all, by dice."""
    (ask,) = asks(state)
    names = state.setup.players
    options = sorted(
        [*((order_text(move, names), move) for move in ask.moves), *((_many(f), f) for f in ask.families)],
        key=lambda one: one[0],
    )
    chosen: Move | Family = dice.choice(options)[1]
    if isinstance(chosen, Family):
        return ask.seat, chosen.move(
            tuple(dice.sample(sorted(chosen.cards), dice.randint(chosen.least, chosen.most)))
        )
    return ask.seat, chosen


def played_on(state: State, seed: str) -> Trail:
    """Play it to the end with dice of that seed."""
    dice, digest, marks, orders = Random(seed), hashlib.sha256(), "", 0
    while state.stack:
        seat, move = answer(state, dice)
        digest.update("\n".join([*question(state), order_text(move, state.setup.players), ""]).encode())
        state = play(state, seat, move).state
        orders += 1
        if orders % STRIDE == 0:
            marks += digest.hexdigest()[0]
    return Trail(orders, marks + digest.hexdigest()[:8], ended(state))


def ended(state: State) -> dict[str, Any]:
    """The end as a player would tell it."""
    assert state.result is not None
    seats = {
        name: {"gold": p.gold, "hand": sorted(state.names(p.hand)), "city": state.names(p.city)}
        for name, p in zip(state.setup.players, state.players, strict=True)
    }
    told: dict[str, Any] = json.loads(json.dumps({**state.result, "rounds": state.round, "seats": seats}))
    return told
