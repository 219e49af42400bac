"""The words of the cards: every card has its own, each says what that edition's card does, and the book of
cards has them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from referee.rules.editions import EDITIONS
from referee.rules.flow_verbs import FLOW
from referee.text import Lexicon, lexicon
from referee.text.cardbook import book
from referee.text.folders import languages
from referee.text.reading.shapes import SHAPES
from referee.text.rendering.cards import by_rank, by_type, card, editions_of, line, printed, sheets
from tests.house.files import ROOT

LEX = lexicon("en")
CARDS = [(edition, name) for edition in EDITIONS for name in printed(edition)]
LONGEST = 60


def kind(edition: str, name: str) -> str:
    return "characters" if "rank" in printed(edition)[name] else "districts"


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("edition", "name"), CARDS)
def test_every_card_of_every_edition_has_words(language: str, edition: str, name: str) -> None:
    lex = lexicon(language)
    assert name in lex.keys(kind(edition, name)), (
        f'templates/{language}/lexicon.toml has no [{kind(edition, name)}."{name}"]: '
        "docs/engineers/adding-a-card.md, 4"
    )
    (sheet,) = sheets(lex, name, edition)
    assert len(sheet["text"]) > 15
    assert sheet["text"].endswith(".")
    said = line(lex, name, edition)
    ordinary = printed(edition)[name]["type"] not in (None, "unique") and kind(edition, name) == "districts"
    assert ordinary is (said == "")
    assert len(said) <= LONGEST
    assert not said.endswith(".")


@pytest.mark.parametrize("language", languages())
def test_every_entry_belongs_to_a_card(language: str) -> None:
    lex = lexicon(language)
    for table in ("characters", "districts"):
        strange = set(lex.keys(table)) - {name for edition, name in CARDS if kind(edition, name) == table}
        assert not strange, f"templates/{language}/lexicon.toml, {table}: no edition has such a card"
        for name, entry in lex.table(table).items():
            variants = {key for key, said in entry.items() if isinstance(said, dict)} - {"says"}
            assert variants <= set(editions_of(name)), name
            assert len(variants) < len(editions_of(name)), (
                f"{name}: what is said apart everywhere leaves nothing to be said once"
            )


def variants(lex: Lexicon) -> Iterator[tuple[str, dict[str, object], dict[str, object]]]:
    """Each table of an edition: its name, the entry that it stands in, itself."""
    for table in ("characters", "districts"):
        for name, entry in lex.table(table).items():
            for edition, said in entry.items():
                if isinstance(said, dict) and edition != "says":
                    yield f"{name}.{edition}", entry, said


@pytest.mark.parametrize("language", languages())
def test_an_edition_says_only_what_is_otherwise_there(language: str) -> None:
    found = list(variants(lexicon(language)))
    assert len(found) > 10
    for where, entry, said in found:
        assert set(said) <= {"line", "text", "rulings"}, where
        for part, words in said.items():
            assert words != entry.get(part), f"{where}.{part}"


@pytest.mark.parametrize("language", languages())
def test_the_words_leave_to_the_rules_what_the_rules_know(language: str) -> None:
    """No cost, rank or type of the card itself in its words: those are printed beside them."""
    lex = lexicon(language)
    told = re.compile(
        r"^(a |an )?(noble|religious|trade|military|unique)( district)?, cost \d", re.IGNORECASE
    )
    texts = [
        str(entry.get("text", ""))
        for table in ("characters", "districts")
        for entry in lex.table(table).values()
    ]
    assert len([text for text in texts if text]) > 20
    assert not [text for text in texts if told.search(text)]


def test_orders_in_the_words_are_orders() -> None:
    """What stands in brackets begins with a verb that this card has, or that everybody has: (bonus), (seize
    Bea Market).
    """
    looked, everybodys = 0, {shape.verb for shape in FLOW}
    for edition, name in CARDS:
        verbs = {order.split(" ")[0] for order in printed(edition)[name]["orders"]}
        (sheet,) = sheets(LEX, name, edition)
        for bracket in re.findall(r"\(([^)]*)\)", sheet["text"]):
            first = bracket.split()[0].strip(",;“”")
            if first in SHAPES:
                looked += 1
                assert first in verbs | everybodys, f"{name} ({edition}): {bracket}"
    assert looked > 3


def test_what_is_printed_comes_from_the_manifest() -> None:
    assert card("Thief", "classic")["rank"] == 2
    assert card("Keep", "classic")["copies"] == 2
    assert card("Keep", "deluxe")["copies"] == 1
    assert card("Market")["cost"] == 2
    assert card("Nonesuch") == {"name": "Nonesuch"}
    assert printed("atlantis") == {}
    assert "rob <C>" in card("Thief")["orders"]


def test_editions_that_say_the_same_share_a_sheet() -> None:
    keep = {edition: sheet for sheet in sheets(LEX, "Keep") for edition in sheet["editions"]}
    assert set(keep) == set(editions_of("Keep"))
    assert keep["classic"] is not keep["deluxe"]
    (market,) = sheets(LEX, "Market")
    assert market["editions"] == list(EDITIONS)
    assert [p["editions"] for p in market["printed"]] == [list(EDITIONS)]
    assert sheets(LEX, "Keep", "deluxe")[0]["editions"] == ["deluxe"]
    assert sheets(LEX, "Statue", "classic") == sheets(
        LEX, "Statue"
    )  # an edition without it: all that have it
    assert sheets(LEX, "Nonesuch") == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_lists_hold_every_card_once(edition: str) -> None:
    cards = printed(edition)
    listed = [*by_rank(edition), *by_type(edition)]
    assert sorted(listed) == sorted(cards)
    ranks = [cards[name]["rank"] for name in by_rank(edition)]
    assert ranks == sorted(ranks)
    assert min(ranks) == 1


def test_the_book_of_cards_is_current() -> None:
    kept = (ROOT / "docs" / "players" / "cards.md").read_text(encoding="utf-8").splitlines()
    new = [line for line in book().splitlines() if line not in set(kept)]
    assert kept == book().splitlines(), f"docs/players/cards.md is older than the cards: make cards\n{new}"


@pytest.mark.parametrize("language", languages())
def test_the_book_holds_every_card_with_its_words(language: str) -> None:
    lex, page = lexicon(language), book(language)
    for edition, name in CARDS:
        (sheet,) = sheets(lex, name, edition)
        assert f"| {lex.card(name)} |" in page
        if printed(edition)[name]["type"] in (None, "unique") or "rank" in printed(edition)[name]:
            assert f"### {lex.card(name)}\n" in page
            assert sheet["text"] in page
            assert all(f"- {ruling}\n" in page for ruling in sheet["rulings"])
