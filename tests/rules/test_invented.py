"""The Mint, a card that no edition has, in an edition of its own: a choice of cards for an order.

What is needed is in `invented/`: one code file, one file of scenarios, one entry of words.  Cards that are
added to an edition that there is are in tests/invented.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
import yaml

from referee.rules import Setup, asks, editions, play
from referee.rules.catalog import EVENTS
from referee.rules.editions.classic import Classic
from referee.rules.game import rulebook
from referee.rules.notation import read_order
from referee.rules.scenario import check
from referee.rules.scenario.position import lay
from referee.text import Words
from tests.rules import laws
from tests.rules.invented.mint import Mint

HERE = Path(__file__).parent / "invented"


class Invented(Classic):
    """The classic edition with a Mint in the deck."""

    name = "invented"
    districts = (*Classic.districts, (Mint(), 1))
    uniques = (*Classic.uniques, "Mint")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions, "EDITIONS", {**editions.EDITIONS, "invented": Invented()})
    monkeypatch.setitem(EVENTS, "melted", "seat, count, gold")
    editions._rulebook.cache_clear()


def test_its_scenarios_hold() -> None:
    results = check(yaml.safe_load((HERE / "mint.yaml").read_text()), "mint.yaml")
    assert len(results) == 2
    assert [r for r in results if not r.ok] == []


def test_whole_games_with_it_keep_the_laws() -> None:
    melted = 0
    for number in range(12):
        rng = Random(number)
        for g in laws.moments(4, number, rng, Setup("invented", laws.NAMES[:4])):
            offered = [f.verb for ask in asks(g) for f in ask.families]
            melted += "melt" in offered
            if "melt" in offered or rng.random() < 0.02:
                laws.everything_in_its_place(g, rng)
                laws.written_and_read(g, rng)
                laws.dull_answers_are_legal(g, rng)
    assert melted > 10


def test_its_words_are_an_entry_of_their_own() -> None:
    words = Words([HERE / "words"])
    state = lay(
        {
            "edition": "invented",
            "players": ["Ana", "Bea", "Cy", "Dan"],
            "given": {
                "at": "call 6",
                "seats": {
                    "Ana": {"character": "Merchant", "city": ["Mint"], "hand": ["Market", "Temple"]},
                },
            },
        }
    )
    names = state.setup.players
    event = play(state, 0, read_order("melt Market, Temple", names, rulebook(state))).events[0]
    assert words.event(event.name, event.facts, "en", names, 1) == "Ana melted 2 cards down for 3 gold."


def test_what_people_type_is_read() -> None:
    words = Words([HERE / "words"])
    assert "coinage" in words.lexicon("en").spellings("districts", "Mint")
    assert words.lexicon("en").entry("districts", "Mint")["text"].startswith("Once a turn")
    assert words.lexicon("en").entry("districts", "Smithy")["text"], "the shipped words are still there"
