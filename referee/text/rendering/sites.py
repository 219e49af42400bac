"""The words of web pages: one template a page, `<language>/pages/<name>.html.j2`, an admin's folders before the shipped one.

A page says nothing that it is not given; whatever it is given is text.
"""
from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from ..folders import all_folders, language_folders, languages, nearest
from ..lexicon import lexicon
from .filters import filters
from .phrases import PhraseBook


class Site:
    """All pages, in all languages."""

    def __init__(self, own: Sequence[Path] = ()) -> None:
        self._own = tuple(Path(folder) for folder in own)
        self._known = languages(self._own)
        self._environments: dict[str, Environment] = {}

    def page(self, name: str, wanted: str = "en", **facts: Any) -> str:
        """The HTML of a page in the language nearest to the one `wanted`.  Raises LookupError for a page that is not there."""
        language = nearest(wanted, self._known)
        try:
            return self._environment(language).get_template(f"{name}.html.j2").render(language=language, **facts)
        except TemplateNotFound as missing:
            raise LookupError(name) from missing

    def _environment(self, language: str) -> Environment:
        if language not in self._environments:
            lex = lexicon(language, self._own)
            folders = [*language_folders(language, self._own), *(folder / "en" for folder in all_folders(self._own))]
            made = Environment(loader=FileSystemLoader([folder / "pages" for folder in folders]), autoescape=True,
                               undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False)
            made.filters.update(filters(lex, PhraseBook(lex, self._own).raw))
            self._environments[language] = made
        return self._environments[language]
