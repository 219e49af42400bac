"""The sentences an admin reads, out of templates/en/admin.toml.

A sentence is a plain string with {names}; a missing one is a bug that the house tests find, so here its
code and facts are shown instead: an admin in trouble must not lose what was found.
"""
from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import referee


def _file() -> Path:
    """In the wheel, or beside the source.  Not asked of `referee.text`, whose import costs `--help` 0.2 s."""
    inside = Path(referee.__file__).parent
    shipped = inside / "_templates"
    return (shipped if shipped.is_dir() else inside.parent / "templates") / "en" / "admin.toml"


@cache
def sentences() -> Mapping[str, str]:
    """All sentences by dotted code."""
    with _file().open("rb") as file:
        return dict(_flat(tomllib.load(file), ""))


def _flat(table: Mapping[str, Any], before: str) -> Any:
    for key, value in table.items():
        if isinstance(value, str):
            yield before + key, value.strip()
        else:
            yield from _flat(value, f"{before}{key}.")


def say(code: str, /, **facts: Any) -> str:
    """The sentence of that code with its facts."""
    sentence = sentences().get(code)
    told = {name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value for name, value in facts.items()}
    try:
        if sentence is not None:
            return sentence.format_map(told)
    except (KeyError, IndexError, ValueError):
        pass                                    # the sentence asks for a fact that is not there: show what is
    return " ".join([code, *(f"{name}={value}" for name, value in told.items())])


def help_(command: str) -> str:
    """The help of a command or of one of its parameters."""
    return say(f"help.{command}")
