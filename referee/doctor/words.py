"""The words: are they all there, and can every template, sentence and lexicon be used, also the admin's
own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, TemplateSyntaxError, meta

from referee.ports import Finding
from referee.text.folders import all_folders, languages, nearest
from referee.text.lexicon import Lexicon, lexicon
from referee.text.rendering.filters import filters

if TYPE_CHECKING:
    from referee.config import Configuration

#: folders of templates that are drawn and not read
DRAWN = ("pictures", "charts")


def templates(config: Configuration) -> Iterator[Finding]:
    """One finding for all, or one for each that is wrong."""
    own = config.referee.templates
    if own is not None and not own.is_dir():
        yield Finding("bad", "templates-no-folder", {"path": str(own)})
        return
    shipped = all_folders()[-1]
    count, wrong = 0, 0
    there = languages([own] if own else [])
    if nearest(config.referee.language, there).lower() != config.referee.language.replace("-", "_").lower():
        yield Finding(
            "warn", "language-missing", {"language": config.referee.language, "languages": list(there)}
        )
    for folder in all_folders([own] if own else []):
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".j2", ".toml") and p.is_file()):
            count += 1
            theirs = shipped / path.relative_to(folder)
            language = path.relative_to(folder).parts[0]
            lex = (
                None
                if language in DRAWN
                else lexicon(language if language in there else "en", (own,) if own else ())
            )
            for found in read(path, theirs if theirs.is_file() else None, lex):
                wrong += found.level == "bad"
                yield found
    if not wrong:
        yield Finding("ok", "templates", {"count": count, "languages": list(there)})


def read(path: Path, shipped: Path | None, lex: Lexicon | None) -> Iterator[Finding]:
    """What is wrong with one file of a language (`lex`; None: a picture, which is of none and knows no filter
    of theirs); `shipped` is the one that it stands before.
    """
    environment = Environment(autoescape=True)
    if lex is not None:
        environment.filters.update(filters(lex, lambda table, code: None))
    where = str(path)
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".j2":
            environment.compile(text)
        else:
            known = {} if shipped is None else sentences(tomllib.loads(shipped.read_text(encoding="utf-8")))
            for where, sentence in sentences(tomllib.loads(text)).items():
                facts, usual = (
                    meta.find_undeclared_variables(environment.parse(s))
                    for s in (sentence, known.get(where, sentence))
                )
                if facts - usual:
                    yield Finding(
                        "warn", "template-facts", {"path": f"{path}, {where}", "facts": sorted(facts - usual)}
                    )
    except TemplateSyntaxError as error:
        spot = f"{path}:{error.lineno}" if path.suffix == ".j2" else f"{path}, {where}"
        yield Finding("bad", "template-wrong", {"path": spot, "why": error.message or ""})
    except tomllib.TOMLDecodeError as error:
        yield Finding("bad", "template-wrong", {"path": str(path), "why": str(error)})
    except (OSError, UnicodeDecodeError) as error:
        yield Finding("bad", "template-wrong", {"path": str(path), "why": type(error).__name__})
    if shipped is None and path.suffix == ".j2":
        yield Finding("warn", "template-unused", {"path": str(path)})


def sentences(tables: dict[str, Any]) -> dict[str, str]:
    """The sentences of a file of phrases by "table.code"; a lexicon has texts below that, which are no
    templates.
    """
    return {
        f"{table}.{code}": text
        for table, entries in tables.items()
        if isinstance(entries, dict)
        for code, text in entries.items()
        if isinstance(text, str)
    }
