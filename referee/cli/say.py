"""The sentences an admin reads, out of admin.toml in the folder of the shell's language (LC_ALL, LC_MESSAGES,
LANG), else the English one.

A sentence is a plain string with {names}; a missing one is a bug that the house tests find, so here its
code and facts are shown instead: an admin in trouble must not lose what was found.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import referee
from referee import kept

#: where a shell says its language: the first that is set decides, as in any other program
_SAID = ("LC_ALL", "LC_MESSAGES", "LANG")


def speak(of: str) -> None:
    """Speak a language from here on, whatever the shell says."""
    os.environ[_SAID[0]] = of


def language() -> str:
    """The language of the shell, one that there is a folder for: "pt_BR" where it says "pt_BR.UTF-8" or
    "pt_PT", else "en".
    """
    return _nearest(shell())


def shell() -> str:
    """What the shell says of a language, "de_DE" of "de_DE.UTF-8"; "" where it says none ("C.UTF-8")."""
    said = next((os.environ[name] for name in _SAID if os.environ.get(name)), "").split(".")[0].split("@")[0]
    return "" if said in ("C", "POSIX") else said


def chosen(said: str) -> str:
    """A language as it is typed ("pt-br"), as its folder is called; "" where there is none."""
    wanted = said.replace("-", "_")
    found = _nearest(wanted)
    return found if found.casefold().split("_")[0] == wanted.casefold().split("_")[0] else ""


def known() -> list[str]:
    """The languages that there is a folder for."""
    return sorted(path.parent.name for path in _folder().glob("*/admin.toml"))


@cache
def _nearest(said: str) -> str:
    wanted = said.casefold()
    whole = [name for name in known() if name.casefold() == wanted]
    near = [name for name in known() if name.casefold().split("_")[0] == wanted.split("_")[0]]
    return [*whole, *near, "en"][0]


def _folder() -> Path:
    """In the wheel, or beside the source.  Not asked of `referee.text`, whose import costs `--help` 0.2 s."""
    inside = Path(referee.__file__).parent
    shipped = inside / "_templates"
    return shipped if shipped.is_dir() else inside.parent / "templates"


def sentences(of: str = "") -> Mapping[str, str]:
    """All sentences by dotted code, of a language (the shell's); what it lacks is said in English."""
    return _sentences(of or language())


@cache
def _sentences(of: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for name in dict.fromkeys(("en", of)):
        found.update(_flat(kept.toml(_folder() / name / "admin.toml"), ""))
    return found


def _flat(table: Mapping[str, Any], before: str) -> Any:
    for key, value in table.items():
        if isinstance(value, str):
            yield before + key, value.strip()
        else:
            yield from _flat(value, f"{before}{key}.")


def say(code: str, /, **facts: Any) -> str:
    """The sentence of that code with its facts."""
    sentence = sentences().get(code)
    told = {
        name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in facts.items()
    }
    try:
        if sentence is not None:
            return sentence.format_map(told)
    except (KeyError, IndexError, ValueError):
        pass  # the sentence asks for a fact that is not there: show what is
    return " ".join([code, *(f"{name}={value}" for name, value in told.items())])


def meant(key: str, english: str) -> str:
    """What a setting ("mail.smtp_host") is: its own description is English, other languages have one in their
    table [settings].
    """
    said = sentences()
    return said.get(f"settings.{key}") or said.get(f"settings.{key.rpartition('.')[2]}") or english


def help_(command: str) -> str:
    """The help of a command or of one of its parameters."""
    return say(f"help.{command}")
