"""The laws of plans can fail: each bug planted here is caught; and whole games by plans alone."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from referee.plans import answer, choosing, filed, running
from referee.plans.questions import FREE
from referee.rules import EDITIONS, Move, Refusal, Setup, asks, play, view
from referee.rules.flow.table import random_move
from tests.plans.filing import filed_text, reading
from tests.plans.test_plan_laws import played
from tests.rules.laws import NAMES, table


def whatever_is_ordered(order: Any, view: Any) -> Move:
    return Move(order.verb, order.args)


def also_what_hurts(view: Any) -> Move | None:
    return next(
        (
            m
            for m in choosing.offered(view)
            if m.verb in (*FREE, "rob", "kill", "tithe", "smithy", "sail", "spy", "see")
        ),
        None,
    )


def anybody(edition: str, names: Any) -> str:
    return "Nobody"


@pytest.mark.parametrize(
    ("where", "name", "bug"),
    [
        (running, "fitting", whatever_is_ordered),
        (running, "_forgotten", also_what_hurts),
        (running, "dullest", anybody),
        (running, "script_for", lambda scripts, character: next(iter(scripts), None)),
    ],
)
def test_a_planted_bug_is_caught(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, bug: Any) -> None:
    monkeypatch.setattr(where, name, bug)
    with pytest.raises((AssertionError, Refusal, KeyError, ValueError)):
        some_games()


def some_games() -> None:
    for number in range(4):
        for edition in EDITIONS:
            played(edition, 5, number)


FULL = """\
always prefer Merchant, King, Architect, any
always when Architect: gold; draw; try build dearest; try build dearest; end
always otherwise: gold; try build dearest; end
keep dearest always
buy never
"""


def test_a_game_of_plans_hardly_asks_anybody() -> None:
    """One plan for every seat, filed once, in classic games: how many of the questions it leaves to
    people.
    """
    told: Counter[str] = Counter()
    for number in range(6):
        rng, g = Random(number), table(5, number, Setup("classic", NAMES[:5]))
        plans: dict[int, Any] = {}
        while g.stack:
            seat = asks(g)[0].seat
            seen = view(g, seat)
            if seat not in plans:
                plan = filed_text(FULL, reading(g, seat))
                plans[seat] = plan, filed(plan, seen)
            plan, memory = plans[seat]
            found = answer(plan, seen, memory)
            plans[seat] = plan, found.memory
            told["asked"] += 1
            told["answered"] += found.move is not None
            told[found.stop.code if found.stop else ""] += 1
            g = play(g, seat, found.move or random_move(g, rng)).state
    assert told["asked"] > 1000
    assert told["answered"] > 0.85 * told["asked"], told
