"""A card is one place: outside of its own file no code of the referee calls it by its name.

The manifests of the editions and their lists are about which cards there are, and name them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from referee.rules.catalog import every_card
from referee.rules.seams import District
from referee.text.rendering.emblems import UNDRAWN
from tests.house.files import ROOT, nodes

NAMING = ("referee/rules/cards/", "referee/rules/editions/", "referee/rules/lists/")
#: (file, string): what is called like a card and is none
NO_CARDS = {
    ("referee/text/reading/zones.py", "Factory"),  # a time zone without a place
    ("referee/text/rendering/pictures/table.py", "museum"),  # a count of the view, as it is drawn
    # what waits to be drawn is listed beside the drawings, until somebody draws it
    *(("referee/text/rendering/emblems.py", key) for key in UNDRAWN),
}
#: names of cards that are words of the rules, in small letters
WORDS = {"keep", "king", "park", "spy"}


def unique_cards() -> set[str]:
    """The names of the cards with a text of their own."""
    every = [card for card in every_card() if not isinstance(card, District) or card.type == "unique"]
    return {card.name for card in every}


def spellings() -> dict[str, str]:
    """How code might write them: as printed, and as codes of questions, events and verbs."""
    out = {}
    for name in unique_cards():
        plain = re.sub(r"[^a-z ]", "", name.lower())
        out[name] = name
        out |= {plain.replace(" ", sign): name for sign in "-_ " if plain not in WORDS}
    return out


def strings(path: Path) -> Iterator[tuple[str, int]]:
    """The strings of a file that are no docstrings."""
    every = nodes(path)
    docs = {
        id(node.body[0].value)
        for node in every
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in every:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value, node.lineno


def test_no_code_but_its_own_calls_a_card_by_its_name() -> None:
    known = spellings()
    assert len(unique_cards()) > 60
    assert {"Graveyard", "bell-tower", "poor_house", "Tax Collector"} <= set(known)
    found, named = [], 0
    for path in sorted((ROOT / "referee").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        for said, line in strings(path):
            if said not in known:
                continue
            named += 1
            if not place.startswith(NAMING) and (place, said) not in NO_CARDS:
                found.append(
                    f"{place}:{line}: {said!r}: say it in the file of {known[said]} (rules/declared.py)"
                )
    assert named > 300, "the manifests and the cards were not found"
    assert found == []


def test_the_exceptions_are_still_there() -> None:
    for place, said in NO_CARDS:
        assert said in [text for text, _ in strings(ROOT / place)]
