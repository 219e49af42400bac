"""The book of cards, docs/players/cards.md: every card of every edition, in the words of `rules <card>`.

python -m referee.text.cardbook docs/players/cards.md          writes it
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ..rules.editions import EDITIONS
from .rendering import Words
from .rendering.cards import by_rank, by_type, printed


def book(language: str = "en") -> str:
    """The whole page, Markdown, ending with a line break."""
    characters: dict[str, int] = {}
    districts: set[str] = set()
    editions: list[dict[str, Any]] = []
    for name in EDITIONS:
        cards = printed(name)
        characters |= {card: cards[card]["rank"] for card in by_rank(name) if card not in characters}
        districts |= {card for card in by_type(name) if cards[card]["type"] == "unique"}
        editions.append(
            {
                "name": name,
                "characters": by_rank(name),
                "districts": [{"name": d, **cards[d]} for d in by_type(name)],
            }
        )
    return Words(strict=True).page(
        "cards",
        language,
        {
            "editions": editions,
            "characters": sorted(characters, key=lambda name: (characters[name], name)),
            "districts": sorted(districts),
        },
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(book(), encoding="utf-8")
