"""The form for a new table: what may be chosen, each choice the words that one would type after `new`."""

from __future__ import annotations

from typing import Any

from referee import rules
from referee.rules import lists
from referee.search import OFFERED

from ...tables.new_table_menu import HOURS

#: what may be wished where an edition has more cards than one game needs: the phrase of its label, its words
_BY_CHANCE = (("button-random", "random"), ("button-gentle", "random gentle"))


def choices() -> dict[str, Any]:
    """{editions: [{name, least, most, lists, chance [(phrase, words)]}], seats, hours, bots, levels}."""
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
    }
