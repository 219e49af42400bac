"""Standing answers as people say them: "never bribe", "always bribe"."""

from __future__ import annotations

import pytest

from referee.plans import Plan, plan_text
from referee.rules import asks
from referee.text import Reading
from referee.text.reading.plans import plan_begins, read_plan
from tests.plans.filing import reading
from tests.rules.laws import table

GAME = table(5, 1)
AT = reading(GAME, asks(GAME)[0].seat)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("never bribe", "bribe never"),
        ("Never buy!", "buy never"),
        ("never refuse", "bribe always"),
        ("this round never bribe", "this round bribe never"),
        ("always bribe", "bribe always"),
        ("always refuse", "bribe never"),
        ("always keep dearest", "keep dearest always"),
        ("always bribe if cost <= 1", "bribe if cost <= 1"),
    ],
)
def test_the_word_may_stand_first(said: str, line: str) -> None:
    assert plan_begins(said, AT)
    first, last = read_plan(said, AT), read_plan(line, AT)
    assert isinstance(first, Plan)
    assert isinstance(last, Plan)
    assert plan_text(first, AT.names) == plan_text(last, AT.names)


@pytest.mark.parametrize("said", ["nunca subornar", "nunca pagar o suborno", "jamais subornar"])
def test_in_portuguese_too(said: str) -> None:
    found = read_plan(said, Reading("pt_BR", AT.names))
    assert isinstance(found, Plan)
    assert plan_text(found, AT.names) == ("bribe never",)


@pytest.mark.parametrize("said", ["never mind", "never", "never again", "never build Palace", "never end"])
def test_what_answers_no_question_is_no_plan(said: str) -> None:
    assert not plan_begins(said, AT)


@pytest.mark.parametrize("said", ["never bribe if cost > 3", "never bribe always"])
def test_what_leaves_something_open_is_refused(said: str) -> None:
    assert plan_begins(said, AT)
    assert not isinstance(read_plan(said, AT), Plan)
