"""Plans by taps: whatever is tapped, the lines are in order; and what the specification's examples need can
be tapped.
"""

from __future__ import annotations

import json
from random import Random

import pytest

from referee.plans import Plan
from referee.plans.questions import ASKED_BY
from referee.plans.walking import (
    Ground,
    Walk,
    dumped,
    entries,
    filing,
    ground,
    loaded,
    numbered,
    onward,
    so_far,
)
from referee.rules import EDITIONS, State, asks, view
from referee.rules.flow.table import random_move, step
from referee.text.reading.plans import read_plan
from tests.plans.filing import reading
from tests.rules.laws import any_setup, table


def here(g: State, seat: int) -> Ground:
    return ground(view(g, seat), tuple(g.rules.characters), tuple(g.rules.uniques), True)


def wandered(ground_: Ground, rng: Random) -> Walk:
    """Sixty taps."""
    walk = Walk()
    for _ in range(60):
        offers = [one for one in entries(walk, ground_) if one.to is not None and one.words != "close"]
        assert len({one.words for one in offers}) == len(offers)
        assert loaded(json.loads(json.dumps(dumped(walk)))) == walk
        rather = [one for one in offers if one.words not in ("back", "drop")] if rng.random() < 0.6 else []
        chosen = rng.choice(rather or offers)
        assert onward(walk, chosen.words, ground_) == chosen.to
        walk = chosen.to or walk
        assert all(one in so_far(walk) for one in walk.listed)
    return walk


@pytest.mark.parametrize(
    ("edition", "players"), [(name, n) for name, book in EDITIONS.items() for n in (book.least, 4, book.most)]
)
def test_whatever_is_tapped_is_a_plan(edition: str, players: int) -> None:
    filed = 0
    for number in range(3):
        rng = Random(f"taps {edition}/{players}/{number}")
        g = table(players, number, any_setup(edition, players, rng))
        for moment in range(60):
            if not g.stack:
                break
            seat = asks(g)[0].seat
            if moment % 12 == 0:
                walk = wandered(here(g, seat), rng)
                for text in filter(None, (filing(walk, stays) for stays in (False, True))):
                    found = read_plan(text, reading(g, seat))
                    assert isinstance(found, Plan), (text, found)
                    filed += 1
            step(g, random_move(g, rng))
    assert filed > 8


def tapped(walk: Walk, ground_: Ground, *words: str) -> Walk:
    for one in words:
        to = onward(walk, one, ground_)
        assert to is not None, (one, [entry.words for entry in entries(walk, ground_)])
        walk = to
    return walk


def test_every_kind_of_line_can_be_tapped() -> None:
    g = table(4, 1)
    at = here(g, 0)
    other = at.names[1]
    first, second = at.hand[:2]
    walk = tapped(
        Walk(),
        at,
        "prefer",
        "King",
        "Bishop",
        "done",
        "turn",
        "Warlord",
        "cards",
        "destroy <P> <B>",
        "player 2",
        "cheapest",
        "build",
        first,
        second,
        "else ask",
        "end",
        "turn",
        "Magician",
        "swap <P>",
        "player 2",
        "gold",
        "build",
        "dearest",
        "stop",
        "turn",
        "others",
        "gold",
        "build",
        "cheapest",
        "end",
        "answers",
        "keep",
        "keep cheapest always",
        "ask",
        "robbed",
        f"{other} has the crown",
        "done",
    )
    assert filing(walk, False).splitlines() == [
        "prefer King, Bishop",
        (
            f"when Warlord: cards; keep dearest; try destroy {other} cheapest; build {first} or "
            f"build {second}; end"
        ),
        f"when Magician: try swap {other}; gold; try build dearest",
        "otherwise: gold; try build cheapest; end",
        "this round keep cheapest always",
        f"this round ask me if robbed or {other} has the crown",
    ]
    assert filing(walk, True).splitlines()[0] == "always prefer King, Bishop"
    assert filing(walk, True).splitlines()[-1] == f"ask me if robbed or {other} has the crown"
    anew = tapped(walk, at, "prefer", "King", "back", "Bishop", "any")
    assert [line for line in filing(anew, False).splitlines() if line.startswith("prefer")] == [
        "prefer Bishop, any"
    ]
    assert not tapped(anew, at, *["drop"] * 6).lines
    assert onward(walk, "dance", at) is None


def test_a_turn_cannot_be_ended_without_what_must_be_done() -> None:
    """Nothing before gathering; the Emperor's crown."""
    rng = Random(7)
    g = next(
        g
        for n in range(99)
        for g in [table(5, n, any_setup("deluxe", 5, rng))]
        if "Emperor" in g.rules.characters
    )
    at = here(g, 0)
    words = {one.words for one in entries(tapped(Walk(), at, "turn", "Emperor"), at)}
    assert not words & {"end", "stop", "build"}
    gathered = tapped(Walk(), at, "turn", "Emperor", "gold")
    assert "end" not in {one.words for one in entries(gathered, at)}
    crowned = tapped(gathered, at, "crown <P> gold", "player 2")
    assert crowned.listed == ("gold", f"crown {at.names[1]} gold")
    assert "end" in {one.words for one in entries(crowned, at)}


def test_only_questions_of_this_tables_cards_are_offered() -> None:
    at = here(table(4, 1), 0)
    assert [one.words for one in entries(tapped(Walk(), at, "answers"), at)] == [*at.questions, "back"]
    assert "warrant" not in at.questions
    cards = {
        card.name
        for book in EDITIONS.values()
        for card in (*book.characters, *(district for district, _ in book.districts))
    }
    asking = {card for names in ASKED_BY.values() for card in names}
    assert "Magistrate" in asking
    assert asking <= cards


@pytest.mark.parametrize("edition", sorted(EDITIONS))
def test_a_number_never_means_something_else_on_its_page(edition: str) -> None:
    """A number typed a moment too late, after something was chosen, is the same entry or none."""
    rng = Random(f"numbers {edition}")
    at = here(table(4, 3, any_setup(edition, 4, rng)), 0)
    meant: dict[tuple[object, ...], dict[int, str]] = {}
    walk, gone = Walk(), 0
    for _ in range(1500):
        offers = numbered(walk, at)
        # the parts of an order are chosen on one page after the other
        part = sum(not isinstance(arg, tuple) for arg in walk.args) if walk.page == "power" else 0
        page = meant.setdefault((walk.page, walk.who, walk.verb, part), {})
        for number, one in offers:
            name = one.code or one.label or one.words
            assert page.setdefault(number, name) == name, (walk, number)
        gone += len(page) > len(offers)
        on = [one for _, one in offers if one.to is not None and one.words != "close"]
        walk = rng.choice(on).to or walk
    assert len(meant) > 12
    assert gone > 100, "many pages offered less than before"


def test_withdrawing_asks_once() -> None:
    at = here(table(4, 1), 0)
    asked = tapped(Walk(), at, "withdraw")
    assert [(one.words, one.to is None) for one in entries(asked, at)] == [
        ("cancel plan", True),
        ("back", False),
    ]
    assert tapped(asked, at, "back") == Walk()
    assert "withdraw" not in {one.words for one in entries(Walk(), at._replace(withdraws=False))}
