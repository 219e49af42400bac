"""What happened, in paragraphs."""

from __future__ import annotations

from referee.text.rendering.news import paragraphs


def test_a_turn_is_a_paragraph() -> None:
    told = [
        ("picked", "Ana picked."),
        ("picked", "Bea picked."),
        ("called", "1: nobody."),
        ("called", "2: nobody."),
        ("revealed", "Ana is the King."),
        ("crowned", "Ana takes the crown."),
        ("took_gold", "Ana took 2 gold."),
        ("revealed", "Bea is the Bishop."),
        ("called", "6: nobody."),
        ("round_began", "Round 2."),
        ("faceup", "Not in play: Thief."),
    ]
    assert paragraphs(told) == [
        "Ana picked. Bea picked.",
        "1: nobody. 2: nobody.",
        "Ana is the King. Ana takes the crown. Ana took 2 gold.",
        "Bea is the Bishop.",
        "6: nobody.",
        "Round 2. Not in play: Thief.",
    ]


def test_nothing_is_lost() -> None:
    told = [
        (name, f"{n}.")
        for n, name in enumerate(
            ("took_gold", "built", "picked", "shown", "called", "revealed", "income", "undone")
        )
    ]
    assert " ".join(paragraphs(told)) == " ".join(line for _, line in told)
    assert paragraphs([]) == []
