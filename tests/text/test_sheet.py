"""Big questions: what is alike is one entry, and every order can be reached through the entries, and nothing
else.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee import rules
from referee.rules import Family, Move, Setup
from referee.rules.game import written_out
from referee.rules.lists import Choice, choose
from referee.text import MenuStep, Words, options
from referee.text.reading.sheet import ALIKE, TOGETHER, sheet, so_far

NAMES = ("Ana", "Bea", "Cy", "Dan")


def reached(moves: tuple[Move, ...], families: tuple[Family, ...], path: tuple[Any, ...] = ()) -> list[Move]:
    """Every order behind the entries of that place."""
    out: list[Move] = []
    for entry in sheet(moves, families, path):
        if isinstance(entry, MenuStep):
            inner = reached(moves, families, entry.path)
            assert inner, entry
            assert entry.example in inner or entry.family is not None
            out += inner
        else:
            out.append(entry)
    return out


def alike(move: Move) -> tuple[Any, ...]:
    return (move.verb, *(tuple(sorted(a)) if isinstance(a, tuple) else a for a in move.args))


def every_place(ask: Any, names: tuple[str, ...]) -> None:
    """The laws of a question's sheet."""
    small = tuple(f for f in ask.families if len(f.cards) <= 6)
    moves = [*ask.moves, *(m for f in small for m in written_out(f))]
    assert {alike(m) for m in reached(ask.moves, small)} == {alike(m) for m in moves}
    assert sorted(m for m in map(alike, reached(ask.moves, ()))) == sorted(map(alike, ask.moves))
    whole = sheet(ask.moves, ask.families)
    assert len(whole) <= TOGETHER + 3
    texts = [so_far(entry.path, names) for entry in whole if isinstance(entry, MenuStep)]
    assert all("…" in text for text in texts)
    assert len(set(texts)) == len(texts)


def test_the_sheets_of_random_games() -> None:
    asked, steps = 0, 0
    for number in range(12):
        drawn = choose("deluxe", 4, Choice(named="random"), number.to_bytes(32, "big"))
        outcome = rules.new_game(
            Setup("deluxe", NAMES, cast=drawn.cast, uniques=drawn.uniques), number.to_bytes(32, "big")
        )
        dice = random.Random(number)
        for _ in range(250):
            if not outcome.asks:
                break
            ask = outcome.asks[0]
            every_place(ask, NAMES)
            asked += 1
            steps += any(isinstance(e, MenuStep) for e in sheet(ask.moves, ask.families))
            either = [*ask.moves, *(f.move(f.cards[: max(f.least, 1)]) for f in ask.families)]
            outcome = rules.play(outcome.state, ask.seat, dice.choice(either))
    assert asked > 1000
    assert steps > 50


EXCHANGES = tuple(
    Move("exchange", (mine, "for", seat, theirs))
    for mine in ("Temple", "Keep")
    for seat in (1, 2)
    for theirs in ("Market", "Docks", "Manor")
)


def test_a_question_goes_on_word_by_word() -> None:
    moves = (Move("income"), *EXCHANGES, Move("end"))
    first = sheet(moves, ())
    assert [e if isinstance(e, Move) else e.text(NAMES) for e in first] == [
        Move("income"),
        "exchange … for …",
        Move("end"),
    ]
    assert isinstance(first[1], MenuStep)
    second = sheet(moves, (), first[1].path)
    assert [e.text(NAMES) for e in second if isinstance(e, MenuStep)] == [
        "exchange Temple for …",
        "exchange Keep for …",
    ]
    assert isinstance(second[0], MenuStep)
    assert set(sheet(moves, (), second[0].path)) == set(EXCHANGES[:6])


def test_few_orders_stand_alone_and_many_do_not() -> None:
    few = tuple(Move("kill", (name,)) for name in "abcdefghi")
    assert sheet(few, ()) == few
    assert len(few) == ALIKE
    many = (*few, Move("kill", ("j",)))
    assert sheet(many, ()) == many  # nothing else to choose: a step of its own would be one tap more
    assert len(sheet((*many, Move("end")), ())) == 2
    assert sheet(many, (), ("no <such> pattern",)) == ()


def test_cards_are_chosen_one_by_one() -> None:
    family = Family("redraw", ("Temple", "Market", "Temple"), 1, 3)
    (step,) = sheet((), (family,))
    assert isinstance(step, MenuStep)
    assert (step.text(NAMES), step.family) == ("redraw …", family)
    inner = sheet((), (family,), step.path)
    assert [so_far(e.path, NAMES) for e in inner if isinstance(e, MenuStep)] == [
        "redraw Temple, …",
        "redraw Market, …",
    ]
    assert isinstance(inner[0], MenuStep)
    third = sheet((), (family,), inner[0].path)
    assert third[0] == Move("redraw", (("Temple",),))
    assert [so_far(e.path, NAMES) for e in third if isinstance(e, MenuStep)] == [
        "redraw Temple, Temple, …",
        "redraw Temple, Market, …",
    ]
    exact = Family("threaten", ("King", "Bishop", "Queen"), 2, 2, ordered=True)
    place = sheet((), (exact,))[0]
    assert isinstance(place, MenuStep)
    chosen = sheet((), (exact,), place.path)[1]
    assert isinstance(chosen, MenuStep)
    assert sheet((), (exact,), chosen.path) == (
        Move("threaten", (("Bishop", "King"),)),
        Move("threaten", (("Bishop", "Queen"),)),
    )


@pytest.mark.parametrize(
    "path", [(), ("exchange <B> for <P> <B>",), ("exchange <B> for <P> <B>", "Temple", "for")]
)
def test_letters_number_what_they_offer(path: tuple[Any, ...]) -> None:
    view: dict[str, Any] = {
        "players": [{"name": name} for name in NAMES],
        "you": 0,
        "edition": "deluxe",
        "ask": {
            "kind": "turn",
            "number": 3,
            "moves": [["income", []], *([m.verb, list(m.args)] for m in EXCHANGES)],
            "families": [],
        },
    }
    rows = Words(strict=True).offers(view["ask"], view, "en", path)
    assert (
        [row["n"] for row in rows]
        == list(range(1, len(rows) + 1))
        == [o.n for o in options(view["ask"], view, path)]
    )
    assert (rows[-1]["order"] == "…") == bool(path)
    if path:
        assert rows[-1]["label"] == "Back"
    else:
        assert (
            rows[1]["note"]
            == "“exchange ‹district› for ‹player› ‹district›”, like “exchange Temple for Bea Market”"
        )
        assert rows[1]["leads"]
