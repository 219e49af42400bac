"""What an order says that it gives and costs is what happens when it is played.  What is of no use, or is
against oneself, is offered last.
"""

from __future__ import annotations

from random import Random

import pytest

from referee.rules import EDITIONS, Event, Move, asks, play, view
from referee.rules.facts import Figures
from referee.rules.model import State
from referee.rules.scenario.position import lay
from tests.rules import laws
from tests.rules.test_refusals import position
from tests.seeds import share

#: the events that tell it, each with what its facts are
GAINED = ("took_gold", "income", "collected", "laboratory")
SEEN = {
    "drew": "count",
    "extra_cards": "count",
    "studied": "count",
    "smithy": "count",
    "card_income": "count",
}
PAID = {"built": "paid", "destroyed": "paid", "seized": "paid", "exchanged": "paid", "bribed": "gold"}


def happened(events: tuple[Event, ...], seat: int, names: tuple[str, ...], fact: str) -> int | None:
    """The first such fact of that seat."""
    told = [e.facts[fact] for e in events if e.name in names and e.facts["seat"] == seat]
    return told[0] if told else None


def compared(g: State, move: Move, figures: Figures) -> set[str]:
    """Which of its figures were found in what happened."""
    seat = asks(g)[0].seat
    outcome = play(g, seat, move)
    found = {
        "gold": happened(outcome.events, seat, GAINED, "gold"),
        "cards": happened(outcome.events, seat, tuple(SEEN), "count"),
        "price": next(
            (
                paid
                for name, fact in PAID.items()
                if (paid := happened(outcome.events, seat, (name,), fact)) is not None
            ),
            None,
        ),
    }
    kept = outcome.asks and outcome.asks[0].kind in ("keep", "study")
    if figures.kept is not None and kept:
        found["kept"] = outcome.asks[0].families[0].least if outcome.asks[0].families else 1
    elif figures.kept is not None:
        found["kept"] = happened(outcome.events, seat, ("kept",), "count") or 0
    checked = {
        name for name, value in figures._asdict().items() if value is not None and found.get(name) is not None
    }
    for name in checked:
        assert getattr(figures, name) == found[name], (move, figures, found)
    return {f"{move.verb} {name}" for name in checked}


@pytest.mark.parametrize("edition", ["classic", "original", "deluxe"])
def test_figures_come_true(edition: str) -> None:
    checked: set[str] = set()
    for number in share(range(64)):  # in each quarter somebody uses each of them
        rng = Random(f"figures of {edition}/{number}")
        players = 2 + number % (EDITIONS[edition].most - 1)
        for g in laws.moments(players, number, rng, laws.any_setup(edition, players, rng)):
            if not g.stack:
                continue
            ask = asks(g)[0]
            for move, told in zip(ask.moves, view(g, ask.seat)["ask"]["figures"], strict=True):
                figures = Figures(*told)
                if figures != Figures() and rng.random() < 0.3:
                    checked |= compared(g, move, figures)
    assert {
        "gold gold",
        "cards cards",
        "cards kept",
        "income gold",
        "build price",
        "destroy price",
    } <= checked
    if edition == "deluxe":
        assert {"study cards", "seize price", "exchange price", "collect gold", "bribe price"} <= checked


def figures_of(g: State, verb: str) -> list[tuple[tuple[object, ...], Figures]]:
    ask = view(g, 0)["ask"]
    return [
        (tuple(args), Figures(*told))
        for (name, args), told in zip(ask["moves"], ask["figures"], strict=True)
        if name == verb
    ]


def test_districts_and_a_small_deck_change_them() -> None:
    mine = {"character": "Merchant", "gold": 6, "city": ["Gold Mine", "Observatory", "Library"]}
    cast = ["Assassin", "Thief", "Magician", "King", "Bishop", "Merchant", "Architect", "Warlord"]
    table = {"edition": "deluxe", "players": ["Ana", "Bea", "Cy", "Dan"], "cast": cast}
    g = lay({**table, "given": {"at": "call 6", "seats": {"Ana": mine}}})
    assert figures_of(g, "gold") == [((), Figures(gold=3))]
    assert figures_of(g, "cards") == [((), Figures(cards=3, kept=3))]
    g.deck = g.deck[:1]
    assert figures_of(g, "cards") == [((), Figures(cards=1, kept=1))]
    g.deck = []
    assert figures_of(g, "cards") == [((), Figures(cards=0, kept=0))]


def test_a_wall_counts_and_the_own_city_comes_last() -> None:
    seats = {
        "Ana": {"character": "Warlord", "gold": 9, "city": ["Temple"]},
        "Bea": {"city": ["Great Wall", "Market"]},
        "Cy": {"city": ["Market"]},
    }
    found = figures_of(position("call 8", seats), "destroy")
    assert [args[0] for args, _ in found] == [1, 1, 2, 0]
    assert dict(found)[1, "Market"] == Figures(price=2)
    assert dict(found)[2, "Market"] == Figures(price=1)


@pytest.mark.parametrize(("rank", "who", "verb"), [(1, "Assassin", "kill"), (2, "Thief", "rob")])
def test_those_that_lie_faceup_come_last(rank: int, who: str, verb: str) -> None:
    g = position(f"call {rank}", {"Ana": {"character": who}})
    g.faceup = ("Merchant", "Bishop")
    named = [args[0] for args, _ in figures_of(g, verb)]
    assert named[-2:] == ["Bishop", "Merchant"]
    assert named[:-2] == [c for c in named if c not in g.faceup]
