"""What players go by at a table, and how names are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from referee import rules
from referee.rules.notation import shapes
from referee.rules.shapes import SLOTS
from referee.store import Game
from referee.text import BLANK, fold, lexicon, skeleton
from referee.text.folders import languages

_NAME_LENGTH = 24


def in_game_name(name: str, taken: list[str], game: Game) -> str:
    """One line, no signs that orders are made of, unlike every card and every other player."""
    plain = "".join(
        c
        for c in unicodedata.normalize("NFC", name)
        if (unicodedata.category(c)[0] not in "CZ" and c not in BLANK) or c == " "
    )
    plain = re.sub(r"[;,.:#/!@<>*_`|{}\[\]\\\"]+", " ", plain)
    plain = _apart_from_orders(" ".join(plain.split())[:_NAME_LENGTH].strip())
    if not fold(plain):  # "-", "?": nothing is left of it where an order is read
        plain = "Player"
    if plain.isdigit():
        plain = f"Player {plain}"
    cards = _cards_called(game.edition)
    barred = {key for x in (*taken, *cards) for key in (fold_name(x), skeleton(x))}
    barred |= {"gold", "card", "cards", "with", "for", "from"}
    found, n = plain, 1
    while barred & {fold_name(found), skeleton(found)}:
        n += 1
        found = f"{plain} {n}"
    return found


@lru_cache(maxsize=16)
def _cards_called(edition: str) -> tuple[str, ...]:
    """What the cards of an edition are called in any language: "Rei" at a table is the King."""
    book = rules.EDITIONS[edition]
    known = {
        "characters": [c.name for c in book.characters],
        "districts": [d.name for d, _ in book.districts],
    }
    said = (
        lexicon(one).name(kind, card)
        for one in languages()
        for kind, cards in known.items()
        for card in cards
    )
    return tuple(dict.fromkeys((*known["characters"], *known["districts"], *said)))


def _apart_from_orders(name: str) -> str:
    """The name with a capital to every word in it that orders write beside a player's name.

    Else "crown Ana gold" would be two orders at a table of Ana and "Ana gold", and what was played there
    could not be read again: no record, no way back to a round.
    """
    (first, *others), beside = name.split(" "), _beside_names()
    return " ".join([first, *(word.capitalize() if word in beside else word for word in others)])


def _beside_names() -> frozenset[str]:
    parts = [shape.parts for known in shapes().values() for shape in known if "<P>" in shape.parts]
    return frozenset([part for those in parts for part in those]) - SLOTS


def fold_name(text: str) -> str:
    """For comparing names: capitals, accents and blanks do not matter. Of a name of emoji alone they are what
    tells it from others; "" where nothing does.
    """
    flat = fold(text)
    return "".join(c for c in flat if c.isalnum()) or flat
