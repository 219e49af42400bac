"""Emblems: one drawing for each card, a `<symbol>` of templates/web/emblems.svg, the same on pages and in
pictures.

A card's key is its name in small letters with hyphens ("Thieves' Den" is `thieves-den`).  A district that
nobody has drawn yet has the shape of its type, a character that nobody has drawn that of a person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from ..folders import all_folders

#: the sheet of all emblems, and what a character has without one
FILE, PERSON = "emblems.svg", "person"
#: the keys of districts and characters that have none of their own, until somebody draws one
UNDRAWN: frozenset[str] = frozenset()
_SYMBOL = re.compile(r'<symbol id="([a-z-]+)"[^<>]*>((?:(?!</?symbol).)*)</symbol>', re.DOTALL)


def key(name: str) -> str:
    """What the emblem of a card is called."""
    return re.sub(r"[^a-z]+", "-", name.lower().replace("'", "")).strip("-")


@lru_cache(maxsize=4)
def drawings(own: tuple[Path, ...] = ()) -> Mapping[str, str]:
    """Key -> what stands in its symbol, 24 by 24; the sheet of an admin's folders before the shipped one."""
    sheet = next(path for folder in all_folders(own) if (path := folder / "web" / FILE).is_file())
    return dict(_SYMBOL.findall(sheet.read_text(encoding="utf-8")))


def emblem(name: str, kind: str | None = "", own: Sequence[Path] = ()) -> str:
    """The key of the drawing of a card; `kind`: a district's type."""
    known = drawings(tuple(own))
    return next(one for one in (key(name), kind or PERSON, PERSON) if one in known)
