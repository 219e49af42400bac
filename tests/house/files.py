"""The files of the house, as the house tests look at them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: what a working copy holds besides the house
NOT_OURS = {
    ".git",
    ".venv",
    ".venv-synapse",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".import_linter_cache",
    "__pycache__",
    "dist",
    "build",
    "local",
}
#: tables of data, which may be as long as what they list: a step of the schema is one
TABLES = ("referee/store/tables.py", "referee/store/migrations/versions/")


@cache
def everything() -> tuple[Path, ...]:
    """All files of the house."""
    return tuple(sorted(_walk(ROOT)))


def _walk(folder: Path) -> Iterator[Path]:
    for one in folder.iterdir():
        if one.name in NOT_OURS or one.name.endswith(".egg-info") or one.name.startswith(".coverage"):
            continue
        if one.is_dir():
            yield from _walk(one)
        elif one.is_file():
            yield one


@cache
def python(*folders: str) -> tuple[Path, ...]:
    """The Python files under those folders."""
    return tuple(
        one
        for one in everything()
        if one.suffix == ".py"
        and one.relative_to(ROOT).parts[0:1]
        and any(one.is_relative_to(ROOT / folder) for folder in folders)
    )


@cache
def text(path: Path) -> str:
    """What a file says."""
    return path.read_text(encoding="utf-8")


@cache
def tree(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(text(path))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of a file's syntax tree, a node before those within: most of a look at it is finding them."""
    return tuple(ast.walk(tree(path)))


def shown(path: Path) -> str:
    """A path as a finding names it."""
    return str(path.relative_to(ROOT))
