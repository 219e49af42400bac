"""The templates: are they all there, and does every one of them, also the admin's own, compile."""
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jinja2 import Environment, TemplateSyntaxError

from referee.ports import Finding
from referee.text.folders import all_folders, languages

if TYPE_CHECKING:
    from referee.config import Configuration


def templates(config: Configuration) -> Iterator[Finding]:
    """One finding for all, or one for each that is wrong."""
    own = config.referee.templates
    if own is not None and not own.is_dir():
        yield Finding("bad", "templates-no-folder", {"path": str(own)})
        return
    count, wrong = 0, 0
    known = {str(path.relative_to(all_folders()[-1])) for path in all_folders()[-1].rglob("*") if path.is_file()}
    for folder in all_folders([own] if own else []):
        for path in sorted(folder.rglob("*.j2")):
            count += 1
            try:
                Environment(autoescape=True).parse(path.read_text(encoding="utf-8"))
            except TemplateSyntaxError as error:
                wrong += 1
                yield Finding("bad", "template-wrong", {"path": f"{path}:{error.lineno}", "why": error.message or ""})
            except (OSError, UnicodeDecodeError) as error:
                wrong += 1
                yield Finding("bad", "template-wrong", {"path": str(path), "why": type(error).__name__})
            if folder == own and str(path.relative_to(folder)) not in known:
                yield Finding("warn", "template-unused", {"path": str(path)})
    if not wrong:
        yield Finding("ok", "templates", {"count": count, "languages": list(languages([own] if own else []))})
