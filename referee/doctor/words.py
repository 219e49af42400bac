"""The words: are they all there, and can every template, sentence and lexicon be used, also the admin's
own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import TemplateSyntaxError, meta

from referee.ports import Finding
from referee.text.folders import all_folders, languages, nearest
from referee.text.lexicon import Lexicon, lexicon
from referee.text.rendering import layouts
from referee.text.rendering.emblems import emblem, key
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
    count, wrong = 0, 0
    there = languages([own] if own else [])
    if nearest(config.referee.language, there).lower() != config.referee.language.replace("-", "_").lower():
        yield Finding(
            "warn", "language-missing", {"language": config.referee.language, "languages": list(there)}
        )
    mine = (own,) if own else ()
    for folder in all_folders(mine):
        for path in sorted(p for p in folder.rglob("*") if p.suffix in (".j2", ".toml") and p.is_file()):
            count += 1
            for found in _read_as_used(path, path.relative_to(folder), there, mine):
                wrong += found.level == "bad"
                yield found
    if not wrong:
        yield Finding("ok", "templates", {"count": count, "languages": list(there)})


def _read_as_used(
    path: Path, inside: Path, there: tuple[str, ...], own: tuple[Path, ...]
) -> Iterator[Finding]:
    """What is wrong with a file, in each language whose words it is used with: a layout with those of all for
    whom the admin wrote sentences.
    """
    first, shipped = inside.parts[0], all_folders()[-1]
    theirs = shipped / inside
    if first in there:
        used: list[str] = [first]
        if path.suffix == ".j2":
            theirs = shipped / "layouts" / inside.relative_to(first)
    else:
        used = [one for one in there if any((f / one / "sentences").is_dir() for f in own)]
        used = used if first == "layouts" and used else ["en"]
    before = theirs if theirs.is_file() else None
    for language in used:
        if any((folder / language).is_dir() for folder in own):
            lex = None if first in DRAWN else lexicon(language, own)
            yield from read(path, before, lex, _said(language, own))
        else:
            yield from _read_once(path, _state(path), before, _state(before), language, first in DRAWN)


def _state(path: Path | None) -> tuple[int, int]:
    """What changes with a file."""
    with suppress(OSError):
        if path is not None:
            there = path.stat()
            return there.st_mtime_ns, there.st_size
    return 0, 0


@lru_cache(maxsize=512)
def _read_once(
    path: Path, _: object, shipped: Path | None, __: object, language: str, drawn: bool
) -> tuple[Finding, ...]:
    """What `read` finds with the shipped words, which are the same as long as the process lives."""
    lex = None if drawn else lexicon(language, ())
    return tuple(read(path, shipped, lex, layouts.sentences(language)))


def _said(language: str, own: tuple[Path, ...]) -> Mapping[str, str]:
    """The sentences that a layout may name; the shipped ones where the admin's can't be read, which is said
    of their file.
    """
    try:
        return layouts.sentences(language, own)
    except (OSError, ValueError):
        return layouts.sentences(language)


def read(path: Path, shipped: Path | None, lex: Lexicon | None, said: Mapping[str, str]) -> Iterator[Finding]:
    """What is wrong with one file of a language (`lex`; None: a picture, which is of none and knows no filter
    of theirs, `said`: its sentences); `shipped` is the one that it stands before.
    """
    environment = layouts.Layouts(said, autoescape=True)
    if lex is not None:
        environment.filters.update(filters(lex, lambda table, code: None))
        environment.filters["anchor"], environment.filters["emblem"] = key, emblem
    where = str(path)
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".j2":
            environment.compile(text)
        else:
            known = {} if shipped is None else sentences(tomllib.loads(shipped.read_text(encoding="utf-8")))
            for where, sentence in sentences(tomllib.loads(text)).items():
                parsed = environment.parse(sentence)
                if known.get(where, sentence) == sentence:
                    continue
                facts, usual = map(meta.find_undeclared_variables, (parsed, environment.parse(known[where])))
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
