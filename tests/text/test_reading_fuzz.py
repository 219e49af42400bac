"""Whatever is typed: nothing raises, nothing is bent."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.facts import Move
from referee.text import Intent, NotUnderstood, Reading, read_intent, read_order, split
from referee.text.reading.open_question import OpenQuestion
from referee.text.reading.shapes import SHAPES
from tests.seeds import some
from tests.text.samples import asked, reading

TURN = reading(asked("turn", "build"))
HOSTILE = (
    "<b>x</b>",
    "{{ 7*7 }}",
    "{% raw %}",
    "*bold*",
    "\u202eevil",
    "a\nb",
    "🎲🎲",
    "Market",
    "gold; end",
    "",
    "{reply_to}",
    "@room",
    "İı",
    "ß",
)
WORDS = st.sampled_from(
    [
        *SHAPES,
        "the",
        "Market",
        "Temple",
        "Ana",
        "Bea",
        "King",
        "gold",
        "cards",
        "with",
        "of",
        ",",
        "and",
        "2",
        "17",
        "#17",
        ";",
        ".",
        "new",
        "classic",
        "24h",
        "bots",
        "status",
        "/help",
        "rules",
        "link",
        "zone",
        "prefer",
        "mail",
        *HOSTILE,
    ]
)
ANYTHING = st.one_of(
    st.text(max_size=300),
    st.lists(WORDS, max_size=14).map(" ".join),
    st.text(alphabet=string.printable, max_size=120),
)


@given(ANYTHING)
@settings(max_examples=some(400), deadline=None, derandomize=True)
def test_any_line_is_a_move_or_trouble(text: str) -> None:
    for at in (
        TURN,
        Reading(
            names=HOSTILE,
            ask={"kind": "turn", "number": 1, "moves": [["swap", [0]], ["end", []]], "families": []},
        ),
        Reading(),
    ):
        found = read_order(text, at)
        assert isinstance(found, Move | NotUnderstood)
        if isinstance(found, Move):
            assert found.verb in SHAPES
            assert len(found.args) in {len(parts) for parts in SHAPES[found.verb]}


@given(ANYTHING, st.booleans(), st.booleans())
@settings(max_examples=some(400), deadline=None, derandomize=True)
def test_any_message_is_a_wish_or_trouble(text: str, private: bool, addressed: bool) -> None:
    found = read_intent(text, TURN, private=private, addressed=addressed, bot="refbot")
    assert isinstance(found, Intent | NotUnderstood)
    if isinstance(found, Intent) and found.kind == "orders":
        assert found.args["chunks"]
    if not private and not addressed and not text.lstrip().startswith(("/", "!", "@", "#")):
        assert isinstance(found, Intent)
        assert found.kind in ("chatter", "nothing", "orders")


@given(st.text(max_size=3000))
@settings(max_examples=some(150), deadline=None, derandomize=True)
def test_splitting_keeps_every_letter_that_matters(text: str) -> None:
    found = split(text)
    if not isinstance(found, NotUnderstood):
        assert all(0 < len(chunk) <= 200 and "\n" not in chunk for chunk in found)
        assert len(found) <= 40


@given(st.lists(st.sampled_from(list(OpenQuestion(TURN.ask).moves)), min_size=1, max_size=1), st.data())
@settings(max_examples=some(200), deadline=None, derandomize=True)
def test_a_typing_error_is_never_another_order(moves: list[Move], data: st.DataObject) -> None:
    """One letter wrong: the same order still (a beginning, a filler), or Trouble, or an order whose every
    name is a beginning or spelling of what was typed; never the nearest one."""
    from referee.rules.notation import order_text

    text = order_text(moves[0], TURN.names)
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from("qxzjw"))
    wrong = text[:place] + letter + text[place + 1 :]
    found = read_order(wrong, TURN)
    if isinstance(found, Move) and found != moves[0]:
        # only a changed name can have become another one, and then it is spelled out
        assert found.verb == moves[0].verb
        assert any(str(a).casefold().startswith(wrong.split()[-1].casefold()) for a in found.args)


def test_ten_kilobytes_of_emoji() -> None:
    found = read_intent("🎉" * 10_000, TURN, private=True)
    assert isinstance(found, NotUnderstood)
    assert found.code == "line-too-long"
    assert len(found.quote) <= 200


def test_a_long_list_is_no_trap() -> None:
    """Many short words that might all be cards: read in no time, or not at all."""
    for text in (
        "redraw " + "t " * 90,
        "redraw " + "temple, " * 20,
        "keep " + "s m " * 40,
        "build " + "the " * 40 + "market",
    ):
        assert isinstance(read_order(text, TURN), Move | NotUnderstood)


def test_no_line_costs_much() -> None:
    """Long lines of words that fit in many ways, at a table of names made for it: the work stays small.
    Counted in steps, since a clock would measure the machine."""
    import sys

    names = ("a a", "a", "aa", "a a a", "b", "a b", "seat 1")
    at = Reading(
        names=names,
        ask={
            "kind": "turn",
            "number": 1,
            "moves": [],
            "families": [["redraw", ["Temple", "Tavern"] * 6, 1, 12, [], False]],
        },
    )
    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    for text in (
        "redraw " + "t " * 96,
        "build t borrowing a giving " + "t g s king " * 16,
        "destroy " + "a " * 95,
        "exchange " + "t for a " * 20,
    ):
        read_order(text, at)  # what is looked up once and kept
        steps = 0
        sys.setprofile(count)
        try:
            read_order(text, at)
        finally:
            sys.setprofile(None)
        assert 0 < steps < 80_000, (text[:20], steps)
