"""A language beside the English one: what it lacks is said in English, and English words stay understood.

Orders are printed in English notation everywhere, so the person who writes another language types English now
and then. An English word is taken in wherever the language has no other meaning for it; its own words always
win.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .folding import fold, squash

#: tables whose words may begin a line, so that one word must not begin two things in either of them
_BEGINNINGS = ("verbs", "commands")
#: tables that are each language's own affair: no English word gets into them
_OWN = frozenset({"language", "formats", "grammar", "shared"})


def beside(english: Mapping[str, Any], ours: Mapping[str, Any]) -> dict[str, Any]:
    """The lexicon of a language with English where it lacks something."""
    beginnings = {word: table for table in _BEGINNINGS for word in _taken(ours.get(table, {}))}
    own = ours.get("language", {})
    # "e" joins two things in Portuguese, and as "é" says yes: it ends no turn
    little = (*own.get("fillers", ()), own.get("and", ""), own.get("or", ""))
    fillers = frozenset(map(fold, little))
    out: dict[str, Any] = {}
    for table in {**english, **ours}:
        theirs, mine = english.get(table, {}), ours.get(table, {})
        if table in _OWN:
            out[table] = {**theirs, **mine} if table != "grammar" else mine
            continue
        taken = {**beginnings, **_taken(mine)} if table in _BEGINNINGS else _taken(mine)
        keys = {squash(key): key for key in theirs}
        out[table] = {
            key: _entry(key, theirs.get(key), mine.get(key), taken, keys, fillers)
            for key in {**theirs, **mine}
        }
    return out


def _entry(
    key: str,
    theirs: Any,
    mine: Any,
    taken: Mapping[str, str],
    keys: Mapping[str, str],
    fillers: frozenset[str],
) -> Any:
    """One entry: a list of words, or a table with `aliases`."""

    def free(word: str) -> bool:
        return (
            taken.get(squash(word), key) == key
            and keys.get(squash(word), key) == key
            and fold(word) not in fillers
        )

    if mine is None:
        mine = {} if isinstance(theirs, Mapping) else () if isinstance(theirs, list) else theirs
    if isinstance(theirs, list) and key != "shared":
        return [*mine, *(word for word in theirs if free(word))]
    if not isinstance(theirs, Mapping) or not isinstance(mine, Mapping):
        return mine
    # a short form belongs to the name that it shortens
    left = ("aliases", "short") if "name" in mine else ("aliases",)
    out = {**{part: said for part, said in theirs.items() if part not in left}, **mine}
    for part, said in out.items():
        other = theirs.get(part)
        if isinstance(said, Mapping) and isinstance(other, Mapping):  # what an edition has otherwise
            out[part] = {**other, **said}
        elif isinstance(said, list) and isinstance(other, list) and part not in ("rulings", "aliases"):
            out[part] = list(dict.fromkeys([*said, *other]))
    aliases = [*mine.get("aliases", ()), *(word for word in theirs.get("aliases", ()) if free(word))]
    return {**out, "aliases": aliases} if aliases else out


def _taken(table: Any) -> dict[str, str]:
    """What is said in a table of the language: squashed word -> its key."""
    out: dict[str, str] = {}
    for key, entry in table.items() if isinstance(table, Mapping) else ():
        words = (
            entry
            if isinstance(entry, list)
            else [entry.get("name", key), *entry.get("aliases", ())]
            if isinstance(entry, Mapping)
            else ()
        )
        if key != "shared":
            out.update({squash(str(word)): key for word in words})
    return out
