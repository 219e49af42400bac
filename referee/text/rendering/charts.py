"""Pictures as SVG: one template each in templates/charts, an admin's folders before the shipped one.  Whatever they are given is text."""
from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ..folders import all_folders
from ..folding import clean


def chart(name: str, own: Sequence[Path] = (), /, **facts: Any) -> str:
    """The SVG of templates/charts/`name`.svg.j2."""
    return _house(tuple(own)).get_template(f"{name}.svg.j2").render(facts)


def fitted(text: str, most: int) -> str:
    """A stranger's words as they fit into a picture: one line, `most` signs wide at most, where wide signs count twice."""
    line, width = clean(text), 0
    for at, sign in enumerate(line):
        width += 2 if unicodedata.east_asian_width(sign) in "WF" else 0 if unicodedata.combining(sign) else 1
        if width > most:
            return clean(line[:max(1, at - 1)].rstrip() + "…")
    return line


@lru_cache(maxsize=4)
def _house(own: tuple[Path, ...]) -> Environment:
    return Environment(loader=FileSystemLoader([folder / "charts" for folder in all_folders(own)]), autoescape=True, undefined=StrictUndefined,
                       trim_blocks=True, lstrip_blocks=True, auto_reload=False)
