"""The book of sentences of one language: `phrases.toml`, `plans.toml` and `leagues.toml`, each value a small
template; and of what cards say in their own entries of the lexicon.

Sentences are plain text.  What players wrote goes into them as a value, never as a template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import StrictUndefined, Template
from jinja2.nodes import EvalContext

from ... import kept
from ..folders import language_folders, shipped
from ..lexicon import Lexicon, lexicon
from ..meter import unmetered
from .filters import filters
from .quick_environment import QuickContext, QuickEnvironment

#: tables whose codes share one namespace: `Words.phrase` finds a sentence in any of them
SPOKEN = ("refusals", "setup", "troubles", "notices", "buttons", "plans", "leagues", "league_news")
#: the files of a language that hold sentences
FILES = (
    "phrases.toml",
    "plans.toml",
    "leagues.toml",
    "league_news.toml",
    "administering.toml",
    "pictures.toml",
    "lessons.toml",
)


def _tables(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables of all files of a folder, one after the other."""
    for path in filter(Path.is_file, (folder / name for name in FILES)):
        yield from kept.toml(path).items()


@lru_cache(maxsize=32)
def _shipped(folder: Path) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Those of a language that came with the referee: every book has them, and they don't change."""
    return tuple(_tables(folder))


class PhraseBook:
    """Sentences by table and code."""

    @unmetered
    def __init__(self, lex: Lexicon, own: tuple[Path, ...]) -> None:
        self.tables: dict[str, dict[str, Any]] = {}
        languages = dict.fromkeys(("en", lex.language))  # what a language lacks is said in English
        for folder in (
            folder for language in languages for folder in reversed(language_folders(language, own))
        ):
            for table, entries in _shipped(folder) if folder.parent == shipped() else _tables(folder):
                self.tables.setdefault(table, {}).update(entries)
        for language in languages:
            for table, entries in lexicon(language, own).says():
                self.tables.setdefault(table, {}).update(entries)
        self._compiled: dict[tuple[str, str], Template] = {}
        self.environment = QuickEnvironment(undefined=StrictUndefined, autoescape=False)
        self.environment.filters.update(filters(lex, self.raw))
        self._everywhere = dict(self.environment.globals)
        self._calm = EvalContext(self.environment)  # no sentence turns escaping on

    def raw(self, table: str, code: str) -> str | None:
        """A sentence as it is written, None if there is none."""
        found = self.tables.get(table, {}).get(code)
        return found if isinstance(found, str) else None

    def where(self, code: str) -> str | None:
        """The table in which a code is spoken."""
        return next((table for table in SPOKEN if self.raw(table, code) is not None), None)

    def say(self, table: str, code: str, facts: Mapping[str, Any]) -> str:
        """A sentence with its facts.

        Raises KeyError for an unknown code, jinja2.UndefinedError for a missing fact.
        """
        template = self._compiled.get((table, code)) or self._compile(table, code)
        # the same as template.render(facts), without walking through Jinja's layers of globals for every
        # sentence
        context = QuickContext.light(template, {**self._everywhere, **facts}, self._calm)
        return "".join(template.root_render_func(context))

    @unmetered
    def _compile(self, table: str, code: str) -> Template:
        text = self.raw(table, code)
        if text is None:
            raise KeyError(f"{table}.{code}")
        made = self._compiled[table, code] = self.environment.from_string(text)
        return made

    def codes(self, table: str) -> tuple[str, ...]:
        """The codes of a table."""
        return tuple(code for code, text in self.tables.get(table, {}).items() if isinstance(text, str))
