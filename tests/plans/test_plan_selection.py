"""The selection by plans, however many play: two who put cards away, three with two characters each, and the
last of seven or eight.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from referee.plans import Plan, answer, filed, merge, plan_text
from referee.rules import EDITIONS, Move, Setup, State, asks, new_game, play, view
from referee.rules.flow.table import random_move
from referee.text.reading.plans import read_plan
from tests.plans.filing import filed_text, reading
from tests.rules.laws import any_setup, table

LISTS = "always prefer King, any\nalways prefer to discard Warlord, any"


@pytest.mark.parametrize(
    ("edition", "players"),
    [
        (name, n)
        for name, book in EDITIONS.items()
        for n in sorted({2, 3, 7, 8, 9} & set(range(book.least, book.most + 1)))
    ],
)
def test_lists_answer_the_whole_selection(edition: str, players: int) -> None:
    rng = Random(f"{edition} {players}")
    g = table(players, 3, any_setup(edition, players, rng))
    plans: dict[int, tuple[Plan, Any]] = {}
    asked = []
    for _ in range(400):
        ask = asks(g)[0]
        seen = view(g, ask.seat)
        if ask.kind not in ("pick", "discard"):
            if seen["round"] > 2:
                break
            g = play(g, ask.seat, random_move(g, rng)).state
            continue
        if ask.seat not in plans:
            cast = list(g.rules.characters)
            text = LISTS.replace("King", cast[3]).replace("Warlord", cast[-1])
            plan = filed_text(text if players == 2 else text.splitlines()[0], reading(g, ask.seat))
            plans[ask.seat] = plan, filed(plan, seen)
        plan, memory = plans[ask.seat]
        found = answer(plan, seen, memory)
        assert found.move is not None, (ask.kind, found.stop)
        assert found.move in ask.moves
        asked.append(ask.kind)
        plans[ask.seat] = plan, found.memory
        g = play(g, ask.seat, found.move).state
    assert asked.count("pick") >= 2 * players
    assert bool(asked.count("discard")) == (players == 2)


def two() -> tuple[State, int]:
    """A game of two at the first card to be put away, and who does that."""
    g = new_game(Setup("classic", ("Ana", "Bea")), bytes(32)).state
    while asks(g)[0].kind != "discard":
        g = play(g, asks(g)[0].seat, asks(g)[0].moves[0]).state
    return g, asks(g)[0].seat


def said(text: str) -> str:
    """What is put away by those lines, or the code of the stop."""
    g, seat = two()
    seen = view(g, seat)
    plan = filed_text(text, reading(g, seat))
    found = answer(plan, seen, filed(plan, seen))
    return str(found.move.args[0]) if found.move else found.stop.code if found.stop else ""


def test_what_is_put_away() -> None:
    g, _ = two()
    there = [move.args[0] for move in asks(g)[0].moves]
    gone = next(name for name in g.rules.characters if name not in there)
    assert said(f"prefer to discard {gone}, {there[2]}, {there[0]}") == there[2]
    assert said(f"prefer to discard {gone}") == "plan-none-there"
    assert said(f"always prefer discard {gone}, any") in there
    assert said(f"prefer {there[0]}, any") == ""  # a list to pick from says nothing of what is put away


def test_two_lists_beside_each_other() -> None:
    g, seat = two()
    both = filed_text(LISTS, reading(g, seat))
    assert list(plan_text(both, ("Ana", "Bea"))) == LISTS.splitlines()
    newer = merge(both, filed_text("always prefer Thief", reading(g, seat)))
    assert sorted((d.verb, d.characters) for d in newer.drafts) == [
        ("discard", ("Warlord",)),
        ("pick", ("Thief",)),
    ]
    assert [d.verb for d in merge(both, filed_text("cancel discard", reading(g, seat))).drafts] == ["pick"]
    assert [d.verb for d in merge(both, filed_text("cancel prefer", reading(g, seat))).drafts] == ["discard"]


def test_only_two_put_cards_away() -> None:
    g = table(4, 1)
    found = read_plan("prefer to discard Warlord", reading(g, 0))
    assert not isinstance(found, Plan)
    assert [one.code for one in found] == ["plan-two-only"]


def test_a_typed_discard_stays_an_order() -> None:
    g, seat = two()
    assert not isinstance(read_plan(f"discard {asks(g)[0].moves[0].args[0]}", reading(g, seat)), Plan)
    assert asks(g)[0].moves[0] == Move("discard", asks(g)[0].moves[0].args)
