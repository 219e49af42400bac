"""The lexicon of a language: how cards, orders and commands are called in it, and what cards say.

Loaded from `lexicon.toml` in the folder of the language; keys are the English names as they
stand in orders, so a name without an entry is called by its key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from .. import kept
from .folders import language_folders
from .meter import unmetered
from .mixing import beside

#: tables of the file that name things, by kind
KINDS = (
    "characters",
    "districts",
    "types",
    "verbs",
    "commands",
    "channels",
    "editions",
    "lists",
    "bots",
    "manners",
)


class Lexicon:
    """The words of one language.  Made by `lexicon`; read-only."""

    def __init__(self, language: str, data: Mapping[str, Any]) -> None:
        self.language = language
        self.data = data

    def table(self, kind: str) -> Mapping[str, Any]:
        """One table of the file, empty if the language has none."""
        found: Mapping[str, Any] = self.data.get(kind, {})
        return found

    def keys(self, kind: str) -> tuple[str, ...]:
        """The English names of a kind, in the order of the file."""
        return tuple(key for key, entry in self.table(kind).items() if isinstance(entry, Mapping))

    def name(self, kind: str, key: str) -> str:
        """What `key` is called in this language."""
        return str(self.table(kind).get(key, {}).get("name", key))

    def card(self, key: str) -> str:
        """A character's or a district's name in this language; an unknown one stays as it is."""
        kind = "characters" if key in self.table("characters") else "districts"
        return self.name(kind, key)

    def short(self, key: str) -> str:
        """A character's name as it fits two short lines, with soft hyphens where it may be broken."""
        return str(self.table("characters").get(key, {}).get("short") or self.card(key))

    def entry(self, kind: str, key: str, edition: str = "") -> Mapping[str, Any]:
        """All that is said of `key`: name, aliases, line, text, rulings … (whatever there is); what
        its table for that edition says instead goes before."""
        found: Mapping[str, Any] = self.table(kind).get(key, {})
        instead = found.get(edition) if edition else None
        return {**found, **instead} if isinstance(instead, Mapping) else found

    def spellings(self, kind: str, key: str) -> Iterator[str]:
        """Everything that means `key` when typed: its names here and in orders, and its aliases."""
        yield key
        entry = self.entry(kind, key)
        if "name" in entry:
            yield str(entry["name"])
        yield from entry.get("aliases", ())

    def says(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The sentences that cards bring with them, in the tables of `phrases.toml`."""
        for kind in ("characters", "districts"):
            for entry in self.table(kind).values():
                if isinstance(entry, Mapping):
                    yield from entry.get("says", {}).items()

    def words(self, key: str, table: str = "words") -> tuple[str, ...]:
        """The ways to type a little word ("with"); the English one is always among them."""
        found: Sequence[str] | str = self.table(table).get(key, ())
        several = (found,) if isinstance(found, str) else found
        return (key, *(w for w in several if w != key))

    def courtesies(self, where: str) -> frozenset[str]:
        """The polite lines of a letter ("openings" or "closings"), what else is said to be kind
        ("pleasantries", "apologies") and to whom ("audience"), or words behind a command ("polite").
        """
        return frozenset(self.table("language").get(where, ()))

    @property
    def fillers(self) -> frozenset[str]:
        """Words that may stand anywhere and mean nothing ("the")."""
        return frozenset(self.table("language").get("fillers", ()))


@lru_cache(maxsize=32)
@unmetered
def lexicon(language: str = "en", own: tuple[Path, ...] = ()) -> Lexicon:
    """The lexicon of a language, an admin's entries before the shipped ones.

    What the language lacks is said in English, and English words are understood wherever they mean nothing
    else in it. Raises FileNotFoundError for a language that has none.
    """
    data = _written(language, own)
    return Lexicon(language, data if language == "en" else beside(_written("en", own), data))


# the English file stands beside each other language, and to read it takes a twentieth of a start
@lru_cache(maxsize=32)
def _written(language: str, own: tuple[Path, ...]) -> Mapping[str, Any]:
    """What the files of one language say.  Raises FileNotFoundError where there are none."""
    data: dict[str, Any] = {}
    for folder in reversed(language_folders(language, own)):
        path = folder / "lexicon.toml"
        if path.is_file():
            _lay_over(data, kept.toml(path))
    if not data:
        raise FileNotFoundError(f"no lexicon for language {language!r}")
    return data


def _lay_over(below: dict[str, Any], above: Mapping[str, Any]) -> None:
    for key, value in above.items():
        old = below.get(key)
        if isinstance(old, dict) and isinstance(value, Mapping):
            _lay_over(old, value)
        else:
            below[key] = value
