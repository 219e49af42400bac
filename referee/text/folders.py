"""Where the words live: folders of templates, the admin's before the shipped ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

from .meter import unmetered


@cache
def shipped() -> Path:
    """The templates that come with the referee: inside the wheel, or beside the source.

    Raises FileNotFoundError if neither is there (a broken installation).
    """
    root = Path(str(files("referee")))
    for folder in (root / "_templates", root.parent / "templates"):
        if (folder / "channels").is_dir():
            return folder
    raise FileNotFoundError(f"no templates beside {root}")


def all_folders(own: Sequence[Path] = ()) -> tuple[Path, ...]:
    """The admin's folders in their order, then the shipped one."""
    return (*(Path(folder) for folder in own), shipped())


def languages(own: Sequence[Path] = ()) -> tuple[str, ...]:
    """Every language that has a lexicon, sorted: ``("en",)``.  Looked up once."""
    return _languages(tuple(own))


@cache
@unmetered
def _languages(own: tuple[Path, ...]) -> tuple[str, ...]:
    found = {p.parent.name for folder in all_folders(own) for p in folder.glob("*/lexicon.toml")}
    return tuple(sorted(found))


def language_folders(language: str, own: Sequence[Path] = ()) -> tuple[Path, ...]:
    """The folders of one language that exist, the admin's first."""
    return tuple(folder / language for folder in all_folders(own) if (folder / language).is_dir())


def layout_folders(language: str, own: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Where layouts are looked for: an admin's for this language, an admin's for all, the shipped ones."""
    return (
        *(Path(folder) / language for folder in own),
        *(folder / "layouts" for folder in all_folders(own)),
    )


def nearest(wanted: str, known: Sequence[str]) -> str:
    """The language to speak to somebody whose client says "pt-BR", "en_GB", "de, pt-BR" (the most wanted
    first) or nothing: a known one.
    """
    return next((found for one in wanted.split(",") if (found := _nearest(one.strip(), known))), "en")


def _nearest(wanted: str, known: Sequence[str]) -> str:
    plain = wanted.replace("-", "_")
    for candidate in (plain, plain.split("_")[0]):
        for language in known:
            if candidate and language.lower() == candidate.lower():
                return language
    short = plain.split("_")[0].lower()
    for language in known:
        if short and language.lower().split("_")[0] == short:
            return language
    return ""
