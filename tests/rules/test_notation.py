"""The canonical form: one text for a move, one move for a text."""
from __future__ import annotations

import pytest

from referee.rules import Move, Refusal, Setup, rulebook
from referee.rules.notation import order_text, read_order, shapes
from referee.rules.shapes import Shape, table

NAMES = ("Ana", "Ana Great", "gold", "Bea, Market", "destroy Ana Keep")
RULES = rulebook(Setup("classic", NAMES))


@pytest.mark.parametrize(("move", "text"), [
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
])
def test_there_and_back(move: Move, text: str) -> None:
    assert order_text(move, NAMES) == text
    assert read_order(text, NAMES, RULES) == move


def test_every_verb_of_the_edition_is_tried_above() -> None:
    assert set(RULES.shapes) == set(shapes())
    tried = {mark.args[1][n][0].verb for mark in test_there_and_back.pytestmark for n in range(22)}
    assert tried == set(RULES.shapes)


@pytest.mark.parametrize(("text", "code"), [
    ("", "unknown-verb"), ("conquer Ana", "unknown-verb"), ("Gold", "unknown-verb"), (" gold", "unknown-verb"),
    ("bewitch King", "unknown-verb"), ("gold ", "malformed"), ("gold please", "malformed"), ("build", "malformed"),
    ("build  Temple", "unknown-card"), ("build temple", "unknown-card"), ("build Temple Temple", "unknown-card"),
    ("kill Queen", "unknown-card"), ("kill Temple", "unknown-card"), ("keep Temple,Docks", "unknown-card"),
    ("keep Temple, Moat", "unknown-card"), ("keep", "malformed"), ("swap Zoe", "unknown-player"),
    ("swap", "malformed"), ("destroy Zoe Temple", "unknown-player"), ("destroy Ana Moat", "unknown-card"),
    ("destroy Ana", "malformed"), ("destroy", "malformed"), ("💥" * 2500, "unknown-verb"),
    ("build " + "💥" * 2500, "unknown-card"),
])
def test_what_cannot_be_read(text: str, code: str) -> None:
    with pytest.raises(Refusal) as refusal:
        read_order(text, NAMES, RULES)
    assert refusal.value.code == code


def test_two_readings_are_none() -> None:
    names = ("Ana", "Ana Great")
    both = Shape("greet <P> <C>"), Shape("greet <P>")
    assert [s.text for s in table(both)["greet"]] == ["greet <P> <C>", "greet <P>"]
    with pytest.raises(Refusal):
        read_order("destroy Ana Great", names, rulebook(Setup("classic", names)))


@pytest.mark.parametrize(("pattern", "args"), [
    ("income <n> gold <n> cards", (2, "gold", 1, "cards")),
    ("exchange <C> with <P>", ("King", "with", 1)),
    ("spy <P> <T>", (1, "noble")),
    ("crown <P> gold", (1, "gold")),
    ("build <D> borrowing <P> giving <D>+", ("Palace", "borrowing", 1, "giving", ("Temple", "Keep"))),
    ("build Necropolis with <D>", ("Necropolis", "with", "Temple")),
    ("beautify <B>+", (("Temple beautified", "Keep"),)),
    ("warrant <C>+", (("King", "Thief", "Bishop"),)),
])
def test_the_shapes_of_richer_editions_can_be_said(pattern: str, args: tuple[object, ...]) -> None:
    shape = Shape(pattern)
    assert shape.fits(args)
    assert not shape.fits((*args, 1))


def test_no_text_for_what_has_no_shape() -> None:
    with pytest.raises(ValueError):
        order_text(Move("build", (1,)), NAMES)
