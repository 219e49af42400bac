"""`cast`, the quick reference, of the largest tables there can be: one message, one page."""

from __future__ import annotations

import textwrap

import pytest

from referee.rules.editions import EDITIONS
from referee.text import Words
from referee.text.folders import languages
from tests.text.samples import GAME, NOW
from tests.text.test_letters import parsed

WORDS = Words(strict=True)
TAKEN = 4096  # Telegram: UTF-16 units of a message
PAGE = 66  # lines of a printed page


def wordiest(edition: str, language: str) -> tuple[list[str], list[str]]:
    """Of each rank the character with the most to say, and the fourteen unique districts with the most."""
    known = EDITIONS[edition]
    said = {
        name: len(WORDS.letter("cards", language, "text", context(edition, language, [name], [])).text)
        for name in (card.name for card in known.characters)
    }
    cast = [
        max((card.name for card in known.characters if card.rank == rank), key=lambda name: said[name])
        for rank in sorted({card.rank for card in known.characters})
    ]
    uniques = sorted(
        {card.name for card, _ in known.districts if card.type == "unique"},
        key=lambda name: (
            -len(WORDS.letter("cards", language, "text", context(edition, language, cast[:1], [name])).text)
        ),
    )
    return cast, uniques[:14]


def context(edition: str, language: str, cast: list[str], uniques: list[str]) -> dict[str, object]:
    return {
        "language": language,
        "zone": "UTC",
        "now_ms": NOW,
        "game": GAME | {"edition": edition},
        "cast": cast,
        "uniques": uniques,
    }


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("edition", ["deluxe", "original"])
def test_it_fits_one_message_and_one_page(edition: str, language: str) -> None:
    cast, uniques = wordiest(edition, language)
    assert len(cast) == 9
    assert len(uniques) == 14
    said = WORDS.letter("cards", language, "telegram", context(edition, language, cast, uniques))
    units = len("".join(parsed(said.markup).said).encode("utf-16-le")) // 2
    assert 1500 < units <= TAKEN
    mail = WORDS.letter("cards", language, "mail", context(edition, language, cast, uniques)).text
    lines = [part for line in mail.splitlines() for part in (textwrap.wrap(line, 80) or [""])]
    assert 30 < len(lines) <= PAGE
