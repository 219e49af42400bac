"""One Jinja environment per language and kind of output.

A letter is one layout for all kinds and languages. How a kind writes bold, lists and options is a file of
macros in templates/channels, found by every letter under the name `c`; what is said comes with layouts.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, PrefixLoader, StrictUndefined, Template

from ..folders import all_folders, layout_folders
from ..lexicon import Lexicon
from .filters import Tables, filters
from .finishing import EMPTY, INDENT, LINE, PARAGRAPH, lines, page
from .kept_code import KeptCode
from .layouts import Layouts, Made, sentences
from .pieces import pieces

#: kinds of output -> whether text in them must be escaped, and how their breaks are made
KINDS: dict[str, tuple[bool, Callable[[str], str]]] = {
    "text": (False, lines),
    "telegram": (True, lines),
    "terminal": (True, lines),
    "matrix": (True, page),
    "mail": (True, page),
    "web": (True, page),
}


class LanguageEnvironment:
    """The environment of one language and kind, and its letters; `made` is shared by those of a language,
    `kept` is the folder in which the code of layouts is kept for the next start.
    """

    def __init__(
        self,
        kind: str,
        lex: Lexicon,
        tables: Tables,
        own: Sequence[Path],
        made: Made | None = None,
        kept: Path | None = None,
    ) -> None:
        escaped, self.finish = KINDS[kind]
        self.environment = Layouts(
            sentences(lex.language, tuple(own)),
            made,
            loader=PrefixLoader(
                {
                    "channels": FileSystemLoader([f / "channels" for f in all_folders(own)]),
                    "words": FileSystemLoader(layout_folders(lex.language, own)),
                }
            ),
            autoescape=escaped,  # off for plain text only
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
            bytecode_cache=None if kept is None else KeptCode(kept, lex.language, kind),
        )
        self.environment.filters.update(filters(lex, tables))
        self.environment.globals.update(
            par=PARAGRAPH, line=LINE, indent=INDENT, empty=EMPTY, kind=kind, lexicon=lex
        )
        channel = f"channels/{kind}.j2"
        self.macros: Any = self.environment.get_template(channel).module
        marks = {"par": PARAGRAPH, "line": LINE, "indent": INDENT, "empty": EMPTY}
        source = self.environment.loader.get_source(self.environment, channel)[0]  # type: ignore[union-attr]  # it has one
        self.environment.pieces = pieces(self.environment.parse(source), marks)
        self.environment.channel = kind
        self.environment.globals["c"] = self.macros
        self._letters: dict[str, Template] = {}

    def share(self, say: Callable[..., str]) -> None:
        """Give the letters `say(table, code, …)` for sentences, and `parts`, the pieces they share."""
        self.environment.globals["say"] = say
        self.environment.globals["parts"] = self.environment.get_template("words/parts.j2").module

    def letter(self, name: str) -> Template:
        """The template of a kind of letter.  Raises jinja2.TemplateNotFound."""
        found = self._letters.get(name)
        if found is None:
            found = self._letters[name] = self.environment.get_template(f"words/letters/{name}.j2")
        return found

    def block(self, template: Template, name: str, context: dict[str, Any]) -> str:
        """One block of a letter, finished; "" if the letter has no such block."""
        block = template.blocks.get(name)
        if block is None:
            return ""
        return self.finish("".join(block(template.new_context(context))))
