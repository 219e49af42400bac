"""A function can be read at one go; how many ways lead through it is counted by ruff (pyproject.toml)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.house.files import TABLES, python, shown, tree

#: so many lines, from `def` to the end
LONGEST = 60


def functions(node: ast.AST, within: str = "") -> Iterator[tuple[str, int]]:
    """The functions of a file, also those within others: their dotted names, and how long they are."""
    for one in ast.iter_child_nodes(node):
        name = within
        if isinstance(one, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{within}.{one.name}".lstrip(".")
            if not isinstance(one, ast.ClassDef):
                yield name, (one.end_lineno or 0) - one.lineno + 1
        yield from functions(one, name)


def test_no_function_is_too_long() -> None:
    found = [
        (shown(path), name, lines)
        for path in python("referee", "adapters")
        if not shown(path).startswith(TABLES)
        for name, lines in functions(tree(path))
    ]
    assert len(found) > 1000
    assert not [(file, name) for file, name, lines in found if lines > LONGEST]
