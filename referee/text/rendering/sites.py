"""Web pages: one layout a page, `layouts/pages/<name>.html.j2`, with the sentences of a language; an admin's
folders before the shipped one.

A page says nothing that it is not given; whatever it is given is text. Beside what it is given it knows
`language`, `languages` (each with its own name), `root` (what every address of ours begins with),
`origin` (what goes before that for others, "" where nobody said),
`asset(name)`, the address of a file of templates/web, and `say(table, code, …)` for sentences.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateNotFound

from ... import kept
from ..folders import languages, layout_folders, nearest
from ..lexicon import lexicon
from .assets import Assets
from .emblems import emblem, key
from .filters import filters
from .kept_code import KeptCode
from .layouts import Layouts, Made, sentences
from .phrases import PhraseBook

log = logging.getLogger(__name__)
#: the code of the shipped pages by language: compiled once for a process, as the folder does not change
_SHIPPED: dict[str, Made] = {}


class Site:
    """All pages, in all languages.

    `root`: the path under which a web server before us shows them, "" for none; `origin`: scheme and host.
    """

    def __init__(self, own: Sequence[Path] = (), root: str = "", origin: str = "") -> None:
        self._root, self._origin, self.assets = root, origin, Assets(own, root)
        self._own = tuple(Path(folder) for folder in own)
        self._known = languages(self._own)
        #: code -> what the language calls itself
        self._named = {
            name: str(lexicon(name, self._own).table("language").get("name", name)) for name in self._known
        }
        self._environments: dict[str, Environment] = {}
        self._shipped: Site | None = None

    def page(self, name: str, wanted: str = "en", /, **facts: Any) -> str:
        """The HTML of a page in the language nearest to the one `wanted`.

        Raises LookupError for a page that is not there.
        """
        language = nearest(wanted, self._known)
        try:
            return (
                self._environment(language).get_template(f"{name}.html.j2").render(language=language, **facts)
            )
        except Exception as wrong:  # an admin's template may go wrong in any way; a reader gets ours then
            if isinstance(wrong, TemplateNotFound) and wrong.name == f"{name}.html.j2":
                raise LookupError(name) from wrong
            if not self._own:
                raise
            log.exception(
                "the page %s could not be written with the words of %s: the shipped ones are used",
                name,
                ", ".join(map(str, self._own)),
            )
            self._shipped = self._shipped or Site(root=self._root, origin=self._origin)
            return self._shipped.page(name, wanted, **facts)

    def _environment(self, language: str) -> Environment:
        if language not in self._environments:
            lex = lexicon(language, self._own)
            place = None if self._own else kept.folder("layouts")  # where code is kept for the next start
            made = Layouts(
                sentences(language, self._own),
                None if self._own else _SHIPPED.setdefault(language, {}),
                loader=FileSystemLoader([folder / "pages" for folder in layout_folders(language, self._own)]),
                autoescape=True,
                undefined=StrictUndefined,
                trim_blocks=True,
                lstrip_blocks=True,
                auto_reload=False,
                bytecode_cache=None if place is None else KeptCode(place, language, "page"),
            )
            book = PhraseBook(lex, self._own)
            made.filters.update(filters(lex, book.raw))
            made.filters["anchor"] = key
            made.filters["emblem"] = lambda name, kind="": emblem(name, kind, self._own)
            made.globals.update(
                languages=self._named,
                root=self._root,
                origin=self._origin,
                asset=self.assets.address,
                say=lambda table, code, **facts: book.say(table, code, facts),
            )
            self._environments[language] = made
        return self._environments[language]
