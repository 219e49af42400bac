"""An admin's own words: one phrase changed, and what happens when they are wrong."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from referee.text import Words
from tests.text.samples import frozen, prompt


def own(tmp_path: Path, name: str, text: str) -> Words:
    """The shipped words with one file of the admin's before them."""
    path = tmp_path / "en" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return Words([tmp_path])


def test_one_phrase_is_changed_and_no_other(tmp_path: Path) -> None:
    words = own(tmp_path, "phrases.toml", '[refusals]\ntoo-poor = "You are {{ price - gold }} short."\n')
    assert words.phrase("too-poor", price=5, gold=2) == "You are 3 short."
    assert words.phrase("over") == Words().phrase("over")


@pytest.mark.parametrize(
    "broken",
    [
        "{% if %}",
        "Hello",
        '{% extends "words/letters/nothing.j2" %}',
        "{% block subject %}x{% endblock %}{% block body %}{{ nobody.knows }}{% endblock %}",
        "{% block subject %}x{% endblock %}{% block body %}{{ 1 // 0 }}{% endblock %}",
    ],
)
@pytest.mark.parametrize("markup", ["text", "telegram", "mail"])
def test_a_letter_that_breaks_is_written_with_the_shipped_words(
    tmp_path: Path, broken: str, markup: str, caplog: pytest.LogCaptureFixture
) -> None:
    words = own(tmp_path, "letters/prompt.j2", broken)
    context = prompt(frozen()["turn"], words)
    with caplog.at_level(logging.ERROR):
        assert words.letter("prompt", "en", markup, context) == Words().letter(
            "prompt", "en", markup, context
        )
    assert "the shipped ones are used" in caplog.text
    with pytest.raises(KeyError):
        words.letter("promt", "en", markup, context)
