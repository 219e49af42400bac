"""What there is to say of a card: what is printed on it, from the editions' manifests, and its words, from
the lexicon.

One name may stand for different cards in different editions (the Tax Collector is of rank 2 in one and of
rank 9 in another), so everything here is asked for an edition, or comes sorted by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...rules.editions import EDITIONS
from ...rules.rulebook import spoken
from ..lexicon import Lexicon


@lru_cache(maxsize=64)
def printed(edition: str) -> Mapping[str, Mapping[str, Any]]:
    """Card name -> {cost, type, copies} of a district or {rank, type} of a character, each with the forms of
    its `orders`; empty for an edition not built.
    """
    book = EDITIONS.get(edition)
    if book is None:
        return {}
    out: dict[str, Mapping[str, Any]] = {
        d.name: {"cost": d.cost, "type": d.type, "copies": copies, "orders": _orders(d)}
        for d, copies in book.districts
    }
    out.update({c.name: {"rank": c.rank, "type": c.type, "orders": _orders(c)} for c in book.characters})
    return out


def _orders(one: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(shape.text for shape in spoken(one)))


def card(name: str, edition: str = "") -> Mapping[str, Any]:
    """One card's {name, cost or rank, type …}, from this edition or else from any that has it."""
    for known in (edition, *EDITIONS):
        found = printed(known).get(name)
        if found is not None:
            return {"name": name, **found}
    return {"name": name}


def stacked(names: Sequence[str], edition: str = "") -> list[dict[str, Any]]:
    """Cards with how many `copies` of each there are, in the order in which they first come."""
    return [{**card(name, edition), "copies": copies} for name, copies in Counter(names).items()]


def editions_of(name: str) -> tuple[str, ...]:
    """The editions that have a card of that name."""
    return tuple(edition for edition in EDITIONS if name in printed(edition))


def line(lex: Lexicon, name: str, edition: str = "") -> str:
    """A card's effect in one line of a list, as that edition has it; "" for a district without one."""
    kind = "characters" if name in lex.table("characters") else "districts"
    return str(lex.entry(kind, name, edition).get("line", ""))


def sheets(lex: Lexicon, name: str, edition: str = "") -> list[dict[str, Any]]:
    """What that card is and does: as that edition has it, else ("" or an edition without it) as all do that
    have it.

    Editions that say the same share a sheet {editions, printed [{editions, rank or cost, type, copies}],
    text, rulings, orders}; within it, those that print the same share what is printed.
    """
    out: list[dict[str, Any]] = []
    known = editions_of(name)
    for each in (edition,) if edition in known else known:
        facts = dict(printed(each)[name])
        orders = list(facts.pop("orders"))
        said = lex.entry("characters" if "rank" in facts else "districts", name, each)
        text = said.get("text") or lex.entry("types", str(facts["type"])).get("plain", "")
        words = {"text": text, "rulings": list(said.get("rulings", ())), "orders": orders}
        sheet = _like(out, words)
        sheet["editions"].append(each)
        _like(sheet.setdefault("printed", []), facts)["editions"].append(each)
    return out


def _like(known: list[dict[str, Any]], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """The one that says the same, or a new one, at the end."""
    for one in known:
        if all(one[key] == value for key, value in wanted.items()):
            return one
    known.append({**wanted, "editions": []})
    return known[-1]


def by_rank(edition: str) -> Sequence[str]:
    """An edition's characters by rank, those of one rank in the order of its manifest."""
    cards = printed(edition)
    return sorted(
        (name for name, facts in cards.items() if "rank" in facts), key=lambda name: int(cards[name]["rank"])
    )


def by_type(edition: str) -> Sequence[str]:
    """An edition's districts: type by type in the order of its manifest, the cheapest first."""
    cards = {name: facts for name, facts in printed(edition).items() if "cost" in facts}
    types = list(dict.fromkeys(facts["type"] for facts in cards.values()))
    return sorted(cards, key=lambda name: (types.index(cards[name]["type"]), cards[name]["cost"], name))
