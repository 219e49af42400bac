"""Whatever is typed as a plan: it is one, or everything that is wrong is said; nothing raises, nothing
grows.
"""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.plans import Plan, dump, load, plan_text
from referee.rules import asks
from referee.text import Reading, Words
from referee.text.reading.plans import plan_begins, read_plan
from referee.text.rendering.plans import understood
from tests.plans.filing import AWKWARD, reading
from tests.rules.laws import table
from tests.seeds import some

GAME = table(5, 1)
AT = reading(GAME, asks(GAME)[0].seat)
ODD = Reading(names=AWKWARD)
WORDS = Words(strict=True)
PIECES = st.sampled_from(
    [
        "prefer",
        "always",
        "this round",
        "when",
        "otherwise",
        "try",
        "or",
        "and",
        "if",
        "never",
        "ask me",
        "ask me if",
        "cancel",
        "plan",
        "free benefits",
        "on",
        "off",
        "hospital",
        "dearest",
        "cheapest",
        "any",
        "I have the crown",
        "I don't have the crown",
        "Bea has the crown",
        "gold >= 4",
        "cost < 3",
        "round > 2",
        "city = 5",
        "hand",
        "my hand holds Temple",
        "King is faceup",
        "robbed",
        "my hand changed",
        "not",
        "King",
        "Merchant",
        "Warlord",
        "Witch",
        "Bea",
        "Market",
        "Docks",
        "gold",
        "cards",
        "income",
        "build",
        "destroy Bea",
        "keep",
        "end",
        "end!",
        "buy",
        "bribe",
        "confiscate",
        "exchange",
        "crown",
        ":",
        ";",
        ",",
        "\n",
        "#",
        "#17",
        ".",
        "4",
        ">=",
        "<",
        "≠",
        "≥",
        "{{ 7*7 }}",
        "<b>",
        "\u202e",
        "🎲",
        "ß",
        "İı",
        "*dearest",
        "'",
        "the",
    ]
)
ANYTHING = st.one_of(
    st.lists(PIECES, max_size=24).map(" ".join),
    st.text(max_size=200),
    st.text(alphabet=string.printable, max_size=120),
)


@given(ANYTHING)
@settings(max_examples=some(400), deadline=None, derandomize=True)
def test_any_text_is_a_plan_or_trouble(text: str) -> None:
    for at in (AT, ODD):
        begins, found = plan_begins(text, at), read_plan(text, at)
        assert begins in (True, False)
        if not isinstance(found, Plan):
            assert found
            for trouble in found:
                assert WORDS.phrase(trouble.code, "en", names=at.names, **dict(trouble.facts))
            continue
        assert not found.empty
        assert load(dump(found)) == found
        assert read_plan("\n".join(plan_text(found, at.names)), at) == found
        assert at.view is None or all(understood(WORDS, found, at.view, tuple(GAME.rules.characters)))


def test_a_good_part_of_the_noise_reads_as_plans() -> None:
    good = 0

    @given(
        st.lists(
            st.sampled_from(
                [
                    "prefer King",
                    "prefer Merchant if gold >= 4",
                    "when Merchant: gold",
                    "when King: cards",
                    "build Docks",
                    "end",
                    "buy never",
                    "bribe if gold > 3",
                    "otherwise: gold; end",
                ]
            ),
            min_size=1,
            max_size=3,
        ).map("\n".join)
    )
    @settings(max_examples=100, deadline=None, derandomize=True, database=None)
    def count(text: str) -> None:
        nonlocal good
        good += isinstance(read_plan(text, AT), Plan)

    count()
    assert good >= 20


def test_too_long() -> None:
    for text in (
        "prefer King\n" * 5_000,
        "otherwise: " + "gold; " * 300,
        "x" * 100_000,
        "when King: " + "build Docks or " * 60,
        "ask me if " + "gold > 1 and " * 40,
    ):
        found = read_plan(text, AT)
        assert not isinstance(found, Plan)
        assert len(found) <= 161


def test_no_line_costs_much() -> None:
    """Many words that might cut a line in many ways: the work stays small, counted in steps."""
    import sys

    steps = 0

    def count(*_: object) -> None:
        nonlocal steps
        steps += 1

    for text in (
        "otherwise: destroy " + "a or " * 30,
        "prefer King if " + "a and " * 30,
        "otherwise: " + "any " * 40,
        "ask me if " + "crown and or " * 14,
        "buy if " + "t or " * 40,
    ):
        for at in (AT, ODD):
            read_plan(text, at)  # what is looked up once and kept
            steps = 0
            sys.setprofile(count)
            try:
                read_plan(text, at)
            finally:
                sys.setprofile(None)
            assert 0 < steps < 600_000, (text[:30], steps)
