"""The canonical form: one text for a move, one move for a text."""

from __future__ import annotations

from typing import Any

import pytest

from referee.rules import Move, Refusal, Rulebook, Setup, rulebook
from referee.rules.editions import EDITIONS
from referee.rules.flow_verbs import FLOW
from referee.rules.notation import order_text, read_order
from referee.rules.rulebook import Edition, spoken
from referee.rules.shapes import Shape, table

NAMES = ("Ana", "Ana Great", "gold", "Bea, Market", "destroy Ana Keep")
RULES = rulebook(Setup("classic", NAMES))


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (Move("pick", ("King",)), "pick King"),
        (Move("discard", ("Thief",)), "discard Thief"),
        (Move("gold"), "gold"),
        (Move("cards"), "cards"),
        (Move("keep", (("Town Hall",),)), "keep Town Hall"),
        (Move("keep", (("Town Hall", "Temple", "Temple"),)), "keep Town Hall, Temple, Temple"),
        (Move("build", ("Trading Post",)), "build Trading Post"),
        (Move("kill", ("Warlord",)), "kill Warlord"),
        (Move("rob", ("Merchant",)), "rob Merchant"),
        (Move("swap", (3,)), "swap Bea, Market"),
        (Move("redraw", (("Keep", "Docks"),)), "redraw Keep, Docks"),
        (Move("income"), "income"),
        (Move("bonus"), "bonus"),
        (Move("draw"), "draw"),
        (Move("destroy", (0, "Great Wall")), "destroy Ana Great Wall"),
        (Move("destroy", (1, "Keep")), "destroy Ana Great Keep"),
        (Move("destroy", (4, "Keep")), "destroy destroy Ana Keep Keep"),
        (Move("laboratory", ("Palace",)), "laboratory Palace"),
        (Move("smithy"), "smithy"),
        (Move("buy"), "buy"),
        (Move("pass"), "pass"),
        (Move("end"), "end"),
    ],
)
def test_there_and_back(move: Move, text: str) -> None:
    assert order_text(move, NAMES) == text
    assert read_order(text, NAMES, RULES) == move


def test_every_verb_of_the_edition_is_tried_above() -> None:
    tried = {mark.args[1][n][0].verb for mark in test_there_and_back.pytestmark for n in range(22)}
    assert tried == set(RULES.shapes)


SLOTS: dict[str, Any] = {
    "<C>": "Bishop",
    "<D>": "Town Hall",
    "<B>": "Trading Post",
    "<P>": 1,
    "<T>": "noble",
    "<n>": 2,
    "<D>+": ("Temple", "Town Hall"),
    "<B>+": ("Temple", "Docks"),
    "<C>+": ("Bishop", "Merchant"),
}


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda e: e.name)
def test_every_shape_of_every_edition_there_and_back(edition: Edition) -> None:
    """Each with a cast in which its character is played."""
    names, tried = (*NAMES, "Eve"), set()
    usual = {c.rank: c for c in edition.characters if c.name in edition.cast}
    for character in edition.characters:
        cast = [c for c in edition.characters if c == {**usual, character.rank: character}.get(c.rank)]
        rules = rulebook(Setup(edition.name, names, cast=tuple(c.name for c in cast)))
        for shape in (s for known in rules.shapes.values() for s in known):
            move = Move(shape.verb, tuple(SLOTS.get(part, part) for part in shape.parts))
            if shape.parts[:1] == ("<C>",) and "Bishop" not in rules.characters:
                continue
            assert read_order(order_text(move, names), names, rules) == move
            tried.add(shape.text)
    assert tried == {s.text for c in edition.characters for s in spoken(c)} | {
        s.text for d, _ in edition.districts for s in spoken(d)
    } | {s.text for s in FLOW}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "unknown-verb"),
        ("conquer Ana", "unknown-verb"),
        ("Gold", "unknown-verb"),
        (" gold", "unknown-verb"),
        ("bewitch King", "unknown-verb"),
        ("gold ", "malformed"),
        ("gold please", "malformed"),
        ("build", "malformed"),
        ("build  Temple", "unknown-card"),
        ("build temple", "unknown-card"),
        ("build Temple Temple", "unknown-card"),
        ("kill Queen", "unknown-card"),
        ("kill Temple", "unknown-card"),
        ("keep Temple,Docks", "unknown-card"),
        ("keep Temple, Moat", "unknown-card"),
        ("keep", "malformed"),
        ("swap Zoe", "unknown-player"),
        ("swap", "malformed"),
        ("destroy Zoe Temple", "unknown-player"),
        ("destroy Ana Moat", "unknown-card"),
        ("destroy Ana", "malformed"),
        ("destroy", "malformed"),
        ("💥" * 2500, "unknown-verb"),
        ("build " + "💥" * 2500, "unknown-card"),
    ],
)
def test_what_cannot_be_read(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        read_order(text, NAMES, RULES)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    ("pattern", "args"),
    [
        ("income <n> gold <n> cards", (2, "gold", 1, "cards")),
        ("exchange <C> with <P>", ("King", "with", 1)),
        ("spy <P> <T>", (1, "noble")),
        ("crown <P> gold", (1, "gold")),
        ("build <D> borrowing <P> giving <D>+", ("Palace", "borrowing", 1, "giving", ("Temple", "Keep"))),
        ("build Necropolis with <D>", ("Necropolis", "with", "Temple")),
        ("beautify <B>+", (("Temple beautified", "Keep"),)),
        ("warrant <C>+", (("King", "Thief", "Bishop"),)),
    ],
)
def test_the_shapes_of_richer_editions_can_be_said(pattern: str, args: tuple[object, ...]) -> None:
    shape = Shape(pattern)
    assert shape.fits(args)
    assert not shape.fits((*args, 1))
    names = ("Ana", "Bea")
    said = " ".join(
        [shape.verb, *(_said(part, arg, names) for part, arg in zip(shape.parts, args, strict=True))]
    )
    assert read_order(said, names, richer(shape)) == Move(shape.verb, args)
    with pytest.raises(Refusal):
        read_order(said + " please", names, richer(shape))
    with pytest.raises(Refusal):
        read_order(said[: said.rindex(" ")], names, richer(shape))


def richer(*shapes: Shape) -> Rulebook:
    """The classic cards, with these orders."""
    rules = Rulebook(RULES.edition, RULES.cast, RULES.uniques)
    rules.shapes = table(shapes)
    rules.districts = {**rules.districts, "Necropolis": rules.districts["Keep"]}
    return rules


def _said(part: str, arg: object, names: tuple[str, ...]) -> str:
    if part == "<P>":
        assert isinstance(arg, int)
        return names[arg]
    return ", ".join(arg) if isinstance(arg, tuple) else str(arg)


def test_two_readings_are_none() -> None:
    names = ("Ana", "Ana Keep")
    rules = richer(Shape("visit <P> <D>"), Shape("visit <P>"))
    assert read_order("visit Ana Temple", names, rules) == Move("visit", (0, "Temple"))
    with pytest.raises(Refusal, match="malformed"):
        read_order("visit Ana Keep", names, rules)


@pytest.mark.parametrize(
    "text",
    ["income 1 gold cards", "income x gold 1 cards", "income 01 gold 1 cards", "income 9999 gold 1 cards"],
)
def test_numbers_are_written_in_one_way(text: str) -> None:
    with pytest.raises(Refusal, match="malformed"):
        read_order(text, ("Ana",), richer(Shape("income <n> gold <n> cards")))


def test_no_text_for_what_has_no_shape() -> None:
    with pytest.raises(ValueError):
        order_text(Move("build", (1,)), NAMES)
