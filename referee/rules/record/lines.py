"""The words that lines of a record begin with, and how names stand in them."""

from __future__ import annotations

import json
import re

FORMAT = "citadels record 2"
#: the same without a chain, as records were written before
UNCHAINED = "citadels record 1"
HEADER = ("edition", "options", "cast", "uniques", "players", "crown", "seed hash", "words")
#: what was asked for of the cards, where anything was; between the header and the orders
LIST = "list"
#: the rulings that a game was dealt under, where there were any beside the first; and one that came while it
#: was played. Neither can be mistaken for an order: those begin with a word
RULINGS, RULING = "rulings", re.compile(r"ruling: (\d{1,6}) from question (\d{1,6})")
RESULT, SCORE, WINNER, SEED = "result", "score", "winner", "seed"
#: what stands under the record (see `chain`)
LINKS, HEAD, KEY, SIGNATURE = "links", "head", "key", "signature"
PARTS = ("districts", "all_types", "first_complete", "complete", "unique")

_PLAIN = re.compile(r"[^\W_][\w .'’-]*")
_RESERVED = frozenset({*HEADER, LIST, RESULT, SCORE, WINNER, SEED, LINKS, HEAD, KEY, SIGNATURE})


def label(name: str) -> str:
    """A player's name at the beginning of a line; in quotes where it could be mistaken."""
    if _PLAIN.fullmatch(name) and name.lower() not in _RESERVED:
        return name
    return json.dumps(name, ensure_ascii=False)
