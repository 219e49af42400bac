"""The form for a new table: what may be chosen, each choice the words that one would type after `new`."""

from __future__ import annotations

import re
from typing import Any

from referee import rules
from referee.rules import lists
from referee.search import OFFERED

from ...tables.new_table_menu import HOURS

#: what may be wished where an edition has more cards than one game needs: the phrase of its label, its words
_BY_CHANCE = (("button-random", "random"), ("button-gentle", "random gentle"))


#: all other choices, by their form
_PART = re.compile(r"\b(?:[0-9]+ players|with [0-9]+ [a-z]+ bots|[0-9]+h|open|invite)\b")
#: what is chosen before anybody chooses
_AT_FIRST = ("4 players", "24h")


def choices(written: str = "") -> dict[str, Any]:
    """{editions: [{name, least, most, lists, chance [(phrase, words)]}], seats, hours, bots, levels, chosen:
    the words of what is chosen}. `written`: what was sent from there, and refused.
    """
    editions = [
        {
            "name": name,
            "least": book.least,
            "most": book.most,
            "lists": lists.lists_of(name),
            "chance": _BY_CHANCE if len(book.characters) > len(book.cast) else (),
        }
        for name, book in rules.EDITIONS.items()
    ]
    most = max(book.most for book in rules.EDITIONS.values())
    least = min(book.least for book in rules.EDITIONS.values())
    return {
        "editions": editions,
        "seats": range(least, most + 1),
        "hours": HOURS,
        "bots": range(1, most),
        "levels": OFFERED,
        "chosen": _chosen(written, editions) if written else _AT_FIRST,
    }


def _chosen(written: str, editions: list[dict[str, Any]]) -> tuple[str, ...]:
    """The choices that make up these words: of the cards the longest that is in them, as the lists of an
    edition begin with its name; of the rest each.
    """
    cards = [
        " ".join(filter(None, (one["name"], more)))
        for one in editions
        for more in ("", *(name.lower() for name in one["lists"][1:]), *(typed for _, typed in one["chance"]))
    ]
    within = f" {written} "
    return (max((one for one in cards if f" {one} " in within), key=len, default=""), *_PART.findall(written))
